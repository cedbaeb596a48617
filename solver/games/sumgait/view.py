"""What the declarer of a deal knows. Hints and samplers work from a `View` and from nothing else.

The order of the piles is nobody's to know. The declarer knows his own cards, those that were turned, in which pile each
of the four cards lies that he gave, and after a robbery all sixteen that he let go. The rest of the unseen cards may
lie in either pile: `known` and `unseen` keep the two apart. A view holds no card that he has not seen; a test exchanges
unseen cards and finds the view unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from tierce.solver.cards import STRAIN_LETTERS, mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import ALL54, Card, Mask, card_name, format_hand
from tierce.solver.games.sumgait.deal import SEAT_NAMES
from tierce.solver.games.sumgait.game import Sumgait
from tierce.solver.games.sumgait.match import Tallies
from tierce.solver.games.sumgait.rules import may_rob
from tierce.solver.games.sumgait.state import State, Trick

__all__ = ["View", "view"]


@dataclass(frozen=True, slots=True)
class View:
    """What the declarer knows at a moment of his deal. Seats: 0 he himself, 1 the next player, 2 the other.

    declarer, tallies   the player, and Game, Vist and failures by player before the deal
    may_rob   may he take another's hand now?
    hand      his cards; in PASS they are a pile like the others
    counts    cards left in each hand or pile; kitty: cards of the kitty not yet taken
    robbed    the seat whose sixteen he took, None for none; given: the cards he gave, by seat
    known     cards known to lie in each pile now (0 for his own hand)
    unseen    cards he has not seen: in the piles beyond those known, and in the kitty
    playable  if it is his turn: the cards he may play, and declarable: those of them that may make their suit trump
    """

    game: Sumgait
    phase: str
    number: int
    declarer: int
    tallies: Tallies
    may_rob: bool
    hand: Mask
    counts: tuple[int, int, int]
    kitty: int
    robbed: int | None
    given: tuple[Mask, Mask, Mask]
    known: tuple[Mask, Mask, Mask]
    unseen: Mask
    call: str
    trump: int
    marriages: tuple[int, ...]
    leader: int
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    taken: tuple[int, int, int]
    playable: tuple[Card, ...]
    declarable: Mask

    def __str__(self) -> str:
        """A few lines for people: the moment, and the cards by where they are, as hands."""
        rows = [
            (f"the declarer, player {self.declarer + 1}, in the phase", self.phase),
            ("hand", format_hand(self.hand)),
        ]
        if self.tricks or self.trick:
            rows.append(("trump", STRAIN_LETTERS[self.trump]))
        if self.trick:
            rows.append(("trick", " ".join(map(card_name, self.trick))))
        taken = zip(SEAT_NAMES, self.taken, strict=True)
        rows.append(("taken", ", ".join(f"{name} {count}" for name, count in taken)))
        for name, cards in zip(SEAT_NAMES[1:], self.known[1:], strict=True):
            if cards:
                rows.append((f"known of {name}", format_hand(cards)))
        rows.append(("unseen", format_hand(self.unseen)))
        return "\n".join(f"{title}: {text}" for title, text in rows)


def view(state: State) -> View:
    """What the declarer of the present deal knows. InputError (field "state") where no cards are dealt."""
    if state.dealt is None:
        raise InputError("wrong_phase", f"expected a deal with its cards, found the phase {state.phase}", field="state")
    played = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(state.trick)
    known = [cards & ~played for cards in state.given]
    if state.robbed is not None:
        known[state.robbed] |= state.dealt.hands[0] & ~played
    first, second, third = (hand.bit_count() for hand in state.hands)
    his_turn = state.phase == "PLAY" and state.mover == 0 and not state.blind(0)
    playable = state.playable(0) if his_turn else ()
    return View(
        game=state.game,
        phase=state.phase,
        number=state.number,
        declarer=state.declarer,
        tallies=state.tallies,
        may_rob=state.phase == "ROB" and may_rob(state),
        hand=state.hands[0],
        counts=(first, second, third),
        kitty=state.kitty.bit_count(),
        robbed=state.robbed,
        given=state.given,
        known=(0, known[1], known[2]),
        unseen=ALL54 & ~(state.hands[0] | played | known[1] | known[2]),
        call=state.call,
        trump=state.trump,
        marriages=state.marriages,
        leader=state.leader,
        trick=state.trick,
        tricks=state.tricks,
        taken=state.taken,
        playable=playable,
        declarable=mask_of(card for card in playable if state.may_declare(card)),
    )
