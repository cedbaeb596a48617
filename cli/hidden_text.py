"""An estimate of the dealer's decision as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from tierce.cli.dealer_text import WIDTH, call_name, cards_text
from tierce.cli.hidden_asking import Asked
from tierce.cli.render import block, bold, counted, dim, effort, grid, ranks, say, suit_sign, width
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.cards import SUITS, bit
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View

_AVERAGE: Final = (
    "An estimate, \u00b1 its standard error: an average over worlds assumes that the later play sees all cards, both "
    "others playing against the dealer."
)


def show(asked: Asked, outlook: Outlook, found: DealerEstimate, *, most: int) -> None:
    """The hand, a row a candidate, and what the numbers are."""
    _cards(asked.view)
    for sentence in _opening(asked, outlook, found):
        _say_wrapped(sentence)
    say()
    if found.candidates:
        _rows(outlook, found, most)
        say()
    for sentence in _conclusions(outlook, found, most):
        _say_wrapped(sentence)
    if not found.complete:
        say(bold("Unfinished: the work was stopped; what is known so far is told."))
    say()
    say(effort(found.nodes, found.millis))


def _cards(seen: View) -> None:
    """The dealer's hand, and the card that lies face up."""
    columns = max(10, *(len(ranks(seen.hand, suit)) + 4 for suit in SUITS))
    blocks = [block("Dealer", seen.hand, columns)]
    if seen.up_card:
        blocks.append(block("Up-card", seen.up_card, 10))
    for parts in zip(*blocks, strict=True):
        line = Text("").join(parts)
        line.rstrip()
        say(line)
    say()


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
    drawn = "was drawn" if found.worlds == 1 else "were drawn"
    done = f"{found.worlds:,} {drawn} with seed {found.seed}" if found.worlds else "none is done yet"
    done += " so far" if found.worlds and not found.complete else ""
    yield f"A world is a layout of the unseen cards that fits all he knows. Of {_worlds(found.fit)} {done}."
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
    head, *lines = grid(rows, header)
    say(head)
    before = None
    for place, (each, line) in enumerate(zip(told, lines, strict=True)):
        if place >= found.kept and each.worlds != before:
            before = each.worlds
            say(dim(f"dropped after {_worlds(each.worlds)}:"))
        say(line)
    if rest := _rest(found, len(told)):
        say(dim(rest))


def _rest(found: DealerEstimate, told: int) -> str:
    """What is not told: `and 5 more, and 22 dropped early`."""
    kept, dropped = max(0, found.kept - told), len(found.candidates) - max(found.kept, told)
    parts = [f"and {kept} more"] if kept else []
    parts += [f"and {dropped} {'more ' if told > found.kept else ''}dropped early"] if dropped else []
    return ", ".join(parts)


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


def _worlds(number: int) -> str:
    return f"{number:,} world{'s' if number != 1 else ''}"


def _how(outlook: Outlook, candidate: Candidate) -> str:
    if outlook.swaps:
        return "take" if candidate.choice.swap else "leave"
    return cards_text(candidate.choice.discard) if outlook.pool else ""


def _tricks(figure: Figure) -> str:
    return f"{figure.value:.2f}" + ("" if figure.error is None else f" \u00b1{figure.error:.2f}")


def _percent(figure: Figure) -> str:
    error = "" if figure.error is None else f" \u00b1{100 * figure.error:.0f}"
    return f"{100 * figure.value:.0f}%{error}"


def _conclusions(outlook: Outlook, found: DealerEstimate, most: int) -> Iterator[str]:
    """What follows. `most`: rows told."""
    if found.best is not None:
        ahead = _ahead(outlook, found)
        yield f"Best{'' if found.complete else ' so far'}: {_said(outlook, found.best)}{ahead}."
    if found.margin is not None and not found.apart(found.margin):
        yield "The two cannot be told apart yet; more worlds or seconds may do it."
    if found.chosen is not None:
        yield f"Chosen: {_said(outlook, found.chosen)}{_loss(found)}."
    yield _AVERAGE
    if any(each.open for each in (*found.candidates[:most], found.chosen) if each is not None):
        yield "Open: worlds whose value lies between two numbers; the middle counts, and the error is larger for it."
    if any(each.candidate.call == MIZ for each in found.candidates):
        caps = counted(outlook.view.profile.caps()[0])
        yield f"MIZ: the most the dealer can be made to take; without loss: {caps}. Calls are compared by balance."


def _ahead(outlook: Outlook, found: DealerEstimate) -> str:
    """The best against the runner-up."""
    if found.second is None or found.margin is None:
        return ""
    second = _name(outlook, found.second.candidate)
    if found.by == "mean":
        return f"; {_tricks(found.margin)} tricks ahead of {second}"
    return f"; {_chance(found)} {_percent(found.margin)} above that of {second}"


def _loss(found: DealerEstimate) -> str:
    """What was chosen against the best."""
    if found.loss is None:
        return ""
    if found.chosen == found.best:
        return "; that is the best"
    what = f"{_tricks(found.loss)} tricks" if found.by == "mean" else f"{_percent(found.loss)} of {_chance(found)}"
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
    return f"{_name(outlook, each.candidate)}: {most}{_tricks(each.mean)} tricks, quota {_percent(each.quota)}"
