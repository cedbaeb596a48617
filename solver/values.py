"""Values of cards and lines of play, from exact answers of one solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tierce.solver.cards import SUITS, Card
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import Query, taken_by
from tierce.solver.results import CardValue, CardValues

__all__ = ["Ask", "card_values_by", "line_by", "touching"]

# position, low, high, first guess -> tricks of the counted side still to come (clamped to the interval), milliseconds
Ask = Callable[[Position, int, int, int], tuple[int, float]]


def touching(position: Position) -> Iterator[list[Card]]:
    """The mover's legal cards in groups of touching ones, suits S H D C, high cards first."""
    legal, others = position.legal(), position.in_play & ~position.legal()
    for suit in SUITS:
        group: list[Card] = []
        for card in range(16 * suit + 12, 16 * suit - 1, -1):
            if legal >> card & 1:
                group.append(card)
            elif others >> card & 1 and group:
                yield group
                group = []
        if group:
            yield group


def card_values_by(ask: Ask, query: Query, nodes: Callable[[], int]) -> CardValues:
    """Solve for the position, then for each group of touching cards starting from the position's value."""
    position, side, objective = query.position, query.sides[0], query.objective
    mover, total = position.mover, position.tricks
    inside = side >> mover & 1
    if not position.left:
        raise InputError("position", "expected a player to move, found a hand that is over", field="play")
    counts_up = (objective == "most") == bool(inside)  # does the mover want the counted tricks to be many?
    taken = taken_by(position, side)
    value, millis = ask(position, 0, position.left, -1)
    value += taken
    found: list[tuple[Card, int, int]] = []
    for number, group in enumerate(touching(position)):
        after = position.play(group[0])
        before = taken_by(after, side)
        # No card does better than the position is worth.
        low, high = (0, min(after.left, value - before)) if counts_up else (max(0, value - before), after.left)
        worth, spent = ask(after, low, high, value - before)
        millis += spent
        worth += before
        found += [(card, worth if inside else total - worth, number) for card in group]
    worths = [tricks for _, tricks, _ in found]
    best = max(worths) if objective == "most" else min(worths)
    own = side if inside else (1 << position.n) - 1 & ~side
    return CardValues(
        mover,
        own,
        position.n,
        objective,
        tuple(CardValue(card, tricks, tricks == best, number) for card, tricks, number in found),
        taken_by(position, own),
        nodes(),
        millis,
        best,
    )


def line_by(ask: Ask, query: Query) -> tuple[Card, ...]:
    """Best play by all: of the cards that keep the value the lowest, suits in the order S H D C."""
    position, side = query.position, query.sides[0]
    line: list[Card] = []
    if not position.left:
        return ()
    value = ask(position, 0, position.left, -1)[0] + taken_by(position, side)
    while position.left:
        for card in sorted((group[-1] for group in touching(position)), key=lambda card: (card & 15, card)):
            after = position.play(card)
            need = value - taken_by(after, side)
            if 0 <= need <= after.left and keeps(ask, after, need):
                break
        else:
            raise AssertionError("no card keeps the value of the position")
        line.append(card)
        position = after
    return tuple(line)


def keeps(ask: Ask, after: Position, need: int) -> bool:
    """Is the position after a card still worth `need`? At most two zero-window questions."""
    if not after.left:
        return need == 0
    low, high = max(0, need - 1), min(after.left, need + 1)
    return ask(after, low, high, need)[0] == need
