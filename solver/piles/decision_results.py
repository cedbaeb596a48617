"""What a hint in Sumgait Driller says: the choices of a decision, the best first, with what each is worth."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.estimate_results import Figure, told_apart
from tierce.solver.cards import SUIT_LETTERS
from tierce.solver.games.sumgait.actions import Action, Call, Early, Give, Play, Rob
from tierce.solver.games.sumgait.cards import card_name, card_names, suit_of
from tierce.solver.games.sumgait.prices import MISERE, PASS
from tierce.solver.games.sumgait.record_json import ROBBED
from tierce.solver.piles.results import Mean
from tierce.solver.piles.wants import By

__all__ = ["Choice", "Decision", "Method", "What", "action_json", "figure_of", "said"]

Json: TypeAlias = dict[str, Any]
What: TypeAlias = Literal["rob", "misere", "give", "call", "card"]
Method: TypeAlias = Literal["ending", "playouts", "rule"]
METHODS: Final[tuple[Method, ...]] = ("playouts", "ending")


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice and what it is worth.

    action   what is done; plan: what is called after it, "" where nothing is left to call
    value    the mean of what is wanted; tricks: the mean of the tricks in the whole deal
    ten      the chance of ten tricks; in MISERE, called or planned, of none; in PASS of six each
    worlds   random orders of the piles, or layouts of the cards, that it was valued in; 0 where the value is exact
    well     of a call, and of what is given for one: in so many of the orders it was played well too; most of the error
             is that of the mean of these
    """

    action: Action
    value: Figure
    tricks: Figure
    ten: float
    worlds: int
    plan: str = ""
    well: int = 0

    def json(self) -> Json:
        """As JSON values."""
        out = action_json(self.action)
        if self.plan and "call" not in out:
            out["plan"] = self.plan
        out |= self.value.json("value") | self.tricks.json("tricks")
        out |= {"ten": round(self.ten, 4), "worlds": self.worlds}
        return out | ({"played_well": self.well} if isinstance(self.action, Call | Give) else {})


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the declarer, from what he knows.

    what      which decision it is; choices: those that were valued, the best first
    by        what is wanted; game_weight: of a point of Game, where that is the match
    method    `playouts`: random orders played out; `ending`: the exact expectation; `rule`: nothing was looked at yet
    call      what is called, "" before that
    seed      of the orders; worlds: so many were met by the best choice
    margin    how far the best is ahead of the runner-up, None where there is none
    forced    was there but one choice? settled: is it told apart from the runner-up?
    complete  was all done that was asked for?
    why       a sentence; millis: wall time
    """

    what: What
    choices: tuple[Choice, ...]
    by: By
    game_weight: float
    method: Method
    call: str
    seed: int
    margin: Figure | None
    forced: bool
    settled: bool
    complete: bool
    why: str
    millis: float

    @property
    def best(self) -> Choice:
        """The choice."""
        return self.choices[0]

    @property
    def action(self) -> Action:
        """What to do."""
        return self.choices[0].action

    @property
    def worlds(self) -> int:
        """Of the best choice."""
        return self.best.worlds

    @property
    def told_apart(self) -> bool:
        """Is the lead over the runner-up too large to be chance?"""
        if self.margin is None:
            return False
        return self.margin.value > 1e-9 if self.method == "ending" else told_apart(self.margin, self.worlds)

    def json(self, most: int | None = None) -> Json:
        """As JSON values. `most`: choices listed, None: all."""
        out: Json = {"kind": "exact" if self.method == "ending" else "estimate", "decision": self.what}
        out |= {"seat": "declarer", "best": self.best.json(), "options": [each.json() for each in self.choices[:most]]}
        out |= {"tried": len(self.choices), "by": self.by}
        out |= {"game_weight": self.game_weight} if self.by == "match" else {}
        out |= {"method": self.method, "seed": self.seed, "worlds": self.worlds}
        out |= {"margin": None, "margin_error": None} if self.margin is None else self.margin.json("margin")
        out |= {"forced": self.forced, "settled": self.settled, "complete": self.complete, "why": self.why}
        return out | {"millis": round(self.millis, 3)}


def figure_of(mean: Mean) -> Figure:
    """A mean as hints tell it."""
    return Figure(mean.value, mean.error)


def action_json(action: Action) -> Json:
    """An action of the declarer as JSON values."""
    match action:
        case Rob():
            return {"rob": ROBBED[action.of or 0]}
        case Early():
            return {"misere": action.misere}
        case Give():
            return {"given": {"next": card_names(action.next), "other": card_names(action.other)}}
        case Call():
            return {"call": action.call}
        case Play():
            card: Json = {"card": card_name(action.card)}
            return card | ({"marriage": SUIT_LETTERS[suit_of(action.card)]} if action.marriage else {})
    raise AssertionError(f"no decision of the declarer: {action!r}")


def said(action: Action) -> str:
    """An action in a sentence."""
    match action:
        case Rob():
            return "robbing nobody" if action.of is None else f"robbing the {ROBBED[action.of]} player"
        case Early():
            return "calling MISERE" if action.misere else "not calling MISERE"
        case Give():
            return f"giving {card_names(action.next)} to the next player and {card_names(action.other)} to the other"
        case Call():
            return {PASS: "PASS", MISERE: "MISERE"}.get(action.call, "playing")
        case Play():
            name = card_name(action.card)
            return f"{name}, declaring {SUIT_LETTERS[suit_of(action.card)]}" if action.marriage else name
    raise AssertionError(f"no decision of the declarer: {action!r}")


def why_of(found: Decision) -> str:
    """A sentence."""
    sentence = _sentence(found)
    return sentence[0].upper() + sentence[1:]


def _sentence(found: Decision) -> str:
    best = said(found.action)
    if found.best.plan not in ("", "play") and found.what in ("give", "rob"):
        best += f", to call {found.best.plan.upper()}"
    if found.forced:
        return f"{best} is the only card that may be played."
    if found.method == "rule":
        return f"{best} by the rules of thumb; nothing was tried yet."
    if found.margin is None:
        nothing = ": PASS and MISERE have no chance of ten tricks" if found.by == "ten" and found.what == "call" else ""
        return f"{best}{nothing}."
    other = said(found.choices[1].action)
    exact = found.method == "ending"
    over = ", exactly, over all orders of the piles" if exact else f" in {found.worlds:,} random orders of the piles"
    over = f" in {found.worlds:,} random layouts" if found.what in ("rob", "misere") else over
    if found.margin.value <= 1e-9:
        return f"{best} and {other} {'are' if exact else 'were'} equal{over}{_nobody(found)}."
    if not exact and not float(_gap(found, Figure(found.margin.value, None)).split()[0]):
        return f"{best} and {other} came to next to the same{over}{_nobody(found)}."
    sure = "" if exact or found.told_apart else ", which may be chance"
    gap = _gap(found, found.margin)
    return f"{best} {'is' if exact else 'was'} {gap} than {other}{over}{sure}{_nobody(found)}."


def _nobody(found: Decision) -> str:
    """Of two robberies that come to much the same, how far they are ahead of none."""
    last = found.choices[-1]
    if found.what != "rob" or last.action != Rob(None) or len(found.choices) < 3:
        return ""
    errors = [figure.error or 0.0 for figure in (found.best.value, last.value)]
    ahead = Figure(found.best.value.value - last.value.value, hypot(*errors))
    return f"; it was {_gap(found, ahead)} than robbing nobody"


def _gap(found: Decision, margin: Figure) -> str:
    """`12.5 ±3.0 points better`."""
    few = found.call == MISERE
    scale, places, unit = {
        "points": (1, 1, "points better"),
        "ten": (100, 1, f"percentage points more likely to make {'no trick' if few else 'ten tricks'}"),
        "tricks": (1, 2, "tricks better"),
        "match": (1, 1, "points of the settlement better"),
    }[found.by]
    spread = f" ±{scale * margin.error:.{places}f}" if margin.error else ""
    return f"{scale * margin.value:.{places}f}{spread} {unit}"
