"""The dealer's view of a decision from what he can say: his hand, and what he gave and got in the exchange.

    dealer_view(load_game("raf"), parse_hand("AKQ.T9..."))                                        a first deal
    dealer_view(profile, hand, [Exchanged(1, sent=..., got=...)])                                 he was up on eldest
    dealer_view(profile, hand, [Exchanged(2, received=..., returned=...)], others=(1, 2))         and eldest sent 2

The hand is the one of now, after the exchange; with the kitty in it where that has been taken. Balances, order and
sizes of the parcels follow from who sent how many cards to whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from tierce.solver.advice.worlds import PHASES
from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask, bit, card_names, format_hand, parse_card
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.auction import BIDS
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import Profile, three_hands
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.view import SeenTransfer, View

__all__ = ["Exchanged", "dealer_view"]

_NONE: Final = (0, 0, 0)
_WON: Final = ((0, min(BIDS)), (1, None), (2, None))  # an auction that leaves the game's own quotas
_RULES: Final = {
    "merged_top_n": "of every suit sent as many of the highest, the cards sent among them",
    "own_top_n": "of every suit sent as many of the highest of the hand, cards sent only where it has no more",
    "pairwise_low_first": "for each card sent, the lowest first, the highest of its suit left in the hand, or itself",
    "pairwise_high_first": "for each card sent, the highest first, the highest of its suit left in the hand, or itself",
}


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The dealer's exchange with a seat (1 eldest, 2 middle), cards as masks: what he sent to it and what came back,
    or what he received from it and gave back."""

    seat: int
    sent: Mask = 0
    got: Mask = 0
    received: Mask = 0
    returned: Mask = 0

    @property
    def up(self) -> bool:
        """Was it the dealer who sent?"""
        return bool(self.sent | self.got)


def dealer_view(
    profile: Profile,
    hand: Mask,
    exchanged: Sequence[Exchanged] = (),
    *,
    others: tuple[int, int] | None = None,
    first_over: int | None = None,
    later: bool = False,
    up_card: Mask = 0,
    call: str = "",
) -> View:
    """The view at the dealer's first decision, or where the call is named at the one after it.

    exchanged   with each seat, one entry at most
    others      a seat and how many cards it sent to the third: an exchange that he did not see
    first_over  the seat whose player was first over his quota in the deal before, where two are up and the game goes
                by that; None: by quotas
    later       it is no first deal, though nothing was exchanged
    up_card     the card that lies face up, in a game with one
    call        where it is named: S H D C N or MIZ

    A first deal's auction was won with the lowest bid: that is the one with the quotas that the game has without one.
    InputError (field "hand", "exchange", "got", "first_over", "up_card" or "call") for what the game does not allow.
    """
    three_hands(profile, "a dealer's view")
    first = not (exchanged or others or later)
    steps = profile.steps(first=first)
    phase = _phase(profile, steps, call)
    taken = "KITTY" in steps and steps.index("KITTY") < steps.index(phase)
    _check_cards(profile, hand, taken=taken, up_card=up_card, swap="SWAP" in steps)
    if (exchanged or others) and "EXCHANGE" not in steps:
        reason = "in a game without an exchange before the dealer's decision"
        _refuse("exchange", f"expected no parcels {reason}, found some")
    transfers = _transfers(profile, exchanged, others, first_over)
    _check_parcels(profile, hand, exchanged)
    _check_own_returns(profile, hand, transfers, profile.kitty if taken else 0)
    _check_got(profile, exchanged)
    removed = _removed(profile)
    cards = hand | up_card | removed
    for each in exchanged:
        cards |= each.sent | each.got | each.received | each.returned
    if removed & (cards & ~removed | hand):
        _refuse("hand", f"expected no {card_names(removed)}, which is out of the pack, found it")
    return View(
        profile=profile,
        seat=0,
        dealer=0,
        phase=phase,
        to_move=None if phase == "SWAP" else 0,
        results=() if first else (_before(profile, exchanged, others, first_over),),
        totals=_NONE,
        quotas=profile.caps() if call == "MIZ" else profile.quotas,
        bids=_WON if "BID" in steps else (),
        call=call,
        swapped=None,
        swapper=None,
        hand=hand,
        counts=(hand.bit_count(), profile.hand, profile.hand),
        kitty=0 if up_card or taken else profile.kitty,
        discard=None,
        discards=0,
        up_card=up_card,
        removed=removed,
        transfers=transfers,
        shown=0,
        leader=1,
        trick=(),
        tricks=(),
        taken=_NONE,
        voids=_NONE,
        seen=cards,
        known=(hand, 0, 0),
        traced=_NONE,
    )


def _phase(profile: Profile, steps: Sequence[str], call: str) -> str:
    """The phase of the decision."""
    due = [step for step in steps if step in PHASES]
    named = next((at for at, step in enumerate(due) if step in ("TRUMP", "CALL")), 0)
    if not call:
        return due[0]
    open_ = profile.calls or ("S", "H", "D", "C")
    if call not in open_:
        _refuse("call", f"expected one of the calls {' '.join(open_)}, found {call!r:.60}")
    if len(due) <= named + 1:
        _refuse("call", "expected a choice that is left to the dealer once the trump is named, found none")
    return due[named + 1]


def _check_cards(profile: Profile, hand: Mask, *, taken: bool, up_card: Mask, swap: bool) -> None:
    size = profile.hand + (profile.kitty if taken else 0)
    found = hand.bit_count()
    if found != size:
        kitty = ", the kitty among them" if taken else ""
        _refuse("hand", f"expected a hand of {size} cards{kitty}, found {found}: {format_hand(hand)}")
    if hand & ~profile.pack or up_card & ~profile.pack:
        stray = card_names((hand | up_card) & ~profile.pack)
        _refuse("hand", f"expected cards of the {4 * profile.ranks}-card pack, found {stray}")
    if swap and (up_card.bit_count() != 1 or up_card & hand):
        _refuse("up_card", f"expected the card that lies face up, found {card_names(up_card) or 'none'}")
    if not swap and up_card:
        _refuse("up_card", f"expected no card that lies face up in this game, found {card_names(up_card)}")


def _check_parcels(profile: Profile, hand: Mask, exchanged: Sequence[Exchanged]) -> None:
    """The last to move a card settles where it is: what he gave is not his any more, unless he got it later."""
    got = gave = 0  # a card that came back as it went is the dealer's, if he had sent it, and else it is not
    for each in exchanged:
        parcels = (each.sent, each.got) if each.up else (each.received, each.returned)
        if parcels[0].bit_count() != parcels[1].bit_count() or not parcels[0]:
            names = " and ".join(card_names(cards) or "none" for cards in parcels)
            _refuse("exchange", f"expected as many cards back as were sent to or by {NAMES[each.seat]}, found {names}")
        if (each.sent | each.got | each.received | each.returned) & ~profile.pack:
            _refuse("exchange", f"expected cards of the {4 * profile.ranks}-card pack in the exchange, found others")
        got |= each.got | each.received & ~each.returned
        gave |= each.sent & ~each.got | each.returned
    if lost := gave & hand & ~got:
        _refuse("exchange", f"expected cards given away not to be in the hand, found {card_names(lost)}")
    if lacking := got & ~hand & ~gave:
        _refuse("exchange", f"expected cards got to be in the hand, found it without {card_names(lacking)}")


def _check_own_returns(profile: Profile, hand: Mask, transfers: Sequence[SeenTransfer], kitty: int) -> None:
    """The dealer gave back what the rule asks for: his hand is taken back through the exchange, last step first.

    kitty   cards of the hand that came later, nobody says which: so many he may have kept against the rule
    """
    for each in reversed(transfers):
        if each.sent is None or each.returned is None:
            continue
        if each.sender == 0:
            hand = hand & ~each.returned | each.sent
            continue
        hand |= each.returned
        due = exchange.returned(hand & ~each.sent, each.sent, profile.options)
        while (kept := due & ~each.returned & ~each.sent) and kept.bit_count() <= kitty:
            hand &= ~kept
            kitty -= kept.bit_count()
            due = exchange.returned(hand & ~each.sent, each.sent, profile.options)
        if due != each.returned:
            found = card_names(each.returned)
            _refuse("exchange", f"expected {card_names(due)} to go back to {NAMES[each.sender]}, found {found}")
        hand &= ~each.sent


def _check_got(profile: Profile, exchanged: Sequence[Exchanged]) -> None:
    """What came back to the dealer can have been due: of the other hand only what it gave is known."""
    for each in exchanged:
        if not each.up:
            continue
        if _suit_counts(each.got) != _suit_counts(each.sent):
            _refuse_got(profile, each, f"expected as many cards of each suit as in {card_names(each.sent)}")
        due = exchange.returned(each.got & ~each.sent, each.sent, profile.options)
        if due != each.got:
            _refuse_got(profile, each, f"expected {card_names(due)} or higher for {card_names(each.sent)}")


def _refuse_got(profile: Profile, each: Exchanged, expected: str) -> NoReturn:
    rule = str(profile.options.get("return_rule", "merged_top_n"))
    what = f"to come back from {NAMES[each.seat]}: {_RULES[rule]} (return_rule {rule})"
    _refuse("got", f"{expected} {what}, found {card_names(each.got)}")


def _suit_counts(cards: Mask) -> tuple[int, ...]:
    return tuple((cards & LANE << LANE_BITS * suit).bit_count() for suit in SUITS)


def _balances(exchanged: Sequence[Exchanged], others: tuple[int, int] | None) -> tuple[int, int, int]:
    """Balances that lead to these parcels."""
    found = [0, 0, 0]
    for each in exchanged:
        count = each.sent.bit_count() if each.up else -each.received.bit_count()
        found[0] += count
        found[each.seat] -= count
    if others is not None:
        found[others[0]] += others[1]
        found[3 - others[0]] -= others[1]
    return found[0], found[1], found[2]


def _transfers(
    profile: Profile, exchanged: Sequence[Exchanged], others: tuple[int, int] | None, first_over: int | None
) -> tuple[SeenTransfer, ...]:
    """The parcels in the order in which the game has them. InputError where it would not have these."""
    if len({each.seat for each in exchanged}) < len(exchanged):
        _refuse("exchange", "expected one exchange with each seat, found two with one")
    _check_result(profile, _balances(exchanged, others), others)
    balances = _balances(exchanged, others)
    if first_over is not None and not (first_over in (0, 1, 2) and balances[first_over] > 0):
        _refuse("first_over", f"expected a seat that is up, found {first_over!r:.60}")
    planned = exchange.plan(balances, profile.quotas, profile.options, first_over)
    seen = {(0, each.seat) if each.up else (each.seat, 0): each for each in exchanged}
    if others is not None and not (others[0] in (1, 2) and others[1] > 0):
        _refuse("exchange", f"expected a seat and a number of cards from 1, found {others!r:.60}")
    wanted = {ends: (each.sent | each.received).bit_count() for ends, each in seen.items()}
    wanted |= {} if others is None else {(others[0], 3 - others[0]): others[1]}
    if {(each.sender, each.receiver): each.count for each in planned} != wanted:
        plain = ", ".join(f"{NAMES[a]} to {NAMES[b]} {count}" for (a, b), count in wanted.items())
        _refuse("exchange", f"expected parcels that some result calls for, found {plain}")
    return tuple(_seen(each, seen.get((each.sender, each.receiver))) for each in planned)


def _check_result(profile: Profile, balances: Sequence[int], others: tuple[int, int] | None) -> None:
    """A result with these balances can have been. After an auction the quotas were others: then hands are the bound."""
    before = zip(profile.quotas, _before_seats(balances), strict=True)
    auction = profile.option("first_deal_auction")
    possible = all(auction or 0 <= owed + more <= profile.counted for owed, more in before)
    if not possible or max(map(abs, balances)) > profile.hand or (others is not None and others[1] > profile.hand):
        plain = ", ".join(f"{name} {balance:+}" for name, balance in zip(NAMES, balances, strict=True))
        _refuse("exchange", f"expected parcels that some result calls for, found some for balances of {plain}")


def _seen(each: Transfer, mine: Exchanged | None) -> SeenTransfer:
    if mine is None:
        return SeenTransfer(each.sender, each.receiver, each.count, None, None)
    cards = (mine.sent, mine.got) if mine.up else (mine.received, mine.returned)
    return SeenTransfer(each.sender, each.receiver, each.count, *cards)


def _before(
    profile: Profile, exchanged: Sequence[Exchanged], others: tuple[int, int] | None, first_over: int | None
) -> DealResult:
    """A deal before that calls for these parcels."""
    balances = _before_seats(_balances(exchanged, others))
    d, e, m = (owed + more for owed, more in zip(profile.quotas, balances, strict=True))
    first = None if first_over is None else (1, 2, 0)[first_over]
    return DealResult(2, "", profile.quotas, (d, e, m), balances, first)


def _before_seats(now: Sequence[int]) -> tuple[int, int, int]:
    """By the seats of the deal before: its dealer is middle now, its eldest deals, its middle is eldest."""
    return now[2], now[0], now[1]


def _removed(profile: Profile) -> Mask:
    """The card that all know to be out of the pack."""
    card = profile.option("removed_card")
    return bit(parse_card(card)) if isinstance(card, str) and card != "random_hidden" else 0


def _refuse(field: str, message: str) -> NoReturn:
    raise InputError(field, message, field=field)
