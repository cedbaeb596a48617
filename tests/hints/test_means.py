"""The error that a hint tells, beside how far its means are apart from seed to seed; means by hand."""

from __future__ import annotations

import random
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import parse_seat
from tierce.solver.games import View, read_records
from tierce.solver.hints import HintSearch
from tierce.solver.hints.means import counted, ends_of, lead_figure, squares_of, value_figure
from tierce.solver.hints.moments_of_record import deal_numbered, view_at

TESTS = Path(__file__).parent.parent
SOLO = TESTS / "data" / "solo_playthroughs.jsonl"
RAF = TESTS / "records" / "golden" / "match.json"
SEEDS = 48


def moment(path: Path, deal: int, seat: str, at: str) -> View:
    found = deal_numbered(read_records(path.read_bytes(), path.name), deal)
    return view_at(found, at, parse_seat(seat, found.state.profile.seats))


def several(view: View, worlds: int, **asked: Any) -> list[HintSearch]:
    """The same question by many seeds."""
    found = [HintSearch(view, worlds=worlds, seed=100 + i, **asked) for i in range(SEEDS)]
    for each in found:
        each.run()
    return found


def by_choice(searches: list[HintSearch]) -> dict[Any, list[Figure]]:
    """The values of the choices that met all worlds whatever the seed."""
    found: dict[Any, list[Figure]] = {}
    for search in searches:
        for each in search.result.options:
            found.setdefault(each.actions, []).append(each.value)
    return {actions: values for actions, values in found.items() if len(values) == len(searches)}


def scores(figures: list[Figure]) -> list[float]:
    """How far each is from the mean of all, in the errors that they tell."""
    mean = fmean(each.value for each in figures)
    assert all(each.error for each in figures)
    return [(each.value - mean) / (each.error or 0) for each in figures]


CASES = [
    (SOLO, 3, "N", "trick 5", 40, {}),
    (SOLO, 3, "E", "trick 8", 40, {}),
    (SOLO, 9, "N", "trick 4", 40, {}),
    (SOLO, 6, "W", "trick 6", 40, {}),
    (SOLO, 5, "E", "trick 6", 40, {}),
    (SOLO, 1, "N", "trick 4", 40, {}),
    (SOLO, 3, "N", "trick 5", 40, {"infer": False}),
    (SOLO, 5, "W", "trick 8", 200, {"method": "playouts"}),
    (SOLO, 3, "S", "bid", 40, {}),
    (RAF, 2, "D", "trick 5", 200, {"method": "playouts"}),
    (RAF, 2, "D", "trick 5", 200, {"method": "tree"}),
    (RAF, 1, "M", "trick 7", 200, {"method": "playouts"}),
    (RAF, 2, "D", "trick 5", 40, {"method": "pimc"}),
    (RAF, 1, "D", "trump", 100, {}),
]


@pytest.mark.parametrize(("path", "deal", "seat", "at", "worlds", "asked"), CASES)
def test_the_error_is_that_of_other_seeds(
    path: Path, deal: int, seat: str, at: str, worlds: int, asked: dict[str, Any]
) -> None:
    """Solo Whist used to tell about half of it, for worlds that were picked twice counted twice.

    Moments and seeds are among those on which means.py was settled: this guards what was found. Its docstring has the
    figures of others; with other seeds one of these moments comes to 1.42.
    """
    found = by_choice(several(moment(path, deal, seat, at), worlds, **asked))
    best = max(found, key=lambda each: fmean(one.value for one in found[each]))
    assert 0.8 <= stdev(scores(found[best])) <= 1.3  # of 48 numbers, itself known to a tenth


@pytest.mark.parametrize(("deal", "seat", "at"), [(3, "N", "trick 5"), (3, "E", "trick 8"), (5, "E", "trick 6")])
def test_the_error_of_a_lead_is_not_too_small(deal: int, seat: str, at: str) -> None:
    """It may be too large, where worlds that tell two cards apart are rare and none was met."""
    searches = several(moment(SOLO, deal, seat, at), 40)
    found = by_choice(searches)
    one, other = sorted(found, key=lambda each: -fmean(figure.value for figure in found[each]))[:2]
    leads = []
    for search in searches:
        options = {each.actions: each for each in search.result.options}
        assert search._core is not None
        leads.append(search._core.lead(options[one], options[other]))
    open_ = [each for each in leads if each.error]
    assert len(open_) > 40 and 0.4 <= stdev(scores(open_)) <= 1.25


def test_no_chance_is_without_an_error() -> None:
    """All worlds may agree where the next does not."""
    weights = [1.0] * 40
    assert value_figure([1.0] * 40, weights, ends=(0.0, 1.0)).error == pytest.approx(1 / 57, rel=0.01)
    assert value_figure([2.5] * 40, weights) == Figure(2.5, 0.0)
    assert lead_figure([0.0] * 40, weights, ends=(0.0, 1.0)) == Figure(0.0, 0.0)
    assert 0 < (lead_figure([0.01] * 40, weights, ends=(0.0, 1.0)).error or 0) < 0.05


def test_what_is_picked_twice_is_one_world() -> None:
    values, names = [1.0, 1.0, 3.0, 3.0, 7.0, 7.0], [4, 4, 5, 5, 9, 9]
    squares = squares_of([1.0] * 6, names)
    assert squares == 12
    once = value_figure([1.0, 3.0, 7.0], [2.0] * 3)
    twice = value_figure(values, [1.0] * 6, squares=squares)
    assert twice.value == pytest.approx(once.value) and twice.error == pytest.approx(once.error)
    assert once.error == pytest.approx(stdev([1, 3, 7]) / sqrt(3))


def test_weights_that_leave_one_world_tell_no_error() -> None:
    assert value_figure([1.0, 5.0], [1.0, 1e-300]).error is None
    assert value_figure([4.0], [1.0]) == Figure(4.0, None)
    lone = value_figure([1.0, 5.0], [1.0, 1e-4]).error
    assert lone is not None and lone > 1  # and not next to nothing: the other world is as good as unheard


def test_means_by_weights() -> None:
    rng = random.Random(1)
    values = [rng.gauss(0, 1) for _ in range(50)]
    weights = [rng.random() for _ in range(50)]
    found = value_figure(values, weights)
    assert found.value == pytest.approx(sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights))
    assert found.error == pytest.approx(1 / sqrt(counted(weights)), rel=0.3)
    assert value_figure(values, [3 * each for each in weights]).error == pytest.approx(found.error)


def test_two_ends() -> None:
    assert ends_of((-1.0, 3.0, 3.0, -1.0)) == (-1.0, 3.0)
    assert ends_of((1.0, 1.0)) is None and ends_of((1.0, 2.0, 3.0)) is None
