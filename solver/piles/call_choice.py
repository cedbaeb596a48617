"""To play, PASS or MISERE; and with twenty-two cards in hand which four to give, for whichever of these is best."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, TypeAlias

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.games.sumgait.actions import Call, Give
from tierce.solver.games.sumgait.prices import MISERE, PASS, PLAY
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.calls import PassValue, PlayValue, Sums, plus
from tierce.solver.piles.decision_results import Choice, Method
from tierce.solver.piles.giving import Gift, GiveRace, Owned, Pair
from tierce.solver.piles.view import Judge, PileView
from tierce.solver.piles.wants import Want

__all__ = ["CallChoice", "CallValues", "GiveChoice", "judge_of", "owned_of"]

_LADDER: Final = ((128, 16), (512, 32), (2048, 128), (8192, 512), (32768, 2048))  # orders played out, and played well
_WELL: Final = 16  # orders to one that is played well, where the number of orders is told, and
_WELL_LEAST: Final = 16  # so many at least: with fewer the error of their mean is itself a guess
_ROUND_WELL: Final = 4  # of them in a round, whatever the threads, for a choice may be settled after each
_PIECE: Final = 32  # orders of three piles
_OUT: Final = 256  # orders that a thread plays out
_CLOSE: Final = 4.0  # standard errors
_RACE: Final = 0.5  # of the time, for the race before the calls are compared
Valued: TypeAlias = PlayValue | PassValue


def judge_of(view: View, call: str) -> Judge:
    """How jokers are judged under a call."""
    options = view.game.options
    low = call == MISERE and options["misere_jokers"] == "low"
    procedure, lead = str(options["joker_resolution"]), str(options["joker_lead_suit"])
    return Judge(procedure, lead, bool(options["joker_free"]), low)


def owned_of(view: View, call: str) -> Owned:
    """The cards of a view before they are given, for a call."""
    known = view.known[1], view.known[2]
    return Owned(view.hand, view.unseen, known, judge_of(view, call), marriages=call == PLAY)


def calls_of(view: View, want: Want) -> tuple[str, ...]:
    """What may still be called, as far as it can be worth anything."""
    if view.call:
        return (view.call,)
    early = view.game.options["misere_time"] == "before_kitty"
    calls = (PLAY, PASS) if early else (PLAY, PASS, MISERE)
    return tuple(call for call in calls if want.counts(call))


@dataclass(frozen=True, slots=True)
class _Row:
    """A call: what is wanted, tricks, the chance that it is made, the orders met, those of them played well."""

    call: str
    value: Figure
    tricks: Figure
    share: float
    worlds: int
    well: int

    def choice(self, action: Call | Give, plan: str = "") -> Choice:
        """As a choice."""
        return Choice(action, self.value, self.tricks, self.share, self.worlds, plan, self.well)


class CallValues:
    """Calls valued, each for a deal of its own before the first trick; most: orders, None for no end."""

    def __init__(
        self, views: Mapping[str, PileView], want: Want, *, seed: int, threads: int, stop: Stop, most: int | None
    ) -> None:
        self._threads = threads
        self._valued: dict[str, Valued] = {}
        for call, view in views.items():
            if call == PASS:
                self._valued[call] = PassValue(view, want, seed=seed)
            else:
                self._valued[call] = PlayValue(view, want, call, seed=seed, threads=threads, stop=stop)
        self._ladder = iter(_LADDER if most is None else [(most, max(_WELL_LEAST, most // _WELL))])
        self._goals = next(self._ladder)
        self.done = False

    def step(self) -> None:
        """A round of some milliseconds."""
        out, well = self._goals
        for each in self._valued.values():
            if (had := _sums(each).count) < out:
                each.step(min(_OUT * self._threads if isinstance(each, PlayValue) else _PIECE, out - had))
                return
        if (due := self._due(well)) is not None:
            left = _ROUND_WELL - due.gain.count % _ROUND_WELL
            due.step_well(min(self._threads, left, well - due.gain.count))
            return
        goals = next(self._ladder, None)
        self.done = goals is None
        self._goals = goals or self._goals

    @property
    def even(self) -> bool:
        """Are all calls at the end of a round, so that what is known does not depend on the threads?

        Each has met all orders of the stage, and been played well in so many that its value is not told without what
        better play gains.
        """
        out, well = self._goals
        wells = [each.gain.count for each in self._valued.values() if isinstance(each, PlayValue)]
        return all(_sums(each).count >= out for each in self._valued.values()) and all(
            count >= well or (count >= _WELL_LEAST and not count % _ROUND_WELL) for count in wells
        )

    def _due(self, well: int) -> PlayValue | None:
        """What is played well next: one in the middle of a round, else one in question, else one that lacks its
        least."""
        played = [each for each in self._valued.values() if isinstance(each, PlayValue) and each.gain.count < well]
        begun = [each for each in played if each.gain.count % _ROUND_WELL]
        asked = [each for each in self._in_question() if each.gain.count < well]
        lacking = [each for each in played if each.gain.count < _WELL_LEAST]
        return next(iter(begun or asked or lacking), None)

    def _in_question(self) -> list[PlayValue]:
        """Those that may be the best, the one that was least played well first."""
        best = max(self._figure(call).value for call in self._valued)
        found = []
        for call, each in self._valued.items():
            figure = self._figure(call)
            error = inf if figure.error is None else figure.error
            if figure.value + _CLOSE * error >= best:
                found += [each] if isinstance(each, PlayValue) else []
        return sorted(found, key=lambda each: each.gain.count)

    def _figure(self, call: str) -> Figure:
        each = self._valued[call]
        return each.value if isinstance(each, PlayValue) else each.sums.value

    @property
    def tried(self) -> bool:
        """Has every call met some orders?"""
        return all(_sums(each).count for each in self._valued.values())

    def row(self, call: str) -> _Row:
        """What a call is worth."""
        each, sums = self._valued[call], _sums(self._valued[call])
        worth = each.well(sums) if isinstance(each, PlayValue) else (sums.value, sums.mean_tricks, sums.share)
        return _Row(call, *worth, sums.count, each.gain.count if isinstance(each, PlayValue) else 0)

    def beside(self, row: _Row, gift: Gift) -> tuple[Figure, Figure, float]:
        """Value, tricks and the chance that a call is made with other cards given, from how far these were ahead."""
        value, tricks, share = plus(row.value, gift.ahead), plus(row.tricks, gift.tricks), row.share + gift.share
        each = self._valued[row.call]
        return each.within(value, tricks, share) if isinstance(each, PlayValue) else (value, tricks, share)

    def rows(self) -> list[_Row]:
        """What the calls are worth, the best first."""
        return sorted(map(self.row, self._valued), key=lambda row: -row.value.value)


def _sums(each: Valued) -> Sums:
    return each.out if isinstance(each, PlayValue) else each.sums


def apart(one: Figure, other: Figure) -> Figure:
    """The difference of two figures, errors of their own."""
    return plus(one, Figure(-other.value, other.error))


def clear(lead: Figure | None) -> bool:
    """Is a lead beyond doubt?"""
    return lead is not None and lead.error is not None and lead.value > max(_CLOSE * lead.error, 0.0)


class CallChoice:
    """What to call."""

    forced = False

    def __init__(self, view: View, want: Want, *, seed: int, threads: int, stop: Stop, most: int | None) -> None:
        self._calls = calls_of(view, want)
        views = {call: _called(view, call) for call in self._calls}
        self._values = CallValues(views, want, seed=seed, threads=threads, stop=stop, most=most)

    def step(self, most: int | None, end: float) -> None:
        """A round of some milliseconds."""
        self._values.step()

    @property
    def done(self) -> bool:
        """Is all done that was asked for?"""
        return self._values.done

    @property
    def settled(self) -> bool:
        """Is there nothing left to decide?"""
        rows = self._values.rows() if self._values.tried and self._values.even else []
        if not rows:
            return False
        return len(rows) < 2 or (rows[0].worlds >= _LADDER[0][0] and clear(self.lead()))

    @property
    def method(self) -> Method:
        """How the choices are valued."""
        return "playouts" if self._values.tried else "rule"

    def choices(self) -> list[Choice]:
        """The best first."""
        if not self._values.tried:
            return [Choice(Call(self._calls[0]), Figure(0.0, None), Figure(0.0, None), 0.0, 0)]
        return [each.choice(Call(each.call)) for each in self._values.rows()]

    def lead(self) -> Figure | None:
        """How far the best is ahead of the runner-up."""
        rows = self._values.rows() if self._values.tried else []
        return apart(rows[0].value, rows[1].value) if len(rows) > 1 else None


def _called(view: View, call: str) -> PileView:
    """The deal before its first trick under a call."""
    known = view.known[1], view.known[2]
    return PileView(view.hand, view.unseen, known, marriages=call == PLAY, judge=judge_of(view, call))


class GiveChoice:
    """Which four cards to give: a race for each call that has one of its own, then the calls compared.

    PASS is worth next to the same whatever is given, and is valued with the cards given for PLAY and for MISERE.

    The best of many in the same orders owes part of its mean to them. The first of each race is therefore valued in
    orders of its own, and the others by how far they were behind it in the orders of the race.
    """

    forced = False

    def __init__(
        self, view: View, want: Want, *, seed: int, threads: int, stop: Stop, most: int | None, began: float = 0.0
    ) -> None:
        self._view, self._want, self._most = view, want, most
        self._asked: dict[str, Any] = {"seed": seed, "threads": threads, "stop": stop}
        self._calls = calls_of(view, want)
        self._races = {
            call: GiveRace(owned_of(view, call), want, call, most=most, seed=seed, threads=threads, stop=stop)
            for call in self._calls
            if call != PASS
        }
        self._values: CallValues | None = None
        self._began = began
        self._turn = 0
        self._told: list[Choice] | None = None  # until the next step: hundreds of ways are compared for it
        self.done = False

    def step(self, most: int | None, end: float) -> None:
        """A round of some milliseconds; `end`: of the time, by `time.monotonic`."""
        self._told = None
        if self._values is None and self._racing(time.monotonic(), end):
            race = self._due()
            race.step()
            return
        if self._values is None:
            self._values = self._compared()
        if self._values.done:
            self.done = True
            return
        self._values.step()

    def _racing(self, now: float, end: float) -> bool:
        if self.method == "rule":
            return True
        if self._most is not None:
            return not all(race.done for race in self._races.values())
        return now < self._began + _RACE * (end - self._began)

    def _due(self) -> GiveRace:
        """The race for PLAY has three turns of four."""
        self._turn += 1
        races = [race for race in self._races.values() if not race.done]
        return races[0 if self._turn % 4 else -1]

    def _compared(self) -> CallValues:
        views = {call: race.first for call, race in self._races.items()}
        found = {call: owned_of(self._view, call).given(pair) for call, pair in views.items()}
        if PASS in self._calls:
            found[PASS] = owned_of(self._view, PASS).given(self._passed())
        return CallValues(found, self._want, most=self._most, **self._asked)

    def _passed(self) -> Pair:
        """What to give for PASS: as for MISERE where weak cards win the match, else as for PLAY."""
        call = MISERE if self._want.by == "match" and MISERE in self._races else PLAY
        return self._races[call].first

    @property
    def settled(self) -> bool:
        """Never before the time is up: fours that come to the same are many."""
        return False

    @property
    def method(self) -> Method:
        """How the choices are valued."""
        return "playouts" if any(race.tried for race in self._races.values()) else "rule"

    def choices(self) -> list[Choice]:
        """The best first: the best for each call among the first, then what was tried for the best call."""
        if self._told is None:
            self._told = self._choices()
        return self._told

    def _choices(self) -> list[Choice]:
        found = {call: list(self._rows(call, race)) for call, race in self._races.items()}
        heads = [rows[0] for rows in found.values() if rows]
        if self._values is not None and self._values.tried and PASS in self._calls:
            heads.append(self._values.row(PASS).choice(Give(*self._passed()), PASS))
        if not heads:
            first = next(iter(self._races))
            nothing = Figure(0.0, None)
            return [Choice(Give(*self._races[first].first), nothing, nothing, 0.0, 0, plan=first)]
        heads.sort(key=lambda each: -each.value.value)
        rest = found.get(heads[0].plan, [])[1:]
        at = 0
        while at < len(rest) and len(heads) > 1 and rest[at].value.value >= heads[1].value.value:
            at += 1
        return self._set_apart([heads[0], *rest[:at], *heads[1:], *rest[at:]])

    def _set_apart(self, found: list[Choice]) -> list[Choice]:
        """The first with the orders that set it apart from the second: another call was compared in other ones."""
        if self._values is not None and len(found) > 1 and found[1].plan != found[0].plan:
            found[0] = replace(found[0], worlds=self._values.row(found[0].plan).worlds)
        return found

    def _rows(self, call: str, race: GiveRace) -> Iterator[Choice]:
        """What was tried for a call, the best first."""
        values = self._values if self._values is not None and self._values.tried else None
        row = None if values is None else values.row(call)
        for each in race.order():
            sums = each.sums
            worth = sums.value, sums.mean_tricks, sums.share
            if values is not None and row is not None:
                worth = values.beside(row, each)
            yield Choice(Give(*each.pair), *worth, sums.count, plan=call, well=0 if row is None else row.well)

    def lead(self) -> Figure | None:
        """How far the best is ahead of the runner-up."""
        found = self.choices()
        if len(found) < 2:
            return None
        if found[0].plan == found[1].plan and found[0].plan in self._races:
            return self._races[found[0].plan].lead()
        return apart(found[0].value, found[1].value)
