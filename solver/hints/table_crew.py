"""The games of a table played, here or on several processes.

    for game in run_table(table, threads=2): ...      as they are finished

Processes, not threads: most of a bot's work holds the interpreter's lock. They are started anew ("spawn"), so a program
that asks for more than one must guard its main module as `multiprocessing` has it. Games depend on the table and their
number alone, so that they are the same on any number of processes, as long as no bot goes by time: bots that do share
the processor's cores with one another, and get less done where there are more processes than cores.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, TypeAlias

from tierce.solver.checks import check_whole
from tierce.solver.hints.bots import Bot
from tierce.solver.hints.table_games import Fault, Game, Times, play_game, seated_bots
from tierce.solver.hints.tables import Table

__all__ = ["THREADS_MAX", "Watch", "run_table"]

THREADS_MAX: Final = 64
TICK: Final = 0.1  # seconds between two looks at the watch

Games: TypeAlias = Generator[Game, None, None]
Watch: TypeAlias = Callable[[int], None]  # is told how many games are done, again and again


def run_table(table: Table, *, threads: int = 1, records: bool = False, watch: Watch | None = None) -> Games:
    """Play the games of a table; each comes when it is finished.

    threads  processes; with 1 all is done in this one
    records  whether games keep what was dealt and played
    watch    is called with the number of games done, before every decision or ten times a second; what it raises
             comes through

    Closing the iterator, and whatever is raised, ends the processes. InputError (field "bots" or "threads").
    """
    check_whole(threads, 1, THREADS_MAX, f"from 1 to {THREADS_MAX} threads", "threads")
    bots = seated_bots(table)
    if threads > 1:
        return _run_there(table, min(threads, table.games), records, watch)
    return _run_here(table, bots, records, watch)


def _run_here(table: Table, bots: Sequence[Bot], records: bool, watch: Watch | None) -> Games:
    for number in range(table.games):
        looks = None if watch is None else lambda number=number: watch(number)
        yield _kept(play_game(table, bots, number, looks), records)


def _kept(game: Game, records: bool) -> Game:
    return game if records else replace(game, deals=(), context=None)


# ---- processes -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Worker:
    """A process, the way to it, and the game that it is at."""

    process: BaseProcess
    pipe: Connection
    game: int


def _run_there(table: Table, threads: int, records: bool, watch: Watch | None) -> Games:
    left = iter(range(table.games))
    workers: list[_Worker] = []
    done = 0
    try:
        for _ in range(threads):
            workers.append(_begun(table, next(left), records))
        while workers:
            if watch is not None:
                watch(done)
            ready = wait([each.pipe for each in workers], TICK)
            for worker in [each for each in workers if each.pipe in ready]:
                game, alive = _answer(table, worker)
                number = next(left, None)
                if alive and number is not None:
                    worker.game = number
                    worker.pipe.send(number)
                else:
                    workers.remove(worker)
                    _end(worker)
                    if number is not None:
                        workers.append(_begun(table, number, records))
                done += 1
                yield game
    finally:
        for worker in workers:
            _end(worker)


def _begun(table: Table, number: int, records: bool) -> _Worker:
    """A new process, at work on a game."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, table, records), daemon=True, name="tierce")
    with _uninterrupted():
        process.start()
    theirs.close()  # so that its end is seen
    ours.send(number)
    return _Worker(process, ours, number)


def _answer(table: Table, worker: _Worker) -> tuple[Game, bool]:
    """The game that a process was at, and whether the process is still there."""
    try:
        found = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        said = f"the process that played it ended by itself (exit code {worker.process.exitcode})"
        deal, seating = table.place(worker.game)
        return Game(
            worker.game, deal, seating, (), (), (Times(),) * table.profile.seats, (), None, Fault("", said)
        ), False
    if isinstance(found, Game):
        return found, True
    raise RuntimeError(f"a game could not be played: {found}")


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.terminate()
    worker.process.join()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that is started here has no Ctrl-C of its own: the one who started it ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, table: Table, records: bool) -> None:
    """A process: games by their numbers, to the end. What bots print goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    with suppress(EOFError, OSError):
        try:
            bots = seated_bots(table)
            while True:
                pipe.send(_kept(play_game(table, bots, pipe.recv()), records))
        except (EOFError, OSError):
            raise
        except BaseException as error:
            pipe.send(f"{type(error).__name__}: {error}")
