"""What is known about a sender's decision in the exchange: his ways to choose parcels, the best of them first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.sending import Way, due, sender_of
from tierce.solver.advice.values import Worth
from tierce.solver.cards import format_hand, side_name
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.state import State

__all__ = ["ExchangeAdvice", "WayAdvice", "sends_json"]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WayAdvice:
    """A way to choose the parcels, in scores (see `Worth`; `tricks` is the number for people).

    low, high   proved bounds of the sender's reply value
    best_case   what he has if every tie of a later decider's falls out best for him; None where it was not asked
    dealer      the best score of the dealer's after it, where all ways to go on agree on one and it is known
    """

    way: Way
    worth: Worth
    low: int
    high: int
    best_case: int | None = None
    dealer: int | None = None

    @property
    def complete(self) -> bool:
        """Is its value known?"""
        return self.low == self.high

    @property
    def tricks(self) -> float:
        """Its value in tricks, if it is known (see `complete`): what the sender is sure of."""
        return self.worth.told(self.low)

    @property
    def bounds(self) -> tuple[float, float]:
        """Its value in tricks: at least and at most."""
        return self.worth.told(self.low), self.worth.told(self.high)


@dataclass(frozen=True, slots=True)
class ExchangeAdvice:
    """A sender's best parcels, all hands known.

    state     where they are due; sender: his seat
    worth     what is counted; kind: its name as it was asked for (floor, share ...)
    total     how many ways there are
    ways      those that were looked at: first the best, of equal ones the most promising
    best      those that are known to reach the best value, or with a target those that reach it
    low, high   bounds of the best score
    target    tricks asked for, or None
    chosen    the way that was really chosen, or None
    after     the next sender's decision, once the best way is taken; None if nobody sends after it
    dealer    the dealer's own decision then, where he is the sender; None before all else is known
    nodes     starts of tricks searched; millis: wall time; stop: 0, or why the search ended early
    """

    state: State
    kind: str
    worth: Worth
    total: int
    ways: tuple[WayAdvice, ...]
    best: tuple[WayAdvice, ...]
    low: int
    high: int
    target: float | None
    chosen: WayAdvice | None
    after: ExchangeAdvice | None
    dealer: DealerAdvice | None
    nodes: int
    millis: float
    stop: int

    @property
    def sender(self) -> int:
        """Whose decision it is."""
        return sender_of(self.state)

    @property
    def owed(self) -> tuple[Transfer, ...]:
        """The parcels he owes."""
        return due(self.state)

    @property
    def complete(self) -> bool:
        """Is all known that was asked?"""
        own = not self.stop and (self.target is not None or self.low == self.high)
        return own and (self.after is None or self.after.complete)

    @property
    def counted(self) -> bool:
        """Is every way decided, so that the number of the best is exact?"""
        return not self.stop and len(self.ways) == self.total

    @property
    def tricks(self) -> float:
        """The best value known to be reached, in tricks."""
        return self.worth.told(self.low)

    @property
    def quota(self) -> int:
        """The tricks owed by the seats that the value counts."""
        return sum(self.state.quotas[seat] for seat in range(3) if self.worth.side >> seat & 1)

    @property
    def loss(self) -> float | None:
        """What the way that was chosen cost, in tricks; None if none is given or values are not known."""
        if self.chosen is None or not self.chosen.complete or self.low < self.high or self.target is not None:
            return None
        return round(self.tricks - self.chosen.tricks, 4)

    def json(self, most: int | None = 10) -> Json:
        """As JSON values. `most`: ways listed; None: all that reach the best value."""
        listed = self.best if most is None else self.best[:most]
        out: Json = {
            "sender": "DEM"[self.sender],
            "owes": [{"to": "DEM"[each.receiver], "count": each.count} for each in self.owed],
            "kind": "reply",
            "value": self.kind,
        }
        if self.worth.kind == "side":
            out["side"] = side_name(self.worth.side, 3)
        if self.target is not None:
            out["target"] = self.target
        elif self.low == self.high:
            out["tricks"] = self.tricks
        else:
            out["bounds"] = [self.worth.told(self.low), self.worth.told(self.high)]
        out |= {"ways": self.total, "judged": len(self.ways), "count": len(self.best)}
        out["parcels"] = [_way_json(each) for each in listed]
        if self.chosen is not None:
            out["chosen"] = _way_json(self.chosen) | {"loss": self.loss}
        if self.dealer is not None:
            out["dealer"] = self.dealer.json(1)
        if self.after is not None:
            out["next"] = self.after.json(most)
        return out | {"complete": self.complete, "nodes": self.nodes, "millis": round(self.millis, 3)}


def _way_json(found: WayAdvice) -> Json:
    out: Json = {"sends": sends_json(found.way.sends)}
    if found.complete:
        out["tricks"] = found.tricks
    else:
        out["bounds"] = list(found.bounds)
    if found.best_case is not None:
        out["best_case"] = found.worth.told(found.best_case)
    if found.dealer is not None:
        out["dealer_tricks"] = found.dealer
    return out


def sends_json(sends: tuple[Transfer, ...]) -> list[Json]:
    """Parcels, and what comes back for each where that is settled."""
    return [
        {"to": "DEM"[each.receiver], "cards": format_hand(each.sent)}
        | ({"returned": format_hand(each.returned)} if each.returned else {})
        for each in sends
    ]
