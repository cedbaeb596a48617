"""A record written as PBN can be solved from there: the hands are those of the play, after the exchange."""

from __future__ import annotations

import pytest

from tests.records.support import finished
from tierce.solver.cards import mask_of
from tierce.solver.errors import InputError
from tierce.solver.games import game_names, load_game, replay, write_record
from tierce.solver.pbn import PbnGame, read_pbn, write_pbn


@pytest.mark.parametrize("name", game_names(3))
def test_hands_of_the_play(name: str) -> None:
    profile = load_game(name)
    for seed in range(4):
        record = finished(profile, seed, deals=2)
        games = read_pbn(write_record(record, "pbn"))
        for game, deal in zip(games, replay(record).deals, strict=True):
            if deal.passed_out:
                continue
            tricks = deal.state.tricks
            played = [0, 0, 0]
            for trick in tricks:
                for place, card in enumerate(trick.cards):
                    played[(trick.leader + place) % 3] |= 1 << card
            if deal.state.swapped:
                with pytest.raises(InputError, match="expected a deal without a swap"):
                    game.as_played()
                continue
            assert not [problem for problem in game.problems if problem.field == "Play"]
            assert game.as_played(kitty_first=True).hands == tuple(played)
            assert read_pbn(write_pbn([game]))[0].passed == game.passed


def game(passed: str) -> PbnGame:
    text = f'[Deal "N:AK.Q.. 2.J.3. .T9.2. -"]\n[Game "raf"]\n[Trump "S"]\n[CardsPassed "{passed}"]\n'
    return read_pbn(text)[0]


def test_passed_on_and_on() -> None:
    found = game("N:E:SK E:S:SK S:N:HT E:N:D3 N:S:SA S:E:H9")
    assert found.problems == ()
    names = [[mask_of([card]) for card in range(64) if hand >> card & 1] for hand in found.as_played().hands]
    assert [len(hand) for hand in names] == [3, 3, 3]
    assert found.as_played().hands[2] >> 12 & 1  # SA
    assert found.as_played().hands[2] >> 11 & 1  # SK


@pytest.mark.parametrize(
    ("passed", "code"),
    [
        ("N:E:S2", "not_held"),
        ("N:E", "pbn_syntax"),
        ("N:W:SA", "seat"),
        ("N:E:SA", "unequal_hands"),
        ("N:E:SX", "unknown_rank"),
    ],
)
def test_what_cannot_be_passed_is_refused(passed: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        game(passed).as_played()
    assert caught.value.field == "CardsPassed"
    assert str(caught.value).startswith("<pbn>:")
    assert caught.value.code == code
