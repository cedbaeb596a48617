"""`tierce bench`: fixed positions, their nodes (the signature of the search) and its speed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from tierce.cli.exits import DIFFERENT, OK, UNWRITABLE, complain, interruptible
from tierce.cli.options import json_option
from tierce.solver.asking import Asked
from tierce.solver.errors import InputError
from tierce.solver.query import MIB, NO_LIMITS, Answer, Query
from tierce.solver.results import Floors
from tierce.solver.search import CPU, RESULT, Engine

_HELP = """\b
Search fixed positions with an empty table each; print nodes and speed.

The sum of the nodes is the signature of the search: it changes only if the
search does, and is the same on every processor. --check compares it with the
one kept with the program.
"""

_TABLE_MB = 64


@click.command("bench", help=_HELP, short_help="Nodes and speed on fixed positions.")
@click.option("--check", is_flag=True, help="Exit with 1 if the signature is not the one kept.")
@click.option("--update", is_flag=True, help="Keep this signature (in a source tree).")
@json_option
def command(check: bool, update: bool, as_json: bool) -> int:
    """See _HELP."""
    path = Path(str(files("tierce.cli") / "bench.json"))
    if update and not (path.parents[1] / "pyproject.toml").is_file():
        raise click.UsageError(f"--update is for a source tree, found an installed {path.name}")
    kept, queries = _read(path)
    rows = interruptible(lambda: run(queries))
    nodes = sum(row["nodes"] for row in rows)
    millis = sum(row["millis"] for row in rows)
    if as_json:
        out = {"signature": nodes, "kept": kept["signature"], "cpu": CPU, "millis": round(millis, 3)}
        click.echo(json.dumps(out | {"nodes_per_second": round(1000 * nodes / millis), "positions": rows}))
    else:
        for row in rows:
            tricks = " ".join(f"{seat} {n}" for seat, n in row["tricks"].items())
            click.echo(f"{row['name']:<24} {tricks:<16} {row['nodes']:>10,} nodes {row['millis']:>9.1f} ms")
        click.echo(f"{'signature':<24} {CPU:<16} {nodes:>10,} nodes {millis:>9.1f} ms")
        click.echo(f"{1000 * nodes / millis:,.0f} nodes a second")
    if update:
        return _keep(path, json.dumps(kept | {"signature": nodes}, indent=1) + "\n")
    if check and nodes != kept["signature"]:
        complain(f"expected the signature {kept['signature']}, found {nodes}")
        return DIFFERENT
    return OK


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Query]]:
    """What is kept, and its positions as questions by name."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        signature, positions = kept["signature"], kept["positions"]
        if not isinstance(signature, int):
            raise TypeError(f"the signature {signature!r:.60}")
        asked = {position["name"]: {k: v for k, v in position.items() if k != "name"} for position in positions}
        return kept, {name: Asked(**fields).query() for name, fields in asked.items()}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        message = f"expected a signature and positions, found a damaged file ({error!r:.200})"
        raise InputError("bench", message, file=str(path)) from None


def _keep(path: Path, text: str) -> int:
    """Replace the file by one written beside it: it is the old one or the new one, whatever happens."""
    beside: str | None = None
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as new:
            beside = new.name
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        shutil.copymode(path, beside)
        os.replace(beside, path)
        beside = None
    except OSError as error:
        complain(f"{path}: {error.strerror or error}")
        return UNWRITABLE
    finally:
        if beside is not None:
            with contextlib.suppress(OSError):
                os.unlink(beside)
    return OK


def run(queries: dict[str, Query]) -> list[dict[str, Any]]:
    """Solve the positions, one after the other."""
    engine = Engine(_TABLE_MB * MIB)
    rows = []
    for name, query in queries.items():
        data = engine.run(b"".join(query.requests(NO_LIMITS)), cold=True)
        answers: list[Answer] = list(RESULT.iter_unpack(data))
        result = query.result(answers)
        tricks = result.tricks if isinstance(result, Floors) else {result.name: result.tricks}
        rows.append({"name": name, "tricks": tricks, "nodes": result.nodes, "millis": round(result.millis, 3)})
    return rows
