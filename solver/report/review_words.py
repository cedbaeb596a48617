"""The words of a review, for the terminal and the page alike: plain text, cards by their names, seats as D, E, M.

    meaning(review)                   what the numbers are, in a sentence
    play_text(review, play)           "M's H9 cost M two tricks and gave D two; any spade kept them."
    turn_text(review, turn)           the same with its trick, and whose quota it decided
    decision_text(review, decision)   what was chosen before the play, what it cost, what was as good as any
    claim_text(review)                was the claim fair? "" where there was none
    account_line(review, account)     "East (D): 4 tricks = 3 at the first lead - 3 lost + 4 given"

Names of players are as the record has them, on one line (`plain`): who makes markup of these sentences escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tierce.solver.advice.choices import Choice
from tierce.solver.advice.ledger import Play
from tierce.solver.advice.review_results import ClaimJudged, Decision, Review, SeatAccount, Status, Turn, What
from tierce.solver.advice.sending import Way
from tierce.solver.cards import SEATS3, SUIT_NAMES, SUITS, Card, card_name, card_names, suit_of
from tierce.solver.games.profile import MIZ
from tierce.solver.report.markup import plain
from tierce.solver.report.study_words import listed

__all__ = [
    "account_line",
    "balance_text",
    "call_name",
    "claim_text",
    "cost_text",
    "counted",
    "decision_text",
    "meaning",
    "place_text",
    "play_names",
    "play_text",
    "skipped_text",
    "status_text",
    "sum_text",
    "turn_text",
]

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SUIT: Final = tuple(name.removesuffix("s") for name in SUIT_NAMES)
_FEW_BUT: Final = 2  # exceptions that may stand behind "any card but"
_EQUAL_TOLD: Final = 3  # choices as good as any that are named
_SWAP: Final = {True: "took the up-card", False: "left the up-card", None: "had no choice"}


# ---- small words -----------------------------------------------------------------------------------------------------


def counted(tricks: float) -> str:
    """`a trick`, `two tricks`, `1.5 tricks`."""
    return "a trick" if tricks == 1 else f"{_number(tricks)} tricks"


def _number(tricks: float) -> str:
    whole = int(tricks)
    return _NUMBERS[whole] if whole == tricks and 0 <= whole < len(_NUMBERS) else f"{tricks:g}"


def _tricks(count: int) -> str:
    return f"{count} trick{'s' * (count != 1)}"


def call_name(call: str) -> str:
    """A trump or a call in words."""
    return {"N": "no trump", MIZ: "Miz"}.get(call) or SUIT_NAMES["SHDC".index(call)]


def play_names(cards: Iterable[Card], legal: Iterable[Card] = ()) -> str:
    """Cards as the choice they are: `SA, H9 or any club`. `legal`: all that could be played; of these a suit is named
    instead of its cards where every one of it is meant."""
    chosen, others = set(cards), set(legal) - set(cards)
    if others and len(chosen) > 2 and len(others) <= _FEW_BUT:
        return f"any card but {listed([card_name(card) for card in sorted(others)], 'or')}"
    if chosen and not others and len(chosen) > 2 and set(legal):
        return "any card" if len({suit_of(card) for card in chosen}) > 1 else f"any {_SUIT[suit_of(min(chosen))]}"
    return listed([name for suit in SUITS for name in _suit_names(chosen, others, suit, bool(set(legal)))], "or")


def _suit_names(chosen: set[Card], others: set[Card], suit: int, known: bool) -> Iterator[str]:
    own = sorted((card for card in chosen if suit_of(card) == suit), reverse=True)
    if known and len(own) > 1 and not any(suit_of(card) == suit for card in others):
        yield f"any {_SUIT[suit]}"
    else:
        yield from map(card_name, own)


# ---- what the numbers are --------------------------------------------------------------------------------------------


def meaning(review: Review) -> str:
    """What a guarantee is, in one sentence."""
    if review.few:
        return (
            "Every number is a cap: the most tricks that a seat can be made to take, "
            "with all cards seen and both others playing against it."
        )
    return (
        "Every number is a floor: the tricks that a seat is sure of, "
        "with all cards seen and even if both others play against it."
    )


def claim_text(review: Review) -> str:
    """Whether a claim was fair: did every seat get what it was sure of?"""
    claim = review.claim
    if claim is None:
        return ""
    sure, got = (_each(tricks) for tricks in (claim.guarantees, claim.tricks))
    rest = f"the last {counted(claim.left)}" if claim.left > 1 else "the last trick"
    if claim.wronged:
        wrongs = [_wronged(claim, seat) for seat in claim.wronged] + [_favoured(claim, seat) for seat in claim.favoured]
        return f"The claim of {rest} was not fair: {'; '.join(wrongs)}."
    if claim.tricks == claim.guarantees:
        exact = "as many as it could be made to take" if claim.few else "as many as it was sure of"
        return f"The claim of {rest} was fair: every seat got {exact} ({sure})."
    bound = "no more than it could be made to take" if claim.few else "no less than it was sure of"
    return f"The claim of {rest} was fair: every seat got {bound} ({sure}; claimed {got})."


def _each(tricks: Iterable[int]) -> str:
    """`D 3, E 2, M 5`."""
    return ", ".join(f"{seat} {each}" for seat, each in zip(SEATS3, tricks, strict=True))


def _wronged(claim: ClaimJudged, seat: int) -> str:
    worth = f"could be made to take {claim.guarantees[seat]}" if claim.few else f"was sure of {claim.guarantees[seat]}"
    return f"{SEATS3[seat]} got {claim.tricks[seat]}, and {worth}{' at most' * claim.few}"


def _favoured(claim: ClaimJudged, seat: int) -> str:
    others = sum(claim.guarantees) - claim.guarantees[seat]
    hope = "had to take {} at least" if claim.few else "could hope for {} at most"
    return f"{SEATS3[seat]} got {claim.tricks[seat]}, and {hope.format(max(0, claim.left - others))} if nobody erred"


def status_text(review: Review, seat: int, status: Status) -> str:
    """How a seat's quota stands."""
    if review.few:
        how = {"safe": "is safe", "contested": "is not safe", "lost": "is exceeded"}[status]
    else:
        how = {"safe": "is safe", "contested": "is contested", "lost": "is out of reach unless another errs"}[status]
    return f"{_quota(review, seat)} {how}"


def _quota(review: Review, seat: int) -> str:
    return f"{SEATS3[seat]}'s {'limit' if review.few else 'quota'} of {review.quotas[seat]}"


# ---- cards -----------------------------------------------------------------------------------------------------------


def play_text(review: Review, play: Play) -> str:
    """What a card did, and which would have lost nothing."""
    return f"{_play(review, play)}."


def cost_text(review: Review, play: Play) -> str:
    """What a card did, without the card: `cost M two tricks and gave D two`."""
    return listed([*_did(review, play)]) or "changed nothing"


def _play(review: Review, play: Play) -> str:
    said = f"{SEATS3[play.seat]}'s {card_name(play.card)} {cost_text(review, play)}"
    if play.forced:
        return f"{said}; there was no other card to play"
    if not play.loss:
        return said
    kept = "cost nothing" if review.few else "kept it" if play.loss == 1 else "kept them"
    return f"{said}; {_better(play)} {kept}"


def _did(review: Review, play: Play) -> Iterator[str]:
    """What it cost its player, and what it gave the others."""
    gifts = [(seat, play.gift(seat)) for seat in range(3) if play.gift(seat)]
    if review.few:
        yield from _did_few(play, gifts)
        return
    if play.loss:
        yield f"cost {SEATS3[play.seat]} {counted(play.loss)}"
    if gifts:
        yield f"gave {_gifts(gifts, bool(play.loss))}"


def _did_few(play: Play, gifts: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What the seats can be made to take after it, more or fewer: `left D open to a trick more`, `E to two fewer`."""
    told = [(SEATS3[play.seat], f"{counted(play.loss)} more")] if play.loss else []
    if len(gifts) > 1 and len({gift for _, gift in gifts}) == 1:
        told.append((listed([SEATS3[seat] for seat, _ in gifts]), f"{counted(gifts[0][1])} fewer each"))
    else:
        told += [(SEATS3[seat], f"{counted(gift)} fewer") for seat, gift in gifts]
    for place, (seats, change) in enumerate(told):
        yield f"{seats} to {change}" if place else f"left {seats} open to {change}"


def _gifts(gifts: Sequence[tuple[int, int]], unit: bool) -> str:
    """`D two tricks`, `D and M a trick each`, `D a trick and M two`. `unit`: has it been said what is counted?"""
    amounts = {gift for _, gift in gifts}
    if len(gifts) > 1 and len(amounts) == 1:
        return f"{listed([SEATS3[seat] for seat, _ in gifts])} {counted(amounts.pop())} each"
    words = []
    for seat, gift in gifts:
        words.append(f"{SEATS3[seat]} {_number(gift) if unit and gift > 1 else counted(gift)}")
        unit = True
    return listed(words)


def _better(play: Play) -> str:
    legal, best = [card for card, _ in play.options], play.best
    if len(best) > 1 and set(legal) - set(best) == {play.card}:
        return "any other card"
    return play_names(best, legal)


def turn_text(review: Review, turn: Turn) -> str:
    """A turning point: the card, what it did, and whose quota stands otherwise after it."""
    made = listed([*_changes(review, turn)])
    said = [f"Trick {turn.play.trick}: {_play(review, turn.play)}.", *([f"That {made}."] if made else [])]
    over = [seat for seat, _, now in turn.changes if now == "lost"] if review.few else []
    said += [f"{SEATS3[seat]} won the trick and went over the limit of {review.quotas[seat]}." for seat in over]
    return " ".join(said)


def _changes(review: Review, turn: Turn) -> Iterator[str]:
    """Seats whose quotas stand alike after it are named together; who goes over a limit is told apart."""
    for after in ("safe", "contested", "lost"):
        seats = [seat for seat, _, now in turn.changes if now == after]
        if not seats or (after == "lost" and review.few):
            continue
        quotas = listed([_quota(review, seat) for seat in seats])
        yield {
            "safe": f"made {quotas} safe",
            "contested": f"left {quotas} {'unsafe' if review.few else 'contested'}",
            "lost": f"put {quotas} out of reach unless another errs",
        }[after]


# ---- decisions before the play ---------------------------------------------------------------------------------------


def decision_text(review: Review, decision: Decision) -> str:
    """What was chosen, what it cost, and what was as good as any."""
    said = f"{decision.what.capitalize()}: {SEATS3[decision.seat]} {_chose(decision.chosen)}"
    low, high = decision.loss_bounds
    if decision.loss is None:
        cost = f"at most {_number(high)}" if not low else f"{low:g} to {high:g}"
        return f"{said}; it cost {cost} trick{'s' * (high != 1)}."
    if not low:
        return f"{said}; nothing was better{_of(decision)}."
    return f"{said}; it cost {counted(low)}{_best(decision)}."


def _chose(chosen: Way | str | Choice) -> str:
    if isinstance(chosen, Way):
        return f"sent {listed([_parcel(each.receiver, each.sent, each.returned) for each in chosen.sends])}"
    if isinstance(chosen, str):
        return f"named {call_name(chosen)}"
    laid = f"laid away {card_names(chosen.discard)}" if chosen.discard else ""
    swap = "" if chosen.swap is None and laid else _SWAP[chosen.swap]
    return listed([each for each in (laid, swap) if each])


def _parcel(receiver: int, sent: int, returned: int) -> str:
    back = f" ({card_names(returned)} came back)" if returned else ""
    return f"{card_names(sent)} to {SEATS3[receiver]}{back}"


def _of(decision: Decision) -> str:
    """How many choices were as good."""
    if decision.count is None or decision.count < 2 or decision.what in ("trump", "swap"):
        return ""
    return f", {decision.count - 1:,} other choice{'s' * (decision.count > 2)} as good"


def _best(decision: Decision) -> str:
    """Some of the choices that were best."""
    told = [_short(each) for each in decision.equal[:_EQUAL_TOLD]]
    if not told:
        return ""
    more = (decision.count or len(decision.equal)) - len(told)
    rest = [f"{more:,} more"] if more > 0 else []
    return f"; best {'were' if len(told) + len(rest) > 1 else 'was'} {listed([*told, *rest], 'or')}"


def _short(chosen: Way | str | Choice) -> str:
    if isinstance(chosen, Way):
        return " and ".join(f"{card_names(each.sent)} to {SEATS3[each.receiver]}" for each in chosen.sends)
    if isinstance(chosen, str):
        return call_name(chosen)
    return card_names(chosen.discard) if chosen.discard else "to take the up-card" if chosen.swap else "to leave it"


def skipped_text(review: Review, what: What, seat: int) -> str:
    """A decision that was not judged."""
    return f"{what.capitalize()}: {SEATS3[seat]}'s choice was not judged."


# ---- accounts --------------------------------------------------------------------------------------------------------


def place_text(review: Review) -> str:
    """Where the account begins."""
    if review.whole or not review.ledger.plays:
        return "at the first lead" if review.whole else "at the end"
    return f"before trick {review.ledger.plays[0].trick}"


def account_line(review: Review, account: SeatAccount) -> str:
    """A seat's account as a sum that comes out, and how it stands to its quota."""
    who = f"{plain(account.name)} ({SEATS3[account.seat]})"
    sure = "" if review.finished else "at most " if review.few else "sure of "
    return f"{who}: {sure}{_tricks(account.tricks)} = {sum_text(review, account)}; {balance_text(review, account)}"


def sum_text(review: Review, account: SeatAccount) -> str:
    """What a seat's tricks are made of."""
    lost, given = ("+", "-") if review.few else ("-", "+")
    parts = [f"{account.start} {place_text(review)}"]
    if account.kitty:
        parts.append(f"+ {account.kitty} for the kitty")
    parts.append(f"{lost} {account.lost} by own cards")
    givers = [f"{gift} by {SEATS3[seat]}" for seat, gift in enumerate(account.gifts) if gift]
    from_whom = f" ({', '.join(givers)})" if givers else ""
    parts.append(f"{given} {sum(account.gifts)} {'spared' if review.few else 'given'}{from_whom}")
    if account.claim:
        parts.append(f"{'+' if account.claim > 0 else '-'} {abs(account.claim)} by the claim")
    return " ".join(parts)


def balance_text(review: Review, account: SeatAccount) -> str:
    """How a seat's tricks stand to its quota."""
    word, balance = ("limit" if review.few else "quota"), review.balance(account)
    said = f"{word} {account.quota}"
    if not review.finished:
        return f"{said}, {'safe' if balance >= 0 else f'{-balance} short of safe'}"
    if not balance:
        return f"{said}, even"
    return f"{said}, {abs(balance)} {'up' if balance > 0 else 'down'}"
