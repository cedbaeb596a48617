"""The native search. Layouts of requests and results: tierce.solver.search."""

from collections.abc import Sequence
from typing import final

@final
class Engine:
    """One transposition table and the searches that use it, one at a time.

    Thread safety: `run` may be called from one thread at a time; `cancel` from any thread at any time.
    """

    def __new__(cls, table_bytes: int) -> Engine: ...
    def run(self, requests: bytes, *, cold: bool) -> bytes:
        """Answer packed requests in order; the GIL is released meanwhile.

        cold: the table is emptied before each request. Otherwise it is kept, and requests about another number of
        hands, trump, split or objective than it holds are refused. ValueError for a malformed request. In the main
        thread signal handlers run during the search, and what they raise (KeyboardInterrupt) ends it.
        """
    def trace(
        self, request: bytes, limit: int
    ) -> tuple[bytes, list[tuple[tuple[int, ...], int, tuple[int, ...], int, bool, int]]]:
        """One request, cold, and its first `limit` proofs: hands, leader, trick, need, answer, relevant cards."""
    def clear(self) -> None:
        """Empty the table."""
    def cancel(self) -> None:
        """Stop the search that is running and those to come, until `reset`. From any thread."""
    def reset(self) -> None:
        """Forget a cancellation."""
    @property
    def entries(self) -> int:
        """Entries in the table now."""
    @property
    def used_bytes(self) -> int:
        """Bytes of the table in use now."""
    @property
    def table_bytes(self) -> int:
        """Bytes the table may take."""

def cpu_supports_v3() -> bool:
    """Does this processor run code for x86-64-v3?"""

def sure_trumps(owners: Sequence[int], lead: bool) -> int:
    """Tricks that one seat's trumps are sure of against two, for tests: owners of the trumps, lowest first, 0 for that
    seat, 1 for the one after it, 2 for the one before; `lead`: is it to lead?"""

def set_weights(kind: int, weights: list[int]) -> None:
    """Replace a row of the move ordering's weights: 0 and 1 three and four hands, 2 and 3 the same
    with fewest tricks. For tuning."""

def get_weights(kind: int) -> list[int]:
    """A row of the move ordering's weights."""
