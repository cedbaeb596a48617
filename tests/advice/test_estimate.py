"""Estimates of the dealer's decision against means over all worlds, each world solved by itself."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import isclose
from typing import Any, Final

import pytest

from tests.advice.effort import effort_after
from tests.advice.exchanges import decisions, random_small, scene, small
from tests.games.scenes import game
from tests.games.words import mask, names
from tierce.solver import InputError, Position, Solver
from tierce.solver.advice.candidates import Candidate, Outlook, cheapest_discards
from tierce.solver.advice.choices import Choice, trump_of
from tierce.solver.advice.entries import Entry, lead
from tierce.solver.advice.estimate import EstimateSearch, dealer_estimate
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure, Marks
from tierce.solver.advice.racing import KEEP, Stage, narrowed, stages
from tierce.solver.advice.values import worth_of
from tierce.solver.advice.valuing import Valuer
from tierce.solver.advice.views import Exchanged, dealer_view
from tierce.solver.advice.worlds import DealerWorlds, World
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.games import Profile, View, apply, new_match, random_deal, view
from tierce.solver.games.actions import DealCards
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import profile_of_table
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

SOLVERS: Final[dict[str, Solver]] = {}
HAND: Final = mask("SA SK HQ DA CJ")


def blind() -> Profile:
    """Five cards each of sixteen, one in the kitty, which is not seen before the discard."""
    return small("kitty", 4, 5, (2, 2, 1))


def exchanged_view() -> View:
    """The dealer sent two cards and got two back: few worlds."""
    parcel = Exchanged(2, sent=mask("SQ HJ"), got=mask("SK HQ"))
    return dealer_view(blind(), HAND, [parcel])


# ---- by hand, with plain solve ---------------------------------------------------------------------------------------


def solved(hands: tuple[Mask, Mask, Mask], call: str, tricks: int) -> int:
    """The dealer's floor, or his cap in MIZ."""
    if not tricks:
        return 0
    objective: Any = "fewest" if call == "MIZ" else "most"
    solver = SOLVERS.setdefault(call, Solver(8))
    return solver.solve(Position(hands, trump_of(call), 1), "D", objective).tricks


def brute(seen: View, world: World, candidate: Candidate) -> int:
    """What a candidate is worth in a world, said once more."""
    profile = seen.profile
    hands = DealerWorlds(seen).hands_to_play(world)
    steps = profile.steps(first=not seen.results)
    ahead = steps[steps.index(seen.phase) :]
    best = min if candidate.call == "MIZ" else max
    worst = max if candidate.call == "MIZ" else min

    def value(*after: Mask) -> int:
        return solved((after[0], after[1], after[2]), candidate.call, profile.hand) + int(profile.kitty_trick)

    d, e, m = hands
    if "DISCARD" in ahead and ("KITTY" not in ahead or ahead.index("DISCARD") < ahead.index("KITTY")):
        return value((d | world.kitty) & ~candidate.choice.discard, e, m)
    if "DISCARD" in ahead:
        held = d | world.kitty
        return best(value(held & ~mask_of(each), e, m) for each in combinations(cards_of(held), profile.kitty))
    if "SWAP" in ahead and bit(TWO) & (d | e | m):
        after = [hand ^ (bit(TWO) | seen.up_card) if hand & bit(TWO) else hand for hand in hands]
        if d & bit(TWO):
            return value(*after) if candidate.choice.swap else value(*hands)
        return worst(value(*hands), value(*after))
    return value(*hands)


def check_exact(seen: View, source: list[World] | None = None, **given: Any) -> DealerEstimate:
    """All worlds: the means are those of plain solving, the chances a recount."""
    worlds = list(DealerWorlds(seen)) if source is None else source
    found = dealer_estimate(seen, source=worlds, candidates="all", **given)
    assert found.complete and not found.stop
    for each in found.candidates:
        values = [brute(seen, world, each.candidate) for world in worlds]
        assert each.worlds == len(worlds) and each.open == 0
        assert isclose(each.mean.value, sum(values) / len(values))
        check_chances(seen, each, values, found.win)
    assert found.best is not None
    assert found.best.balance == max(each.balance for each in found.candidates)
    return found


def check_chances(seen: View, each: CandidateEstimate, values: list[int], win: int) -> None:
    made = seen.profile.caps()[0] if each.candidate.call == "MIZ" else seen.quotas[0]
    few = each.candidate.call == "MIZ"
    assert isclose(each.quota.value, sum(v <= made if few else v >= made for v in values) / len(values))
    assert (each.twelve is None) == few
    if each.twelve is not None:
        assert isclose(each.twelve.value, sum(v >= win for v in values) / len(values))
    spread = sum((v - each.mean.value) ** 2 for v in values) / max(1, len(values) - 1)
    if each.mean.error is not None:
        assert isclose(each.mean.error, (spread / len(values)) ** 0.5, abs_tol=1e-9)


def test_all_worlds_of_a_later_deal() -> None:
    found = check_exact(exchanged_view())
    assert len(found.candidates) == 20 and found.worlds == found.fit == DealerWorlds(exchanged_view()).count


def test_some_worlds_of_a_first_deal() -> None:
    seen = dealer_view(blind(), HAND)
    check_exact(seen, [world for at, world in enumerate(DealerWorlds(seen)) if at % 40 == 0])


def test_the_discard_after_the_kitty_is_the_best_of_all() -> None:
    """A call alone is chosen now: in each world the discard that is best there."""
    profile = small("kitty_last", 3, 3, (1, 1, 1))
    seen = dealer_view(profile, mask("SA HQ DK"))
    found = check_exact(seen, [world for at, world in enumerate(DealerWorlds(seen)) if at % 40 == 0])
    assert [each.candidate.choice for each in found.candidates] == [Choice()] * 4
    after = dealer_view(profile, mask("SA HQ DK CA CQ SK"), call="H")
    assert len(check_exact(after).candidates) == 20


def test_calls_and_miz() -> None:
    table = {
        "id": "calls", "name": "Calls", "ranks": 3, "hand": 3, "kitty": 3, "quotas": [1, 1, 1],
        "phases": ["DEAL", "CALL", "DISCARD", "KITTY", "PLAY", "SCORE"], "score": "total",
        "calls": ["S", "H", "D", "C", "N", "MIZ"], "options": {"end": "deals", "goal": 18, "miz_caps": "quota"},
    }  # fmt: skip
    profile = profile_of_table(table, "the test").with_options({})
    seen = dealer_view(profile, mask("SA HQ DK"))
    worlds = [world for at, world in enumerate(DealerWorlds(seen)) if at % 40 == 0]
    found = check_exact(seen, worlds)
    assert {each.candidate.call for each in found.candidates} == {"S", "H", "D", "C", "N", "MIZ"}
    few = check_exact(seen, worlds, calls=("MIZ", "N"))
    assert [each.candidate.call for each in few.candidates] in (["MIZ", "N"], ["N", "MIZ"])
    assert "kind" in next(each for each in few.candidates if each.candidate.call == "MIZ").json()


@pytest.mark.parametrize("held", ["D2 SA HK CQ", "DA SA HK CQ"])
def test_the_swap_is_the_dealers_or_the_others(held: str) -> None:
    """Four cards each of a pack cut down to thirteen by hand: `World`s made here."""
    profile = game("nine_five_three_one_card")
    rest = [bit(card) for card in cards_of(profile.pack)]
    rng = random.Random(held)
    deal = random_deal(profile, 4, 0)
    own = deal.hands[0] & ~bit(TWO)
    own = own | bit(TWO) if "D2" in held else own
    low = own & -own if own.bit_count() > profile.hand else 0
    if low == bit(TWO):
        low = own & ~bit(TWO)
        low &= -low
    own &= ~low
    while own.bit_count() < profile.hand:
        own |= next(card for card in rest if not card & (own | bit(TWO)))
    up = next(card for card in reversed(rest) if not card & (own | bit(TWO)))
    seen = dealer_view(profile, own, up_card=up)
    outlook = Outlook(seen)
    assert outlook.swaps == ("D2" in held)
    world = next(iter(DealerWorlds(seen)))
    for candidate in rng.sample(outlook.candidates(), 3):
        ways = outlook.ways(world, candidate)
        assert len(ways) == 1 and len(ways[0]) == (1 if outlook.swaps else 2)
        for hands in ways[0]:
            assert [hand.bit_count() for hand in hands] == [17, 17, 17]
        if outlook.swaps:
            assert bool(ways[0][0][0] & up) == bool(candidate.choice.swap)


def random_views(seed: int) -> Iterator[View]:
    rng = random.Random(f"estimate {seed}")
    profile = random_small(rng, 3, 3)
    for state, _ in decisions(rng, scene(rng, profile, 1)):
        yield view(state, 0)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_and_exchanges(seed: int) -> None:
    for seen in random_views(seed):
        try:
            Outlook(seen)
        except InputError as error:
            assert error.code == "not_due"
            continue
        worlds = list(DealerWorlds(seen))
        check_exact(seen, worlds[:: max(1, len(worlds) // 15)])


@pytest.mark.slow
def test_all_worlds_of_a_first_deal() -> None:
    check_exact(dealer_view(blind(), HAND))


# ---- estimates -------------------------------------------------------------------------------------------------------


def test_estimates_fall_where_their_errors_say() -> None:
    seen = exchanged_view()
    exact = {
        each.candidate: each for each in dealer_estimate(seen, source=DealerWorlds(seen), candidates="all").candidates
    }
    inside = total = 0
    for seed in range(200):
        for each in dealer_estimate(seen, worlds=40, seed=seed, candidates="all").candidates[:4]:
            truth = exact[each.candidate]
            assert each.mean.error is not None and each.quota.error is not None
            inside += abs(each.mean.value - truth.mean.value) <= 3 * each.mean.error
            inside += abs(each.quota.value - truth.quota.value) <= 3 * each.quota.error
            total += 2
    assert inside >= 0.98 * total


def facts(found: DealerEstimate) -> dict[str, Any]:
    said = found.json(None)
    return {key: value for key, value in said.items() if key not in ("millis", "nodes")}


def raf_view(index: int = 9) -> View:
    profile = game("raf")
    return view(apply(new_match(profile), DealCards(random_deal(profile, 1, index))), 0)


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_the_same_seed_gives_the_same_answer(by: Any) -> None:
    seen = exchanged_view()
    one, again, two = (dealer_estimate(seen, worlds=50, seed=5, threads=each, by=by) for each in (1, 1, 2))
    assert facts(one) == facts(again) == facts(two)
    assert one.complete and one.worlds == 50
    assert facts(one) != facts(dealer_estimate(seen, worlds=50, seed=6, by=by))


@pytest.mark.slow
def test_whole_deals_do_not_depend_on_threads() -> None:
    one, two = (dealer_estimate(raf_view(), worlds=12, seed=5, threads=each) for each in (1, 2))
    assert facts(one) == facts(two)
    assert one.kept <= KEEP and one.best is not None and one.best.worlds == 12 and one.best.open == 0


def test_the_best_is_what_was_asked_for() -> None:
    seen = exchanged_view()
    for by, what in (("mean", "balance"), ("quota", "quota")):
        given: Any = by
        found = dealer_estimate(seen, source=DealerWorlds(seen), by=given, candidates="all")
        values = [each.balance if what == "balance" else each.quota.value for each in found.candidates]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_margin_and_loss_are_paired(by: Any) -> None:
    """Against values solved one by one, in all worlds: the difference of the same worlds, and its spread."""
    seen = exchanged_view()
    worlds = list(DealerWorlds(seen))[::7]
    dear = Candidate("C", Choice(mask("SA SK")) if seen.profile.kitty == 2 else Choice(mask("SA")))
    found = dealer_estimate(seen, source=worlds, candidates="all", by=by, chosen=dear)
    assert found.best is not None and found.second is not None and found.chosen is not None
    mark = {"mean": None, "quota": seen.quotas[0], "twelve": found.win}[by]
    for other, figure in ((found.second, found.margin), (found.chosen, found.loss)):
        pairs = [[brute(seen, world, each.candidate) for each in (found.best, other)] for world in worlds]
        gaps = [one - two if mark is None else (one >= mark) - (two >= mark) for one, two in pairs]
        mean = sum(gaps) / len(gaps)
        assert figure is not None and figure.error is not None and isclose(figure.value, mean, abs_tol=1e-12)
        error = (sum((each - mean) ** 2 for each in gaps) / (len(gaps) - 1) / len(gaps)) ** 0.5
        assert isclose(figure.error, error, abs_tol=1e-9 if mark is None else 1 / len(gaps))
        assert mark is None or figure.error > 0


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_leads_fall_where_their_errors_say(by: Any) -> None:
    """Of a pair that is named before; the best of many would have been picked for its luck."""
    seen = exchanged_view()
    best, second = [each.candidate for each in dealer_estimate(seen, worlds=99, candidates="all").candidates[:2]]

    def gap(**given: Any) -> Figure:
        search = EstimateSearch(seen, candidates="all", **given)
        search.run()
        entries = {each.candidate: each for each in search._entries}
        return lead(entries[best], entries[second], by)

    truth = gap(source=DealerWorlds(seen))
    drawn = [gap(worlds=40, seed=seed) for seed in range(100)]
    assert sum(abs(each.value - truth.value) <= 3 * (each.error or 0) for each in drawn) >= 98
    assert sum(abs(each.value - truth.value) <= (each.error or 0) for each in drawn) >= 55


def test_open_values_make_a_margin_less_sure() -> None:
    worth = worth_of("floor", "S", 5)
    one, other = (Entry(Candidate("S", Choice(mask(card))), worth, Marks(2, 4)) for card in ("SA", "SK"))
    for world, (mine, theirs) in enumerate([((3, 3), (2, 2)), ((4, 4), (2, 2)), ((3, 3), (3, 3)), ((1, 1), (2, 2))]):
        one.spans[world], other.spans[world] = (mine, 0), (theirs, 0)
    sure = lead(one, other, "mean")
    other.spans[3] = (1, 3), 0  # the middle is what it was
    open_ = lead(one, other, "mean")
    assert sure.error is not None and open_.error is not None
    assert sure.value == open_.value == 0.5 and isclose(open_.error, sure.error + 1 / 4)
    assert lead(one, other, "quota").value == (-1 / 2) / 4 and lead(one, one, "mean").value == 0
    del other.spans[3]
    assert lead(one, other, "mean").value == 1  # of the worlds that both have met


def test_few_worlds_tell_nothing_apart() -> None:
    found = dealer_estimate(exchanged_view(), worlds=2, seed=1)
    assert not found.apart(Figure(1.0, 0.0)) and not found.apart(Figure(1.0, None))
    found = dealer_estimate(exchanged_view(), worlds=20, seed=1)
    assert found.apart(Figure(1.0, 0.5)) and not found.apart(Figure(1.0, 0.51)) and not found.apart(Figure(0.0, 0.0))


def test_the_default_seed_is_that_of_the_command() -> None:
    assert dealer_estimate(exchanged_view(), worlds=2).seed == 1


def test_what_was_chosen_stays_in() -> None:
    seen = exchanged_view()
    dear = Candidate("C", Choice(mask("SA")))
    found = dealer_estimate(seen, worlds=60, seed=1, chosen=dear)
    assert found.chosen is not None and found.chosen.candidate == dear and found.chosen.worlds == 60
    assert found.json()["chosen"]["discard"] == "A..."


# ---- time ------------------------------------------------------------------------------------------------------------


def test_it_stops_on_time() -> None:
    """And has something to tell, but not before it has met some worlds: on a busy machine that may take longer."""
    for seconds in (0.6, 6.0, 60.0):
        with effort_after(seconds) as effort:
            found = dealer_estimate(raf_view(0), seconds=seconds, threads=2)
            assert effort() < 0.3  # 0.001 on an idle machine
        assert found.millis > 950 * seconds and found.stop == STOP_TIME
        if found.best is not None:
            break
    assert found.best is not None


def test_cancel() -> None:
    search = EstimateSearch(raf_view(0), seconds=60, threads=2)
    cancelled = []

    def cancel() -> None:
        time.sleep(0.3)
        cancelled.append(time.monotonic())
        search.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    found = search.run()
    assert time.monotonic() - cancelled[0] < 0.15
    thread.join()
    assert found.stop == STOP_CANCELLED and not found.complete


def test_an_error_of_the_watcher_ends_it() -> None:
    search = EstimateSearch(raf_view(0), seconds=60)
    calls = []

    def watch() -> None:
        calls.append(search.result)
        if len(calls) == 3:
            raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        search.run(watch, 0.1)
    assert time.monotonic() - began < 1
    assert not search.result.complete and 0 <= search.done < 1


# ---- values that are given up ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 5, 20, 60])
def test_ends_hold_the_value_whatever_is_given_up(cap: int) -> None:
    """Also where the best of several discards counts, or the worst of two hands; then closed by a second try."""
    rng = random.Random(cap)
    valuer = Valuer(1 << 24, None)
    kinds = set()
    for _ in range(40):
        cards = rng.sample([bit(card) for card in cards_of(blind().pack)], 15)
        layouts = []
        for _ in range(4):
            rng.shuffle(cards)
            layouts.append((sum(cards[:5]), sum(cards[5:10]), sum(cards[10:])))
        ways = ((layouts[0], layouts[1]), (layouts[2], layouts[3]))
        call = rng.choice(("S", "N", "MIZ"))
        worth = worth_of("floor", call, 5)
        values = [[solved(hands, call, 5) * (-1 if call == "MIZ" else 1) for hands in way] for way in ways]
        truth = max(map(min, values))
        span = valuer.value(call, worth, ways, worth.range(), rng.choice((None, truth)), cap)
        assert span[0] <= truth <= span[1]
        assert valuer.value(call, worth, ways, span, None, 0) == (truth, truth)
        kinds.add(span[0] == span[1])
    assert False in kinds or cap > 5


# ---- candidates and race ---------------------------------------------------------------------------------------------


def test_discards_of_the_lowest_cards() -> None:
    found = {tuple(names(each)) for each in cheapest_discards(mask("SA SK S2 H3 D4"), 2)}
    assert found == {("SK", "S2"), ("S2", "H3"), ("S2", "D4"), ("H3", "D4")}
    found = {tuple(names(each)) for each in cheapest_discards(mask("SA SK S2 H3 D4"), 2, highest=True)}
    assert found == {("SA", "SK"), ("SA", "H3"), ("SA", "D4"), ("H3", "D4")}
    assert len(Outlook(raf_view()).candidates()) <= 4 * 35


def test_who_stays_in() -> None:
    scores = [[1.0, 1, 1, 1], [5.0, 5, 5, 5], [4.9, 5, 5, 5], [5.0, 5, 5, 4]]
    assert narrowed(scores, Stage(4, 0, 2, test=False)) == [1, 2]
    assert narrowed(scores, Stage(4, 0, 4, test=True)) == [1, 2, 3]
    assert narrowed(scores, Stage(4, 0, 2, test=True), protected=[0]) == [0, 1, 2]


@pytest.mark.parametrize("worlds", [1, 4, 5, 8, 9, 31, 32, 200, 1000])
def test_stages_end_with_all_worlds_settled(worlds: int) -> None:
    found = list(stages(worlds))
    assert found[-1].worlds == worlds and found[-1].cap == 0
    assert all(one.worlds <= two.worlds for one, two in pairwise(found))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "worlds"),
        ({"worlds": 3, "seconds": 1}, "worlds"),
        ({"worlds": 0}, "worlds"),
        ({"worlds": True}, "worlds"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"source": []}, "worlds"),
        ({"worlds": 3, "by": "luck"}, "by"),
        ({"worlds": 3, "candidates": "some"}, "candidates"),
        ({"worlds": 3, "seed": -1}, "seed"),
        ({"worlds": 3, "calls": ("N",)}, "choice"),
        ({"worlds": 3, "chosen": Candidate("N", Choice(bit(TWO)))}, "choice"),
        ({"worlds": 3, "chosen": Candidate("S", Choice(mask("SQ")))}, "choice"),
        ({"worlds": 3, "chosen": Candidate("S", Choice(mask("SA"), swap=True))}, "choice"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        dealer_estimate(exchanged_view(), **given)
    assert caught.value.field == field
