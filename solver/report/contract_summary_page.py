"""The page of many reviewed deals of contracts: the series, the units of players with their intervals, the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tierce.solver.report.contract_page import series_section
from tierce.solver.report.contract_summary import COLUMNS, ContractRow, ContractSummary
from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import Content, Markup, element, page, plain, section, table
from tierce.solver.report.plots import Dot, dots

__all__ = ["contract_summary_page"]

_PLOTS: Final = {"units": "Units won", "own": "Units lost by own cards", "calls": "Units lost by own calls"}
_NAME: Final = 28  # letters
_ACCOUNT: Final = (
    "Units = start - own - mates + gifts (+ what claims brought). The start is what the contract that stood was worth "
    "at the first lead with best play by all, all hands seen. Losses by calls stand beside that account: each is held "
    "against the best its seat could have said, whether or not others would have gone over it."
)


def contract_summary_page(summary: ContractSummary) -> str:
    """The page."""
    hands = f"{summary.hands:,} deal{'s' if summary.hands != 1 else ''} reviewed, {summary.void:,} of them void."
    parts = [element("section", element("p", hands), element("p", _ACCOUNT, class_="note"), *_left_out(summary))]
    parts += [series_section(each) for each in summary.series]
    if summary.hands:
        players = [row for row in summary.rows if not row.role]
        parts += [_plots(players), _section("Players", players, summary.told)]
        if roles := [row for row in summary.rows if row.role]:
            parts.append(_section("Declaring and defending", roles, summary.told))
    return page("Deals reviewed", parts)


def _left_out(summary: ContractSummary) -> list[Markup]:
    reasons = dict.fromkeys(summary.skipped)
    said = (f"{summary.skipped.count(reason):,} left out: {plain(reason)}" for reason in reasons)
    return [element("p", each, class_="warning") for each in said]


def _plots(rows: Sequence[ContractRow]) -> Markup:
    figures = []
    for name, title in _PLOTS.items():
        known = [(number, row, mean) for number, row in enumerate(rows) if (mean := row.mean(name)) is not None]
        if not known:
            continue
        marks = [Dot(_short(row.player), mean, _plus_minus(mean), True, number) for number, row, mean in known]
        about = f"A dot and an interval for each of {len(marks)} players; the table has the numbers."
        plot = dots(name, title, marks, about=about, unit="units a deal", zero=True)
        figures.append(element("figure", plot, element("figcaption", f"{title}, with 95 % intervals.")))
    return section("At a glance", *figures)


def _short(name: str) -> str:
    """A name as far as a plot has room for it; the tables have all of it."""
    return name if len(name) <= _NAME else name[: _NAME - 1].rstrip() + "…"


def _section(title: str, rows: Sequence[ContractRow], columns: Sequence[str]) -> Markup:
    names = ["player", "role"] if rows[0].role else ["player"]
    header = [*names, "deals", "contracts made", *columns, "best cards"]
    meanings = "; ".join(f"{name}: {COLUMNS[name]}" for name in columns)
    return section(
        title,
        table(header, [_row(row, columns) for row in rows], caption=f"Means a deal, {title.lower()}", words=len(names)),
        element("p", f"{meanings}; best cards: of those played with a choice.", class_="note"),
    )


def _row(row: ContractRow, columns: Sequence[str]) -> list[Content]:
    best = row.best_share
    names: list[Content] = [row.player, row.role] if row.role else [row.player]
    means = ["-" if (mean := row.mean(name)) is None else _plus_minus(mean) for name in columns]
    made = f"{row.made} of {row.declared}" if row.declared else "-"
    return [*names, f"{row.hands:,}", made, *means, "-" if best is None else f"{100 * best.value:.0f} %"]


def _plus_minus(mean: Interval) -> str:
    return f"{mean.value:.2f}" + ("" if mean.half is None else f" ± {mean.half:.2f}")
