"""Cards of Solo Whist: endings beside brute force, hands in which the right card is clear, and that the same is the
same."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.brute import brute
from tests.hints.contract_moments import any_profile, decisions, held, one, rest, seen_by_mover
from tests.hints.test_contract_worlds import listed, played_on
from tierce.solver.cards import Card, Mask, bit, card_name, cards_of
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games import Contract, Play, State, View, apply, legal, load_game, view
from tierce.solver.games.state import Trick
from tierce.solver.hints import Hint, HintSearch, hint
from tierce.solver.hints.contract_play import contract_method
from tierce.solver.hints.objectives import contract_wish

SOLO = load_game("solo_whist")
BIDS = {
    "solo": ("solo", None, None, None),
    "prop_cop": (None, "prop", "cop", None),
    "misere": (None, "misere", None, None),
    "misere_ouverte": ("misere_ouverte", None, None, None),
}


# ---- endings beside brute force --------------------------------------------------------------------------------------


def made_after(state: State, seat: int, hands: Sequence[Mask], card: Card) -> bool:
    """Is the contract made after a card, all cards seen? By minimax without any rule of thumb."""
    contract = state.contract
    assert contract is not None
    left = list(hands)
    left[seat] &= ~bit(card)
    trick, leader, won = [*state.trick, card], state.leader, contract.won(state.taken)
    if len(trick) == 4:
        best = max(trick, key=lambda each: (each >> 4 == contract.trump, each >> 4 == trick[0] >> 4, each))
        leader = (leader + trick.index(best)) % 4
        won += leader in contract.declarers
        trick = []
    side = sum(1 << each for each in contract.declarers)
    maxers = 15 & ~side if contract.rule.fewest else side
    more = brute.value(left, contract.trump, leader, trick, side, maxers) if any(left) or trick else 0
    return contract.rule.made(won + more)


def open_ending(name: str, seed: int) -> State | None:
    """Three cards or four a hand, the contract still open, a choice to make."""
    state = played_on(seed, 3 + seed % 2, *BIDS[name])
    contract = state.contract
    assert contract is not None and state.phase == "PLAY"
    needs = 13 - sum(state.taken) if not contract.rule.fewest else 0
    won = contract.won(state.taken)
    settled = won > 0 if contract.rule.fewest else not won < contract.rule.needs <= won + needs
    return None if settled or len(state.playable(state.mover)) < 2 else state


@pytest.mark.parametrize("name", list(BIDS))
def test_endings_beside_brute_force(name: str) -> None:
    """Every card's chance over all worlds, and the best card."""
    tried = 0
    for seed in range(300):
        state = open_ending(name, seed)
        if state is None:
            continue
        seen = seen_by_mover(state)
        layouts = list(listed(seen))
        if len(layouts) > 120:
            continue
        found = hint(seen, worlds=5, infer=False, method="ending")
        assert (found.method, found.worlds, found.fit) == ("ending", len(layouts), len(layouts))
        for option in found.options:
            card = played(option.actions[0])
            made = sum(made_after(state, seen.seat, hands, card) for hands in layouts)
            assert option.quota == pytest.approx(made / len(layouts))
            assert state.contract is not None
            units = [state.contract.units(each)[seen.seat] for each in (True, False)]
            due = (made * units[0] + (len(layouts) - made) * units[1]) / len(layouts)
            assert option.value.value == pytest.approx(due) and option.value.error == 0
        cards = [sum(made_after(state, seen.seat, hands, card) for hands in layouts) for card in legal_cards(state)]
        best = max(cards) if seen.seat in state.contract.declarers else min(cards)  # type: ignore[union-attr]
        assert found.best.quota == pytest.approx(best / len(layouts))
        tried += 1
        if tried == 4:
            return
    assert tried >= 3, tried


def legal_cards(state: State) -> tuple[Card, ...]:
    return state.playable(state.mover)


def played(action: object) -> Card:
    assert isinstance(action, Play)
    return action.card


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_of_worlds_is_solved_exactly(seed: int) -> None:
    """The share of the worlds drawn in which the contract is made, card by card."""
    state = next(each for each in (open_ending("prop_cop", seed * 100 + i) for i in range(100)) if each)
    seen = seen_by_mover(state)
    search = HintSearch(seen, worlds=20, infer=False, method="pimc", seed=seed)
    found = search.run()
    assert found.method == "pimc" and found.worlds == 20
    drawn = search._core.drawn.worlds  # type: ignore[union-attr]
    for option in found.options:
        made = [made_after(state, seen.seat, each.hands_now, played(option.actions[0])) for each in drawn]
        assert option.quota == pytest.approx(sum(made) / 20)


# ---- hands made by hand ----------------------------------------------------------------------------------------------


def position(contract: Contract, hand: str, out: str, *, seat: int = 1, leader: int = 1, **more: Any) -> View:
    """A view in the play: own hand, and the cards of the others (`exposed` of the declarer's apart); the rest is gone.

    trick: names of the cards on the table; voids, taken: as of a view
    """
    own, lies = held(hand), held(more.get("exposed", "..."))
    table = [one(each) for each in more.get("trick", ())]
    unseen = held(out)
    gone = cards_of(rest(own, lies, unseen, sum(map(bit, table))))
    size = own.bit_count() + ((seat - leader) % 4 < len(table))
    counts = tuple(size - ((each - leader) % 4 < len(table)) for each in range(4))
    known = [0, 0, 0, 0]
    known[contract.declarers[0]] = lies
    known[seat] = own
    tricks = tuple(Trick(0, gone[at : at + 4], 0) for at in range(0, len(gone), 4))
    assert sum(counts) == (own | lies | unseen).bit_count() and len(tricks) == 13 - size
    return View(
        profile=SOLO, seat=seat, dealer=0, phase="PLAY", to_move=seat, results=(), totals=(0,) * 4, quotas=(0,) * 4,
        bids=(), call="SHDCN"[contract.trump], swapped=None, swapper=None, hand=own, counts=counts, kitty=0,
        discard=None, discards=0, up_card=0, removed=0, transfers=(), shown=0, leader=leader, trick=tuple(table),
        tricks=tricks, taken=more.get("taken", (0, len(tricks), 0, 0)), voids=more.get("voids", (0, 0, 0, 0)),
        seen=rest(unseen), known=tuple(known), traced=(0,) * 4, turned=one("SA"), contract=contract, exposed=lies,
    )  # fmt: skip


def best_cards(seen: View, **asked: Any) -> list[str]:
    """What is best, and all that is worth the same."""
    found = hint(seen, infer=False, **({"worlds": 60} | asked))
    top = found.best.value.value
    return [card_name(played(each.actions[0])) for each in found.options if each.value.value > top - 1e-9]


MISERE = Contract("misere", (0,), 4, 1)


@pytest.mark.parametrize("method", ["pimc", "playouts", "tree", None])
def test_misere_defenders_never_lead_a_suit_the_bidder_has_shown_to_lack(method: Any) -> None:
    """North lacks hearts, so both high spades are his; on a heart lead he would throw one away."""
    seen = position(MISERE, "2.2..", "9T.3456..", voids=(2, 0, 0, 0))
    assert best_cards(seen, method=method) == ["S2"]


@pytest.mark.parametrize("method", ["playouts", None])
def test_misere_defenders_lead_around_a_void_of_long_hands(method: Any) -> None:
    """The same with more cards, of which the bidder may have any but hearts."""
    seen = position(MISERE, "23.K52..7", "456789.34678.T98J.8JQ", voids=(2, 0, 0, 0))
    assert not any(card.startswith("H") for card in best_cards(seen, method=method, worlds=100))


@pytest.mark.parametrize("method", ["pimc", "playouts", None])
def test_misere_defenders_attack_where_the_bidder_can_be_hurt(method: Any) -> None:
    """Clubs: East's two is the lowest of those left. Hearts: nobody has one below East's, and a lead of them lets the
    bidder throw a club away, if he has none."""
    seen = position(MISERE, ".QK..2", ".A.TJ.345678")
    assert best_cards(seen, method=method)[0] == "C2"


@pytest.mark.parametrize("method", ["pimc", "playouts", "tree", None])
def test_misere_open_hand_low_under_the_lone_card(method: Any) -> None:
    """North's nine of spades lies open beside a club: a heart would let him throw it away."""
    contract = Contract("misere_ouverte", (0,), 4, 1)
    seen = position(contract, "3.A..", "45..67.", exposed="9...2")
    assert best_cards(seen, method=method) == ["S3"]


def test_misere_bidder_ducks() -> None:
    """Two cards below the one to beat: the higher goes, the lower is kept."""
    seen = position(MISERE, "57...", "23469...", seat=0, leader=3, trick=["S8"])
    assert best_cards(seen)[0] == "S7"


@pytest.mark.parametrize("method", ["pimc", "playouts", "tree", None])
def test_declarers_draw_the_last_trump(method: Any) -> None:
    """North needs both tricks left: the trump that is out must fall before the winner is led."""
    contract = Contract("solo", (0,), 0, 1)
    seen = position(contract, "A.K..", "2..9TJQ.4", seat=0, leader=0, taken=(3, 8, 0, 0))
    assert best_cards(seen, method=method) == ["SA"]


@pytest.mark.parametrize("method", ["pimc", "playouts", "tree", None])
def test_a_partner_is_not_beaten(method: Any) -> None:
    """South's king stands. North's side needs all three tricks, so both aces must take one of their own."""
    contract = Contract("prop_cop", (0, 2), 1, 1)
    seen = position(contract, "A2..A.", "345..3456.", seat=0, leader=2, trick=["SK", "SQ"], taken=(3, 4, 2, 1))
    assert best_cards(seen, method=method) == ["S2"]


# ---- what is asked for -----------------------------------------------------------------------------------------------


def some_view(name: str, seed: int, tricks: int) -> View:
    return seen_by_mover(played_on(seed, 13 - tricks, *BIDS[name]))


@pytest.mark.parametrize("method", ["rule", "pimc", "playouts", "tree", "ending", None])
@pytest.mark.parametrize("name", list(BIDS))
def test_every_method_answers(name: str, method: Any) -> None:
    state = played_on(3, 8, *BIDS[name])
    seen = seen_by_mover(state)
    found = hint(seen, worlds=6, method=method)
    assert found.action in legal(state)[0].choices
    tree = json.loads(json.dumps(found.json()))
    assert tree["seat"] in "NESW" and tree["by"] == "units" and tree["side"] in ("declarers", "defenders")
    if not found.forced:
        assert "made" in tree["best"] and "quota" not in tree["best"]
        assert sum(each["made"] > 1 or each["made"] < 0 for each in tree["options"]) == 0
    again = hint(seen, worlds=6, method=method)
    assert replace(again, millis=0) == replace(found, millis=0)


@pytest.mark.parametrize("seed", range(4))
def test_random_moments(seed: int) -> None:
    rng = random.Random(f"moments {seed}")
    profile = any_profile(rng)
    checked = 0
    for state in decisions(rng, profile, 3):
        if state.phase != "PLAY" or rng.random() > 0.15:
            continue
        by: Any = rng.choice(["units", "tricks", "made", None])
        found = hint(seen_by_mover(state), worlds=3, by=by)
        assert found.action in legal(state)[0].choices
        checked += 1
    assert checked > 10


def test_step_by_step_is_the_same_as_at_once() -> None:
    seen = some_view("prop_cop", 8, 4)
    search = HintSearch(seen, worlds=12)
    first = search.result
    assert first.method == "rule" and not first.complete
    while not search.step():
        assert isinstance(search.result, Hint)
    assert replace(search.result, millis=0) == replace(hint(seen, worlds=12), millis=0)


def test_objectives() -> None:
    seen = some_view("solo", 8, 4)
    assert seen.contract is not None
    units = hint(seen, worlds=8)
    made = hint(seen, worlds=8, by="made")
    declares = seen.seat in seen.contract.declarers
    for each in made.options:
        assert each.value.value == pytest.approx(each.quota if declares else 1 - each.quota, abs=0.5)
    tricks = hint(seen, worlds=8, by="tricks")
    assert all(each.value == each.tricks for each in tricks.options)
    points = tuple(map(float, range(14)))
    assert (
        hint(seen, worlds=8, by="utility", utility=points).best
        == hint(seen, worlds=8, by="utility", utility=points).best
    )
    assert units.by == "units" and made.by == "made"


def test_wishes() -> None:
    contract = Contract("solo", (2,), 1, 0)
    wish = contract_wish(SOLO, contract, 2)
    assert wish.points == (-3.0,) * 5 + (3.0,) * 9 and wish.makes == (False,) * 5 + (True,) * 9 and not wish.few
    against = contract_wish(SOLO, contract, 0)
    assert against.points == (-1.0,) * 9 + (1.0,) * 5 and against.made(8) and not against.made(9)
    few = contract_wish(SOLO, MISERE, 3)
    assert few.points == (2.0,) * 13 + (-2.0,) and few.few and few.made(13) and not few.made(12)
    paid = contract_wish(load_game("solo_whist", {"overtrick_schedule": "fives"}), contract, 2)
    assert paid.points[5] == 15 and paid.points[6] > paid.points[5] and paid.points[3] < paid.points[4] < 0


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"by": "quota"}, "by"), ({"by": "twelve"}, "by"), ({"by": "utility"}, "utility"), ({"others": "hint"}, "others"),
     ({"method": "luck"}, "method"), ({"by": "utility", "utility": (1.0, 2.0)}, "utility")],
)  # fmt: skip
def test_what_cannot_be_asked(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        HintSearch(some_view("solo", 8, 4), worlds=2, **asked)
    assert caught.value.field == field


def test_a_contract_that_is_lost_is_played_for_tricks() -> None:
    seen = some_view("misere", 1, 8)
    assert seen.contract is not None
    lost = replace(seen, taken=tuple(8 if seat == seen.contract.declarers[0] else 0 for seat in range(4)))
    found = hint(lost, worlds=8)
    assert found.method == "playouts" and len({each.value.value for each in found.options}) == 1
    tricks = [each.tricks.value for each in found.options]
    assert tricks == sorted(tricks)


def test_it_can_be_cancelled() -> None:
    search = HintSearch(some_view("prop_cop", 3, 0), worlds=100_000)
    timer = threading.Timer(0.2, search.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        search.run()
    timer.join()
    assert isinstance(search.result, Hint)


def test_a_short_time_is_kept_and_tells_what_is_known() -> None:
    found = hint(some_view("prop_cop", 3, 0), seconds=0.02)
    assert found.complete and found.best.actions


def test_hints_of_all_four_seats_end_the_deal() -> None:
    state = played_on(6, 6, *BIDS["solo"])
    while state.phase == "PLAY":
        state = apply(state, hint(view(state, state.mover), worlds=4).action)
    assert sum(state.taken) in (0, 13)


def test_the_method_is_that_of_the_seat() -> None:
    """Who must win no trick has those against him who do not see his cards; all else is asked of exact answers."""
    misere = played_on(2, 12, *BIDS["misere"])
    solo = played_on(2, 12, *BIDS["solo"])
    for state in (misere, solo):
        assert state.contract is not None
        for seat in range(4):
            bidder = state.contract.rule.fewest and seat in state.contract.declarers
            assert contract_method(view(state, seat)) == ("tree" if bidder else "pimc")
