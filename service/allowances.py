"""What a call may spend: its limits within the server's, up to its deadline."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from tierce.service.settings import Settings
from tierce.solver.budget import Budget
from tierce.solver.errors import InputError
from tierce.solver.query import NODES_MAX, Limits
from tierce.v1 import question_pb2

__all__ = ["Allowance", "allowance_of"]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a call may spend.

    timeout    seconds of search
    deadline   the call's, on the monotonic clock, or None
    began      when the call came, on the same clock
    """

    timeout: float
    max_nodes: int | None
    deadline: float | None = None
    began: float = field(default_factory=time.monotonic)

    def seconds(self) -> float:
        """Seconds that a search which begins now may take."""
        left = math.inf if self.deadline is None else self.deadline - time.monotonic()
        return max(1e-9, min(self.timeout, left))

    @property
    def left(self) -> float | None:
        """Seconds until the call's deadline."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    @property
    def limits(self) -> Limits:
        """For a search that begins now."""
        return Limits(self.seconds(), self.max_nodes)

    def budget(self) -> Budget:
        """For a search that begins now."""
        return Budget(self.seconds(), self.max_nodes)

    @property
    def overdue(self) -> bool:
        """Is the call's deadline past?"""
        return self.deadline is not None and time.monotonic() >= self.deadline


def allowance_of(limits: question_pb2.Limits, settings: Settings, deadline: float | None) -> Allowance:
    """The caller's limits within the server's. InputError."""
    seconds, nodes = limits.timeout_seconds, limits.max_nodes
    if not 0 <= seconds < math.inf:  # neither does NaN
        message = f"expected seconds of 0 or more, found {seconds}"
        raise InputError("timeout", message, field="limits.timeout_seconds")
    if nodes > NODES_MAX:
        message = f"expected nodes below 2**63, found {nodes}"
        raise InputError("max_nodes", message, field="limits.max_nodes")
    most = [each for each in (nodes, settings.max_nodes) if each]
    timeout = min(max(seconds, 1e-9), settings.max_seconds) if seconds else settings.max_seconds
    return Allowance(timeout, min(most) if most else None, deadline)
