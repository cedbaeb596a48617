"""Layouts of unseen cards: counted, listed and drawn as plain enumeration has them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import factorial, prod

import pytest

from tests.games.words import mask
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.layouts import Layouts
from tierce.solver.cards import ALL_CARDS, Mask, card_names, cards_of, mask_of
from tierce.solver.errors import InputError


def plainly(cards: Mask, sizes: tuple[int, ...], barred: tuple[Mask, ...]) -> set[tuple[Mask, ...]]:
    """All layouts, by giving every card to every holder."""
    found = set()
    for places in product(range(len(sizes)), repeat=cards.bit_count()):
        hands = [0] * len(sizes)
        for card, place in zip(cards_of(cards), places, strict=True):
            hands[place] |= 1 << card
        fits = all(not hand & bar for hand, bar in zip(hands, barred, strict=True))
        if fits and all(hand.bit_count() == size for hand, size in zip(hands, sizes, strict=True)):
            found.add(tuple(hands))
    return found


def problem(rng: random.Random, cards: int, holders: int) -> tuple[Mask, tuple[int, ...], tuple[Mask, ...]]:
    """Random cards, sizes and bars; a few cards barred from most holders."""
    pack = rng.sample(cards_of(ALL_CARDS), cards)
    sizes = Counter(rng.randrange(holders) for _ in pack)
    barred = tuple(mask_of(rng.sample(pack, rng.randrange(cards))) for _ in range(holders))
    return mask_of(pack), tuple(sizes[i] for i in range(holders)), barred


def test_count_and_list_are_those_of_plain_enumeration() -> None:
    rng = random.Random("layouts")
    fitting = 0
    for _ in range(150):
        cards, sizes, barred = problem(rng, rng.choice((4, 5, 6, 7)), rng.choice((2, 3)))
        truth = plainly(cards, sizes, barred)
        if not truth:
            with pytest.raises(InputError, match="expected"):
                Layouts(cards, sizes, barred)
            continue
        layouts = Layouts(cards, sizes, barred)
        listed = list(layouts)
        assert len(listed) == len(set(listed)) == layouts.count == len(truth)
        assert set(listed) == truth
        assert all(layouts.draw(Draws(seed)) in truth for seed in range(5))
        fitting += 1
    assert fitting > 40


def test_five_holders() -> None:
    cards = mask("SA SK SQ HA HK HQ")
    sizes, barred = (1, 2, 1, 1, 1), (mask("SA SK"), mask("HA"), 0, mask("SA HA"), mask("SQ HQ HK"))
    layouts = Layouts(cards, sizes, barred)
    assert set(layouts) == plainly(cards, sizes, barred)
    assert layouts.count == len(plainly(cards, sizes, barred))


def test_without_bars_the_count_is_multinomial() -> None:
    cards = mask_of(cards_of(ALL_CARDS)[16:])
    layouts = Layouts(cards, (16, 16, 4))
    assert layouts.count == factorial(36) // prod(map(factorial, (16, 16, 4)))
    for hand, size in zip(layouts.draw(Draws(1)), (16, 16, 4), strict=True):
        assert hand.bit_count() == size and not hand & ~cards


def test_every_layout_is_drawn_as_often() -> None:
    """Chi-square with a fixed seed: 5 standard deviations would be a fault of the draw, not of chance."""
    barred = (mask("SA HA"), mask("SA SK HK"), 0)
    layouts = Layouts(mask("SA SK SQ HA HK HQ DA"), (2, 2, 3), barred)
    draws, times = Draws(7), 200
    found = Counter(layouts.draw(draws) for _ in range(times * layouts.count))
    assert set(found) == set(layouts)
    free = layouts.count - 1
    chi2 = sum((each - times) ** 2 / times for each in found.values())
    assert abs(chi2 - free) < 5 * (2 * free) ** 0.5


def test_nothing_to_place() -> None:
    layouts = Layouts(0, (0, 0))
    assert layouts.count == 1 and list(layouts) == [(0, 0)] and layouts.draw(Draws(0)) == (0, 0)


@pytest.mark.parametrize(
    ("cards", "sizes", "barred", "message"),
    [
        ("SA SK", (1, 2), (), "expected sizes that sum to 2 cards, found (1, 2)"),
        ("SA SK", (3, -1), (), "expected sizes of 0 or more"),
        ("SA SK", (1, 1), (0,), "expected sizes of 0 or more and as many masks of barred cards"),
        ("SA SK", (1, 1), ("SA", "SA"), "expected someone who can hold SA, found nobody"),
        ("SA SK SQ", (1, 2), ("SA SK", "SQ SA"), "expected someone who can hold SA, found nobody"),
        ("SA SK SQ", (1, 2), ("SK", "SQ SA"), "expected a layout of SA SK SQ that fits, found none"),
    ],
)
def test_contradictions(cards: str, sizes: tuple[int, ...], barred: tuple[str | int, ...], message: str) -> None:
    masks = tuple(mask(each) if isinstance(each, str) else each for each in barred)
    with pytest.raises(InputError) as caught:
        Layouts(mask(cards), sizes, masks)
    assert (caught.value.code, caught.value.field) == ("layouts", "layouts")
    assert caught.value.message.startswith(message)


def test_cards_that_are_none() -> None:
    for cards in (-1, 1 << 13, 1 << 70, 1.5, None):
        with pytest.raises(InputError, match="expected cards as a mask"):
            Layouts(cards, (1,))  # type: ignore[arg-type]


# ---- random numbers --------------------------------------------------------------------------------------------------


def test_the_generator_never_changes() -> None:
    draws = Draws(1, 2)
    assert [draws.below(52) for _ in range(12)] == [31, 25, 35, 45, 43, 24, 1, 5, 14, 33, 24, 27]
    assert draws.below(10**30) == 790761452203580719567660733352
    layouts = Layouts(mask("SA SK SQ HA HK HQ DA DK DQ"), (3, 3, 3), (mask("SA"), 0, mask("HA HK")))
    assert tuple(map(card_names, layouts.draw(Draws(5)))) == ("SK DA DK", "SQ HA HK", "SA HQ DQ")


def test_numbers_are_evenly_spread() -> None:
    draws = Draws(3)
    for limit in (1, 2, 3, 5, 52):
        found = Counter(draws.below(limit) for _ in range(400 * limit))
        assert set(found) == set(range(limit)) and max(abs(each - 400) for each in found.values()) < 100


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1", None])
def test_seeds_that_are_none(seed: object) -> None:
    for given in ((seed, 0), (0, seed)):
        with pytest.raises(InputError) as caught:
            Draws(*given)
        assert (caught.value.code, caught.value.field) == ("seed", "seed")
