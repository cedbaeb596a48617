"""The page of many reviewed hands: means of players with their intervals, and the tables behind the plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import Content, Markup, element, page, plain, section, table
from tierce.solver.report.plots import Dot, dots
from tierce.solver.report.summary import COLUMNS, Row, Summary

__all__ = ["summary_page"]

_PLOTS: Final = {
    "balance": "Balance: tricks over the quota",
    "luck": "Luck: what the cards were worth, over the quota",
    "play": "Lost by cards",
    "gifts": "Brought by the others' cards",
}
_NAME: Final = 28  # letters
_ACCOUNT: Final = (
    "Balance = luck - losses before the play - losses in the play + gifts (+ what claims brought). Losses are the "
    "player's own; luck and gifts are not. Guarantees are against both opponents, all cards seen. A hand in which a "
    "decision of a player was not judged counts neither in that column nor in his luck."
)


def summary_page(summary: Summary) -> str:
    """The page."""
    hands = f"{summary.hands:,} hand{'s' if summary.hands != 1 else ''} reviewed."
    parts = [element("section", element("p", hands), element("p", _ACCOUNT, class_="note"), *_left_out(summary))]
    if summary.hands:
        parts += [_plots(summary.players), _section("Players", summary.players, summary.told)]
        parts.append(_section("By seat", summary.seats, summary.told))
    return page("Hands reviewed", parts)


def _left_out(summary: Summary) -> list[Markup]:
    reasons = dict.fromkeys(summary.skipped)
    said = (f"{summary.skipped.count(reason):,} left out: {plain(reason)}" for reason in reasons)
    return [element("p", each, class_="warning") for each in said]


def _plots(rows: Sequence[Row]) -> Markup:
    figures = []
    for name, title in _PLOTS.items():
        known = [(number, row, mean) for number, row in enumerate(rows) if (mean := row.mean(name)) is not None]
        if not known:
            continue
        marks = [Dot(_short(row.player), mean, _plus_minus(mean), True, number) for number, row, mean in known]
        about = f"A dot and an interval for each of {len(marks)} players; the table has the numbers."
        plot = dots(name, title, marks, about=about, unit="tricks a hand", zero=True)
        figures.append(element("figure", plot, element("figcaption", f"{title}, with 95 % intervals.")))
    return section("At a glance", *figures)


def _short(name: str) -> str:
    """A name as far as a plot has room for it; the tables have all of it."""
    return name if len(name) <= _NAME else name[: _NAME - 1].rstrip() + "…"


def _section(title: str, rows: Sequence[Row], told: Sequence[str]) -> Markup:
    """A table. `told`: the columns that say something."""
    header = [*(["player", "seat"] if rows[0].seat else ["player"]), "hands", "quota made", *told, "best cards"]
    words = 2 if rows[0].seat else 1
    meanings = "; ".join(f"{name}: {COLUMNS[name]}" for name in told)
    return section(
        title,
        table(header, (_row(row, told) for row in rows), caption=f"Means a hand, {title.lower()}", words=words),
        element("p", f"{meanings}; best cards: of those played with a choice.", class_="note"),
    )


def _row(row: Row, told: Sequence[str]) -> list[Content]:
    best = row.best_share
    names: list[Content] = [row.player, row.seat] if row.seat else [row.player]
    means = ["-" if (mean := row.mean(name)) is None else _plus_minus(mean) for name in told]
    made = f"{100 * row.made / row.hands:.0f} %"
    return [*names, f"{row.hands:,}", made, *means, "-" if best is None else f"{100 * best.value:.0f} %"]


def _plus_minus(mean: Interval) -> str:
    return f"{mean.value:.2f}" + ("" if mean.half is None else f" ± {mean.half:.2f}")
