"""An estimate of the dealer's decision as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tierce.cli.dealer_text import WIDTH, call_name, cards_text
from tierce.cli.hidden_asking import Asked
from tierce.cli.render import block, bold, counted, dim, effort, grid, say, suit_sign, width
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.games.profile import MIZ

_AVERAGE: Final = (
    "An estimate, \u00b1 its standard error: an average over worlds assumes that the later play sees all cards, both "
    "others playing against the dealer."
)


def show(asked: Asked, outlook: Outlook, found: DealerEstimate, *, most: int) -> None:
    """The hand, a row a candidate, and what the numbers are."""
    for line in block("Dealer", asked.view.hand, 10):
        line.rstrip()
        say(line)
    say()
    for sentence in _opening(asked, outlook, found):
        _say_wrapped(sentence)
    say()
    if found.candidates:
        _rows(outlook, found, most)
        say()
    for sentence in _conclusions(outlook, found):
        _say_wrapped(sentence)
    if not found.complete:
        say(bold("Unfinished: the work was stopped; what is known so far is told."))
    say()
    say(effort(found.nodes, found.millis))


def _say_wrapped(text: str) -> None:
    line = ""
    for word in text.split():
        if line and width(line) + width(word) > WIDTH:
            say(line.rstrip())
            line = ""
        line += word + " "
    say(line.rstrip())


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
    noun = "world fits" if found.fit == 1 else "worlds fit"
    done = f"{found.worlds:,} drawn with seed {found.seed} so far" if found.worlds else "none is done yet"
    done = done.removesuffix(" so far") if found.complete else done
    yield f"{found.fit:,} {noun} what he knows; {done}."


def _open_choice(outlook: Outlook) -> Iterator[str]:
    if outlook.pool:
        size = outlook.pool.bit_count()
        unseen = ", the kitty unseen" if size == outlook.tricks else ""
        yield f"He discards {outlook.count} of {size} cards{unseen}; {_tried(outlook)} are tried."
    elif outlook.later:
        yield "He discards after he has seen the kitty: in each world the best of a few likely discards counts."
    elif outlook.swaps:
        yield f"He may take the up-card {cards_text(outlook.view.up_card)} and leave {suit_sign(2)}2."


def _tried(outlook: Outlook) -> str:
    """Which discards."""
    if MIZ not in outlook.calls:
        return "of each suit the lowest"
    return "of each suit the highest" if outlook.calls == (MIZ,) else "of each suit the lowest (in MIZ the highest)"


def _rows(outlook: Outlook, found: DealerEstimate, most: int) -> None:
    """The best first; what was chosen is told in any case."""
    told = list(found.candidates[:most])
    header = ["trump", _header(outlook), "tricks", "quota", f"{found.win} tricks", "worlds"]
    rows = [_row(outlook, each) for each in told]
    if not header[1]:
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
    for line in grid(rows, header):
        say(line)
    rest = len(found.candidates) - len(told)
    if rest:
        say(dim(f"and {rest} more"))


def _header(outlook: Outlook) -> str:
    return "discard" if outlook.pool else "up-card" if outlook.swaps else ""


def _row(outlook: Outlook, each: CandidateEstimate) -> list[str]:
    worlds = f"{each.worlds:,}" + (f" ({each.open} open)" if each.open else "")
    return [
        call_name(each.candidate.call),
        _how(outlook, each.candidate),
        ("at most " if each.worth.kind == "cap" else "") + _tricks(each.mean),
        _percent(each.quota),
        "-" if each.twelve is None else _percent(each.twelve),
        worlds,
    ]


def _how(outlook: Outlook, candidate: Candidate) -> str:
    if outlook.swaps:
        return "take" if candidate.choice.swap else "leave"
    return cards_text(candidate.choice.discard) if outlook.pool else ""


def _tricks(figure: Figure) -> str:
    return f"{figure.value:.2f}" + ("" if figure.error is None else f" \u00b1{figure.error:.2f}")


def _percent(figure: Figure) -> str:
    error = "" if figure.error is None else f" \u00b1{100 * figure.error:.0f}"
    return f"{100 * figure.value:.0f}%{error}"


def _conclusions(outlook: Outlook, found: DealerEstimate) -> Iterator[str]:
    if found.best is not None:
        yield f"Best{'' if found.complete else ' so far'}: {_said(outlook, found.best)}."
    if found.chosen is not None:
        yield f"Chosen: {_said(outlook, found.chosen)}."
    yield _AVERAGE
    if any(each.open for each in found.candidates):
        yield "Open: worlds whose value lies between two numbers; the middle counts, and the error is larger for it."
    if any(each.candidate.call == MIZ for each in found.candidates):
        caps = counted(outlook.view.profile.caps()[0])
        yield f"MIZ: the most the dealer can be made to take; without loss: {caps}. Calls are compared by balance."


def _said(outlook: Outlook, each: CandidateEstimate) -> str:
    how = _how(outlook, each.candidate)
    choice = f", discarding {how}" if outlook.pool else f", {how} the up-card" if how else ""
    most = "at most " if each.worth.kind == "cap" else ""
    return f"{call_name(each.candidate.call)}{choice}: {most}{_tricks(each.mean)} tricks, quota {_percent(each.quota)}"
