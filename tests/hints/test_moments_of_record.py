"""Views cut from records: the moment that was named, as its seat saw it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.records.support import GAMES, finished, match, record_by_lot
from tierce.solver.errors import InputError
from tierce.solver.games import Context, DealResult, Play, Send, load_game, read_records, record_of, replay, view
from tierce.solver.games.record import Record
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.hints.moments_of_record import deal_numbered, moments, parse_moment, view_at
from tierce.solver.hints.view_told import used_of

RAF = finished(load_game("raf"), 1, deals=2)


def deal(record: Record = RAF, number: int | None = None) -> ReplayedDeal:
    return deal_numbered([record], number)


@given(st.sampled_from(GAMES), st.integers(0, 1 << 20))
def test_every_decision_is_a_moment_and_is_found_by_its_name(profile: object, seed: int) -> None:
    rng = random.Random(seed)
    record = record_by_lot(profile, seed, deals=2, stop=0.005)  # type: ignore[arg-type]
    for each in replay(record).deals if record else ():
        made = [(action, state) for action, state in each.steps() if hasattr(action, "seat")]
        found = list(moments(each))
        states = [moment.state for moment in found]
        chosen = [state for action, state in made if type(action).__name__ in
                  ("Bid", "Call", "Send", "NameTrump", "Discard", "Swap", "Play")]  # fmt: skip
        assert [state for state in states if state is not each.state][: len(chosen)] == chosen
        moment = rng.choice(found) if found else None
        if moment is not None and not profile.calls:  # type: ignore[attr-defined]
            assert view_at(each, str(moment), moment.seat) == view(moment.state, moment.seat)


def test_a_turn_in_a_trick() -> None:
    for number in range(1, 17):
        for seat in range(3):
            seen = view_at(deal(), f"trick {number}", seat)
            assert (seen.phase, seen.to_move, len(seen.tricks), seen.seat) == ("PLAY", seat, number - 1, seat)


def test_who_decides_follows_where_one_does() -> None:
    assert (view_at(deal(), "trump").seat, view_at(deal(), "trump").phase) == (0, "TRUMP")
    assert view_at(deal(), "discard").phase == "DISCARD"
    lead = view_at(deal(), "lead")
    assert (lead.seat, lead.trick, lead.tricks) == (1, (), ()) and lead == view_at(deal(), "Trick 1", 1)
    with pytest.raises(InputError, match="expected a seat D or E or M") as caught:
        view_at(deal(), "trick 5")
    assert caught.value.field == "seat"


def test_where_the_record_ends() -> None:
    states = [state for state in match(load_game("raf"), 3, deals=1) if state.phase == "PLAY"]
    cut = record_of(states[:20])
    end = replay(cut).deals[-1]
    assert view_at(end) == view(states[19], states[19].mover) == view_at(end, None, states[19].mover)
    with pytest.raises(InputError, match="found the end of the record, where"):
        view_at(end, None, (states[19].mover + 1) % 3)
    with pytest.raises(InputError, match="for the deal is over, found none"):
        view_at(deal())


@pytest.mark.parametrize(
    ("at", "seat", "word"),
    [
        ("trick 17", 1, "(parcel, trick 1 to 16)|(trick 1 to 16)"),
        ("trump", 1, "found 'trump', which is the dealer's"),
        ("lead", 2, "expected a moment at which middle decides"),
        ("bid", None, "found 'bid', to which the deal does not come"),
        ("swap", 0, "to which the deal does not come"),
    ],
)
def test_moments_that_are_not_there(at: str, seat: int | None, word: str) -> None:
    with pytest.raises(InputError) as caught:
        view_at(deal(), at, seat)
    assert caught.value.field == "at" and any(each.strip("()") in caught.value.message for each in word.split("|"))


@pytest.mark.parametrize(
    "text", ["", "trick", "trick x", "tricks 5", "trump 2", "5", "trick -1", "trick 5 6", "lead 1"]
)
def test_what_names_no_moment(text: str) -> None:
    with pytest.raises(InputError, match="expected a moment such as 'trick 5'"):
        parse_moment(text)


def test_names_are_read_tolerantly() -> None:
    assert parse_moment("trick 5") == parse_moment(" Trick5") == parse_moment("trick-5") == ("trick", 5)
    assert (parse_moment("parcel 2"), parse_moment("lead"), parse_moment("trump")) == (
        ("parcel", 2), ("trick", 1), ("trump", None),
    )  # fmt: skip


def test_the_second_parcel_of_a_seat() -> None:
    seen = 0
    for seed in range(60):
        record = record_by_lot(load_game("wiki_358"), seed, deals=3)
        for each in replay(record).deals if record else ():
            sends = [(action, state) for action, state in each.steps() if isinstance(action, Send)]
            if len(sends) == 2 and sends[0][0].seat == sends[1][0].seat:
                seat = sends[0][0].seat
                assert view_at(each, "parcel 2", seat) == view(sends[1][1], seat)
                assert view_at(each, "parcel", seat) == view(sends[0][1], seat)
                seen += 1
    assert seen


def test_deals_by_their_numbers() -> None:
    assert deal_numbered([RAF], 1).number == 1 and deal_numbered([RAF]).number == 2
    assert deal_numbered([RAF, RAF], 3).number == 1
    for records, number in (((RAF,), 3), ((), None)):
        with pytest.raises(InputError) as caught:
            deal_numbered(records, number)
        assert caught.value.field == "deal"


def test_calls_used_before_a_record_are_not_lost() -> None:
    profile = load_game("deputy")
    used = (frozenset({"S"}), frozenset({"N"}), frozenset({"MIZ", "H"}))
    context = Context(5, DealResult(2, "H", (8, 5, 3), (6, 5, 5), (-2, 0, 2)), (4, -1, -3), used)
    text = record_text(profile.id, context)
    (record,) = read_records(text)
    seen = view_at(deal(record), "call")
    assert used_of(seen.results) == used
    later = view_at(deal(record), "discard")
    assert used_of(later.results) == used and later.call == "C"


def record_text(game: str, context: Context) -> str:
    from tierce.solver.games import DealRecord, random_deal, write_record

    hand = DealRecord(random_deal(load_game(game), 1), call="C")
    return write_record(Record(load_game(game), (hand,), context))


def test_play_is_what_was_played() -> None:
    """The card that was played is open in the view."""
    for action, state in deal().steps():
        if isinstance(action, Play):
            seen = view_at(deal(), f"trick {len(state.tricks) + 1}", action.seat)
            assert seen.hand >> action.card & 1
