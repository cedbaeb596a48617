"""PBN, between the layers: what the games of a file take from each other, kept once and not copied.

"##" gives a tag to all later games and "#" repeats the last value with its data lines, so a few lines can stand for
very many tags. Memory and time for a file are linear in its length all the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

from tierce.solver.pbn_tokens import RawGame, Tag

__all__ = ["Once", "inherit", "overlay"]

T = TypeVar("T")

_NOT_FOR_ALL = frozenset({"dealer", "vulnerable", "deal", "declarer", "contract", "auction", "play", "note"})


class _ForAll:
    """The values that hold for all later games, "##", and what later games made of them; one record for a file.

    Games look here instead of having copies: a file costs what it is long, not tags times games.
    """

    def __init__(self) -> None:
        self.given: dict[str, list[tuple[int, Tag]]] = {}  # by small name: number of the game, and its tag

    def note(self, number: int, tag: Tag, *, for_all: bool) -> None:
        """Keep a tag of a game, if its value is one that later games take over."""
        name = tag.name.lower()
        if name in self.given:
            self.given[name].append((number, tag))
        elif for_all and name not in _NOT_FOR_ALL:
            self.given[name] = [(number, tag)]

    def before(self, number: int, name: str) -> Tag | None:
        """The last tag of that name (small letters) in the games before."""
        given = self.given.get(name, ())
        place = bisect_left(given, number, key=itemgetter(0))
        return given[place - 1][1] if place else None


class _Inherited(Mapping[str, Tag]):
    """What a game takes over from the games before it and has no tag of its own for; by tag name, as last written."""

    def __init__(self, record: _ForAll, number: int, game: RawGame) -> None:
        self.record = record
        self.number = number
        self.line = game.line
        self.own = {tag.name.lower() for tag in game.tags}

    def __getitem__(self, name: str) -> Tag:
        small = name.lower()
        tag = None if small in self.own else self.record.before(self.number, small)
        if tag is None:
            raise KeyError(name)
        return Tag(tag.name, tag.value, self.line)

    def __iter__(self) -> Iterator[str]:
        for small in sorted(self.record.given):
            if small in self:
                yield self[small].name

    def __len__(self) -> int:
        return sum(1 for _ in self)


def inherit(games: list[RawGame]) -> list[RawGame]:
    """Fill in what games take from earlier ones; return the games without those that are only a header.

    "#" stands for the last real value of the tag, "" if there is none, and brings that tag's data lines (the same
    list) if it has none itself. A value that starts with "##" holds for all later games that do not have the tag.
    """
    last: dict[str, Tag] = {}
    record = _ForAll()
    kept = []
    for number, game in enumerate(games):
        header = all(tag.value.startswith("##") for tag in game.tags)
        if record.given:
            game.inherited = _Inherited(record, number, game)
        for tag in game.tags:
            name = tag.name.lower()
            for_all = tag.value.startswith("##")
            if tag.value == "#":
                source = last.get(name)
                tag.value = source.value if source else ""
                tag.rows = tag.rows or (source.rows if source else [])
            elif for_all:
                tag.value = tag.value.lstrip("#")
            record.note(number, tag, for_all=for_all)
            last[name] = tag
        if not header:
            kept.append(game)
    return kept


class _Part(Mapping[str, T], Generic[T]):
    """Inherited tags by their usual names, or something of each."""

    def __init__(self, tags: Mapping[str, Tag], usual: Callable[[Tag], str], part: Callable[[Tag], T]) -> None:
        self.tags = tags
        self.usual = usual
        self.part = part

    def __getitem__(self, name: str) -> T:
        tag = self.tags[name]
        if self.usual(tag) != name:
            raise KeyError(name)
        return self.part(tag)

    def __iter__(self) -> Iterator[str]:
        return map(self.usual, self.tags.values())

    def __len__(self) -> int:
        return len(self.tags)

    def __repr__(self) -> str:
        return repr(dict(self))


def overlay(
    own: dict[str, T], inherited: Mapping[str, Tag] | None, usual: Callable[[Tag], str], part: Callable[[Tag], T]
) -> MutableMapping[str, T]:
    """Return what a game has of its own over the same part of what it takes over, which is only looked up."""
    if inherited is None:
        return own
    return ChainMap(own, cast(MutableMapping[str, T], _Part(inherited, usual, part)))


class Once:
    """Work on data lines that is done once, however many games have the lines."""

    def __init__(self) -> None:
        self.done: dict[tuple[object, ...], Any] = {}

    def __call__(self, work: Callable[..., T], rows: Sequence[str], *more: object) -> T:
        """Return work(rows, *more). Lines are told apart by identity: all of a file live while it is read."""
        key = (work, id(rows), *more)
        if key not in self.done:
            self.done[key] = work(rows, *more)
        found: T = self.done[key]
        return found
