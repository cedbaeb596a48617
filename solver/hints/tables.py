"""Tables: who sits where, with which cards, in the games that compare bots.

    Table(profile, ("hint", "simple", "simple"), deals=120, seed=1)     each deal with hint in each seat, and without it
    Table(profile, ("hint", "simple", "simple"), instead=("pimc",))     each deal with hint, then pimc, in each seat
    Table(profile, ("hint", "pimc", "simple"), deals=120)               each deal with each bot in each seat once
    Table(profile, ("hint", "simple", "simple"), matches=50)            whole matches to their end
    Table(solo, ("hint", "simple"), deals=200)      four hands: each deal with hint as N and S, then as E and W

Deals. Where two of the three bots are the same, the third is under study: every deal is played with it in each of the
three seats and with the bots that may stand there instead, so that each difference is one of the same deal, the same
seat and the same opponents. The bot of the two others stands there instead unless told; that game is the same for all
seats, and played once. Three different bots move round the seats, in three games a deal.

Before a deal. `previous` says what came before it, the same for all games of a deal:

    "alternate"   deals with even numbers are the first of a match; each other follows a result that is drawn
    "drawn"       every deal follows a result that is drawn
    "none"        every deal is the first of a match
    (10, 4, 2)    every deal follows this result: tricks of dealer, eldest and middle, in the seats of then

A result is drawn so: from one to `MOVES` tricks, equally many times each, move from a seat to another, both by lot and
one after the other, where all had taken their quotas; a result that sends nobody anything, that cannot be or that ends
the match is drawn again. Where two are over their quotas, one of them was so first, by lot. A game without an exchange
has first deals only, unless it is told a result.

Four hands. Bots stand for N, E, S, W, or two of them for N and S, and E and W. Every deal is played as often as they
sit otherwise when all move on by a seat: twice for two pairs, so that each has the cards of both. North deals the
first deal, east the next; each stands alone, as the first of a match.

Matches. The bots, in their order, move on by a seat from match to match; each match has its own cards.

Cards are those of `random_deal` for the seed and the deal's number; of match m and deal d, number m * `SPAN` + d. What
everybody passed is dealt again, `AGAIN` further on for each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NoReturn, TypeAlias

from tierce.solver.advice.draws import Draws
from tierce.solver.checks import as_tuple, check_whole, is_number, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.context import next_exchange, state_after
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import Context
from tierce.solver.games.scoring import DealResult, balances
from tierce.solver.games.state import State, new_match
from tierce.solver.hints.bots import SECONDS_MAX, WORLDS_MAX, seed_of

__all__ = ["AGAIN", "DEALS_MAX", "MATCHES_MAX", "SPAN", "Previous", "Seating", "Table"]

Seating: TypeAlias = tuple[int, ...]  # by seat before the auction, which of the table's names
Previous: TypeAlias = Literal["alternate", "drawn", "none"] | tuple[int, int, int]

DEALS_MAX: Final = 1_000_000
MATCHES_MAX: Final = 100_000
SPAN: Final = 10_000  # numbers of deals for each match
AGAIN: Final = 1 << 40
MOVES: Final = 12  # in raf results so drawn are 1.5 tricks off the quotas on average, those of simple bots 1.6
_TRIES: Final = 200
_WORDS: Final = ("alternate", "drawn", "none")
_ROUND: Final[tuple[Seating, ...]] = ((0, 1, 2), (2, 0, 1), (1, 2, 0))


@dataclass(frozen=True, slots=True)
class Table:
    """What is played. InputError for what cannot be; bots are looked for by `seated_bots`.

    bots      three names, for four hands four or two; instead: others for the place of the bot under study
    deals, matches   how many: one of the two
    seconds, worlds  the budget of bots that need one: wall time of a decision, or worlds for it
    names     each bot once: in a study the one under study, then those instead, and the reference; of matches of three
              hands one for each place
    seatings  of the games of one deal; of matches in turn
    cells     which game of a deal has which name in which seat: those that are compared
    """

    profile: Profile
    bots: tuple[str, ...]
    instead: tuple[str, ...] = ()
    deals: int | None = None
    matches: int | None = None
    seed: int = 1
    seconds: float | None = None
    worlds: int | None = None
    previous: Previous = "alternate"
    names: tuple[str, ...] = field(init=False)
    seatings: tuple[Seating, ...] = field(init=False)
    cells: dict[tuple[int, int], int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        names, seatings, cells = self._seated()
        for name, value in (("names", names), ("seatings", seatings), ("cells", cells)):
            object.__setattr__(self, name, value)

    def _check(self) -> None:
        counts, expected = ((2, 4), "two bots or four") if self.profile.seats == 4 else ((3,), "three bots")
        if len(self.bots) not in counts:
            _refuse("bots", f"expected {expected}, found {len(self.bots)}: {quoted(', '.join(self.bots))}")
        if (self.deals is None) == (self.matches is None):
            _refuse("deals", f"expected deals or matches, found {quoted((self.deals, self.matches))}")
        if self.deals is not None:
            check_whole(self.deals, 1, DEALS_MAX, f"from 1 to {DEALS_MAX:,} deals", "deals")
        if self.matches is not None:
            check_whole(self.matches, 1, MATCHES_MAX, f"from 1 to {MATCHES_MAX:,} matches", "matches")
        check_whole(self.seed, 0, (1 << 63) - 1, "a seed of 0 or more", "seed")
        self._check_budget()
        if self.previous not in _WORDS:
            three = as_tuple(self.previous)
            if three is None or len(three) != 3 or not all(map(is_whole, three)):
                _refuse("previous", f"expected {', '.join(_WORDS)} or three tricks, found {quoted(self.previous)}")
            self._follows(three)

    def _check_budget(self) -> None:
        if self.worlds is not None:
            check_whole(self.worlds, 1, WORLDS_MAX, f"from 1 to {WORLDS_MAX:,} worlds", "worlds")
        if self.seconds is not None and not (is_number(self.seconds) and 0 < self.seconds <= SECONDS_MAX):
            _refuse("seconds", f"expected seconds above 0, {SECONDS_MAX:g} at most, found {quoted(self.seconds)}")
        if self.seconds is not None and self.worlds is not None:
            _refuse("worlds", "expected seconds or worlds, found both")

    def _follows(self, tricks: Sequence[int]) -> None:
        """Refuse a result after which there is no exchange."""
        if self.matches is not None:
            _refuse("previous", "expected no previous result with matches, which begin with their first deal")
        if not self.exchanges:
            _refuse("previous", f"expected a game with an exchange, found {self.profile.id}, which has none")
        if not next_exchange(_after(self.profile, tricks, None)):
            _refuse("previous", "expected a result after which cards are exchanged, found the quotas themselves")

    # ---- seats -------------------------------------------------------------------------------------------------------

    def _seated(self) -> tuple[tuple[str, ...], tuple[Seating, ...], dict[tuple[int, int], int]]:
        if self.profile.seats == 4:
            return self._round_four()
        if self.matches is not None or len(set(self.bots)) == 3:
            if self.instead:
                found = "matches" if self.matches is not None else ", ".join(self.bots)
                _refuse("instead", f"expected deals with two bots that are the same, found {found}")
            return self.bots, _ROUND, {(_ROUND[i][seat], seat): i for i in range(3) for seat in range(3)}
        reference = next(name for name in self.bots if self.bots.count(name) > 1)
        study = next((name for name in self.bots if name != reference), reference)
        others = self.instead or (reference,) * (study != reference)
        names = (study, *others, *(reference,) * (reference not in (study, *others)))
        if len(set(names)) < len(names):
            _refuse("instead", f"expected each bot once, found {quoted(list((study, *others)))}")
        return names, *_studied(range(1 + len(others)), names.index(reference))

    def _round_four(self) -> tuple[tuple[str, ...], tuple[Seating, ...], dict[tuple[int, int], int]]:
        """Four seats: all move on by one, as often as that seats them otherwise."""
        if self.instead:
            _refuse("instead", f"expected nothing instead in {self.profile.id}, where all move round")
        bots = self.bots if len(self.bots) == 4 else self.bots * 2
        names = tuple(dict.fromkeys(bots))
        first = tuple(map(names.index, bots))
        seatings = tuple(dict.fromkeys(first[4 - step :] + first[: 4 - step] for step in range(4)))
        return names, seatings, {}

    @property
    def reference(self) -> str | None:
        """The bot in the two other seats of a study, None where each moves round."""
        if self.profile.seats == 4 or self.matches is not None or len(set(self.bots)) == 3:
            return None
        return next(name for name in self.bots if self.bots.count(name) > 1)

    @property
    def games(self) -> int:
        """How many games there are in all; those of one deal follow one another."""
        return self.matches if self.matches is not None else (self.deals or 0) * len(self.seatings)

    def place(self, game: int) -> tuple[int, Seating]:
        """The deal (or match) of a game, and who sits where."""
        if self.matches is not None:
            return game, self.seatings[game % len(self.seatings)]
        deal, k = divmod(game, len(self.seatings))
        return deal, self.seatings[k]

    # ---- what came before --------------------------------------------------------------------------------------------

    @property
    def exchanges(self) -> bool:
        """Does the game have an exchange from its second deal on?"""
        return bool({"EXCHANGE", "SEND"} & set(self.profile.steps(first=False)))

    def begin(self, deal: int) -> State:
        """The match before a deal."""
        first = new_match(self.profile, deal if self.profile.seats == 4 and self.matches is None else 0)
        if self.matches is not None or not self.exchanges or self.previous == "none":
            return first
        if isinstance(self.previous, tuple):
            return _after(self.profile, self.previous, None)
        if self.previous == "alternate" and deal % 2 == 0:
            return first
        return next(_drawn(self.profile, Draws(seed_of(f"tierce-previous-1:{self.seed}:{deal}"))), first)


def _studied(candidates: Sequence[int], reference: int) -> tuple[tuple[Seating, ...], dict[tuple[int, int], int]]:
    """The games in which each candidate sits in each seat between two of the reference, and which is whose."""
    seatings: dict[Seating, int] = {}
    cells: dict[tuple[int, int], int] = {}
    for candidate in candidates:
        for seat in range(3):
            d, e, m = (candidate if each == seat else reference for each in range(3))
            cells[candidate, seat] = seatings.setdefault((d, e, m), len(seatings))
    return tuple(seatings), cells


def _after(profile: Profile, tricks: Sequence[int], first_over: int | None) -> State:
    """The match after a deal with these tricks, by the seats of then; dealer is then player 0. InputError (field
    "previous")."""
    d, e, m = tricks
    gained = balances(profile.quotas, (d, e, m))
    last = DealResult(2, "", profile.quotas, (d, e, m), gained, first_over)
    try:
        return state_after(profile, Context(number=2, previous=last, totals=(gained[1], gained[2], gained[0])))
    except InputError as error:
        raise InputError("previous", error.message, field="previous") from None


def _drawn(profile: Profile, draws: Draws) -> Iterator[State]:
    """Matches after results by lot, those that will do; none where no such result can be found."""
    for _ in range(_TRIES):
        tricks = list(profile.quotas)
        for _ in range(1 + draws.below(MOVES)):
            giver, to = draws.below(3), draws.below(2)
            tricks[giver] -= 1
            tricks[(giver + 1 + to) % 3] += 1
        up = [seat for seat in range(3) if tricks[seat] > profile.quotas[seat]]
        over = up[draws.below(2)] if len(up) == 2 else up[0] if up else None
        try:
            state = _after(profile, tricks, over)
        except InputError:
            continue
        if next_exchange(state):
            yield state


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field=code)
