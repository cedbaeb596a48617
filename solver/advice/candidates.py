"""What a dealer who sees his own cards alone may choose, and how the cards lie in a world after it.

A candidate is a call and, where it is due now, a discard or a swap. Of the discards with the same number of cards of
each suit only that of the lowest cards is a candidate (in MIZ of the highest): to throw a higher card in place of a
lower one of its suit is next to never better. `every` discard may be asked for.

What the dealer decides later he decides with more cards seen. A discard made after the kitty is taken is then worth the
best of a few discards of the hand with its kitty: those of the lowest cards for each number of cards of each suit, the
most promising LATER of them (see measure.py). That is at most what the best of all is worth, and next to always equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, NoReturn, TypeAlias

from tierce.solver.advice.choices import SUIT_CALLS, Choice, trump_of
from tierce.solver.advice.measure import measure
from tierce.solver.advice.values import Worth, worth_of
from tierce.solver.advice.worlds import DealerWorlds, World
from tierce.solver.cards import LANE, SUITS, Mask, bit, card_names, cards_of, mask_of
from tierce.solver.errors import InputError, shown
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import CALLS, MIZ
from tierce.solver.games.view import View

__all__ = ["Candidate", "Outlook", "Ways", "cheapest_discards", "open_calls"]

Hands: TypeAlias = tuple[Mask, ...]
Ways: TypeAlias = tuple[tuple[Hands, ...], ...]  # the dealer's later choices, and for each the others' (see `ways`)

LATER: Final = 6  # discards tried in a world where the discard is chosen later


@dataclass(frozen=True, slots=True)
class Candidate:
    """A call, and the choice made with it: no discard where it is made later, or none is made."""

    call: str
    choice: Choice


class Outlook:
    """The decision at a view of the dealer's.

    InputError (code "view") for a view that is none of his decisions or that no world fits; (code "not_due") for a
    discard before parcels are sent, which the dealer cannot weigh without them; (code "choice") for calls not open.

    worlds    what fits the view
    calls     those still open, of S H D C N MIZ; one if it is named
    pool      the cards the discard is taken from now, 0 if none is; count: how many
    later     is a discard made after the kitty is taken?
    swaps     does the dealer choose whether to take the up-card?
    """

    def __init__(self, view: View, calls: Sequence[str] = ()) -> None:
        self.worlds: Final = DealerWorlds(view)
        self.view: Final = view
        profile = view.profile
        steps = profile.steps(first=not view.results)
        self._ahead = steps[steps.index(view.phase) :]
        if "SEND" in self._ahead and view.results:
            _refuse("expected the parcels to be known, found a discard before they are sent", "not_due")
        self.calls: Final = open_calls(view, calls)
        at_kitty = self._ahead.index("KITTY") if "KITTY" in self._ahead else -1
        at_discard = self._ahead.index("DISCARD") if "DISCARD" in self._ahead else -1
        self.later: Final = 0 <= at_kitty < at_discard
        now = at_discard >= 0 and not self.later
        self.pool: Final = view.hand if now else 0
        self.count: Final = profile.kitty if at_discard >= 0 else 0
        self._swap = "SWAP" in self._ahead and bool(view.up_card) and not view.up_card & bit(TWO)
        self.swaps: Final = self._swap and bool(view.hand & bit(TWO))

    @property
    def tricks(self) -> int:
        """Tricks to be played."""
        return self.view.profile.hand

    def worth(self, call: str) -> Worth:
        """What the dealer takes after a call: his floor, in MIZ his cap."""
        return worth_of("floor", call, self.tricks, 1 if self.view.profile.kitty_trick else 0)

    # ---- candidates --------------------------------------------------------------------------------------------------

    def candidates(self, *, every: bool = False) -> list[Candidate]:
        """All candidates, the most promising first. `every`: with each discard there is."""
        found = [Candidate(call, choice) for call in self.calls for choice in self._choices(call, every=every)]
        return sorted(found, key=lambda each: -self.promise(each))

    def promise(self, candidate: Candidate) -> float:
        """A rough guess at its balance, up to a constant, without a world."""
        few = candidate.call == MIZ
        hand = self.view.hand & ~candidate.choice.discard
        if candidate.choice.swap:
            hand ^= bit(TWO) | self.view.up_card
        return measure(hand, trump_of(candidate.call), few=few)

    def check(self, candidate: Candidate) -> None:
        """Refuse what the dealer cannot choose now. InputError (code "choice")."""
        if candidate.call not in self.calls:
            _refuse(f"expected a call among {' '.join(self.calls)}, found {shown(candidate.call)}")
        discard, found = candidate.choice.discard, card_names(candidate.choice.discard) or "none"
        if self.pool and (discard.bit_count() != self.count or discard & ~self.pool):
            _refuse(f"expected a discard of {self.count} cards of {card_names(self.pool)}, found {found}")
        if discard and not self.pool:
            _refuse(f"expected no discard {'before the kitty is seen' if self.later else 'here'}, found {found}")
        if (candidate.choice.swap is not None) != self.swaps:
            expected = "swap or no swap" if self.swaps else "no word about a swap"
            _refuse(f"expected {expected}, found {'one' if candidate.choice.swap is not None else 'none'}")

    def _choices(self, call: str, *, every: bool) -> Iterator[Choice]:
        if self.pool and every:
            yield from (Choice(mask_of(cards)) for cards in combinations(cards_of(self.pool), self.count))
        elif self.pool:
            yield from map(Choice, cheapest_discards(self.pool, self.count, highest=call == MIZ))
        elif self.swaps:
            yield from (Choice(swap=True), Choice(swap=False))
        else:
            yield Choice()

    # ---- worlds ------------------------------------------------------------------------------------------------------

    def ways(self, world: World, candidate: Candidate, *, every: bool = False) -> Ways:
        """How the cards may lie at the first lead: for each later choice of the dealer's, those that the others choose
        among. The candidate is worth the best of the former, each being worth the worst of the latter.

        every   all later discards are tried
        """
        d, e, m = self.worlds.hands_to_play(world)
        if self.count:
            d = (d | (world.kitty if "KITTY" in self._ahead else 0)) & ~candidate.choice.discard
            if self.later:
                return tuple(((d & ~discard, e, m),) for discard in self._later(d, candidate.call, every=every))
            return (((d, e, m),),)
        hands = d, e, m
        if not self._swap:
            return ((hands,),)
        swapped = _swapped(hands, self.view.up_card)
        if self.swaps:
            return ((swapped if candidate.choice.swap else hands,),)
        return ((swapped, hands),) if swapped != hands else ((hands,),)

    def _later(self, hand: Mask, call: str, *, every: bool) -> list[Mask]:
        if every:
            return [mask_of(cards) for cards in combinations(cards_of(hand), self.count)]
        few, trump = call == MIZ, trump_of(call)
        found = cheapest_discards(hand, self.count, highest=few)
        return sorted(found, key=lambda discard: -measure(hand & ~discard, trump, few=few))[:LATER]


def cheapest_discards(pool: Mask, count: int, *, highest: bool = False) -> list[Mask]:
    """For each number of cards of each suit the discard of the lowest cards, or of the highest."""
    suits = [_ends(pool & LANE << 16 * suit, count, highest=highest) for suit in SUITS]
    numbers = product(*(range(len(suit)) for suit in suits))
    return [
        sum(suit[number] for suit, number in zip(suits, each, strict=True)) for each in numbers if sum(each) == count
    ]


def _ends(cards: Mask, most: int, *, highest: bool) -> list[Mask]:
    """The lowest 0, 1, 2 ... cards of a suit."""
    order = sorted(map(bit, cards_of(cards)), reverse=highest)
    return [sum(order[:number]) for number in range(min(most, len(order)) + 1)]


def _swapped(hands: Hands, up_card: Mask) -> Hands:
    """The hands after the holder of the two took the up-card; as they were if nobody holds it."""
    d, e, m = (hand ^ (bit(TWO) | up_card) if hand & bit(TWO) else hand for hand in hands)
    return d, e, m


def open_calls(view: View, given: Sequence[str] = ()) -> tuple[str, ...]:
    """The calls that are open; `given`: those known to be, where the view does not tell."""
    if view.call:
        open_: tuple[str, ...] = (view.call,)
    elif view.profile.calls:
        used = {result.call for result in view.results if result.dealer == view.dealer}
        open_ = tuple(call for call in CALLS if call in view.profile.calls and call not in used) or SUIT_CALLS
    else:
        open_ = SUIT_CALLS
    if not set(given) <= set(open_) or len(set(given)) < len(given):
        _refuse(f"expected calls among {' '.join(open_)}, each once, found {' '.join(given)!r:.60}")
    return tuple(call for call in open_ if call in given or not given)


def _refuse(message: str, code: str = "choice") -> NoReturn:
    raise InputError(code, message, field="view" if code == "not_due" else "choice")
