"""Small studies: games of a small pack, told in TOML, and the rows of a table played again by the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from tests.advice.exchanges import _PHASES as PHASES
from tests.brute import brute
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.batch.studies import Study
from tierce.solver.batch.work import Work
from tierce.solver.cards import mask_of, parse_cards, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.games.actions import DealCards, Discard, NameTrump, Send, Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State, new_match

SEATS: Final = "DEM"
# By shape: cards a hand, ranks. What is left over is the kitty, or one card out of the pack.
SIZES: Final = {"plain": (5, 4), "at_once": (5, 4)}
SIZE: Final = (6, 5)


def game(shape: str = "kitty", **options: Any) -> str:
    """A small game as TOML; quotas 3, 2, 1 of hands of six, 3, 1, 1 of five."""
    hand, ranks = SIZES.get(shape, SIZE)
    out = 4 * ranks - 3 * hand
    phases = PHASES[shape].split()
    lines = [
        f'id = "small_{shape}"',
        'name = "Small"',
        f"ranks = {ranks}",
        f"hand = {hand}",
        f"kitty = {out if 'KITTY' in phases else 0}",
        f"quotas = [3, {hand - 4}, 1]",
        f"phases = {json.dumps(phases)}",
        'score = "total"',
        "[options]",
        'end = "total"',
        "goal = 18",
        'return_rule = "merged_top_n"',
    ]
    return "\n".join([*lines, *(f"{name} = {json.dumps(value)}" for name, value in options.items())]) + "\n"


def exchange_study(shape: str = "kitty", options: Mapping[str, Any] | None = None, **changes: Any) -> Study:
    """A study of two parcels that the middle seat, who is up 2, sends; `previous` may say otherwise."""
    hand = SIZES.get(shape, SIZE)[0]
    given: dict[str, Any] = {
        "deals": 12,
        "chunk": 4,
        "game": f"small_{shape}",
        "game_toml": game(shape, **(options or {})),
        "seed": 5,
        "strategies": ("lowest", "short-suit", "keep-long", "spread", "random"),
        "previous": (5, hand - 5, 0),
        "sender": 2,
        "others": "lowest",
        "reply": "quick",
    }
    return Study(**({"kind": "exchange"} | given | changes))


def dealer_study(shape: str = "kitty", **changes: Any) -> Study:
    """A study of the dealer's choices."""
    given: dict[str, Any] = {
        "deals": 12, "chunk": 4, "game": f"small_{shape}", "game_toml": game(shape), "seed": 5,
        "strategies": ("quick", "longest", "random", "exact"),
    }  # fmt: skip
    return Study(**({"kind": "dealer"} | given | changes))


def rows_of(study: Study) -> list[dict[str, Any]]:
    """Every row of a study of random deals."""
    from tierce.solver.batch.columns import COLUMNS

    work = Work(study)
    names = [each.name for each in COLUMNS[study.kind]]
    return [dict(zip(names, row, strict=True)) for number in range(study.deals) for row in work.rows(number)]


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


# ---- played again ----------------------------------------------------------------------------------------------------


def check_row(study: Study, row: Mapping[str, Any], others: Mapping[int, Mapping[int, int]] | None = None) -> None:
    """Play what a row tells by the rules, and find its floors by brute force. `others`: parcels of another sender."""
    profile = study.profile()
    deal = Deal.parse(row["cards"])
    assert row["error"] is None
    if study.kind == "dealer":
        state = settle(apply(new_match(profile), DealCards(deal)))
    else:
        state = exchange_of_deal(profile, deal, study.previous or ())
        state = _send_again(state, row, others or {})
    end = _choose_again(state, row)
    if study.kind == "exchange":
        back = {each.receiver: each.returned for each in end.transfers if each.sender == study.sender}
        assert back == parcels(row["returned"])
    floors = [brute.value(end.hands, end.trump, 1, (), 1 << seat, 1 << seat) for seat in range(3)]
    assert [row["floor_d"], row["floor_e"], row["floor_m"]] == floors
    own = 0 if study.kind == "dealer" else SEATS.index(row["sender"])
    assert (row["own"], row["balance"]) == (floors[own], floors[own] - profile.quotas[own])


def parcels(text: str) -> dict[int, int]:
    """`E:H7 D:C2 C3` as masks by seat."""
    found: dict[int, list[str]] = {}
    for word in text.split():
        if ":" in word:
            seat, word = word.split(":")
            cards = found.setdefault(SEATS.index(seat), [])
        cards.append(word)
    return {seat: mask_of(parse_cards(" ".join(words))) for seat, words in found.items()}


def _send_again(state: State, row: Mapping[str, Any], others: Mapping[int, Mapping[int, int]]) -> State:
    sent = {SEATS.index(row["sender"]): parcels(row["sent"]), **others}
    while state.queue and state.queue[0][0] == "send":
        each = state.transfers[state.queue[0][1]]
        state = settle(apply(state, Send(each.sender, each.receiver, sent[each.sender][each.receiver])))
    return state


def _choose_again(state: State, row: Mapping[str, Any]) -> State:
    while state.phase != "PLAY":
        if state.phase == "TRUMP":
            state = apply(state, NameTrump(0, "SHDC".index(row["trump"])))
        elif state.phase == "DISCARD":
            state = apply(state, Discard(0, parse_hand(row["discard"])))
        else:
            state = apply(state, Swap(two_holder(state), True))
        state = settle(state)
    return state
