"""The words of a contract's review, for terminal and page alike: plain text, cards by their names, seats N E S W.

head(review)              "Solo by S, spades are trump"
meaning(review)           what the numbers are, in a sentence
outcome(review)           what it was worth at the first lead, what came of it
play_text(review, play)   "W's HK cost the defenders a trick; any other card kept it."
turn_text(review, turn)   the same with its trick, and how the contract stood after it
call_text(review, call)   a call of the auction, what it was worth and what was worth most
trump_text(review)        the trump that was named, against the others
claim_text(review)        was the claim fair? "" where there was none
compared(review)          what calls are held against
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.advice.contract_accounts import ContractTurn
from tierce.solver.advice.contract_calls import CallJudged, SeatAuction
from tierce.solver.advice.contract_ledger import ContractPlay
from tierce.solver.advice.contract_review_results import ContractReview, Part
from tierce.solver.cards import NOTRUMP, SEATS4, SUIT_NAMES, card_name, side_name
from tierce.solver.games.contracts import CONTRACTS, Contract, contract_title
from tierce.solver.report.markup import plain
from tierce.solver.report.review_words import counted, play_names
from tierce.solver.report.study_words import listed

__all__ = [
    "auction_texts", "call_text", "claim_text", "compared", "dearest_text", "head", "highest_text", "meaning",
    "outcome", "play_text", "said", "seat_letters", "side_word", "signed", "skipped_text", "trump_text", "turn_text",
    "units_text", "won_text",
]  # fmt: skip

_SKIPPED: Final[dict[Part, str]] = {
    "auction": "The auction was not judged in time, or not all of it.",
    "trump": "The trump that was named was not judged in time.",
}


# ---- small words -----------------------------------------------------------------------------------------------------


def signed(number: int) -> str:
    """`+3`, `0`, `-1`."""
    return f"{number:+}" if number else "0"


def seat_letters(seats: Sequence[int]) -> str:
    """`N`, `N and S`, `N, E and W`."""
    return listed([SEATS4[seat] for seat in seats])


def side_word(contract: Contract, *, declares: bool) -> str:
    """`the declarers`, `the declarer`, `the defenders`."""
    if not declares:
        return "the defenders"
    return "the declarers" if len(contract.declarers) > 1 else "the declarer"


def _trump_word(trump: int) -> str:
    return "no trump" if trump == NOTRUMP else SUIT_NAMES[trump]


def units_text(review: ContractReview, number: int) -> str:
    """`a unit`, `3 units`; points where the game has a schedule."""
    word = "point" if review.money else "unit"
    return f"a {word}" if number == 1 else f"{number} {word}s"


def won_text(players: Sequence[str], winners: Sequence[int]) -> str:
    """`Ann won.`, `Ann and Bob share the win.`"""
    names = listed([plain(players[player]) for player in winners])
    return f"{names} {'won' if len(winners) == 1 else 'share the win'}."


def _units(number: int) -> str:
    return "a unit" if number == 1 else f"{number} units"


# ---- the hand --------------------------------------------------------------------------------------------------------


def head(review: ContractReview) -> str:
    """What was played."""
    contract = review.contract
    if contract is None:
        return "void, nobody found a contract"
    by = listed([SEATS4[seat] for seat in contract.declarers])
    trump = "no trump" if contract.trump == NOTRUMP else f"{SUIT_NAMES[contract.trump]} are trump"
    return f"{contract_title(contract.name)} by {by}, {trump}"


def meaning(review: ContractReview) -> str:
    """What a worth is, in one sentence."""
    contract = review.contract
    if contract is None:
        return "No card was played, and nobody wins or loses."
    if contract.rule.fewest:
        return (
            "What counts is whether the declarer can be made to take a trick, with all hands seen and best play by "
            "all; a card can only cost its own side."
        )
    return (
        f"What counts is the tricks of {side_word(contract, declares=True)} with all hands seen and best play by all "
        "from there; a card can only cost its own side."
    )


def outcome(review: ContractReview) -> str:
    """What the contract needs, was worth at the first lead and came to."""
    contract, ledger = review.contract, review.ledger
    if contract is None or ledger is None:
        return ""
    needs = "no trick" if contract.rule.fewest else f"{contract.rule.needs} tricks"
    several = len(contract.declarers) > 1
    told = [f"{seat_letters(contract.declarers)} {f'need {needs} together' if several else f'needs {needs}'}."]
    if review.whole:
        told.append(f"At the first lead it is {_stands(review, ledger.start)}.")
    if review.finished:
        tricks = f" with {review.tricks or 'no'} trick{'s' * (review.tricks != 1)}"
        told.append(f"It was {'made' if review.made else 'beaten'}{tricks}.")
    else:
        told.append(f"The hand is not finished; where it ends the contract is {_stands(review, ledger.end)}.")
    return " ".join(told)


def _stands(review: ContractReview, worth: int) -> str:
    ledger = review.ledger
    word = "made" if review.makes(worth) else "beaten"
    return word if ledger is None or ledger.fewest else f"{word}, with {worth or 'no'} trick{'s' * (worth != 1)}"


def claim_text(review: ContractReview) -> str:
    """Whether a claim was fair: did each side get what it was sure of?"""
    claim, contract = review.claim, review.contract
    if claim is None or contract is None:
        return ""
    rest = f"the last {counted(claim.left)}" if claim.left > 1 else "the last trick"
    who = side_word(contract, declares=True)
    if contract.rule.fewest:
        worth = "could not be made to take a trick" if claim.makes else "could not help taking one"
        if claim.fair:
            return f"The claim of {rest} was fair: {who} {worth}."
        return f"The claim of {rest} was not fair: {who} {worth}, and the claim {_decided(made=claim.made)}."
    sure = f"{who} got {claim.got} of them"
    if claim.fair:
        return f"The claim of {rest} was fair: {sure}, as many as best play brings."
    turned = f"; that {_decided(made=claim.made)}" if claim.made != claim.makes else ""
    return f"The claim of {rest} was not fair: {sure}, and {claim.worth} with best play{turned}."


def _decided(*, made: bool) -> str:
    return "made the contract" if made else "beat the contract"


# ---- cards -----------------------------------------------------------------------------------------------------------


def play_text(review: ContractReview, play: ContractPlay) -> str:
    """What a card did, and which would have lost nothing."""
    return f"{_play(review, play)}."


def _play(review: ContractReview, play: ContractPlay) -> str:
    said = f"{SEATS4[play.seat]}'s {card_name(play.card)} {_did(review, play)}"
    if play.forced:
        return f"{said}; there was no other card to play"
    if not play.loss:
        return said
    return f"{said}; {_better(play)} {_kept(review, play)}"


def _did(review: ContractReview, play: ContractPlay) -> str:
    contract = review.contract
    assert contract is not None
    if not play.loss:
        return "cost nothing"
    if contract.rule.fewest:
        return "let the declarer be beaten" if play.declares else "let the declarer off"
    return f"cost {side_word(contract, declares=play.declares)} {counted(play.loss)}"


def _kept(review: ContractReview, play: ContractPlay) -> str:
    assert review.contract is not None
    if review.contract.rule.fewest:
        return "kept out of it" if play.declares else "beat him"
    return "kept it" if play.loss == 1 else "kept them"


def _better(play: ContractPlay) -> str:
    legal, best = [card for card, _ in play.options], play.best
    if len(best) > 1 and set(legal) - set(best) == {play.card}:
        return "any other card"
    return play_names(best, legal)


def turn_text(review: ContractReview, turn: ContractTurn) -> str:
    """A turning point: the card, what it did, and how the contract stands after it."""
    said = f"Trick {turn.play.trick}: {_play(review, turn.play)}."
    contract = review.contract
    if turn.before == turn.after or contract is None:
        stays = "still made" if turn.after else "beaten anyway"
        return f"{said} The contract was {stays}."
    cost = units_text(review, review.cost(turn.play))
    own = contract.declarers if turn.play.declares else contract.defenders
    whom = f"{SEATS4[own[0]]} {cost}" if len(own) == 1 else f"{seat_letters(own)} {cost} each"
    return (
        f"{said} That turned {contract_title(contract.name)} from {_word(turn.before)} to {_word(turn.after)}: {whom}."
    )


def _word(makes: bool) -> str:
    return "made" if makes else "beaten"


# ---- the auction -----------------------------------------------------------------------------------------------------


def compared(review: ContractReview) -> str:
    """What calls are held against, in plain words."""
    text = (
        "Each call is held against the best that its seat could have said at that turn, in units and with all hands "
        "seen. A bid counts as what its contract brings if it stands and all play best, Prop with its best partner; a "
        "pass as what stood in the end; a pass in place of a bid as what stood then. Whether others would have gone "
        "over the better bid is not reckoned; who could have is told."
    )
    return f"{text} Over- and undertricks are left out of this." if review.money else text


def call_text(review: ContractReview, call: CallJudged) -> str:
    """A call and what it was worth; what would have been worth more, and who could have gone over that."""
    who = f"{SEATS4[call.seat]}'s {said(call.bid)}"
    if call.worth is None or call.best_units is None or call.loss is None:
        return f"{who} was not judged in time."
    worth = f"was worth {signed(call.worth)}" if call.bid else f"left {signed(call.worth)}"
    if not call.loss:
        return f"{who} {worth}, the best there was."
    better = listed([said(bid) for bid in call.best], "or")
    over = [f"{SEATS4[seat]} could have gone over it with {contract_title(bid)}" for seat, bid in call.over]
    but = f" ({'; '.join(over)})" if over else ""
    return f"{who} {worth}; {better} was worth {signed(call.best_units)}{but}: {_units(call.loss)} lost."


def said(bid: str | None) -> str:
    """A call as people say it."""
    return "pass" if bid is None else contract_title(bid)


def auction_texts(review: ContractReview) -> Iterator[str]:
    """The calls that cost something or were not judged, in their order; where there are none, that."""
    told = [call for call in review.calls if call.loss or call.loss is None]
    yield from (call_text(review, call) for call in told)
    if not told and review.calls:
        yield "No call cost its seat anything."


def dearest_text(seat: SeatAuction) -> str:
    """The dearest bid that a seat makes: `Solo`, `Prop and Cop with S`, `none`."""
    found = seat.dearest
    if not found.bid:
        return "none" if found.settled else "?"
    partners = f" with {listed([SEATS4[each] for each in found.partners], 'or')}" if found.partners else ""
    named = CONTRACTS[found.bid].trump == "named" or (found.bid == "abundance_declared" and found.trumps != (NOTRUMP,))
    trumps = f" in {listed([_trump_word(each) for each in found.trumps], 'or')}" if named else ""
    return f"{contract_title(found.bid)}{partners}{trumps}" + (", at least" * (not found.settled))


def highest_text(review: ContractReview) -> str:
    """The highest bid that somebody makes in the deal; "" where the auction was not judged."""
    if review.table is None:
        return ""
    found = review.table.highest
    if not found.bid:
        return "Nobody makes anything." if found.settled else "No contract is known to be made."
    sides = listed([side_name(side, 4) for side in found.sides], "or")
    begin = "The highest bid that somebody makes" if found.settled else "The highest bid known to be made"
    return f"{begin}: {contract_title(found.bid)}, by {sides}."


def trump_text(review: ContractReview) -> str:
    """The trump that was named, against the others; "" where none was."""
    judged = review.trump
    if judged is None:
        return ""
    who = f"{SEATS4[judged.seat]} named {_trump_word(judged.chosen)}"
    if judged.loss is None:
        return f"{who}; not all trumps were judged in time."
    tricks = ", ".join(f"{_trump_word(trump)} {count}" for trump, count in judged.tricks)
    if not judged.loss:
        return f"{who}, the best trump there was (tricks with best play: {tricks})."
    best = listed([_trump_word(trump) for trump in judged.best], "or")
    decided = " That beat the contract." if judged.decided else ""
    return f"{who}, and {best} took {counted(judged.loss)} more (tricks with best play: {tricks}).{decided}"


def skipped_text(part: Part) -> str:
    """What was not judged."""
    return _SKIPPED[part]
