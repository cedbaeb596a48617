"""PBN, the outer layer: bytes to text, text to games of tags and data lines.

Read as other people write it: any line ends, byte order marks, UTF-8, UTF-16, Latin-1; `%` lines; comments
in braces, also over many lines, and after `;`; several tags on a line, brackets and even bare quotes inside
a value, `\\"` and `\\\\`. What the tags mean is the affair of `pbn.py`.

A game ends at an empty line, where a tag comes a second time ([Note] may), and at an [Event] once it has a
[Deal]. A part that has neither Event, Board nor Deal and repeats nothing continues the game before it,
empty lines or not.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tierce.solver.errors import InputError, shown

__all__ = ["RawGame", "Tag", "decode", "escape", "scan"]

# A value ends at a quote without a backslash; failing that, at the last quote before a bracket on the line.
_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_TAG_WITHOUT_VALUE = re.compile(r"\[\s*(\w+)\s*\]")
_TAG_TO_LINE_END = re.compile(r'\[\s*(\w+)\s*"(.*)"\s*\](?=\s*(?:$|[;{]))')
_DATA = re.compile(r'(?:"[^"]*"|[^{;])+')

LINE_MAX = 20_000  # characters, comments apart; the standard has 255
_STARTERS = frozenset({"event", "board", "deal"})
_REPEATABLE = frozenset({"note"})


@dataclass(slots=True)
class Tag:
    """One tag pair, the line (from 1) it stands on, and the data lines that follow it, without comments."""

    name: str
    value: str
    line: int
    rows: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RawGame:
    """The tags of a game in file order; `line` is that of the first, `inherited` for `pbn_shared.inherit` to fill."""

    line: int
    tags: list[Tag]
    inherited: Mapping[str, Tag] | None = None


def decode(source: bytes, file: str) -> str:
    """Return the text of a file: UTF-16 by its mark or its zero bytes, UTF-8 if it is that, else Latin-1.

    The part of Latin-1 that has no letters is read as Windows fills it, since that is who writes it.
    """
    encoding = "utf-8"
    source = source.removeprefix(codecs.BOM_UTF8)
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in source[:200]:
        encoding = "utf-16-le" if source[1:200:2].count(0) > source[:200:2].count(0) else "utf-16-be"
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            message = f"expected text in UTF-16, found {error.reason} at byte {error.start}"
            raise InputError("encoding", message, file=file) from None
    try:
        return source.decode("cp1252")
    except UnicodeDecodeError:
        return source.decode("latin-1")


def scan(text: str, file: str) -> list[RawGame]:
    """Cut PBN text into games. Raises `InputError`, code pbn_syntax, with file and line."""
    return _Scanner(file).scan(text)


class _Scanner:
    def __init__(self, file: str) -> None:
        self.file = file
        self.games: list[RawGame] = []
        self.names: set[str] = set()  # of the current game, small letters
        self.ended = True  # an empty line since the last tag
        self.data_line = 0  # where the last piece of data was
        self.comment_line = 0  # where the open comment began; 0: none is open

    def scan(self, text: str) -> list[RawGame]:
        text = text.removeprefix("\ufeff").rstrip("\x1a \t\r\n").replace("\r\n", "\n").replace("\r", "\n")
        for number, line in enumerate(text.split("\n"), 1):
            self._line(line, number)
        if self.comment_line:
            raise self._fault(self.comment_line, "expected '}' for the comment that starts here, found none")
        return _join(self.games)

    def _line(self, line: str, number: int) -> None:
        if self.comment_line:
            _, closed, line = line.partition("}")
            if not closed:
                return
            self.comment_line = 0
        elif line.startswith("%"):
            return
        elif not line.strip():
            self.ended = True
            return
        if len(line) > LINE_MAX:
            message = f"expected lines of at most {LINE_MAX} characters, found {len(line)}: {shown(line)}"
            raise self._fault(number, message)
        if "\0" in line:
            raise self._fault(number, f"expected PBN text, found a zero character in {shown(line)}")
        while line := line.lstrip():
            if line[0] == ";":
                return
            if line[0] == "{":
                _, closed, line = line.partition("}")
                if not closed:
                    self.comment_line = number
                    return
            elif line[0] == "[":
                line = self._tag(line, number)
            else:
                line = self._data(line, number)

    def _tag(self, line: str, number: int) -> str:
        """Take the tag that `line` starts with; return what follows it."""
        match = _TAG.match(line) or _TAG_TO_LINE_END.match(line)
        value = re.sub(r'\\(["\\])', r"\1", match[2]) if match else ""
        match = match or _TAG_WITHOUT_VALUE.match(line)
        if match is None:
            raise self._fault(number, f'expected a tag pair such as [Deal "..."], found {shown(line)}')
        name = match[1].lower()
        new = (name in self.names and name not in _REPEATABLE) or (name == "event" and "deal" in self.names)
        if new or self.ended:
            self.games.append(RawGame(number, []))
            self.names = set()
            self.ended = False
        self.names.add(name)
        self.games[-1].tags.append(Tag(match[1], value, number))
        return line[match.end() :]

    def _data(self, line: str, number: int) -> str:
        """Take the data that `line` starts with; return the comment that follows it."""
        if not self.games:
            message = f'expected a tag pair such as [Deal "..."], found {shown(line.rstrip())}'
            raise self._fault(number, message)
        match = _DATA.match(line)
        end = match.end() if match else len(line)
        piece = line[:end].rstrip()
        rows = self.games[-1].tags[-1].rows
        if rows and self.data_line == number:
            rows[-1] += " " + piece
        else:
            rows.append(piece)
        self.data_line = number
        return line[end:]

    def _fault(self, number: int, message: str) -> InputError:
        return InputError("pbn_syntax", message, file=self.file, line=number)


def _join(parts: list[RawGame]) -> list[RawGame]:
    """Put together what empty lines inside a game have cut."""
    games: list[RawGame] = []
    names: set[str] = set()  # of the last game
    for part in parts:
        new = {tag.name.lower() for tag in part.tags}
        if games and not new & _STARTERS and not new & names - _REPEATABLE:
            games[-1].tags += part.tags
            names |= new
        else:
            games.append(part)
            names = new
    return games


def escape(value: str) -> str:
    """Return a tag value as it is written between quotes; a backslash is doubled only where it must be."""
    return re.sub(r'\\(?=["\\]|$)', r"\\\\", value).replace('"', '\\"')
