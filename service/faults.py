"""What goes wrong besides the question itself. Imports next to nothing, for a command to know it by."""

from __future__ import annotations

from tierce.solver.errors import TierceError

__all__ = ["ServiceError"]


class ServiceError(TierceError):
    """The service did not answer, for a reason that is not the question's.

    code    queue_full, draining, unavailable, unauthenticated, permission, unimplemented, internal, too_large,
            memory, slow_reader, streams
    retry_after   seconds after which another try may do better; None where none will
    """

    def __init__(self, code: str, message: str, *, field: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(code, message, field=field)
        self.retry_after = retry_after
