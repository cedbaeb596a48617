"""`tierce dealer --hidden`: an estimate from what the dealer knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.exits import OK
from tierce.cli.hidden_asking import SECONDS, Asked, as_typed, asked
from tierce.cli.options import threads_of
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import remote
from tierce.solver.advice.estimate import DEFAULT_SEED, EstimateSearch
from tierce.solver.advice.estimate_results import DealerEstimate

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteEstimateSearch
    from tierce.solver.advice.candidates import Outlook


def hidden(given: dict[str, Any]) -> int:
    """Estimate, and print what came of it; at Ctrl-C the best so far."""
    with as_typed(given):
        decision = asked(given)
        search = search_of(decision, given)
    try:
        with gauge() as bar:
            found = search.run(None if bar is None else lambda: _draw(bar, search), 0.2)
    except KeyboardInterrupt:  # then the command ends as it does wherever it is interrupted
        _print(decision, search, search.result, given)
        raise
    _print(decision, search, found, given)
    return OK


def search_of(decision: Asked, given: dict[str, Any]) -> EstimateSearch | RemoteEstimateSearch[DealerEstimate, Outlook]:
    """The search for a decision, here or at a server."""
    asked: dict[str, Any] = {
        "worlds": given["worlds"],
        "seconds": SECONDS if given["seconds"] is None and given["worlds"] is None else given["seconds"],
        "seed": DEFAULT_SEED if given["seed"] is None else given["seed"],
        "by": given["by"] or "mean",
        "calls": decision.calls,
        "chosen": decision.chosen,
    }
    search = EstimateSearch(decision.view, **asked, threads=threads_of(given), table_mb=given["table_mb"])
    if (client := remote()) is None:
        return search
    from tierce.cli.remote_searches import RemoteEstimateSearch
    from tierce.service import wires_estimates

    wire = wires_estimates.dealer(decision.view, **asked, partial=True)
    return RemoteEstimateSearch(client, search.result, search.outlook, wire)


def _draw(bar: Gauge, search: EstimateSearch | RemoteEstimateSearch[DealerEstimate, Outlook]) -> None:
    best = search.result.best
    said = "" if best is None else f"best so far {best.candidate.call} {best.mean.value:.2f}"
    bar.show(search.done, said)


def _print(
    decision: Asked,
    search: EstimateSearch | RemoteEstimateSearch[DealerEstimate, Outlook],
    found: DealerEstimate,
    given: dict[str, Any],
) -> None:
    if given["as_json"]:
        click.echo(json.dumps(found.json(given["top"])))
        return
    from tierce.cli import hidden_text

    hidden_text.show(decision, search.outlook, found, most=given["top"])
