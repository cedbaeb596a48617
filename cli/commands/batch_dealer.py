"""`tierce batch dealer`: strategies of the dealer over many deals."""

from __future__ import annotations

from typing import Any

import click

from tierce.cli.batch_asking import as_usage, deals_of, deals_options, game_of, lines_from
from tierce.cli.batch_running import begin, beginning_options, check_room, find_modules_here, running_options
from tierce.cli.games import game_options
from tierce.solver.batch.columns import columns_help
from tierce.solver.games.profile import three_hands

_HELP = f"""\b
Strategies of the dealer: which trump, which discard. Every strategy meets the
same deals, first deals of a match; the floors after it are exact.

\b
  tierce batch dealer --strategy quick --strategy longest --deals 2000 \\
  --seed 1 --out dealer.parquet
  tierce batch dealer --game nine_five_two --strategy quick \\
  --strategy mypkg.mine:choice --from deals.txt --out dealer.parquet

\b
--strategy
  quick       by a measure of the dealer's own hand
  longest     the longest suit is trump, the shortest suits go
  random      any trump, any cards
  exact       omniscient: the best, all hands seen
  package.module:function     one of your own, or one that is registered as an
              entry point tierce.dealer_strategies: called with the dealer's
              view, it returns a trump and a mask of cards; see
              tierce.solver.batch.strategies

A strategy that fails leaves a row with an error, and the exit code 65.

\b
Columns (schema tierce-dealer-study-1)
{columns_help("dealer")}
"""


@click.command("dealer", help=_HELP, short_help="Strategies of the dealer.")
@game_options
@deals_options
@beginning_options
@running_options
def command(**given: Any) -> int:
    """See _HELP."""
    return as_usage(lambda: _study(given))


def _study(given: dict[str, Any]) -> int:
    from tierce.solver.batch.studies import Study

    table = check_room(given)
    find_modules_here()
    profile, game = game_of(given)
    three_hands(profile, "a study of the dealer")
    study = Study(kind="dealer", chunk=given["chunk"], strategies=given["strategies"], **game, **deals_of(given))
    with lines_from(given["source"], some=True) as lines:
        return begin(study, given, table, lines)
