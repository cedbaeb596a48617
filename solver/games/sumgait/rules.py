"""The rules engine of Sumgait Driller: which actions are open, and the state after one.

    state = new_match(sumgait())
    state = apply(state, DealCards(random_deal(seed=7)))
    legal(state)                      what may be done now

Every refusal is an InputError whose `code` names the rule and whose `field` names the action; the state stays as it
was.

    codes: wrong_phase wrong_turn not_held revoke wrong_pile give_size illegal_call illegal_robbery illegal_marriage
           wrong_deal wrong_outcome wrong_type
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from tierce.solver.cards import mask_of
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.games.refusing import refuse
from tierce.solver.games.sumgait.actions import (
    Action,
    Call,
    DealCards,
    Early,
    Give,
    Outcome,
    Play,
    Rob,
    Score,
    Shuffle,
    TakeKitty,
)
from tierce.solver.games.sumgait.cards import ALL54, Card, Mask, card_name, card_names, cards_of
from tierce.solver.games.sumgait.deal import SEAT_NAMES, Dealt, random_pile
from tierce.solver.games.sumgait.match import scored
from tierce.solver.games.sumgait.prices import CALLS, MISERE, PLAY, TRICKS
from tierce.solver.games.sumgait.state import State, Trick, next_deal
from tierce.solver.games.sumgait.tricks import trick_winner

__all__ = ["Open", "apply", "automatic", "legal", "may_rob", "settle", "shuffle_by_lot"]

_GIVEN: Final = 2


@dataclass(frozen=True, slots=True)
class Open:
    """Something that may be done now: an action's kind and the choice it leaves.

    seat     whose choice; None for what nobody chooses (the deal, the piles' order, the score)
    choices  all actions, where they can be listed shortly
    among    for Give: two cards of this mask to the next player, two others to the other
    """

    kind: type[Action]
    seat: int | None = None
    choices: tuple[Action, ...] = ()
    among: Mask = 0

    def actions(self) -> Iterator[Action]:
        """Every action this stands for; none for a deal or a shuffle, which the rules do not choose."""
        yield from self.choices
        for pair in combinations(cards_of(self.among), _GIVEN) if self.among else ():
            first = mask_of(pair)
            for other in combinations(cards_of(self.among & ~first), _GIVEN):
                yield Give(first, mask_of(other))


def legal(state: State) -> tuple[Open, ...]:
    """What may be done now; () when the match is over."""
    phase = state.phase
    if phase == "OVER":
        return ()
    if phase == "DEAL":
        return Open(DealCards), Open(Outcome)
    if phase == "SHUFFLE":
        return (Open(Shuffle),)
    if phase == "GIVE":
        return (Open(Give, 0, among=state.hands[0]),)
    if phase == "PLAY":
        seat = state.mover
        return (Open(Play, None if state.blind(seat) else seat, tuple(_plays(state, seat))),)
    choices = tuple(map(Call, _calls(state))) if phase == "CALL" else _CHOICES[phase]
    return (Open(type(choices[0]), None if phase == "SCORE" else 0, choices),)


_CHOICES: Final[Mapping[str, tuple[Action, ...]]] = MappingProxyType(
    {
        "ROB": (Rob(None), Rob(1), Rob(2)),
        "MISERE": (Early(False), Early(True)),
        "KITTY": (TakeKitty(),),
        "SCORE": (Score(),),
    }
)


def _plays(state: State, seat: int) -> Iterator[Play]:
    """Every card that may be played and, of a marriage, with and without declaring."""
    for card in state.playable(seat):
        yield Play(seat, card)
        if seat == 0 and state.may_declare(card):
            yield Play(seat, card, marriage=True)


def automatic(state: State) -> Action | None:
    """The action that is due without anybody's choice, if there is one."""
    if state.phase == "KITTY":
        return TakeKitty()
    if state.phase == "SCORE":
        return Score()
    if state.phase == "PLAY":
        top = state.top(state.mover)
        return None if top is None else Play(state.mover, top)
    return None


def settle(state: State) -> State:
    """The state after all actions that are due without anybody's choice."""
    while (action := automatic(state)) is not None:
        state = apply(state, action)
    return state


def may_rob(state: State) -> bool:
    """May the declarer of the deal to come, or of this one before he has chosen, take another's hand?"""
    return state.game.options["robbery_scope"] == "deal" or state.declarer not in state.robbers


def shuffle_by_lot(state: State, seed: int) -> Shuffle:
    """The piles in random order, settled by the seed and the deal's number in its match."""
    first, second, third = (
        random_pile(state.hands[seat], seat, seed, state.number) if state.blind(seat) else () for seat in range(3)
    )
    return Shuffle((first, second, third))


def apply(state: State, action: Action) -> State:
    """The state after an action. InputError, with the rule that forbids it, if it is not open now."""
    if state.phase == "OVER":
        refuse("wrong_phase", "expected nothing more: the match is over", _FIELDS.get(type(action), "play"))
    kinds, done = _APPLY[state.phase]
    if not isinstance(action, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        message = f"expected {expected} in the phase {state.phase}, found {type(action).__name__}"
        refuse("wrong_phase", message, _FIELDS.get(type(action), "play"))
    return done(state, action)


# ---- before the play -------------------------------------------------------------------------------------------------


def _after(state: State, **changes: Any) -> State:
    """The state in the next phase of its deal in which there is something to do."""
    changed = replace(state, **changes)
    steps = changed.game.steps()
    for phase in steps[steps.index(changed.phase) + 1 :]:
        if (phase == "ROB" and not may_rob(changed)) or (phase == "CALL" and changed.call):
            continue
        return replace(changed, phase=phase)
    raise AssertionError("SCORE is left by next_deal")


def _deal(state: State, action: DealCards | Outcome) -> State:
    if isinstance(action, Outcome):
        return _told(state, action)
    deal: object = action.deal
    if not isinstance(deal, Dealt):
        refuse("wrong_type", f"expected a Dealt, found {quoted(deal)}", "deal")
    return _after(state, dealt=deal, hands=deal.hands, kitty=deal.kitty)


def _told(state: State, action: Outcome) -> State:
    """A deal known by its outcome goes straight to the score."""
    tricks, marriages = as_tuple(action.tricks) or (), as_tuple(action.marriages)
    if action.call not in CALLS:
        refuse("illegal_call", f"expected one of {' '.join(CALLS)}, found {quoted(action.call)}", "call")
    if len(tricks) != 3 or not all(is_whole(each) and each >= 0 for each in tricks) or sum(tricks) != TRICKS:
        refuse("wrong_outcome", f"expected three counts that sum to {TRICKS}, found {quoted(action.tricks)}", "tricks")
    known = marriages is not None and all(is_whole(each) and 0 <= each < 4 for each in marriages)
    if marriages is None or not known or len(set(marriages)) < len(marriages):
        message = f"expected suits 0 to 3, each once, found {quoted(action.marriages)}"
        refuse("illegal_marriage", message, "marriages")
    if marriages and action.call != PLAY:
        refuse("illegal_marriage", f"expected no marriage in {action.call}, found {len(marriages)}", "marriages")
    return replace(state, phase="SCORE", call=action.call, marriages=marriages, taken=(tricks[0], tricks[1], tricks[2]))


def _rob(state: State, action: Rob) -> State:
    if action.of is None:
        return _after(state)
    if not is_whole(action.of) or action.of not in (1, 2):
        refuse("illegal_robbery", f"expected a seat 1 or 2, or None, found {quoted(action.of)}", "rob")
    hands = list(state.hands)
    hands[0], hands[action.of] = hands[action.of], hands[0]
    robbers = state.robbers | {state.declarer}
    return _after(state, hands=(hands[0], hands[1], hands[2]), robbed=action.of, robbers=robbers)


def _early(state: State, action: Early) -> State:
    return _after(state, call=MISERE if action.misere else "")


def _kitty(state: State, action: TakeKitty) -> State:
    return _after(state, hands=(state.hands[0] | state.kitty, state.hands[1], state.hands[2]), kitty=0)


def _give(state: State, action: Give) -> State:
    for name, cards in (("next", action.next), ("other", action.other)):
        if not is_whole(cards) or cards < 0 or cards & ~ALL54:
            refuse("wrong_type", f"expected cards as a mask, found {quoted(cards)}", "given")
        if missing := cards & ~state.hands[0]:
            message = f"expected cards of {SEAT_NAMES[0]}'s hand for {name}, found {card_names(missing)}"
            refuse("not_held", message, "given")
        if cards.bit_count() != _GIVEN:
            refuse("give_size", f"expected two cards for {name}, found {card_names(cards) or 'none'}", "given")
    if twice := action.next & action.other:
        refuse("give_size", f"expected each card given once, found {card_names(twice)} given to both", "given")
    hand, following, other = state.hands
    hands = (hand & ~(action.next | action.other), following | action.next, other | action.other)
    return _after(state, hands=hands, given=(0, action.next, action.other))


def _call(state: State, action: Call) -> State:
    calls = _calls(state)
    if action.call not in calls:
        hint = ": MISERE is called before the kitty" if action.call in CALLS else ""
        refuse("illegal_call", f"expected one of {' '.join(calls)}, found {quoted(action.call)}{hint}", "call")
    return _after(state, call=action.call)


def _calls(state: State) -> tuple[str, ...]:
    """What may be called after giving."""
    early = state.game.options["misere_time"] == "before_kitty"
    return tuple(call for call in CALLS if not (early and call == MISERE))


def _shuffle(state: State, action: Shuffle) -> State:
    if action.piles is None:
        return _after(state)
    piles = as_tuple(action.piles) or ()
    if len(piles) != 3:
        refuse("wrong_pile", f"expected three piles by seat, found {quoted(action.piles)}", "piles")
    first, second, third = (_pile(state, seat, piles[seat]) for seat in range(3))
    return _after(state, piles=(first, second, third))


def _pile(state: State, seat: int, given: object) -> tuple[Card, ...]:
    """A pile's order, which must have the cards of its seat."""
    cards = as_tuple(given)
    name = SEAT_NAMES[seat]
    if cards is None or not all(is_whole(each) and 0 <= each < 64 and ALL54 >> each & 1 for each in cards):
        refuse("wrong_type", f"expected cards in their order as the pile of {name}, found {quoted(given)}", "piles")
    if not state.blind(seat):
        if cards:
            refuse("wrong_pile", f"expected no pile of {name}, who plays, found {len(cards)} cards", "piles")
        return ()
    held = state.hands[seat]
    if len(cards) != held.bit_count() or mask_of(cards) != held:
        missing, foreign = card_names(held & ~mask_of(cards)), card_names(mask_of(cards) & ~held)
        found = f"found {foreign} too many" if foreign else f"found no {missing}" if missing else "found some twice"
        refuse("wrong_pile", f"expected the {held.bit_count()} cards of {name} in the pile, {found}", "piles")
    return cards


# ---- the play and the score ------------------------------------------------------------------------------------------


def _play(state: State, action: Play) -> State:
    seat, card = state.mover, action.card
    _check_play(state, action)
    hands = list(state.hands)
    hands[seat] ^= 1 << card
    suit = card >> 4
    changes: dict[str, Any] = {"hands": (hands[0], hands[1], hands[2]), "trick": (*state.trick, card)}
    if action.marriage:
        changes |= {"trump": suit, "marriages": (*state.marriages, suit), "declared": suit}
    state = replace(state, **changes)
    return _gathered(state) if len(state.trick) == 3 else state


def _check_play(state: State, action: Play) -> None:
    seat, card = state.mover, action.card
    if action.seat != seat:
        found = SEAT_NAMES[action.seat] if action.seat in range(3) else quoted(action.seat)
        refuse("wrong_turn", f"expected a card of {SEAT_NAMES[seat]}, found one of {found}", "play")
    if not is_whole(card) or not 0 <= card < 64 or not ALL54 >> card & 1:
        refuse("wrong_type", f"expected a card, such as parse_card('J1'), found {quoted(card)}", "play")
    if not state.hands[seat] >> card & 1:
        refuse("not_held", f"expected a card of {SEAT_NAMES[seat]}, found {card_name(card)}", "play")
    if card not in (cards := state.playable(seat)):
        names = " ".join(map(card_name, cards))
        code, what = ("wrong_pile", "the top card") if state.blind(seat) else ("revoke", "one of")
        refuse(code, f"expected {what} {names} from {SEAT_NAMES[seat]}, found {card_name(card)}", "play")
    if action.marriage and not (seat == 0 and state.may_declare(card)):
        expected = f"expected {_WHEN} to declare a suit trump"
        refuse("illegal_marriage", f"{expected}, found {card_name(card)} {_why_not(state)}", "marriages")


_WHEN: Final = "the declarer to lead king or queen, holding both, after the first trick of a deal he plays,"


def _why_not(state: State) -> str:
    if state.call != PLAY:
        return f"in {state.call}"
    if state.mover != 0 or state.trick:
        return "led by another" if not state.trick else "not led"
    return "in the first trick" if not state.tricks else "without such a pair"


def _gathered(state: State) -> State:
    """The trick goes to its winner; after the last one the deal is to be scored."""
    first, second, third = state.trick
    procedure = str(state.game.options["joker_resolution"])
    place = trick_winner(state.trick, state.trump, procedure, low_jokers=state.low_jokers)
    winner = (state.leader + place) % 3
    taken = list(state.taken)
    taken[winner] += 1
    trick = Trick(state.leader, (first, second, third), winner, state.declared)
    state = replace(
        state,
        leader=winner,
        trick=(),
        tricks=(*state.tricks, trick),
        taken=(taken[0], taken[1], taken[2]),
        declared=None,
    )
    return _after(state) if len(state.tricks) == TRICKS else state


def _score(state: State, action: Score) -> State:
    options = state.game.options
    return next_deal(state, scored(state.tallies, state.declarer, state.call, state.marriages, state.taken, options))


_Done = Callable[[State, Any], State]  # each takes the kinds beside it: `apply` has checked
_APPLY: Final[Mapping[str, tuple[tuple[type, ...], _Done]]] = MappingProxyType(
    {
        "DEAL": ((DealCards, Outcome), _deal),
        "ROB": ((Rob,), _rob),
        "MISERE": ((Early,), _early),
        "KITTY": ((TakeKitty,), _kitty),
        "GIVE": ((Give,), _give),
        "CALL": ((Call,), _call),
        "SHUFFLE": ((Shuffle,), _shuffle),
        "PLAY": ((Play,), _play),
        "SCORE": ((Score,), _score),
    }
)
_FIELDS: Final[Mapping[type, str]] = MappingProxyType(
    {
        DealCards: "deal", Outcome: "deal", Rob: "rob", Early: "call", TakeKitty: "kitty", Give: "given", Call: "call",
        Shuffle: "piles", Play: "play", Score: "score",
    }
)  # fmt: skip
