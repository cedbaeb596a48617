"""What the declarer knows in the middle of the play, as the search takes it, and its check.

Cards face down are known to be in one pile, or in the other, or free: he has not seen them and cannot tell which pile
has them. The order of the piles is nobody's to know, and nothing he plays changes it.

A moment that no deal comes to is refused, as far as leader, tricks and suits declared show it. Which card beat which in
the tricks that are over is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tierce.solver.cards import NOTRUMP, STRAIN_LETTERS, SUIT_LETTERS, SUIT_NAMES, SUITS, Card, Mask
from tierce.solver.checks import check_type, check_whole
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import (
    ALL54,
    JOKERS,
    KINGS,
    QUEENS,
    card_names,
    cards_of,
    in_two_places,
    suit_mask,
)
from tierce.solver.games.sumgait.prices import MISERE, PLAY, TRICKS
from tierce.solver.games.sumgait.tricks import PROCEDURES
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles._piles import Table
from tierce.solver.piles.objectives import MISERE as MISERE_WISH
from tierce.solver.piles.objectives import Objective
from tierce.solver.piles.policies import Policy, policy_for

__all__ = ["JUDGE", "Judge", "PileView", "pile_view", "places", "table_of"]


@dataclass(frozen=True, slots=True)
class Judge:
    """How jokers are judged: the game's options of these names (RULES A21, A22), and whether they never win."""

    joker_resolution: str = "sequential"
    joker_lead_suit: str = "none"
    joker_free: bool = True
    low_jokers: bool = False

    def __post_init__(self) -> None:
        """InputError (field "judge")."""
        for found, allowed in ((self.joker_resolution, PROCEDURES), (self.joker_lead_suit, ("none", "next"))):
            if found not in allowed:
                raise InputError("judge", f"expected {' | '.join(allowed)}, found {found!r:.60}", field="judge")

    def native(self) -> tuple[int, bool, bool]:
        """As `Table` takes it."""
        resolution = len(PROCEDURES) if self.low_jokers else PROCEDURES.index(self.joker_resolution)
        return resolution, self.joker_lead_suit == "next", self.joker_free


JUDGE: Final = Judge()


@dataclass(frozen=True, slots=True)
class PileView:
    """A moment of the play. Seats: 0 the declarer, 1 and 2 the piles.

    hand       his cards, one for each trick that is not over
    free       cards face down that may be in either pile
    known      cards face down known to be in pile 1, and in pile 2
    leader     of the trick on the table
    table      the cards piles have turned to it, in the order they were turned: none if he leads; both if pile 1 leads;
               that of pile 2 if it leads; or none yet: before the piles turn
    trump      0 to 3, 4 for none; declared: suits, as bits, the trump among them
    tricks     his so far; 0 also where they are not told and only those to come count
    marriages  may he declare suits? Never in the first trick of a deal, which is one with 18 cards in his hand. False
               in MISERE, and for an exercise in which one trump holds all along, declared or not
    """

    hand: Mask
    free: Mask
    known: tuple[Mask, Mask] = (0, 0)
    leader: int = 0
    table: tuple[Card, ...] = ()
    trump: int = NOTRUMP
    declared: int = 0
    tricks: int = 0
    marriages: bool = True
    judge: Judge = JUDGE

    def __post_init__(self) -> None:
        """InputError with the field at fault for a moment that cannot be."""
        check_type(self.judge, Judge, "a Judge")
        check_whole(self.leader, 0, 2, "a leader from 0 to 2", "leader")
        check_whole(self.trump, 0, NOTRUMP, "a trump from 0 to 4", "trump")
        check_whole(self.declared, 0, 15, "suits as bits, 0 to 15", "declared")
        for cards, field in ((self.hand, "hand"), (self.free, "free"), *((each, "known") for each in self.known)):
            check_whole(cards, 0, ALL54, "a set of the 54 cards", field)
            if cards & ~ALL54:
                raise InputError(field, f"expected a set of the 54 cards, found {cards!r}", field=field)
        check_whole(self.left, 1, TRICKS, "1 to 18 cards in the hand", "hand")
        check_whole(self.tricks, 0, TRICKS - self.left, f"0 to {TRICKS - self.left} tricks", "tricks")
        self._check_cards()
        self._check_tricks()
        self._check_trump()
        if self.marriages:
            self._check_declared()

    def _check_cards(self) -> None:
        if len(self.table) not in {0: (0,), 1: (0, 2), 2: (0, 1)}[self.leader]:
            message = f"expected the cards piles turn before the declarer plays, found {len(self.table)}"
            raise InputError("table", f"{message} with leader {self.leader}", field="table")
        names = ("in the hand", "face down", "in pile 1", "in pile 2", *(["on the table"] * len(self.table)))
        cards = (self.hand, self.free, *self.known, *(1 << card for card in self.table))
        if twice := in_two_places([*zip(names, cards, strict=True)]):
            raise InputError("duplicate_card", f"expected each card once, found {twice}", field="free")
        down, each = (self.free | self.known[0] | self.known[1]).bit_count(), self.down
        if down != sum(each):
            message = f"expected {sum(each)} cards face down for {self.left} tricks, found {down}"
            raise InputError("card_count", message, field="free")
        for pile, count in enumerate(each):
            if self.known[pile].bit_count() > count:
                message = f"expected at most {count} cards known to be in pile {pile + 1}"
                raise InputError("card_count", f"{message}, found {self.known[pile].bit_count()}", field="known")

    def _check_tricks(self) -> None:
        over = TRICKS - self.left
        if self.leader and not over:
            message = f"expected the declarer, who leads to the first trick, found pile {self.leader}"
            raise InputError("leader", message, field="leader")
        if self.leader and self.tricks == over:
            message = f"expected at most {over - 1} tricks, for pile {self.leader} leads, which won the last"
            raise InputError("tricks", f"{message}, found {self.tricks}", field="tricks")
        if self.tricks:
            self.check_taken(self.tricks)

    def check_taken(self, tricks: int) -> None:
        """InputError (field "tricks") for fewer tricks than he has led to, but for the first of the deal: he won the
        trick before each. Of `tricks` 0 is not asked, as it may stand for tricks that are not told."""
        led = self.declared.bit_count() * self.marriages + (self.leader == 0 and self.left < TRICKS)
        if tricks < led:
            message = f"expected {led} or more tricks, one before each lead of his that is known, found {tricks}"
            raise InputError("tricks", message, field="tricks")

    def _check_trump(self) -> None:
        fixed = self.trump != NOTRUMP and not self.marriages and not self.declared
        if not fixed and self.trump not in (_suits(self.declared) or (NOTRUMP,)):
            suits = " ".join(SUIT_LETTERS[suit] for suit in _suits(self.declared)) or "none"
            message = f"expected the trump {STRAIN_LETTERS[self.trump]} among the suits declared, found {suits}"
            raise InputError("declared", message, field="declared")

    def _check_declared(self) -> None:
        """A suit was declared by leading its king or queen, with both in the hand, after the first trick."""
        down = self.free | self.known[0] | self.known[1] | sum(1 << card for card in self.table)
        played = 0
        for suit in _suits(self.declared):
            pair, name = (KINGS | QUEENS) & suit_mask(suit), SUIT_NAMES[suit]
            if wrong := pair & down:
                message = f"expected king and queen of {name} not to be in a pile, for he declared the suit"
                raise InputError("declared", f"{message}, found {card_names(wrong)} there", field="declared")
            if pair & self.hand == pair:
                message = f"expected king or queen of {name} to be played, for leading one declared the suit"
                raise InputError("declared", f"{message}, found both in the hand", field="declared")
            played |= pair & ~self.hand
        after = max(0, TRICKS - self.left - 1)
        if played.bit_count() > after:
            message = f"expected a trick after the first for each of {card_names(played)}, which he has played"
            raise InputError("declared", f"{message}, found {after}", field="declared")

    @property
    def left(self) -> int:
        """Tricks that are not over."""
        return self.hand.bit_count()

    @property
    def turned(self) -> tuple[Card, Card]:
        """The cards that piles 1 and 2 have on the table, -1 for none."""
        if not self.table:
            return -1, -1
        return (self.table[0], self.table[1]) if self.leader == 1 else (-1, self.table[0])

    @property
    def down(self) -> tuple[int, int]:
        """Cards face down in piles 1 and 2."""
        one, two = self.turned
        return self.left - (one >= 0), self.left - (two >= 0)

    @property
    def his_turn(self) -> bool:
        """Is the declarer to play, with nothing left to be turned before?"""
        return self.leader == 0 or bool(self.table)


def pile_view(view: View) -> PileView:
    """From what the declarer knows by the rules. InputError (field "view") where no cards are played by him."""
    if view.phase != "PLAY" or view.call not in (PLAY, MISERE):
        message = f"expected a deal that the declarer plays, found the phase {view.phase} and the call {view.call!r}"
        raise InputError("wrong_phase", message, field="view")
    options = view.game.options
    misere = view.call == MISERE
    return PileView(
        hand=view.hand,
        free=view.unseen,
        known=(view.known[1], view.known[2]),
        leader=view.leader,
        table=view.trick,
        trump=view.trump,
        declared=sum(1 << suit for suit in view.marriages),
        tricks=view.taken[0],
        marriages=not misere,
        judge=Judge(
            str(options["joker_resolution"]),
            str(options["joker_lead_suit"]),
            bool(options["joker_free"]),
            misere and options["misere_jokers"] == "low",
        ),
    )


def _suits(declared: int) -> tuple[int, ...]:
    return tuple(suit for suit in SUITS if declared >> suit & 1)


def places(hand: Mask) -> tuple[Card, ...]:
    """His cards as the search numbers them: suits S H D C, each from low to high, then jokers. The first is played of
    ways that are worth the same."""
    low_first = sorted(cards_of(hand & ~JOKERS))
    return (*low_first, *cards_of(hand & JOKERS))


def table_of(view: PileView, wish: Objective, policy: Policy | None = None) -> Table:
    """A moment for the native search; the policy is that of the objective unless told. InputError (field "trump" or
    "marriages") for MISERE with a trump, or with marriages to be declared: it has neither."""
    check_type(view, PileView, "a PileView")
    check_type(wish, Objective, "an Objective")
    if wish.few and wish.name == MISERE_WISH.name:
        _check_misere(view)
    return Table(
        places(view.hand),
        (view.free, *view.known),
        view.turned,
        view.leader,
        view.trump,
        view.declared,
        view.tricks,
        view.left == TRICKS,
        view.marriages,
        view.judge.native(),
        wish.worth,
        (policy or policy_for(wish)).native(),
    )


def _check_misere(view: PileView) -> None:
    if view.trump != NOTRUMP:
        message = f"expected no trump in MISERE, found {STRAIN_LETTERS[view.trump]}"
        raise InputError("trump", message, field="trump")
    pairs = [SUIT_LETTERS[suit] for suit in SUITS if not (KINGS | QUEENS) & suit_mask(suit) & ~view.hand]
    if view.marriages and pairs:
        message = f"expected marriages=False in MISERE, found one of {' '.join(pairs)} to be declared"
        raise InputError("marriages", message, field="marriages")
