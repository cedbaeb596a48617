"""Words and rows that all estimates have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from tierce.cli.dealer_text import WIDTH
from tierce.cli.render import block, dim, grid, joined, ranks, say, width
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import SUITS, Mask

CLOSE: Final = "The two cannot be told apart yet; more worlds or seconds may do it."
OPEN: Final = "Open: worlds whose value lies between two numbers; the middle counts, and the error is larger for it."


class Drawn(Protocol):
    """What is told of the worlds of an estimate."""

    @property
    def fit(self) -> int:
        """How many fit."""

    @property
    def worlds(self) -> int:
        """How many were done."""

    @property
    def seed(self) -> int:
        """Of the draw."""

    @property
    def complete(self) -> bool:
        """Were all done that were asked for?"""


def cards(title: str, hand: Mask, up_card: Mask) -> None:
    """A hand, and the card that lies face up if there is one."""
    columns = max(10, *(len(ranks(hand, suit)) + 4 for suit in SUITS))
    blocks = [block(title, hand, columns)]
    if up_card:
        blocks.append(block("Up-card", up_card, 10))
    for parts in zip(*blocks, strict=True):
        line = joined(parts, "")
        line.rstrip()
        say(line)
    say()


def say_wrapped(text: str) -> None:
    """Sentences, in lines that fit on a screen."""
    line = ""
    for word in text.split():
        if line and width(line) + width(word) > WIDTH:
            say(line.rstrip())
            line = ""
        line += word + " "
    say(line.rstrip())


def drawn(found: Drawn) -> str:
    """`Of 4,096 worlds 20 were drawn with seed 1.`"""
    were = "was drawn" if found.worlds == 1 else "were drawn"
    done = f"{found.worlds:,} {were} with seed {found.seed}" if found.worlds else "none is done yet"
    done += " so far" if found.worlds and not found.complete else ""
    return f"Of {worlds(found.fit)} {done}."


def table(rows: Sequence[Sequence[str]], header: Sequence[str], met: Sequence[int], kept: int) -> None:
    """The best first; those that the race has dropped stand apart, for they met fewer worlds.

    met    worlds that each row's candidate met; kept: how many candidates the race has kept
    """
    head, *lines = grid(rows, header)
    say(head)
    before = None
    for place, (each, line) in enumerate(zip(met, lines, strict=True)):
        if place >= kept and each != before:
            before = each
            say(dim(f"dropped after {worlds(each)}:"))
        say(line)


def rest_text(told: int, kept: int, tried: int) -> str:
    """What is not told: `and 5 more, and 22 dropped early`."""
    more, dropped = max(0, kept - told), tried - max(kept, told)
    parts = [f"and {more} more"] if more else []
    parts += [f"and {dropped} {'more ' if told > kept else ''}dropped early"] if dropped else []
    return ", ".join(parts)


def worlds(number: int) -> str:
    """`1 world`, `2 worlds`."""
    return f"{number:,} world{'s' if number != 1 else ''}"


def worlds_met(number: int, open_: int) -> str:
    """The worlds of a row, and in how many of them its value is not settled."""
    return f"{number:,}" + (f" ({open_} open)" if open_ else "")


def tricks(figure: Figure) -> str:
    """`3.10 ±0.20`."""
    return f"{figure.value:.2f}" + ("" if figure.error is None else f" \u00b1{figure.error:.2f}")


def percent(figure: Figure) -> str:
    """`40% ±3`."""
    error = "" if figure.error is None else f" \u00b1{100 * figure.error:.0f}"
    return f"{100 * figure.value:.0f}%{error}"
