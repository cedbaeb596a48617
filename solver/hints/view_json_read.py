"""Views read from JSON, strictly: `view_json` says what stands where, `view_rules` asks the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from tierce.solver.cards import SEATS3, Card, Mask, mask_of, parse_card, parse_cards, parse_hand
from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games import profile as profiles
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contracts import BIDS, CONTRACTS
from tierce.solver.games.json_shared import player_of
from tierce.solver.games.profile import CALLS, PHASES, Profile
from tierce.solver.games.record import Record
from tierce.solver.games.record_json import game_json
from tierce.solver.games.record_json_read import record_of_json
from tierce.solver.games.scoring import DealResult, balances
from tierce.solver.games.sumgait.game import ID as SUMGAIT
from tierce.solver.games.view import View
from tierce.solver.hints.view_rules import view_of
from tierce.solver.hints.view_told import NOT_TOLD, Told, ToldParcel, ToldTrick

__all__ = ["VERSION", "ViewError", "read_view", "read_views"]

VERSION: Final = 1
_NUMBER_MAX: Final = 10**6  # of points and tricks: far beyond any match
_PHASES: Final = (*PHASES, "OVER")
_HEAD: Final = ("game", "options", "players", "context")  # as in a record
_FIELDS: Final = (
    "tierce_view", *_HEAD, "seat", "dealer", "results", "totals", "phase", "to_move", "quotas", "turned", "bids",
    "contract", "declarers", "trump", "exchange", "hand", "exposed", "discard", "shown", "up_card", "swap", "swapper",
    "taken_up", "tricks", "trick", "counts", "taken", "voids", "seen", "unseen", "known", "traced",
)  # fmt: skip
_OF_CONTRACTS: Final = ("turned", "contract", "declarers", "exposed")
_NEEDED: Final = ("tierce_view", "game", "seat", "phase", "hand")
_RESULT_FIELDS: Final = ("dealer", "call", "quotas", "tricks", "balances", "first_over", "bid")


class ViewError(InputError):
    """A view at fault. `str()` is "file:line:field: message", as far as these are known."""

    def __str__(self) -> str:
        places = [str(each) for each in (self.file, self.line, self.field) if each is not None]
        return ": ".join([":".join(places), self.message]) if places else self.message


def read_view(source: str | bytes | Mapping[str, Any], name: str | None = None, line: int | None = None) -> View:
    """The view that JSON text, or a tree of JSON values, stands for.

    name, line   of the file, for errors

    ViewError (an InputError) with the place of what is wrong. A view that is read may still fit no cards: `PlayWorlds`
    says so.
    """
    tree: Any = source
    try:
        tree = _parse(source, line) if isinstance(source, str | bytes) else source
        return _Reader().view(tree)
    except InputError as error:
        place = error.line if line is None else line
        raise ViewError(error.code, error.message, field=error.field, file=name, line=place) from None


def read_views(source: str | bytes, name: str | None = None) -> tuple[View, ...]:
    """The views of JSON Lines, one a line; lines of blanks are passed over."""
    lines: Sequence[str | bytes] = source.split(b"\n") if isinstance(source, bytes) else source.split("\n")
    return tuple(read_view(each, name, number) for number, each in enumerate(lines, 1) if each.strip())


# ---- JSON ------------------------------------------------------------------------------------------------------------


class _Refused(ValueError):
    """Text that Python's reader takes and we do not; args[0] says what was found."""


def _parse(source: str | bytes, line: int | None) -> Any:
    """JSON without repeated fields, NaN, or numbers and nesting beyond all sense."""
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_short)
    except UnicodeDecodeError as error:
        _syntax(f"the byte {error.object[error.start]:#04x} at {error.start}", "UTF-8")
    except json.JSONDecodeError as error:
        at = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}"
        found = f"text that is not valid JSON: {at}" if text.strip() else "no text"
        _syntax(found, line=error.lineno if line is None else line)
    except _Refused as error:
        _syntax(error.args[0])
    except RecursionError:
        _syntax("far too many brackets in brackets")


def _syntax(found: str, expected: str = "a view in JSON", line: int | None = None) -> NoReturn:
    raise InputError("json_syntax", f"expected {expected}, found {found}", line=line) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Refused(f"the field {shown(name)} twice in one object")
        found[name] = value
    return found


def _no_constant(text: str) -> NoReturn:
    raise _Refused(text)


def _short(text: str) -> int:
    if len(text) > 20:
        raise _Refused(f"a number of {len(text)} digits")
    return int(text)


# ---- fields ----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads one view; `at` is the field it reads."""

    def __init__(self) -> None:
        self.at: str | None = None
        self.letters = SEATS3

    def view(self, tree: Any) -> View:
        try:
            told = self._told(tree)
        except InputError as error:
            raise error.located(field=self.at) if self.at is not None else error from None
        return view_of(told)

    def _told(self, tree: Any) -> Told:
        self._check_version(tree)
        head = self._head({name: tree[name] for name in _HEAD if name in tree})
        profile = head.profile
        self.letters = profile.letters
        fields = self._object(tree, _fields(profile), _NEEDED)

        def read(name: str, reader: Callable[[Any], Any], absent: Any = None) -> Any:
            self.at = name
            return reader(fields[name]) if name in fields else absent

        told = Told(
            profile=profile,
            seat=read("seat", self._seat),
            phase=read("phase", lambda each: self._choice(each, _PHASES)),
            hand=read("hand", lambda each: parse_hand(self._text(each))),
            dealer=read("dealer", self._player),
            results=read("results", lambda each: self._results(each, profile), ()),
            context=head.context,
            totals=read("totals", self._by_player),
            to_move=read("to_move", lambda each: None if each is None else self._seat(each), NOT_TOLD),
            counts=read("counts", self._by_seat),
            taken=read("taken", self._by_seat),
            bids=read("bids", lambda each: self._bids(each, profile), ()),
            turned=read("turned", lambda each: parse_card(self._text(each))),
            exposed=read("exposed", lambda each: parse_hand(self._text(each)), 0),
            call=read(_call_field(profile), lambda each: self._choice(each, _calls(profile)), ""),
            exchange=read("exchange", self._exchange, ()),
            discard=read("discard", self._cards),
            shown=read("shown", self._cards, 0),
            up_card=read("up_card", self._cards, 0),
            swap=read("swap", self._flag),
            swapper=read("swapper", self._seat),
            taken_up=read("taken_up", self._cards, 0),
            tricks=read("tricks", self._tricks, ()),
            trick=read("trick", lambda each: self._trick(each, "trick", ("leader", "cards")), ToldTrick()),
            follows={
                name: read(name, reader)
                for name, reader in (
                    ("quotas", self._by_seat),
                    ("contract", lambda each: self._choice(each, tuple(CONTRACTS))),
                    ("declarers", lambda each: tuple(map(self._seat, self._list(each)))),
                    ("voids", lambda each: self._each_seat(each, self._suits)),
                    ("seen", self._cards),
                    ("unseen", self._cards),
                    ("known", lambda each: self._each_seat(each, self._cards)),
                    ("traced", lambda each: self._each_seat(each, self._cards)),
                )
                if name in fields
            },
        )
        self.at = None
        if told.context is not None and told.results:
            raise InputError("both", "expected results or context, found both", field="context")
        if told.context is not None and told.totals not in (None, told.context.totals):
            raise InputError(
                "view", f"expected {list(told.context.totals)} as in context, found others", field="totals"
            )
        return told

    def _check_version(self, tree: Any) -> None:
        self._object(tree, None)
        version = tree.get("tierce_view")
        self.at = "tierce_view"
        if is_whole(version) and version > VERSION:
            self._refuse("newer_version", f"expected a view of version {VERSION}, found the newer {quoted(version)}")
        if not is_whole(version) or version != VERSION:
            found = quoted(version) if "tierce_view" in tree else "none"
            self._refuse("version", f'expected "tierce_view": {VERSION}, found {found}')
        self.at = None
        if "game" not in tree:
            self._refuse("missing", "expected a field 'game', found none")
        if tree["game"] == SUMGAIT:
            self.at = "game"
            message = f'expected "sumgait_view": 1, with which views of {SUMGAIT} begin, found "tierce_view"'
            self._refuse("game", message)

    def _head(self, head: Mapping[str, Any]) -> Record:
        """What stands in a view as it does in a record."""
        game = head["game"]
        four = game.get("seats") == 4 if isinstance(game, dict) else game in profiles.game_names(4)
        deals = [{"deal": "N:A... K... Q... J..." if four else "D:A... K... Q..."}]
        return record_of_json({"tierce_record": 1, **head, "deals": deals}, "a view", typed=True)

    # ---- parts of a view

    def _results(self, value: Any, profile: Profile) -> tuple[DealResult, ...]:
        found = []
        for place, each in enumerate(self._list(value)):
            self.at = f"results[{place}]"
            found.append(self._units(each, profile) if profile.contracts else self._result(each, profile))
        return tuple(found)

    def _result(self, value: Any, profile: Profile) -> DealResult:
        result = self._object(value, _RESULT_FIELDS, ("dealer", "tricks"))
        call = self._choice(result["call"], CALLS) if "call" in result else ""
        tricks = self._by_seat(result["tricks"])
        usual = profile.caps() if call == profiles.MIZ else profile.quotas
        quotas = self._by_seat(result["quotas"]) if "quotas" in result else usual
        gained = self._by_seat(result["balances"]) if "balances" in result else balances(quotas, tricks, call)
        over = self._seat(result["first_over"]) if "first_over" in result else None
        bid = self._number(result["bid"]) if "bid" in result else None
        return DealResult(self._player(result["dealer"]), call, quotas, tricks, gained, over, bid)

    def _units(self, value: Any, profile: Profile) -> DealResult:
        """A deal of contracts, as it stands in the context of a record."""
        context = {"deal": 2, "totals": [0] * profile.seats, "previous": value}
        try:
            found = self._head({"game": game_json(profile), "options": profile.given, "context": context}).context
        except InputError as error:
            field = f"{self.at}{(error.field or '').removeprefix('context.previous')}"
            raise InputError(error.code, error.message, field=field) from None
        assert found is not None
        return found.previous

    def _bids(self, value: Any, profile: Profile) -> tuple[BidValue, ...]:
        if profile.contracts:
            words = (self._choice(bid, ("pass", *BIDS)) for bid in self._list(value))
            return tuple(None if word == "pass" else word for word in words)
        return tuple(
            None if bid == "pass" else self._number(bid, "a number of tricks or 'pass'") for bid in self._list(value)
        )

    def _exchange(self, value: Any) -> tuple[ToldParcel, ...]:
        found = []
        for place, each in enumerate(self._list(value)):
            self.at = f"exchange[{place}]"
            parcel = self._object(each, ("from", "to", "count", "sent", "returned"), ("from", "to"))
            count = self._number(parcel["count"]) if "count" in parcel else None
            sent, back = (self._cards(parcel[name]) if name in parcel else None for name in ("sent", "returned"))
            found.append(ToldParcel(self._seat(parcel["from"]), self._seat(parcel["to"]), count, sent, back))
        return tuple(found)

    def _tricks(self, value: Any) -> tuple[ToldTrick, ...]:
        fields = ("leader", "cards", "winner")
        return tuple(self._trick(each, f"tricks[{place}]", fields) for place, each in enumerate(self._list(value)))

    def _trick(self, value: Any, place: str, fields: Sequence[str]) -> ToldTrick:
        self.at = place
        if isinstance(value, str):
            return ToldTrick(self._played(value))
        trick = self._object(value, fields, ("cards",))
        leader, winner = (self._seat(trick[name]) if name in trick else None for name in ("leader", "winner"))
        return ToldTrick(self._played(trick["cards"]), leader, winner)

    # ---- values

    def _refuse(self, code: str, message: str) -> NoReturn:
        raise InputError(code, message, field=self.at)

    def _object(self, value: Any, names: Sequence[str] | None, needed: Sequence[str] = ()) -> Mapping[str, Any]:
        """An object with these fields and no other; None: with any."""
        if not isinstance(value, dict):
            self._refuse("wrong_type", f"expected an object, found {quoted(value)}")
        unknown = next((name for name in value if names is not None and name not in names), None)
        if unknown is not None:
            self._refuse("unknown_field", f"expected the fields {', '.join(names or ())}, found {shown(str(unknown))}")
        missing = next((name for name in needed if name not in value), None)
        if missing is not None:
            self._refuse("missing", f"expected a field {missing!r}, found none")
        return value

    def _list(self, value: Any, size: int | None = None) -> list[Any]:
        if not isinstance(value, list) or size not in (None, len(value)):
            expected = "a list" if size is None else f"a list of {size}"
            self._refuse("wrong_type", f"expected {expected}, found {quoted(value)}")
        return value

    def _text(self, value: Any) -> str:
        if not isinstance(value, str):
            self._refuse("wrong_type", f"expected text, found {quoted(value)}")
        return value

    def _flag(self, value: Any) -> bool:
        if not isinstance(value, bool):
            self._refuse("wrong_type", f"expected true or false, found {quoted(value)}")
        return value

    def _number(self, value: Any, expected: str = "a whole number") -> int:
        if not is_whole(value) or abs(value) > _NUMBER_MAX:
            self._refuse("wrong_type", f"expected {expected}, found {quoted(value)}")
        return value

    def _choice(self, value: Any, choices: Sequence[str]) -> str:
        if not isinstance(value, str) or value not in choices:
            self._refuse("wrong_type", f"expected one of {' '.join(choices)}, found {quoted(value)}")
        return value

    def _seat(self, value: Any) -> int:
        return self.letters.index(self._choice(value, tuple(self.letters)))

    def _player(self, value: Any) -> int:
        found = player_of(value, self.letters)
        if isinstance(found, str):
            self._refuse("wrong_type", f"expected {found}, found {quoted(value)}")
        return found

    def _played(self, value: Any) -> tuple[Card, ...]:
        return parse_cards(self._text(value))

    def _cards(self, value: Any) -> Mask:
        return mask_of(self._played(value))

    def _suits(self, value: Any) -> int:
        """Suits as letters: `SH`."""
        text = self._text(value)
        if set(text) - set("SHDC") or len(set(text)) < len(text):
            self._refuse("wrong_type", f"expected letters of suits such as 'SH', found {quoted(value)}")
        return sum(1 << "SHDC".index(letter) for letter in text)

    def _by_player(self, value: Any) -> tuple[int, ...]:
        return tuple(self._number(each) for each in self._list(value, len(self.letters)))

    def _by_seat(self, value: Any) -> tuple[int, ...]:
        return self._each_seat(value, self._number)

    def _each_seat(self, value: Any, reader: Callable[[Any], int]) -> tuple[int, ...]:
        by_seat = self._object(value, tuple(self.letters), tuple(self.letters))
        return tuple(reader(by_seat[seat]) for seat in self.letters)


def _fields(profile: Profile) -> list[str]:
    """What may stand in a view of a game."""
    names = [name for name in _FIELDS if profile.contracts or name not in _OF_CONTRACTS]
    return [_call_field(profile) if name == "trump" else name for name in names]


def _calls(profile: Profile) -> tuple[str, ...]:
    """What may be named."""
    return CALLS[:5] if profile.contracts else profile.calls or CALLS[:4]


def _call_field(profile: Profile) -> str:
    """What the trump is called in this game."""
    return "call" if profile.calls else "trump"
