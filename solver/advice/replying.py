"""What dealers' best replies are worth to the others, exactly: many decisions of one deal, as an exchange may leave it.

    settle   the best score the dealer can have in each
    worst    what another seat has at least whichever of his best options the dealer takes, and best: at most

All are asked together, trump by trump and shape by shape of the dealer's hand: a parcel and what comes back for it
leave every suit length as it was, so that a proof made after one parcel serves after most others. 1.4 million options
after 196 parcels took 1.7 s so, a hundred times less than one parcel after another.

Which of the dealer's options are equally good is not found out one by one. An option counts only if it is one of his
best and the other seat's score there is worse than the worst known: the question that was the cheaper in this trump and
shape so far is put first, the second to those that are left.

Values do not depend on the order of the questions, nor on the number of threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from tierce.solver.advice.crews import Crew, Crews, Task
from tierce.solver.advice.judging import Judge
from tierce.solver.advice.leaves import Leaf, Option, Shape
from tierce.solver.advice.measure import measure
from tierce.solver.advice.requests import Head, head_of
from tierce.solver.advice.values import worth_of_seat
from tierce.solver.cards import SUITS

__all__ = ["Replies", "Tie"]

_FIRST_SHAPES: Final = 6  # of a trump, looked at for a good value to begin with
# How much the last leaf counts in what a way to ask took so far, in a shape and in a trump. Each shape begins with what
# its trump took: to try both ways in every shape
# cost a tenth to a third of the nodes, since the first questions are dear.
_NEW: Final = 0.3
_NEW_OF_TRUMP: Final = 0.02


class Tie:
    """What one seat's score may be after the dealer's best replies.

    found   the worst score known (or the best, where that is sought); None before there is one
    done    is it the last word?
    enough  a score below which more need not be known (of the worst)
    """

    __slots__ = ("done", "enough", "found", "leaf")

    def __init__(self, leaf: Leaf, enough: int | None = None) -> None:
        self.leaf = leaf
        self.found: int | None = None
        self.done = False
        self.enough = enough


class _Calls:
    """The searches of one trump: the dealer's, and those of the seat that is asked about.

    spent   nodes an option, with the dealer's question first and with the seat's first
    """

    def __init__(self, trump: int, judges: Sequence[Judge]) -> None:
        self.trump = trump
        self.spent = [0.0, 0.0]
        terms = [term for judge in judges for term in judge.worth.terms]
        self.heads: list[Head] = [head_of("SHDC"[trump], term) for term in terms]


class Replies:
    """Asks about the leaves of an exchange for one seat.

    seat, kind   whose score, and which value of his (see values.py)
    dealers      the value the dealer goes by
    tricks       to be played; extra: those the dealer has besides
    """

    def __init__(self, crews: Crews, seat: int, kind: str, dealers: str, tricks: int, extra: int) -> None:
        self._crews = crews
        self.dealer: Final = Judge(worth_of_seat(dealers, 0, tricks, extra), 0, 0)
        terms = len(self.dealer.worth.terms)
        self.judge: Final = self.dealer if seat == 0 else Judge(worth_of_seat(kind, seat, tricks, extra), seat, terms)
        self._calls = [_Calls(trump, [self.dealer] if seat == 0 else [self.dealer, self.judge]) for trump in SUITS]
        self._lock = threading.Lock()

    # ---- the dealer's best -------------------------------------------------------------------------------------------

    def settle(self, leaves: Sequence[Leaf], do: Callable[[Iterable[Task]], None]) -> None:
        """The dealer's best score in each; at a limit `high` stays above `low`."""
        open_ = [leaf for leaf in leaves if leaf.low < leaf.high]
        for most in (_FIRST_SHAPES, None):
            do(partial(self._settle, call, shape, open_, most) for call, shape in self._parts(open_, most))
        if not self._crews.stop:
            for leaf in open_:
                leaf.high = leaf.low

    def _parts(self, leaves: Sequence[Leaf], most: int | None = None) -> list[tuple[_Calls, Shape]]:
        """Trumps and shapes of the dealer's hand, the most promising shape of a trump first."""
        shapes = list(dict.fromkeys(shape for leaf in leaves for shape in leaf.options))
        hands = {shape: hand for leaf in reversed(leaves) for shape, ((hand, *_), *_) in _firsts(leaf)}
        found = []
        for call in self._calls:
            order = sorted(shapes, key=lambda shape: -measure(hands[shape], call.trump))
            found += [(call, shape) for shape in order[:most]]
        return found

    def _settle(self, call: _Calls, shape: Shape, leaves: Sequence[Leaf], most: int | None, crew: Crew) -> None:
        crew.turn_to(call, fresh=True)
        guess = None
        for leaf in leaves:
            options = leaf.promising(call.trump, shape)
            if not options or crew.stop:
                continue
            if leaf.reached is None:
                self._raise(leaf, self.dealer.exact(crew, options[0], leaf.swapper, guess), call, options[0])
            self._climb(crew, call, leaf, options if most is None else options[:1])
            guess = leaf.low

    def _climb(self, crew: Crew, call: _Calls, leaf: Leaf, options: Sequence[Option]) -> None:
        """Settle that none of these beats the best; what does becomes the best."""
        while options and not crew.stop and leaf.low < leaf.high:
            answers = self.dealer.reaching(crew, options, leaf.low + 1, leaf.swapper)
            if True not in answers:
                return
            options = options[answers.index(True) :]
            self._raise(leaf, self.dealer.exact(crew, options[0], leaf.swapper, leaf.low + 1), call, options[0])

    def _raise(self, leaf: Leaf, score: int | None, call: _Calls, option: Option) -> None:
        with self._lock:
            if score is not None and (leaf.reached is None or score > leaf.low):
                leaf.low, leaf.reached = max(leaf.low, score), (call.trump, option)

    # ---- what it is worth to another seat ----------------------------------------------------------------------------

    def ties(self, ties: Sequence[Tie], do: Callable[[Iterable[Task]], None], *, best: bool = False) -> None:
        """The worst score of the seat over the dealer's best options, or the best. Each leaf must be settled."""
        fresh = [tie for tie in ties if tie.found is None]
        do(partial(self._begin, call, fresh) for call in self._calls)
        open_ = [tie for tie in ties if tie.found is not None and not self._enough(tie, best=best)]
        parts = self._parts([tie.leaf for tie in open_])
        do(partial(self._search, call, shape, open_, best) for call, shape in parts)
        if not self._crews.stop:
            for tie in ties:
                tie.done = tie.enough is None or (tie.found is not None and not self._enough(tie, best=False))

    def _begin(self, call: _Calls, ties: Sequence[Tie], crew: Crew) -> None:
        """The score where the dealer was seen to reach his best."""
        crew.turn_to(call)
        guess = None
        for tie in ties:
            assert tie.leaf.reached is not None
            trump, option = tie.leaf.reached
            if trump == call.trump and not crew.stop:
                tie.found = guess = self.judge.exact(crew, option, tie.leaf.swapper, guess)

    def _enough(self, tie: Tie, *, best: bool) -> bool:
        """Need no more be known?"""
        assert tie.found is not None
        low, high = self.judge.worth.range()
        if best:
            return tie.found >= high
        return tie.found <= low or (tie.enough is not None and tie.found < tie.enough)

    def _search(self, call: _Calls, shape: Shape, ties: Sequence[Tie], best: bool, crew: Crew) -> None:
        crew.turn_to(call, fresh=True)
        spent = list(call.spent)
        for tie in ties:
            options = tie.leaf.promising(call.trump, shape)
            if not options or crew.stop or self._enough(tie, best=best):
                continue
            way = spent.index(min(spent))
            before = crew.nodes
            self._improve(crew, tie, options, best=best, dealer_first=way == 0)
            found = (crew.nodes - before) / len(options)
            spent[way] += (found - spent[way]) * _NEW
            call.spent[way] += (found - call.spent[way]) * _NEW_OF_TRUMP

    def _improve(self, crew: Crew, tie: Tie, options: Sequence[Option], *, best: bool, dealer_first: bool) -> None:
        """Find those of these options that are among the dealer's best and change what is known."""
        for of_dealer in (dealer_first, not dealer_first):
            options = self._best_of(crew, tie, options) if of_dealer else self._changing(crew, tie, options, best=best)
        while options and not crew.stop and not self._enough(tie, best=best):
            self._found(tie, self.judge.exact(crew, options[0], tie.leaf.swapper, tie.found), best=best)
            options = self._changing(crew, tie, options[1:], best=best)

    def _best_of(self, crew: Crew, tie: Tie, options: Sequence[Option]) -> list[Option]:
        """Those that reach the dealer's best score."""
        answers = self.dealer.reaching(crew, options, tie.leaf.low, tie.leaf.swapper)
        return [option for option, reached in zip(options, answers, strict=False) if reached]

    def _changing(self, crew: Crew, tie: Tie, options: Sequence[Option], *, best: bool) -> list[Option]:
        """Those where the seat's score is worse than the worst known, or better than the best."""
        assert tie.found is not None
        need = tie.found + 1 if best else tie.found if tie.enough is None else min(tie.found, tie.enough)
        answers = self.judge.reaching(crew, options, need, tie.leaf.swapper)
        return [option for option, reached in zip(options, answers, strict=False) if reached == best]

    def _found(self, tie: Tie, score: int | None, *, best: bool) -> None:
        with self._lock:
            if score is not None and tie.found is not None:
                tie.found = max(score, tie.found) if best else min(score, tie.found)


def _firsts(leaf: Leaf) -> Iterable[tuple[Shape, Option]]:
    return ((shape, options[0]) for shape, options in leaf.options.items())
