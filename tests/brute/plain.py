"""A second opinion on `brute.c`: minimax with sets of (suit, rank) pairs, without memo, for 3 cards a hand at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

PlainCard: TypeAlias = tuple[int, int]
Table: TypeAlias = tuple[tuple[int, PlainCard], ...]  # (seat, card), in the order played


def value(hands: Sequence[int], trump: int, leader: int, trick: Sequence[int], counted: int, maxers: int) -> int:
    """As `brute.value`."""
    n = len(hands)
    return _best(
        tuple(frozenset(divmod(card, 16) for card in range(64) if hand >> card & 1) for hand in hands),
        trump,
        leader,
        tuple(((leader + place) % n, divmod(card, 16)) for place, card in enumerate(trick)),
        {seat for seat in range(n) if counted & 2**seat},
        {seat for seat in range(n) if maxers & 2**seat},
    )


def _best(
    hands: tuple[frozenset[PlainCard], ...],
    trump: int,
    turn_of_leader: int,
    table: Table,
    counted: set[int],
    maxers: set[int],
) -> int:
    if len(table) == len(hands):
        winner = _winner(table, trump)
        return (winner in counted) + _best(hands, trump, winner, (), counted, maxers)
    seat = (turn_of_leader + len(table)) % len(hands)
    if not hands[seat]:
        return 0
    led = table[0][1][0] if table else None
    following = [card for card in hands[seat] if card[0] == led]
    results = []
    for card in following or hands[seat]:
        after = tuple(hand - {card} for hand in hands)
        results.append(_best(after, trump, turn_of_leader, (*table, (seat, card)), counted, maxers))
    return max(results) if seat in maxers else min(results)


def _winner(table: Table, trump: int) -> int:
    led = table[0][1][0]
    trumps = [(rank, seat) for seat, (suit, rank) in table if suit == trump]
    return max(trumps or [(rank, seat) for seat, (suit, rank) in table if suit == led])[1]
