"""Play by rules of thumb, and how deals end that are played so.

A policy is a few numbers (greedy.pxd says what each does): the declarer plays the card most likely to win the trick,
less a part of what the card would be worth as a lead. It looks at nothing he does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tierce.solver.errors import InputError
from tierce.solver.piles.objectives import Objective

__all__ = ["FEWEST", "GREEDY", "KEEPING", "SAVING", "Policy", "policy_for"]


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules of thumb.

    second  what a card costs that is played on pile 2's lead, as a part of its chance to stand if it were led
    last    ... that is played when both piles have turned their cards
    save_led   what a card costs that is led, for the part of the cards face down that it beats if they are led
    save    ... that is played second or last
    part    tricks expected of cards whose chances to stand add up to one
    hold    what the king or queen of a marriage costs that may still be declared
    late    cards in hand from which on a marriage is declared that may cost tricks, if points gain by it
    fewest  play for no tricks
    """

    second: float = 0.05
    last: float = 0.05
    save_led: float = 0.0
    save: float = 0.0
    part: float = 0.5
    hold: float = 0.0
    late: int = 18
    fewest: bool = False

    def __post_init__(self) -> None:
        """InputError (field "policy")."""
        if not 0 <= self.late <= 18:
            raise InputError("policy", f"expected 0 to 18 cards for late, found {self.late!r}", field="policy")

    def native(self) -> tuple[float, float, float, float, float, float, int, float]:
        """As `Table` takes it."""
        sign = -1.0 if self.fewest else 1.0
        return self.second, self.last, self.save_led, self.save, self.part, self.hold, self.late, sign


GREEDY: Final = Policy()  # the highest chance to win each trick, as cheaply as can be
SAVING: Final = Policy(0.9, 0.9, 3.0, 0.5)  # the same, but cards that win the lead back are led last
KEEPING: Final = Policy(0.9, 0.9, 3.0, 0.5, hold=1.5, late=6)  # ... and a marriage waits until it costs no tricks
FEWEST: Final = Policy(fewest=True)


def policy_for(wish: Objective) -> Policy:
    """The rules of thumb that fit an objective."""
    if wish.few:
        return FEWEST
    return KEEPING if wish.by_suits else SAVING
