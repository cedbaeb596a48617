"""Curves of a reviewed hand: what a seat was sure of from card to card, its fair share, and where it turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.advice.review_results import Review, Turn
from tierce.solver.cards import SEATS3
from tierce.solver.report.hands import SEAT_NAMES
from tierce.solver.report.markup import Markup, element
from tierce.solver.report.plots import WIDTH, Scale, drawing
from tierce.solver.report.review_data import first_play

__all__ = ["seat_curve"]

_LEFT: Final = 26
_RIGHT: Final = 10
_TOP: Final = 10
_HIGH: Final = 130
_CLOSE: Final = 11  # marks that are nearer than this are set one above the other


def seat_curve(review: Review, seat: int, name: str) -> Markup:
    """A seat's guarantee as a line of steps, its fair share as a broken one, all to its ceiling as a wash; its quota as
    a dotted line; turning points by their numbers. `name` is its own on the page."""
    tricks = Scale(0, max(1, review.total), 2 if review.total <= 12 else 4, _LEFT, WIDTH - _LEFT - _RIGHT)
    worth = Scale(0, _top(review), 2 if _top(review) <= 8 else 4, _TOP + _HIGH, -_HIGH)
    lines = [*_axes(tricks, worth), *_curves(review, seat, tricks, worth), _quota(review, seat, worth)]
    now = element(
        "line", x1=_LEFT, x2=_LEFT, y1=_TOP, y2=_TOP + _HIGH, class_="now", data_from=_LEFT, data_to=WIDTH - _RIGHT
    )
    marks = _marks(review, seat, tricks, worth)
    title = f"{SEAT_NAMES[SEATS3[seat]]}: {'cap' if review.few else 'floor'} from trick to trick"
    return drawing(name, title, _about(review, seat), _TOP + _HIGH + 32, *lines, now, *marks)


def _top(review: Review) -> int:
    return review.total + review.kitty


def _about(review: Review, seat: int) -> str:
    values = [review.counted(each)[seat] for each in _guarantees(review)]
    ends = f"It begins at {values[0]} and ends at {values[-1]}; {review.quotas[seat]} "
    return ends + ("are allowed." if review.few else "are owed.") + " The table of tricks has the numbers."


def _guarantees(review: Review) -> list[tuple[int, int, int]]:
    return [review.ledger.start, *(play.after for play in review.ledger.plays)]


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _axes(tricks: Scale, worth: Scale) -> Iterator[Markup]:
    for value in range(0, int(worth.high) + 1, int(worth.step)):
        y = worth.at(value)
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="axis")
        yield element("text", str(value), x=_LEFT - 6, y=y + 4, text_anchor="end", class_="soft")
    for value in range(0, int(tricks.high) + 1, int(tricks.step)):
        at = tricks.at(value)
        yield element("text", str(value), x=at, y=_TOP + _HIGH + 15, text_anchor="middle", class_="soft")
    yield element("text", "after trick", x=WIDTH - _RIGHT, y=_TOP + _HIGH + 29, text_anchor="end", class_="soft")


def _curves(review: Review, seat: int, tricks: Scale, worth: Scale) -> Iterator[Markup]:
    places = [tricks.at((first_play(review) + number) / 3) for number in range(len(review.ledger.plays) + 1)]
    floors = [review.counted(each)[seat] for each in _guarantees(review)]
    if not review.few:
        ceilings = [review.ceilings(each)[seat] for each in _guarantees(review)]
        shares = [review.shares(each)[seat] for each in _guarantees(review)]
        yield element("path", d=_between(places, worth, ceilings, floors), class_=f"wash fill-{seat}")
        yield element("path", d=_steps(places, worth, shares), class_=f"share series-{seat}")
    yield element("path", d=_steps(places, worth, floors), class_=f"floor series-{seat}")


def _steps(places: Sequence[float], worth: Scale, values: Sequence[float]) -> str:
    """A value holds until the next card."""
    parts = [f"M{_short(places[0])} {_short(worth.at(values[0]))}"]
    for at, before, value in zip(places[1:], values, values[1:], strict=False):
        if value != before:
            parts.append(f"H{_short(at)}V{_short(worth.at(value))}")
    return "".join(parts) + f"H{_short(places[-1])}"


def _between(places: Sequence[float], worth: Scale, above: Sequence[float], below: Sequence[float]) -> str:
    back = _steps(places[::-1], worth, [*below[-2::-1], below[0]] if len(below) > 1 else below)
    return f"{_steps(places, worth, above)}V{_short(worth.at(below[-1]))}{back.replace('M', 'L', 1)}Z"


def _short(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _quota(review: Review, seat: int, worth: Scale) -> Markup:
    y = worth.at(min(review.quotas[seat], worth.high))
    return element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="quota")


def _marks(review: Review, seat: int, tricks: Scale, worth: Scale) -> Iterator[Markup]:
    """Diamonds with the numbers that the turning points have in their list."""
    last, high = -100.0, 0
    for number, turn in enumerate(review.turns, 1):
        if not _concerns(turn, seat):
            continue
        x = tricks.at((first_play(review) + turn.number + 1) / 3)
        y = worth.at(review.counted(turn.play.after)[seat])
        yield element("path", d=f"M{_short(x - 5)} {_short(y)}l5-5 5 5-5 5z", class_=f"turn series-{seat}")
        high = high + 1 if x - last < _CLOSE else 0
        last = x
        above = y - 8 - 11 * high
        text = above if above > _TOP else y + 18 + 11 * high
        yield element("text", str(number), x=x, y=text, text_anchor="middle", class_="halo")


def _concerns(turn: Turn, seat: int) -> bool:
    """Did it change this seat's quota, or cost it two tricks?"""
    return any(each == seat for each, _, _ in turn.changes) or (turn.play.seat == seat and turn.play.loss >= 2)
