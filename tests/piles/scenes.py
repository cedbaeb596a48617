"""Random moments of the play against two blind piles, with marriages and jokers more often than cards alone would."""

from __future__ import annotations

import random
from dataclasses import replace

from tierce.solver.cards import NOTRUMP, Mask, mask_of
from tierce.solver.games.sumgait.cards import ALL54, J1, J2, cards_of
from tierce.solver.piles import Judge, PileView

PROCEDURES = ("sequential", "kill", "seven_wins")
KINDS = ("unknown", "given", "robbed")


def judge(rng: random.Random, procedure: str | None = None) -> Judge:
    """A procedure for jokers with the other options drawn."""
    return Judge(
        procedure or rng.choice(PROCEDURES),
        rng.choice(("none", "next")),
        rng.random() < 0.7,
        rng.random() < 0.1,
    )


def hand(rng: random.Random, count: int, marriages: int) -> Mask:
    """A hand with so many marriages at least, if there is room, and often a joker."""
    found = 0
    for suit in rng.sample(range(4), marriages):
        if found.bit_count() + 2 <= count:
            found |= 3 << 16 * suit + 10
    if rng.random() < 0.4 and found.bit_count() < count:
        found |= 1 << rng.choice((J1, J2))
    rest = [card for card in cards_of(ALL54) if not found >> card & 1]
    return found | mask_of(rng.sample(rest, count - found.bit_count()))


def ending(
    rng: random.Random,
    count: int,
    *,
    kind: str = "unknown",
    marriages: int = 0,
    leader: int | None = None,
    table: bool = False,
    rules: Judge | None = None,
) -> PileView:
    """A moment with so many tricks left. Half of those with a suit that can have been declared have it as trump.

    kind    what is known of the piles: nothing, up to two cards in each (given), or all of one (robbed)
    table   have the piles turned their cards, if it is for them to?
    """
    own = hand(rng, count, marriages)
    trump = _trump(rng, own, count)
    gone = 0 if trump == NOTRUMP else 3 << 16 * trump + 10
    others = list(cards_of(ALL54 & ~own & ~gone))
    rng.shuffle(others)
    jokers = [card for card in others if card >= J1 and rng.random() < 0.5]
    others = (jokers + [card for card in others if card not in jokers])[: 2 * count]
    rng.shuffle(others)
    piles = others[:count], others[count:]
    leader = (rng.randrange(3) if count < 18 else 0) if leader is None else leader
    turned: tuple[int, ...] = ()
    if table and leader:
        turned = (piles[0][0], piles[1][0]) if leader == 1 else (piles[1][0],)
    down = [[card for card in pile if card not in turned] for pile in piles]
    known = [0, 0]
    if kind == "given":
        known = [mask_of(rng.sample(pile, min(len(pile), rng.randrange(3)))) for pile in down]
    elif kind == "robbed":
        known[rng.randrange(2)] = 1
        known = [mask_of(pile) if each else 0 for pile, each in zip(down, known, strict=True)]
    free = mask_of(down[0] + down[1]) & ~known[0] & ~known[1]
    declared = 0 if trump == NOTRUMP else 1 << trump
    led = declared.bit_count() + (leader == 0 and count < 18)
    return PileView(
        hand=own,
        free=free,
        known=(known[0], known[1]),
        leader=leader,
        table=turned,
        trump=trump,
        declared=declared,
        tricks=rng.randint(max(led, 10 - count), min(10, 18 - count - (leader > 0))),
        judge=rules or judge(rng),
    )


def _trump(rng: random.Random, own: Mask, count: int) -> int:
    """None, or a suit of which king or queen, or both, have been played in the tricks after the first."""
    open_ = [suit for suit in range(4) if 0 < 2 - (own >> 16 * suit + 10 & 3).bit_count() <= 17 - count]
    return rng.choice(open_) if open_ and rng.random() < 0.5 else NOTRUMP


def blurred(view: PileView) -> PileView:
    """The same moment, with what is known of the piles forgotten."""
    return replace(view, free=view.free | view.known[0] | view.known[1], known=(0, 0))
