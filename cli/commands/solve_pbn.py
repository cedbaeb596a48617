"""`tierce solve --pbn`: every deal of a PBN file."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, interruptible
from tierce.cli.options import refuse
from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.cards import seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.pbn import PbnGame, read_pbn
from tierce.solver.position import Position


def pbn(asked: Asked, given: dict[str, Any]) -> int:
    """Every game of the file: the trump asked for, or the table of all. Exit code: the worst that happened to one."""
    refuse(("at_least", "at_most", "line", "relevant", "play", "dealer", "discard"), "does not go with --pbn")
    if given["table"]:
        refuse(("trump", "side", "bounds"), "does not go with --table")
    path = given["pbn"]
    source = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    games = read_pbn(source, "<stdin>" if path == "-" else path)
    if not games:
        raise InputError("pbn_syntax", "expected games with a Deal tag, found none", file=path)
    worst = OK
    for number, game in enumerate(_watched(games), 1):
        worst = max(worst, _report(game, number, asked, given))
    return worst


def _watched(games: list[PbnGame]) -> Any:
    """The games, with a bar on stderr where it is a terminal and the results go elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        return games
    return _with_bar(games)


def _with_bar(games: list[PbnGame]) -> Any:
    with click.progressbar(games, file=sys.stderr, label="solving") as bar:
        yield from bar


def _report(game: PbnGame, number: int, asked: Asked, given: dict[str, Any]) -> int:
    """Solve a game and print the answer, or what is wrong; the rest goes on."""
    head: Json = {"id": number}
    if game.tags.get("Board"):
        head["board"] = game.tags["Board"]
    try:
        deal = game.as_played(kitty_first=given["kitty_first"])
        head["deal"] = str(deal)
        answer = _table(game, deal, asked, given) if given["table"] else _contract(game, deal, asked, given)
    except (InputError, LimitReached) as error:
        line = error.line if isinstance(error, InputError) and error.line is not None else game.line
        if given["as_json"]:
            fields = {"code": error.code, "field": error.field, "message": error.message, "line": line}
            _write(json.dumps(head | {"error": fields}))
        else:
            complain(f"{game.file}:{line}: {error.message}")
        return BAD_DATA if isinstance(error, InputError) else LIMIT
    if given["as_json"]:
        _write(json.dumps(head | answer))
    else:
        _show(head, deal, answer)
    return LIMIT if answer.get("complete") is False else OK


def _write(line: str) -> None:
    print(line, flush=True)


def _show(head: Json, deal: Deal, answer: Json) -> None:
    from tierce.cli import show
    from tierce.cli.render import bold, say, table_picture

    board = f", board {head['board']}" if "board" in head else ""
    say(bold(f"Deal {head['id']}{board}"))
    for line in table_picture(Position.start(deal, 4, 1)):
        say(line)
    say()
    if "table" in answer:
        for line in show.strain_grid(answer["table"]):
            say(line)
    elif "bounds" in answer:
        tricks = ", ".join(f"{seat} {low} to {high}" for seat, (low, high) in answer["bounds"].items())
        say(f"Trump {answer['trump']}, {answer['leader']} leads: {answer['kind']} {tricks}; a limit stopped the search")
    else:
        tricks = ", ".join(f"{seat} {n}" for seat, n in answer["tricks"].items())
        say(f"Trump {answer['trump']}, {answer['leader']} leads: {answer['kind']} {tricks}")
    say()
    sys.stdout.flush()


def _table(game: PbnGame, deal: Deal, asked: Asked, given: dict[str, Any]) -> Json:
    from tierce.solver.solve import strain_table

    n = len(deal.hands)
    if n == 4 and asked.leader is not None:
        message = "expected no leader for a table of four hands, where the seat left of each declarer leads, found one"
        raise InputError("leader", message, field="leader")
    leader = _asked_of_game(game, asked, n).first_leader(n) if n == 3 else None
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
    from tierce.cli.commands.solve import finished, solve_query

    query = replace(_asked_of_game(game, asked, len(deal.hands)), deal=str(deal)).query()
    return result_json(query, finished(solve_query(query, given), given))


def _asked_of_game(game: PbnGame, asked: Asked, n: int) -> Asked:
    """The question: what was typed or, failing that, what the file says of trump, leader and side."""
    letters = seat_letters(n)
    said: dict[str, str] = {}
    if game.trump is not None:
        said["trump"] = trump_name(game.trump)
    if game.declarer is not None and n == 4:
        said["side"] = "NS" if game.declarer % 2 == 0 else "EW"
        said["leader"] = letters[(game.declarer + 1) % 4]
    elif game.leader is not None:
        said["leader"] = letters[game.leader]
    elif game.dealer is not None and n == 4:
        said["dealer"] = letters[game.dealer]
    asked = replace(asked, **{name: text for name, text in said.items() if getattr(asked, name) is None})
    if asked.trump is None:
        message = "expected a Trump or Contract tag, or --trump or --table, found none"
        raise InputError("trump", message, field="Contract", line=game.line)
    return asked
