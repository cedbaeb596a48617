"""Many deals at once: `solve_many`, and the JSON lines of `tierce solve --batch`."""

from tierce.solver.batch.many import solve_many

__all__ = ["solve_many"]
