"""Questions written as text, the way a command line or a JSON line gives them; answers as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from tierce.solver.cards import (
    Mask,
    check_text,
    mask_of,
    parse_cards,
    parse_hand,
    parse_seat,
    parse_side,
    parse_trump,
    seat_letters,
    trump_name,
)
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import Floors, Objective, SideResult

__all__ = ["Asked", "Json", "parse_discard", "result_json"]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as typed; None where nothing was said. `query` reads it, InputError naming the field at fault.

    deal      deal text; with a kitty, `discard` (cards: "SK S2 CK C8", or a hand: "K2...K8") must be told
    trump     S H D C N, NT, none
    leader    of the first trick; three hands: E unless told; four: the seat left of `dealer`, which is N unless told
    side      seats counted together; left out: every seat of three hands, N and S of four
    play      cards already played, in order from the first lead
    """

    deal: str
    trump: str | None = None
    discard: str | None = None
    leader: str | None = None
    dealer: str | None = None
    side: str | None = None
    objective: str = "most"
    play: str | None = None
    kitty_first: bool = False

    def played_deal(self) -> Deal:
        """The deal with its kitty settled."""
        deal = Deal.parse(self.deal)
        discard = None if self.discard is None else parse_discard(self.discard)
        return deal.with_discard(discard, kitty_first=self.kitty_first)

    def first_leader(self, n: int) -> int:
        """The seat that leads the first trick."""
        dealer = None
        if self.dealer is not None:
            if n == 3:
                raise InputError("seat", "expected no dealer with three hands: D deals", field="dealer")
            dealer = parse_seat(self.dealer, n, field="dealer")
        if self.leader is not None:
            return parse_seat(self.leader, n, field="leader")
        return 1 if dealer is None else (dealer + 1) % n

    def query(self) -> Query:
        """The question to the solver."""
        if self.trump is None:
            raise InputError("trump", "expected a trump (S H D C N), found none", field="trump")
        trump = parse_trump(self.trump)
        return self.query_for(self.played_deal(), trump)

    def query_for(self, deal: Deal, trump: int) -> Query:
        """The question about a deal already read."""
        n = len(deal.hands)
        play = () if self.play is None else parse_cards(self.play, field="play")
        position = Position.start(deal, trump, self.first_leader(n), play)
        side = None if self.side is None else parse_side(self.side, n)
        if side is None and n == 4:
            side = 0b0101
        if self.objective not in get_args(Objective):
            message = f"expected 'most' or 'fewest', found {shown(self.objective)}"
            raise InputError("objective", message, field="objective")
        return Query(position, side, cast(Literal["most", "fewest"], self.objective))


def parse_discard(text: str) -> Mask:
    """A discard as cards or as a hand. A hand has dots, and cards have none."""
    check_text(text, "discard", "a discard")
    if "." in text:
        return parse_hand(text, field="discard")
    try:
        return mask_of(parse_cards(text, field="discard"))
    except InputError as error:
        if error.code in ("duplicate_card", "control_character", "too_long"):
            raise
        message = f"expected cards such as 'H8 H7 CQ C4' or a hand such as .87..Q4, found {shown(text)}"
        raise InputError(error.code, message, field="discard") from None


def result_json(query: Query, result: SideResult | Floors) -> Json:
    """An answer as JSON values: tricks by seat or side, or, where a limit came first, bounds."""
    position = query.position
    out: Json = {
        "kind": result.kind,
        "objective": result.objective,
        "trump": trump_name(position.trump),
        "leader": seat_letters(position.n)[position.leader],
    }
    if isinstance(result, SideResult):
        out |= {"tricks": {result.name: result.low}, "taken": {result.name: result.taken}}
        bounds: Mapping[str, tuple[int, int]] = {result.name: (result.low, result.high)}
    else:
        out |= {"tricks": {side.name: side.low for side in result.sides}, "taken": result.taken}
        bounds = result.bounds
        if result.complete and (share := result.share) is not None:
            out |= {
                "surplus": result.surplus,
                "share": {seat: round(tricks, 4) for seat, tricks in share.items()},
                "ceiling": result.ceiling,
                "pairs": result.pairs,
            }
    if not result.complete:
        del out["tricks"]
        out |= {"complete": False, "bounds": {seat: list(pair) for seat, pair in bounds.items()}}
    return out | {"nodes": result.nodes, "millis": round(result.millis, 3)}
