"""A hand studied over random deals: how many tricks and points it makes, and between what bounds its worth lies.

The deals are played by the best of trials at every turn (`play_well`), which looks at nothing it could not know. A hand
of 18 is played as it is; of 22 the four cards to give are chosen once, by rules of thumb (`quick_giving`); of 16 every
deal draws its kitty, and gives so. Beside what was simulated stand chances that are known exactly (`chances`), and how
often they came about in the same deals: so far are means of so many deals from the truth.

The same hand, seed and numbers give the same figures, whatever the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from tierce.solver.advice.draws import Draws
from tierce.solver.cards import SUIT_NAMES, SUITS, Card, Mask, bit, mask_of
from tierce.solver.checks import check_whole
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import ALL54, JOKERS, SEVENS, cards_of, in_two_places, suit_mask
from tierce.solver.games.sumgait.deal import KITTY, by_lot
from tierce.solver.games.sumgait.game import DEFAULTS
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.piles import chances
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.bounds import upper_values
from tierce.solver.piles.crews import in_pieces
from tierce.solver.piles.known import solve_known
from tierce.solver.piles.objectives import TEN, TRICKS, Objective, points
from tierce.solver.piles.playing import play_out, play_well, random_piles
from tierce.solver.piles.quick_giving import FEW, Giving, quick_giving, view_after
from tierce.solver.piles.results import Ends, mean_of
from tierce.solver.piles.study_results import Bracket, Chance, HandStudy, Led
from tierce.solver.piles.view import Judge, PileView

__all__ = ["DEALS_MAX", "HANDS", "OBJECTIVES", "SAMPLES", "study_hand"]

HANDS: Final = (16, 18, 22)
OBJECTIVES: Final = ("points", "tricks", "ten")
SAMPLES: Final = 200
DEALS_MAX: Final = 100_000
_SHARES: Final = (6.0, 5.0, 1.0, 3.0, 1.0, 1.0)  # of the time: the play, points and tricks penalised and seen, ten

T = TypeVar("T")
Watch = Callable[[float, str], None]
Piles = tuple[tuple[Card, ...], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class _Scene:
    """A moment that is met in so many orders of a seed."""

    view: PileView
    seed: int
    count: int
    kitty: Mask = 0


@dataclass(frozen=True, slots=True)
class _Work:
    """How the work is done."""

    threads: int
    stop: Stop
    watch: Watch | None

    def every(self, scenes: Sequence[_Scene], work: Callable[[_Scene, int], list[T]], stage: int, said: str) -> list[T]:
        """The answers of all scenes in their order: one scene has all threads, of several each has one."""
        if self.watch is not None:
            self.watch(sum(_SHARES[:stage]) / sum(_SHARES), said)
        if len(scenes) == 1:
            return work(scenes[0], self.threads)
        pieces = [(i, 1) for i in range(len(scenes))]
        found = in_pieces(lambda i, _: work(scenes[i], 1), pieces, self.threads, self.stop)
        return [each for part in found for each in part]


def study_hand(
    hand: Mask,
    *,
    wish: str = "points",
    known: tuple[Mask, Mask] = (0, 0),
    options: Mapping[str, object] = MappingProxyType(DEFAULTS),
    deals: int = 300,
    samples: int = SAMPLES,
    exact: int = 5,
    seed: int = 1,
    threads: int = 1,
    watch: Watch | None = None,
    stop: Stop | None = None,
) -> HandStudy:
    """Study a hand of 16, 18 or 22 cards.

    wish    what the policy plays for: points, tricks or ten
    known   of a hand of 18: cards that lie in the next player's pile, and in the other's (given, or let go in a
            robbery); of 22: let go in a robbery
    watch   is told the share of the work that is done, and what is done next

    InputError (fields "hand", "known", "by", "deals", "seed"); Cancelled if stopped.
    """
    _check(hand, known, wish)
    check_whole(deals, 1, DEALS_MAX, f"1 to {DEALS_MAX} deals", "deals")
    worth = points(options)
    aims = {"points": worth, "tricks": TRICKS, "ten": TEN}
    work = _Work(threads, stop or Stop(), watch)
    scenes, giving = _scenes(hand, known, aims[wish], _judge(options), deals, seed, work)

    def played(scene: _Scene, crew: int) -> list[tuple[int, int, int]]:
        return list(
            play_well(
                scene.view, aims[wish], count=scene.count, samples=samples, exact=exact, seed=scene.seed,
                threads=crew, stop=work.stop,
            ).ends
        )  # fmt: skip

    def thumb(scene: _Scene, crew: int) -> list[tuple[int, int, int]]:
        seed = scene.seed
        return list(play_out(scene.view, aims[wish], count=scene.count, seed=seed, threads=crew, stop=work.stop).ends)

    ends = Ends(tuple(work.every(scenes, played, 0, "the deals are played")))
    return HandStudy(
        hand, known, worth, wish, seed, samples, exact, giving, ends,
        Ends(tuple(work.every(scenes, thumb, 1, "by rules of thumb"))),
        tuple(_bracket(scenes, aim, ends, 1 + 2 * place, work) for place, aim in enumerate(aims.values())),
        *_chances(hand, scenes),
    )  # fmt: skip


def _check(hand: Mask, known: tuple[Mask, Mask], wish: str) -> None:
    if wish not in OBJECTIVES:
        raise InputError("objective", f"expected {' | '.join(OBJECTIVES)}, found {wish!r:.60}", field="by")
    if hand & ~ALL54 or hand.bit_count() not in HANDS:
        raise InputError("hand_size", f"expected 16, 18 or 22 cards, found {hand.bit_count()}", field="hand")
    if any(known) and hand.bit_count() == HANDS[0]:
        message = "expected no cards known in the piles before the kitty is taken, found some"
        raise InputError("known", message, field="known")
    places = ("in the hand", "in the next player's pile", "in the other's pile")
    if twice := in_two_places([*zip(places, (hand, *known), strict=True)]):
        raise InputError("duplicate_card", f"expected each card once, found {twice}", field="known")
    room = (ALL54 & ~hand).bit_count() // 2
    for cards in known:
        if cards & ~ALL54 or cards.bit_count() > room:
            raise InputError("known", f"expected at most {room} cards known in a pile, found {cards.bit_count()}",
                             field="known")  # fmt: skip


def _judge(options: Mapping[str, object]) -> Judge:
    return Judge(
        str(options["joker_resolution"]), str(options["joker_lead_suit"]), bool(options["joker_free"])
    )  # fmt: skip


# ---- the deals -------------------------------------------------------------------------------------------------------


def _scenes(
    hand: Mask, known: tuple[Mask, Mask], aim: Objective, judge: Judge, deals: int, seed: int, work: _Work
) -> tuple[list[_Scene], Giving | None]:
    """The moments of the first lead, and how a hand of 22 gave."""
    if hand.bit_count() == HANDS[0]:
        return _with_kitties(hand, aim, judge, deals, seed, work), None
    if hand.bit_count() == HANDS[1]:
        free = ALL54 & ~(hand | known[0] | known[1])
        return [_Scene(PileView(hand=hand, free=free, known=known, judge=judge), seed, deals)], None
    if work.watch is not None:
        work.watch(0.0, "what to give")
    found = quick_giving(hand, aim, known=known, judge=judge, seed=seed, threads=work.threads, stop=work.stop)
    view = view_after(hand, (found.next, found.other), known=known, judge=judge)
    return [_Scene(view, seed, deals)], found


def _with_kitties(hand: Mask, aim: Objective, judge: Judge, deals: int, seed: int, work: _Work) -> list[_Scene]:
    """A deal each, with a kitty by lot and the giving that rules of thumb find best."""
    unseen = cards_of(ALL54 & ~hand)

    def deal(index: int, _: int) -> _Scene:
        kitty = mask_of(by_lot(unseen, seed, index, "study")[:KITTY])
        own = Draws(seed, index + 2).below(1 << 40)
        given = quick_giving(hand | kitty, aim, judge=judge, seed=own, cards=FEW, stop=work.stop)
        return _Scene(view_after(hand | kitty, (given.next, given.other), judge=judge), own, 1, kitty)

    if work.watch is not None:
        work.watch(0.0, "what to give")
    return list(in_pieces(deal, [(i, 1) for i in range(deals)], work.threads, work.stop))


def _bracket(scenes: Sequence[_Scene], aim: Objective, ends: Ends, stage: int, work: _Work) -> Bracket:
    """The bounds in the very orders that were played: `made` is of the policy that played, whatever it plays for."""

    def upper(scene: _Scene, crew: int) -> list[float]:
        return upper_values(scene.view, aim, count=scene.count, seed=scene.seed, threads=crew, stop=work.stop)

    def seen(scene: _Scene, crew: int) -> list[float]:
        orders = random_piles(scene.view, scene.count, seed=scene.seed)

        def one(index: int, _: int) -> float:
            return solve_known(scene.view, orders[index], aim, stop=work.stop).value

        return list(in_pieces(one, [(i, 1) for i in range(len(orders))], crew, work.stop))

    made = ends.values(aim)
    high = None if aim is TEN else work.every(scenes, upper, stage, f"{aim.name}: the upper bound")
    best = work.every(scenes, seen, stage + (high is not None), f"{aim.name}: the piles seen")
    gap = mean_of(above - below for above, below in zip(high or best, made, strict=True))
    return Bracket(aim.name, mean_of(made), None if high is None else mean_of(high), mean_of(best), gap)


# ---- chances ---------------------------------------------------------------------------------------------------------


def _chances(hand: Mask, scenes: Sequence[_Scene]) -> tuple[tuple[Led, ...], tuple[Chance, ...]]:
    if hand.bit_count() == HANDS[0]:
        return (), tuple(_of_kitty(hand, [scene.kitty for scene in scenes]))
    (scene,) = scenes
    orders = random_piles(scene.view, scene.count, seed=scene.seed)
    return tuple(_led(scene.view, orders)), tuple(_of_piles(scene.view, orders))


def _led(view: PileView, orders: Sequence[Piles]) -> list[Led]:
    """The highest card of each suit, and a joker, each led to the first trick."""
    lanes = [cards_of(view.hand & suit_mask(suit))[:1] for suit in (*SUITS, len(SUITS))]
    found = []
    for card in (each for lane in lanes for each in lane):
        winners = (trick_winner((card, one[0], two[0]), view.trump, view.judge.joker_resolution) for one, two in orders)
        seen = sum(place == 0 for place in winners)
        found.append(Led(card, chances.beaten_at_once(view, card), chances.stands(view, card), seen, len(orders)))
    return found


def _of_piles(view: PileView, orders: Sequence[Piles]) -> list[Chance]:
    """Jokers, sevens and the cards of the longest suit: how they lie."""
    found = []
    down = ALL54 & ~view.hand
    for name, what, cards in (("jokers", "both jokers", JOKERS), ("sevens", "all four sevens", SEVENS)):
        cards &= down
        if cards.bit_count() < 2:
            continue
        what = what if cards in (JOKERS, SEVENS) else f"the {cards.bit_count()} {name} you do not hold"
        seen = sum(not cards & ~mask_of(one) or not cards & mask_of(one) for one, _ in orders)
        about = f"{what} lie in one pile"
        found.append(Chance(f"{name}_together", about, chances.together(view, cards), seen, len(orders)))
    suit = max(SUITS, key=lambda suit: ((view.hand & suit_mask(suit)).bit_count(), -suit))
    return found + _splits(view, suit, orders)


def _splits(view: PileView, suit: int, orders: Sequence[Piles]) -> list[Chance]:
    """How the cards of a suit lie that he does not hold: evenly, one card from it, and so on, a row a split."""
    lane = suit_mask(suit) & ~view.hand
    total = lane.bit_count()
    if total < 2:
        return []
    parts = chances.split(view, suit)
    seen = [(mask_of(one) & lane).bit_count() for one, _ in orders]
    found = []
    for more in range(-(-total // 2), total + 1):
        lies = {more, total - more}
        part = sum((parts[each] for each in lies if each in parts), chances.NEVER)
        if part:
            about = f"the {total} {SUIT_NAMES[suit]} you do not hold lie {more}-{total - more}"
            hits = sum(each in lies for each in seen)
            found.append(Chance(f"split_{more}_{total - more}", about, part, hits, len(orders)))
    return found


def _of_kitty(hand: Mask, kitties: Sequence[Mask]) -> list[Chance]:
    """What the kitty may bring."""
    unseen = ALL54 & ~hand
    before = chances.marriages(hand)

    def row(name: str, about: str, cards: Mask) -> Chance:
        hits = sum(bool(kitty & cards) for kitty in kitties)
        return Chance(name, about, chances.kitty_has(cards, unseen), hits, len(kitties))

    found = []
    if JOKERS & unseen:
        found.append(row("kitty_joker", "the kitty holds a joker", JOKERS & unseen))
    for suit in SUITS:
        if (missing := chances.partner(hand, suit)) is not None:
            about = f"the kitty makes the marriage of {SUIT_NAMES[suit]}"
            found.append(row(f"kitty_marriage_{'SHDC'[suit]}", about, bit(missing)))
    if len(before) < len(SUITS):
        hits = sum(chances.marriages(hand | kitty) != before for kitty in kitties)
        about = "the kitty makes some new marriage"
        found.append(Chance("kitty_marriage", about, chances.kitty_marriage(hand), hits, len(kitties)))
    return found
