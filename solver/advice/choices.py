"""What the dealer may still choose before the play: the call, the discard, the swap; and how the cards lie after it.

A decision is taken from a deal, whose hands are those after the exchange, or from a state of a match. `lays` has one
entry for each discard and swap, with the three hands as they are at the first lead; the call (trump, no trump or MIZ)
does not change the cards. Where another seat holds the two of diamonds the swap is his: a choice of the dealer's is
then worth the worse of two lays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import comb
from typing import Final, NoReturn, overload

from tierce.solver.cards import LANE, LANE_BITS, NOTRUMP, SUITS, Mask, bit, card_names, cards_of, mask_of, parse_card
from tierce.solver.checks import as_tuple, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Call, NameTrump
from tierce.solver.games.phases import check_deal, exchange_plan
from tierce.solver.games.profile import CALLS, Profile, three_hands
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State, held

__all__ = ["Choice", "DealerChoices", "Discards", "Lay", "choices_of_deal", "choices_of_state"]

TWO: Final = parse_card("D2")
SUIT_CALLS: Final = ("S", "H", "D", "C")
_DECISIONS: Final = ("TRUMP", "CALL", "DISCARD", "SWAP")


@dataclass(frozen=True, slots=True)
class Choice:
    """A discard (mask, 0 where there is none), and whether the dealer takes the up-card (None: not his to choose)."""

    discard: Mask = 0
    swap: bool | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """The cards at the first lead after a choice; `swapped`: the holder of the two took the up-card (None: no swap)."""

    choice: Choice
    swapped: bool | None
    hands: tuple[Mask, ...]


class Discards(Sequence[Lay]):
    """The lays of all discards, made when the first is asked for.

    hands   by seat, the dealer's with his kitty and before the discard
    pool    the cards the discard is taken from; size: how many
    """

    def __init__(self, hands: tuple[Mask, ...], pool: Mask, size: int) -> None:
        self.hands = hands
        self.pool = pool
        self.size = size
        self._lays: tuple[Lay, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Lay: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Lay]: ...
    def __getitem__(self, place: int | slice) -> Lay | Sequence[Lay]:
        return self._all()[place]

    def __len__(self) -> int:
        return comb(self.pool.bit_count(), self.size)

    def __iter__(self) -> Iterator[Lay]:
        return iter(self._all())

    @property
    def runs(self) -> list[list[Mask]]:
        """Rows of cards of the dealer's with no card of another hand between, those of each that he may lay away, as
        one-card masks from the lowest. Whichever cards of a run go, so that their number is the same, the hands that
        are left differ in nothing but names: kept cards, the kitty's among them, are of the run, too."""
        hand, *others = self.hands
        return [run for suit in SUITS for run in _runs(hand, self.pool, others[0] | others[1], suit)]

    def _all(self) -> tuple[Lay, ...]:
        if not self._lays:
            d, e, m = self.hands
            discards = map(mask_of, combinations(cards_of(self.pool), self.size))
            self._lays = tuple(Lay(Choice(discard), None, (d & ~discard, e, m)) for discard in discards)
        return self._lays


def _runs(hand: Mask, pool: Mask, others: Mask, suit: int) -> Iterator[list[Mask]]:
    cards = (bit(card) for card in cards_of((hand | others) & LANE << LANE_BITS * suit))
    for own, row in groupby(sorted(cards), key=lambda card: not card & others):
        run = [card for card in row if card & pool]
        if own and run:
            yield run


@dataclass(frozen=True, slots=True)
class DealerChoices:
    """The dealer's decision.

    calls    those still open, of S H D C N MIZ; one if it is named
    lays     every way the cards may lie (`Discards` where he discards); those of one choice stand together
    pool     the cards the discard is taken from; count: cards to discard, 0 for none
    quotas   tricks owed, by seat (but in MIZ)
    swapper  the seat that may take the up-card, None if nobody may; up_card: that card, or 0
    """

    profile: Profile
    calls: tuple[str, ...]
    lays: Sequence[Lay]
    pool: Mask
    count: int
    quotas: tuple[int, ...]
    swapper: int | None = None
    up_card: Mask = 0

    @property
    def tricks(self) -> int:
        """Tricks to be played."""
        return (self.lays.hands[1] if isinstance(self.lays, Discards) else self.lays[0].hands[0]).bit_count()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The dealer's choices besides the call, each once."""
        return tuple(dict.fromkeys(lay.choice for lay in self.lays))

    def check(self, call: str, choice: Choice) -> None:
        """Refuse what the dealer may not choose. InputError (code "choice", field "chosen")."""
        if call not in self.calls:
            _refuse(f"expected a call among {' '.join(self.calls)}, found {quoted(call)}", field="chosen")
        if not isinstance(choice, Choice):
            _refuse(f"expected a Choice, found {quoted(choice)}", field="chosen")
        if not any(lay.choice == choice for lay in self.lays):
            _refuse(self._wrong(choice), field="chosen")

    def _wrong(self, choice: Choice) -> str:
        found = card_names(choice.discard) or "none"
        if choice.discard.bit_count() != self.count:
            return f"expected a discard of {self.count} cards, found {found}"
        if choice.discard & ~self.pool:
            return f"expected a discard from {card_names(self.pool)}, found {found}"
        if any(lay.choice.discard == choice.discard for lay in self.lays):
            expected = "swap or no swap" if self.swapper == 0 else "no word about a swap that is not the dealer's"
            return f"expected {expected}, found {'none' if choice.swap is None else 'one'}"
        return f"expected a discard that leaves the cards that were sent later, found {found}"


def trump_of(call: str) -> int:
    """The trump of a call, 4 for no trump and MIZ."""
    return SUIT_CALLS.index(call) if call in SUIT_CALLS else NOTRUMP


def choices_of_deal(profile: Profile, deal: Deal, calls: Sequence[str] = ()) -> DealerChoices:
    """The decision for a deal after its exchange. InputError for a deal or a call that is not of this game.

    calls   those left to the dealer (games with calls); (): all
    """
    three_hands(profile, "a dealer's decision")
    check_deal(profile, deal)
    open_calls = _calls(profile, calls)
    d, e, m = deal.hands
    quotas = profile.quotas
    steps = profile.steps(first=True)
    kitty = 0 if profile.removed else deal.kitty
    if "DISCARD" in steps:
        early = steps.index("KITTY") < steps.index("DISCARD")
        return _discards(profile, open_calls, quotas, (d | kitty, e, m), pool=d | kitty if early else d)
    if "SWAP" in steps:
        named_first = steps.index("TRUMP") < steps.index("SWAP")
        return _swaps(profile, open_calls, quotas, (d, e, m), kitty, others=named_first)
    return DealerChoices(profile, open_calls, (Lay(Choice(), None, (d, e, m)),), 0, 0, quotas)


def choices_of_state(state: State) -> DealerChoices:
    """The decision at a state of a match in which the dealer has still something to choose.

    InputError (code "not_due") elsewhere. Returns that are to come, after the trump is named, are forced: they are
    made in the lays.
    """
    profile, quotas = state.profile, state.quotas
    three_hands(profile, "a dealer's decision")
    if state.phase in ("RETURN", "KITTY", "SHOW"):
        state = settle(state)
        if state.phase == "PLAY":  # all is chosen
            return DealerChoices(profile, (state.call,), (Lay(Choice(), None, state.hands),), 0, 0, quotas)
    if state.phase not in _DECISIONS or state.hands == (0, 0, 0):
        _refuse(f"expected a decision of the dealer's before the play, found the phase {state.phase}", "not_due")
    if state.phase in ("TRUMP", "CALL"):
        used = state.used[state.dealer]
        open_calls = tuple(call for call in profile.calls if call not in used) or SUIT_CALLS
    elif state.call:
        open_calls = (state.call,)
    else:
        open_calls = SUIT_CALLS  # 9-5-2, swap variation: the discard comes first
    ahead = state.steps[state.at :]
    if {"EXCHANGE", "SEND"} & set(ahead) and exchange_plan(state):
        _refuse("expected a decision after the exchange, found one before the parcels are sent", "not_due")
    if "RETURN" in ahead and state.transfers:
        named = NameTrump(0, 0) if state.phase == "TRUMP" else Call(0, open_calls[0])
        state = settle(apply(state, named))
        ahead = state.steps[state.at :]
    d, e, m = state.hands
    if "DISCARD" in ahead:
        taken = "KITTY" not in ahead or ahead.index("KITTY") < ahead.index("DISCARD")
        pool = d | state.kitty if taken else d
        return _discards(profile, open_calls, quotas, (d | state.kitty, e, m), pool=pool)
    if "KITTY" in ahead:
        d |= state.kitty
    if "SWAP" in ahead:
        if state.phase == "SWAP" and "TRUMP" in ahead and not held(d, TWO):
            _refuse("expected a decision of the dealer's, found the swap of another seat", "not_due")
        return _swaps(profile, open_calls, quotas, (d, e, m), state.kitty, others=True)
    return DealerChoices(profile, open_calls, (Lay(Choice(), None, (d, e, m)),), 0, 0, quotas)


def _calls(profile: Profile, calls: Sequence[str]) -> tuple[str, ...]:
    left = as_tuple(calls)
    if left is None or not all(isinstance(call, str) for call in left):
        _refuse(f"expected calls as a sequence of names, found {quoted(calls)}", field="calls")
    if not profile.calls:
        if left:
            _refuse(
                f"expected no calls left in a game where the dealer names a trump, found {' '.join(left)!r:.60}",
                field="calls",
            )
        return SUIT_CALLS
    if not set(left) <= set(profile.calls) or len(set(left)) < len(left):
        _refuse(
            f"expected calls among {' '.join(profile.calls)}, each once, found {' '.join(left)!r:.60}", field="calls"
        )
    return tuple(call for call in CALLS if call in profile.calls and (call in left or not left))


def _discards(
    profile: Profile,
    calls: tuple[str, ...],
    quotas: tuple[int, ...],
    hands: tuple[Mask, ...],
    *,
    pool: Mask,
) -> DealerChoices:
    """`hands`: the dealer's with the kitty."""
    return DealerChoices(profile, calls, Discards(hands, pool, profile.kitty), pool, profile.kitty, quotas)


def _swaps(
    profile: Profile,
    calls: tuple[str, ...],
    quotas: tuple[int, ...],
    hands: tuple[Mask, ...],
    up_card: Mask,
    *,
    others: bool,
) -> DealerChoices:
    """`others`: the swap of another seat is still to come, too."""
    holder = next((seat for seat in range(3) if held(hands[seat], TWO)), None)
    if holder is None or not up_card or not (holder == 0 or others):
        return DealerChoices(profile, calls, (Lay(Choice(), None, hands),), 0, 0, quotas)
    after = list(hands)
    after[holder] ^= bit(TWO) | up_card
    swapped = after[0], after[1], after[2]
    lays = tuple(
        Lay(Choice(swap=took if holder == 0 else None), took, cards)
        for took, cards in ((True, swapped), (False, hands))
    )
    return DealerChoices(profile, calls, lays, 0, 0, quotas, holder, up_card)


def _refuse(message: str, code: str = "choice", *, field: str = "deal") -> NoReturn:
    raise InputError(code, message, field=field)
