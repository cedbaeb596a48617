"""The worlds that fit a sender's view, and the view he can tell, against deals played again by the rules."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from math import comb
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advice.exchanges import random_large, random_small, scene, small
from tests.advice.sender_scenes import (
    SIZES,
    key,
    lookalikes,
    moments_of,
    random_moments,
    replayed,
    seat_of,
    sends,
)
from tests.games.random_matches import chosen, dealt
from tests.games.scenes import D, E, M, after_results, deal_of, game, refusal, second_deal
from tests.games.words import mask
from tierce.solver import InputError
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.sender_views import sender_view
from tierce.solver.advice.sender_worlds import SenderWorld, SenderWorlds
from tierce.solver.advice.sending import exchange_of_deal, sender_of
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import Action, Discard, Return, Send, State, Swap, apply, settle, view
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import profile_of_table

WORLD: Final = "expected a view of the seat whose parcel is due, in one of the phases EXCHANGE SEND"


def lowest_bits(hand: Mask, count: int) -> Mask:
    """Some cards of a hand."""
    return mask_of(cards_of(hand)[-count:])


# ---- worlds played again ---------------------------------------------------------------------------------------------


def dealt_of(world: SenderWorld, worlds: SenderWorlds, state: State, actions: list[Action]) -> Deal:
    """The deal that a world comes from: everything taken back, last things first."""
    hands, beside = list(world.hands), world.kitty | world.removed
    made = {(each.sender, each.receiver): each for each in world.transfers}
    for action in reversed(actions):
        if isinstance(action, Send):
            _move(hands, action.to, action.seat, made[action.seat, action.to].sent)
        elif isinstance(action, Return):
            _move(hands, action.to, action.seat, made[action.to, action.seat].returned)
        elif isinstance(action, Swap) and action.take:
            hands[action.seat] ^= state.taken_up | bit(TWO)
            beside = state.taken_up
        elif isinstance(action, Discard):  # the cards of the kitty were in his hand, nobody says which
            hands[0] |= world.discard
    if state.taken_kitty:
        assert state.dealt is not None
        beside = _some_kitty(state, hands, worlds.view.seat)
        hands[0] &= ~beside
    return Deal(tuple(hands), beside)


def _some_kitty(state: State, hands: list[Mask], seat: int) -> Mask:
    """Cards that may have been the kitty: where the dealer looks, those that were, else any of his."""
    return state.taken_kitty if seat == 0 else lowest_bits(hands[0], state.profile.kitty)


def _move(hands: list[Mask], seat: int, to: int, cards: Mask) -> None:
    assert cards and not cards & ~hands[seat] | cards & hands[to]
    hands[seat] &= ~cards
    hands[to] |= cards


def unseen_of(world: SenderWorld, actions: list[Action], seat: int) -> list[Mask]:
    """The discard and the parcel that the sender did not see, in the order in which they were made."""
    found = []
    for action in actions:
        if isinstance(action, Discard) and seat:
            found.append(world.discard)
        elif isinstance(action, Send) and action.seat != seat:
            found += [each.sent for each in world.transfers if each.sender == action.seat]
    return found


def check_draws(seed: int, start: State, state: State, actions: list[Action]) -> str:
    """Draw worlds and play each again from its own deal: the sender sees what he saw. Back: what sort of moment it
    was."""
    seat = seat_of(state)
    seen = view(state, seat)
    worlds, draws = SenderWorlds(seen), Draws(seed)
    for _ in range(3):
        world = worlds.draw(draws)
        deal = dealt_of(world, worlds, state, actions)
        other = replayed(start, actions, deal, seat, unseen_of(world, actions, seat))
        assert view(other, seat) == seen, (seed, world)
        assert key(other) == (world.hands, world.kitty, world.discard, world.removed, world.transfers)
        made = worlds.state(world)
        assert view(made, seat) == seen and key(made) == key(other) and made.queue == other.queue
    answered = any(each.returned for each in state.transfers if each.sender == seat)
    return "unseen" if worlds.hidden is not None else "answered" if answered else "first"


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_worlds_look_to_the_sender_like_the_truth(seed: int) -> None:
    for moment in random_moments(seed):
        check_draws(seed, *moment)


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(4))
def test_many_worlds_look_to_the_sender_like_the_truth(piece: int) -> None:
    seen = Counter(
        check_draws(seed, *moment)
        for seed in range(1000 * piece, 1000 * piece + 300)
        for moment in random_moments(seed)
    )
    assert min(seen["unseen"], seen["answered"], seen["first"]) > 20


# ---- all of them -----------------------------------------------------------------------------------------------------


def check_all(seed: int, ranks: int, hand: int, shapes: tuple[str, ...]) -> None:
    """All worlds of a random moment are all deals and parcels that look the same, each once."""
    rng = random.Random(f"all {seed}")
    profile = random_small(rng, ranks, hand, shapes)
    start = scene(rng, profile, min(rng.choice((2, 2, 3)), hand - 1), three=rng.random() < 0.9)
    for moment in moments_of(rng, start):
        worlds = SenderWorlds(view(moment[1], seat_of(moment[1])))
        truth = {key(other) for other in lookalikes(*moment)}
        listed = [(each.hands, each.kitty, each.discard, each.removed, each.transfers) for each in worlds]
        assert worlds.count == len(listed) == len(truth) and set(listed) == truth, seed
        assert key(moment[1]) in truth
        draws = Draws(seed)
        assert all(key(worlds.state(worlds.draw(draws))) in truth for _ in range(5))


@pytest.mark.parametrize("piece", range(6))
def test_all_worlds_of_twelve_cards(piece: int) -> None:
    for seed in range(6 * piece, 6 * piece + 6):
        check_all(seed, 3, 4, ("plain", "at_once"))


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(6))
def test_all_worlds_of_more_small_exchanges(piece: int) -> None:
    shapes = ("plain", "at_once") if piece % 2 else ("kitty", "kitty_last", "at_once_kitty")
    for seed in range(100 * piece, 100 * piece + (40 if piece % 2 else 5)):
        check_all(seed, 3, 4 if piece % 2 else 3, shapes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 4])
def test_all_worlds_after_an_unseen_discard(seed: int) -> None:
    check_all(seed, 4, 5, ("kitty_before", "swap"))


def test_every_world_is_drawn_as_often() -> None:
    """Chi-square with a fixed seed, also where a parcel was not seen."""
    profile = small("plain", 3, 4, (1, 1, 2))
    for wanted in (True, False):
        for seed in range(30):
            moments = list(moments_of(random.Random(f"even {seed}"), after_results(profile, (1, 1, -2))))
            _, state, _ = moments[-1] if wanted else moments[0]
            worlds = SenderWorlds(view(state, seat_of(state)))
            if (worlds.hidden is not None) == wanted and 20 < worlds.count < 300:
                break
        else:
            pytest.fail("no such exchange")
        draws, times = Draws(seed), 30
        found = Counter(worlds.draw(draws) for _ in range(times * worlds.count))
        assert set(found) == set(worlds) and len(found) == worlds.count
        free = worlds.count - 1
        chi2 = sum((each - times) ** 2 / times for each in found.values())
        assert abs(chi2 - free) < 5 * (2 * free) ** 0.5


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_before_anything_is_sent_all_layouts_fit() -> None:
    state = second_deal(game("raf"), (-1, -1, 2))
    worlds = SenderWorlds(view(state, M))
    assert worlds.count == comb(36, 16) * comb(20, 16) and worlds.hidden is None
    assert [(each.receiver, each.count) for each in worlds.owed] == [(E, 1), (D, 1)]


def test_an_unseen_parcel_may_be_any_cards() -> None:
    """D sent two cards to E and got two back: as many parcels as pairs, for each layout before."""
    state = second_deal(game("raf"), (2, -3, 1))
    state = settle(
        apply(state, Send(D, E, state.hands[D] & -state.hands[D] | mask("HA") & state.hands[D] or mask("S2")))
    )
    worlds = SenderWorlds(view(state, M)) if sender_of(state) == M else None
    assert worlds is not None
    assert worlds.count == comb(36, 16) * comb(20, 16) * comb(16, 2)


def test_a_returned_card_caps_the_hand_but_not_the_kitty() -> None:
    """M served E first, who gave HJ for H2: the higher hearts that M has not are D's or in the kitty."""
    profile = game("wiki_358")
    deal = deal_of(profile, m="H2 HA", e="HJ", d="HK HQ")
    state = settle(apply(second_deal(profile, (-1, -1, 2), deal), Send(M, E, mask("H2"))))
    worlds, draws = SenderWorlds(view(state, M)), Draws(3)
    places = Counter[str]()
    for _ in range(200):
        world = worlds.draw(draws)
        assert world.hands[E] & mask("H2") and not world.hands[E] & mask("HK HQ")
        places.update(name for name, cards in (("D", world.hands[D]), ("kitty", world.kitty)) if cards & mask("HK"))
    assert places["D"] > places["kitty"] > 0


def test_the_dealers_discard_may_be_any_cards() -> None:
    """He took the kitty and laid four away before middle sends."""
    profile = game("nine_five_two_swap")
    state = settle(second_deal(profile, (-1, 0, 1)))
    state = settle(apply(state, Discard(0, lowest_bits(state.hands[D], 4))))
    worlds = SenderWorlds(view(state, M))
    assert worlds.count == comb(36, 16) * comb(20, 16)
    world = worlds.draw(Draws(1))
    assert world.discard.bit_count() == 4 and world.kitty == 0
    assert worlds.view.unseen == world.hands[D] | world.hands[E] | world.discard


def test_the_worlds_of_a_seed_never_change() -> None:
    worlds = SenderWorlds(view(second_deal(game("raf"), (-1, -1, 2)), M))
    one, two = ([worlds.draw(draws) for _ in range(3)] for draws in (Draws(4), Draws(4)))
    assert one == two and one != [worlds.draw(Draws(5)) for _ in range(3)]


@pytest.mark.parametrize("seat", [D, E])
def test_views_that_are_no_senders(seat: int) -> None:
    state = second_deal(game("raf"), (-1, -1, 2))
    found = f"{WORLD}, found one of seat {seat} in the phase EXCHANGE"
    assert refusal(lambda: SenderWorlds(view(state, seat))) == ("view", "view", found)
    after = state
    for to in (E, D):
        after = apply(after, Send(M, to, lowest_bits(after.hands[M], 1)))
    after = settle(after)
    found = f"{WORLD}, found one of seat 2 in the phase TRUMP"
    assert refusal(lambda: SenderWorlds(view(after, M))) == ("view", "view", found)


def test_a_view_that_no_layout_fits() -> None:
    """E is said to have given H5 back for H2 with HJ known in his hand."""
    profile = game("wiki_358")
    deal = deal_of(profile, m="H2 HA", e="HJ", d="HK HQ")
    seen = view(settle(apply(second_deal(profile, (-1, -1, 2), deal), Send(M, E, mask("H2")))), M)
    first = replace(seen.transfers[0], sent=mask("HJ"), returned=mask("H3"))
    wrong = replace(seen, transfers=(first, *seen.transfers[1:]))
    assert refusal(lambda: SenderWorlds(wrong))[:2] == ("view", "view")


def test_what_is_no_view_and_games_with_calls() -> None:
    with pytest.raises(TypeError, match="expected a View"):
        SenderWorlds("raf")  # type: ignore[arg-type]
    table = {
        "id": "calls", "name": "Calls", "ranks": 4, "hand": 5, "kitty": 1, "quotas": [3, 1, 1],
        "phases": ["DEAL", "EXCHANGE", "CALL", "DISCARD", "KITTY", "PLAY", "SCORE"], "score": "total",
        "calls": ["S", "H", "D", "C", "N"], "options": {"end": "deals", "goal": 15, "return_rule": "merged_top_n"},
    }  # fmt: skip
    profile = profile_of_table(table, "the test").with_options({})
    state = second_deal(profile, (-1, -1, 2))
    assert "with calls" in refusal(lambda: SenderWorlds(view(state, M)))[2]


# ---- views that are told ---------------------------------------------------------------------------------------------


def told(state: State, previous: tuple[int, int, int], *, named: bool) -> dict[str, Any]:
    """What the sender whose turn it is can say."""
    seat = sender_of(state)
    mine: list[Transfer] = [each for each in state.transfers if each.sender == seat and each.sent]
    seen = view(state, seat)
    given: dict[str, Any] = {"up_card": seen.up_card, "discard": seen.discard or 0, "previous": previous}
    if mine:
        given |= {"sent": mine[0].sent, "got": mine[0].returned}
    return given | ({"seat": seat} if named else {})


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_a_view_that_is_told_is_the_senders(seed: int) -> None:
    """Whole views are compared, of every sender in turn, in games with all kinds of options."""
    rng = random.Random(f"told {seed}")
    profile = random_large(rng) if rng.random() < 0.6 else random_small(rng, *rng.choice(SIZES))
    one = rng.randint(1, profile.counted)
    two = rng.randint(0, profile.counted - one)
    previous = (one, two, profile.counted - one - two)
    try:
        start = exchange_of_deal(profile, dealt(rng, profile), previous)
    except InputError as error:
        assert error.code in ("previous", "not_due")
        return
    state = start
    while sends(state):
        seat = sender_of(state)
        waiting = [each for each in state.transfers if each.sender == seat and each.sent and not each.returned]
        if not waiting:  # a first parcel still unanswered cannot be told
            given = told(state, previous, named=seat != sender_of(start) or rng.random() < 0.5)
            assert sender_view(profile, state.hands[seat], **given) == view(state, seat)
        state = settle(apply(state, chosen(rng, state)))


def test_the_second_sender_and_who_was_first_over() -> None:
    profile = game("uni_high_359")
    hand = mask("SA SK SQ SJ ST S9 S8 S7 HA HK HQ HJ DA DK CA CK")
    by_quota = sender_view(profile, hand, (8, 6, 3), seat=0)  # of the deal before: +1 eldest, who deals now
    assert by_quota.transfers[0].sender == by_quota.seat == D
    over = {first: sender_view(profile, hand, (7, 6, 4), first_over=first).seat for first in (1, 2)}
    assert over == {1: 0, 2: 1}


HAND: Final = mask("SA SK S2 HA HK H2 DA DK D2 CA CK C2 CQ CJ CT C9")


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ({"hand": HAND & HAND - 1}, "hand", "expected a hand of 16 cards, found 15: "),
        ({"hand": -1}, "hand", "expected cards as a mask, found -1"),
        ({"hand": "AKQ"}, "hand", "expected cards as a mask, found 'AKQ'"),
        ({"hand": HAND | 1 << 14}, "hand", "expected cards that are in the game, found "),
        ({"seat": 3}, "seat", "expected a seat 0, 1 or 2, found 3"),
        ({"seat": 0}, "seat", "expected a seat that sends (middle), found the dealer"),
        ({"previous": (10, 4, 3)}, "previous", "expected "),
        ({"previous": (8, 5, 3)}, "exchange", "expected an exchange, found none: "),
        ({"up_card": mask("H3")}, "up_card", "expected no card that lies face up in this game, found H3"),
        ({"discard": mask("H3")}, "discard", "expected no discard before this exchange, found H3"),
        ({"sent": mask("H3"), "got": mask("HA")}, "sent", "expected no parcel that was answered before another is due"),
    ],
)
def test_what_cannot_be_told(given: dict[str, Any], field: str, message: str) -> None:
    asked: dict[str, Any] = {"hand": HAND, "previous": (10, 4, 2)} | given
    with pytest.raises(InputError) as caught:
        sender_view(game("raf"), asked.pop("hand"), asked.pop("previous"), **asked)
    assert caught.value.field == field and caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("sent", "got", "field", "message"),
    [
        ("H3", "", "got", "expected 1 card back from eldest, found none"),
        ("H3 H4", "HA", "sent", "expected 1 card sent to eldest, found H4 H3"),
        ("H2", "HA", "sent", "expected cards sent not to be in the hand, found H2"),
        ("H3", "HQ", "got", "expected cards got to be in the hand, found it without HQ"),
        ("H3", "SA", "got", "expected as many cards of each suit as in H3, found SA"),
        ("H3", "H2", "got", "expected H3 or higher for H3, found H2"),
    ],
)
def test_first_parcels_that_cannot_be(sent: str, got: str, field: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        sender_view(game("wiki_358"), HAND, (10, 4, 2), sent=mask(sent), got=mask(got) if got else 0)
    assert (caught.value.field, caught.value.message) == (field, message)


def test_games_with_more_to_tell() -> None:
    one_card = game("nine_five_three_one_card")
    hand = HAND | mask("C8")
    assert sender_view(one_card, hand, (11, 4, 2), up_card=mask("D9")).up_card == mask("D9")
    wrong = refusal(lambda: sender_view(one_card, hand, (11, 4, 2)))
    assert wrong == ("up_card", "up_card", "expected the card that lies face up, found none")
    swap = game("nine_five_two_swap")
    away = mask("H3 H4 H5 H6")
    assert sender_view(swap, HAND, (8, 3, 5), discard=away).discard == away
    wrong = refusal(lambda: sender_view(swap, HAND, (8, 3, 5)))
    assert wrong == ("discard", "discard", "expected the 4 cards that the dealer has laid away, found none")
