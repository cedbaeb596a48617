"""The score sheet as the game's own table: a row a deal, four columns a player, Z | Marriage | Game | Vist; as text
with the number of the deal before them.

Z         + the declarer, - the others
Marriage  the declarer's marriages and tricks, such as `100,60,15`, with PASS or MISERE in front where it was called;
          the others' tricks times the price, such as `3*300` (in PASS the tricks beyond the fewest, with a minus; bare
          tricks where they count nothing)
Game, Vist   the columns so far
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tierce.solver.games.sumgait.match import Result
from tierce.solver.games.sumgait.prices import BONUSES, PASS, PLAY

__all__ = ["COLUMNS", "LEGEND", "sheet_lines", "sheet_rows"]

COLUMNS = ("Z", "Marriage", "Game", "Vist")
LEGEND: Final = (
    "Z: + declares. Marriage: his call, marriages, tricks; of the others tricks*price",
    "(in PASS those beyond the fewest, with a minus). Game and Vist: so far; a Game",
    "of 880 to 999 is cut to 880, the hill, from where one deal must reach 1000.",
)
_NAME_WIDTH = 24
_NUMBER: Final = "Deal"

Cells = tuple[str, str, str, str]


def sheet_rows(results: Sequence[Result]) -> list[tuple[Cells, Cells, Cells]]:
    """A row a deal: the four cells of each player, in their order."""
    return [(_cells(result, 0), _cells(result, 1), _cells(result, 2)) for result in results]


def _cells(result: Result, player: int) -> Cells:
    tally = result.tallies[player]
    declares = player == result.declarer
    marriage = _own(result) if declares else _others(result, player)
    return "+" if declares else "-", marriage, str(tally.game), str(tally.vist)


def _own(result: Result) -> str:
    called = [] if result.call == PLAY else [result.call.upper()]
    bonuses = (str(BONUSES[suit]) for suit in result.marriages)
    return ",".join([*called, *bonuses, str(result.tricks[result.declarer])])


def _others(result: Result, player: int) -> str:
    tricks = result.tricks[player]
    if result.call == PASS:
        tricks = min(result.tricks) - tricks
    return f"{tricks}*{result.price}" if result.price else str(tricks)


def sheet_lines(results: Sequence[Result], names: Sequence[str] = ("1", "2", "3"), first: int = 1) -> list[str]:
    """The sheet as aligned text, with the players' names (cut where they are long) over their columns.

    first   the number of the first of these deals in its match
    """
    rows = [COLUMNS * 3, *([cell for cells in row for cell in cells] for row in sheet_rows(results))]
    widths = [max(len(row[column]) for row in rows) for column in range(12)]
    lines = [_line([_cell(cell, width, at % 4) for at, (cell, width) in enumerate(zip(row, widths, strict=True))])
             for row in rows]  # fmt: skip
    spans = [sum(widths[at : at + 4]) + 6 for at in (0, 4, 8)]
    head = " | ".join(name[: min(_NAME_WIDTH, span)].ljust(span) for name, span in zip(names, spans, strict=True))
    numbers = ["", _NUMBER, *(str(number) for number in range(first, first + len(results)))]
    wide = max(map(len, numbers))
    return [f"{number:>{wide}}  {line}".rstrip() for number, line in zip(numbers, [head, *lines], strict=True)]


def _cell(text: str, width: int, column: int) -> str:
    """Numbers stand to the right, the rest to the left."""
    return text.rjust(width) if column > 1 else text.ljust(width)


def _line(cells: Sequence[str]) -> str:
    return " | ".join("  ".join(cells[at : at + 4]) for at in (0, 4, 8)).rstrip()
