"""The page of a batch study: plots with their tables, and the deals in which the strategies differ most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.report.hands import deal_markup, names_markup
from tierce.solver.report.markup import Content, Markup, element, facts, joined, page, plain, section, table
from tierce.solver.report.plots import Dot, bars, dots
from tierce.solver.report.study_results import Difference, Look, StrategyResult, StudyReport, Told, method
from tierce.solver.report.study_words import failures, opening, percent, plus_minus, signed, typed, verdict

__all__ = ["study_page"]

_FLOOR: Final = "A floor is the number of tricks that a seat is sure of even if both others play against it."


def study_page(report: StudyReport) -> str:
    """The page."""
    study = report.study
    what = "Exchange" if study.kind == "exchange" else "Dealer"
    parts = [_summary(report), _means(report)]
    if report.differences:
        parts += [_differences(report), _pairs(report)]
    parts.append(_floors(report))
    if report.looks:
        parts.append(_looks(report))
    return page(f"{what} strategies: {plain(study.game)}", parts, note=f"tierce {study.version}, {_day(report)}")


def _day(report: StudyReport) -> str:
    """What makes the same study again."""
    study = report.study
    options = "".join(f", {name} = {str(value).lower()}" for name, value in study.options.items())
    seed = "" if study.seed is None else f", seed {study.seed}"
    return f"game {study.game}{options}{seed}, {study.deals:,} deals"


def _summary(report: StudyReport) -> Markup:
    sentences = [element("p", each) for each in opening(report)]
    failed = [element("p", each, class_="warning") for each in failures(report)]
    said = element("p", element("strong", verdict(report)))
    numbers = [("deals compared", f"{report.compared:,}"), ("tricks owed", str(report.quota))]
    if report.differences:
        word = "parcels" if report.study.kind == "exchange" else "trump and discard"
        numbers.append((f"the same {word} from all", f"{percent(report.all_same, report.compared)} of the deals"))
    return element("section", *sentences, *failed, said, facts(numbers), element("p", _FLOOR, class_="note"))


def _figure(plot: Markup, caption: str) -> Markup:
    return element("figure", plot, element("figcaption", caption))


# ---- strategy by strategy --------------------------------------------------------------------------------------------


def _means(report: StudyReport) -> Markup:
    rows = [
        Dot(each.name, each.mean, plus_minus(each.mean), True, place)
        for place, each in zip(report.order, report.ranked, strict=True)
    ]
    best = report.ranked[0]
    about = f"A dot and an interval for each of {len(rows)} strategies, the best first; the best is {plain(best.name)}."
    plot = dots("means", "Mean floor of each strategy", rows, about=about, unit="mean floor, tricks")
    header = ["strategy", "deals", "mean floor", "95 % interval", "balance", "makes the quota"]
    header += [f"makes {report.win}", "errors"]
    return section(
        "Strategies",
        _figure(plot, "Mean floor with its 95 % interval."),
        table(header, map(_mean_row, report.ranked), caption="What came of each strategy, the best first"),
        element("p", method(report), class_="note"),
    )


def _mean_row(each: StrategyResult) -> list[Content]:
    cells = [f"{each.valued:,}", f"{each.mean.value:.2f}", _span(each.mean.low, each.mean.high), signed(each.balance)]
    return [each.name, *cells, percent(each.quota.value), percent(each.win.value), f"{each.errors:,}"]


def _span(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _floors(report: StudyReport) -> Markup:
    """A histogram for each strategy, all on one scale."""
    counts = [dict(each.floors) for each in report.ranked]
    numbers = range(min(min(each) for each in counts), max(max(each) for each in counts) + 1)
    top = max(deals for each in counts for deals in each.values()) / report.compared
    plots = [
        bars(
            f"floors-{place}",
            each.name,
            dict(each.floors),
            about=f"How often each floor from {numbers.start} to {numbers.stop - 1} came about; the table has it, too.",
            numbers=numbers,
            top=top,
            mark=report.quota,
            series=report.order[place],
        )
        for place, each in enumerate(report.ranked)
    ]
    rows = [[str(n), *(percent(each.get(n, 0), report.compared) for each in counts)] for n in reversed(numbers)]
    caption = f"Share of the deals by floor. From the dashed line on the seat makes its quota of {report.quota}."
    return section(
        "Floors",
        element("figure", *plots, element("figcaption", caption)),
        table(["tricks", *(each.name for each in report.ranked)], rows, caption="Share of the deals with each floor"),
    )


# ---- two by two ------------------------------------------------------------------------------------------------------


def _differences(report: StudyReport) -> Markup:
    names, best = report.study.strategies, report.ranked[0].name
    against = report.against_best()
    rows = [Dot(names[each.one], each.mean, plus_minus(each.mean, sign=True), each.apart, each.one) for each in against]
    about = f"How far the mean floor of each strategy lies from that of {plain(best)}, with intervals and a line at 0."
    plot = dots("differences", f"Differences from {plain(best)}", rows, about=about, unit="tricks a deal", zero=True)
    header = ["strategy", "difference", "95 % interval", "better", "equal", "worse", "same choice", "told apart"]
    return section(
        f"Against {plain(best)}, deal by deal",
        _figure(plot, "Mean difference with its 95 % interval. A filled dot: told apart; an empty one: not."),
        table(
            header,
            [_difference_row(report, each) for each in against],
            caption=f"Each strategy against {plain(best)}: in how many deals it was better, equal, worse",
        ),
    )


def _difference_row(report: StudyReport, each: Difference) -> list[Content]:
    shares = (percent(deals, report.compared) for deals in (each.better, each.equal, each.worse, each.same))
    span = _span(each.mean.low, each.mean.high)
    name = report.study.strategies[each.one]
    return [name, signed(each.mean.value), span, *shares, "yes" if each.apart else "no"]


def _pairs(report: StudyReport) -> Markup:
    """Every strategy against every other."""
    names = [report.study.strategies[place] for place in report.order]
    gaps = [[_gap(report, one, other) for other in report.order] for one in report.order]
    same = [[_same(report, one, other) for other in report.order] for one in report.order]
    word = "parcels" if report.study.kind == "exchange" else "trump and discard"
    return section(
        "Every pair",
        table(
            ["strategy", *names],
            ([name, *row] for name, row in zip(names, gaps, strict=True)),
            caption="Mean floor of the row less that of the column, half the interval behind ±; * told apart",
        ),
        table(
            ["strategy", *names],
            ([name, *row] for name, row in zip(names, same, strict=True)),
            caption=f"How often two strategies chose the same {word}",
        ),
    )


def _gap(report: StudyReport, one: int, other: int) -> str:
    if one == other:
        return "-"
    found = report.pairs[one, other]
    return plus_minus(found.mean, sign=True) + (" *" if found.apart else "")


def _same(report: StudyReport, one: int, other: int) -> str:
    return "-" if one == other else percent(report.pairs[one, other].same, report.compared)


# ---- deals to look at ------------------------------------------------------------------------------------------------


def _looks(report: StudyReport) -> Markup:
    said = "The deals in which the floors are farthest apart, with the command that looks at each again."
    return section("Where they differ most", element("p", said), *(_look(report, each) for each in report.looks))


def _look(report: StudyReport, look: Look) -> Markup:
    exchange = report.study.kind == "exchange"
    header = ["strategy", *(["sent", "returned"] if exchange else []), "trump", "discard", "floor", "D", "E", "M"]
    rows = [[report.study.strategies[each.strategy], *_told(each, exchange)] for each in look.told]
    return element(
        "article",
        element("h3", f"Deal {look.deal}: floors from {look.told[-1].own} to {look.told[0].own}"),
        _hands(look.cards),
        table(header, rows, caption="What each strategy chose, and the floors after it", words=5 if exchange else 3),
        element("pre", element("code", typed(look.command))),
    )


def _told(each: Told, exchange: bool) -> Iterator[Content]:
    if exchange:
        yield from (names_markup(text or "") for text in (each.sent, each.returned))
    yield from (names_markup(each.trump), _hand(each.discard), str(each.own))
    yield from ("-" if floor is None else str(floor) for floor in each.floors)


def _hand(text: str) -> Content:
    """A hand by its suits; what is none stays as it is."""
    from tierce.solver.cards import parse_hand
    from tierce.solver.report.hands import cards_markup

    try:
        return cards_markup(parse_hand(text)) if text else ""
    except InputError:
        return text


def _hands(cards: str) -> Markup:
    try:
        return deal_markup(Deal.parse(cards))
    except InputError:
        return element("p", joined([cards]))
