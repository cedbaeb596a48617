"""`tierce exchange --hidden`: an estimate from what the sender knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.exchange_asking import chosen_of
from tierce.cli.exits import OK
from tierce.cli.hidden_asking import SECONDS
from tierce.cli.options import threads_of
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import remote
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate
from tierce.solver.advice.race import DEFAULT_SEED
from tierce.solver.advice.sender_choices import SenderOutlook
from tierce.solver.advice.sending import sender_of
from tierce.solver.cards import Mask
from tierce.solver.errors import InputError
from tierce.solver.games.state import State
from tierce.solver.games.view import View, view

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteEstimateSearch


def hidden(asked: View | State, given: dict[str, Any]) -> int:
    """Estimate, and print what came of it; at Ctrl-C the best so far.

    asked   the sender's view, or a state of which the view of the sender whose turn it is is taken
    given   the options seconds, worlds, seed, by, omniscient_reply, chosen (masks of all parcels that are due, or as
            typed, or None), top, as_json, threads and table_mb
    """
    search = search_of(view(asked, sender_of(asked)) if isinstance(asked, State) else asked, given)
    try:
        with gauge("exchange") as bar:
            found = search.run(None if bar is None else lambda: _draw(bar, search), 0.2)
    except KeyboardInterrupt:  # then the command ends as it does wherever it is interrupted
        _print(search, search.result, given)
        raise
    _print(search, found, given)
    return OK


def search_of(
    seen: View, given: dict[str, Any]
) -> ExchangeEstimateSearch | RemoteEstimateSearch[ExchangeEstimate, SenderOutlook]:
    """The search for a decision, here or at a server."""
    asked: dict[str, Any] = {
        "worlds": given["worlds"],
        "seconds": SECONDS if given["seconds"] is None and given["worlds"] is None else given["seconds"],
        "seed": DEFAULT_SEED if given["seed"] is None else given["seed"],
        "reply": "exact" if given["omniscient_reply"] else "quick",
        "by": given["by"] or "mean",
    }
    try:
        asked["chosen"] = _chosen(seen, given["chosen"])
        search = ExchangeEstimateSearch(seen, **asked, threads=threads_of(given), table_mb=given["table_mb"])
    except InputError as error:  # what a view is at fault for is the deal's fault here
        raise error.located(field="deal") if error.field == "view" else error from None
    if (client := remote()) is None:
        return search
    from tierce.cli.remote_searches import RemoteEstimateSearch
    from tierce.service import wires_estimates

    wire = wires_estimates.exchange(seen, **asked, partial=True)
    return RemoteEstimateSearch(client, search.result, search.outlook, wire)


def _chosen(seen: View, given: str | Sequence[Mask] | None) -> Sequence[Mask] | None:
    """Of the parcels given those that are chosen now: one that follows when others have come back is not looked at."""
    if given is None:
        return None
    outlook = SenderOutlook(seen)
    if isinstance(given, str):
        given = chosen_of(given, outlook.worlds.state(outlook.worlds.draw(Draws(DEFAULT_SEED))))
    return given[: len(outlook.now)] if len(given) == len(outlook.now) + len(outlook.later) else given


def _draw(bar: Gauge, search: ExchangeEstimateSearch | RemoteEstimateSearch[ExchangeEstimate, SenderOutlook]) -> None:
    best = search.result.best
    bar.show(search.done, "" if best is None else f"best so far {best.tricks.value:.2f}")


def _print(
    search: ExchangeEstimateSearch | RemoteEstimateSearch[ExchangeEstimate, SenderOutlook],
    found: ExchangeEstimate,
    given: dict[str, Any],
) -> None:
    if given["as_json"]:
        click.echo(json.dumps(found.json(given["top"])))
        return
    from tierce.cli import exchange_hidden_text

    exchange_hidden_text.show(search.outlook, found, most=given["top"])
