"""The words of a study's report, for the terminal and the page alike."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from tierce.solver.batch.studies import Study
from tierce.solver.cards import SEATS3
from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import plain
from tierce.solver.report.study_results import Failing, StrategyResult, StudyReport

__all__ = ["error_line", "failures", "listed", "opening", "percent", "plus_minus", "signed", "typed", "verdict"]

_SEATS = ("the dealer", "eldest", "middle")
_ERROR_LENGTH = 200  # characters of an error that are told
_BARE = re.compile(r"[A-Za-z0-9_.,/:=+-]+")
_QUOTED = re.compile(r"[A-Za-z0-9_.,/:=+ -]+")


# ---- numbers ---------------------------------------------------------------------------------------------------------


def plus_minus(found: Interval, *, sign: bool = False) -> str:
    """`3.94 ±0.07`; with a sign `+0.21 ±0.07`."""
    half = "" if found.half is None else f" \u00b1{found.half:.2f}"
    return (signed(found.value) if sign else f"{found.value:.2f}") + half


def signed(value: float) -> str:
    """`+0.21`, `-0.21`, `0.00`."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def percent(hits: int | float, of: int = 1) -> str:
    """A share in percent: no 0 % for what has happened, no 100 % for what has not always."""
    part = 100 * hits / of
    if 0 < part < 1:
        return "<1%"
    return ">99%" if 99 < part < 100 else f"{part:.0f}%"


def _deals(count: int) -> str:
    return f"{count:,} deal{'s' * (count != 1)}"


def _tricks(count: int) -> str:
    return f"{count} trick{'s' * (count != 1)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`one, two and three`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# ---- sentences -------------------------------------------------------------------------------------------------------


def opening(report: StudyReport) -> Iterator[str]:
    """What was asked, how far it is, and what is compared."""
    study, count = report.study, len(report.strategies)
    source = f"seed {study.seed}" if study.source is None else f"those of {plain(study.source.name)}"
    yield f"{_deals(report.done)} of {plain(study.game)}, {source}. {_situation(report)}"
    if not report.finished:
        yield f"The study is not finished: {report.done:,} of {_deals(study.deals)} are done."
    if report.compared < report.done:
        every = "the strategy has" if count == 1 else f"all {count} strategies have"
        yield f"{_deals(report.compared)} in which {every} a value count; {report.done - report.compared:,} do not."


def _situation(report: StudyReport) -> str:
    study, seat = report.study, _SEATS[report.seat]
    if study.kind == "dealer":
        return f"The dealer names the trump and lays away; he owes {_tricks(report.quota)}."
    after = "" if study.previous is None else f" after a deal of {'/'.join(map(str, study.previous))} tricks"
    return f"{seat.capitalize()} ({SEATS3[report.seat]}) sends{after}, and owes {_tricks(report.quota)}.{_reply(study)}"


def _reply(study: Study) -> str:
    if study.reply is None:
        return ""
    if study.reply == "exact":
        return " The dealer replies as is best for him, all hands seen."
    return f" The dealer replies by the rule {plain(study.reply)}."


def verdict(report: StudyReport) -> str:
    """Which strategy came out best, and from which others it can be told apart."""
    best, against = report.ranked[0], report.against_best()
    said = f"Best: {plain(best.name)}, a mean floor of {plus_minus(best.mean)}."
    if not against:
        return said
    names = report.study.strategies
    apart = [plain(names[each.one]) for each in against if each.apart]
    open_ = [plain(names[each.one]) for each in against if not each.apart]
    if not apart:
        return f"{said} It cannot be told apart from {listed(open_, 'or')}; more deals may do it."
    not_from = f", not from {listed(open_, 'or')}" if open_ else ""
    return f"{said} It is told apart from {listed(apart)}{not_from}."


def failures(report: StudyReport) -> Iterator[str]:
    """A sentence for each strategy that came to nothing, in all deals or in some."""
    for each in report.failing:
        yield f"Left out, since it has a value in no deal: {error_line(each)}"
    yield from (error_line(each) for each in report.ranked if each.errors)


def error_line(each: StrategyResult | Failing) -> str:
    """How many errors, and the first."""
    deal, error = each.first or (0, "")
    error = plain(error.removeprefix(f"{each.name}: "))
    error = error if len(error) <= _ERROR_LENGTH else error[: _ERROR_LENGTH - 3] + "..."
    count = f"{each.errors:,} error{'s' * (each.errors != 1)}"
    return f"{plain(each.name)}: {count}, {'the first ' if each.errors > 1 else ''}in deal {deal}: {error}"


def typed(words: Sequence[str]) -> str:
    """A command as it is typed in a shell."""
    return " ".join(_word(plain(word)) for word in words)


def _word(word: str) -> str:
    if _BARE.fullmatch(word):
        return word
    return f'"{word}"' if _QUOTED.fullmatch(word) else shlex.quote(word)
