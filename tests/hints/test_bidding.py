"""The bidding hint: the auction that goes on as the rules have it, chances equal to those of all worlds, weights."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest

from tests.hints.contract_moments import any_profile, decisions, few_unknown, held, rest, seen_by_mover, speaking
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import suit_of
from tierce.solver.deal import Deal
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games import Bid, DealCards, NameTrump, State, View, apply, legal, load_game, new_match, view
from tierce.solver.games.contract_auction import open_bids
from tierce.solver.games.dealing import deal_by_lot
from tierce.solver.hints import HintSearch, hint, simple_action
from tierce.solver.hints.auction_ahead import AuctionAhead, auction_weight
from tierce.solver.hints.bidding import BidSearch
from tierce.solver.hints.results import Hint, Option
from tierce.solver.position import Position
from tierce.solver.solver import Solver

SOLO = load_game("solo_whist")


def bid_of(option: Option) -> str | None:
    """What an option says."""
    action = option.actions[0]
    assert isinstance(action, Bid)
    assert action.bid is None or isinstance(action.bid, str)
    return action.bid


def searched(view: View, worlds: int, **more: Any) -> BidSearch:
    found = BidSearch(view, **more)
    while found.worlds < worlds:
        found.step(worlds - found.worlds)
    return found


# ---- the auction that goes on ----------------------------------------------------------------------------------------


def bidding_states(seed: int, deals: int = 3) -> Iterator[State]:
    rng = random.Random(f"bidding {seed}")
    return (state for state in decisions(rng, any_profile(rng), deals) if state.phase == "BID")


@pytest.mark.parametrize("seed", range(6))
def test_all_go_on_as_the_rules_say(seed: int) -> None:
    """The deal is played on from each bid by `rules.apply` and the rule-following player."""
    for state in bidding_states(seed):
        seen = seen_by_mover(state)
        ahead = AuctionAhead(seen)
        wishes, weight = ahead.wishes(state.hands)
        assert 0 < weight <= 1
        for bid in (None, *open_bids(state)):
            after = apply(state, Bid(seen.seat, bid))
            while after.phase == "BID":
                after = apply(after, simple_action(seen_by_mover(after)))
            found = after.contract
            assert ahead.end(bid, wishes) == (None if found is None else (found.name, found.declarers))


def test_a_prop_is_accepted_by_whoever_would_say_cop() -> None:
    states = [speaking(seed) for seed in range(60)]
    accepted = 0
    for state in states:
        ahead = AuctionAhead(seen_by_mover(state))
        wishes, _ = ahead.wishes(state.hands)
        after = apply(state, Bid(state.eldest, "prop"))
        partner = None
        while after.phase == "BID" and (seat := legal(after)[0].seat) != state.eldest:
            assert seat is not None
            says = "cop" in wishes[seat] and "cop" in open_bids(after)
            after = apply(after, Bid(seat, "cop" if says else None))
            partner = seat if says else partner
        expected = None if partner is None else ("prop_cop", (state.eldest, partner))
        assert ahead.own("prop", wishes) == expected
        accepted += partner is not None
    assert 10 < accepted < 60


# ---- weights ---------------------------------------------------------------------------------------------------------


def test_a_hand_that_could_bid_so_is_likelier() -> None:
    strong, weak = "AKQ32.A54.K32.32", "65.J54.T9432.J73"
    state = speaking(1, "solo")
    seen = seen_by_mover(state)
    bidder = state.bids[0][0]

    def weight(text: str, turned: int) -> float:
        hands = list(state.hands)
        hands[bidder] = held(text)
        assert state.turned is not None
        told = replace(seen, turned=16 * turned)
        return auction_weight(told, hands)

    assert weight(strong, 0) > 5 * weight(weak, 0)
    assert weight(weak, 0) > 0


def test_without_a_bid_and_without_inference_all_worlds_weigh_the_same() -> None:
    assert searched(seen_by_mover(speaking(2)), 20).effective == pytest.approx(20)
    told = seen_by_mover(speaking(2, None, "prop"))
    assert searched(told, 20, infer=False).effective == pytest.approx(20)
    assert searched(told, 20).effective < 20


# ---- all worlds ------------------------------------------------------------------------------------------------------


def each_world_once(search: BidSearch, view: View) -> int:
    """Let a search meet every world instead of drawing, and say how many there are."""
    worlds = list(PlayWorlds(view))
    source = cycle(worlds)
    search._source = SimpleNamespace(draw=lambda draws: next(source), count=len(worlds))  # type: ignore[assignment]
    while search.worlds < len(worlds):
        search.step(len(worlds) - search.worlds)
    return len(worlds)


@pytest.mark.parametrize("seed", range(2))
def test_chances_are_those_of_all_worlds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two cards of each other hand unknown: 90 worlds, or fewer; each solved by `Solver`."""
    monkeypatch.setattr("tierce.solver.hints.bidding._LOOKS", ())
    view = few_unknown(speaking(11 + seed), 2, random.Random(seed))
    search = BidSearch(view, method="pimc", infer=False)
    count = each_world_once(search, view)
    assert count == 90
    hands = [world.hands_now for world in PlayWorlds(view)]
    assert len(set(hands)) == count
    assert view.turned is not None
    options = {bid_of(option): option for option in search.options() if len(option.actions) == 1}
    made = partial(share_made, hands, view)
    assert options["solo"].quota == pytest.approx(made(suit_of(view.turned), need=5))
    assert options["misere"].quota == pytest.approx(made(4, need=1, objective="fewest"))
    assert options["abundance_declared"].quota == pytest.approx(made(4, need=13, leader=view.seat))
    for option in search.options():
        if bid_of(option) == "abundance":
            trump = option.actions[1]
            assert isinstance(trump, NameTrump)
            assert option.quota == pytest.approx(made(trump.trump, need=9))


def share_made(
    hands: list[Any], view: View, trump: int, need: int, objective: Any = "most", leader: Any = None
) -> float:
    """In what part of the worlds the seat makes so many tricks (or none)."""
    solver, made = Solver(16), 0
    first = (view.dealer + 1) % 4 if leader is None else leader
    for each in hands:
        reached = solver.solve(Position(each, trump, first), 1 << view.seat, objective, at_least=need).low >= need
        made += reached != (objective == "fewest")
    return made / len(hands)


def test_units_are_those_of_the_contracts_that_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tierce.solver.hints.bidding._LOOKS", ())
    state = speaking(3)
    view = few_unknown(state, 2, random.Random(3))
    search = BidSearch(view, method="pimc", infer=False)
    each_world_once(search, view)
    solver, ahead = Solver(16), AuctionAhead(view)
    total = 0
    for world in PlayWorlds(view):
        played = new_match(SOLO, state.dealer)
        played = apply(played, DealCards(Deal(world.hands_now), view.turned))
        played = apply(played, Bid(view.seat, "solo"))
        while played.phase in ("BID", "TRUMP"):
            played = apply(played, simple_action(seen_by_mover(played)))
        contract = played.contract
        assert contract is not None
        wishes, _ = ahead.wishes(world.hands_now)
        assert ahead.end("solo", wishes) == (contract.name, contract.declarers)
        solver.clear()
        few = contract.rule.fewest
        side = sum(1 << seat for seat in contract.declarers)
        position = Position(world.hands_now, contract.trump, contract.leader)
        need = max(1, contract.rule.needs)
        reached = solver.solve(position, side, "fewest" if few else "most", at_least=need).low >= need
        total += contract.units(reached != few)[view.seat]
    found = next(option for option in search.options() if bid_of(option) == "solo")
    assert found.value.value == pytest.approx(total / found.worlds)


# ---- as a hint -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["playouts", "pimc"])
@pytest.mark.parametrize("bids", [(), (None, "prop"), ("prop", "solo"), ("prop", None, "misere")])
def test_seeded_answers_repeat(method: Any, bids: tuple[str | None, ...]) -> None:
    view = seen_by_mover(speaking(5, *bids))

    def once() -> Hint:
        return hint(view, worlds=12, seed=7, method=method)

    one, two = once(), once()
    assert one.options == two.options
    assert one.best.worlds == 12
    assert one.method == method
    assert {bid_of(option) for option in one.options} == {None, *open_bids(speaking(5, *bids))}


@pytest.mark.parametrize("seed", range(4))
def test_what_it_says_is_open(seed: int) -> None:
    for state in bidding_states(seed, 2):
        found = hint(seen_by_mover(state), worlds=6)
        assert found.action in legal(state)[0].choices
        assert found.seat == legal(state)[0].seat
        assert all(0 <= option.quota <= 1 for option in found.options)


def test_a_cold_hand_passes_and_a_sure_one_bids() -> None:
    profile = SOLO
    north = "65.J54.T9432.J73"

    def asked(text: str) -> str | None:
        own = held(text)
        others = [card for card in range(64) if rest(own) >> card & 1]
        random.Random(4).shuffle(others)
        hands = [own, *(sum(1 << card for card in others[i : i + 13]) for i in (0, 13, 26))]
        state = apply(new_match(profile, 3), DealCards(Deal(tuple(hands)), others[-1]))
        return bid_of(hint(seen_by_mover(state), worlds=64, seed=2).best)

    assert asked(north) is None
    assert asked("AKQJT98.AKQ.AK.A") == "abundance_declared"
    assert asked("AKQJT982.AK.2.32") == "abundance"


def test_a_trump_is_named() -> None:
    state = speaking(4, "abundance", None, None, None)
    found = hint(seen_by_mover(state), worlds=16)
    assert found.what == "trump"
    assert {option.actions[0] for option in found.options} == {NameTrump(state.eldest, suit) for suit in range(4)}
    assert apply(state, found.action).phase == "PLAY"


def test_declared_with_a_trump() -> None:
    profile = load_game("solo_whist", {"ad_trump": True})
    state = speaking(4, "abundance_declared", None, None, None, profile=profile)
    found = hint(seen_by_mover(state), worlds=4)
    assert len(found.options) == 5


@pytest.mark.parametrize("options", [{"overtrick_schedule": "fives"}, {}])
@pytest.mark.parametrize("by", ["units", "tricks", "made"])
def test_objectives(by: Any, options: dict[str, Any]) -> None:
    seen = seen_by_mover(speaking(6, "misere_ouverte", profile=load_game("solo_whist", options)))
    for method in ("pimc", "playouts"):
        found = searched(seen, 2, method=method, by=by)
        assert {bid_of(option) for option in found.options()} == {None, "abundance_declared"}


def test_those_behind_are_left() -> None:
    found = searched(seen_by_mover(speaking(1)), 40)
    worlds = [option.worlds for option in found.options()]
    assert worlds[0] == worlds[1] == 40
    assert min(worlds) < 40


def test_it_can_be_stopped() -> None:
    search = BidSearch(seen_by_mover(speaking(1)), method="pimc")
    with pytest.raises(LimitReached):
        for _ in range(1000):
            search.step(timeout=1e-9)
    search.cancel()
    with pytest.raises(Cancelled):
        for _ in range(1000):
            search.step()


def test_a_view_of_no_decision_is_refused() -> None:
    state = speaking(1, "solo", None, None, None)
    assert state.phase == "PLAY"
    with pytest.raises(InputError):
        HintSearch(view(state, (state.mover + 1) % 4), worlds=1)


def test_a_pass_in_place_of_a_bid_that_is_too_unsure_says_so() -> None:
    game, told = load_game("solo_whist"), 0
    for number in range(30):
        state = apply(new_match(game), deal_by_lot(game, 3, number, 0))
        found = hint(view(state, 1), worlds=20)
        assert found.margin is not None
        if found.margin.value < 0:
            told += 1
            assert f"was worth {-found.margin.value:.2f} " in found.why and " too unsure to bid it." in found.why
    assert told
