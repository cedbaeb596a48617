"""The curve of a reviewed contract: what it was worth from card to card, what it needs, and where it turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.report.contract_words import head
from tierce.solver.report.markup import Markup, element
from tierce.solver.report.plots import WIDTH, Scale, drawing

__all__ = ["worth_curve"]

_LEFT: Final = 26
_RIGHT: Final = 10
_TOP: Final = 10
_HIGH: Final = 130
_CLOSE: Final = 11  # marks that are nearer than this are set one above the other


def worth_curve(review: ContractReview, name: str) -> Markup:
    """The declarers' worth as a line of steps, what they need as a dotted one, turning points by their numbers. `name`
    is its own on the page."""
    few = review.ledger is not None and review.ledger.fewest
    tricks = Scale(0, max(1, review.total), 2 if review.total <= 12 else 4, _LEFT, WIDTH - _LEFT - _RIGHT)
    worth = Scale(0, 1, 1, _TOP + _HIGH, -_HIGH) if few else Scale(0, max(1, review.total), 4, _TOP + _HIGH, -_HIGH)
    inside = [*_axes(tricks, worth), *_line(review, tricks, worth), *_needs(review, worth), _now()]
    about = f"{_about(review)} The table of tricks has the numbers."
    return drawing(name, f"Worth of {head(review)}", about, _TOP + _HIGH + 32, *inside, *_marks(review, tricks, worth))


def _now() -> Markup:
    """Where the script is."""
    ends = {"data_from": _LEFT, "data_to": WIDTH - _RIGHT}
    return element("line", x1=_LEFT, x2=_LEFT, y1=_TOP, y2=_TOP + _HIGH, class_="now", **ends)


def _about(review: ContractReview) -> str:
    values = _worths(review)
    needs = 0 if review.contract is None else review.contract.rule.needs
    return f"It begins at {values[0]} and ends at {values[-1]}; {needs or 'none'} {'are' if needs else 'is'} needed."


def _worths(review: ContractReview) -> list[int]:
    ledger = review.ledger
    return [0] if ledger is None else [ledger.start, *(play.after for play in ledger.plays)]


def _places(review: ContractReview, tricks: Scale) -> list[float]:
    """Where each worth stands: before the first card that is accounted for, and after each."""
    state = review.deal.state
    count = len(_worths(review)) - 1
    first = sum(len(trick.cards) for trick in state.tricks) + len(state.trick) - count
    return [tricks.at((first + number) / 4) for number in range(count + 1)]


def _axes(tricks: Scale, worth: Scale) -> Iterator[Markup]:
    for value in range(0, int(worth.high) + 1, int(worth.step)):
        y = worth.at(value)
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="axis")
        yield element("text", str(value), x=_LEFT - 6, y=y + 4, text_anchor="end", class_="soft")
    for value in range(0, int(tricks.high) + 1, int(tricks.step)):
        yield element("text", str(value), x=tricks.at(value), y=_TOP + _HIGH + 15, text_anchor="middle", class_="soft")
    yield element("text", "after trick", x=WIDTH - _RIGHT, y=_TOP + _HIGH + 29, text_anchor="end", class_="soft")


def _line(review: ContractReview, tricks: Scale, worth: Scale) -> Iterator[Markup]:
    yield element("path", d=_steps(_places(review, tricks), worth, _worths(review)), class_="floor series-0")


def _steps(places: Sequence[float], worth: Scale, values: Sequence[int]) -> str:
    """A worth holds until the next card."""
    parts = [f"M{_short(places[0])} {_short(worth.at(values[0]))}"]
    for at, before, value in zip(places[1:], values, values[1:], strict=False):
        if value != before:
            parts.append(f"H{_short(at)}V{_short(worth.at(value))}")
    return "".join(parts) + f"H{_short(places[-1])}"


def _short(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _needs(review: ContractReview, worth: Scale) -> Iterator[Markup]:
    if review.contract is not None and not review.contract.rule.fewest:
        y = worth.at(review.contract.rule.needs)
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="quota")


def _marks(review: ContractReview, tricks: Scale, worth: Scale) -> Iterator[Markup]:
    """Diamonds with the numbers that the turning points have in their list."""
    places, last, high = _places(review, tricks), -100.0, 0
    for number, turn in enumerate(review.turns, 1):
        x, y = places[turn.number + 1], worth.at(turn.play.after)
        yield element("path", d=f"M{_short(x - 5)} {_short(y)}l5-5 5 5-5 5z", class_="turn series-0")
        high = high + 1 if x - last < _CLOSE else 0
        last = x
        above = y - 8 - 11 * high
        text = above if above > _TOP else y + 18 + 11 * high
        yield element("text", str(number), x=x, y=text, text_anchor="middle", class_="halo")
