"""What a view of Sumgait Driller tells, put to the rules.

The cards nobody has told are dealt somehow, everything told is done by `rules.apply`, and the view of what comes out is
the one that was meant, for a view holds no card that was not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from tierce.solver.cards import NOTRUMP, STRAIN_LETTERS, mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.actions import Action, Call, DealCards, Early, Give, Play, Rob, Shuffle, TakeKitty
from tierce.solver.games.sumgait.cards import ALL54, Card, Mask, card_name, card_names, cards_of, in_two_places
from tierce.solver.games.sumgait.deal import HAND, KITTY, SEAT_NAMES, Dealt
from tierce.solver.games.sumgait.game import Sumgait
from tierce.solver.games.sumgait.match import Tally
from tierce.solver.games.sumgait.prices import MISERE, TRICKS
from tierce.solver.games.sumgait.rules import apply
from tierce.solver.games.sumgait.state import State
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.games.sumgait.view import View, view

__all__ = ["Told", "ToldTrick", "view_of"]


@dataclass(frozen=True, slots=True)
class ToldTrick:
    """A trick as told: the cards in the order played, the suit declared with its lead."""

    cards: tuple[Card, ...]
    marriage: int | None


@dataclass(frozen=True, slots=True)
class Told:
    """What a view tells. `phase`: one that the game has; `robbed`: 0 for nobody; `tricks`: the last may be on the
    table; finished: the others."""

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
    tricks: tuple[ToldTrick, ...]
    finished: int


def view_of(told: Told) -> View:
    """The view that was meant. InputError, with the field, for what the rules do not allow."""
    return _Deal(told).view()


class _Deal:
    """A deal that gives the view."""

    def __init__(self, told: Told) -> None:
        self.told = told
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
        raise InputError(code, message, field=field)

    def _done(self, state: State, action: Action, field: str) -> State:
        try:
            return apply(state, action)
        except InputError as error:
            raise error.located(field=field) from None

    def _check_told(self) -> None:
        """Nothing is told that lies ahead of the phase, and nothing is lacking."""
        told, steps = self.told, self.told.game.steps()
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
        self._check_once()
        self._check_own(own)
        piles = [self.played[seat] & ~told.given[seat - 1] for seat in (1, 2)]
        if told.robbed:
            piles[told.robbed - 1] |= told.let_go
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

    def _check_once(self) -> None:
        """No card is in two places; one that was given or let go is played from its pile alone."""
        told = self.told
        if len(told.tricks) > TRICKS:
            self._refuse("too_many_tricks", f"expected at most {TRICKS} tricks, found {len(told.tricks)}", "tricks")
        tricks = [
            (f"in trick {number}" if number <= told.finished else "on the table", mask_of(trick.cards))
            for number, trick in enumerate(told.tricks, 1)
        ]
        hand, let_go = ("in the hand", told.hand), ("let go", told.let_go)
        given = [(f"given to {name}", cards) for name, cards in zip(SEAT_NAMES[1:], told.given, strict=True)]
        groups = [[hand, *given, let_go], [hand, *tricks]]
        for seat, cards in enumerate(self.played):
            gone = [each for place, each in enumerate(given, 1) if place != seat]
            gone += [] if seat and seat == told.robbed else [let_go]
            groups += [[(f"played by {SEAT_NAMES[seat]}", cards), each] for each in gone]
        for group in groups:
            if twice := in_two_places(group):
                self._refuse("duplicate_card", f"expected each card once, found {twice}", "hand")
