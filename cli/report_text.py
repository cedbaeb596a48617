"""The report of a batch study as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.cli.dealer_text import WIDTH, cards_text
from tierce.cli.render import STRAIN_NAMES, bold, dim, grid, hand_row, say, suit_sign, width
from tierce.solver.cards import STRAIN_LETTERS, SUIT_LETTERS, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.report.hands import CARD
from tierce.solver.report.markup import plain
from tierce.solver.report.study_results import Difference, Look, StrategyResult, StudyReport, Told, method
from tierce.solver.report.study_words import failures, opening, percent, plus_minus, signed, typed, verdict

_FLOOR: Final = "A floor is what the seat is sure of even if both others play against it."
_TIED: Final = "\u00a0"  # a blank at which no line ends
_NAME: Final = 8  # columns that a name has at least


def show(report: StudyReport) -> None:
    """A row a strategy, each against the best, the deals to look at."""
    for sentence in opening(report):
        _say_wrapped(sentence)
    say()
    _strategies(report)
    if report.differences:
        say()
        _against(report)
    say()
    for sentence in (*failures(report), verdict(report), method(report), _FLOOR):
        _say_wrapped(sentence)
    for look in report.looks:
        say()
        _look(report, look)


def _say_wrapped(text: str, indent: int = 0) -> None:
    """Lines that fit on a screen, the second and later ones set in; a word that fits on none is broken."""
    line = ""
    for word in text.split(" "):
        line = f"{line} {word}" if line else word
        while width(line) > WIDTH:
            before, _, last = line.rpartition(" ")
            if not before.strip():
                before, last = _broken(line)
            say(before.replace(_TIED, " ").rstrip())
            line = " " * indent + last
    say(line.replace(_TIED, " ").rstrip())


def _broken(word: str) -> tuple[str, str]:
    """What fits into a line, and the rest."""
    most = len(word)
    while width(word[:most]) > WIDTH:
        most -= 1
    return word[:most], word[most:]


def _say_grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> None:
    """A table that fits on a screen: the names in the first column lose their beginnings if they must, for their ends
    tell them apart."""
    room = WIDTH - sum(2 + max(width(row[at]) for row in [header, *rows]) for at in range(1, len(header)))
    for line in grid([[_name(row[0], max(_NAME, room)), *row[1:]] for row in rows], header):
        say(line)


def _name(text: str, most: int) -> str:
    text = plain(text)
    if width(text) <= most:
        return text
    while width(text) > most - 2:
        text = text[1:]
    return ".." + text


# ---- tables ----------------------------------------------------------------------------------------------------------


def _strategies(report: StudyReport) -> None:
    header = ["strategy", "deals", "floor", "balance", "quota", f"{report.win} tricks", "errors"]
    _say_grid([_row(each) for each in report.ranked], header)


def _row(each: StrategyResult) -> list[str]:
    shares = [percent(each.quota.value), percent(each.win.value)]
    return [each.name, f"{each.valued:,}", plus_minus(each.mean), signed(each.balance), *shares, f"{each.errors:,}"]


def _against(report: StudyReport) -> None:
    """Each other strategy against the best."""
    best = plain(report.ranked[0].name)
    _say_wrapped(f"Against {best}, deal by deal:")
    header = ["strategy", "difference", "better", "equal", "worse", "same choice", "apart"]
    _say_grid([_difference(report, each) for each in report.against_best()], header)
    word = "parcels" if report.study.kind == "exchange" else "trump and discard"
    count = len(report.strategies)
    who = "Both" if count == 2 else f"All {count}"
    _say_wrapped(f"{who} choose the same {word} in {percent(report.all_same, report.compared)} of the deals.")


def _difference(report: StudyReport, each: Difference) -> list[str]:
    shares = [percent(deals, report.compared) for deals in (each.better, each.equal, each.worse, each.same)]
    return [report.study.strategies[each.one], plus_minus(each.mean, sign=True), *shares, "yes" if each.apart else "no"]


# ---- deals to look at ------------------------------------------------------------------------------------------------


def _look(report: StudyReport, look: Look) -> None:
    say(bold(f"Deal {look.deal}: floors from {look.told[-1].own} to {look.told[0].own}."))
    _hands(report, look)
    say()
    for names, told in _alike(report, look):
        _say_wrapped(f"{names}: {_told(told, report.seat)}", indent=4)
    say(dim(typed(look.command[:-1]) + " \\"))
    say(dim("  " + typed(look.command[-1:])))


def _hands(report: StudyReport, look: Look) -> None:
    try:
        deal = Deal.parse(look.cards)
    except InputError:
        _say_wrapped(plain(look.cards))
        return
    if len(deal.hands) == 3:
        for line in hand_row(deal.hands, deal.kitty, report.study.profile()):
            say(line)


def _alike(report: StudyReport, look: Look) -> Iterator[tuple[str, Told]]:
    """Strategies that did the same stand together."""
    groups: dict[tuple[object, ...], list[Told]] = {}
    for each in look.told:
        groups.setdefault((each.sent, each.returned, each.trump, each.discard, each.floors), []).append(each)
    for group in groups.values():
        yield ", ".join(plain(report.study.strategies[each.strategy]) for each in group), group[0]


def _told(told: Told, seat: int) -> str:
    """What came of it, and what was chosen."""
    floors = [f"{'-' if floor is None else floor}" for floor in told.floors]
    others = ", ".join(f"{'DEM'[other]}{_TIED}{floors[other]}" for other in range(3) if other != seat)
    sent = "" if told.sent is None else f"sends {_signs(told.sent)}, gets {_signs(told.returned or '')}; "
    return f"{told.own} ({others}); {sent}{_trump(told.trump)}, {_hand(told.discard)} laid away"


def _trump(letter: str) -> str:
    return STRAIN_NAMES[STRAIN_LETTERS.index(letter)] if letter and letter in STRAIN_LETTERS else plain(letter) or "-"


def _hand(text: str) -> str:
    try:
        return cards_text(parse_hand(text)) if text else "nothing"
    except InputError:
        return plain(text)


def _signs(text: str) -> str:
    """Names of cards with the signs of their suits: `D ♠2 E ♥7 ♥8`."""
    return CARD.sub(lambda found: _card(found[0]), plain(text)).replace(":", _TIED)


def _card(name: str) -> str:
    return suit_sign(SUIT_LETTERS.index(name[0])) + name[1]
