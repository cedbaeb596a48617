"""Hints of Sumgait Driller: how many orders a card meets, how well time is kept, what a race of gifts gains.

    python -m benchmarks.piles_hint samples --deals 5     orders of every card at trick 1 in a second (bar 400)
    python -m benchmarks.piles_hint time --deals 5        what is needed beyond the seconds told (bar 50 ms)
    python -m benchmarks.piles_hint cancel                how soon a hint stops (bar 50 ms)
    python -m benchmarks.piles_hint gifts --deals 20      the race against the rule, both played out in other orders
    python -m benchmarks.piles_hint play --deals 60       deals by hints of so many worlds, against rules of thumb

Deals by a seed, nobody robbed. Times are wall clock; others may load the machine.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator

from tierce.solver.cards import mask_of
from tierce.solver.errors import Cancelled
from tierce.solver.games.sumgait import (
    Call,
    DealCards,
    Give,
    Rob,
    Shuffle,
    State,
    TakeKitty,
    apply,
    legal,
    new_match,
    random_deal,
    settle,
    shuffle_by_lot,
    sumgait,
    view,
)
from tierce.solver.piles import TRICKS, Stop, pile_view, play_out
from tierce.solver.piles.call_choice import owned_of
from tierce.solver.piles.decisions import DecisionSearch, decide
from tierce.solver.piles.giving import GiveRace, ranked
from tierce.solver.piles.results import Mean, mean_of
from tierce.solver.piles.wants import want_of


def before(deals: int, seed: int) -> Iterator[tuple[State, State]]:
    """States at the robbery and at the gift."""
    for index in range(deals):
        state = apply(new_match(sumgait()), DealCards(random_deal(seed, index)))
        yield state, apply(apply(state, Rob(None)), TakeKitty())


def by_rule(giving: State) -> Give:
    """The four cards that the rule gives."""
    four = ranked(owned_of(view(giving), "play"), "play", 1)[0]
    return Give(mask_of(four[::2]), mask_of(four[1::2]))


def states(deals: int, seed: int) -> Iterator[tuple[str, State]]:
    """A state of each decision."""
    for robbing, giving in before(deals, seed):
        calling = apply(giving, by_rule(giving))
        leading = apply(apply(calling, Call("play")), Shuffle(None))
        later = apply(apply(calling, Call("play")), shuffle_by_lot(calling, seed))
        while len(later.tricks) < 10 or later.mover != 0:
            later = settle(apply(later, legal(later)[0].choices[0]))
        yield from (("rob", robbing), ("give", giving), ("call", calling), ("lead", leading), ("trick 11", later))


def samples(args: argparse.Namespace) -> None:
    for name, state in states(args.deals, args.seed):
        if name == "lead":
            begun = time.process_time()
            found = decide(view(state), seconds=1, threads=2, method="playouts")
            met = [each.worlds for each in found.choices]
            used = time.process_time() - begun
            print(
                f"{len(met):2} ways: each met {min(met):6} orders or more, the best {met[0]:7}, "
                f"in {used:.2f} s of processors (2 with both to itself)   (bar 400)"
            )


def kept(args: argparse.Namespace) -> None:
    worst: dict[str, float] = {}
    for name, state in states(args.deals, args.seed):
        for seconds in (0.2, 1.0):
            begun = time.perf_counter()
            decide(view(state), seconds=seconds, threads=2)
            over = time.perf_counter() - begun - seconds
            worst[name] = max(worst.get(name, -1.0), over)
    for name, over in worst.items():
        print(f"{name:10} at most {over * 1e3:+7.1f} ms beyond the time   (bar 50)")


def cancel(args: argparse.Namespace) -> None:
    for name, state in states(args.deals, args.seed):
        search = DecisionSearch(view(state), seconds=60, threads=2)
        told: list[float] = []

        def stop(search: DecisionSearch = search, told: list[float] = told) -> None:
            told.append(time.perf_counter())
            search.cancel()

        timer = threading.Timer(0.4, stop)
        timer.start()
        try:
            search.run()
            print(f"{name:10} was done before it was stopped")
            timer.cancel()
        except Cancelled:
            print(f"{name:10} stopped after {(time.perf_counter() - told[0]) * 1e3:5.1f} ms   (bar 50)")


def gifts(args: argparse.Namespace) -> None:
    gains = []
    for _, giving in before(args.deals, args.seed):
        seen = view(giving)
        want, owned = want_of(seen), owned_of(seen, "play")
        race = GiveRace(owned, want, seed=1, threads=2, stop=Stop(), most=args.worlds)
        while not race.done:
            race.step()
        rule = by_rule(giving)
        means = [
            play_out(owned.given(pair), want.play, count=4000, seed=99, threads=2).mean(want.play).value
            for pair in (race.first, (rule.next, rule.other))
        ]
        gains.append(means[0] - means[1])
        print(f"race {means[0]:7.1f}, rule {means[1]:7.1f}")
    tell("points that the race gains", mean_of(gains))


def play(args: argparse.Namespace) -> None:
    """Deals played by hints, against the mean of the same hand played out by rules of thumb."""
    gains = []
    for index, (_, giving) in enumerate(before(args.deals, args.seed)):
        state = apply(apply(giving, by_rule(giving)), Call("play"))
        leading = view(apply(state, Shuffle(None)))
        thumb = play_out(pile_view(leading), TRICKS, count=2000, threads=2).mean(TRICKS).value
        state = settle(apply(state, shuffle_by_lot(state, args.seed + index)))
        while state.phase == "PLAY":
            state = settle(apply(state, decide(view(state), worlds=args.worlds, by="tricks", threads=2).action))
        gains.append(state.results[-1].tricks[state.results[-1].declarer] - thumb)
    tell("tricks that hints gain on rules of thumb", mean_of(gains))


def tell(what: str, mean: Mean) -> None:
    print(f"{what}: {mean.value:+.2f} ±{mean.error or 0.0:.2f} over {mean.samples} deals")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    works = {"samples": samples, "time": kept, "cancel": cancel, "gifts": gifts, "play": play}
    parser.add_argument("work", choices=works)
    parser.add_argument("--deals", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--worlds", type=int, default=400)
    args = parser.parse_args()
    works[args.work](args)


if __name__ == "__main__":
    main()
