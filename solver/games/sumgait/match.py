"""A match of Sumgait Driller: what a deal does to Game and Vist of the three players, to three times 1000.

Each player needs Game 1000. On the way lies the hill: a Game that would land between 880 and 1000 is cut to 880, and
from there 1000 must be reached in one game; a game that falls short is a failure, the third costs 120 (to 760). Who has
1000 plays for the laggard, the player with the lowest Game below 1000: the points of his next games go to that Game,
and ten times what was credited to his own Vist. The match is over when all three have 1000.

What the source does not say goes by options:

overflow          the surplus of the game that crosses 1000: `drop`, `transfer` (to the laggard, with ten times Vist),
                  `keep` (Game stays above 1000)
laggard_tie       two are equally far behind: `next` clockwise, or the one with less `vist` (then the next clockwise)
laggard_cap       credits end at 1000 and only what was credited counts ten times; else all of it, both ways
laggard_negative  points below 0 of a player at 1000: `none`, or `transfer` (the laggard loses them, the player ten
                  times as much Vist)
hill_first        landing on the hill is itself a failure
hill_negative     points below 0 on the hill: he `leaves` it, failures forgotten, or it is a `failure` like any other
hill_credit       credits that land on the hill are `cut` to 880 or `free` to stay; never a failure
vist_floor        Vist does not fall below 0
A PASS that brings no points is no attempt at the hill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tierce.solver.games.sumgait.prices import PASS, score

__all__ = [
    "GOAL", "HILL", "Result", "Tallies", "Tally", "at_goal", "impossible", "laggard", "on_hill", "scored", "start",
]  # fmt: skip

GOAL: Final = 1000
HILL: Final = 880
_AFTER_FAILURES: Final = 760
_FAILURES: Final = 3
_TIMES: Final = 10
_STEP: Final = 10  # all points are multiples of it
_MOST: Final = 10**6  # points of any match, by far

Options = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's columns so far; `failures` on the hill he stands on."""

    game: int = 0
    vist: int = 0
    failures: int = 0


Tallies = tuple[Tally, Tally, Tally]


@dataclass(frozen=True, slots=True)
class Result:
    """A deal that has been scored. `declarer`, `credited` are players; tricks, vist and tallies go by player.

    marriages  suits declared trump, in their order; points: of the declarer's column Game, before hill and laggard
    price      of a trick in Vist; vist: what the deal itself gave to each, without ten times the credits
    credited   who got points of a player at 1000, and how many of them; None: nobody
    tallies    after the deal
    """

    declarer: int
    call: str
    marriages: tuple[int, ...]
    tricks: tuple[int, int, int]
    points: int
    price: int
    vist: tuple[int, int, int]
    credited: tuple[int, int] | None
    tallies: Tallies


def start() -> Tallies:
    """The columns before the first deal."""
    return Tally(), Tally(), Tally()


def at_goal(tally: Tally) -> bool:
    """Does he have his 1000?"""
    return tally.game >= GOAL


def on_hill(tally: Tally) -> bool:
    """Does he stand on the hill?"""
    return HILL <= tally.game < GOAL


def impossible(tallies: Tallies, options: Options) -> tuple[str, str, int] | None:
    """The first cell that no match comes to: its column, in words what was expected, and what was found; None if there
    is none."""
    for player, tally in enumerate(tallies, 1):
        cells = {
            "game": _wrong_game(tally.game, options),
            "vist": _wrong_points(tally.vist, floor=bool(options["vist_floor"])),
            "failures": _wrong_failures(tally),
        }
        for column, expected in cells.items():
            if expected:
                return column, f"{column} of player {player} to be {expected}", getattr(tally, column)
    return None


def _wrong_game(game: int, options: Options) -> str:
    """What was expected in place of a Game; "" if that may be."""
    if HILL < game < GOAL and options["hill_credit"] == "cut":
        return f"at most {HILL}, or {GOAL} (from {HILL} on all is cut to {HILL})"
    if game > GOAL and options["overflow"] != "keep" and options["laggard_cap"]:
        return f"at most {GOAL} (what is beyond is not kept)"
    return _wrong_points(game, floor=False)


def _wrong_points(points: int, *, floor: bool) -> str:
    if abs(points) > _MOST:
        return f"from {-_MOST} to {_MOST}"
    if points % _STEP:
        return f"a multiple of {_STEP}"
    return "0 or more (vist_floor)" if floor and points < 0 else ""


def _wrong_failures(tally: Tally) -> str:
    most = _FAILURES - 1 if on_hill(tally) else 0
    return "" if 0 <= tally.failures <= most else f"0 to {most}" if most else "0 off the hill"


def laggard(tallies: Sequence[Tally], player: int, tie: str = "next") -> int | None:
    """Who gets the points of a player at 1000; None when nobody else is short of it."""
    others = [each for each in ((player + 1) % 3, (player + 2) % 3) if not at_goal(tallies[each])]
    if not others:
        return None
    return min(others, key=lambda each: (tallies[each].game, tallies[each].vist if tie == "vist" else 0))


def scored(
    tallies: Tallies, declarer: int, call: str, marriages: Sequence[int], tricks: Sequence[int], options: Options
) -> Result:
    """The columns after a deal; `tricks` by seat of the deal."""
    worth = score(call, marriages, tricks, options)
    after = _Columns(tallies, options)
    by_player = _by_player(worth.vist, declarer)
    for player, gained in enumerate(by_player):
        after.add_vist(player, gained)
    if at_goal(tallies[declarer]):
        after.pass_on(declarer, worth.game)
    elif worth.game or call != PASS:
        after.own(declarer, worth.game)
    first, second, third = after.settled()
    return Result(
        declarer,
        call,
        tuple(marriages),
        _by_player(tricks, declarer),
        worth.game,
        worth.price,
        by_player,
        after.credited,
        (first, second, third),
    )


def _by_player(by_seat: Sequence[int], declarer: int) -> tuple[int, int, int]:
    first, second, third = (by_seat[(player - declarer) % 3] for player in range(3))
    return first, second, third


class _Columns:
    """The three tallies while a deal is entered."""

    def __init__(self, tallies: Tallies, options: Options) -> None:
        self.now = list(tallies)
        self.options = options
        self.credited: tuple[int, int] | None = None

    def settled(self) -> list[Tally]:
        """The tallies when all is entered."""
        if self.options["vist_floor"]:
            return [replace(each, vist=max(0, each.vist)) for each in self.now]
        return self.now

    def add_vist(self, player: int, gained: int) -> None:
        self.now[player] = replace(self.now[player], vist=self.now[player].vist + gained)

    def put(self, player: int, game: int, failures: int = 0) -> None:
        self.now[player] = replace(self.now[player], game=game, failures=failures)

    def own(self, player: int, points: int) -> None:
        """The points of a player short of 1000, to himself."""
        tally = self.now[player]
        total = tally.game + points
        if total >= GOAL:
            self.reach(player, total)
        elif on_hill(tally) and (points >= 0 or self.options["hill_negative"] == "failure"):
            self.fail(player)
        elif total >= HILL:
            self.put(player, HILL, 1 if self.options["hill_first"] and not on_hill(tally) else 0)
        else:
            self.put(player, total)

    def reach(self, player: int, total: int) -> None:
        keep = self.options["overflow"] == "keep"
        self.put(player, total if keep else GOAL)
        if self.options["overflow"] == "transfer" and total > GOAL:
            self.pass_on(player, total - GOAL)

    def fail(self, player: int) -> None:
        failures = self.now[player].failures + 1
        if failures == _FAILURES:
            self.put(player, _AFTER_FAILURES)
        else:
            self.put(player, HILL, failures)

    def pass_on(self, player: int, points: int) -> None:
        """The points of a player at 1000, to the laggard; ten times as much Vist to himself."""
        to = laggard(self.now, player, str(self.options["laggard_tie"]))
        if to is None or points == 0 or (points < 0 and self.options["laggard_negative"] == "none"):
            return
        before = self.now[to]
        total = self.capped(before.game + points)
        self.credited = (to, total - before.game)
        self.put(to, total, before.failures if HILL <= total < GOAL else 0)
        counted = total - before.game if self.options["laggard_cap"] else points
        self.add_vist(player, _TIMES * counted)

    def capped(self, total: int) -> int:
        """Where a credit that would bring a Game to `total` brings it."""
        if total >= GOAL:
            return GOAL if self.options["laggard_cap"] else total
        return HILL if total >= HILL and self.options["hill_credit"] == "cut" else total
