"""Many deals: `tierce solve --batch` and `tierce solve --pbn`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import click

from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, interruptible
from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.cards import seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, TierceError
from tierce.solver.pbn import PbnGame, read_pbn
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query

LINE_MAX = 10_001


@contextmanager
def opened(path: str) -> Iterator[IO[str]]:
    """A text file, `-` is stdin. Bytes that are no UTF-8 become marks that the line's reader refuses."""
    if path == "-":
        yield sys.stdin
        return
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        yield file


def batch(given: dict[str, Any]) -> int:
    """JSON lines in, JSON lines out. Exit code: the worst that happened to a line."""
    from tierce.solver.batch.jsonl import solve_lines

    for name in ("trump", "discard", "leader", "dealer", "side", "play", "at_least", "at_most"):
        if given[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --batch: each line says its own")
    for name in ("line", "relevant", "table", "kitty_first"):
        if given[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --batch")
    limits = Limits(given["timeout"], given["max_nodes"])
    bad = stopped = 0
    with opened(given["batch"]) as file, _progress(given["batch"]) as tick:
        answers = solve_lines(file, threads=given["threads"], table_mb=given["table_mb"], limits=limits)
        for answer in answers:
            bad += "error" in answer
            stopped += answer.get("complete") is False
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
            tick()
    if bad:
        complain(f"{bad} line{'s' if bad != 1 else ''} could not be read; see the 'error' objects")
    if stopped:
        complain(f"a limit stopped {stopped} of the searches")
    return LIMIT if stopped else BAD_DATA if bad else OK


@contextmanager
def _progress(path: str) -> Iterator[Any]:
    """A bar on stderr, only on a terminal and only where the length is known."""
    if not sys.stderr.isatty() or path == "-" or sys.stdout.isatty():
        yield lambda: None
        return
    with Path(path).open("rb") as file:
        length = sum(1 for line in file if line.strip())
    with click.progressbar(length=length, file=sys.stderr, label="solving") as bar:
        yield lambda: bar.update(1)


def pbn(asked: Asked, given: dict[str, Any]) -> int:
    """Every game of a PBN file: the strain asked for, or the table of all."""
    for name in ("at_least", "at_most", "play", "dealer"):
        if given[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --pbn")
    path = given["pbn"]
    source = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    games = read_pbn(source, "<stdin>" if path == "-" else path)
    if not games:
        raise InputError("pbn_syntax", "expected games with a Deal tag, found none", file=path)
    codes = {OK}
    for number, game in enumerate(games, 1):
        try:
            codes.add(_game(game, number, asked, given))
        except InputError as error:
            codes.add(BAD_DATA)
            located = error if error.line is not None else error.located(file=game.file, line=game.line)
            if given["as_json"]:
                fields = {"code": error.code, "field": error.field, "message": error.message, "line": located.line}
                click.echo(json.dumps({"id": number, "error": fields}))
            else:
                complain(str(located))
    return max(codes)


def _game(game: PbnGame, number: int, asked: Asked, given: dict[str, Any]) -> int:
    deal = game.as_played(kitty_first=given["kitty_first"])
    head: Json = {"id": number}
    if game.tags.get("Board"):
        head["board"] = game.tags["Board"]
    head["deal"] = str(deal)
    try:
        if given["table"]:
            answer = _table(deal, asked, given)
        else:
            answer = _contract(game, deal, asked, given)
    except InputError:
        raise
    except TierceError as error:
        if not given["as_json"]:
            complain(f"{game.file}:{game.line}: {error}")
        else:
            click.echo(json.dumps(head | {"error": {"code": error.code, "field": None, "message": str(error)}}))
        return LIMIT
    if given["as_json"]:
        click.echo(json.dumps(head | answer))
        return OK
    from tierce.cli import show
    from tierce.cli.render import bold, say, table_picture

    board = f", board {head['board']}" if "board" in head else ""
    say(bold(f"Deal {number}{board}"))
    for line in table_picture(Position.start(deal, 4, 1)):
        say(line)
    say()
    if "table" in answer:
        for line in show.strain_grid(answer["table"]):
            say(line)
    else:
        tricks = ", ".join(f"{seat} {n}" for seat, n in answer["tricks"].items())
        say(f"Trump {answer['trump']}, {answer['leader']} leads: {answer['kind']} {tricks}")
    say()
    return OK


def _table(deal: Deal, asked: Asked, given: dict[str, Any]) -> Json:
    from tierce.solver.solve import strain_table

    n = len(deal.hands)
    if n == 4 and (asked.side is not None or asked.leader is not None):
        raise click.UsageError("--table of four hands takes no --side and no --leader: every declarer, his left leads")
    leader = asked.first_leader(n) if n == 3 else None
    found = interruptible(
        lambda: strain_table(
            deal,
            leader=leader,
            objective="fewest" if asked.objective == "fewest" else "most",
            timeout=given["timeout"],
            max_nodes=given["max_nodes"],
            table_mb=given["table_mb"],
        )
    )
    kind = "side" if n == 4 else "cap" if asked.objective == "fewest" else "floor"
    out: Json = {"kind": kind, "objective": asked.objective}
    if leader is not None:
        out["leader"] = seat_letters(n)[leader]
    return out | {"table": found}


def _contract(game: PbnGame, deal: Deal, asked: Asked, given: dict[str, Any]) -> Json:
    """The trump and leader typed or, failing that, those of the file."""
    from tierce.cli.commands.solve import solve_query

    n = len(deal.hands)
    if asked.trump is None:
        if game.trump is None:
            raise InputError(
                "trump", "expected a Trump or Contract tag, or --trump or --table, found none", field="Contract"
            )
        asked = replace(asked, trump=trump_name(game.trump))
    if asked.leader is None and n == 4 and game.declarer is not None:
        asked = replace(asked, leader=seat_letters(4)[(game.declarer + 1) % 4])
    elif asked.leader is None and n == 4 and game.dealer is not None:
        asked = replace(asked, dealer=seat_letters(4)[game.dealer])
    if asked.side is None and n == 4 and game.declarer is not None:
        asked = replace(asked, side="NS" if game.declarer % 2 == 0 else "EW")
    from tierce.solver.cards import parse_trump

    query: Query = asked.query_for(deal, parse_trump(asked.trump or ""))
    result = solve_query(query, given)
    if not result.complete:
        _raise_stopped(result)
    return result_json(query, result)


def _raise_stopped(result: Any) -> None:
    _ = result.tricks  # raises LimitReached
