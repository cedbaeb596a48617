"""What waits for a thread, by caller, and who is next.

Next is the caller who has the fewest pieces of work in hand, of equal ones who has waited longest since it was last
served. Callers are told apart at two levels: who they are (token, certificate or address), and then by connection.

Thread safety: none; the pool's lock is held.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierce.service.pool import Caller, Job

__all__ = ["Lines"]


class Lines:
    """What waits, by caller."""

    def __init__(self) -> None:
        self.waiting: dict[Caller, deque[Job]] = {}
        self.by_who: Counter[str] = Counter()
        self.in_hand: Counter[str | Caller] = Counter()
        self.served: dict[str | Caller, int] = {}
        self.turn = count(1)

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    @property
    def counted(self) -> int:
        """Those that are not patient."""
        return self.by_who.total()

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.caller, deque()).append(job)
        self.by_who[job.caller.who] += not job.patient

    def remove(self, job: Job) -> bool:
        """Take a job out; False if it no longer waits."""
        line = self.waiting.get(job.caller)
        if line is None or job not in line:
            return False
        line.remove(job)
        if not line:
            del self.waiting[job.caller]
        self.by_who[job.caller.who] -= not job.patient
        if not self.by_who[job.caller.who]:
            del self.by_who[job.caller.who]
        return True

    def next(self, *, spare: bool) -> Job | None:
        """The job that is next, or None; for the spare only of who has nothing in hand."""
        callers = [each for each in self.waiting if not spare or not self.in_hand[each]]
        if not callers:
            return None
        caller = min(callers, key=lambda each: (*self._rank(each.who), *self._rank(each)))
        turn = next(self.turn)
        for key in (caller.who, caller):
            self.in_hand[key] += 1
            self.served[key] = turn
        job = self.waiting[caller][0]
        self.remove(job)
        return job

    def for_spare(self) -> bool:
        """Is there something that the spare may take?"""
        return any(not self.in_hand[each] for each in self.waiting)

    def _rank(self, key: str | Caller) -> tuple[int, int]:
        return self.in_hand[key], self.served.get(key, 0)

    def finished(self, job: Job) -> None:
        for key in (job.caller.who, job.caller):
            self.in_hand[key] -= 1
            if not self.in_hand[key]:
                del self.in_hand[key]
        if len(self.served) > 10_000:  # callers long gone
            self.served = {key: turn for key, turn in self.served.items() if key in self.in_hand}

    def to_give_way(self, caller: Caller) -> Job | None:
        """The last of who has the most waiting, if that is more than the newcomer would have; else None."""
        if not self.by_who:
            return None
        who = max(self.by_who, key=lambda each: self.by_who[each])
        if who != caller.who and self.by_who[who] <= self.by_who[caller.who] + 1:
            return None
        lines = [each for each in self.waiting if each.who == who]
        most = max(lines, key=self._counted)
        if who == caller.who and self._counted(most) <= self._counted(caller) + 1:
            return None
        job = next(each for each in reversed(self.waiting[most]) if not each.patient)
        self.remove(job)
        return job

    def _counted(self, caller: Caller) -> int:
        return sum(not job.patient for job in self.waiting.get(caller, ()))
