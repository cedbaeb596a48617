"""Matches of Sumgait Driller by lot, in memory."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from hypothesis import strategies as st

from tierce.solver.cards import mask_of
from tierce.solver.games.options import OPTIONS, Value
from tierce.solver.games.sumgait import (
    Action,
    DealCards,
    Give,
    Outcome,
    Play,
    Record,
    Shuffle,
    State,
    apply,
    automatic,
    legal,
    new_match,
    random_deal,
    record_of,
    shuffle_by_lot,
    sumgait,
)
from tierce.solver.games.sumgait.cards import cards_of, parse_cards
from tierce.solver.games.sumgait.game import DEFAULTS

CALLS: Final = ("play", "play", "play", "pass", "misere")


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def card(text: str) -> int:
    (found,) = parse_cards(text)
    return found


def option_values(name: str) -> tuple[Value, ...]:
    option = OPTIONS[name]
    assert isinstance(option.values, tuple)
    return (False, True) if option.boolean else option.values


options: Final = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(option_values(name)) for name in DEFAULTS}
)  # fmt: skip


def outcome(rng: random.Random) -> Outcome:
    """A row of a sheet in which the declarer does well, as matches that end need."""
    call = rng.choice(CALLS)
    own = {"play": rng.randint(7, 18), "pass": rng.randint(4, 8), "misere": rng.choice((0, 0, 3))}[call]
    if call == "pass" and rng.random() < 0.3:
        return Outcome(call, (), (6, 6, 6))
    other = rng.randint(0, 18 - own)
    suits = tuple(rng.sample(range(4), rng.randint(0, 3))) if call == "play" else ()
    return Outcome(call, suits, (own, other, 18 - own - other))


def chosen(state: State, rng: random.Random, told: float) -> Action:
    """An action by lot; of marriages more are declared than not."""
    if state.phase == "DEAL":
        return outcome(rng) if rng.random() < told else DealCards(random_deal(rng.randrange(1 << 30)))
    if state.phase == "GIVE":
        cards = rng.sample(cards_of(state.hands[0]), 4)
        return Give(mask_of(cards[:2]), mask_of(cards[2:]))
    if state.phase == "SHUFFLE":
        return shuffle_by_lot(state, rng.randrange(1 << 30)) if rng.random() < 0.5 else Shuffle(None)
    due = automatic(state)
    if due is not None:
        return due
    choices = list(legal(state)[0].choices)
    return rng.choice([each for each in choices if isinstance(each, Play) and each.marriage] or choices)


def match(
    seed: int,
    given: Mapping[str, Value] | None = None,
    *,
    deals: int = 2,
    told: float = 0.0,
    stop: float = 0.0,
) -> Iterator[State]:
    """The states of a match by lot, after every action; at most so many deals.

    told   how often a deal is known by its outcome alone; stop: how often all ends after an action
    """
    rng = random.Random(seed)
    state = new_match(sumgait(given), rng.randrange(3))
    yield state
    while state.phase != "OVER" and state.number <= deals and (stop == 0.0 or rng.random() >= stop):
        state = apply(state, chosen(state, rng, told))
        yield state


def record_by_lot(
    seed: int, given: Mapping[str, Value] | None = None, *, skip: int = 0, stop: float = 0.0, told: float = 0.3
) -> Record | None:
    """The record of a match by lot, its first deals left out; None if nothing is left."""
    states = [state for state in match(seed, given, deals=skip + 2, told=told, stop=stop) if state.number > skip]
    if not states or not any(state.dealt or state.phase == "SCORE" for state in states):
        return None
    return record_of(states, ("Ann", "Ben", "Cem") if seed % 2 else None)


@cache
def played(seed: int = 1) -> Record:
    """The record of one deal that was played to its end, nobody told by a row."""
    for attempt in range(200):
        record = record_by_lot(1000 * seed + attempt, told=0.0)
        if record is not None and len(record.deals) == 2 and record.deals[0].call == "play":
            marriages = record.deals[0].marriages
            if marriages and len(record.deals[1].play) == 54:
                return record
    raise AssertionError


def deals_of(states: list[State]) -> Iterator[tuple[State, State]]:
    """Of each deal the state before its score and the one after."""
    for before, after in pairwise(states):
        if before.phase == "SCORE":
            yield before, after
