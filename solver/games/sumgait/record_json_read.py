"""Records of Sumgait Driller read from JSON, strictly: `record_json` says what stands where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tierce.solver.cards import SUIT_LETTERS, mask_of
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError
from tierce.solver.games.json_shared import JsonReader
from tierce.solver.games.record import RecordError
from tierce.solver.games.sumgait.cards import Card, Mask, parse_cards
from tierce.solver.games.sumgait.deal import Dealt
from tierce.solver.games.sumgait.game import ID, sumgait
from tierce.solver.games.sumgait.match import Tally
from tierce.solver.games.sumgait.prices import CALLS, TRICKS
from tierce.solver.games.sumgait.record import Context, DealRecord, Marriage, Record, Stated
from tierce.solver.games.sumgait.record_json import ROBBED, SEATS, player_of
from tierce.solver.games.sumgait.state import Piles

__all__ = ["is_sumgait", "match_of_json"]

_RECORD: Final = ("tierce_record", "game", "options", "players", "context", "deals")
_CONTEXT: Final = ("deal", "declarer", "game", "vist", "failures", "robbers")
_DEAL: Final = (
    "declarer", "deal", "rob", "given", "call", "piles", "play", "marriages", "tricks", "result",
)  # fmt: skip
_RESULT: Final = ("tricks", "game", "vist")


def is_sumgait(tree: Any) -> bool:
    """Is this the tree of a record of this game?"""
    return isinstance(tree, dict) and tree.get("game") == ID


def match_of_json(tree: Any, file: str = "<record>", line: int | None = None, *, typed: bool = False) -> Record:
    """The record a tree of JSON values stands for. RecordError with the place of what is wrong.

    typed   options have the types of JSON; text in place of true is refused
    """
    reader = _Reader(file, line, typed=typed)
    try:
        return reader.match(tree)
    except InputError as error:
        field = error.field if reader.at is None else reader.at
        raise RecordError(
            error.code, error.message, field=field, file=file, line=line, deal=reader.deal_number
        ) from None


class _Reader(JsonReader):
    """Reads one record; `at` and `deal_number` say where it is."""

    def match(self, tree: Any) -> Record:
        record = self._object(tree, _RECORD, ("tierce_record", "game", "deals"), newest=True)
        self.at = "game"
        self._choice(record["game"], (ID,))
        self.at = "options"
        game = sumgait(self._options(record.get("options", {})))
        self.at = "players"
        players = self._players(record["players"]) if "players" in record else None
        self.at = "context"
        context = self._context(record["context"]) if "context" in record else None
        deals = []
        self.at = "deals"
        for number, each in enumerate(self._list(record["deals"]), 1):
            self.deal_number = number
            deals.append(self._deal(each))
            self.at = "deals"
        self.deal_number = None
        if not deals:
            self._refuse("missing", "expected at least one deal, found none")
        return Record(game, tuple(deals), context, players, file=self.file, line=self.line)

    def _context(self, value: Any) -> Context:
        context = self._object(value, _CONTEXT, ("deal", "declarer", "game", "vist"))
        columns = [
            self._in(f"context.{name}", self._by_player, context.get(name, [0, 0, 0]))
            for name in ("game", "vist", "failures")
        ]
        first, second, third = (Tally(*(column[player] for column in columns)) for player in range(3))
        number = self._in("context.deal", self._number, context["deal"])
        declarer = self._in("context.declarer", self._player, context["declarer"])
        self.at = "context.robbers"
        robbers = frozenset(self._player(each) for each in self._list(context.get("robbers", [])))
        return Context(number, declarer, (first, second, third), robbers)

    def _deal(self, value: Any) -> DealRecord:
        self.at = None
        deal = self._object(value, _DEAL)
        if "deal" not in deal and "tricks" not in deal:
            self._refuse("missing", "expected a field 'deal' or, without the cards, 'tricks', found neither")

        def read(name: str, reader: Callable[[Any], Any], absent: Any = None) -> Any:
            return self._in(name, reader, deal[name]) if name in deal else absent

        return DealRecord(
            deal=read("deal", lambda each: Dealt.parse(self._text(each))),
            declarer=read("declarer", self._player),
            rob=read("rob", lambda each: ROBBED.index(self._choice(each, ROBBED))),
            given=read("given", self._given),
            call=read("call", lambda each: self._choice(each, CALLS), ""),
            piles=read("piles", self._piles),
            play=read("play", self._play, ()),
            marriages=read("marriages", self._marriages, ()),
            tricks=read("tricks", self._by_player),
            stated=read("result", self._stated),
        )

    def _given(self, value: Any) -> tuple[Mask, Mask]:
        given = self._object(value, SEATS[1:], SEATS[1:])
        return mask_of(self._row(given["next"])), mask_of(self._row(given["other"]))

    def _piles(self, value: Any) -> Piles:
        piles = self._object(value, SEATS, SEATS[1:])
        first, second, third = (self._row(piles[seat]) if seat in piles else () for seat in SEATS)
        return first, second, third

    def _row(self, value: Any) -> tuple[Card, ...]:
        return parse_cards(self._text(value))

    def _play(self, value: Any) -> tuple[Card, ...]:
        if isinstance(value, str):
            return parse_cards(value)
        found: list[Card] = []
        for number, each in enumerate(rows := self._list(value), 1):
            cards = self._trick(number, self._text(each))
            if len(cards) != 3 and (number < len(rows) or not 1 <= len(cards) <= 3):
                self._refuse("trick_size", f"trick {number}: expected three cards, found {len(cards)}")
            found += cards
        return tuple(found)

    def _trick(self, number: int, text: str) -> tuple[Card, ...]:
        try:
            return parse_cards(text)
        except InputError as error:
            raise InputError(error.code, f"trick {number}: {error.message}", field=self.at) from None

    def _marriages(self, value: Any) -> tuple[Marriage, ...]:
        found = []
        for each in self._list(value):
            marriage = self._object(each, ("suit", "trick"), ("suit",))
            suit = SUIT_LETTERS.index(self._choice(marriage["suit"], tuple(SUIT_LETTERS)))
            found.append(Marriage(suit, self._place(marriage["trick"]) if "trick" in marriage else None))
        return tuple(found)

    def _place(self, value: Any) -> int:
        number = self._number(value)
        if not 1 <= number <= TRICKS:
            self._refuse("wrong_type", f"expected a trick from 1 to {TRICKS}, found {number}")
        return number

    def _stated(self, value: Any) -> Stated | None:
        result = self._object(value, _RESULT)
        none = (None, None, None)
        tricks, game, vist = (self._column(result[name]) if name in result else none for name in _RESULT)
        stated = Stated(tricks, game, vist)
        return None if stated == Stated() else stated

    def _column(self, value: Any) -> tuple[int | None, ...]:
        return tuple(None if each is None else self._number(each) for each in self._list(value, 3))

    def _players(self, value: Any) -> tuple[str, str, str]:
        first, second, third = self._names(value, 3)
        return first, second, third

    def _by_player(self, value: Any) -> tuple[int, int, int]:
        first, second, third = (self._number(each) for each in self._list(value, 3))
        return first, second, third

    def _player(self, value: Any) -> int:
        found = player_of(value)
        if isinstance(found, str):
            self._refuse("wrong_type", f"expected {found}, found {quoted(value)}")
        return found
