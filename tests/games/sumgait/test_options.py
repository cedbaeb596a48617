"""Every option: a case in which its values lead to different results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.games.sumgait.support import card, mask, option_values
from tests.games.sumgait.test_rules import before_the_play, dealt, in_the_play, played_on
from tierce.solver.errors import InputError
from tierce.solver.games.options import OPTIONS
from tierce.solver.games.sumgait import Call, DealCards, Early, Outcome, Rob, Score, Tally, apply, new_match, sumgait
from tierce.solver.games.sumgait.cards import cards_of
from tierce.solver.games.sumgait.game import DEFAULTS
from tierce.solver.games.sumgait.match import Tallies, scored
from tierce.solver.games.sumgait.tricks import playable, trick_winner

S, H, D, C = range(4)


def test_defaults() -> None:
    game = sumgait()
    assert dict(game.options) == dict(game.defaults) == dict(DEFAULTS)
    assert game.given == {}
    assert sumgait({"joker_free": "false", "overflow": "keep"}).given == {"joker_free": False, "overflow": "keep"}
    assert sumgait({"vist_floor": True}).with_options({}).given == {}
    for name, value in DEFAULTS.items():
        assert value in option_values(name), name


@pytest.mark.parametrize("given", [{"end": "twelve"}, {"overflow": "loose"}, {"joker_free": "maybe"}, {"x": 1}])
def test_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected") as refused:
        sumgait(given)
    assert refused.value.field == "option"


def columns(
    tallies: Tallies, call: str, suits: tuple[int, ...], tricks: tuple[int, int, int], **options: Any
) -> list[tuple[int, int, int]]:
    found = scored(tallies, 0, call, suits, tricks, sumgait(options).options).tallies
    return [(tally.game, tally.vist, tally.failures) for tally in found]


def at(*games: int, failures: int = 0, vist: tuple[int, int, int] = (0, 0, 0)) -> Tallies:
    first, second, third = (Tally(game, said) for game, said in zip(games, vist, strict=True))
    return Tally(first.game, first.vist, failures), second, third


# ---- tricks ----------------------------------------------------------------------------------------------------------


def test_joker_resolution() -> None:
    trick = [card(name) for name in ("J1", "D7", "D9")]
    won = {str(value): trick_winner(trick, S, str(value)) for value in option_values("joker_resolution")}
    assert won == {"sequential": 2, "kill": 2, "seven_wins": 1}
    taken = {
        str(value): played_on(in_the_play(joker_resolution=value), "SA J1 S7").taken
        for value in option_values("joker_resolution")
    }
    assert taken == {"sequential": (0, 0, 1), "kill": (1, 0, 0), "seven_wins": (0, 0, 1)}


def test_joker_lead_suit() -> None:
    hand, trick = mask("SA H2 J2"), [card("J1"), card("H9")]
    assert playable(hand, trick) == hand
    assert playable(hand, trick, joker_lead_suit="next") == mask("H2 J2")
    assert playable(hand, trick[:1], joker_lead_suit="next") == hand
    assert playable(hand, [card("H9"), card("J1")]) == mask("H2 J2")
    for value in ("none", "next"):
        state = played_on(in_the_play(joker_lead_suit=value), "C2 CQ S3 J1 H5")
        assert state.mover == 0
        assert state.playable(0) == (cards_of(state.hands[0]) if value == "none" else cards_of(mask("HK H2 J2")))


def test_joker_free() -> None:
    hand = mask("SA H2 J2")
    assert playable(hand, [card("H9")]) == mask("H2 J2")
    assert playable(hand, [card("H9")], joker_free=False) == mask("H2")
    assert playable(hand, [card("D9")], joker_free=False) == hand
    assert playable(hand, [], joker_free=False) == hand


# ---- prices ----------------------------------------------------------------------------------------------------------


def test_fail_price() -> None:
    row = (at(0, 0, 0), "play", (H, S), (8, 6, 4))
    assert columns(*row) == [(-180, 0, 0), (0, 540, 0), (0, 360, 0)]
    assert columns(*row, fail_price="last") == [(-60, 0, 0), (0, 180, 0), (0, 120, 0)]


def test_marriage_on_fail() -> None:
    row = (at(0, 0, 0), "play", (H, S), (8, 6, 4))
    assert columns(*row, marriage_on_fail="kept")[0] == (-40, 0, 0)


def test_misere_vist() -> None:
    row = (at(0, 0, 0), "misere", (), (0, 10, 8))
    assert columns(*row) == [(300, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert columns(*row, misere_vist="price") == [(300, 0, 0), (0, 200, 0), (0, 160, 0)]


def test_misere_jokers() -> None:
    for value, winner in (("normal", 0), ("low", 1)):
        state = played_on(in_the_play(call="misere", misere_jokers=value), "J2 C3 DT")
        assert state.tricks[0].winner == winner
    state = played_on(in_the_play(misere_jokers="low"), "J2 C3 DT")
    assert state.tricks[0].winner == 0, "in MISERE alone"


def test_misere_time() -> None:
    state = apply(apply(new_match(sumgait({"misere_time": "before_kitty"})), DealCards(dealt())), Rob(None))
    assert state.phase == "MISERE"
    called = before_the_play(apply(state, Early(True)))
    assert (called.call, called.phase) == ("misere", "SHUFFLE")
    free = before_the_play(apply(state, Early(False)))
    assert free.phase == "CALL"
    with pytest.raises(InputError, match="before the kitty"):
        apply(free, Call("misere"))
    usual = before_the_play(apply(apply(new_match(sumgait()), DealCards(dealt())), Rob(None)))
    assert apply(usual, Call("misere")).call == "misere"


def test_robbery_scope() -> None:
    for value, phase in (("deal", "ROB"), ("match", "KITTY")):
        state = apply(new_match(sumgait({"robbery_scope": value})), DealCards(dealt()))
        robbed = in_the_play(apply(state, Rob(2)))
        assert robbed.robbers == {0}
        later = replace(robbed, phase="SCORE", taken=(10, 8, 0))
        for _ in range(2):
            later = apply(apply(later, Score()), Outcome("play", (), (10, 8, 0)))
        again = apply(apply(later, Score()), DealCards(dealt()))
        assert (again.declarer, again.phase) == (0, phase)
        other = apply(apply(replace(robbed, phase="SCORE", taken=(10, 8, 0)), Score()), DealCards(dealt()))
        assert (other.declarer, other.phase) == (1, "ROB"), "each player once"


# ---- the match -------------------------------------------------------------------------------------------------------


def test_overflow() -> None:
    row = (at(880, 100, 50), "play", (H,), (12, 6, 0))  # 100 + 100: 80 beyond 1000
    assert columns(*row)[0] == (1000, 0, 0)
    assert columns(*row, overflow="keep")[0] == (1080, 0, 0)
    assert columns(*row, overflow="transfer") == [(1000, 800, 0), (100, 600, 0), (130, 0, 0)]


def test_the_last_surplus_finds_nobody() -> None:
    row = (at(880, 1000, 1000), "play", (H,), (12, 6, 0))
    assert columns(*row, overflow="transfer", laggard_cap=False) == [(1000, 0, 0), (1000, 600, 0), (1000, 0, 0)]


def test_laggard_tie() -> None:
    row = (at(1000, 200, 200, vist=(0, 50, 40)), "play", (), (10, 8, 0))
    assert [game for game, _, _ in columns(*row)] == [1000, 220, 200]
    even = (at(1000, 200, 200, vist=(0, 50, 400)), "play", (), (10, 0, 8))
    assert [game for game, _, _ in columns(*even, laggard_tie="vist")] == [1000, 220, 200]
    assert [game for game, _, _ in columns(at(1000, 200, 200, vist=(0, 990, 40)), *row[1:], laggard_tie="vist")] == [
        1000,
        200,
        220,
    ]


def test_laggard_cap() -> None:
    row = (at(1000, 880, 1000), "play", (H,), (11, 7, 0))  # 180
    assert columns(*row)[:2] == [(1000, 1200, 0), (1000, 560, 0)]
    assert columns(*row, laggard_cap=False)[:2] == [(1000, 1800, 0), (1060, 560, 0)]


def test_laggard_negative() -> None:
    row = (at(1000, 200, 300), "play", (), (7, 6, 5))  # -60
    assert [game for game, _, _ in columns(*row)] == [1000, 200, 300]
    assert columns(*row, laggard_negative="transfer") == [(1000, -600, 0), (140, 120, 0), (300, 100, 0)]


def test_hill_first() -> None:
    row = (at(860, 0, 0), "play", (), (12, 3, 3))  # 60
    assert columns(*row)[0] == (880, 0, 0)
    assert columns(*row, hill_first=True)[0] == (880, 0, 1)
    again = (at(880, 0, 0, failures=1), "play", (), (12, 3, 3))
    assert columns(*again, hill_first=True)[0] == (880, 0, 2)


def test_hill_negative() -> None:
    row = (at(880, 0, 0, failures=1), "play", (), (7, 6, 5))  # -60
    assert columns(*row)[0] == (820, 0, 0)
    assert columns(*row, hill_negative="failure")[0] == (880, 0, 2)
    third = (at(880, 0, 0, failures=2), "play", (), (7, 6, 5))
    assert columns(*third, hill_negative="failure")[0] == (760, 0, 0)


def test_points_below_0_within_the_hill() -> None:
    """From 940, where only a free credit puts anybody: he leaves it and lands on it again, not for the first time."""
    row = (at(940, 0, 0, failures=1), "play", (), (9, 9, 0))  # -20
    assert columns(*row, hill_credit="free", hill_first=True)[0] == (880, 0, 0)


def test_hill_credit() -> None:
    row = (at(1000, 800, 1000), "play", (), (15, 3, 0))  # 120
    assert columns(*row)[:2] == [(1000, 800, 0), (880, 360, 0)]
    assert columns(*row, hill_credit="free")[:2] == [(1000, 1200, 0), (920, 360, 0)]


def test_vist_floor() -> None:
    row = (at(0, 0, 0, vist=(100, 100, 100)), "pass", (), (5, 6, 7))
    assert [vist for _, vist, _ in columns(*row)] == [100, 20, -60]
    assert [vist for _, vist, _ in columns(*row, vist_floor=True)] == [100, 20, 0]


def test_a_case_for_every_option() -> None:
    cases: dict[str, Callable[..., None]] = {name: case for name, case in globals().items() if name[:5] == "test_"}
    assert [name for name in DEFAULTS if f"test_{name}" not in cases] == []
    assert set(DEFAULTS) <= set(OPTIONS)
