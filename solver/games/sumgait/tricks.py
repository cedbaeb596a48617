"""Who wins a trick with jokers and sevens in it, and which cards the declarer may play.

A joker beats everything but a seven, a seven beats a joker, of two jokers the later wins: a circle (seven < ace of
trumps < joker < seven), so that a procedure decides (RULES A21):

    sequential   the winner so far meets each next card: a joker beats what is no seven, a seven beats a joker, no other
                 card does; between other cards suit and trump decide as ever
    kill         with a seven in the trick jokers are powerless, and the rest is judged as ever
    seven_wins   with a joker and a seven in the trick the last seven wins

A joker sets no suit: the first card that is none is judged as the card led. Where jokers are low (MISERE with
misere_jokers = low) they never win; a trick always holds another card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tierce.solver.games.sumgait.cards import JOKER_SUIT, JOKERS, Card, Mask, is_joker, is_seven, suit_mask, suit_of

__all__ = ["PROCEDURES", "follow_suit", "playable", "trick_winner"]

PROCEDURES: Final = ("sequential", "kill", "seven_wins")


def trick_winner(cards: Sequence[Card], trump: int, procedure: str = "sequential", *, low_jokers: bool = False) -> int:
    """The place (0 for the card led) of the card that wins; `trump` 0..3 or 4 for none."""
    jokers = [place for place, card in enumerate(cards) if is_joker(card)]
    sevens = [place for place, card in enumerate(cards) if is_seven(card)]
    if not jokers or low_jokers:
        return _ordinary(cards, trump)
    if not sevens:
        return jokers[-1]
    if procedure == "seven_wins":
        return sevens[-1]
    return _ordinary(cards, trump) if procedure == "kill" else _one_by_one(cards, trump)


def _ordinary(cards: Sequence[Card], trump: int) -> int:
    """Highest trump, else highest card of the suit led; jokers do not count."""
    best = -1
    for place, card in enumerate(cards):
        if not is_joker(card) and (best < 0 or _beats(card, cards[best], trump)):
            best = place
    return best


def _beats(card: Card, best: Card, trump: int) -> bool:
    """Does a later card beat the best so far, neither of them a joker?"""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


def _one_by_one(cards: Sequence[Card], trump: int) -> int:
    best = 0
    for place, card in enumerate(cards[1:], 1):
        if is_joker(card):
            better = not is_seven(cards[best])
        elif is_joker(cards[best]):
            better = is_seven(card)
        else:
            better = _beats(card, cards[best], trump)
        best = place if better else best
    return best


def follow_suit(trick: Sequence[Card], joker_lead_suit: str = "none") -> int:
    """The suit that the declarer must follow, 4 for none.

    joker_lead_suit   after a joker was led: `none`, or `next`: the suit of the next card that is no joker, if he is the
                      last to play
    """
    for card in trick:
        if not is_joker(card):
            return suit_of(card)
        if joker_lead_suit == "none":
            break
    return JOKER_SUIT


def playable(hand: Mask, trick: Sequence[Card], *, joker_lead_suit: str = "none", joker_free: bool = True) -> Mask:
    """The cards of the declarer's hand that he may play to a trick so far (() to lead).

    joker_free   a joker may be played even when he could follow; otherwise only to lead or when he cannot
    """
    suit = follow_suit(trick, joker_lead_suit)
    following = hand & suit_mask(suit) if suit != JOKER_SUIT else 0
    if not following:
        return hand
    return following | (hand & JOKERS if joker_free else 0)
