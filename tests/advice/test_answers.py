"""Answers read card by card, against the exchange of the games over all hands and parcels."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tierce.solver.advice.answers import KEPT, TO_FIRST, TO_SECOND, Rule
from tierce.solver.cards import bit, cards_of, mask_of
from tierce.solver.games.exchange import returned, returned_together
from tierce.solver.games.options import OPTIONS, Value

RULES = tuple(OPTIONS["return_rule"].values)


def fits(rule: Rule, cards: list[tuple[bool, int]]) -> bool:
    state = rule.start
    for received, goes in cards:
        after = rule.after(state, received, goes)
        if after is None:
            return False
        state = after
    return rule.ends(state)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("ranks", ["ace_high", "ace_low"])
def test_the_only_answer_that_fits_is_the_one_the_rule_asks_for(name: str, ranks: str) -> None:
    """Every way to call six cards own or received, and every set of them that goes back."""
    options: dict[str, Value] = {"return_rule": name, "rank_order": ranks}
    cards = list(cards_of(0x1F80))
    if ranks == "ace_low":
        cards = [*cards[1:], cards[0]]
    rule = Rule(options, 6)
    for came in product((False, True), repeat=6):
        parcel = mask_of(card for card, received in zip(cards, came, strict=True) if received)
        due = returned(mask_of(cards) & ~parcel, parcel, options)
        for count in range(7):
            for back in map(mask_of, combinations(cards, count)):
                read = [
                    (received, TO_FIRST if back & bit(card) else KEPT)
                    for card, received in zip(cards, came, strict=True)
                ]
                assert fits(rule, read) == (back == due), (came, back)


@pytest.mark.parametrize("name", RULES)
def test_the_first_gets_the_higher_cards(name: str) -> None:
    """Two parcels answered together: every way to call five cards own, of the first or of the second."""
    options: dict[str, Value] = {"return_rule": name, "rank_order": "ace_high"}
    cards = cards_of(0x1F00)
    for came in product((0, 1, 2), repeat=5):
        parcels = [mask_of(c for c, whose in zip(cards, came, strict=True) if whose == each) for each in (1, 2)]
        own = mask_of(cards) & ~(parcels[0] | parcels[1])
        first, second = returned_together(own, [(5, parcels[0]), (3, parcels[1])], options)
        for goes in product((KEPT, TO_FIRST, TO_SECOND), repeat=5):
            if goes.count(TO_FIRST) != parcels[0].bit_count():
                continue  # as many as were sent: the one who reads sees to that
            read = [(whose > 0, to) for whose, to in zip(came, goes, strict=True)]
            right = all(
                to == (TO_FIRST if first & bit(card) else TO_SECOND if second & bit(card) else KEPT)
                for card, to in zip(cards, goes, strict=True)
            )
            assert fits(Rule(options, 5), read) == right, (came, goes)
