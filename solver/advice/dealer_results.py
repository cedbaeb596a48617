"""What is known about a dealer's decision: call by call, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tierce.solver.advice.choices import Choice, DealerChoices
from tierce.solver.advice.values import Worth
from tierce.solver.cards import cards_of, format_hand, rank_of, side_name

__all__ = ["CallAdvice", "Chosen", "DealerAdvice", "choice_json"]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CallAdvice:
    """The best after one call, in scores (see `Worth`; `tricks` is the number for people).

    low, high   proved bounds of the best score of all choices; equal when it is known
    choices     those known to reach `low`, low cards first; all of them if `counted`
    counted     is every choice decided, so that `count` is exact?
    """

    call: str
    worth: Worth
    low: int
    high: int
    choices: tuple[Choice, ...]
    counted: bool

    @property
    def complete(self) -> bool:
        """Is the best value known?"""
        return self.low == self.high

    @property
    def tricks(self) -> float:
        """The best value known to be reached, in tricks; of a cap the lowest."""
        return self.worth.told(self.low)

    @property
    def count(self) -> int:
        """How many choices reach it, or how many are known so far."""
        return len(self.choices)

    @property
    def bounds(self) -> tuple[float, float]:
        """The best value in tricks: at least and at most."""
        ends = self.worth.told(self.low), self.worth.told(self.high)
        return min(ends), max(ends)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that was made, and the bounds of its score."""

    call: str
    choice: Choice
    worth: Worth
    low: int
    high: int

    @property
    def tricks(self) -> float:
        """Its value in tricks, if it is known (see `complete`)."""
        return self.worth.told(self.low)

    @property
    def complete(self) -> bool:
        """Is its value known?"""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class DealerAdvice:
    """The dealer's best calls and discards, all hands known.

    calls     one result for each open call, in the order S H D C N MIZ
    target    tricks asked for (a choice then counts if it reaches them), or None
    chosen    what was really chosen, or None
    nodes     starts of tricks searched; millis: wall time
    stop      0, or why the search ended early (tierce.solver.search.STOP_*)
    """

    choices: DealerChoices
    kind: str
    calls: tuple[CallAdvice, ...]
    target: float | None
    chosen: Chosen | None
    nodes: int
    millis: float
    stop: int

    @property
    def complete(self) -> bool:
        """Is all known that was asked?"""
        return not self.stop and (self.chosen is None or self.chosen.complete) and all(map(self._settled, self.calls))

    def _settled(self, call: CallAdvice) -> bool:
        return call.counted if self.target is not None else call.complete

    @property
    def ranked(self) -> tuple[CallAdvice, ...]:
        """The calls from best to worst by balance (tricks and quota), those equal in their usual order."""
        return tuple(sorted(self.calls, key=lambda call: -self.balance(call)))

    @property
    def best(self) -> CallAdvice:
        """The best call by balance; of equal ones the first."""
        return self.ranked[0]

    @property
    def margin(self) -> float | None:
        """What the best call gains over the next, in tricks of balance; None before both are known."""
        ranked = self.ranked
        known = self.target is None and all(call.complete for call in self.calls)
        return None if len(ranked) < 2 or not known else round(self.balance(ranked[0]) - self.balance(ranked[1]), 4)

    @property
    def loss(self) -> float | None:
        """What the choice made cost, in tricks of balance; None if none is given or values are not known."""
        if self.chosen is None or self.target is not None:
            return None
        if not (self.chosen.complete and all(call.complete for call in self.calls)):
            return None
        return round(self.balance(self.best) - self.balance(self.chosen), 4)

    def quota(self, worth: Worth) -> int:
        """The tricks owed by the seats that a value counts; of a cap those allowed."""
        profile = self.choices.profile
        owed = profile.caps() if worth.kind == "cap" else self.choices.quotas
        return sum(owed[seat] for seat in range(3) if worth.side >> seat & 1)

    def balance(self, of: CallAdvice | Chosen) -> float:
        """A value against the quota: how much it is over, below 0 how much it falls short."""
        quota = self.quota(of.worth)
        return quota - of.tricks if of.worth.kind == "cap" else of.tricks - quota

    def json(self, most: int | None = 10) -> Json:
        """As JSON values. `most`: discards listed a call; None: all."""
        out: Json = {"trumps": [self._call_json(call, most) for call in self.calls]}
        best = self.best
        if self.target is None:
            out["best"] = self._call_json(best, 0) | (choice_json(best.choices[0]) if best.choices else {})
            for listed in ("discards", "swaps"):
                out["best"].pop(listed, None)
            out["margin"] = self.margin
        else:
            out["target"] = self.target
        out["kind"] = best.worth.kind
        if best.worth.kind == "side":
            out["side"] = side_name(best.worth.side, 3)
        if self.chosen is not None:
            out["chosen"] = self._chosen_json(self.chosen)
        out["complete"] = self.complete
        return out | {"nodes": self.nodes, "millis": round(self.millis, 3)}

    def _call_json(self, call: CallAdvice, most: int | None) -> Json:
        listed = call.choices if most is None else call.choices[:most]
        out: Json = {"trump": call.call}
        if self.target is None:
            if call.complete or call.choices:
                out["tricks"] = call.tricks
            if not call.complete:
                out["bounds"] = list(call.bounds)
        if call.worth.kind == "cap":
            out["kind"] = "cap"
        out["count"] = call.count
        if not call.counted:
            out["counted"] = False
        if self.choices.count:
            out["discards"] = [format_hand(choice.discard) for choice in listed]
        elif self.choices.swapper == 0:
            out["swaps"] = [bool(choice.swap) for choice in listed]
        return out

    def _chosen_json(self, chosen: Chosen) -> Json:
        out: Json = {"trump": chosen.call} | choice_json(chosen.choice)
        if chosen.complete:
            out["tricks"] = chosen.tricks
        else:
            out["bounds"] = sorted((chosen.worth.told(chosen.low), chosen.worth.told(chosen.high)))
        return out | {"loss": self.loss}


def choice_json(choice: Choice) -> Json:
    """A choice as JSON values: a discard as a hand, a swap, or nothing where the call is all there is to choose."""
    if choice.swap is not None:
        return {"swap": choice.swap}
    return {"discard": format_hand(choice.discard)} if choice.discard else {}


def cheapest_first(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Discards in the order in which they are listed: those of low cards first; a swap before none."""
    return tuple(sorted(choices, key=_cost))


def _cost(choice: Choice) -> tuple[int, tuple[int, ...], bool]:
    cards = cards_of(choice.discard)
    return sum(map(rank_of, cards)), cards, choice.swap is not True
