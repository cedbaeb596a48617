"""Writes the files of `golden/`, which pin the format: `python -m tests.games.sumgait.make_golden`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.games.sumgait.support import match, record_by_lot
from tierce.solver.games import write_any
from tierce.solver.games.sumgait import Record, Stated, record_of, replay

GOLDEN = Path(__file__).parent / "golden"


def whole() -> Record:
    """A match to its end, a fifth of it with its cards; the last deal's columns are stated."""
    for seed in range(2000):
        states = list(match(seed, deals=40, told=0.85))
        record = record_of(states, ("Ann", "Ben", "Cem"))
        calls = {deal.call for deal in record.deals}
        if states[-1].phase == "OVER" and len(record.deals) < 25 and len(calls) == 3 and record.deals[-1].tricks:
            result = replay(record).deals[-1].result
            assert result is not None
            game, vist = ([getattr(tally, name) for tally in result.tallies] for name in ("game", "vist"))
            stated = Stated(result.tricks, tuple(game), tuple(vist))
            return replace(record, deals=(*record.deals[:-1], replace(record.deals[-1], stated=stated)))
    raise AssertionError


def later() -> Record:
    """Begins with the third deal of its match and ends within a trick."""
    for seed in range(2000):
        record = record_by_lot(seed, {"joker_resolution": "kill", "robbery_scope": "match"}, skip=2, told=0.5)
        if record is not None and record.context is not None and record.context.robbers and record.deals[-1].piles:
            deal = record.deals[-1]
            place = len(deal.play) // 2 // 3 * 3 + 1
            declared = tuple(each for each in deal.marriages if (each.trick or 0) <= place // 3)
            if place > 6 and not (deal.marriages and not declared):
                return replace(
                    record, deals=(*record.deals[:-1], replace(deal, play=deal.play[:place], marriages=declared))
                )
    raise AssertionError


def deals() -> Iterator[Record]:
    """A deal of each call: after a robbery with several marriages, with three piles, with a misère."""
    for call in ("play", "pass", "misere"):
        for seed in range(5000):
            record = record_by_lot(seed, told=0.0)
            assert record is not None
            deal = record.deals[0]
            if deal.call == call and bool(deal.rob) == (call == "play") and (call != "play" or len(deal.marriages) > 1):
                yield replace(record, deals=record.deals[:1])
                break
        else:
            raise AssertionError(call)


def files() -> Iterator[tuple[str, str]]:
    """Names and contents."""
    yield "match.json", write_any([whole()])
    yield "later.json", write_any([later()])
    yield "deals.jsonl", write_any(deals())


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in files():
        (GOLDEN / name).write_text(text, encoding="utf-8")
