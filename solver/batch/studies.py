"""What a study asks: all that is needed to do it again, and to do a part of it on another machine.

    study = Study("exchange", 2000, strategies=("lowest", "spread"), game="raf", previous=(10, 4, 2), seed=1)
    Study.from_json(study.json()) == study

Studies are checked when they are made: InputError names the field at fault. Strategies are found when the work begins
(`work.Work`), games here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import version
from typing import Any, Final, NoReturn, Self

from tierce.solver.batch.columns import OF_LINES, SCHEMAS, Kind
from tierce.solver.checks import check_whole, is_number, is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.dealing import GENERATOR
from tierce.solver.games.options import Value
from tierce.solver.games.profile import Profile, load_game, profile_of_table

__all__ = ["CHUNK", "CHUNK_MAX", "DEALS_MAX", "Source", "Study", "tierce_version"]

CHUNK: Final = 64  # deals; fewer make the way to another machine count (some 3 ms a chunk)
CHUNK_MAX: Final = 4096
DEALS_MAX: Final = 1_000_000_000


@cache
def tierce_version() -> str:
    """The version of this package."""
    return version("tierce")


@dataclass(frozen=True, slots=True)
class Source:
    """The file that deals were read from: its name as it was told, and the SHA-256 of what was read."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Study:
    """A study.

    kind        "exchange", "dealer", "solve" or "contracts"
    deals       how many; those of `seed` (numbers from 0), or the lines of a `source`
    chunk       deals that are worked on, and kept, together
    game        its id; game_toml: the text of a game that is not the package's; options: those given
    strategies  names, in the order of the rows of a deal
    previous    exchange: tricks of dealer, eldest and middle in the deal before; previous_quotas, first_over: see
                tierce.solver.advice.sending.exchange_of_deal
    sender      exchange: the seat that is studied; others: the strategy of another sender
    reply       exchange: the strategy of the dealer
    trump       solve, contracts: of lines without one; dealer: contracts, likewise
    timeout, max_nodes   solve, contracts: limits of each line
    """

    kind: Kind
    deals: int
    chunk: int = CHUNK
    game: str = ""
    game_toml: str | None = None
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int | None = None
    source: Source | None = None
    strategies: tuple[str, ...] = ()
    previous: tuple[int, int, int] | None = None
    previous_quotas: tuple[int, int, int] | None = None
    first_over: int | None = None
    sender: int | None = None
    others: str | None = None
    reply: str | None = None
    trump: str | None = None
    dealer: str | None = None
    timeout: float | None = None
    max_nodes: int | None = None
    version: str = field(default_factory=tierce_version)

    def __post_init__(self) -> None:
        self._check_types()
        check_whole(self.deals, 0, DEALS_MAX, f"from 0 to {DEALS_MAX:,} deals", "deals")
        check_whole(self.chunk, 1, CHUNK_MAX, f"a chunk of 1 to {CHUNK_MAX} deals", "chunk")
        if self.kind in OF_LINES:
            return
        if (self.seed is None) == (self.source is None):
            _refuse("seed", f"expected a seed or a source of deals, found {quoted((self.seed, self.source))}")
        if self.seed is not None:
            check_whole(self.seed, 0, (1 << 63) - 1, "a seed of 0 or more", "seed")
        names = self.strategies
        if not names or len(set(names)) < len(names):
            _refuse("strategies", f"expected one strategy or more, each once, found {quoted(list(names))}")

    def _check_types(self) -> None:
        """Refuse what no study holds, whatever it was read from."""
        for name in ("game", "version"):
            _check_text(getattr(self, name), name)
        for name in ("game_toml", "others", "reply", "trump", "dealer"):
            if getattr(self, name) is not None:
                _check_text(getattr(self, name), name)
        for each in self.strategies:
            _check_text(each, "strategies")
        if not isinstance(self.options, Mapping):
            _refuse("options", f"expected options of the game by name, found {quoted(self.options)}")
        for name in ("previous", "previous_quotas"):
            three = getattr(self, name)
            if three is not None and not (len(three) == 3 and all(map(is_whole, three))):
                _refuse(name, f"expected three whole numbers for {name}, found {quoted(list(three))}")
        for name, good in (("timeout", is_number), ("max_nodes", is_whole)):
            value = getattr(self, name)
            if value is not None and not (good(value) and value > 0):
                _refuse(name, f"expected a number above 0 for {name}, found {quoted(value)}")

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.deals // self.chunk)

    def numbers(self, chunk: int) -> range:
        """The deals of a chunk."""
        return range(chunk * self.chunk, min(self.deals, (chunk + 1) * self.chunk))

    def rows(self, chunk: int) -> int:
        """How many rows a chunk has."""
        return len(self.numbers(chunk)) * max(1, len(self.strategies))

    def profile(self) -> Profile:
        """The game."""
        if self.game_toml is None:
            return load_game(self.game, self.options)
        import tomllib

        return profile_of_table(tomllib.loads(self.game_toml), self.game).with_options(self.options)

    # ---- as JSON -----------------------------------------------------------------------------------------------------

    def json(self) -> str:
        """One line of JSON: the metadata of the table."""
        out: dict[str, Any] = {"schema": SCHEMAS[self.kind], "version": self.version}
        for each in fields(self):
            if each.name not in ("kind", "version") and each.name in _FIELDS[self.kind]:
                out[each.name] = _told(each.name, getattr(self, each.name))
        if self.seed is not None:
            out["generator"] = GENERATOR
        return json.dumps(out, ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read it again. InputError (code "study") for what is no study, or one of another version of the format."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            _refuse("study", f"expected a study in JSON, found {shown(text)} ({error})")
        if not isinstance(found, dict):
            _refuse("study", f"expected a study as a JSON object, found {shown(text)}")
        kinds = {schema: kind for kind, schema in SCHEMAS.items()}
        kind = kinds.get(str(found.get("schema")))
        if kind is None:
            _refuse("study", f"expected a schema among {', '.join(kinds)}, found {quoted(found.get('schema'))}")
        given = {name: _read(name, found.get(name)) for name in _FIELDS[kind]}
        try:
            return cls(kind=kind, **given)
        except TypeError as error:
            _refuse("study", f"expected the fields of a study, found {shown(text)} ({error})")


_SHARED: Final = ("deals", "chunk", "source", "version")
_GAME: Final = ("game", "game_toml", "options", "seed", "strategies")
_EXCHANGE: Final = ("previous", "previous_quotas", "first_over", "sender", "others", "reply")
_FIELDS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "exchange": (*_SHARED, *_GAME, *_EXCHANGE),
    "dealer": (*_SHARED, *_GAME),
    "solve": (*_SHARED, "trump", "timeout", "max_nodes"),
    "contracts": (*_SHARED, *_GAME[:3], "trump", "dealer", "timeout", "max_nodes"),
}
_SEATS: Final = "DEM"
_OF_SEATS: Final = ("sender", "first_over")
_TUPLES: Final = ("previous", "previous_quotas", "strategies")


def _told(name: str, value: Any) -> Any:
    """A field's value for JSON."""
    if name in _OF_SEATS:
        return None if value is None else _SEATS[value]
    if isinstance(value, Source):
        return {"name": value.name, "sha256": value.sha256}
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _read(name: str, value: Any) -> Any:
    """A field's value from JSON."""
    if value is None:
        return {} if name == "options" else None
    if name in _OF_SEATS:
        if not (isinstance(value, str) and len(value) == 1 and value in _SEATS):
            _refuse("study", f"expected a seat D, E or M in {name!r}, found {quoted(value)}")
        return _SEATS.index(value)
    if name == "source":
        if not (isinstance(value, dict) and value.keys() == {"name", "sha256"}):
            _refuse("study", f"expected name and sha256 in 'source', found {quoted(value)}")
        return Source(str(value["name"]), str(value["sha256"]))
    if name in _TUPLES:
        if not isinstance(value, list):
            _refuse("study", f"expected a list in {name!r}, found {quoted(value)}")
        return tuple(value)
    return value


def _check_text(found: object, name: str) -> None:
    if not isinstance(found, str):
        _refuse(name, f"expected text for {name}, found {quoted(found)}")


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field=code)
