"""Views of Sumgait Driller read from JSON, strictly: `view_json` says what stands where.

The rules judge what a view says: the cards nobody has told are dealt somehow, everything told is done by
`rules.apply`, and the view of what comes out is the one that was meant, for a view holds no card that was not seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from tierce.solver.cards import NOTRUMP, STRAIN_LETTERS, SUIT_LETTERS, mask_of
from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.json_shared import JsonReader
from tierce.solver.games.sumgait.actions import Action, Call, DealCards, Early, Give, Play, Rob, Shuffle, TakeKitty
from tierce.solver.games.sumgait.cards import (
    ALL54,
    Card,
    Mask,
    card_name,
    card_names,
    cards_of,
    parse_cards,
    parse_hand,
)
from tierce.solver.games.sumgait.deal import HAND, KITTY, SEAT_NAMES, Dealt
from tierce.solver.games.sumgait.game import ID, Sumgait, sumgait
from tierce.solver.games.sumgait.match import GOAL, HILL, Tally
from tierce.solver.games.sumgait.prices import CALLS, MISERE, TRICKS
from tierce.solver.games.sumgait.record_json import ROBBED, SEATS
from tierce.solver.games.sumgait.replay import DEALS_MAX
from tierce.solver.games.sumgait.rules import apply
from tierce.solver.games.sumgait.state import State
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.games.sumgait.view import View, view
from tierce.solver.piles.view_json import COLUMNS, VERSION, view_json

__all__ = ["ViewError", "read_view"]

_PHASES: Final = ("ROB", "MISERE", "KITTY", "GIVE", "CALL", "SHUFFLE", "PLAY", "SCORE")
_TOLD: Final = ("rob", "let_go", "given", "call", "tricks", "trick")  # in the order of a deal
_CARDS: Final = ("counts", "known", "unseen")
_FIELDS: Final = (
    "sumgait_view", "game", "options", "deal", "declarer", "columns", "phase", "hand", *_TOLD, "trump", "taken",
    *_CARDS,
)  # fmt: skip
_TRICK: Final = ("leader", "cards", "winner", "marriage")
_FAILURES: Final = 2


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


@dataclass(frozen=True, slots=True)
class _Trick:
    """A trick as told: the cards in the order played, the suit declared with its lead."""

    cards: tuple[Card, ...]
    marriage: int | None


class _Reader(JsonReader):
    """Reads one view; `at` is the field it reads."""

    def view(self, tree: Any) -> View:
        self._version(tree)
        fields = self._object(tree, _FIELDS, ("sumgait_view", "phase", "hand"))

        def read(name: str, reader: Callable[[Any], Any], absent: Any = None) -> Any:
            return self._in(name, reader, fields[name]) if name in fields else absent

        read("game", lambda each: self._choice(each, (ID,)))
        game = read("options", lambda each: sumgait(self._options(each)), sumgait())
        phase = read("phase", lambda each: self._choice(each, _PHASES))
        tricks = [*read("tricks", self._tricks, ())]
        table = read("trick", self._table)
        told = _Told(
            game=game,
            phase=phase,
            number=read("deal", self._deal_number, 1),
            declarer=read("declarer", self._player, 0),
            tallies=read("columns", self._columns, (Tally(), Tally(), Tally())),
            hand=read("hand", lambda each: parse_hand(self._text(each))),
            robbed=read("rob", lambda each: ROBBED.index(self._choice(each, ROBBED)), 0),
            let_go=read("let_go", lambda each: parse_hand(self._text(each)), 0),
            given=read("given", self._given, (0, 0)),
            call=read("call", lambda each: self._choice(each, CALLS), ""),
            tricks=(*tricks, table) if table is not None and table.cards else tuple(tricks),
            finished=len(tricks),
        )
        self.at = None
        found = _Deal(told, self).view()
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
        if not is_whole(value) or value not in range(3):
            self._refuse("wrong_type", f"expected a player 0, 1 or 2, found {quoted(value)}")
        return value

    def _columns(self, value: Any) -> tuple[Tally, ...]:
        given = self._object(value, COLUMNS)
        rows = [[self._number(each) for each in self._list(given.get(name, [0, 0, 0]), 3)] for name in COLUMNS]
        tallies = tuple(Tally(*(row[player] for row in rows)) for player in range(3))
        for tally in tallies:
            if not 0 <= tally.failures <= (_FAILURES if HILL <= tally.game < GOAL else 0):
                message = f"expected 0 to {_FAILURES} failures, and none off the hill, found {tally.failures}"
                self._refuse("columns", message)
        if all(tally.game >= GOAL for tally in tallies):
            self._refuse("columns", f"expected a match that goes on, found three times {GOAL}")
        return tallies

    def _given(self, value: Any) -> tuple[Mask, Mask]:
        given = self._object(value, SEATS[1:], SEATS[1:])
        return mask_of(self._row(given["next"])), mask_of(self._row(given["other"]))

    def _row(self, value: Any) -> tuple[Card, ...]:
        return parse_cards(self._text(value))

    def _tricks(self, value: Any) -> list[_Trick]:
        found = []
        for number, each in enumerate(self._list(value), 1):
            trick = self._trick(each)
            if len(trick.cards) != 3:
                self._refuse("trick_size", f"trick {number}: expected three cards, found {len(trick.cards)}")
            found.append(trick)
        return found

    def _table(self, value: Any) -> _Trick:
        trick = self._trick(value)
        if len(trick.cards) > 2:
            self._refuse("trick_size", f"expected at most two cards on the table, found {len(trick.cards)}")
        return trick

    def _trick(self, value: Any) -> _Trick:
        if isinstance(value, str):
            return _Trick(self._row(value), None)
        given = self._object(value, _TRICK, ("cards",))
        suit = given.get("marriage")
        cards = self._row(given["cards"])
        return _Trick(cards, None if suit is None else SUIT_LETTERS.index(self._choice(suit, tuple(SUIT_LETTERS))))

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


# ---- the rules -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """What a view tells. `robbed`: 0 for nobody; `tricks`: the last may be on the table; finished: the others."""

    game: Sumgait
    phase: str
    number: int
    declarer: int
    tallies: tuple[Tally, Tally, Tally]
    hand: Mask
    robbed: int
    let_go: Mask
    given: tuple[Mask, Mask]
    call: str
    tricks: tuple[_Trick, ...]
    finished: int


class _Deal:
    """A deal that gives the view."""

    def __init__(self, told: _Told, reader: _Reader) -> None:
        self.told = told
        self.reader = reader
        self.played = self._by_seat()

    def view(self) -> View:
        told = self.told
        self._check_told()
        state = State(told.game, told.declarer, told.number, tallies=told.tallies)
        state = self._done(state, DealCards(self._dealt()), "hand")
        while state.phase != told.phase and (step := self._next(state)) is not None:
            state = self._done(state, *step)
        if state.phase != told.phase:
            self._refuse("phase", f"expected the phase {state.phase} by the rest, found {told.phase}", "phase")
        if state.phase == "PLAY" and told.tricks[len(state.tricks) :]:
            state = self._table(state)
            if state.phase != told.phase:
                self._refuse("phase", f"expected the phase {state.phase} by the rest, found {told.phase}", "phase")
        if state.hands[0] != told.hand:
            wrong = card_names(state.hands[0] ^ told.hand)
            self._refuse("hand", f"expected the cards that the rest leaves him, found a difference in {wrong}", "hand")
        return view(state)

    def _refuse(self, code: str, message: str, field: str) -> NoReturn:
        self.reader.at = field
        raise InputError(code, message, field=field)

    def _done(self, state: State, action: Action, field: str) -> State:
        self.reader.at = field
        state = apply(state, action)
        self.reader.at = None
        return state

    def _check_told(self) -> None:
        """Nothing is told that lies ahead of the phase, and nothing is lacking."""
        told, steps = self.told, self.told.game.steps()
        if told.phase not in steps:
            self._refuse("phase", f"expected one of the game's phases {' '.join(steps)}, found {told.phase}", "phase")
        early = told.game.options["misere_time"] == "before_kitty"
        at = steps.index(told.phase)
        calls = "MISERE" if early and told.call == MISERE else "CALL"
        ahead = (("rob", "ROB", told.robbed), ("given", "GIVE", told.given != (0, 0)), ("call", calls, told.call))
        for name, phase, there in (*ahead, ("tricks", "SHUFFLE", told.tricks)):
            if there and at <= steps.index(phase):
                self._refuse("not_due", f"expected no {name} yet in the phase {told.phase}, found some", name)
        if told.robbed and told.let_go.bit_count() != HAND:
            found = told.let_go.bit_count()
            self._refuse("let_go", f"expected the {HAND} cards he let go after a robbery, found {found}", "let_go")
        if told.let_go and not told.robbed:
            self._refuse("not_due", "expected no cards let go without a robbery, found some", "let_go")
        if not told.call and at > steps.index("CALL"):
            self._refuse("missing", f"expected a call before the phase {told.phase}, found none", "call")

    def _next(self, state: State) -> tuple[Action, str] | None:
        """The action that comes next, and the field that told it."""
        told = self.told
        match state.phase:
            case "ROB":
                return Rob(told.robbed or None), "rob"
            case "MISERE":
                return Early(told.call == MISERE), "call"
            case "KITTY":
                return TakeKitty(), "hand"
            case "GIVE":
                return Give(*told.given), "given"
            case "CALL":
                return Call(told.call), "call"
            case "SHUFFLE":
                return Shuffle(None), "call"
        return self._card(state) if state.phase == "PLAY" else None

    def _card(self, state: State) -> tuple[Action, str] | None:
        """The next card told, of a finished trick or of that on the table."""
        number, place = len(state.tricks), len(state.trick)
        if number == len(self.told.tricks) or place == len(self.told.tricks[number].cards):
            return None
        trick = self.told.tricks[number]
        declares = place == 0 and trick.marriage is not None
        if declares and trick.marriage != trick.cards[0] >> 4:
            found = card_name(trick.cards[0])
            message = f"expected a king or queen of {STRAIN_LETTERS[trick.marriage or 0]} to declare it, found {found}"
            self._refuse("illegal_marriage", message, "tricks")
        field = "tricks" if number < self.told.finished else "trick"
        return Play(state.mover, trick.cards[place], marriage=declares), field

    def _table(self, state: State) -> State:
        """The play up to the moment."""
        while (step := self._card(state)) is not None:
            state = self._done(state, *step)
        return state

    # ---- the cards

    def _by_seat(self) -> tuple[Mask, Mask, Mask]:
        """The cards played, by seat; the rules say later whether that can be."""
        found, leader, trump = [0, 0, 0], 0, NOTRUMP
        options = self.told.game.options
        low = self.told.call == MISERE and options["misere_jokers"] == "low"
        for trick in self.told.tricks:
            trump = trump if trick.marriage is None else trick.marriage
            for place, card in enumerate(trick.cards):
                found[(leader + place) % 3] |= 1 << card
            if len(trick.cards) == 3:
                won = trick_winner(trick.cards, trump, str(options["joker_resolution"]), low_jokers=low)
                leader = (leader + won) % 3
        return found[0], found[1], found[2]

    def _dealt(self) -> Dealt:
        """Cards as they may have been dealt: those told where they must have been, the others anywhere."""
        told = self.told
        own = told.hand | self.played[0] | told.given[0] | told.given[1]
        self._check_own(own)
        piles = [self.played[seat] & ~told.given[seat - 1] for seat in (1, 2)]
        if told.robbed:
            piles[told.robbed - 1] |= told.let_go
        self._check_apart(own, piles)
        rest = [card for card in cards_of(ALL54) if not (own | piles[0] | piles[1]) >> card & 1]
        for seat, pile in enumerate(piles):
            lacking = HAND - pile.bit_count()
            if lacking < 0:
                message = f"expected at most {HAND} cards that {SEAT_NAMES[seat + 1]} was dealt"
                self._refuse("card_count", f"{message}, found {pile.bit_count()}", "tricks")
            piles[seat] |= mask_of(rest[:lacking])
            rest = rest[lacking:]
        kitty = mask_of(rest) if own.bit_count() == HAND else mask_of(cards_of(own)[HAND:])
        hands = [own & ~kitty, *piles]
        if told.robbed:
            hands[0], hands[told.robbed] = hands[told.robbed], hands[0]
        return Dealt((hands[0], hands[1], hands[2]), kitty)

    def _check_own(self, own: Mask) -> None:
        """He has had the cards that the phase gives him."""
        phases = self.told.game.steps()
        before = phases.index(self.told.phase) <= phases.index("KITTY")
        size = HAND if before else HAND + KITTY
        if own.bit_count() != size:
            message = f"expected {size} cards that the declarer has had, in his hand, given and played"
            self._refuse("hand_size", f"{message}, found {own.bit_count()}", "hand")

    def _check_apart(self, own: Mask, piles: list[Mask]) -> None:
        """No card is in two places."""
        told = self.told
        cards = [card for trick in told.tricks for card in trick.cards]
        twice = mask_of(card for card in cards if cards.count(card) > 1)
        twice |= told.hand & (mask_of(cards) | told.given[0] | told.given[1]) | told.given[0] & told.given[1]
        twice |= own & (piles[0] | piles[1]) | piles[0] & piles[1]
        if twice:
            self._refuse("duplicate_card", f"expected each card once, found {card_names(twice)} twice", "hand")
        if len(cards) > 3 * TRICKS:
            self._refuse("too_many_tricks", f"expected {TRICKS} tricks, found more", "tricks")
