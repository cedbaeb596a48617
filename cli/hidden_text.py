"""An estimate of the dealer's decision as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tierce.cli.dealer_text import call_name, cards_text
from tierce.cli.estimate_text import (
    CLOSE,
    OPEN,
    cards,
    drawn,
    percent,
    rest_text,
    say_wrapped,
    table,
    tricks,
    worlds_met,
)
from tierce.cli.hidden_asking import Asked
from tierce.cli.render import bold, counted, dim, effort, say, suit_sign
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate
from tierce.solver.cards import bit
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import MIZ

_AVERAGE: Final = (
    "An estimate, \u00b1 its standard error: an average over worlds assumes that the later play sees all cards, both "
    "others playing against the dealer."
)


def show(asked: Asked, outlook: Outlook, found: DealerEstimate, *, most: int) -> None:
    """The hand, a row a candidate, and what the numbers are."""
    cards("Dealer", asked.view.hand, asked.view.up_card)
    for sentence in _opening(asked, outlook, found):
        say_wrapped(sentence)
    say()
    if found.candidates:
        _rows(outlook, found, most)
        say()
    for sentence in _conclusions(outlook, found, most):
        say_wrapped(sentence)
    if not found.complete:
        say(bold("Unfinished: the work was stopped; what is known so far is told."))
    say()
    say(effort(found.nodes, found.millis))


def _opening(asked: Asked, outlook: Outlook, found: DealerEstimate) -> Iterator[str]:
    seen = asked.view
    if asked.place:
        yield f"{asked.place}, before the dealer's first choice."
    yield (
        "Of the deal only the dealer's hand is looked at." if asked.deal else "Only what the dealer knows is looked at."
    )
    profile = seen.profile
    kitty = ", one of which is the kitty" if profile.kitty_trick else ""
    if outlook.calls != (MIZ,):
        yield f"The dealer owes {seen.quotas[0]} of {profile.counted} tricks{kitty}."
    yield from _open_choice(outlook)
    yield f"A world is a layout of the unseen cards that fits all he knows. {drawn(found)}"
    if len(found.candidates) > 1:
        yield f"{len(found.candidates)} candidates were tried, in the same worlds."


def _open_choice(outlook: Outlook) -> Iterator[str]:
    if outlook.pool:
        size = outlook.pool.bit_count()
        unseen = ", the kitty unseen" if size == outlook.tricks else ""
        yield f"He discards {outlook.count} of {size} cards{unseen}; {_tried(outlook)} are tried."
    elif outlook.later:
        yield "He discards after he has seen the kitty: in each world the best of a few likely discards counts."
    elif outlook.view.up_card:
        yield _swap(outlook)


def _swap(outlook: Outlook) -> str:
    """Who may take the up-card."""
    up, two = cards_text(outlook.view.up_card), f"{suit_sign(2)}2"
    if outlook.swaps:
        return f"He may take the up-card {up} and leave {two}."
    if outlook.view.swapped is not None or outlook.view.up_card == bit(TWO):
        return "Nobody can take the up-card."
    return f"Who holds {two} may take the up-card {up} and leave {two}: what is worse for the dealer counts."


def _tried(outlook: Outlook) -> str:
    """Which discards."""
    if MIZ not in outlook.calls:
        return "of each suit the lowest"
    return "of each suit the highest" if outlook.calls == (MIZ,) else "of each suit the lowest (in MIZ the highest)"


def _rows(outlook: Outlook, found: DealerEstimate, most: int) -> None:
    """The best first; those that the race has dropped stand apart, for they met fewer worlds."""
    told = found.candidates[:most]
    header = ["trump", _header(outlook), "tricks", "quota", f"{found.win} tricks", "worlds"]
    rows = [_row(outlook, each) for each in told]
    if not header[1]:
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
    table(rows, header, [each.worlds for each in told], found.kept)
    if rest := rest_text(len(told), found.kept, len(found.candidates)):
        say(dim(rest))


def _header(outlook: Outlook) -> str:
    return "discard" if outlook.pool else "up-card" if outlook.swaps else ""


def _row(outlook: Outlook, each: CandidateEstimate) -> list[str]:
    return [
        call_name(each.candidate.call),
        _how(outlook, each.candidate),
        ("at most " if each.worth.kind == "cap" else "") + tricks(each.mean),
        percent(each.quota),
        "-" if each.twelve is None else percent(each.twelve),
        worlds_met(each.worlds, each.open),
    ]


def _how(outlook: Outlook, candidate: Candidate) -> str:
    if outlook.swaps:
        return "take" if candidate.choice.swap else "leave"
    return cards_text(candidate.choice.discard) if outlook.pool else ""


def _conclusions(outlook: Outlook, found: DealerEstimate, most: int) -> Iterator[str]:
    """What follows. `most`: rows told."""
    if found.best is not None:
        ahead = _ahead(outlook, found)
        yield f"Best{'' if found.complete else ' so far'}: {_said(outlook, found.best)}{ahead}."
    if found.margin is not None and not found.apart(found.margin):
        yield CLOSE
    if found.chosen is not None:
        yield f"Chosen: {_said(outlook, found.chosen)}{_loss(found)}."
    yield _AVERAGE
    if any(each.open for each in (*found.candidates[:most], found.chosen) if each is not None):
        yield OPEN
    if any(each.candidate.call == MIZ for each in found.candidates):
        caps = counted(outlook.view.profile.caps()[0])
        yield f"MIZ: the most the dealer can be made to take; without loss: {caps}. Calls are compared by balance."


def _ahead(outlook: Outlook, found: DealerEstimate) -> str:
    """The best against the runner-up."""
    if found.second is None or found.margin is None:
        return ""
    second = _name(outlook, found.second.candidate)
    if found.by == "mean":
        return f"; {tricks(found.margin)} tricks ahead of {second}"
    return f"; {_chance(found)} {percent(found.margin)} above that of {second}"


def _loss(found: DealerEstimate) -> str:
    """What was chosen against the best."""
    if found.loss is None:
        return ""
    if found.chosen == found.best:
        return "; that is the best"
    what = f"{tricks(found.loss)} tricks" if found.by == "mean" else f"{percent(found.loss)} of {_chance(found)}"
    return f"; a loss of {what}" + ("" if found.apart(found.loss) else ", which may be none")


def _chance(found: DealerEstimate) -> str:
    """The chance that the order goes by."""
    return "the chance of the quota" if found.by == "quota" else f"the chance of {found.win} tricks"


def _name(outlook: Outlook, candidate: Candidate) -> str:
    """`clubs, discarding ♠2 ♥3`."""
    choice, how = candidate.choice, ""
    if outlook.pool:
        how = f", discarding {cards_text(choice.discard)}"
    elif outlook.swaps:
        how = f", {'taking' if choice.swap else 'leaving'} {cards_text(outlook.view.up_card)}"
    return call_name(candidate.call) + how


def _said(outlook: Outlook, each: CandidateEstimate) -> str:
    most = "at most " if each.worth.kind == "cap" else ""
    return f"{_name(outlook, each.candidate)}: {most}{tricks(each.mean)} tricks, quota {percent(each.quota)}"
