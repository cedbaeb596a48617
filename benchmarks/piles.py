"""Play against two blind piles: how fast its parts are, how strong the play, how tight the bounds.

    python -m benchmarks.piles times                  passes with the piles known, playouts, exact endings, trials
    python -m benchmarks.piles twin                   the same in plain Python: how many times slower
    python -m benchmarks.piles strength --deals 300   trials against rules of thumb, over the same piles
    python -m benchmarks.piles endings --deals 20     trials against the exact expectation, 5 to 7 tricks left
    python -m benchmarks.piles bounds --deals 300 --orders 4 --samples 400 --wish tricks

Deals by a seed: 16 cards and the kitty, of which the four lowest are given away, two and two. Times are processor
time, the least of some runs; what is said of a second is wall clock, and shares the machine with what else runs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.piles import plain
from tests.piles.scenes import KINDS, ending
from tierce.solver.cards import mask_of
from tierce.solver.games.sumgait.cards import ALL54, cards_of, is_joker, is_seven
from tierce.solver.games.sumgait.tricks import playable, trick_winner
from tierce.solver.piles import (
    GREEDY,
    POINTS,
    TEN,
    TRICKS,
    Mean,
    Objective,
    PileView,
    Stop,
    best_play,
    bounds,
    expectation,
    play_out,
    play_well,
    random_piles,
    solve_known,
)
from tierce.solver.piles._piles import Seen
from tierce.solver.piles.known import order_of
from tierce.solver.piles.results import mean_of
from tierce.solver.piles.view import places, table_of

WISHES = {wish.name: wish for wish in (TRICKS, POINTS, TEN)}


def deals(count: int, seed: int) -> Iterator[PileView]:
    """Hands before the first trick."""
    rng = random.Random(seed)
    for _ in range(count):
        cards = list(cards_of(ALL54))
        rng.shuffle(cards)
        own = sorted(cards[:22], key=lambda card: (is_joker(card), card % 16 + 3 * is_seven(card)))
        given = mask_of(own[:2]), mask_of(own[2:4])
        hand = mask_of(own[4:])
        yield PileView(hand, ALL54 & ~hand & ~given[0] & ~given[1], given)


def least(work: Callable[[], object], runs: int) -> float:
    """The shortest of some runs, in seconds."""
    found = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def simple(count: int) -> PileView:
    """An ending with a fixed trump and nothing known."""
    view = ending(random.Random(count), count, leader=0)
    return replace(view, trump=0, declared=1, marriages=False)


def times(args: argparse.Namespace) -> None:
    """Every part by itself."""
    view = replace(next(deals(1, args.seed)), trump=0, marriages=False)
    table, stop, order = table_of(view, TRICKS), Stop(), order_of(view, random_piles(view, 1)[0])
    seen = Seen(table, False)
    print(f"piles known, a pass of one trump   {least(lambda: seen.solve(order, stop), 9) * 1e3:8.2f} ms   (bar 15)")
    pairs = next(each for each in deals(10**6, args.seed) if table_of(each, POINTS).ways() and marriages(each) == 2)
    piles = random_piles(pairs, 1)[0]
    print(f"... points, two marriages, all     {least(lambda: solve_known(pairs, piles), 5) * 1e3:8.2f} ms")
    orders = table.orders(1, 0, 1000)
    print(
        f"playout                            {least(lambda: table.playouts(orders, stop), 9) * 1e3:8.2f} us   (bar 10)"
    )
    for left in (6, 7, 8):
        one, many = simple(left), ending(random.Random(left), left, marriages=1, leader=0)
        runs = 3 if left < 8 else 1
        for name, moment, wish in (("tricks, one trump", one, TRICKS), ("points, a marriage", many, POINTS)):
            seconds = least(lambda view=moment, wish=wish: expectation(view, wish), runs)  # type: ignore[misc]
            print(f"exact, {left} left, {name}  {seconds:8.3f} s")
    first = next(deals(1, args.seed))
    found = max(best_play(first, POINTS, seconds=1, threads=2).ways[-1].value.samples for _ in range(1))
    begun = time.perf_counter()
    trials = open_trials(first)
    each = trials / (time.perf_counter() - begun)
    print(
        f"orders a second for every card at trick 1, two threads {each:8.0f}   (bar 400; with racing at least {found})"
    )


def marriages(view: PileView) -> int:
    """Suits of which the hand has king and queen."""
    return sum(view.hand >> 16 * suit + 10 & 3 == 3 for suit in range(4))


def open_trials(view: PileView) -> int:
    """Orders in which every way is tried, none left out, in about a second on two threads."""
    from concurrent.futures import ThreadPoolExecutor

    table, stop = table_of(view, POINTS), Stop()
    none = [False] * len(table.ways())
    end = time.perf_counter() + 1
    done = 0
    with ThreadPoolExecutor(2) as crew:
        while time.perf_counter() < end:
            done += sum(
                each[0] for each in crew.map(lambda at: table.rollouts(1, at, 64, none, stop), (done, done + 64))
            )
    return done


def twin(args: argparse.Namespace) -> None:
    """Native against plain Python, on the same work."""
    view = replace(next(deals(1, args.seed)), marriages=False)
    piles = random_piles(view, 1000)
    slow = least(lambda: plain_playout(view, piles[0]), 9)
    fast = least(lambda: play_out(view, TRICKS, count=1000, policy=GREEDY), 9) / 1000
    print(f"playout: {slow * 1e3:.2f} ms against {fast * 1e6:.2f} us: {slow / fast:,.0f} times")
    twelve = simple(12)
    order = random_piles(twelve, 1)[0]
    table, stop, whole = table_of(twelve, TRICKS), Stop(), order_of(twelve, order)
    seen = Seen(table, False)
    slow = least(lambda: plain_known(twelve, order), 3)
    fast = least(lambda: seen.solve(whole, stop), 9)
    print(f"piles known, 12 left: {slow * 1e3:.0f} ms against {fast * 1e3:.3f} ms: {slow / fast:,.0f} times")
    few = simple(4)
    slow = least(lambda: plain.Expectation(few, TRICKS).value(), 3)
    fast = least(lambda: expectation(few, TRICKS), 9)
    print(f"exact, 4 left: {slow * 1e3:.0f} ms against {fast * 1e3:.2f} ms: {slow / fast:,.0f} times")


def plain_playout(view: PileView, piles: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """A deal played out greedily in plain Python: chances to stand by counting bits, no card known, no marriage."""
    hand, leader, tricks = set(places(view.hand)), view.leader, 0
    free = view.free | view.known[0] | view.known[1]
    beaters = {card: plain_beaters(view, card) for card in hand}
    for x, y in zip(*piles, strict=True):
        seen = {0: 0, 1: 1 << x | 1 << y, 2: 1 << y}[leader]
        unseen, allowed = free & ~seen, plain.ways(view, mask_of(hand), {0: (), 1: (x, y), 2: (y,)}[leader], leader)
        down = max(unseen.bit_count(), 1)
        scores = {}
        for card, suit in allowed:
            if suit is None:
                stands = (1 - (unseen & beaters[card]).bit_count() / down) ** 2
                won = 1.0 if leader == 0 else plain.winner(view, leader, (card, x, y), view.trump) == 0
                scores[card] = stands if leader == 0 else won - 0.05 * stands
        own = max(scores, key=scores.__getitem__)
        leader = plain.winner(view, leader, (own, x, y), view.trump)
        tricks += leader == 0
        hand.remove(own)
        free &= ~(1 << x | 1 << y)
    return tricks


def plain_beaters(view: PileView, card: int) -> int:
    """The cards that beat one if they come later."""
    return sum(1 << other for other in cards_of(ALL54) if trick_winner((card, other), view.trump))


def plain_known(view: PileView, piles: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """The most tricks, all sets of cards from small to large, in plain Python; a fixed trump."""
    own = places(view.hand)
    n = len(own)
    values = [[0, 0, 0]]
    for hand in range(1, 1 << n):
        at = n - hand.bit_count()
        x, y = piles[0][at], piles[1][at]
        held = [place for place in range(n) if hand >> place & 1]
        row = []
        for leader, table in ((0, ()), (1, (x, y)), (2, (y,))):
            allowed = playable(mask_of(own[place] for place in held), table)
            best = -1
            for place in held:
                if allowed >> own[place] & 1:
                    seat = plain.winner(view, leader, (own[place], x, y), view.trump)
                    best = max(best, values[hand & ~(1 << place)][seat] + (seat == 0))
            row.append(best)
        values.append(row)
    return values[-1][view.leader]


def strength(args: argparse.Namespace) -> None:
    """Trials against rules of thumb, in pairs over the same piles."""
    wish, gains, thumbs = WISHES[args.wish], [], []
    for i, view in enumerate(deals(args.deals, args.seed)):
        thumb = play_out(view, wish, count=args.orders, seed=i, policy=GREEDY if wish is TRICKS else None).mean(wish)
        well = play_well(
            view, wish, count=args.orders, samples=args.samples, exact=args.exact, seed=i, threads=args.threads
        ).mean(wish)
        thumbs.append(thumb.value)
        gains.append(well.value - thumb.value)
    mean = sum(thumbs) / len(thumbs)
    print(f"{len(gains)} deals, {wish.name}: rules of thumb {mean:.2f}, trials {told(mean_of(gains), '+')}")


def told(mean: Mean, sign: str = "") -> str:
    """A mean and its standard error."""
    return f"{mean.value:{sign}.3f} ± {mean.error or 0:.3f}"


def endings(args: argparse.Namespace) -> None:
    """Trials without exact play against the exact expectation."""
    wish = WISHES[args.wish]
    for left in (5, 6, 7):
        rng = random.Random(args.seed + left)
        made = possible = rules = 0.0
        for i in range(args.deals):
            view = ending(rng, left, kind=KINDS[i % 3], marriages=i % 2)
            made += play_well(view, wish, count=200, samples=args.samples, exact=0, seed=i).mean(wish).value
            rules += play_out(view, wish, count=2000, seed=i).mean(wish).value
            possible += expectation(view, wish).value
            if wish is TRICKS:
                made, rules, possible = made - view.tricks, rules - view.tricks, possible - view.tricks
        shares = f"trials {100 * made / possible:.1f} %, rules of thumb {100 * rules / possible:.1f} %"
        print(
            f"{left} left, {wish.name} from here on, {args.deals} endings: exact {possible / args.deals:.3f}, {shares}"
        )


def gaps(args: argparse.Namespace) -> None:
    """Bounds of hands before the first trick."""
    wish: Objective = WISHES[args.wish]
    rows = []
    for i, view in enumerate(deals(args.deals, args.seed)):
        rows.append(
            bounds(view, wish, count=args.orders, samples=args.samples, exact=args.exact, seed=i, threads=args.threads)
        )
    made, upper, seen, gap = (
        mean_of(getattr(row, name).value for row in rows) for name in ("made", "penalised", "clairvoyant", "gap")
    )
    print(
        f"{len(rows)} deals, {wish.name}: made {told(made)}, penalised {told(upper)}, clairvoyant {told(seen)}, "
        f"gap {told(gap)}   (aim 1.2 tricks)"
    )


def main() -> None:
    """What is told on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("times", "twin", "strength", "endings", "bounds"))
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--orders", type=int, default=2)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--exact", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wish", choices=WISHES, default="tricks")
    args = parser.parse_args()
    {"times": times, "twin": twin, "strength": strength, "endings": endings, "bounds": gaps}[args.what](args)


if __name__ == "__main__":
    main()
