"""A deal step by step: what is open, what each action does, and what the rules refuse."""

from __future__ import annotations

import doctest
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from tests.games.sumgait.support import card, mask
from tierce.solver.cards import mask_of
from tierce.solver.errors import InputError
from tierce.solver.games import sumgait as sumgait_package
from tierce.solver.games.sumgait import (
    ALL54,
    Action,
    Call,
    DealCards,
    Dealt,
    Early,
    Give,
    Outcome,
    Play,
    Rob,
    Score,
    Shuffle,
    State,
    TakeKitty,
    apply,
    automatic,
    legal,
    new_match,
    settle,
    settlement,
    shuffle_by_lot,
    sumgait,
)
from tierce.solver.games.sumgait.cards import cards_of, parse_hand

S, H, D, C = range(4)


def dealt() -> Dealt:
    """A deal whose cards are known to the tests: the other has what is left."""
    hands = [parse_hand(text) for text in ("AKQ2.K2.AK32.AKJT2.J2", ".AQ98743.87.Q87643.J1", "3.J.QJ.95.")]
    return Dealt((hands[0], hands[1], ALL54 & ~(hands[0] | hands[1] | hands[2])), hands[2])


def before_the_play(state: State) -> State:
    """The kitty taken, and the clubs 9 5 and the spade 3 and heart jack given."""
    return apply(settle(state), Give(mask("C9 C5"), mask("S3 HJ")))


def in_the_play(start: State | None = None, call: str = "play", **options: Any) -> State:
    """The first trick is about to be led; nobody tells the piles' order."""
    if start is None:
        start = apply(apply(new_match(sumgait(options)), DealCards(dealt())), Rob(None))
        return apply(apply(before_the_play(start), Call(call)), Shuffle(None))
    state = settle(start)
    given = cards_of(state.hands[0])
    state = apply(state, Give(mask_of(given[:2]), mask_of(given[2:4])))
    return apply(apply(state, Call(call)), Shuffle(None))


def played_on(state: State, cards: str) -> State:
    """After these cards; `HK!` declares a marriage."""
    for word in cards.split():
        state = apply(state, Play(state.mover, card(word.rstrip("!")), word.endswith("!")))
    return state


def refused(state: State, action: Action) -> InputError:
    with pytest.raises(InputError, match="expected") as found:
        apply(state, action)
    return found.value


# ---- before the play -------------------------------------------------------------------------------------------------


def test_the_examples_of_docstrings() -> None:
    for module, examples in ((sumgait_package, 5), (settlement, 1)):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted) == (0, examples)


def test_what_is_open_from_deal_to_play() -> None:
    state = new_match(sumgait(), declarer=1)
    assert [each.kind for each in legal(state)] == [DealCards, Outcome]
    state = apply(state, DealCards(dealt()))
    assert legal(state)[0].choices == (Rob(None), Rob(1), Rob(2))
    state = apply(state, Rob(None))
    assert automatic(state) == TakeKitty() == legal(state)[0].choices[0]
    state = apply(state, TakeKitty())
    assert state.hands[0] == dealt().hands[0] | dealt().kitty
    (gives,) = legal(state)
    assert sum(1 for _ in gives.actions()) == comb(22, 4) * 6 == 43_890
    state = apply(state, Give(mask("C9 C5"), mask("S3 HJ")))
    assert [hand.bit_count() for hand in state.hands] == [18, 18, 18]
    assert state.given == (0, mask("C9 C5"), mask("S3 HJ"))
    assert legal(state)[0].choices == (Call("play"), Call("pass"), Call("misere"))
    state = apply(state, Call("play"))
    assert legal(state)[0].kind is Shuffle and not list(legal(state)[0].actions())
    state = apply(state, Shuffle(None))
    assert (state.phase, state.mover, state.declarer) == ("PLAY", 0, 1)
    assert [play.card for play in legal(state)[0].choices if isinstance(play, Play)] == list(cards_of(state.hands[0]))
    assert legal(replace(state, phase="OVER")) == ()


def test_a_robbery_swaps_the_sixteen_cards() -> None:
    deal = dealt()
    start = apply(new_match(sumgait()), DealCards(deal))
    for seat in (1, 2):
        state = apply(start, Rob(seat))
        assert state.hands[0] == deal.hands[seat] and state.hands[seat] == deal.hands[0]
        assert state.hands[3 - seat] == deal.hands[3 - seat]
        assert (state.robbed, state.phase, state.kitty) == (seat, "KITTY", deal.kitty)


def test_refused_before_the_play() -> None:
    start = new_match(sumgait())
    state = apply(start, DealCards(dealt()))
    assert refused(start, Rob(1)).code == "wrong_phase"
    assert refused(start, DealCards("x")).code == "wrong_type"  # type: ignore[arg-type]
    assert refused(state, DealCards(dealt())).code == "wrong_phase"
    for seat in (0, 3, True, "1"):
        assert refused(state, Rob(seat)).code == "illegal_robbery"  # type: ignore[arg-type]
    assert refused(state, Early(True)).code == "wrong_phase"
    state = settle(apply(state, Rob(None)))
    for following, other, code in (
        ("C9", "S3 HJ", "give_size"),
        ("C9 C5 CA", "S3 HJ", "give_size"),
        ("C9 C5", "", "give_size"),
        ("C9 C5", "C5 HJ", "give_size"),
        ("C9 C3", "S3 HJ", "not_held"),
        ("C9 J1", "S3 HJ", "not_held"),
    ):
        assert refused(state, Give(mask(following), mask(other))).code == code
    for wrong in (-1, 1 << 63, "C9", None, True):
        assert refused(state, Give(wrong, mask("S3 HJ"))).code == "wrong_type"  # type: ignore[arg-type]
    state = apply(state, Give(mask("C9 C5"), mask("S3 HJ")))
    for call in ("", "solo", None, 1):
        assert refused(state, Call(call)).code == "illegal_call"  # type: ignore[arg-type]


def test_outcomes_refused() -> None:
    start = new_match(sumgait())
    for outcome, code in (
        (("play", (), (10, 8, 1)), "wrong_outcome"),
        (("play", (), (10, 8)), "wrong_outcome"),
        (("play", (), (19, -1, 0)), "wrong_outcome"),
        (("play", (), None), "wrong_outcome"),
        (("play", (4,), (10, 8, 0)), "illegal_marriage"),
        (("play", (1, 1), (10, 8, 0)), "illegal_marriage"),
        (("play", None, (10, 8, 0)), "illegal_marriage"),
        (("pass", (1,), (10, 8, 0)), "illegal_marriage"),
        (("misere", (1,), (10, 8, 0)), "illegal_marriage"),
        (("", (), (10, 8, 0)), "illegal_call"),
    ):
        assert refused(start, Outcome(*outcome)).code == code


# ---- piles -----------------------------------------------------------------------------------------------------------


def test_known_piles_are_turned_card_by_card() -> None:
    state = apply(before_the_play(apply(apply(new_match(sumgait()), DealCards(dealt())), Rob(None))), Call("play"))
    shuffle = shuffle_by_lot(state, seed=5)
    assert shuffle.piles is not None and shuffle.piles[0] == ()
    state = apply(state, shuffle)
    while state.phase == "PLAY":
        if state.mover == 0:
            assert automatic(state) is None and state.top(0) is None
            state = apply(state, legal(state)[0].choices[0])
            continue
        top = shuffle.piles[state.mover][len(state.tricks)]
        assert automatic(state) == Play(state.mover, top) == legal(state)[0].choices[0]
        assert legal(state)[0].seat is None
        held = cards_of(state.hands[state.mover])
        if len(held) > 1:
            wrong = next(each for each in held if each != top)
            assert refused(state, Play(state.mover, wrong)).code == "wrong_pile"
        state = apply(state, Play(state.mover, top))
    assert len(state.tricks) == 18


def test_a_pass_plays_itself() -> None:
    state = apply(before_the_play(apply(apply(new_match(sumgait()), DealCards(dealt())), Rob(None))), Call("pass"))
    shuffle = shuffle_by_lot(state, seed=5)
    assert shuffle.piles is not None and [len(pile) for pile in shuffle.piles] == [18, 18, 18]
    state = apply(state, shuffle)
    assert state.mover == 0 and automatic(state) == Play(0, shuffle.piles[0][0]), "the declarer leads"
    after = settle(state)
    assert after.number == 2 and sum(after.results[0].tricks) == 18


def test_piles_refused() -> None:
    state = apply(before_the_play(apply(apply(new_match(sumgait()), DealCards(dealt())), Rob(None))), Call("play"))
    good = shuffle_by_lot(state, 1).piles
    assert good is not None
    for piles, code in (
        ((), "wrong_pile"),
        ("abc", "wrong_pile"),
        (good[1:], "wrong_pile"),
        ((good[1], good[1], good[2]), "wrong_pile"),
        (((), good[2], good[1]), "wrong_pile"),
        (((), good[1][1:], good[2]), "wrong_pile"),
        (((), (*good[1][1:], good[1][1]), good[2]), "wrong_pile"),
        (((), (*good[1][1:], 63), good[2]), "wrong_type"),
        (((), (*good[1][1:], "C9"), good[2]), "wrong_type"),
        (((), None, good[2]), "wrong_type"),
    ):
        assert refused(state, Shuffle(piles)).code == code  # type: ignore[arg-type]


# ---- the play --------------------------------------------------------------------------------------------------------


def test_following() -> None:
    state = played_on(in_the_play(), "C2 CQ S3 H9 HT")
    assert state.mover == 0
    assert state.playable(0) == cards_of(mask("HK H2 J2")), "hearts were led; the joker may always be played"
    assert refused(state, Play(0, card("SA"))).code == "revoke"
    state = played_on(in_the_play(), "C2 CQ S3 J1 HT")
    assert state.playable(0) == cards_of(state.hands[0]), "a joker sets no suit"


def test_refused_in_the_play() -> None:
    state = in_the_play()
    assert refused(state, Play(1, card("C3"))).code == "wrong_turn"
    assert refused(state, Play(7, card("C3"))).code == "wrong_turn"
    assert refused(state, Play(0, card("C3"))).code == "not_held"
    for wrong in (63, -1, 1000, "SA", True):
        assert refused(state, Play(0, wrong)).code == "wrong_type"  # type: ignore[arg-type]
    assert refused(state, Score()).code == "wrong_phase"


def test_a_marriage_makes_its_suit_trump_at_once() -> None:
    state = played_on(in_the_play(), "SA C3 S4")
    assert state.mover == 0 and state.trump == 4
    declared = played_on(state, "SK!")
    assert (declared.trump, declared.marriages, declared.declared) == (S, (S,), S)
    assert played_on(state, "SK").trump == 4, "he need not declare"
    after = played_on(declared, "H9 S5")
    assert (after.tricks[1].marriage, after.declared, after.mover) == (S, None, 0)
    later = played_on(after, "DQ! D7 D4")
    assert (later.trump, later.marriages) == (D, (S, D)), "a later marriage replaces it"
    assert [each for each in legal(state)[0].choices if isinstance(each, Play) and each.marriage] == [
        Play(0, card(name), True) for name in ("SK", "SQ", "DK", "DQ")
    ]


def test_marriages_refused() -> None:
    first = in_the_play()
    assert "in the first trick" in refused(first, Play(0, card("SK"), True)).message
    state = played_on(first, "SA C3 S4")
    for name in ("HK", "CK", "DA", "J2"):
        assert "without such a pair" in refused(state, Play(0, card(name), True)).message
    broken = played_on(state, "SK C4 S5")
    assert "without such a pair" in refused(broken, Play(0, card("SQ"), True)).message
    second = played_on(state, "C2 CQ S3 C4 DT")
    assert "not led" in refused(second, Play(0, card("CK"), True)).message
    other = played_on(in_the_play(call="misere"), "SA C3 S4")
    assert "in misere" in refused(other, Play(0, card("SK"), True)).message
    assert not any(isinstance(each, Play) and each.marriage for each in legal(other)[0].choices)
    turned = played_on(in_the_play(), "C2 CQ S3")
    assert refused(turned, Play(1, card("CA"), True)).code == "not_held"
    assert "led by another" in refused(turned, Play(1, card("H9"), True)).message
