"""Hands of Solo Whist to review: made by hand, played by lot, and those of the golden playthroughs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from tests.games.solo_matches import played, settings_of, whist
from tierce.solver.cards import parse_card
from tierce.solver.deal import Deal
from tierce.solver.games import Record, ReplayedDeal, read_records, record_of, replay
from tierce.solver.games.record import DealRecord

DATA: Final = Path(__file__).parents[1] / "data"
NAMES: Final = ("Ann", "Bob", "Cid", "Dot")
N, E, S, W = range(4)

# South bids Misère. His ace of clubs is taken out in three rounds of clubs, or he throws it on the fourth diamond.
ESCAPE: Final = "N:QJT.JT98.T98.987 AK.AKQ.AKQJ.KQJT 5432.432.432.A32 9876.765.765.654"
DIAMONDS: Final = "DA D2 D5 D8 DK D3 D6 D9 DQ D4 D7 DT"
# Each seat holds a suit; who leads it, or has it as trump, takes all.
APART: Final = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def hand(
    text: str,
    bids: Sequence[str | None],
    play: str = "",
    *,
    dealer: int = N,
    turned: str | None = None,
    trump: str = "",
    claim: tuple[int, ...] | None = None,
    **options: str | int | bool,
) -> ReplayedDeal:
    """A deal made by hand, the first of its match; turned up is the dealer's highest spade (or other) unless told."""
    deal = Deal.parse(text)
    card = deal.hands[dealer].bit_length() - 1 if turned is None else parse_card(turned)
    cards = tuple(map(parse_card, play.split()))
    told = DealRecord(deal, dealer, tuple(bids), call=trump, play=cards, claim=claim, turned=card)
    (found,) = replay(Record(whist(**options), (told,), None, NAMES)).deals
    return found


def escape(play: str = "", claim: tuple[int, ...] | None = None) -> ReplayedDeal:
    """South's Misère, East leading."""
    return hand(ESCAPE, (None, "misere", None, None), play, claim=claim)


def match(seed: int, deals: int = 8, claims: float = 0.004) -> tuple[ReplayedDeal, ...]:
    """Deals of a match by lot, any settings of its options."""
    rng = random.Random(seed)
    return replay(record(rng, deals, claims)).deals


def record(rng: random.Random, deals: int, claims: float = 0.004) -> Record:
    """The record of a match by lot."""
    return record_of([after for _, _, after in played(rng, settings_of(rng), deals, claims)], NAMES)


@cache
def golden() -> tuple[ReplayedDeal, ...]:
    """A hand of each contract made and each failed, two void deals."""
    file = DATA / "solo_playthroughs.jsonl"
    return tuple(deal for each in read_records(file.read_bytes(), file.name) for deal in replay(each).deals)
