"""Text for people: hands round the table, aligned tables, colours where a terminal wants them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from tierce.solver.cards import LANE, RANK_LETTERS, SUIT_LETTERS, SUITS, Card, Mask, seat_letters
from tierce.solver.position import Position

SEAT_NAMES = {3: ("Dealer", "Eldest", "Middle"), 4: ("North", "East", "South", "West")}
STRAIN_NAMES = ("spades", "hearts", "diamonds", "clubs", "no trump")
_SYMBOLS = "♠♥♦♣"


def wants_colour() -> bool:
    """NO_COLOR says no, FORCE_COLOR yes; else a terminal that is not dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def suit_sign(suit: int) -> str:
    """The suit's symbol, or its letter where the output cannot show it."""
    return _SYMBOLS[suit] if sys.stdout.encoding.lower().startswith("utf") else SUIT_LETTERS[suit]


def say(text: str = "") -> None:
    """A line of the result. Not by click.echo, which writes UTF-8 where ASCII is asked for."""
    print(text if wants_colour() else click.unstyle(text))


def red(suit: int, text: str) -> str:
    """Red suits in red."""
    return click.style(text, fg="red") if suit in (1, 2) else text


def bold(text: str) -> str:
    """Emphasis."""
    return click.style(text, bold=True)


def dim(text: str) -> str:
    """Of lesser importance."""
    return click.style(text, dim=True)


def card_text(card: Card) -> str:
    """A card with its suit sign."""
    suit = card >> 4
    return red(suit, suit_sign(suit) + RANK_LETTERS[card & 15])


def ranks(mask: Mask, suit: int) -> str:
    """Ranks of a suit, high to low; a dash for a void."""
    cards = mask >> 16 * suit & LANE
    return "".join(RANK_LETTERS[rank] for rank in range(12, -1, -1) if cards >> rank & 1) or "-"


def block(title: str, hand: Mask, width: int) -> list[str]:
    """A hand as five lines of `width` columns: its seat and its suits."""
    lines = [bold(title) + " " * (width - len(title))]
    for suit in SUITS:
        text = ranks(hand, suit)
        lines.append(red(suit, f"{suit_sign(suit)} {text}") + " " * (width - 2 - len(text)))
    return lines


def table_picture(position: Position) -> list[str]:
    """The hands round the table; of three, the dealer sits below, eldest on his left."""
    n = position.n
    width = max([len(ranks(hand, suit)) + 2 for hand in position.hands for suit in SUITS] + [8])
    names = SEAT_NAMES[n]
    blocks = [block(names[seat], position.hands[seat], width) for seat in range(n)]
    pad, gap = " " * (width + 2), " " * (width + 4)
    if n == 3:
        rows = [left + gap + right for left, right in zip(blocks[1], blocks[2], strict=True)]
        return [row.rstrip() for row in rows + [""] + [pad + line for line in blocks[0]]]
    rows = [pad + line for line in blocks[0]] + [""]
    rows += [left + gap + right for left, right in zip(blocks[3], blocks[1], strict=True)] + [""]
    rows += [pad + line for line in blocks[2]]
    return [row.rstrip() for row in rows]


def headline(position: Position, first_leader: int) -> str:
    """Trump, lead and length in one sentence."""
    strain = STRAIN_NAMES[position.trump]
    trump = "No trump" if position.trump == 4 else f"{strain.capitalize()} are trump"
    letters = seat_letters(position.n)
    tricks = position.tricks
    parts = [trump, f"{letters[first_leader]} leads", f"{tricks} trick{'s' if tricks != 1 else ''}"]
    if sum(position.taken):
        taken = " ".join(f"{letter} {count}" for letter, count in zip(letters, position.taken, strict=True))
        parts.append(f"taken so far {taken}")
    if position.trick:
        parts.append("on the table " + " ".join(card_text(card) for card in position.trick))
    if position.left and (position.trick or sum(position.taken)):
        parts.append(f"{letters[position.mover]} to play")
    return "; ".join(parts) + "."


def grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> list[str]:
    """A table with its first column to the left and the others to the right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = cells
        return "  ".join([first.ljust(widths[0])] + [c.rjust(w) for c, w in zip(rest, widths[1:], strict=True)])

    return [dim(line(header))] + [line(row) for row in rows]


def effort(nodes: int, millis: float) -> str:
    """What the answer took."""
    seconds = f"{millis:.1f} ms" if millis < 1000 else f"{millis / 1000:.2f} s"
    return dim(f"{nodes:,} nodes, {seconds}")
