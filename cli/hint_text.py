"""A hint as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.cli.dealer_text import call_name, cards_text
from tierce.cli.estimate_text import CLOSE, cards, percent, say_wrapped, tricks, worlds
from tierce.cli.exchange_text import wrapped
from tierce.cli.hint_asking import Asked
from tierce.cli.hint_contract_text import always_void, bid_name, column_notes, contract_scene
from tierce.cli.render import SEAT_NAMES, bold, card_text, dim, grid, joined, say, suit_sign, with_signs
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import bit
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.games.profile import MIZ
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.view import View
from tierce.solver.hints.results import Hint, Option

ERROR: Final = "±: one standard error of the mean"
SAME: Final = "±0.00: all its worlds came to the same, or next to it"
ALL: Final = "±0.00: no world was left out"
_METHODS: Final = {
    "rule": "the rule of thumb alone, without a world",
    "pimc": "exact values in each world, all cards seen, averaged",
    "playouts": "worlds played to the end by rules of thumb",
    "tree": "a search of the own cards, the others by rules of thumb",
    "ending": "exact, over all layouts that are left",
}
_OTHERS: Final = {
    "conspiring": "Both others are taken to play against this player, seeing all cards.",
    "rules": "The others are taken to play each for himself, by rules of thumb.",
    "hint": "The others are taken to play each for himself, in this trick by a hint of few worlds.",
}
_OTHERS_IN_CONTRACTS: Final = {
    "conspiring": "All four are taken to see all cards and to play for their side.",
    "rules": "The others are taken to bid and play by rules of thumb.",
}


def show(asked: Asked, found: Hint, *, most: int) -> None:
    """The hand, the decision, a row a choice, and what the numbers are."""
    view = asked.view
    cards(SEAT_NAMES[view.profile.seats][view.seat], view.hand, view.up_card)
    for sentence in contract_scene(asked) if view.profile.contracts else _scene(asked):
        say_wrapped(sentence)
    say()
    so_far = "" if found.complete or found.forced else " so far"
    say(bold(f"Best{so_far}: {option_name(view, found.best)}."))
    if not found.forced and found.worlds:
        say()
        _rows(view, found, most)
    say()
    for sentence in _conclusions(view, found):
        say_wrapped(sentence)
    say()
    say(dim(f"{worlds(found.worlds)}, {_time(found.millis)}"))


def _time(millis: float) -> str:
    return f"{millis:.1f} ms" if millis < 1000 else f"{millis / 1000:.2f} s"


# ---- the moment ------------------------------------------------------------------------------------------------------


def _scene(asked: Asked) -> Iterator[str]:
    """Where it is from, what is due, and what all can see."""
    view = asked.view
    if asked.place:
        yield f"{asked.place}: only what {NAMES[view.seat]} knows is looked at."
    if view.phase == "PLAY":
        yield _play(view)
    elif view.call:
        yield f"{_capital(_trump(view))}."
    owed = "may take" if view.call == MIZ else "owes"
    kitty = ", one of which is the kitty" if view.profile.kitty_trick and view.seat == 0 else ""
    yield f"{_capital(NAMES[view.seat])} {owed} {view.quotas[view.seat]} of {view.profile.counted} tricks{kitty}."
    if view.phase in ("EXCHANGE", "SEND"):
        yield _parcels(view)


def _play(view: View) -> str:
    """`Trick 5, spades are trump; eldest leads; taken: dealer 1, eldest 2, middle 1.`"""
    table = f"{NAMES[view.leader]} leads"
    if view.trick:
        played = joined([card_text(card) for card in view.trick]).plain
        table = f"{NAMES[view.leader]} led, on the table {played}"
    taken = ", ".join(f"{name} {count}" for name, count in zip(NAMES, view.taken, strict=True))
    return f"Trick {len(view.tricks) + 1}, {_trump(view)}; {table}; taken: {taken}."


def _trump(view: View) -> str:
    return "no trump" if view.call in ("N", "") else "MIZ" if view.call == MIZ else f"{call_name(view.call)} are trump"


def _parcels(view: View) -> str:
    due = [each for each in view.transfers if each.sender == view.seat and not each.sent]
    parcels = " and ".join(f"{each.count} card{'s' * (each.count != 1)} to {NAMES[each.receiver]}" for each in due)
    return f"{_capital(NAMES[view.seat])} sends {parcels}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- choices ---------------------------------------------------------------------------------------------------------


def option_name(view: View, option: Option) -> str:
    """A choice in words: `♠A`, `spades, discarding ♥32`, `♠2 to the dealer`."""
    return ", ".join(_action_name(view, action) for action in option.actions)


def _action_name(view: View, action: Action) -> str:
    match action:
        case Play():
            return cards_text(bit(action.card))
        case NameTrump():
            return call_name("SHDCN"[action.trump])
        case Call():
            return call_name(action.call)
        case Discard():
            return f"discarding {cards_text(action.cards)}"
        case Send():
            return f"{cards_text(action.cards)} to {NAMES[action.to]}"
        case Bid():
            return bid_name(action.bid)
        case Swap():
            up = cards_text(view.up_card)
            return f"taking {up} for {suit_sign(2)}2" if action.take else f"leaving {up}"
    raise AssertionError(f"no decision of a player: {action!r}")


def _rows(view: View, found: Hint, most: int) -> None:
    """The best first; those that the race dropped have met fewer worlds."""
    told = found.options[:most]
    value = _value_name(found)
    quota = "made" if view.profile.contracts else "no loss" if view.call == MIZ else "quota"
    header = [found.what, *([value] if value else []), "tricks", quota, "worlds"]
    for line in grid([_row(view, each, found) for each in told], header):
        say(line)
    if len(found.options) > len(told):
        say(dim(f"and {len(found.options) - len(told)} more"))
    for note in _notes(view, found, told):
        for text in wrapped(note):
            say(dim(text))


def _notes(view: View, found: Hint, told: Sequence[Option]) -> Iterator[str]:
    """What the columns are."""
    if view.profile.contracts:
        yield from column_notes(view, found, told)
    if any(each.value.error is not None or each.tricks.error is not None for each in told):
        yield ERROR
    if any("±0.00" in cell for each in told for cell in _row(view, each, found)):
        yield ALL if found.method == "ending" else SAME


def _row(view: View, each: Option, found: Hint) -> list[str]:
    values = [_value(each.value, found)] if _value_name(found) else []
    reached = ["-", "-"] if always_void(view, each) else [tricks(each.tricks), f"{100 * each.quota:.0f}%"]
    return [option_name(view, each), *values, *reached, f"{each.worlds:,}"]


def _value_name(found: Hint) -> str:
    """What the order goes by, if no other column says it."""
    by_tricks = "value" if found.what == "call" else ""  # few tricks in MIZ stand against many
    reached = (
        "beaten" if found.side == "defenders" else "chance" if found.what == "bid" else ""
    )  # made stands beside it
    names = {"tricks": by_tricks, "quota": "chance", "twelve": "win", "utility": "points", "units": "units"}
    return (names | {"made": reached})[found.by]


def _value(figure: Figure, found: Hint) -> str:
    return tricks(figure) if found.by in ("tricks", "utility", "units") else percent(figure)


# ---- what follows ----------------------------------------------------------------------------------------------------


def _conclusions(view: View, found: Hint) -> Iterator[str]:
    yield with_signs(found.why)
    if not found.forced:
        if found.margin is not None and not found.told_apart and found.method != "ending":
            yield CLOSE
        yield f"Values: {_METHODS[found.method]}."
    if found.worlds and not found.forced:
        yield (_OTHERS_IN_CONTRACTS if view.profile.contracts else _OTHERS)[found.others]
        yield _drawn(found)
    if not found.complete and not found.forced:
        yield "Unfinished: the work was stopped; what is known so far is told."


def _drawn(found: Hint) -> str:
    """`Of 4,096 worlds that fit 200 were met, drawn with seed 1; by their weights they count as 120.`"""
    were = "was" if found.worlds == 1 else "were"
    weights = ""
    if found.effective < 0.95 * found.worlds:
        weights = f"; by their weights they count as {found.effective:,.0f}"
    return f"Of {worlds(found.fit)} that fit {found.worlds:,} {were} met, seed {found.seed}{weights}."
