"""What a hint says: the choices that are open, the best first, each with what it is worth and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.estimate_results import Figure, told_apart
from tierce.solver.cards import SEATS3, card_name, card_names
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.hints.objectives import By

__all__ = ["METHODS", "OTHERS", "Hint", "Method", "Option", "Others", "Side", "What", "action_json"]

Json: TypeAlias = dict[str, Any]
What: TypeAlias = Literal["card", "trump", "discard", "parcel", "call", "bid", "swap"]
Method: TypeAlias = Literal["rule", "pimc", "playouts", "tree", "ending"]
Others: TypeAlias = Literal["conspiring", "rules", "hint"]
Side: TypeAlias = Literal["", "declarers", "defenders"]
METHODS: Final[tuple[Method, ...]] = ("rule", "pimc", "playouts", "tree", "ending")
OTHERS: Final[tuple[Others, ...]] = ("conspiring", "rules", "hint")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice after some worlds.

    actions   what is done, in its order: one action, or those that are decided together (a trump with its discard, two
              parcels); the first is due now
    value     the mean of the objective's points, and its standard error
    tricks    the mean of the tricks taken in the whole deal, those the seat has already among them; in a game of
              contracts those of its side
    quota     how often the quota is made, or the contract; chance: which of them
    worlds    so many
    """

    actions: tuple[Action, ...]
    value: Figure
    tricks: Figure
    quota: float
    worlds: int
    chance: Literal["quota", "made"] = "quota"

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {}
        for action in self.actions:
            out = _merged(out, action_json(action))
        out |= self.value.json("value") | self.tricks.json("tricks")
        return out | {self.chance: round(self.quota, 4), "worlds": self.worlds}


@dataclass(frozen=True, slots=True)
class Hint:
    """A decision, from what a seat can see.

    what      which decision it is; seat: whose
    options   the choices that were valued, the best first; a forced one stands alone, with values of no error
    by        the objective; method: how the values were found; others: how the other players are taken to play
    seed      of the worlds; fit: how many worlds fit the view; worlds: so many were met by the best choice
    effective worlds that the weights leave: fewer than `worlds` where some are much more likely than others
    margin    how far the best is ahead of the runner-up in the same worlds, None where there is none
    forced    was there but one choice?
    settled   is the choice told apart from the runner-up, or the same in all worlds?
    complete  were all worlds done that were asked for?
    why       a sentence
    millis    wall time
    letters   of the game's seats; side: of the seat, in the play of a contract
    """

    what: What
    seat: int
    options: tuple[Option, ...]
    by: By
    method: Method
    others: Others
    seed: int
    fit: int
    worlds: int
    effective: float
    margin: Figure | None
    forced: bool
    settled: bool
    complete: bool
    why: str
    millis: float
    letters: str = SEATS3
    side: Side = ""

    @property
    def best(self) -> Option:
        """The choice."""
        return self.options[0]

    @property
    def action(self) -> Action:
        """What to do now."""
        return self.options[0].actions[0]

    @property
    def told_apart(self) -> bool:
        """Is the lead over the runner-up too large to be chance?"""
        count = self.worlds if self.method == "ending" else int(self.effective)
        return self.margin is not None and told_apart(self.margin, count)

    def json(self, most: int | None = None) -> Json:
        """As JSON values. `most`: options listed, None: all."""
        out: Json = {"kind": "estimate", "decision": self.what, "seat": self.letters[self.seat]}
        out |= {"side": self.side} if self.side else {}
        out |= {"best": self.best.json(), "options": [each.json() for each in self.options[:most]]}
        out |= {"tried": len(self.options), "by": self.by, "method": self.method, "others": self.others}
        out |= {"seed": self.seed, "worlds": self.worlds, "fit": self.fit, "effective": round(self.effective, 1)}
        out |= {"margin": None, "margin_error": None} if self.margin is None else self.margin.json("margin")
        out |= {"forced": self.forced, "settled": self.settled, "complete": self.complete, "why": self.why}
        return out | {"millis": round(self.millis, 3)}


def action_json(action: Action) -> Json:
    """An action of a player as JSON values."""
    match action:
        case Play():
            return {"card": card_name(action.card)}
        case NameTrump():
            return {"trump": "SHDCN"[action.trump]}
        case Discard():
            return {"discard": card_names(action.cards)}
        case Send():
            return {"parcels": [{"to": "DEM"[action.to], "cards": card_names(action.cards)}]}
        case Call():
            return {"call": action.call}
        case Bid():
            return {"bid": action.bid}
        case Swap():
            return {"swap": action.take}
    raise AssertionError(f"no decision of a player: {action!r}")


def _merged(out: Json, more: Json) -> Json:
    """Two parcels are one list."""
    if "parcels" in out and "parcels" in more:
        return out | {"parcels": out["parcels"] + more["parcels"]}
    return out | more
