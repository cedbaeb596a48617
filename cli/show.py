"""What `tierce solve` and `tierce cards` print for people."""

from __future__ import annotations

from tierce.cli.render import (
    SEAT_NAMES,
    STRAIN_NAMES,
    bold,
    card_text,
    dim,
    effort,
    grid,
    headline,
    say,
    table_picture,
)
from tierce.solver.asking import Json
from tierce.solver.cards import STRAIN_LETTERS, parse_card, seat_letters, side_name
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import Floors, SideResult

FLOOR = "A floor is what the seat is sure of even if both others play against it."
CAP = "A cap is the most the seat can be made to take when it tries to take few."


def opening(position: Position, first: int) -> None:
    """The table and what is being played."""
    for line in table_picture(position):
        say(line)
    say()
    say(headline(position, first))


def solved(query: Query, first: int, result: SideResult | Floors, out: Json) -> None:
    """The answer of `tierce solve`."""
    opening(query.position, first)
    say()
    if isinstance(result, Floors):
        _floors(result, query.position.n)
    else:
        _side(result, query.position)
    if "line" in out:
        say()
        lines = out["line"] if isinstance(out["line"], dict) else {"": out["line"]}
        for seat, cards in lines.items():
            _line(query.position, cards, f" when {seat} plays alone against the others" if seat else "")
    if "relevant" in out:
        say()
        sets = out["relevant"] if isinstance(out["relevant"], dict) else {"": out["relevant"]}
        for seat, cards in sets.items():
            names = " ".join(card_text(parse_card(card)) for card in cards) or "none"
            say(f"Cards whose rank mattered{' for ' + seat if seat else ''}: {names}")
    say()
    say(effort(result.nodes, result.millis))


def _floors(result: Floors, n: int) -> None:
    names = [f"{letter} {name}" for letter, name in zip(seat_letters(n), SEAT_NAMES[n], strict=True)]
    if not result.complete:
        rows = [[name, str(side.low), str(side.high)] for name, side in zip(names, result.sides, strict=True)]
        for line in grid(rows, ["seat", "at least", "at most"]):
            say(line)
        say(f"Stopped by a limit: the {result.kind}s lie between these bounds.")
        return
    if result.kind == "cap" or n == 4:
        rows = [[name, str(side.low)] for name, side in zip(names, result.sides, strict=True)]
        for line in grid(rows, ["seat", result.kind]):
            say(line)
        say(CAP if result.kind == "cap" else FLOOR)
        return
    rows = [
        [name, str(side.low), f"{result.share[side.name]:.2f}", str(result.ceiling[side.name])]
        for name, side in zip(names, result.sides, strict=True)
    ]
    for line in grid(rows, ["seat", "floor", "fair share", "ceiling"]):
        say(line)
    pairs = ", ".join(f"{pair} {tricks}" for pair, tricks in result.pairs.items())
    say(f"Surplus {result.surplus}. Pairs together: {pairs}.")
    say(FLOOR)


def _side(result: SideResult, position: Position) -> None:
    taken = f" (of which {result.taken} taken)" if result.taken else ""
    if not result.complete:
        say(f"{result.name}: between {result.low} and {result.high} tricks; a limit stopped the search.")
        return
    tricks = f"{result.low} trick{'s' if result.low != 1 else ''}"
    alone = len(result.name) == 1
    verb = "takes" if alone else "take"
    if result.objective == "fewest":
        who = "it" if alone else "they"
        say(f"{bold(result.name)} {verb} {bold(tricks)}{taken}: the most {who} can be made to take.")
        return
    rest = position.tricks - result.low
    others = side_name((1 << position.n) - 1 & ~result.side, position.n)
    say(f"{bold(result.name)} {verb} {bold(tricks)}{taken}, {others} {rest}.")


def _line(position: Position, cards: list[str], what: str) -> None:
    say(f"One line of best play{what}:")
    letters = seat_letters(position.n)
    number = sum(position.taken)
    row: list[str] = []
    for name in cards:
        card = parse_card(name)
        if not row:
            row.append(f"{number + 1:>4}. {letters[position.mover]}:")
        row.append(card_text(card))
        position = position.play(card)
        if not position.trick:
            say(" ".join(row) + dim(f"  {letters[position.leader]} wins"))
            row = []
            number += 1
    if row:
        say(" ".join(row))


def yes_or_no(
    query: Query, first: int, result: SideResult, at_least: int | None, at_most: int | None, answer: bool
) -> None:
    """The answer to --at-least or --at-most."""
    opening(query.position, first)
    say()
    asked = f"at least {at_least}" if at_least is not None else f"at most {at_most}"
    alone = len(result.name) == 1
    verb = ("takes" if alone else "take") if answer else ("does not take" if alone else "do not take")
    say(f"{bold('Yes' if answer else 'No')}: {result.name} {verb} {asked}.")
    say()
    say(effort(result.nodes, result.millis))


def strains(position: Position, first: int, kind: str, table: dict[str, Json], nodes: int, millis: float) -> None:
    """Every strain."""
    for line in table_picture(position):
        say(line)
    say()
    tricks = position.tricks
    say(f"{seat_letters(position.n)[first]} leads; {tricks} trick{'s' if tricks != 1 else ''}.")
    say()
    for line in strain_grid(table):
        say(line)
    say({"floor": FLOOR, "cap": CAP}.get(kind, "Tricks of the side by strain."))
    say()
    say(effort(nodes, millis))


def strain_grid(table: dict[str, Json]) -> list[str]:
    """Strains down, seats or sides across."""
    columns = next((list(row) for row in table.values() if "bounds" not in row), None)
    if columns is None:
        columns = list(next(iter(table.values()))["bounds"])
    rows = []
    for strain, row in table.items():
        cells = {seat: f"{lo}-{hi}" for seat, (lo, hi) in row["bounds"].items()} if "bounds" in row else row
        rows.append([STRAIN_NAMES[STRAIN_LETTERS.index(strain)], *(str(cells[column]) for column in columns)])
    return grid(rows, ["strain", *columns])
