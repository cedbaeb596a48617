"""What `tierce solve` and `tierce cards` print for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.text import Text

from tierce.cli.render import (
    SEAT_NAMES,
    STRAIN_NAMES,
    bold,
    card_text,
    counted,
    dim,
    effort,
    grid,
    headline,
    joined,
    ranks,
    red,
    say,
    suit_sign,
    table_picture,
)
from tierce.solver.asking import Json
from tierce.solver.cards import LANE, LANE_BITS, STRAIN_LETTERS, SUITS, mask_of, parse_card, seat_letters, side_name
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import CardValue, CardValues, Floors, SideResult

FLOOR = "A floor is what the seat is sure of even if both others play against it."
CAP = "A cap is the most the seat can be made to take when it tries to take few."


def table(position: Position) -> None:
    """The hands."""
    for line in table_picture(position):
        say(line)
    say()


def opening(position: Position, first: int) -> None:
    """The hands and what is being played."""
    table(position)
    say(headline(position, first))
    say()


def solved(query: Query, first: int, result: SideResult | Floors, out: Json) -> None:
    """The answer of `tierce solve`; `out` has the line and the relevant cards, if they were asked for."""
    opening(query.position, first)
    if isinstance(result, Floors):
        _floors(result, query.position.n)
    else:
        _side(result, query.position)
    for seat, cards in _by_seat(out, "line"):
        say()
        say(f"One line of best play{f' when {seat} plays alone against the others' if seat else ''}:")
        _line(query.position, cards)
    found = _by_seat(out, "relevant")
    if found:
        say()
    for seat, cards in found:
        say(f"Cards whose rank mattered{f' for {seat}' if seat else ''}: ", _by_suit(cards))
    say()
    say(effort(result.nodes, result.millis))


def _by_seat(out: Json, name: str) -> list[tuple[str, list[str]]]:
    """The lists of cards of an answer: one, or one for each seat."""
    if name not in out:
        return []
    return list(out[name].items()) if isinstance(out[name], dict) else [("", out[name])]


def _by_suit(cards: Sequence[str]) -> Text:
    mask = mask_of(map(parse_card, cards))
    suits = [red(suit, f"{suit_sign(suit)} {ranks(mask, suit)}") for suit in SUITS if mask >> LANE_BITS * suit & LANE]
    return joined(suits, "  ") if suits else Text("none")


def _floors(result: Floors, n: int) -> None:
    names = [f"{letter} {name}" for letter, name in zip(seat_letters(n), SEAT_NAMES[n], strict=True)]
    sides = list(zip(names, result.sides, strict=True))
    if not result.complete:
        _grid([[name, str(side.low), str(side.high)] for name, side in sides], ["seat", "at least", "at most"])
        say(f"A limit stopped the search: the {result.kind}s lie within these bounds.")
        return
    share, ceiling, pairs_of = result.share, result.ceiling, result.pairs
    if share is None or ceiling is None or pairs_of is None:
        _grid([[name, str(side.low)] for name, side in sides], ["seat", result.kind])
        say(CAP if result.kind == "cap" else FLOOR)
        return
    rows = [[name, str(side.low), f"{share[side.name]:.2f}", str(ceiling[side.name])] for name, side in sides]
    _grid(rows, ["seat", "floor", "fair share", "ceiling"])
    pairs = ", ".join(f"{pair} {tricks}" for pair, tricks in pairs_of.items())
    say(f"Surplus {result.surplus}. Pairs together: {pairs}.")
    say(FLOOR)


def _grid(rows: list[list[str]], header: list[str]) -> None:
    for line in grid(rows, header):
        say(line)


def _side(result: SideResult, position: Position) -> None:
    taken = f" (of which {result.taken} taken)" if result.taken else ""
    if not result.complete:
        say(f"{result.name}: from {result.low} to {result.high} tricks{taken}; a limit stopped the search.")
        return
    alone = len(result.name) == 1
    takes: list[str | Text] = [bold(result.name), f" {'takes' if alone else 'take'} ", bold(counted(result.low)), taken]
    if result.objective == "fewest":
        say(*takes, f": the most {'it' if alone else 'they'} can be made to take.")
        return
    others = side_name((1 << position.n) - 1 & ~result.side, position.n)
    say(*takes, f", {others} {position.tricks - result.low}.")
    if result.kind == "floor":
        say(FLOOR)


def _line(position: Position, cards: Sequence[str]) -> None:
    letters = seat_letters(position.n)
    number = sum(position.taken)
    row: list[Text] = []
    for name in cards:
        if not row:
            row.append(Text(f"{number + 1:>4}. {letters[position.mover]}:"))
        card = parse_card(name)
        row.append(card_text(card))
        position = position.play(card)
        if not position.trick:
            say(joined(row), dim(f"  {letters[position.leader]} wins"))
            row = []
            number += 1


def yes_or_no(
    query: Query, first: int, result: SideResult, answer: bool | None, *, at_least: int | None, at_most: int | None
) -> None:
    """The answer to one of the two questions; None where a limit came first."""
    opening(query.position, first)
    if answer is None:
        _side(result, query.position)
    else:
        said = _can_be_made if result.objective == "fewest" else _takes
        say(bold("Yes" if answer else "No"), f": {said(result.name, answer, at_least, at_most)}.")
    say()
    say(effort(result.nodes, result.millis))


def _takes(name: str, answer: bool, at_least: int | None, at_most: int | None) -> str:
    """Of a side that wants many tricks."""
    asked = f"at most {counted(at_most or 0)}" if at_least is None else f"at least {counted(at_least)}"
    alone = len(name) == 1
    verb = ("takes" if alone else "take") if answer else ("does not take" if alone else "do not take")
    return f"{name} {verb} {asked}"


def _can_be_made(name: str, answer: bool, at_least: int | None, at_most: int | None) -> str:
    """Of a side that wants few: what the others can do, for that is what the number means."""
    asked = f"more than {counted(at_most or 0)}" if at_least is None else f"at least {counted(at_least)}"
    can = answer == (at_least is not None)
    return f"{name} {'can' if can else 'cannot'} be made to take {asked}"


def strains(position: Position, first: int, out: Json) -> None:
    """Every strain."""
    table(position)
    letters = seat_letters(position.n)
    say(f"{letters[first]} leads; {counted(position.tricks)}.")
    say()
    strain_grid(out)
    say()
    say(effort(out["nodes"], out["millis"]))


def declarers(position: Position, out: Json) -> None:
    """The table of bridge."""
    table(position)
    strain_grid(out)
    say()
    say(effort(out["nodes"], out["millis"]))


def strain_grid(out: Json) -> None:
    """Strains down, seats or sides across; what the numbers are."""
    rows: list[list[str]] = []
    columns: list[str] = []
    for strain, row in out["table"].items():
        cells = {seat: _span(*pair) for seat, pair in row["bounds"].items()} if "bounds" in row else row
        columns = list(cells)
        rows.append([STRAIN_NAMES[STRAIN_LETTERS.index(strain)], *map(str, cells.values())])
    _grid(rows, ["strain", *columns])
    if "complete" in out:
        say("A limit stopped some of the searches: what is proved is given from-to.")
    if out["kind"] == "floor":
        say(FLOOR)
    elif out["kind"] == "cap":
        say(CAP)
    elif out["objective"] == "fewest":
        say("The most tricks the side can be made to take when it tries to take few.")
    elif set(columns) == set("NESW"):
        say("Tricks of each declarer's side; the seat on his left leads.")


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def cards(position: Position, first: int, values: CardValues, seats: Mapping[str, Mapping[int, int]]) -> None:
    """The answer of `tierce cards`; `seats` has every seat's tricks after each card, if they were asked for."""
    opening(position, first)
    n = position.n
    side = side_name(values.side, n)
    what = ("cap" if values.objective == "fewest" else "floor") if len(side) == 1 and n == 3 else "tricks"
    say(f"{seat_letters(n)[values.mover]} to play; {side}'s {what} in the whole hand, * best:")
    say()
    if seats:
        say(dim("   card  " + "  ".join(f"{seat:>2}" for seat in seats)))
    for _, touching in groupby(values.cards, key=lambda value: value.group):
        _cards(list(touching), seats)
    say()
    say(effort(values.nodes, values.millis))


def _cards(touching: list[CardValue], seats: Mapping[str, Mapping[int, int]]) -> None:
    mark = bold("*") if touching[0].best else Text(" ")
    if not seats:
        say(mark, " ", joined([card_text(value.card) + f" {value.tricks}" for value in touching], "  "))
        return
    for value in touching:
        worths = "  ".join(f"{worth[value.card]:>2}" for worth in seats.values())
        say(mark, "  ", card_text(value.card), f"    {worths}")
