"""Records read from JSON, strictly: `record_json` says what stands where."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeVar

from tierce.solver.cards import NOTRUMP, Card, Mask, mask_of, parse_card, parse_cards
from tierce.solver.checks import quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games import profile as profiles
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contract_auction import contract_for
from tierce.solver.games.contracts import BIDS, CONTRACTS, Contract, payments
from tierce.solver.games.json_shared import Json, JsonReader, player_of
from tierce.solver.games.profile import CALLS, Profile, load_game
from tierce.solver.games.record import Context, DealRecord, Parcel, Record, RecordError, Stated
from tierce.solver.games.scoring import DealResult, balances
from tierce.solver.games.sumgait.record import Record as SumgaitRecord
from tierce.solver.games.sumgait.record_json_read import is_sumgait, match_of_json

__all__ = ["any_records_of_json", "profile_of_json", "record_of_json", "records_of_json"]

T = TypeVar("T")


def records_of_json(text: str, file: str) -> list[Record]:
    """The records of JSON text: one, or one a line."""
    return _each(text, file, lambda tree, line: record_of_json(tree, file, line, typed=True))


def any_records_of_json(text: str, file: str) -> list[Record | SumgaitRecord]:
    """The same where records of Sumgait Driller are welcome, too."""

    def read(tree: Any, line: int | None) -> Record | SumgaitRecord:
        reader = match_of_json if is_sumgait(tree) else record_of_json
        return reader(tree, file, line, typed=True)

    return _each(text, file, read)


def _each(text: str, file: str, read: Callable[[Any, int | None], T]) -> list[T]:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(" \t\r")]
    if not lines:
        raise RecordError("json_syntax", "expected a record, found an empty file", file=file)
    several = len(lines) > 1 and _whole(lines[0][1])
    try:
        return [read(_parse(text), None)]
    except json.JSONDecodeError as error:
        if error.msg != "Extra data" or not _whole(lines[0][1]):
            raise _syntax(error, file, error.lineno) from None
    except _Refused as error:
        if not several:
            raise _syntax(error, file, None) from None
    found: list[T] = []
    for number, line in lines:
        try:
            found.append(read(_parse(line), number))
        except (json.JSONDecodeError, _Refused) as error:
            raise _syntax(error, file, number) from None
    return found


def _syntax(error: json.JSONDecodeError | _Refused, file: str, line: int | None) -> RecordError:
    if isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}"
        found = f"text that is not valid JSON: {reason} at character {error.colno}"
    else:
        found = error.args[0]
    return RecordError("json_syntax", f"expected a record in JSON, found {found}", file=file, line=line)


def _whole(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


class _Refused(ValueError):
    """Text that Python's reader takes and we do not; args[0] says what was found."""


def _parse(text: str) -> Any:
    """JSON without repeated fields, NaN, or numbers and nesting beyond all sense."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_short)
    except RecursionError:
        raise _Refused("far too many brackets in brackets") from None


def _once(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
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


def record_of_json(tree: Any, file: str = "<record>", line: int | None = None, *, typed: bool = False) -> Record:
    """The record a tree of JSON values stands for. RecordError with the place of what is wrong.

    typed   options have the types of JSON; text in place of a number or of true is refused
    """
    reader = _Reader(file, line, typed=typed)
    try:
        return reader.record(tree)
    except InputError as error:
        field = error.field if reader.at is None else reader.at
        raise RecordError(
            error.code, error.message, field=field, file=file, line=line, deal=reader.deal_number
        ) from None


def profile_of_json(tree: Json) -> Profile:
    """The game of a record with its options. InputError with the field, "game" or "options"."""
    field = "game"
    try:
        profile = _game(tree["game"])
        field = "options"
        return profile.with_options(tree.get("options", {}))
    except InputError as error:
        raise InputError(error.code, error.message, field=field) from None


class _Reader(JsonReader):
    """Reads one record; `at` and `deal_number` say where it is."""

    def __init__(self, file: str, line: int | None, *, typed: bool) -> None:
        super().__init__(file, line, typed=typed)
        self.letters = "DEM"  # of the seats of the game

    def record(self, tree: Any) -> Record:
        record = self._object(tree, _RECORD_FIELDS, ("tierce_record", "game", "deals"), newest=True)
        self.at = "game"
        profile = _game(record["game"])
        self.letters = profile.letters
        self.at = "options"
        profile = profile.with_options(self._options(record.get("options", {})))
        self.at = "players"
        players = self._players(record["players"]) if "players" in record else None
        self.at = "context"
        context = self._context(record["context"], profile) if "context" in record else None
        deals = []
        self.at = "deals"
        for number, each in enumerate(self._list(record["deals"]), 1):
            self.deal_number = number
            deals.append(self._deal(each, profile))
            self.at = "deals"
        self.deal_number = None
        if not deals:
            self._refuse("missing", "expected at least one deal, found none")
        return Record(profile, tuple(deals), context, players, file=self.file, line=self.line)

    # ---- parts of a record

    def _players(self, value: Any) -> tuple[str, ...]:
        return self._names(value, len(self.letters))

    def _context(self, value: Any, profile: Profile) -> Context:
        context = self._object(value, ("deal", "totals", "previous", "used"), ("deal", "totals", "previous"))
        number = self._in("context.deal", self._number, context["deal"])
        totals = self._in("context.totals", self._by_player, context["totals"])
        previous = self._in("context.previous", lambda each: self._result(each, profile), context["previous"])
        self.at = "context.used"
        seats = profile.seats
        used = tuple(
            frozenset(self._choice(call, CALLS) for call in self._list(calls))
            for calls in self._list(context.get("used", [[]] * seats), seats)
        )
        return Context(number, previous, totals, used)

    def _units(self, value: Any, profile: Profile) -> DealResult:
        """The deal before in a game of contracts."""
        fields = ("dealer", "contract", "declarers", "call", "tricks", "balances")
        result = self._object(value, fields, ("dealer", "tricks"))
        dealer, tricks = self._player(result["dealer"]), self._all_seats(result["tricks"])
        contract = self._contract(result, profile, dealer)
        due = profile.quotas
        if contract is not None:
            due = payments(contract, tricks, str(profile.option("overtrick_schedule")))
        gained = self._all_seats(result["balances"]) if "balances" in result else due
        call = "" if contract is None else "SHDCN"[contract.trump]
        return DealResult(dealer, call, profile.quotas, tricks, gained, contract=contract)

    def _contract(self, result: Mapping[str, Any], profile: Profile, dealer: int) -> Contract | None:
        """What was played, with its trump; None where no contract is told."""
        if "contract" not in result:
            told = next((name for name in ("declarers", "call") if name in result), None)
            if told is not None:
                self._refuse("missing", f"expected a contract beside {told!r}, found none")
            return None
        rule = CONTRACTS[self._choice(result["contract"], tuple(CONTRACTS))]
        seats = tuple(map(self._seat, self._list(result.get("declarers"), rule.side)))
        if len(set(seats)) < rule.side:
            self._refuse("wrong_type", f"expected two seats as declarers, found {quoted(result['declarers'])}")
        if rule.trump == "none" and "call" not in result:
            return contract_for(replace(profile, options={}), rule.name, seats, dealer, NOTRUMP)
        trump = CALLS.index(self._choice(result.get("call"), CALLS[:5]))
        return replace(contract_for(profile, rule.name, seats, dealer, trump), trump=trump)

    def _result(self, value: Any, profile: Profile) -> DealResult:
        if profile.contracts:
            return self._units(value, profile)
        result = self._object(value, _RESULT_FIELDS, ("dealer", "tricks"))
        call = self._choice(result["call"], CALLS) if "call" in result else ""
        tricks = self._all_seats(result["tricks"])
        usual = profile.caps() if call == profiles.MIZ else profile.quotas
        quotas = self._all_seats(result["quotas"]) if "quotas" in result else usual
        gained = self._all_seats(result["balances"]) if "balances" in result else balances(quotas, tricks, call)
        over = self._seat(result["first_over"]) if "first_over" in result else None
        bid = self._number(result["bid"]) if "bid" in result else None
        return DealResult(self._player(result["dealer"]), call, quotas, tricks, gained, over, bid)

    def _deal(self, value: Any, profile: Profile) -> DealRecord:
        call = "call" if profile.calls else "trump"
        names = [call if name == "trump" else name for name in _DEAL_FIELDS]
        known: Sequence[str] = CALLS
        calls: Sequence[str] = profile.calls or CALLS[:4]
        if profile.contracts:
            names, known, calls = list(_CONTRACT_FIELDS), CALLS[:5], CALLS[:5]
        self.at = None
        deal = self._object(value, names, ("deal",))

        def read(name: str, reader: Callable[[Any], Any], absent: Any = None) -> Any:
            return self._in(name, reader, deal[name]) if name in deal else absent

        return DealRecord(
            deal=read("deal", self._dealt),
            dealer=read("dealer", self._player),
            bids=read("bids", self._words if profile.contracts else self._bids, ()),
            exchange=read("exchange", self._exchange, ()),
            call=read(call, lambda each: self._choice(each, known, calls), ""),
            discard=read("discard", self._cards),
            kitty=read("kitty", self._cards),
            shown=read("shown", self._shown),
            swap=read("swap", self._flag),
            play=read("play", self._play, ()),
            claim=read("claim", self._all_seats),
            stated=read("result", self._stated),
            turned=read("turned", lambda each: parse_card(self._text(each))),
        )

    def _dealt(self, value: Any) -> Deal:
        deal = Deal.parse(self._text(value))
        if len(deal.hands) != len(self.letters):
            expected = "three" if len(self.letters) == 3 else "four"
            self._refuse("wrong_deal", f"expected {expected} hands, found {len(deal.hands)}")
        return deal

    def _words(self, value: Any) -> tuple[BidValue, ...]:
        return tuple(None if bid == "pass" else self._choice(bid, BIDS, ("pass", *BIDS)) for bid in self._list(value))

    def _bids(self, value: Any) -> tuple[BidValue, ...]:
        return tuple(
            None if bid == "pass" else self._number(bid, "a number of tricks or 'pass'") for bid in self._list(value)
        )

    def _exchange(self, value: Any) -> tuple[Parcel, ...]:
        found = []
        for each in self._list(value):
            parcel = self._object(each, ("from", "to", "sent", "returned"), ("from", "to", "sent"))
            back = self._cards(parcel["returned"]) if "returned" in parcel else None
            found.append(
                Parcel(self._seat(parcel["from"]), self._seat(parcel["to"]), self._cards(parcel["sent"]), back)
            )
        return tuple(found)

    def _shown(self, value: Any) -> tuple[tuple[int, Mask], ...] | None:
        rows = [self._object(each, ("to", "cards"), ("to", "cards")) for each in self._list(value)]
        return tuple((self._seat(row["to"]), self._cards(row["cards"])) for row in rows) or None

    def _play(self, value: Any) -> tuple[Card, ...]:
        if isinstance(value, str):
            return parse_cards(value)
        found: list[Card] = []
        for number, each in enumerate(rows := self._list(value), 1):
            cards = self._trick(number, self._text(each))
            full = len(self.letters)
            if len(cards) != full and (number < len(rows) or not 1 <= len(cards) <= full):
                expected = "three" if full == 3 else "four"
                self._refuse("trick_size", f"trick {number}: expected {expected} cards, found {len(cards)}")
            found += cards
        return tuple(found)

    def _trick(self, number: int, text: str) -> tuple[Card, ...]:
        try:
            return parse_cards(text)
        except InputError as error:
            raise InputError(error.code, f"trick {number}: {error.message}", field=self.at) from None

    def _stated(self, value: Any) -> Stated | None:
        result = self._object(value, ("tricks", "balances", "totals"))
        none = (None,) * len(self.letters)
        stated = Stated(
            self._some_seats(result["tricks"]) if "tricks" in result else none,
            self._some_seats(result["balances"]) if "balances" in result else none,
            self._by_player(result["totals"]) if "totals" in result else None,
        )
        return None if stated == Stated(none, none) else stated

    # ---- values

    def _seat(self, value: Any) -> int:
        return self.letters.index(self._choice(value, tuple(self.letters)))

    def _player(self, value: Any) -> int:
        found = player_of(value, self.letters)
        if isinstance(found, str):
            self._refuse("wrong_type", f"expected {found}, found {quoted(value)}")
        return found

    def _cards(self, value: Any) -> Mask:
        return mask_of(parse_cards(self._text(value)))

    def _by_player(self, value: Any) -> tuple[int, ...]:
        return tuple(self._number(each) for each in self._list(value, len(self.letters)))

    def _some_seats(self, value: Any) -> tuple[int | None, ...]:
        by_seat = self._object(value, tuple(self.letters))
        return tuple(self._number(by_seat[seat]) if seat in by_seat else None for seat in self.letters)

    def _all_seats(self, value: Any) -> tuple[int, ...]:
        by_seat = self._object(value, tuple(self.letters), tuple(self.letters))
        return tuple(self._number(by_seat[seat]) for seat in self.letters)


_RECORD_FIELDS: Final = ("tierce_record", "game", "options", "players", "context", "deals")
_RESULT_FIELDS: Final = ("dealer", "call", "quotas", "tricks", "balances", "first_over", "bid")
_DEAL_FIELDS: Final = (
    "dealer", "deal", "bids", "exchange", "trump", "discard", "kitty", "shown", "swap", "play", "claim", "result",
)  # fmt: skip
_CONTRACT_FIELDS: Final = ("dealer", "deal", "turned", "bids", "trump", "play", "claim", "result")


def _game(value: Any) -> Profile:
    """A game from its id or from the fields of its TOML file. InputError with field "game"."""
    if isinstance(value, str):
        try:
            return load_game(value)
        except InputError as error:
            message = error.message.replace(", found ", ", or a whole game as an object, found ", 1)
            raise InputError(error.code, message, field="game") from None
    if not isinstance(value, dict):
        raise InputError("wrong_type", f"expected a game's id or a game, found {quoted(value)}", field="game")
    return profiles.profile_of_table(value, "the record")
