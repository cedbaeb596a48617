"""The `tierce` command.

`main` hears Ctrl-C before it imports anything that takes time, so this file and `interrupts` import next to nothing.
"""

from __future__ import annotations

from tierce.cli import interrupts

TYPE_CHECKING = False  # type checkers take it for true; the module `typing` would take its time
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line; never returns."""
    interrupts.starting()
    try:
        from tierce.cli.exits import leave, run_command
        from tierce.cli.group import cli
    except (MemoryError, ImportError) as error:
        interrupts.no_room_to_start(error)
    leave(run_command(cli, args))
