"""Portable Bridge Notation: games read from other people's files, and written so that they read back.

The tags understood are Deal, Dealer, Declarer, Contract, Play, OptimumResultTable and DoubleDummyTricks, and

    [Game "raf"]            makes W's "-" in the Deal a vacant seat: three hands, D, E, M at N, E, S
    [Undealt "S2SJCJS5"]    the kitty (CardsAdded "N:..." is read, too)
    [CardsRemoved "N:..."]  the dealer's discard
    [CardsPassed "S:N:DQ N:S:DA"]  cards passed before the play, from:to:cards, in order
    [Trump "S"]             the trump, of a four-hand game, too

`read_pbn` raises `InputError` only for text that is no PBN. Whatever else is wrong in a game is kept in its
`problems`, each with file, line and tag, so that one bad deal does not cost the others: ask
`require_deal()` for a deal to be solved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, TypeVar

from tierce.solver.cards import SEATS4, TEXT_MAX, Card, Mask, card_name, cards_of, parse_trump, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.pbn_shared import Once, inherit, overlay
from tierce.solver.pbn_tokens import RawGame, Tag, decode, escape, scan
from tierce.solver.pbn_values import (
    TABLE_HEADER,
    Contract,
    Moves,
    Table,
    after_passing,
    format_pbn_deal,
    format_play,
    format_result_table,
    parse_card_set,
    parse_contract,
    parse_dealer_cards,
    parse_double_dummy,
    parse_passed,
    parse_pbn_deal,
    parse_pbn_seat,
    parse_play,
    parse_result_table,
    play_section,
    table_conflict,
)

__all__ = ["Contract", "PbnGame", "Table", "parse_contract", "read_pbn", "write_pbn"]

T = TypeVar("T")

# In the order they are written: the standard's, then ours, then what others have, then sections.
_ORDER: Final = (
    *(
        "Event",
        "Site",
        "Date",
        "Board",
        "West",
        "North",
        "East",
        "South",
        "Dealer",
        "Vulnerable",
        "Deal",
        "Scoring",
    ),
    *("Declarer", "Contract", "Result", "Game", "Undealt", "CardsAdded", "CardsRemoved", "Trump"),
)
_LAST: Final = ("DoubleDummyTricks", "OptimumResultTable", "Auction", "Note", "Play")
_OF_RECORDS: Final = (  # see tierce.solver.games.record_pbn
    *("Options", "GameRules", "DealerPlayer", "Match", "MatchDeal", "Totals", "Previous", "CallsUsed"),
    *("CardsPassed", "Shown", "Turned", "Call", "Swap", "Claim", "Result", "Balances", "TotalsAfter"),
)
_NAMES: Final = {name.lower(): name for name in _ORDER + _LAST + _OF_RECORDS}
_DEAL_TAGS: Final = ("Deal", "Dealer", "Undealt", "CardsAdded")
_UNKNOWN: Final = frozenset({"", "?", "-"})


@dataclass(frozen=True, slots=True)
class PbnGame:
    """One game. What is not given or not understood is None or empty; `problems` has what is wrong."""

    tags: MutableMapping[str, str] = field(default_factory=dict)  # as given, "#" and "##" filled in
    deal: Deal | None = None
    game: str | None = None  # the Game tag
    trump: int | None = None  # of the Trump tag, else of the contract
    declarer: int | None = None
    dealer: int | None = None
    leader: int | None = None  # of the first trick, from the Play tag
    contract: Contract | None = None
    discard: Mask | None = None
    passed: Moves = ()  # of three hands: cards that went from one seat to another before the play, in order
    play: tuple[Card, ...] = ()  # in playing order, as far as it can be followed
    table: Table | None = None  # double-dummy tricks: strain -> declarer -> tricks
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)  # tag -> its data lines
    notes: tuple[str, ...] = ()  # the Note tags
    problems: tuple[InputError, ...] = field(default=(), compare=False)
    file: str = field(default="<pbn>", compare=False)
    line: int = field(default=0, compare=False)  # of the first tag
    lines: dict[str, int] = field(default_factory=dict, compare=False)  # of every tag that stands in the game

    def require_deal(self) -> Deal:
        """Return the deal, or raise what keeps it from being solved: none, an unknown hand, bad cards ..."""
        if self.deal is not None:
            return self.deal
        for problem in self.problems:
            if problem.field in _DEAL_TAGS:
                raise problem.located()
        message = "expected a game with a Deal tag, found none"
        raise InputError("deal_missing", message, field="Deal", file=self.file, line=self.line)

    def as_played(self, *, kitty_first: bool = False) -> Deal:
        """Return the deal after the cards passed and the game's discard (`Deal.with_discard`)."""
        deal = self.require_deal()
        if self.tags.get("Swap", "").strip().lower() not in ("", "no", *_UNKNOWN):
            message = "expected a deal without a swap, found one: replay the record to see what is played"
            raise InputError("swap", message, field="Swap", file=self.file, line=self.lines.get("Swap", self.line))
        name = "CardsPassed"
        for problem in self.problems:
            if problem.field == name:
                raise problem.located()
        try:
            deal = after_passing(deal, self.passed)
            name = "CardsRemoved"
            return deal.with_discard(self.discard, kitty_first=kitty_first)
        except InputError as error:
            line = self.lines.get(name, self.line)
            raise _in_tag(error, name, self.file, line) from None

    def check(self) -> None:
        """Raise the first problem, if there is any."""
        if self.problems:
            raise self.problems[0].located()


def read_pbn(source: bytes | str, name: str = "<pbn>") -> list[PbnGame]:
    """Read all games of a PBN file, bytes in any usual encoding or text; `name` stands for it in errors."""
    text = source if isinstance(source, str) else decode(source, name)
    once = Once()
    return [_Reading(raw, name, once).game() for raw in inherit(scan(text, name))]


def _in_tag(error: InputError, name: str, file: str, line: int) -> InputError:
    return InputError(error.code, f"[{name}] {error.message}", field=name, file=file, line=line)


def _usual(tag: Tag) -> str:
    """Return a tag's name as we write it."""
    return _NAMES.get(tag.name.lower(), tag.name)


class _Reading:
    """One game being read: tags by their usual names, and the problems met."""

    def __init__(self, raw: RawGame, file: str, once: Once) -> None:
        self.raw = raw
        self.file = file
        self.once = once
        self.problems: list[InputError] = []
        self.own: dict[str, Tag] = {}
        for tag in raw.tags:
            self.own.setdefault(_usual(tag), tag)
        self.tags = overlay(self.own, raw.inherited, _usual, lambda tag: tag)

    def game(self) -> PbnGame:
        own = self.own
        values = {name: tag.value for name, tag in own.items()}
        deal = self._deal()
        hands = len(deal.hands) if deal else 4
        contract = self._read("Contract", parse_contract)
        trump = self._read("Trump", parse_trump)
        if trump is None and contract:
            trump = contract.trump
        declarer = self._read("Declarer", lambda text: parse_pbn_seat(text, hands))
        dealer = 0 if hands == 3 else self._read("Dealer", lambda text: parse_pbn_seat(text, hands))
        discard = self._read("CardsRemoved", parse_dealer_cards) if hands == 3 else None
        passed = (self._read("CardsPassed", parse_passed) or ()) if hands == 3 else ()
        leader = self._read("Play", lambda text: parse_pbn_seat(text, hands))
        return PbnGame(
            tags=overlay(values, self.raw.inherited, _usual, attrgetter("value")),
            deal=deal,
            game=self._read("Game", str.strip),
            trump=trump,
            declarer=declarer,
            dealer=dealer,
            leader=leader,
            contract=contract,
            discard=discard,
            passed=passed,
            play=self._play(hands, declarer if leader is None else leader - 1, trump, deal, discard, passed),
            table=self._table(deal),
            sections={name: self.once(tuple, tag.rows) for name, tag in own.items() if tag.rows and name != "Note"},
            notes=tuple(tag.value for tag in self.raw.tags if tag.name.lower() == "note"),
            problems=tuple(self.problems),
            file=self.file,
            line=self.raw.line,
            lines={name: tag.line for name, tag in own.items()},
        )

    def _read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Return what a tag means; None if it is not there, says nothing, or is wrong, which is noted."""
        tag = self.tags.get(name)
        if tag is None or tag.value.strip() in _UNKNOWN:
            return None
        try:
            if len(tag.value) > TEXT_MAX:
                message = f"expected at most {TEXT_MAX} characters, found {len(tag.value)}: {shown(tag.value)}"
                raise InputError("too_long", message)
            return parse(tag.value)
        except InputError as error:
            self._note(error, name)
            return None

    def _note(self, error: InputError, name: str) -> None:
        self.problems.append(_in_tag(error, name, self.file, self.tags[name].line))

    def _deal(self) -> Deal | None:
        if "Deal" not in self.tags:
            return None
        three = "Game" in self.tags
        kitty = 0
        if three:
            given = "Undealt" if "Undealt" in self.tags else "CardsAdded"
            kitty = self._read(given, parse_card_set if given == "Undealt" else parse_dealer_cards) or 0
        if self.problems:
            return None
        try:
            deal = parse_pbn_deal(self.tags["Deal"].value, three=three, kitty=kitty)
            if len(deal.hands) == 3:
                self._check_dealer()
        except InputError as error:
            self._note(error, "Dealer" if error.field == "Dealer" else "Deal")
            return None
        return deal

    def _check_dealer(self) -> None:
        text = self.tags["Dealer"].value if "Dealer" in self.tags else ""
        if text.strip().upper() not in _UNKNOWN | {"N", "D"}:
            message = f"expected the dealer of a three-hand game at N, found {shown(text)}"
            raise InputError("seat", message, field="Dealer")

    def _table(self, deal: Deal | None) -> Table | None:
        hands, size = (len(deal.hands), deal.size) if deal else (4, 13)
        table: Table | None = None
        tag = self.tags.get("OptimumResultTable")
        if tag and tag.rows:
            found, error = self.once(_result_table, tag.rows, tag.value, hands, size)
            table = {strain: dict(row) for strain, row in found.items()} or None
            if error:
                self._note(error, "OptimumResultTable")
        other = self._read("DoubleDummyTricks", parse_double_dummy) if hands == 4 else None
        if not table or not other:
            return table or other or None
        conflict = table_conflict(table, other)
        if conflict:
            message = f"expected the tricks of the OptimumResultTable, found a difference: {conflict}"
            self._note(InputError("table_mismatch", message), "DoubleDummyTricks")
        return {s: other.get(s, {}) | table.get(s, {}) for s in "SHDCN" if s in table or s in other}

    def _play(
        self,
        hands: int,
        before: int | None,
        trump: int | None,
        deal: Deal | None,
        discard: Mask | None,
        passed: Moves,
    ) -> tuple[Card, ...]:
        """Return the cards played; `before` is the seat whose left neighbour led first."""
        tag = self.tags.get("Play")
        if tag is None or not tag.rows or before is None:
            return ()
        held = None
        if deal:
            try:  # whether kitty cards may be discarded is not for this module to say
                held = after_passing(deal, passed).with_discard(discard, kitty_first=True).hands
            except InputError:
                held = None
        play, error = parse_play(self.once(play_section, tag.rows), (before + 1) % hands, trump, hands, held)
        if error:
            self._note(error, "Play")
        return play


def _result_table(rows: Sequence[str], header: str, hands: int, size: int) -> tuple[Table, InputError | None]:
    """Return an OptimumResultTable, or none and what is wrong with it."""
    try:
        return parse_result_table(header, rows, hands, size), None
    except InputError as error:
        return {}, error


def write_pbn(games: Iterable[PbnGame]) -> str:
    """Return PBN text of the games, which `read_pbn` reads back.

    Where a field says something else than the tags, the field is written; one that is None leaves the tags
    alone. Three-hand games get a Game tag and the dealer at N.
    """
    return "\n".join(["% PBN 2.1\n", *map(_write_game, games)])


def _write_game(game: PbnGame) -> str:
    tags = {_NAMES.get(name.lower(), name): value for name, value in game.tags.items()}
    sections = {_NAMES.get(name.lower(), name): rows for name, rows in game.sections.items()}
    _agree(game, tags, sections)
    notes = game.notes or ((tags["Note"],) if "Note" in tags else ())
    lines = []
    for name in sorted(tags, key=_place):
        for value in notes if name == "Note" else (tags[name],):
            lines.append(_write_tag(name, value))
        lines += [f" {row}" if row.startswith("%") else row for row in sections.get(name, ())]
    return "\n".join([*lines, ""])


def _agree(game: PbnGame, tags: dict[str, str], sections: dict[str, tuple[str, ...]]) -> None:
    """Make tags and sections say what the fields say."""
    deal = game.deal
    hands = len(deal.hands) if deal else 4
    if not tags.keys() & {"Event", "Board", "Deal"} and deal is None:
        tags["Event"] = "?"  # else the game would be read as a part of the one before it
    if game.notes:
        tags["Note"] = game.notes[0]
    if game.game is not None:
        tags["Game"] = game.game
    if hands == 3:
        tags.setdefault("Game", "?")
        tags["Dealer"] = "N"
    raw = RawGame(0, [Tag(name, value, 0, list(sections.get(name, ()))) for name, value in tags.items()])
    told = _Reading(raw, game.file, Once()).game()
    if deal is not None and deal != told.deal:
        tags["Deal"] = format_pbn_deal(deal)
        for name in ("Undealt", "CardsAdded"):
            tags.pop(name, None)
        if deal.kitty:
            tags["Undealt"] = "".join(map(card_name, cards_of(deal.kitty)))
    if game.discard is not None and game.discard != told.discard:
        tags["CardsRemoved"] = "N:" + "".join(map(card_name, cards_of(game.discard)))
    if game.passed and game.passed != told.passed:
        passed = (f"{SEATS4[a]}:{SEATS4[b]}:{''.join(map(card_name, cards_of(mask)))}" for a, b, mask in game.passed)
        tags["CardsPassed"] = " ".join(passed)
    if game.contract is not None and game.contract != told.contract:
        strain = trump_name(game.contract.trump).replace("N", "NT")
        tags["Contract"] = f"{game.contract.level}{strain}{'X' * game.contract.doubled}"
    trump_told = game.contract.trump if game.contract and "Trump" not in tags else told.trump
    if game.trump is not None and game.trump != trump_told:
        tags["Trump"] = trump_name(game.trump)
    if game.declarer is not None and game.declarer != told.declarer:
        tags["Declarer"] = SEATS4[game.declarer]
    if game.dealer is not None and game.dealer != told.dealer and hands == 4:
        tags["Dealer"] = SEATS4[game.dealer]
    if game.table and game.table != told.table:
        tags.pop("DoubleDummyTricks", None)
        tags["OptimumResultTable"] = TABLE_HEADER
        sections["OptimumResultTable"] = tuple(format_result_table(game.table, hands))
    if (game.play and game.play != told.play) or (game.leader is not None and game.leader != told.leader):
        leader = _opening(game, hands)
        tags["Play"] = SEATS4[leader]
        sections["Play"] = (*format_play(game.play, leader, game.trump, hands), "*")


def _opening(game: PbnGame, hands: int) -> int:
    """Return the opening leader: as given, else left of the declarer, of the dealer, of N."""
    if game.leader is not None:
        return game.leader
    for seat in (game.declarer, game.dealer):
        if seat is not None and hands == 4:
            return (seat + 1) % hands
    return 1


def _place(name: str) -> tuple[int, int, str]:
    if name in _ORDER:
        return 0, _ORDER.index(name), ""
    return (2, _LAST.index(name), "") if name in _LAST else (1, 0, name)


def _write_tag(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name):
        message = f"expected a tag name of letters and digits, found {shown(name)}"
        raise InputError("pbn_syntax", message, field="tags")
    if re.search(r"[\0\r\n]|^#$|^##", value):
        message = f"expected the value of [{name}] on one line, without '##' in front, found {shown(value)}"
        raise InputError("pbn_syntax", message, field=name)
    return f'[{name} "{escape(value)}"]'
