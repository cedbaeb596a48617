"""Reviews of played hands: the account adds up in every game, decisions cost what brute force says, turning points are
where the numbers turn, limits keep what is told true."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pytest

from tests.advice.bots import record_by_bots
from tests.advice.ledgers import Moment, moments
from tests.advice.played import Played, dealer_losses, play, sender_losses
from tests.advice.small_games import SWAP_GAME, TWINS, twin
from tests.records.support import finished
from tierce.solver.advice.choices import Choice, choices_of_state
from tierce.solver.advice.dealer import dealer_advice
from tierce.solver.advice.exchange import exchange_advice
from tierce.solver.advice.review import ReviewSearch, review
from tierce.solver.advice.review_results import Decision, Review
from tierce.solver.advice.sending import due, sender_of
from tierce.solver.cards import Card, bit, card_name
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games import Claim, ReplayedDeal, State, Swap, apply, game_names, load_game, replay, settle
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import MIZ
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solve import card_values, solve

TIMES: Final = ("nodes", "millis")


# ---- hands -----------------------------------------------------------------------------------------------------------


def small(name: str, seed: str, **how: Any) -> list[Played]:
    return play(f"{seed} {name}", name, twin(name), **how)


def cut(deal: ReplayedDeal, actions: int) -> ReplayedDeal:
    """The deal without its last actions, as a record would hold it."""
    steps = [*deal.steps(), (None, deal.state)]
    return replace(deal, actions=deal.actions[:-actions], state=steps[-1 - actions][1], result=None)


def claimed(deal: ReplayedDeal, cards: int, tricks: tuple[int, int, int]) -> ReplayedDeal:
    """The deal without its last cards, and a claim instead."""
    short = cut(deal, cards)
    action = Claim(tricks)
    return replace(short, actions=(*short.actions, action), state=apply(short.state, action))


def played_cards(deal: ReplayedDeal) -> list[Card]:
    return [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)


def at_the_lead(deal: ReplayedDeal) -> State:
    return next(state for _, state in [*deal.steps(), (None, deal.state)] if state.phase == "PLAY")


def losses(found: Review) -> list[tuple[str, int, Fraction]]:
    """What the decisions before the play cost; all must be known."""
    return [(each.what, each.seat, Fraction(-1 if each.loss is None else each.loss)) for each in found.decisions]


def told(found: Review) -> dict[str, Any]:
    """All of it but what it took."""
    return {key: value for key, value in found.json().items() if key not in TIMES}


# ---- the account -----------------------------------------------------------------------------------------------------


def check_account(found: Review) -> None:
    """What must hold of any review, from its JSON alone."""
    out = found.json()
    sign = -1 if out["kind"] == "cap" else 1
    total = out["total"]
    for seat in out["seats"]:
        assert seat["tricks"] == (
            seat["kitty"] + seat["start"] - sign * seat["lost"] + sign * seat["gifts"] + seat["claim"]
        )
        assert seat["gifts"] == sum(gift["tricks"] for gift in seat["gifts_from"])
        assert seat["balance"] == sign * (seat["tricks"] - seat["quota"])
        assert 0 <= seat["best"] <= seat["unforced"]
    if out["finished"]:
        assert sum(seat["tricks"] for seat in out["seats"]) == total
        assert sum(seat["balance"] for seat in out["seats"]) == 0
    for trick in out["tricks"] if sign > 0 else ():
        assert abs(sum(trick["shares"]) - total) < 0.02
        for floor, share, ceiling in zip(trick["guarantees"], trick["shares"], trick["ceilings"], strict=True):
            assert floor <= share <= ceiling and ceiling - floor == total - sum(trick["guarantees"])
    check_plays(out)
    check_turns(out)


def check_plays(out: dict[str, Any]) -> None:
    """The losses and gifts of the cards make those of the seats; the best cards are those worth the most."""
    sign = -1 if out["kind"] == "cap" else 1
    for seat in out["seats"]:
        own = [card for card in out["plays"] if card["seat"] == seat["seat"]]
        assert seat["lost"] == sum(card["loss"] for card in own)
        assert seat["unforced"] == sum(not card["forced"] for card in own)
        assert seat["best"] == sum(not card["forced"] and not card["loss"] for card in own)
        for gift in seat["gifts_from"]:
            given = [each for card in out["plays"] if card["seat"] == gift["seat"] for each in card["gifts"]]
            assert gift["tricks"] == sum(each["tricks"] for each in given if each["seat"] == seat["seat"])
    for card in out["plays"]:
        worth = {each["card"]: each["tricks"] for each in card["cards"]}
        top = max(worth.values(), key=lambda tricks: sign * tricks)
        assert card["best"] == [name for name, tricks in worth.items() if tricks == top]
        assert card["loss"] == abs(top - worth[card["card"]]) and card["forced"] == (len(worth) == 1)
        assert worth[card["card"]] == card["after"]["DEM".index(card["seat"])]


def check_turns(out: dict[str, Any]) -> None:
    """Turning points, found again: from the numbers after each card, and who took which trick."""
    kitty = [seat["kitty"] for seat in out["seats"]]
    quotas = [seat["quota"] for seat in out["seats"]]
    winners = {trick["trick"]: trick["winner"] for trick in out["tricks"]}
    if not out["whole"]:
        return  # who took the tricks before is not told
    taken, found = list(kitty), []
    before = [seat["start"] + seat["kitty"] for seat in out["seats"]]
    for number, card in enumerate(out["plays"], 1):
        was = statuses(out, before, taken, quotas)
        if number % 3 == 0:
            taken = list(taken)
            taken["DEM".index(winners[card["trick"]])] += 1
        before = [sure + extra for sure, extra in zip(card["after"], kitty, strict=True)]
        now = statuses(out, before, taken, quotas)
        changes = [
            {"seat": seat, "before": old, "after": new}
            for seat, old, new in zip("DEM", was, now, strict=True)
            if old != new
        ]
        if changes or card["loss"] >= 2:
            turn = {key: card[key] for key in ("trick", "seat", "card", "loss")}
            found.append(turn | {"changes": changes})
        if number % 3 == 0:
            assert [trick["status"] for trick in out["tricks"] if trick["trick"] == card["trick"]] == [now]
    assert out["turning_points"] == found


def statuses(out: dict[str, Any], sure: list[int], taken: list[int], quotas: list[int]) -> list[str]:
    """Is each quota safe, whatever happens; is it lost, unless somebody errs?"""
    spare = out["total"] - sum(sure)
    if out["kind"] == "cap":
        lost = [have > quota for have, quota in zip(taken, quotas, strict=True)]
        safe = [most <= quota for most, quota in zip(sure, quotas, strict=True)]
    else:
        safe = [least >= quota for least, quota in zip(sure, quotas, strict=True)]
        lost = [least + spare < quota for least, quota in zip(sure, quotas, strict=True)]
    return ["safe" if good else "lost" if bad else "contested" for good, bad in zip(safe, lost, strict=True)]


def check_brute(found: Review) -> None:
    """Every number of every card, by brute force."""
    lead = at_the_lead(found.deal)
    states = [*moments(Moment(lead.hands, lead.trump, lead.leader), played_cards(found.deal))]
    sure = [state.guarantees(few=found.few) for state in states]
    assert [play.before for play in found.ledger.plays] == sure[:-1] and found.ledger.end == sure[-1]
    for state, card in zip(states, found.json()["plays"], strict=False):
        after = {
            name: state.after(each).guarantees(few=found.few) for each in state.legal for name in [card_name(each)]
        }
        assert {each["card"]: each["tricks"] for each in card["cards"]} == {
            name: values["DEM".index(card["seat"])] for name, values in after.items()
        }


@pytest.mark.parametrize("name", TWINS)
def test_small_matches_of_every_game(name: str) -> None:
    """Played to their ends or claimed: the account adds up, every number is brute force's, all decisions are judged."""
    for played in small(name, "all"):
        found = review(played.deal, seconds=None)
        check_account(found)
        check_brute(found)
        assert losses(found) == sender_losses(played) + dealer_losses(played)
        assert {what for what, _ in found.skipped} <= ({"discard"} if played.sends else set())
        assert found.whole and found.finished


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", TWINS)
def test_many_small_matches(name: str, seed: int) -> None:
    for played in small(name, f"many {seed}", deals=6):
        found = review(played.deal, seconds=None, every=seed % 2 == 0)
        check_account(found)
        check_brute(found)
        assert losses(found) == sender_losses(played) + dealer_losses(played)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", game_names())
def test_whole_matches_by_bots(name: str, seed: int) -> None:
    """The cards of whole hands, sensibly played; some are claimed."""
    record = record_by_bots(load_game(name), 10 + seed, 3, claims=0.02)
    for deal in replay(record).deals:
        if not deal.passed_out:
            check_account(review(deal, seconds=0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", game_names())
def test_whole_matches_by_lot(name: str, seed: int) -> None:
    for deal in replay(finished(load_game(name), seed, deals=2)).deals:
        if not deal.passed_out:
            check_account(review(deal, seconds=2, every=True))


# ---- every number is a fresh one's -----------------------------------------------------------------------------------


def check_fresh(found: Review, first: int) -> None:
    """Each ply from `first` on, asked about anew by whoever would ask: `solve` and `card_values`."""
    lead = at_the_lead(found.deal)
    position = Position(lead.hands, lead.trump, lead.leader)
    objective: Objective = "fewest" if found.few else "most"
    for number, card in enumerate(played_cards(found.deal)):
        here = found.ledger.plays[number]
        if number >= first:
            asked = tuple(solve(position, 1 << seat, objective).tricks for seat in range(3))
            assert here.before == asked, number
            fresh = card_values(position, None, objective)
            values = {each.card: each.tricks for each in fresh.cards}
            assert {each: worth[here.seat] for each, worth in here.options} == values
        position = position.play(card)


def test_a_whole_hand_by_fresh_solves() -> None:
    """Dealt and played by lot, so that its first cards are no long work."""
    (deal,) = replay(finished(load_game("raf"), 1)).deals
    check_fresh(review(deal, seconds=0), 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first"), [("raf", 0), ("deputy", 12), ("nine_five_two", 3), ("uni_high_359", 3), (SWAP_GAME, 9)]
)
def test_whole_hands_by_fresh_solves(name: str, first: int) -> None:
    for deal in replay(record_by_bots(load_game(name), 2, 2)).deals:
        check_fresh(review(deal, seconds=0), first)


@pytest.mark.parametrize("name", ["raf", "nine_five_two", "deputy", "uni_high_359"])
def test_decisions_by_fresh_advice(name: str) -> None:
    """Losses, and all choices as good as any, are those that `dealer` and `exchange` tell."""
    for played in small(name, "fresh"):
        found = review(played.deal, seconds=None)
        states = [state for _, state in played.deal.steps()]
        for decision in found.decisions:
            if decision.what == "exchange":
                state = next(each for each in states if each.queue and sender_of(each) == decision.seat)
                made = {(each.sender, each.receiver): each.sent for each in played.deal.state.transfers}
                advice = exchange_advice(state, chosen=[made[each.sender, each.receiver] for each in due(state)])
                assert decision.loss == advice.loss and decision.count == len(advice.best)
                assert {each.sends for each in decision.equal if not isinstance(each, str | Choice)} == {
                    each.way.sends for each in advice.best[:20]
                }
        check_dealer(found, next(each for each in states if each.phase in ("TRUMP", "CALL")))


def check_dealer(found: Review, state: State) -> None:
    end = found.deal.state
    choices = choices_of_state(state)
    advice = dealer_advice(choices, chosen=(end.call, Choice(end.discard if choices.count else 0)))
    by_what = {each.what: each for each in found.decisions if each.what != "exchange"}
    assert sum(each.loss or 0 for each in by_what.values()) == advice.loss
    call = next(each for each in advice.calls if each.call == end.call)
    if "discard" in by_what:
        assert by_what["discard"].count == call.count and by_what["discard"].equal == call.choices[:20]
    best = max(map(advice.balance, advice.calls))
    tied = tuple(each.call for each in advice.calls if advice.balance(each) == best)
    assert (by_what["trump"].equal, by_what["trump"].count) == (tied, len(tied))


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_swaps(number: int) -> None:
    """Whoever holds the two decides; both lays of the cards are solved anew. The first is middle's, the second the
    dealer's."""
    deal = replay(finished(load_game(SWAP_GAME), 2, deals=2)).deals[number]
    state = next(state for _, state in deal.steps() if state.phase == "SWAP")
    seat = next(seat for seat in range(3) if state.hands[seat] & bit(TWO))
    assert seat == (2, 0)[number]
    worth = {}
    for take in (True, False):
        lead = settle(apply(state, Swap(seat, take)))
        worth[take] = solve(Position(lead.hands, lead.trump, lead.leader), 1 << seat).tricks
    (decision,) = (each for each in review(deal, seconds=20).decisions if each.what == "swap")
    swapped, best = deal.state.swapped, max(worth.values())
    assert swapped is not None and (decision.seat, decision.chosen) == (seat, Choice(swap=swapped))
    assert decision.loss == best - worth[swapped]
    equal = {each.swap for each in decision.equal if isinstance(each, Choice)}
    assert equal == {take for take, value in worth.items() if value == best} and decision.count == len(equal)


def test_a_swap_that_was_not_the_dealers_is_listed() -> None:
    deal = replay(finished(load_game(SWAP_GAME), 2, deals=2)).deals[0]
    assert review(deal, seconds=0).skipped == (("trump", 0), ("swap", 2))


def test_a_forced_call_is_no_decision() -> None:
    """In a player's last deal one call is left: there was nothing to judge."""
    name = "deputy"
    for played in small(name, "long", deals=18)[15:]:
        assert len(played.deal.start.used[played.deal.start.dealer]) == 5
        found = review(played.deal, seconds=None)
        assert [each.what for each in found.decisions] == ["discard"] and found.skipped == ()
        assert review(played.deal, seconds=0).skipped == (("discard", 0),)


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
                found = review(played.deal, seconds=millis / 1000)
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
