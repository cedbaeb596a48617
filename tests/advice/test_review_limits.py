"""Reviews that end early: hands cut short or claimed, limits that keep what is told true, stopping, what is refused."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest

from tests.advice.bots import record_by_bots
from tests.advice.played import play
from tests.advice.reviewed import check_account, claimed, cut, played_cards, small, told
from tests.advice.small_games import twin
from tests.records.support import finished
from tierce.solver.advice.review import ReviewSearch, review
from tierce.solver.advice.review_results import Decision, Review
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games import ReplayedDeal, load_game, replay
from tierce.solver.games.profile import MIZ

# ---- unfinished and claimed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raf", "uni_high_359", "deputy"])
def test_unfinished_hands_go_as_far_as_they_go(name: str) -> None:
    """Cut after any card: what was told of the cards before stays so; the tricks are those that are sure."""
    for played in small(name, "cut", claims=0.0)[:2]:
        whole = review(played.deal, seconds=0)
        for actions in range(1, len(played_cards(played.deal)) + 1):
            found = review(cut(played.deal, actions), seconds=0)
            assert found.ledger.plays == whole.ledger.plays[: len(whole.ledger.plays) - actions]
            assert found.ledger.end == whole.ledger.plays[-actions].before and not found.finished
            check_account(found)
            assert [each.claim for each in found.accounts] == [0, 0, 0]


def test_before_the_first_lead_there_is_nothing_to_review() -> None:
    played = small("raf", "cut", claims=0.0)[0]
    cards = len(played_cards(played.deal))
    with pytest.raises(
        InputError, match="expected a deal that came to its first lead, found one in the phase"
    ) as caught:
        ReviewSearch(cut(played.deal, cards + 3))
    assert caught.value.code == "not_due"
    found = review(cut(played.deal, cards), seconds=None)
    assert found.ledger.plays == () and found.whole and len(found.decisions) == 2
    check_account(found)


def test_claims_are_checked() -> None:
    """What a claim gives beside what is sure stands in the account: more, less, or as much."""
    signs = set()
    for played in small("raf", "claims", claims=0.0) + small("deputy", "claims", claims=0.0):
        sure = review(cut(played.deal, 6), seconds=0).ledger
        for first in range(3):
            for second in range(3 - first):
                given = (first, second, 2 - first - second)
                found = review(claimed(played.deal, 6, given), seconds=0)
                assert found.finished
                check_account(found)
                for account in found.accounts:
                    taken = sure.taken[account.seat] + given[account.seat]
                    assert account.claim == taken - sure.end[account.seat]
                    assert account.tricks == taken + account.kitty
                    signs.add((account.claim > 0) - (account.claim < 0))
    assert signs == {-1, 0, 1}


def test_a_miz_is_reviewed_by_caps() -> None:
    found = next(
        review(played.deal, seconds=None)
        for played in small("deputy", "miz", deals=18)
        if played.deal.state.call == MIZ
    )
    out = found.json()
    assert out["kind"] == "cap" and "shares" not in out["tricks"][0]
    assert [seat["quota"] for seat in out["seats"]] == list(found.deal.state.profile.caps())
    check_account(found)


# ---- limits ----------------------------------------------------------------------------------------------------------


def contains(found: Decision, deep: Decision) -> bool:
    """Do the bounds hold what is true? Losses are no less than 0."""
    assert deep.loss is not None
    low, high = found.loss_bounds
    return low <= deep.loss <= high


def test_bounds_hold_whenever_the_time_is_over() -> None:
    seen: set[str] = set()
    every = {"known", "bounds", "skipped"}
    for name in ("raf", "nine_five_two", "uni_high_359", "nine_five_two_swap"):
        for played in play(f"time {name}", name, twin(name, 6), 3):
            deep = {(each.what, each.seat): each for each in review(played.deal, seconds=None).decisions}
            for millis in (2, 5, 10, 20, 40, *(number / 2 for number in range(3, 100))):
                if seen == every and millis not in (2, 5, 10, 20, 40):
                    break  # how much is known by when depends on the machine: finer steps until all has been seen
                try:
                    found = review(played.deal, seconds=millis / 1000)
                except LimitReached:  # not even where the hand was claimed
                    continue
                judged = {(each.what, each.seat): each for each in found.decisions}
                assert judged.keys() | set(found.skipped) >= deep.keys() and not judged.keys() & set(found.skipped)
                for what, decision in judged.items():
                    assert contains(decision, deep[what])
                    assert decision.loss is not None or decision.loss_bounds[0] or not trivial(found, decision)
                    seen.add("known" if decision.loss is not None else "bounds")
                seen |= {"skipped"} if found.skipped else set()
                check_account(found)
    assert seen == every


def trivial(found: Review, decision: Decision) -> bool:
    """Is the bound no more than that nobody takes more tricks than there are?"""
    return decision.best[1] >= found.total + found.kitty - found.quotas[decision.seat]


def test_the_cards_come_first_from_the_end() -> None:
    (deal,) = replay(finished(load_game("raf"), 1)).deals
    whole, short = review(deal, seconds=0), review(deal, seconds=0.004)
    assert whole.whole and not short.whole
    assert short.ledger.plays == whole.ledger.plays[len(whole.ledger.plays) - len(short.ledger.plays) :]
    assert {what for what, _ in short.skipped} == {"trump", "discard"} and not short.decisions
    check_account(short)


def test_no_time_at_all_for_an_unfinished_hand() -> None:
    (deal,) = replay(finished(load_game("raf"), 1)).deals
    with pytest.raises(LimitReached):
        review(cut(deal, 44), seconds=1e-9)


@pytest.mark.parametrize("name", ["raf", "nine_five_two_swap", "uni_high_359"])
def test_threads_change_nothing(name: str) -> None:
    for played in small(name, "threads"):
        assert told(review(played.deal, seconds=None, threads=3)) == told(review(played.deal, seconds=None))


def test_all_values_of_all_cards_for_the_page() -> None:
    """`every` adds the other seats' numbers and changes none."""
    played = small("raf", "every", claims=0.0)[0]
    one, other = review(played.deal, seconds=0), review(played.deal, seconds=0, every=True)
    for short, full in zip(one.ledger.plays, other.ledger.plays, strict=True):
        assert (short.before, short.after, short.best) == (full.before, full.after, full.best)
        assert [values[short.seat] for _, values in short.options] == [values[short.seat] for _, values in full.options]
        assert all(None not in values for _, values in full.options)


# ---- stopping --------------------------------------------------------------------------------------------------------


class Stopped(Exception):
    """Raised by a watch."""


def later_deal() -> ReplayedDeal:
    """A second deal, whose exchange takes long."""
    return replay(record_by_bots(load_game("raf"), 1, 2)).deals[1]


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3])
def test_cancelled(after: float) -> None:
    search = ReviewSearch(later_deal(), seconds=None, threads=2)
    timer = threading.Timer(after, search.cancel)
    timer.start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        search.run()
    timer.join()
    assert time.monotonic() - began < after + 3


def test_cancelled_before_it_began() -> None:
    search = ReviewSearch(later_deal())
    search.cancel()
    with pytest.raises(Cancelled):
        search.run()


@pytest.mark.parametrize("calls", [1, 3])
def test_what_a_watch_raises_comes_through(calls: int) -> None:
    """At the cards and at the decisions; before, it sees the work go on."""
    search, shares = ReviewSearch(later_deal(), seconds=20), list[float]()

    def watch() -> None:
        shares.append(search.done)
        if len(shares) == calls:
            raise Stopped

    with pytest.raises(Stopped):
        search.run(watch, 0.02)
    assert shares == sorted(shares) and 0 <= shares[0] <= shares[-1] <= 1


def test_what_is_known_when_it_is_stopped() -> None:
    """Nothing before the cards are judged; then the cards, and the decisions that were judged."""
    played = next(each for each in small("raf", "known") if each.deal.state.transfers)
    whole, search = review(played.deal, seconds=None), ReviewSearch(played.deal, seconds=None)
    before = search.known
    seen: list[Review] = []

    def watch() -> None:
        if (known := search.known) is not None:
            seen.append(known)
            if {each.what for each in known.decisions} == {"trump", "discard"}:
                raise Stopped

    with pytest.raises(Stopped):
        search.run(watch, 0.0)
    known = search.known
    assert before is None and known is not None and seen[0].decisions == ()
    for each in (seen[0], known):
        check_account(each)
        assert each.ledger.plays == whole.ledger.plays
        judged = [(decision.what, decision.seat) for decision in each.decisions]
        assert sorted([*judged, *each.skipped]) == sorted((one.what, one.seat) for one in whole.decisions)
    assert {what for what, _ in known.skipped} == {"exchange"}


def test_how_much_is_done_without_a_limit() -> None:
    played = small("raf", "done", claims=0.0)[-1]
    search, shares = ReviewSearch(played.deal, seconds=None), list[float]()
    search.run(lambda: shares.append(search.done), 0.001)
    assert shares[0] < 0.5 and max(shares) <= 1 and search.done == 1


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({"seconds": -1}, "seconds"),
        ({"seconds": "1"}, "seconds"),
        ({"threads": 0}, "threads"),
        ({"threads": 17}, "threads"),
    ],
)
def test_refused(how: dict[str, Any], field: str) -> None:
    played = small("raf", "cut")[0]
    with pytest.raises(InputError) as caught:
        ReviewSearch(played.deal, **how)
    assert caught.value.field == field
    with pytest.raises(TypeError, match="expected a ReplayedDeal"):
        ReviewSearch(played.deal.state)  # type: ignore[arg-type]


def test_names() -> None:
    played = small("raf", "cut")[0]
    dealer = played.deal.state.dealer
    assert review(played.deal, seconds=0).accounts[0].name == f"Player {dealer}"
    rng = random.Random(1)
    names = ("Ann", "Bob", "Cid")
    named = review(played.deal, names, seconds=0)
    for account in rng.sample(named.accounts, 3):
        assert account.name == names[account.player] and account.player == (dealer + account.seat) % 3
