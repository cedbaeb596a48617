"""Study files as a batch writes them, made here from a seeded source: random ones, and one with real floors."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from tierce.solver.cards import card_name, card_names, cards_of, format_hand, mask_of, trump_name
from tierce.solver.deal import Deal

Row: TypeAlias = dict[str, Any]

EXCHANGE: Final = "tierce-exchange-study-1"
DEALER: Final = "tierce-dealer-study-1"
STRATEGIES: Final = ("lowest", "short-suit", "spread", "random")
_SENT: Final = ("sent", "returned")


def header(**changes: Any) -> dict[str, Any]:
    """What a study asks; a value of None leaves the field out. `deals`, unless told, are those of the rows written."""
    given = {
        "schema": EXCHANGE,
        "version": "1",
        "game": "raf",
        "options": {},
        "previous": [10, 4, 2],
        "seed": 1,
        "chunk": 64,
        "strategies": list(STRATEGIES),
        "reply": "quick",
        "sender": "M",
    }
    return {name: value for name, value in (given | changes).items() if value is not None}


def arrow_schema(about: Mapping[str, Any] | None, *, exchange: bool = True) -> pa.Schema:
    """The columns of a study."""
    fields = [("deal", pa.int64()), ("cards", pa.string()), ("strategy", pa.dictionary(pa.int32(), pa.string()))]
    fields += [("sender", pa.string()), *((name, pa.string()) for name in _SENT)] if exchange else []
    fields += [("trump", pa.string()), ("discard", pa.string())]
    fields += [(name, pa.int8()) for name in ("floor_d", "floor_e", "floor_m", "own", "balance")]
    fields += [("error", pa.string())]
    return pa.schema(fields, metadata=None if about is None else {b"tierce.study": json.dumps(about).encode()})


def write(path: Path, about: Mapping[str, Any] | None, rows: Iterable[Row], *, group: int = 1000) -> Path:
    """A file of rows; `group`: rows of a row group."""
    exchange = about is None or about.get("schema") != DEALER
    rows = list(rows)
    if about is not None:
        about = {"deals": len({row["deal"] for row in rows})} | dict(about)
    schema = arrow_schema(about, exchange=exchange)
    table = pa.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in rows], schema=schema)
    parquet.write_table(table, path, row_group_size=group)
    return path


def write_parts(path: Path, about: Mapping[str, Any], rows: Sequence[Row], *, deals: int, skip: int = 0) -> Path:
    """The folder of a study that is not finished: parts of so many deals, all but the part numbered `skip`; beside
    them what a writer leaves that was stopped in the middle of one."""
    about = {"deals": len({row["deal"] for row in rows})} | dict(about)
    folder = path.with_name(path.name + ".parts")
    folder.mkdir()
    (folder / "study.json").write_text(json.dumps(about), encoding="utf-8")
    size = deals * len(about["strategies"])
    for start in range(0, len(rows), size):
        if start != skip * size:
            write(folder / f"{start // size}.parquet", about, rows[start : start + size])
    (folder / ".9.parquet.part").write_bytes(b"PAR1")
    return folder


def made_row(deal: int, cards: Deal, strategy: str, own: int, **changes: Any) -> Row:
    """A row of middle, who owes three tricks, sent a card to dealer and eldest each, and is sure of `own`."""
    lows = {seat: card_name(cards_of(cards.hands[2])[-1 - place]) for place, seat in enumerate("DE")}
    row = {
        "deal": deal,
        "cards": str(cards),
        "strategy": strategy,
        "sender": "M",
        "sent": " ".join(f"{seat}:{card}" for seat, card in lows.items()),
        "returned": "D:SA E:HK",
        "trump": "S",
        "discard": format_hand(mask_of(cards_of(cards.hands[0])[-4:])),
        "floor_d": 8 - own // 2,
        "floor_e": 3,
        "floor_m": own,
        "own": own,
        "balance": own - 3,
        "error": None,
    }
    return row | changes


def failed(row: Row, error: str) -> Row:
    """The row of a strategy that came to nothing."""
    none = dict.fromkeys(("sent", "returned", "trump", "discard", "floor_d", "floor_e", "floor_m", "own", "balance"))
    return row | none | {"error": error}


def random_rows(
    deals: int, strategies: Sequence[str] = STRATEGIES, seed: int = 1, *, errors: float = 0.0
) -> Iterator[Row]:
    """Rows of a study: a strategy farther down the list is worse by a tenth of a trick, and often sends the same."""
    source = random.Random(seed)
    for number in range(deals):
        cards = random_cards(source)
        luck = source.gauss(4, 1.5)
        for place, name in enumerate(strategies):
            own = max(0, min(16, round(luck - place / 10 + source.gauss(0, 0.7))))
            row = made_row(number, cards, name, own, sent=f"D:S{source.choice('234')} E:H2")
            yield failed(row, f"no parcel from {name}") if source.random() < errors else row


def random_cards(source: random.Random) -> Deal:
    """A whole pack, dealt."""
    pack = [suit * 16 + rank for suit in range(4) for rank in range(13)]
    source.shuffle(pack)
    return Deal((mask_of(pack[:16]), mask_of(pack[16:32]), mask_of(pack[32:48])), mask_of(pack[48:]))


def real_rows(deals: int, seed: int = 1) -> Iterator[Row]:
    """Rows with real floors: middle sends his lowest cards, or his highest."""
    from tierce.solver.advice.quick import reply_quickly
    from tierce.solver.advice.sending import due, exchange_of_deal, sent
    from tierce.solver.games import load_game, random_deal
    from tierce.solver.position import Position
    from tierce.solver.solve import floors

    game = load_game("raf")
    for number in range(deals):
        deal = random_deal(game, seed, number)
        state = exchange_of_deal(game, deal, (10, 4, 2))
        held = sorted(cards_of(state.hands[due(state)[0].sender]), key=lambda card: card % 16)
        for name in ("lowest", "highest"):
            left, parcels = list(held if name == "lowest" else reversed(held)), []
            for each in due(state):
                parcels.append(mask_of(left[: each.count]))
                left = left[each.count :]
            way = sent(state, parcels)
            played = reply_quickly(way.state)
            found = floors(Position(played.hands, played.trump, played.leader)).tricks
            seat = way.sends[0].sender
            yield {
                "deal": number,
                "cards": str(deal),
                "strategy": name,
                "sender": "DEM"[seat],
                "sent": " ".join(f"{'DEM'[each.receiver]}:{card_names(each.sent)}" for each in way.sends),
                "returned": " ".join(f"{'DEM'[each.receiver]}:{card_names(each.returned)}" for each in way.sends),
                "trump": trump_name(played.trump),
                "discard": format_hand(played.discard),
                "floor_d": found["D"],
                "floor_e": found["E"],
                "floor_m": found["M"],
                "own": found["DEM"[seat]],
                "balance": found["DEM"[seat]] - game.quotas[seat],
                "error": None,
            }
