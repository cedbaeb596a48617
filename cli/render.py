"""Text for people: hands round the table, aligned tables, colours where a terminal wants them.

Imports rich: for commands to import once they know that they print for people.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from tierce.solver.cards import LANE, LANE_BITS, RANK_LETTERS, SUIT_LETTERS, SUITS, Card, Mask, seat_letters
from tierce.solver.position import Position

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

SEAT_NAMES = {3: ("Dealer", "Eldest", "Middle"), 4: ("North", "East", "South", "West")}
STRAIN_NAMES = ("spades", "hearts", "diamonds", "clubs", "no trump")
_SYMBOLS = "♠♥♦♣"
_CARD = re.compile(r"\b([SHDC])([2-9TJQKA])\b")


def wants_colour() -> bool:
    """NO_COLOR says no, FORCE_COLOR yes; else a terminal that is not dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@cache
def _coloured() -> Console:
    return Console(color_system="standard", force_terminal=True, highlight=False)


def say(*parts: str | Text) -> None:
    """A line of the result, as it is: rich neither wraps nor marks it up."""
    if wants_colour():
        _coloured().print(Text.assemble(*parts), soft_wrap=True)
    else:
        print("".join(map(str, parts)))


def _has_symbols() -> bool:
    return (sys.stdout.encoding or "").lower().startswith("utf") and os.environ.get("TERM") != "dumb"


def width(text: str) -> int:
    """The columns that text takes on a screen."""
    return cell_len(text)


def cut(text: str, most: int) -> str:
    """The text, cut to so many columns."""
    return text if width(text) <= most else set_cell_size(text, most - 1).rstrip() + ("…" if _has_symbols() else "~")


def suit_sign(suit: int) -> str:
    """The suit's symbol, or its letter where the output cannot show it."""
    return _SYMBOLS[suit] if _has_symbols() else SUIT_LETTERS[suit]


def bold(text: str) -> Text:
    """Emphasis."""
    return Text(text, "bold")


def dim(text: str) -> Text:
    """Of lesser importance."""
    return Text(text, "dim")


def red(suit: int, text: str) -> Text:
    """Red suits in red."""
    return Text(text, "red" if suit in (1, 2) else "")


def padded(text: Text, width: int) -> Text:
    """Filled up with blanks."""
    return text + " " * (width - len(text))


def joined(parts: Sequence[Text], between: str = " ") -> Text:
    """Parts in a row."""
    return Text(between).join(parts)


def card_text(card: Card) -> Text:
    """A card with its suit sign."""
    suit = card // LANE_BITS
    return red(suit, suit_sign(suit) + RANK_LETTERS[card % LANE_BITS])


def with_signs(text: str) -> str:
    """A sentence of the library, which names cards by letters, with the signs that tables have. Not for text in which
    somebody's name may stand."""
    return _CARD.sub(lambda found: suit_sign(SUIT_LETTERS.index(found[1])) + found[2], text)


def ranks(mask: Mask, suit: int) -> str:
    """Ranks of a suit, high to low; a dash for a void."""
    cards = mask >> LANE_BITS * suit & LANE
    return "".join(RANK_LETTERS[rank] for rank in range(12, -1, -1) if cards >> rank & 1) or "-"


def block(title: str, hand: Mask, width: int) -> list[Text]:
    """A hand as five lines of `width` columns: its seat and its suits."""
    suits = [red(suit, f"{suit_sign(suit)} {ranks(hand, suit)}") for suit in SUITS]
    return [padded(line, width) for line in (bold(title), *suits)]


def hand_row(hands: Sequence[Mask], beside: Mask, profile: Profile, name: str | None = None) -> Iterator[Text]:
    """The hands, one beside the other, and what lies beside them, if anything does; by this name, or what it is in a
    deal."""
    named = [*zip(SEAT_NAMES[len(hands)], hands, strict=True)]
    if beside:
        usual = "Out" if profile.removed else "Up-card" if profile.kitty == 1 else "Kitty"
        named.append((name or usual, beside))
    columns = max(10, *(len(ranks(hand, suit)) + 4 for _, hand in named for suit in SUITS))
    for parts in zip(*(block(name, hand, columns) for name, hand in named), strict=True):
        line = joined(parts, "")
        line.rstrip()
        yield line


def table_picture(position: Position) -> list[Text]:
    """The hands round the table; of three, the dealer sits below, eldest on his left."""
    n = position.n
    width = max([len(ranks(hand, suit)) + 2 for hand in position.hands for suit in SUITS] + [8])
    hands = [block(name, hand, width) for name, hand in zip(SEAT_NAMES[n], position.hands, strict=True)]
    middle, gap = Text(" " * (width + 2)), " " * (width + 4)
    left, right = (hands[1], hands[2]) if n == 3 else (hands[3], hands[1])
    above = [middle + line for line in hands[0]] + [Text()] if n == 4 else []
    across = [west + gap + east for west, east in zip(left, right, strict=True)]
    below = [middle + line for line in hands[0 if n == 3 else 2]]
    picture = [*above, *across, Text(), *below]
    for line in picture:
        line.rstrip()
    return picture


def headline(position: Position, first_leader: int) -> Text:
    """Trump, lead and length in one sentence, and what has been played."""
    strain = STRAIN_NAMES[position.trump]
    letters = seat_letters(position.n)
    begun = bool(position.trick or any(position.taken))
    parts = [
        Text("No trump" if position.trump == 4 else f"{strain.capitalize()} are trump"),
        Text(f"{letters[first_leader]} {'led first' if begun else 'leads'}"),
        Text(counted(position.tricks) + (" in all" if begun else "")),
    ]
    if any(position.taken):
        taken = " ".join(f"{letter} {count}" for letter, count in zip(letters, position.taken, strict=True))
        parts.append(Text(f"taken so far {taken}"))
    if position.trick:
        parts.append(Text("on the table ") + joined([card_text(card) for card in position.trick]))
    if position.left and begun:
        parts.append(Text(f"{letters[position.mover]} to play"))
    return joined(parts, "; ") + "."


def counted(tricks: int) -> str:
    """`1 trick`, `2 tricks`."""
    return f"{tricks} trick{'s' if tricks != 1 else ''}"


def grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> list[Text]:
    """A table with its first column to the left and the others to the right."""
    widths = [max(width(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = cells
        start = first + " " * (widths[0] - width(first))
        return "  ".join([start] + [c.rjust(w) for c, w in zip(rest, widths[1:], strict=True)])

    return [dim(line(header))] + [Text(line(row)) for row in rows]


def titled(title: str, text: str, columns: int = 80) -> list[str]:
    """A title and its text, in lines that fit on a screen, where some letters take two columns."""
    lines = [f"{title:<10}"]
    for word in text.split():
        if width(lines[-1]) + width(word) > columns and lines[-1].strip():
            lines.append(" " * 10)
        lines[-1] += word + " "
    return [line.rstrip() for line in lines]


def effort(nodes: int, millis: float) -> Text:
    """What the answer took."""
    count = f"{nodes:,} node{'s' if nodes != 1 else ''}"
    return dim(f"{count}, {millis:.1f} ms" if millis < 1000 else f"{count}, {millis / 1000:.2f} s")
