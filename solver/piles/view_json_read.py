"""Views of Sumgait Driller from JSON, read strictly: `view_json` says what they are, `view_rules` asks the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from tierce.solver.cards import SUIT_LETTERS, mask_of
from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.json_shared import JsonReader
from tierce.solver.games.sumgait.cards import Card, Mask, parse_cards, parse_hand
from tierce.solver.games.sumgait.game import ID, Sumgait, sumgait
from tierce.solver.games.sumgait.match import GOAL, Tally, at_goal, impossible
from tierce.solver.games.sumgait.prices import CALLS
from tierce.solver.games.sumgait.record_json import ROBBED, SEATS, player_of
from tierce.solver.games.sumgait.replay import DEALS_MAX
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles.view_json import COLUMNS, VERSION, view_json
from tierce.solver.piles.view_rules import Told, ToldTrick, view_of

__all__ = ["ViewError", "read_view"]

_TOLD: Final = ("rob", "let_go", "given", "call", "tricks", "trick")  # in the order of a deal
_CARDS: Final = ("counts", "known", "unseen")
_FIELDS: Final = (
    "sumgait_view", "game", "options", "deal", "declarer", "columns", "phase", "hand", *_TOLD, "trump", "taken",
    *_CARDS,
)  # fmt: skip
_TRICK: Final = ("leader", "cards", "winner", "marriage")


class ViewError(InputError):
    """A view at fault. `str()` is "file:line:field: message", as far as these are known."""

    def __str__(self) -> str:
        places = [str(each) for each in (self.file, self.line, self.field) if each is not None]
        return ": ".join([":".join(places), self.message]) if places else self.message


def read_view(source: str | bytes | Mapping[str, Any], name: str | None = None, line: int | None = None) -> View:
    """The view that JSON text, or a tree of JSON values, stands for; `name`, `line`: of the file, for errors.

    ViewError (an InputError) with the place of what is wrong.
    """
    reader = _Reader(name or "<view>", line, typed=True)
    try:
        tree = _parse(source) if isinstance(source, str | bytes) else source
        return reader.view(tree)
    except InputError as error:
        field = reader.at if error.field is None or reader.at is not None else error.field
        place = error.line if line is None else line
        raise ViewError(error.code, error.message, field=field, file=name, line=place) from None


# ---- JSON ------------------------------------------------------------------------------------------------------------


class _Refused(ValueError):
    """Text that Python's reader takes and we do not; args[0] says what was found."""


def _parse(source: str | bytes) -> Any:
    """JSON without repeated fields, NaN, or numbers and nesting beyond all sense."""
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refused, parse_int=_short)
    except UnicodeDecodeError as error:
        _syntax(f"the byte {error.object[error.start]:#04x} at {error.start}", None, "UTF-8")
    except json.JSONDecodeError as error:
        at = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}"
        _syntax(f"text that is not valid JSON: {at}" if text.strip() else "no text", error.lineno)
    except _Refused as error:
        _syntax(error.args[0])
    except RecursionError:
        _syntax("far too many brackets in brackets")


def _syntax(found: str, line: int | None = None, expected: str = "a view in JSON") -> NoReturn:
    raise InputError("json_syntax", f"expected {expected}, found {found}", line=line) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"the field {shown(twice)} twice in one object")
    return found


def _refused(text: str) -> NoReturn:
    raise _Refused(text)


def _short(text: str) -> int:
    if len(text) > 20:
        raise _Refused(f"a number of {len(text)} digits")
    return int(text)


# ---- fields ----------------------------------------------------------------------------------------------------------


class _Reader(JsonReader):
    """Reads one view; `at` is the field it reads."""

    def view(self, tree: Any) -> View:
        self._version(tree)
        fields = self._object(tree, _FIELDS, ("sumgait_view", "phase", "hand"))

        def read(name: str, reader: Callable[[Any], Any], absent: Any = None) -> Any:
            return self._in(name, reader, fields[name]) if name in fields else absent

        read("game", lambda each: self._choice(each, (ID,)))
        game = read("options", lambda each: sumgait(self._options(each)), sumgait())
        phase = read("phase", lambda each: self._phase(each, game))
        tricks = [*read("tricks", self._tricks, ())]
        table = read("trick", self._table)
        told = Told(
            game=game,
            phase=phase,
            number=read("deal", self._deal_number, 1),
            declarer=read("declarer", self._player, 0),
            tallies=read("columns", lambda each: self._columns(each, game), (Tally(), Tally(), Tally())),
            hand=read("hand", lambda each: parse_hand(self._text(each))),
            robbed=read("rob", lambda each: ROBBED.index(self._choice(each, ROBBED)), 0),
            let_go=read("let_go", lambda each: parse_hand(self._text(each)), 0),
            given=read("given", self._given, (0, 0)),
            call=read("call", lambda each: self._choice(each, CALLS), ""),
            tricks=(*tricks, table) if table is not None and table.cards else tuple(tricks),
            finished=len(tricks),
        )
        self.at = None
        found = view_of(told)
        self._verify(fields, view_json(found))
        return found

    def _version(self, tree: Any) -> None:
        fields = self._object(tree, None)
        self.at = "sumgait_view"
        version = fields.get("sumgait_view")
        if is_whole(version) and version > VERSION:
            self._refuse("newer_version", f"expected a view of version {VERSION}, found the newer {quoted(version)}")
        if not is_whole(version) or version != VERSION:
            found = quoted(version) if "sumgait_view" in fields else "none"
            self._refuse("version", f'expected "sumgait_view": {VERSION}, found {found}')
        self.at = None

    def _deal_number(self, value: Any) -> int:
        if not is_whole(value) or not 1 <= value <= DEALS_MAX:
            self._refuse("wrong_type", f"expected the number of a deal from 1 to {DEALS_MAX}, found {quoted(value)}")
        return value

    def _player(self, value: Any) -> int:
        found = player_of(value)
        if isinstance(found, str):
            self._refuse("wrong_type", f"expected {found}, found {quoted(value)}")
        return found

    def _phase(self, value: Any, game: Sumgait) -> str:
        """One of the phases in which this game has a view: cards are dealt."""
        if value == "MISERE" and value not in game.steps():
            message = "expected the option misere_time = before_kitty with the phase MISERE, found misere_time = "
            self._refuse("phase", message + str(game.options["misere_time"]))
        return self._choice(value, game.steps()[1:])

    def _columns(self, value: Any, game: Sumgait) -> tuple[Tally, ...]:
        given = self._object(value, COLUMNS)
        rows = [[self._number(each) for each in self._list(given.get(name, [0, 0, 0]), 3)] for name in COLUMNS]
        first, second, third = (Tally(*(row[player] for row in rows)) for player in range(3))
        tallies = first, second, third
        if cell := impossible(tallies, game.options):
            _, expected, found = cell
            self._refuse("columns", f"expected {expected}, found {found}")
        if all(map(at_goal, tallies)):
            self._refuse("columns", f"expected a match that goes on, found three times {GOAL}")
        return tallies

    def _given(self, value: Any) -> tuple[Mask, Mask]:
        given = self._object(value, SEATS[1:], SEATS[1:])
        return mask_of(self._row(given["next"])), mask_of(self._row(given["other"]))

    def _row(self, value: Any) -> tuple[Card, ...]:
        return parse_cards(self._text(value))

    def _tricks(self, value: Any) -> list[ToldTrick]:
        found = []
        for number, each in enumerate(self._list(value), 1):
            trick = self._trick(each)
            if len(trick.cards) != 3:
                self._refuse("trick_size", f"trick {number}: expected three cards, found {len(trick.cards)}")
            found.append(trick)
        return found

    def _table(self, value: Any) -> ToldTrick:
        trick = self._trick(value)
        if len(trick.cards) > 2:
            self._refuse("trick_size", f"expected at most two cards on the table, found {len(trick.cards)}")
        return trick

    def _trick(self, value: Any) -> ToldTrick:
        if isinstance(value, str):
            return ToldTrick(self._row(value), None)
        given = self._object(value, _TRICK, ("cards",))
        suit = given.get("marriage")
        cards = self._row(given["cards"])
        return ToldTrick(cards, None if suit is None else SUIT_LETTERS.index(self._choice(suit, tuple(SUIT_LETTERS))))

    # ---- what follows from the rest

    def _verify(self, fields: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        """Everything told again is as the rest has it."""
        for name in ("trump", "taken", *_CARDS):
            if name in fields:
                self.at = name
                self._same(fields[name], written.get(name), name)
        for name in ("tricks", "trick"):
            if name in fields:
                self.at = name
                listed = name == "tricks"
                told, meant = fields[name], written.get(name, [] if listed else {"leader": None, "cards": ""})
                for one, other in zip(told, meant, strict=True) if listed else [(told, meant)]:
                    self._same_trick(one, other)
        self.at = None

    def _same_trick(self, told: Any, meant: Mapping[str, Any]) -> None:
        for name in ("leader", "winner"):
            if isinstance(told, dict) and name in told and told[name] != meant.get(name):
                found = quoted(told[name])
                self._refuse("contradiction", f"expected {name} {meant.get(name)} by the cards, found {found}")

    def _same(self, told: Any, meant: Any, name: str) -> None:
        if isinstance(meant, dict):
            for seat, each in self._object(told, tuple(meant)).items():
                self._same(each, meant[seat], name)
        elif name in ("known", "unseen") and meant is not None:
            if mask_of(self._row(told)) != mask_of(parse_cards(meant)):
                self._refuse("contradiction", f"expected {meant or 'no cards'} by the rest, found {quoted(told)}")
        elif told != meant or isinstance(told, bool):
            self._refuse("contradiction", f"expected {meant} by the rest, found {quoted(told)}")
