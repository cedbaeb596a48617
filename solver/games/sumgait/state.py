"""The state of a match of Sumgait Driller: immutable values; `rules.apply` makes the next one.

Seats 0 declarer, 1 next player, 2 the other are those of the present deal; players 0, 1, 2 stay the same for the match,
and the declarer of a deal is the next player clockwise after that of the last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tierce.solver.cards import NOTRUMP
from tierce.solver.games.sumgait.cards import KINGS, QUEENS, Card, Mask, cards_of, suit_mask, suit_of
from tierce.solver.games.sumgait.deal import Dealt
from tierce.solver.games.sumgait.game import Sumgait
from tierce.solver.games.sumgait.match import Result, Tallies, at_goal, start
from tierce.solver.games.sumgait.prices import MISERE, PASS, PLAY
from tierce.solver.games.sumgait.tricks import playable

__all__ = ["Piles", "State", "Trick", "new_match", "next_deal"]

Piles = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: who led, the cards in the order played, who won, the suit declared trump with its lead."""

    leader: int
    cards: tuple[Card, Card, Card]
    winner: int
    marriage: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A match at a moment.

    game        the game and its options
    declarer    the player in seat 0; number: of the deal in its match, 1 for the first
    phase       one of `game.PHASES`, or OVER
    tallies     Game, Vist and failures by player, before the deal; results: deals scored since the state's beginning
    robbers     players who have robbed in this match
    dealt       the deal as dealt, None before it; kitty: cards not yet taken
    hands       cards held now, by seat: a hand, or what is left of a pile; cards on the table are in none
    robbed      the seat whose cards the declarer took; None: nobody's (yet)
    given       the cards given, by seat (the declarer's 0)
    call        play, pass or misere; "" before it
    piles       by seat all cards of a pile in their order, top first, () for a hand; None: known only when turned
    trump       0..3, or 4 while there is none; marriages: suits declared trump, in their order
    leader, trick, tricks, taken   the play; taken by seat
    declared    the suit declared trump with the lead of the trick on the table
    """

    game: Sumgait
    declarer: int = 0
    number: int = 1
    phase: str = "DEAL"
    tallies: Tallies = start()  # noqa: RUF009 - it is immutable
    results: tuple[Result, ...] = ()
    robbers: frozenset[int] = frozenset()
    dealt: Dealt | None = None
    kitty: Mask = 0
    hands: tuple[Mask, Mask, Mask] = (0, 0, 0)
    robbed: int | None = None
    given: tuple[Mask, Mask, Mask] = (0, 0, 0)
    call: str = ""
    piles: Piles | None = None
    trump: int = NOTRUMP
    marriages: tuple[int, ...] = ()
    leader: int = 0
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[int, int, int] = (0, 0, 0)
    declared: int | None = None

    def player(self, seat: int) -> int:
        """Who sits there."""
        return (self.declarer + seat) % 3

    @property
    def mover(self) -> int:
        """In the play: the seat whose card is next."""
        return (self.leader + len(self.trick)) % 3

    def blind(self, seat: int) -> bool:
        """Is this seat's a pile, once the deal has been called? The declarer's is one in PASS."""
        return seat != 0 or self.call == PASS

    def top(self, seat: int) -> Card | None:
        """The next card of a pile whose order is known."""
        if self.piles is None or not self.blind(seat) or not self.hands[seat]:
            return None
        return self.piles[seat][-self.hands[seat].bit_count()]

    def playable(self, seat: int) -> tuple[Card, ...]:
        """The cards this seat may play if it is its turn; of a pile the top card or, in an order not known, any."""
        top = self.top(seat)
        if top is not None:
            return (top,)
        if self.blind(seat):
            return cards_of(self.hands[seat])
        options = self.game.options
        lead, free = str(options["joker_lead_suit"]), bool(options["joker_free"])
        return cards_of(playable(self.hands[0], self.trick, joker_lead_suit=lead, joker_free=free))

    def may_declare(self, card: Card) -> bool:
        """May the declarer, who leads this card, declare its suit trump?"""
        if self.call != PLAY or self.leader != 0 or self.trick or not self.tricks:
            return False
        pair = (KINGS | QUEENS) & suit_mask(suit_of(card))
        return bool(pair >> card & 1) and self.hands[0] & pair == pair

    @property
    def low_jokers(self) -> bool:
        """Do jokers never win in this deal?"""
        return self.call == MISERE and self.game.options["misere_jokers"] == "low"


def new_match(game: Sumgait, declarer: int = 0) -> State:
    """A match before its first deal; any player may declare first."""
    return State(game, declarer % 3)


def next_deal(state: State, result: Result) -> State:
    """The state after a deal's result: the next player declares, or the match is over."""
    over = all(at_goal(each) for each in result.tallies)
    fresh = State(
        state.game,
        (state.declarer + 1) % 3,
        state.number + 1,
        tallies=result.tallies,
        results=(*state.results, result),
        robbers=state.robbers,
    )
    return replace(fresh, phase="OVER") if over else fresh
