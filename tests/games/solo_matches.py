"""Solo Whist played by lot, for tests: any settings of its options, any legal choice."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tierce.solver.cards import Card, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import Action, Bid, Claim, DealCards, Profile, State, apply, legal, load_game, new_match

OPTIONS = ("self_raise", "ait_open", "ad_trump", "prop_raise")


def whist(**options: str | int | bool) -> Profile:
    return load_game("solo_whist", options)


def settings_of(rng: random.Random) -> Profile:
    """The game with some of its options set by lot."""
    given: dict[str, str | int | bool] = {name: rng.random() < 0.5 for name in OPTIONS if rng.random() < 0.5}
    given["overtrick_schedule"] = rng.choice(("none", "none", "fives", "pence", "cents"))
    return whist(**given)


def dealt(rng: random.Random, dealer: int) -> DealCards:
    """A random deal, by another way than the package's; any of the dealer's cards is turned up."""
    pack = [suit * 16 + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(pack)
    hands = [pack[13 * seat : 13 * seat + 13] for seat in range(4)]
    return DealCards(Deal(tuple(map(mask_of, hands))), rng.choice(hands[dealer]))


def chosen(rng: random.Random, state: State, claims: float) -> Action:
    """One of the legal actions; bids are rarer than passes, and low ones likelier than high ones."""
    if state.phase == "DEAL":
        return dealt(rng, state.dealer)
    open_ = legal(state)
    if open_[-1].kind is Claim and rng.random() < claims:
        left = state.hands[0].bit_count()
        cuts = sorted(rng.randint(0, left) for _ in range(3))
        return Claim((cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], left - cuts[2]))
    choices = open_[0].choices
    if open_[0].kind is Bid:
        return choices[-1] if rng.random() < 0.55 else choices[min(int(rng.expovariate(0.7)), len(choices) - 1)]
    return rng.choice(choices)


def played(
    rng: random.Random, profile: Profile, deals: int = 8, claims: float = 0.004
) -> Iterator[tuple[State, Action, State]]:
    """(state, action, state after) of a match by lot."""
    state = new_match(profile, rng.randrange(4))
    while state.phase != "OVER" and len(state.results) < deals:
        action = chosen(rng, state, claims)
        after = apply(state, action)
        yield state, action, after
        state = after


def auction(*bids: str | None, dealer: int = 3, turned: Card | None = None, **options: str | int | bool) -> State:
    """The state after these bids, from eldest; West deals, so that eldest is North, unless told."""
    rng = random.Random(0)
    deal = dealt(rng, dealer)
    card = deal.turned if turned is None else turned
    state = apply(new_match(whist(**options), dealer), DealCards(deal.deal, card))
    for bid in bids:
        seat = legal(state)[0].seat
        assert seat is not None
        state = apply(state, Bid(seat, bid))
    return state


def lowest(hand: int) -> Card:
    return min(cards_of(hand), key=lambda card: card & 15)
