"""Writes the files of `golden/`, which pin the format: `python -m tests.records.make_golden`. Run it for a new version
of the format; files of an older one must still be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.records.support import finished, record_by_lot
from tierce.solver.games import Record, Stated, load_game, replay, write_record, write_records

GOLDEN = Path(__file__).parent / "golden"


def match() -> Record:
    """Two deals with names; the second states a result, one trick of it wrong."""
    record = replace(finished(load_game("raf"), 1, deals=2), players=("North", "East", "South"))
    result = replay(record).deals[1].result
    assert result is not None
    stated = Stated((result.tricks[0] + 1, *result.tricks[1:]), result.balances)
    return replace(record, deals=(record.deals[0], replace(record.deals[1], stated=stated)))


def auction() -> Record:
    """A dealer who became it by his bid, after one deal was passed out."""
    for seed in range(2000):
        record = record_by_lot(load_game("woburn"), seed, deals=2, claims=0.0, passes=0.85)
        if record is None or len(record.deals) < 2:
            continue
        first, second = (deal.bids for deal in record.deals)
        if first == (None, None, None) and second[0] is None and second != first and record.deals[1].play:
            return record
    raise AssertionError


def later() -> Record:
    """The third deal of its match, which ends within a trick."""
    for seed in range(2000):
        record = record_by_lot(load_game("nine_five_two_swap"), seed, skip=2, deals=1, claims=0.0)
        if record is not None and len(record.deals) == 1 and len(record.deals[0].exchange) == 2:
            return replace(record, deals=(replace(record.deals[0], play=record.deals[0].play[:20]),))
    raise AssertionError


def hands() -> tuple[Record, ...]:
    """Hands that are not of one match: a deal alone, a claim, options, an up-card."""
    bare = finished(load_game("deputy"), 3)
    claimed = finished(load_game("six_three_eight", {"goal": 20}), 3)
    deal = replace(claimed.deals[0], play=claimed.deals[0].play[:30], claim=(4, 2, 1))
    return (
        replace(bare, deals=(replace(bare.deals[0], call="", discard=None, kitty=None, play=()),)),
        replace(claimed, deals=(deal,)),
        finished(load_game("nine_five_three_one_card"), 3),
    )


def files() -> Iterator[tuple[str, str]]:
    """Names and contents."""
    yield "match.json", write_record(match())
    yield "match.pbn", write_record(match(), "pbn")
    yield "auction.json", write_record(auction())
    yield "auction.pbn", write_record(auction(), "pbn")
    yield "later.json", write_record(later())
    yield "later.pbn", write_record(later(), "pbn")
    yield "hands.jsonl", write_records(hands())
    yield "hands.pbn", write_records(hands(), "pbn")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in files():
        (GOLDEN / name).write_text(text, encoding="utf-8")
