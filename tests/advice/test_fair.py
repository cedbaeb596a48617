"""Cards judged by what their players could know: against the exact means over all worlds that fit, which small packs
have few enough of; by seed; by any number of threads; stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import fmean, pstdev
from types import SimpleNamespace
from typing import Any

import pytest

from tests.advice.bots import record_by_bots
from tests.advice.ledgers import Moment
from tests.advice.played import play
from tests.advice.small_games import TWINS, twin
from tests.records.support import finished
from tierce.solver.advice import fair
from tierce.solver.advice.fair import FairPlay, FairSearch, fair_plays
from tierce.solver.advice.fair_decisions import Fair, FairLeft, fair_decisions, fair_review
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.advice.review import review
from tierce.solver.cards import Card
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games import Play, ReplayedDeal, State, Swap, load_game, replay, view
from tierce.solver.games.profile import MIZ

WORLDS = 150
MOST = 700  # worlds that are listed


def deals(name: str, count: int = 2) -> list[ReplayedDeal]:
    return [played.deal for played in play(f"fair {name}", name, twin(name), count, claims=0.0)]


def choices(deal: ReplayedDeal) -> list[tuple[int, State, Card]]:
    """The cards that were played with a choice, by their place in the play."""
    moves = [(state, action.card) for action, state in deal.steps() if isinstance(action, Play)]
    return [(at, state, card) for at, (state, card) in enumerate(moves) if len(state.playable(state.mover)) > 1]


def all_values(state: State) -> Sequence[Mapping[Card, int]]:
    """What each card would leave its player sure of in every world, by brute force."""
    found = []
    for world in PlayWorlds(view(state, state.mover)):
        here = Moment(world.hands_now, state.trump, state.leader, state.trick, state.taken)
        few = state.call == MIZ
        found.append({card: here.after(card).guarantees(few=few)[state.mover] for card in here.legal})
    return found


def near(found: float, values: list[float], drawn: int, errors: float = 3) -> bool:
    """Is a mean of so many draws from these values where it may well be?"""
    return abs(found - fmean(values)) <= errors * pstdev(values) / sqrt(drawn) + 1e-9


@pytest.mark.parametrize("name", ["raf", "deputy", "uni_high_359"])
def test_means_are_those_of_all_worlds(name: str) -> None:
    """Of the later cards of each hand, at which few enough worlds are left to list them all."""
    checked = 0
    for deal in deals(name):
        found = {each.number: each for each in fair_plays(deal, worlds=WORLDS, seed=5)}
        assert [*found] == [at for at, _, _ in choices(deal)]
        for at, state, card in choices(deal):
            mine = found[at]
            assert (mine.trick, mine.seat, mine.card, mine.worlds) == (at // 3 + 1, state.mover, card, WORLDS)
            assert mine.fit == PlayWorlds(view(state, state.mover)).count
            if mine.fit <= MOST:
                check_means(mine, all_values(state), few=state.call == MIZ)
                checked += 1
    assert checked >= 8


def check_means(play: FairPlay, worlds: Sequence[Mapping[Card, int]], *, few: bool) -> None:
    assert len(worlds) == play.fit
    means = dict(play.means)
    assert means.keys() == worlds[0].keys()
    for card, mean in play.means:
        assert near(mean, [world[card] for world in worlds], play.worlds)
    sign = -1 if few else 1
    assert [sign * mean for _, mean in play.means] == sorted((sign * mean for mean in means.values()), reverse=True)
    assert play.loss.value == pytest.approx(sign * (means[play.best] - means[play.card]))
    losses = [sign * float(world[play.best] - world[play.card]) for world in worlds]
    assert near(play.loss.value, losses, play.worlds)
    if play.loss.value == 0:
        assert play.best == play.card or means[play.best] == means[play.card]
    assert not play.blamed or play.loss.value > 0
    if play.loss.error and len(worlds) > 20:
        assert 0.5 < play.loss.error / (pstdev(losses) / sqrt(play.worlds)) < 2


def test_who_knows_all_is_judged_as_with_all_cards_seen() -> None:
    """Where one world is left, the loss is the ledger's."""
    checked = 0
    for name in ("raf", "deputy"):
        for deal in deals(name):
            ledger = review(deal, seconds=0).ledger
            for each in fair_plays(deal, worlds=3):
                if each.fit == 1:
                    assert each.loss.value == ledger.plays[each.number].loss and each.loss.error == 0
                    checked += 1
    assert checked


def untimed(found: Fair) -> Fair:
    return replace(found, nodes=0, millis=0.0)


@pytest.mark.parametrize("name", TWINS)
def test_the_same_answer_from_any_threads(name: str) -> None:
    for deal in deals(name, 2):
        one = fair_review(deal, worlds=4, seed=7)
        assert untimed(fair_review(deal, worlds=4, seed=7, threads=3)) == untimed(one)
        assert not any(each.what == "card" for each in one.left)
        assert len(one.plays) == len(choices(deal)) and (one.worlds, one.seed) == (4, 7)
        for seat in range(3):
            assert one.lost(seat) == sum(each.loss.value for each in one.plays if each.seat == seat)


def test_another_seed_draws_other_worlds() -> None:
    (deal, *_) = deals("raf")
    same = [fair_plays(deal, worlds=4, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]


def test_decisions_before_the_play() -> None:
    """All that can be estimated, by whom it was taken, in the order of the deal; never better than the best."""
    kinds = set()
    for name in ("raf", "nine_five_two", "nine_five_two_swap", "deputy"):
        for deal in deals(name, 3):
            found = [*fair_decisions(deal, worlds=4)]
            for each in found:
                assert each.loss.value >= 0 and each.worlds >= 4 and (not each.blamed or each.loss.value)
                assert each.seat == 0 or each.what == "exchange"
            senders = [each.seat for each in found if each.what == "exchange"]
            assert senders == [*dict.fromkeys(each.sender for each in deal.state.transfers)]
            kinds |= {each.what for each in found}
    assert kinds >= {"exchange", "trump", "discard", "trump and discard"}


# ---- what is not judged ----------------------------------------------------------------------------------------------


def test_time_decides_what_is_judged_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card is judged in all its worlds or not at all, the last ones first; what is left is told. Here a look at the
    clock takes a second, and there is one for every world."""
    (deal, *_) = deals("raf")
    every = {each.number: each for each in fair_plays(deal, worlds=4)}
    seconds = iter(range(1000))
    monkeypatch.setattr(fair, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    search = FairSearch(deal, worlds=4, seconds=4 * 3 + 2)
    found = search.run()
    assert [each.number for each in found] == [*every][-3:] and all(every[each.number] == each for each in found)
    assert [number for number, _, _ in search.left] == [*every][:-3]


def test_a_long_hand_keeps_to_its_time() -> None:
    """Sixteen tricks in MIZ take minutes; in no time at all the cards are told as not judged, and the decisions."""
    (deal,) = replay(finished(load_game("deputy"), 3)).deals
    began = time.monotonic()
    found = fair_review(deal, worlds=20, seconds=1)
    assert time.monotonic() - began < 10 and found.millis >= 500
    assert found.left and len(found.plays) + sum(each.what == "card" for each in found.left) == len(choices(deal))
    nothing = fair_review(deal, worlds=20, seconds=1e-9)
    first = choices(deal)[0]
    assert not nothing.decisions and not nothing.plays and nothing.left[0] == FairLeft("trump and discard", 0)
    assert nothing.left[1] == FairLeft("card", first[1].mover, first[0], 1, first[2])
    assert nothing.json()["not_judged"][0] == {"what": "trump and discard", "seat": "D"}


def test_cards_alone() -> None:
    """No seconds: the decisions are not judged, the cards as they are without a limit."""
    deal = deals("nine_five_two", 3)[-1]
    cards, every = (fair_review(deal, worlds=4, seconds=seconds) for seconds in (0, None))
    assert cards.plays == every.plays and cards.decisions == () and every.left == ()
    assert [(each.what, each.seat) for each in cards.left] == [(each.what, each.seat) for each in every.decisions]


def test_what_cannot_be_estimated_is_told() -> None:
    """The discard before parcels."""
    for deal in deals("nine_five_two_swap", 3):
        lost = [each.what for each in fair_review(deal, worlds=1).left]
        assert lost == (["discard"] if deal.state.transfers else [])


@pytest.mark.slow
def test_every_swap_is_judged_or_told() -> None:
    """That of another hand than the dealer's is told."""
    told = set()
    for time_of_it in ("after_trump", "after_exchange", "after_deal"):
        profile = load_game("nine_five_three_one_card").with_options({"swap_time": time_of_it})
        for seed in range(3):
            (deal,) = replay(record_by_bots(profile, seed, claims=1.0)).deals
            found = fair_review(deal, worlds=1)
            here = [each.seat for each in found.decisions if each.what == "swap"]
            here += [each.seat for each in found.left if each.what == "swap"]
            assert here == [action.seat for action, _ in deal.steps() if isinstance(action, Swap)]
            told |= {(time_of_it, seat) for seat in here}
    assert len({when for when, _ in told}) == 3 and any(seat for _, seat in told)


@pytest.mark.parametrize(("worlds", "few"), [(1, True), (7, True), (8, False)])
def test_too_few_worlds_to_blame_anybody(worlds: int, few: bool) -> None:
    found = fair_review(deals("raf")[0], worlds=worlds, seconds=0)
    assert found.few_worlds == few and not (few and any(each.blamed for each in found.plays))


# ---- stopped and refused ---------------------------------------------------------------------------------------------


class Stopped(Exception):
    """Raised by a watch."""


def test_cancelled() -> None:
    (deal, *_) = deals("raf")
    search = FairSearch(deal, worlds=100_000, threads=2)
    timer = threading.Timer(0.1, search.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        search.run()
    timer.join()
    assert 0 <= search.done < 1


def test_what_a_watch_raises_comes_through() -> None:
    (deal, *_) = deals("raf")
    shares: list[float] = []

    def watch(share: float) -> None:
        shares.append(share)
        if len(shares) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        fair_review(deal, worlds=100_000, watch=watch)
    assert shares == sorted(shares) and shares[-1] < 1


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({"worlds": 0}, "worlds"),
        ({"worlds": 100_001}, "worlds"),
        ({"seed": -1}, "seed"),
        ({"threads": 0}, "threads"),
        ({"seconds": -1}, "seconds"),
    ],
)
def test_refused(how: dict[str, Any], field: str) -> None:
    (deal, *_) = deals("raf")
    with pytest.raises(InputError) as caught:
        fair_plays(deal, **how)
    assert caught.value.field == field
    with pytest.raises(InputError, match="expected a ReplayedDeal, found State"):
        fair_plays(deal.state)  # type: ignore[arg-type]
