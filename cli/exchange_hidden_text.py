"""An estimate of a sender's decision as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.cli.dealer_text import cards_text
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
from tierce.cli.render import SEAT_NAMES, bold, dim, effort, say, suit_sign
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, ParcelsEstimate
from tierce.solver.advice.sender_choices import SenderOutlook
from tierce.solver.cards import seat_letters
from tierce.solver.games.exchange import Transfer

_SEATS: Final = seat_letters(3)


def show(outlook: SenderOutlook, found: ExchangeEstimate, *, most: int) -> None:
    """The hand, a row a candidate, and what the numbers are."""
    view = outlook.view
    cards(SEAT_NAMES[3][view.seat], view.hand, view.up_card)
    for sentence in _opening(outlook, found):
        say_wrapped(sentence)
    say()
    if found.parcels:
        _rows(found, most)
        say()
    for sentence in _conclusions(outlook, found, most):
        say_wrapped(sentence)
    if not found.complete:
        say(bold("Unfinished: the work was stopped; what is known so far is told."))
    say()
    say(effort(found.nodes, found.millis))


# ---- what is decided -------------------------------------------------------------------------------------------------


def _opening(outlook: SenderOutlook, found: ExchangeEstimate) -> Iterator[str]:
    view, name = outlook.view, _SEATS[outlook.view.seat]
    yield f"Only what {name} knows is looked at."
    kitty = ", one of which is the kitty" if view.profile.kitty_trick and view.seat == 0 else ""
    yield f"{name} owes {found.quota} of {view.profile.counted} tricks{kitty}."
    yield from _before(outlook)
    yield _due(outlook)
    yield from _after(outlook)
    yield f"A world is a layout of the unseen cards that fits all that {name} knows. {drawn(found)}"
    if found.parcels:
        yield _tried(found)


def _before(outlook: SenderOutlook) -> Iterator[str]:
    """What has been laid away and sent by now."""
    if outlook.view.discards and outlook.view.seat:
        yield f"D has laid away {_count(outlook.view.discards)}, unseen; any may be among them."
    for i, each in enumerate(outlook.view.transfers):
        sender, receiver = _SEATS[each.sender], _SEATS[each.receiver]
        if i == outlook.worlds.hidden:
            back = "" if outlook.view.phase == "SEND" else f" and got {'one' if each.count == 1 else 'as many'} back"
            yield f"{sender} has sent {_count(each.count)} to {receiver}{back}, unseen."
        elif each.sent:
            got = f" and got {cards_text(each.returned)} back" if each.returned else ""
            yield f"{sender} has sent {cards_text(each.sent)} to {receiver}{got}."


def _due(outlook: SenderOutlook) -> str:
    """`M sends 1 card to E and 2 cards to D, both before any come back.`"""
    parcels = " and ".join(f"{_count(each.count)} to {_SEATS[each.receiver]}" for each in outlook.now)
    both = ", both before any come back" if len(outlook.now) > 1 else ""
    return f"{_SEATS[outlook.view.seat]} sends {parcels}{both}."


def _after(outlook: SenderOutlook) -> Iterator[str]:
    """What others, or he himself, will do before the dealer's choices, after what is chosen now."""
    for each in outlook.later:
        name, receiver = _SEATS[each.sender], _SEATS[each.receiver]
        yield f"With what comes back {name} sends {_count(each.count)} to {receiver}, in the estimate his lowest."
    for each in outlook.others:
        sender, receiver = _SEATS[each.sender], _SEATS[each.receiver]
        yield f"Then {sender} sends {_count(each.count)} to {receiver}, in the estimate his lowest."
    if outlook.swap:
        yield f"Who holds {suit_sign(2)}2 after it may take the up-card, and does so in the estimate."


def _tried(found: ExchangeEstimate) -> str:
    if found.of == found.ways:
        which = f"{found.ways:,} way{'s' * (found.ways != 1)} to choose"
    else:
        which = f"{found.of:,} candidates (of each suit the lowest cards)"
    tried = len(found.parcels)
    least = "All" if tried >= found.of else f"The {tried} most promising" if found.complete else f"{tried}"
    return f"{least} of {which} were tried, in the same worlds."


# ---- rows ------------------------------------------------------------------------------------------------------------


def _rows(found: ExchangeEstimate, most: int) -> None:
    told = found.parcels[:most]
    header = ["sent", "tricks", "quota", f"{found.win} tricks", "worlds"]
    table([_row(each) for each in told], header, [each.worlds for each in told], found.kept)
    if rest := rest_text(len(told), found.kept, len(found.parcels)):
        say(dim(rest))


def _row(each: ParcelsEstimate) -> list[str]:
    figures = tricks(each.tricks), percent(each.quota), percent(each.twelve)
    return [_sent(each.sends), *figures, worlds_met(each.worlds, each.open)]


def _sent(sends: Sequence[Transfer]) -> str:
    """`E ♥2, D ♦43`."""
    return ", ".join(f"{_SEATS[each.receiver]} {cards_text(each.sent)}" for each in sends)


def _count(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


# ---- what follows ----------------------------------------------------------------------------------------------------


def _conclusions(outlook: SenderOutlook, found: ExchangeEstimate, most: int) -> Iterator[str]:
    """What follows. `most`: rows told."""
    if found.best is not None:
        yield f"Best{'' if found.complete else ' so far'}: {_said(found.best)}{_ahead(found)}."
    if found.margin is not None and not found.apart(found.margin):
        yield CLOSE
    if found.chosen is not None:
        yield f"Chosen: {_said(found.chosen)}{_loss(found)}."
    yield _average(found.sender)
    yield _reply(outlook, found)
    if any(each.open for each in (*found.parcels[:most], found.chosen) if each is not None):
        yield OPEN


def _average(sender: int) -> str:
    return (
        "An estimate, \u00b1 its standard error: an average over worlds assumes that the later play sees all cards, "
        f"both others playing against {_SEATS[sender]}."
    )


def _reply(outlook: SenderOutlook, found: ExchangeEstimate) -> str:
    """How the dealer was taken to choose."""
    choices = "trump and discard" if outlook.discards else "trump"
    if found.reply == "exact":
        return (
            f"In each world the dealer's {choices}: his best with all cards seen, of equally good ones the first found."
        )
    whose = "what he knows then" if found.sender == 0 else "his own cards alone"
    return f"In each world the dealer's {choices}: by a quick rule, from {whose}."


def _ahead(found: ExchangeEstimate) -> str:
    """The best against the runner-up."""
    if found.second is None or found.margin is None:
        return ""
    second = _sent(found.second.sends)
    if found.by == "mean":
        return f"; {tricks(found.margin)} tricks ahead of {second}"
    return f"; {_chance(found)} {percent(found.margin)} above that of {second}"


def _loss(found: ExchangeEstimate) -> str:
    """What was chosen against the best."""
    if found.loss is None:
        return ""
    if found.chosen == found.best:
        return "; that is the best"
    what = f"{tricks(found.loss)} tricks" if found.by == "mean" else f"{percent(found.loss)} of {_chance(found)}"
    return f"; a loss of {what}" + ("" if found.apart(found.loss) else ", which may be none")


def _chance(found: ExchangeEstimate) -> str:
    """The chance that the order goes by."""
    return "the chance of the quota" if found.by == "quota" else f"the chance of {found.win} tricks"


def _said(each: ParcelsEstimate) -> str:
    return f"{_sent(each.sends)}: {tricks(each.tricks)} tricks, quota {percent(each.quota)}"
