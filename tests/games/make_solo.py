"""Writes tests/data/solo_playthroughs.jsonl: `python -m tests.games.make_solo`. A record for each contract made and
each failed, and for each way to a void deal, its result stated by the plain count of `plain_solo`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

from tests.games import plain_solo
from tests.games.solo_matches import dealt, whist
from tierce.solver.cards import card_name, cards_of
from tierce.solver.deal import Deal
from tierce.solver.games import (
    CONTRACTS,
    Bid,
    DealCards,
    NameTrump,
    Play,
    Record,
    State,
    Stated,
    apply,
    legal,
    new_match,
    record_of,
    write_records,
)

FILE: Final = Path(__file__).parents[1] / "data" / "solo_playthroughs.jsonl"
PLAYERS: Final = ("North", "East", "South", "West")
SEATS: Final = "NESW"


def playthroughs() -> Iterator[Record]:
    for name in CONTRACTS:
        for made in (True, False):
            yield next(filter(None, (_played(name, seed, made=made) for seed in count())))
    yield _void(None, None, None, None)
    yield _void(None, "prop", None, None, None, None)


def _played(name: str, seed: int, *, made: bool) -> Record | None:
    rng = random.Random(f"{name} {seed}")
    dealer, rule = rng.randrange(4), CONTRACTS[name]
    side = tuple(rng.sample(range(4), rule.side))
    given = dealt(rng, dealer)
    if rule.fewest or rule.needs > 8:
        given = _better(given, side[0], dealer, low=rule.fewest, cards=(8 if made else 3) + 4 * (rule.needs == 13))
    state = _bid(apply(new_match(whist(), dealer), given), name, side)
    if state.contract is None or state.contract.name != name or state.contract.declarers != side:
        return None
    if state.phase == "TRUMP":
        hand = state.hands[side[0]]
        suit = max(range(4), key=lambda suit: (hand >> 16 * suit & 0x1FFF).bit_count())
        state = apply(state, NameTrump(side[0], suit))
    while state.phase == "PLAY":
        state = apply(state, Play(state.mover, _card(rng, state, low=rule.fewest)))
    return _stated(state) if state.contract is not None and state.contract.made(state.taken) == made else None


def _better(given: DealCards, seat: int, dealer: int, *, low: bool, cards: int) -> DealCards:
    """The deal with so many of the highest (or lowest) cards in one hand, for others of it."""
    hands = list(given.deal.hands)
    pack = sorted((card for hand in hands for card in cards_of(hand)), key=lambda card: card & 15, reverse=not low)
    wanted = [card for card in pack[: cards + 4] if not hands[seat] >> card & 1][:cards]
    spare = sorted(cards_of(hands[seat]), key=lambda card: card & 15, reverse=low)
    for card, other in zip(wanted, spare, strict=False):
        owner = next(each for each in range(4) if hands[each] >> card & 1)
        hands[owner] ^= 1 << card | 1 << other
        hands[seat] ^= 1 << card | 1 << other
    deal = Deal(tuple(hands))
    return DealCards(deal, cards_of(deal.hands[dealer])[0])


def _bid(state: State, name: str, side: tuple[int, ...]) -> State:
    """The auction by which the side gets the contract, if it can."""
    wish = {side[0]: "prop", side[-1]: "cop"} if len(side) == 2 else {side[0]: name}
    if name == "abundance_in_trumps":
        wish[state.eldest] = "abundance" if state.eldest != side[0] else name
    while state.phase == "BID":
        open_ = legal(state)[0]
        said = {each.bid: each for each in open_.choices if isinstance(each, Bid)}
        assert open_.seat is not None
        state = apply(state, said.get(wish.get(open_.seat), said[None]))
    return state


def _card(rng: random.Random, state: State, *, low: bool) -> int:
    """Declarers play high cards, or low ones where they must not win; defenders any."""
    playable = state.playable(state.mover)
    assert state.contract is not None
    if state.mover not in state.contract.declarers:
        return rng.choice(playable)
    return (min if low else max)(playable, key=lambda card: card & 15)


def _void(*bids: str | None) -> Record:
    state = apply(new_match(whist(), 1), dealt(random.Random(len(bids)), 1))
    for bid in bids:
        seat = legal(state)[0].seat
        assert seat is not None
        state = apply(state, Bid(seat, bid))
    return _stated(state)


def _stated(state: State) -> Record:
    """The record with its result as the plain count has it."""
    record = record_of(state, PLAYERS)
    taken, gained = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0)
    if state.contract is not None:
        tricks = [[card_name(card) for card in trick.cards] for trick in state.tricks]
        taken = plain_solo.counted(SEATS[state.contract.leader], tricks, state.call)
        gained = plain_solo.units(state.contract.name, "".join(SEATS[s] for s in state.contract.declarers), taken)
    units = tuple(gained.values())
    stated = Stated(tuple(taken.values()), units, units)
    return replace(record, deals=(replace(record.deals[0], stated=stated),))


if __name__ == "__main__":
    FILE.write_text(write_records(playthroughs()), encoding="utf-8", newline="\n")
    print(FILE)
