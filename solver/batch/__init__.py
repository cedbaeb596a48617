"""Many deals at once: `solve_many`, and the JSON lines of `tierce solve --batch`."""

from tierce.solver.batch.many import PAUSE, Pause, solve_many

__all__ = ["PAUSE", "Pause", "solve_many"]
