"""Twins of the package's games with a small pack, and the dealer's decision in them by brute force.

The cards after each choice come from `plain_rules`, the second statement of the rules, which is played on from the
decision to the first lead in every way; what they are worth from `tests.brute`. Nothing here asks the advice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeAlias

from tests.brute import brute, notation
from tests.games.plain_rules import GAMES, SEATS, Action, Game, Match
from tests.games.random_matches import chosen, claim, dealt
from tests.games.words import names, plain
from tierce.solver.deal import Deal
from tierce.solver.games import Profile, State, apply, game_names, load_game, new_match
from tierce.solver.games.profile import profile_of_table

SWAP_GAME: Final = "nine_five_three_one_card"  # needs a whole pack: no twin
TWINS: Final = tuple(name for name in game_names(3) if name != SWAP_GAME)
KINDS: Final = ("floor", "share", "ceiling", "pair:DE", "pair:DM")
Choice: TypeAlias = tuple[frozenset[str], bool | None]  # cards laid away, and whether the dealer takes the up-card
Hands: TypeAlias = tuple[int, ...]
Lays: TypeAlias = dict[str, dict[Choice, list[Hands]]]  # by call and choice: all ways the cards may then lie
Values: TypeAlias = dict[str, dict[Choice, Fraction]]

_AUCTION: Final = ("first_deal_auction", "all_pass", "bid_must_rise", "bid_reentry", "win_needs_bid")
# Quotas by hand size, no two alike (who sends first goes by them) and in the order of the game's own.
_QUOTAS: Final = {
    "nine_five_two_swap": {5: [3, 0, 2], 6: [3, 1, 2]},
    "uni_high_359": {5: [3, 2, 1], 6: [4, 2, 1]},
}
_SHAPE: Final = {5: (1, 4), 6: (2, 5)}  # kitty and ranks, by hand size


# ---- games -----------------------------------------------------------------------------------------------------------


@cache
def twin(name: str, hand: int = 5, *, kitty_first: bool = False) -> Profile:
    """The game with hands of five and a kitty of one, or six and two; without kitty hands of five, a card left out."""
    own = load_game(name)
    hand = hand if own.kitty else 5
    kitty, ranks = _SHAPE[hand]
    options = {key: value for key, value in own.defaults.items() if key not in _AUCTION}
    options |= {"end": "total", "goal": 18} if not own.calls else {"miz_caps": "quota"}
    if "removed_card" in options:
        options["removed_card"] = "random_hidden"
    if kitty_first:
        options["kitty_first"] = True
    table: dict[str, Any] = {
        "id": f"small_{name}", "name": f"Small {name}", "ranks": ranks, "hand": hand,
        "kitty": kitty if own.kitty else 0, "quotas": _QUOTAS.get(name, {}).get(hand, [3, 2, hand - 5]),
        "phases": list(own.phases), "score": own.score, "kitty_trick": own.kitty_trick, "both_ways": own.both_ways,
        "calls": list(own.calls), "options": options,
    }  # fmt: skip
    return profile_of_table(table, "the test").with_options({})


class SmallMatch(Match):
    """A match by the plain rules, of a pack of any size."""

    def __init__(self, name: str, profile: Profile, dealer: int = 0, *, each: int = 0, kitty: int = 0) -> None:
        super().__init__(name, dict(profile.options), dealer)
        self.game = Game(each or profile.hand, kitty or profile.kitty, profile.quotas, GAMES[name].order)
        self.clear()

    def deal_faults(self, action: Action) -> set[str]:
        return set()

    def do_deal(self, hands: dict[str, list[str]], rest: list[str]) -> None:
        super().do_deal(hands, rest)
        self.undealt, self.removed = (list(rest), []) if self.game.kitty else ([], list(rest))


def match_of_deal(name: str, profile: Profile, deal: Deal) -> SmallMatch:
    """The first deal of a match, the cards dealt."""
    match = SmallMatch(name, profile)
    match.do(("deal", dict(zip(SEATS, map(names, deal.hands), strict=True)), names(deal.kitty)))
    return match


def match_of_hands(profile: Profile, hands: Hands, up_card: int, call: str = "") -> tuple[State, SmallMatch]:
    """The one-card game with short hands, before the trump is named or, with a call, before the swap."""
    at = new_match(profile)
    steps = at.steps
    state = State(
        profile, 0, steps, steps.index("SWAP" if call else "TRUMP"), quotas=profile.quotas, hands=hands, kitty=up_card,
        call=call,
    )  # fmt: skip
    match = SmallMatch(SWAP_GAME, profile, each=hands[0].bit_count())
    match.do(("deal", dict(zip(SEATS, map(names, hands), strict=True)), names(up_card)))
    if call:
        match.do(("trump", "D", call))
    return state, match


def decisions(rng: random.Random, name: str, profile: Profile, deals: int) -> Iterator[tuple[State, SmallMatch]]:
    """Every moment of a random match's deals before the play, once the cards are dealt; the play itself is agreed."""
    state = new_match(profile, rng.randrange(3))
    match = SmallMatch(name, profile, state.dealer)
    while state.phase != "OVER" and len(state.results) < deals:
        if state.phase not in ("DEAL", "PLAY", "SCORE"):
            yield state, match
        action = claim(rng, profile.hand) if state.phase == "PLAY" else chosen(rng, state)
        state = apply(state, action)
        match.do(plain(action))


def random_small_deal(seed: str, profile: Profile) -> Deal:
    return dealt(random.Random(seed), profile)


# ---- what may come of a decision -------------------------------------------------------------------------------------


class Future(NamedTuple):
    call: str
    discard: frozenset[str]
    swap: bool | None
    hands: Hands


def futures(match: Match, discard: frozenset[str] = frozenset(), swap: bool | None = None) -> Iterator[Future]:
    """Every way to the first lead. `discard` and `swap`: what the dealer has chosen on the way."""
    if match.phase == "PLAY":
        d, e, m = (notation.mask(" ".join(match.hands[seat])) for seat in SEATS)
        yield Future(match.call, discard, swap, (d, e, m))
        return
    actions = match.choices()
    if match.phase == "DISCARD":
        actions = [("discard", "D", list(cards)) for cards in combinations(match.hands["D"], match.game.kitty)]
    for action in actions:
        after = deepcopy(match)
        after.do(action)
        if action[0] == "discard":
            yield from futures(after, frozenset(action[2]), swap)
        elif action[:2] == ("swap", "D"):
            yield from futures(after, discard, action[2])
        else:
            yield from futures(after, discard, swap)


def lays_of(match: Match) -> Lays:
    """All ways the cards may lie, by what the dealer chooses."""
    found: Lays = {}
    for future in futures(match):
        found.setdefault(future.call, {}).setdefault((future.discard, future.swap), []).append(future.hands)
    return found


# ---- what it is worth ------------------------------------------------------------------------------------------------


@cache
def tricks(hands: Hands, trump: int, side: int, fewest: bool = False) -> int:
    """Tricks of a side by brute force; the eldest leads."""
    return brute.value(hands, trump, 1, [], *(brute.fewest if fewest else brute.most)(side, 3))


def worth(hands: Hands, call: str, kind: str, extra: int) -> Fraction:
    """The dealer's value of one lay; in MIZ the most he can be made to take."""
    if call == "MIZ":
        return Fraction(tricks(hands, brute.NOTRUMP, 1, True) + extra)
    trump = notation.STRAINS.index(call)
    if kind.startswith("pair:"):
        return Fraction(tricks(hands, trump, 0b011 if kind == "pair:DE" else 0b101) + extra)
    floor = tricks(hands, trump, 1)
    if kind == "floor":
        return Fraction(floor + extra)
    surplus = hands[0].bit_count() - floor - tricks(hands, trump, 2) - tricks(hands, trump, 4)
    return floor + extra + Fraction(surplus, 3 if kind == "share" else 1)


def good(call: str, value: Fraction) -> Fraction:
    """The value as a number that the dealer wants high."""
    return -value if call == "MIZ" else value


def values_of(lays: Lays, kind: str, extra: int = 0) -> Values:
    """The value of every choice: the dealer's worst where another seat has a choice, too."""
    return {
        call: {
            choice: min((worth(hands, call, kind, extra) for hands in ways), key=lambda value: good(call, value))
            for choice, ways in choices.items()
        }
        for call, choices in lays.items()
        if call != "MIZ" or kind == "floor"
    }


def best_of(call: str, values: Mapping[Choice, Fraction]) -> Fraction:
    return max(values.values(), key=lambda value: good(call, value))


def reaching(call: str, values: Mapping[Choice, Fraction], target: Fraction) -> set[Choice]:
    """The choices worth so much, of a cap so little."""
    return {choice for choice, value in values.items() if good(call, value) >= good(call, target)}
