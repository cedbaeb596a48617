"""Random matches of every game: to a record and back, to JSON and PBN and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.records.support import GAMES, match, record_by_lot
from tierce.solver.games import Profile, Record, State, new_match, read_record, record_of, replay, write_record
from tierce.solver.games.context import state_after

SEEDS = st.integers(0, 1 << 20)


def check(record: Record) -> None:
    """Everything that must hold for the record of a match that kept to the rules."""
    found = replay(record)
    assert found.record == record
    assert record_of([*(deal.state for deal in found.deals), found.state], record.players) == record
    for form in ("json", "pbn"):
        text = write_record(record, "pbn" if form == "pbn" else "json")
        back = read_record(text)
        assert back == record
        assert write_record(back, "pbn" if form == "pbn" else "json") == text
        assert read_record(text.encode()) == record
    assert json.loads(write_record(record)) == json.loads(write_record(read_record(write_record(record, "pbn"))))


@given(st.sampled_from(GAMES), SEEDS, st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.01, 0.05]))
def test_matches(profile: Profile, seed: int, skip: int, deals: int, stop: float) -> None:
    record = record_by_lot(profile, seed, skip=skip, deals=deals, claims=0.02, stop=stop)
    if record is not None:
        check(record)


@pytest.mark.slow
@pytest.mark.parametrize("profile", GAMES, ids=lambda profile: "-".join([profile.id, *profile.given]))
def test_many_matches(profile: Profile) -> None:
    for seed in range(120):
        record = record_by_lot(profile, seed, skip=seed % 4, deals=5, claims=0.02, stop=(seed % 5) / 100)
        if record is not None:
            check(record)


@settings(max_examples=30)  # each replays some fifty records
@given(st.sampled_from(GAMES), SEEDS)
def test_every_state_on_the_way(profile: Profile, seed: int) -> None:
    """A record of a state, replayed, gives that state; what came two deals before is not kept."""
    first = None
    for state in match(profile, seed, deals=2, stop=0.01):
        first = first or state
        if state.dealt is None:
            continue
        record = record_of(state)
        assert record_of(replay(record).deals[-1].state) == record
        if not state.results or (state.won and len(state.results) == 1):
            assert ended(replay(record), state) == state


def ended(found: object, state: State) -> State:
    """The state to compare: with the deal scored if that is what was recorded."""
    from tierce.solver.games import Replay

    assert isinstance(found, Replay)
    return found.state if state.won else found.deals[-1].state


@given(st.sampled_from(GAMES), SEEDS)
def test_a_later_deal_alone(profile: Profile, seed: int) -> None:
    """The deal with its context goes as it went in the match: exchange, totals, end."""
    record = record_by_lot(profile, seed, deals=3, claims=0.0)
    assert record is not None
    whole = replay(record)
    for index in range(1, len(record.deals)):
        if whole.deals[index].number == 1:
            continue
        state = whole.deals[index].state
        alone = replay(record_of(state))
        assert alone.deals[0].actions == whole.deals[index].actions
        assert alone.deals[0].totals == whole.deals[index].totals
        assert alone.deals[0].number == whole.deals[index].number
        assert alone.state.won == (whole.deals[index + 1].start if index + 1 < len(whole.deals) else whole.state).won


@given(st.sampled_from(GAMES), SEEDS)
def test_what_is_automatic_may_be_left_out(profile: Profile, seed: int) -> None:
    record = record_by_lot(profile, seed, deals=3)
    assert record is not None
    tree = json.loads(write_record(record))
    for deal in tree["deals"]:
        for name in ("kitty", "shown", "dealer")[: 3 if deal is not tree["deals"][0] else 2]:
            deal.pop(name, None)
        for parcel in deal.get("exchange", ()):
            parcel.pop("returned", None)
    assert replay(read_record(json.dumps(tree))).record == record


def test_a_context_of_a_match_begins_where_it_left_off() -> None:
    states = list(match(GAMES[0], 3, deals=2, claims=0.0))
    between = next(state for state in states if state.phase == "DEAL")
    later = next(state for state in states if state.results and state.dealt)
    context = record_of(later).context
    assert context is not None
    assert state_after(GAMES[0], context) == between
    assert new_match(GAMES[0]).results == ()
