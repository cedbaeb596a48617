"""`tierce bench`: fixed positions, their nodes (the signature of the search) and its speed."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from tierce.cli.exits import DIFFERENT, OK, complain, interruptible
from tierce.cli.options import json_option
from tierce.solver.asking import Asked
from tierce.solver.query import MIB, NO_LIMITS, Answer
from tierce.solver.search import CPU, RESULT, Engine

_HELP = """\b
Search fixed positions with an empty table each; print nodes and nodes a second.

The sum of the nodes is the signature of the search: it changes only if the search does, and is the same on every
processor. --check compares it with the one kept with the program.
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
    kept = json.loads(path.read_text(encoding="utf-8"))
    rows = interruptible(lambda: run(kept["positions"]))
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
        text = json.dumps(kept | {"signature": nodes}, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    elif check and nodes != kept["signature"]:
        complain(f"expected the signature {kept['signature']}, found {nodes}")
        return DIFFERENT
    return OK


def run(positions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Solve the positions, one after the other."""
    engine = Engine(_TABLE_MB * MIB)
    rows = []
    for position in positions:
        query = Asked(**{name: text for name, text in position.items() if name != "name"}).query()
        data = engine.run(b"".join(query.requests(NO_LIMITS)), cold=True)
        answers: list[Answer] = list(RESULT.iter_unpack(data))
        result = query.result(answers)
        tricks = result.tricks if isinstance(result.tricks, dict) else {position["side"]: result.tricks}
        rows.append(
            {"name": position["name"], "tricks": tricks, "nodes": result.nodes, "millis": round(result.millis, 3)}
        )
    return rows
