"""Which cards to send, all hands known: exact, by reply values.

A sender's **reply value** is what he is sure of at the first card when, after the returns, which are forced, everybody
who decides later does what is best for himself: a second sender, the holder of the two of diamonds where he may swap
before the trump is named, the dealer with trump and discard. Others go by their floors; the sender himself, where he
has something to decide later, by the value asked for. What is equally good to others is held against the sender;
`best_case` takes it the other way.

The decisions are a tree of few levels: ways to choose parcels, ways to answer, a dealer's decision at each end (leaves,
see replying.py; ways that leave the same cards share one). It is gone through in waves, the most promising ways first;
what was found in one lets the next stop early where only the best are wanted.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from tierce.solver.advice.choices import choices_of_state
from tierce.solver.advice.crews import Crews, Task, Watch
from tierce.solver.advice.dealer import THREADS_MAX, DealerSearch
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.leaves import Leaf
from tierce.solver.advice.reply_tree import Node, Tree, leaves_after, leaves_of, others_first, outs_of, sends
from tierce.solver.advice.replying import Replies, Tie
from tierce.solver.advice.sending import Way, count_ways, sender_of, sent, ways
from tierce.solver.advice.values import TRICKS_MAX, Kind, worth_of_seat
from tierce.solver.cards import Mask
from tierce.solver.checks import as_tuple, check_type, check_whole, is_number, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.state import State
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, table_bytes
from tierce.solver.search import STOP_TIME

__all__ = ["ExchangeSearch", "FindWays", "exchange_advice"]

FindWays: TypeAlias = Literal["best", "every"]
FIRST_WAVE: Final = 4  # ways looked at before the others, for a good value to begin with
_STAGES: Final = 6  # rounds of questions in a wave, about
WAVE: Final = 300  # dealers' decisions in a wave: more are a better use of one proof, but a longer wait


class _Judged:
    """A way, and what is known of it. `place`: among all ways, the most promising first."""

    __slots__ = ("best_case", "high", "low", "node", "place", "way")

    def __init__(self, way: Way, node: Node, low: int, high: int, place: int) -> None:
        self.way = way
        self.place = place
        self.node = node
        self.low = low
        self.high = high
        self.best_case: int | None = None


class ExchangeSearch:
    """One sender's decision, from the first question to the last; `advice` tells at any time what is known.

    state      where his parcels are due (exchange_of_deal, exchange_of_state, or any state of a match)
    value      floor, share, ceiling, or pair:DE, pair:DM, pair:EM of a pair that he belongs to
    find       "best": the best value and all ways that reach it; "every": the exact value of every way
    target     instead of the best: which ways reach so many tricks
    chosen     parcels (masks) to be valued, too, one for each that is due
    top        so many of the best get their best case, and the next sender's answer to the first of them is found
    limits     only the timeout counts; it begins with `run`
    threads    from 1 to 16; the table's memory is shared out to them

    Thread safety: `advice` and `cancel` from any thread, `run` from one. InputError for wrong arguments.
    """

    def __init__(
        self,
        state: State,
        value: str = "floor",
        *,
        find: FindWays = "best",
        target: float | None = None,
        chosen: Sequence[Mask] | None = None,
        top: int = 10,
        limits: Limits = NO_LIMITS,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        check_type(state, State, "a State")
        if find not in ("best", "every"):
            raise InputError("find", f"expected 'best' or 'every', found {quoted(find)}", field="find")
        if target is not None and not (is_number(target) and -TRICKS_MAX <= target <= TRICKS_MAX):
            raise InputError("target", f"expected a number of tricks, found {quoted(target)}", field="target")
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        check_whole(top, 0, 1_000_000, "a number of ways from 0 to 1,000,000", "top")
        profile = state.profile
        self.state = state
        self.seat = sender_of(state)
        if state.call or profile.calls:
            message = "expected a game where the dealer names a trump after the exchange, found one where he "
            message += "has named it" if state.call else f"calls one of {' '.join(profile.calls)}"
            raise InputError("not_due", message, field="state")
        self.kind = value
        self.find = find
        self.target = target
        self._extra = 1 if profile.kitty_trick else 0
        self.worth = worth_of_seat(value, self.seat, profile.hand, self._extra)
        self._need = None if target is None else self.worth.score(target)
        self._dealers_kind = value if self.seat == 0 else "floor"  # what a dealer goes by in his own choices
        self._chosen_way = None if chosen is None else sent(state, _masks(chosen))
        self.total = count_ways(state)
        self._top = top
        self._timeout = limits.timeout
        self._threads = threads
        self._table_mb = table_mb
        self._crews = Crews(threads, table_bytes(table_mb))
        self._replies: dict[tuple[int, str], Replies] = {}
        self._judged: list[_Judged] = []
        self._chosen: _Judged | None = None
        self._after: ExchangeAdvice | None = None
        self._dealer: DealerAdvice | None = None
        self._later: ExchangeSearch | DealerSearch | None = None
        self._later_nodes = 0
        self._later_stop = 0
        self._cancelled = False
        self._watch: tuple[Watch | None, float] = (None, 0.1)
        self._judged_ways = 0
        self._open_ways = 0  # of the present wave, and how many rounds of questions it has had
        self._stage = 0
        self._began = 0.0
        self._millis = 0.0
        self._lock = threading.Lock()

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Watch | None = None, every: float = 0.1) -> ExchangeAdvice:
        """Search to the end, or to the limit. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the search within 50 ms and comes through; `advice` has what was
        known then.
        """
        self._began = time.monotonic()
        self._watch = watch, every
        self._crews.begin(None if self._timeout is None else self._began + self._timeout)
        tree = Tree(*self._asking(self.seat, self.kind).dealer.worth.range(), self._late)
        try:
            if self._chosen_way is not None and (opened := self._open(tree, self._chosen_way, self.total)):
                self._chosen = opened
                self._judge([opened], None)
            for wave in self._waves(tree):
                self._judge(wave, self._enough())
            self._finish()
        except BaseException:  # what is known then is told as not finished
            self._crews.cancel()
            raise
        finally:
            self._millis = (time.monotonic() - self._began) * 1e3
        return self.advice

    def cancel(self) -> None:
        """Stop the search within 50 ms, from any thread; one that has not begun will not search."""
        self._cancelled = True
        self._crews.cancel()
        if self._later is not None:
            self._later.cancel()

    def _do(self, tasks: Iterable[Task]) -> None:
        watch, every = self._watch
        self._stage += 1

        def told() -> None:
            self._millis = (time.monotonic() - self._began) * 1e3
            if watch is not None:
                watch()

        self._crews.do(tasks, told, every)

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def _late(self) -> bool:
        """Is it time to stop? Opening a tree takes its time, too."""
        if self._timeout is not None and time.monotonic() >= self._began + self._timeout:
            self._crews.halt(STOP_TIME)
        return bool(self._crews.stop)

    def _waves(self, tree: Tree) -> Iterator[list[_Judged]]:
        """All ways, some at a time, as long as nothing stops the search."""
        source, size, place = ways(self.state), FIRST_WAVE, 0
        while not self._late():
            wave: list[_Judged] = []
            leaves = 0
            for way in source:
                place += 1
                if self._chosen is not None and way.sends == self._chosen.way.sends:
                    self._chosen.place = place
                    continue
                opened = self._open(tree, way, place)
                if opened is None:
                    return
                wave.append(opened)
                leaves += leaves_after(way.state)
                if leaves >= size:
                    break
            if not wave:
                return
            size = WAVE
            yield wave

    def _open(self, tree: Tree, way: Way, place: int) -> _Judged | None:
        """A way with the tree below it; None if the search was stopped meanwhile."""
        node = tree.grow(way.state)
        return None if node is None else _Judged(way, node, *self.worth.range(), place)

    def _asking(self, seat: int, kind: str) -> Replies:
        asked = seat, kind
        if asked not in self._replies:
            dealers = self._dealers_kind
            self._replies[asked] = Replies(self._crews, seat, kind, dealers, self.state.profile.hand, self._extra)
        return self._replies[asked]

    # ---- judging -----------------------------------------------------------------------------------------------------

    def _enough(self) -> int | None:
        """The score below which a way is of no interest."""
        if self._need is not None:
            return self._need
        if self.find == "every":
            return None
        return max((each.low for each in self._judged), default=None)

    def _judge(self, wave: Sequence[_Judged], enough: int | None) -> None:
        """Find the scores of some ways; of those below `enough` an upper bound may do."""
        nodes = [each.node for each in wave]
        self._stage, self._open_ways = 0, len(wave)
        self._asking(self.seat, self.kind).settle(leaves_of(nodes), self._do)
        self._settle_outs(nodes)
        if not self._crews.stop:
            found = self._worst(outs_of(nodes), self.seat, enough)
            for each in wave:
                ends = [found[leaf] for leaf in each.node.outs]
                each.low, each.high = min(low for low, _ in ends), min(high for _, high in ends)
        with self._lock:
            self._judged += wave
            if not self._crews.stop:  # else they are not judged to their end
                self._open_ways = 0
                self._judged_ways += len(wave)

    def _settle_outs(self, nodes: Sequence[Node]) -> None:
        """What comes out of each when its decider and those after him do what is best for themselves."""
        open_ = [node for node in nodes if node.kids]
        if not open_:
            return
        self._settle_outs([kid for node in open_ for kid in node.kids])
        for decider in sorted({node.decider for node in open_}):
            mine = [node for node in open_ if node.decider == decider]
            found = self._worst(outs_of([kid for node in mine for kid in node.kids]), decider)
            for node in mine if not self._crews.stop else ():
                scores = [min(found[leaf][0] for leaf in kid.outs) for kid in node.kids]
                best = max(scores)
                node.outs = outs_of([kid for kid, score in zip(node.kids, scores, strict=True) if score == best])

    def _worst(self, leaves: Iterable[Leaf], seat: int, enough: int | None = None) -> dict[Leaf, tuple[int, int]]:
        """Bounds of a seat's score at each leaf if ties of the dealer's go against it."""
        if seat == 0:
            return {leaf: (leaf.low, leaf.high) for leaf in leaves}
        replies = self._asking(seat, self.kind if seat == self.seat else "floor")
        ties = [Tie(leaf, enough) for leaf in leaves]
        if self._crews.stop:
            return {tie.leaf: replies.judge.worth.range() for tie in ties}
        replies.ties(ties, self._do)
        if enough is not None and self._need is None:  # those that may be better than the best so far: exactly
            better = [tie for tie in ties if tie.done and tie.found is not None and tie.found > enough]
            for tie in better:
                tie.enough, tie.done = None, False
            replies.ties(better, self._do)
        low, high = replies.judge.worth.range()
        return {tie.leaf: _bounds(tie, low, high, target=self._need is not None) for tie in ties}

    # ---- what follows ------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        """The best case of the best ways, and what comes after the first of them."""
        best = self._best()[: self._top]
        if self._crews.stop or not best or self._need is not None:
            return
        self._best_cases(best)
        self._crews.rest()
        state = self._best()[0].way.state
        if sends(state):
            later = ExchangeSearch(
                state, top=self._top, limits=self._left(), threads=self._threads, table_mb=self._table_mb
            )
            later._dealers_kind = self._dealers_kind  # both have one dealer to reckon with
            self._after = self._run(later)
            state = self._after.best[0].way.state if self._after.best else state
        if self.seat == 0 and not self._stop and not others_first(state):
            choices = choices_of_state(state)
            kind = cast(Kind, self.kind)
            dealer = DealerSearch(
                choices, kind, find="one", limits=self._left(), threads=self._threads, table_mb=self._table_mb
            )
            self._dealer = self._run(dealer)

    def _best_cases(self, best: Sequence[_Judged]) -> None:
        found: dict[Leaf, int | None] = {}
        if self.seat:
            ties = [Tie(leaf) for leaf in outs_of([each.node for each in best])]
            self._asking(self.seat, self.kind).ties(ties, self._do, best=True)
            found = {tie.leaf: tie.found if tie.done else None for tie in ties}
        for each in best:
            cases = [found[leaf] if self.seat else leaf.low for leaf in each.node.outs]
            known = [case for case in cases if case is not None]
            each.best_case = max(known) if len(known) == len(cases) else None

    def _run(self, later: ExchangeSearch | DealerSearch) -> Any:
        """Run a search that follows this one, in what is left of the time."""
        self._later = later
        if self._cancelled:
            later.cancel()
        watch, every = self._watch
        found = later.run(watch, every)
        self._later_nodes += found.nodes
        self._later_stop = self._later_stop or found.stop
        return found

    def _left(self) -> Limits:
        if self._timeout is None:
            return NO_LIMITS
        return Limits(max(1e-9, self._timeout - (time.monotonic() - self._began)), None)

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def _stop(self) -> int:
        return self._crews.stop or self._later_stop

    @property
    def done(self) -> float:
        """The share of the work that is done, from 0 to 1, roughly; ways count alike, whatever they cost."""
        part = min(1.0, (max(0, self._stage - 1) + self._crews.share) / _STAGES) * self._open_ways
        return min(1.0, (self._judged_ways + part) / self.total)

    @property
    def advice(self) -> ExchangeAdvice:
        """What is known now."""
        with self._lock:
            judged = self._sorted()
        lowest, highest = self.worth.range()
        low = max((each.low for each in judged), default=lowest)
        high = max((each.high for each in judged), default=highest) if len(judged) == self.total else highest
        told = {id(each): self._told(each) for each in judged}
        return ExchangeAdvice(
            state=self.state,
            kind=self.kind,
            worth=self.worth,
            total=self.total,
            ways=tuple(told[id(each)] for each in judged),
            best=tuple(told[id(each)] for each in self._best()),
            low=low,
            high=high,
            target=self.target,
            chosen=self._told_chosen(),
            after=self._after,
            dealer=self._dealer,
            nodes=self._crews.nodes + self._later_nodes,
            millis=self._millis,
            stop=self._stop,
        )

    def _sorted(self) -> list[_Judged]:
        """The best first, of equal ones those with the best best case, as far as that is known, and then the most
        promising."""

        def rank(each: _Judged) -> tuple[float, ...]:
            case = -math.inf if each.best_case is None else each.best_case
            return -each.low, -each.high, -case, each.place

        return sorted(self._judged, key=rank)

    def _best(self) -> list[_Judged]:
        """Those that are known to reach the best score known, or the target."""
        judged = self._sorted()
        if self._need is not None:
            return [each for each in judged if each.low >= self._need]
        lowest, _ = self.worth.range()
        best = max((each.low for each in judged), default=lowest)
        return [each for each in judged if each.low >= best and (best > lowest or each.low == each.high)]

    def _told_chosen(self) -> WayAdvice | None:
        if self._chosen is None and self._chosen_way is not None:  # not even its tree is open
            return WayAdvice(self._chosen_way, self.worth, *self.worth.range())
        return None if self._chosen is None else self._told(self._chosen)

    def _told(self, each: _Judged) -> WayAdvice:
        dealers = {(leaf.low, leaf.high) for leaf in each.node.outs}
        low, high = next(iter(dealers)) if len(dealers) == 1 else (0, 1)
        told = low if low == high and self._dealers_kind == "floor" else None
        return WayAdvice(each.way, self.worth, each.low, each.high, each.best_case, told)


def exchange_advice(
    state: State,
    value: str = "floor",
    *,
    find: FindWays = "best",
    target: float | None = None,
    chosen: Sequence[Mask] | None = None,
    top: int = 10,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> ExchangeAdvice:
    """A sender's best parcels, all hands known. Arguments and errors: `ExchangeSearch`.

    At a limit the advice has bounds (`complete` is False).
    """
    return ExchangeSearch(
        state,
        value,
        find=find,
        target=target,
        chosen=chosen,
        top=top,
        limits=limits,
        threads=threads,
        table_mb=table_mb,
    ).run()


# ---- small matters ---------------------------------------------------------------------------------------------------


def _bounds(tie: Tie, low: int, high: int, *, target: bool) -> tuple[int, int]:
    """What is told of a score in a range. Of one below what was enough, or that reaches a target, no more than that:
    how much more was seen depends on the order of the questions."""
    if tie.found is None:
        return low, high
    if tie.enough is not None and tie.found < tie.enough:
        return low, min(high, tie.enough - 1)
    if not tie.done:
        return low, tie.found
    return (tie.enough, high) if target and tie.enough is not None else (tie.found, tie.found)


def _masks(chosen: Sequence[Mask]) -> tuple[Mask, ...]:
    values = as_tuple(chosen)
    if values is None or not all(map(is_whole, values)):
        raise InputError("parcel", f"expected parcels as masks, found {quoted(chosen)}", field="chosen")
    return values
