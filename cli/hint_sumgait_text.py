"""A hint in Sumgait Driller as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Final

from tierce.cli.estimate_text import CLOSE, say_wrapped, tricks
from tierce.cli.hint_sumgait import Asked
from tierce.cli.hint_text import ERROR
from tierce.cli.render import bold, dim, grid, red, say, suit_sign, with_signs
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import ALL_CARDS, RANK_LETTERS, SUIT_NAMES, SUITS, rank_of
from tierce.solver.games.sumgait.actions import Action, Call, Early, Give, Play, Rob
from tierce.solver.games.sumgait.cards import Card, Mask, card_name, card_names, cards_of, is_joker, suit_of
from tierce.solver.games.sumgait.prices import MISERE, PASS
from tierce.solver.games.sumgait.record_json import ROBBED
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles.decision_results import Choice, Decision
from tierce.solver.piles.percents import percent_text

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["card_text", "cards_text", "hand_lines", "show"]

_SEATS: Final = ("the declarer", "the next player", "the other player")
_CALLS: Final = {PASS: "PASS", MISERE: "MISERE"}
_WANTED: Final = {"points": "points", "match": "match", "ten": "", "tricks": ""}
_ENDS: Final = {"0.0%": "none", "100.0%": "all"}
_HOW: Final = {
    "card": "each card in the same random orders of the piles, played on by rules of thumb",
    "rob": "random layouts of the unseen cards, four given by rule, the best call played on",
    "misere": "random layouts of the unseen cards, four given by rule, the best call played on",
    "give": "random orders of the piles, played on by rules of thumb",
    "call": "random orders of the piles, played on by rules of thumb",
}


def show(asked: Asked, found: Decision, *, most: int, worlds: int | None = None) -> None:
    """The hand, the decision, a row a choice, and what the numbers are. `worlds`: so many were asked for."""
    view = asked.view
    for line in hand_lines(view.hand):
        say(line)
    say()
    for sentence in _scene(asked):
        say_wrapped(sentence)
    say()
    so_far = "" if found.complete or found.forced else " so far"
    say(bold(f"Best{so_far}: {_name(found.best)}."))
    if found.method != "rule":
        say()
        _rows(found, most)
    say()
    for sentence in _conclusions(found):
        say_wrapped(sentence)
    say()
    orders = "exact" if found.method == "ending" else f"{_met(found, worlds)}, seed {found.seed}"
    say(dim(f"{orders}, {_time(found.millis)}"))


def _met(found: Decision, worlds: int | None) -> str:
    """`200 orders`; if the best was told apart before all were met that were asked for, `settled after 64 of 100`."""
    if found.forced or not found.settled or found.worlds >= (worlds or inf):
        return f"{found.worlds:,} {_orders(found)}"
    return f"settled after {found.worlds:,}{f' of {worlds:,}' if worlds else ''} {_orders(found)}"


def _orders(found: Decision) -> str:
    name = "layout" if found.what in ("rob", "misere") else "order"
    return name if found.worlds == 1 else f"{name}s"


def _time(millis: float) -> str:
    return f"{millis:.1f} ms" if millis < 1000 else f"{millis / 1000:.2f} s"


def hand_lines(hand: Mask, title: str = "Declarer") -> Iterator[str | Text]:
    """A hand as lines for `say`: its title, its suits, its jokers if there are any."""
    from tierce.cli.render import ranks

    yield bold(title)
    for suit in SUITS:
        yield red(suit, f"{suit_sign(suit)} {ranks(hand, suit)}")
    if hand & ~ALL_CARDS:
        yield card_names(hand & ~ALL_CARDS)


# ---- the moment ------------------------------------------------------------------------------------------------------


def _scene(asked: Asked) -> Iterator[str]:
    """Where it is from, what is due, and what is known."""
    view = asked.view
    if asked.place:
        yield f"{asked.place}: only what the declarer knows is looked at."
    columns = ", ".join(str(tally.game) for tally in view.tallies)
    yield f"Deal {view.number} of the match, player {view.declarer + 1} declares; Game of players 1 2 3: {columns}."
    if view.phase == "PLAY":
        yield _play(view)
    yield from _known(view)


def _known(view: View) -> Iterator[str]:
    """The cards that are known to lie in a pile, by what they are known from."""
    given = [view.known[seat] & view.given[seat] for seat in range(3)]
    if view.robbed is not None:
        let_go = cards_text(view.known[view.robbed] & ~given[view.robbed])
        rest = f"not yet turned: {let_go}" if let_go else "all turned"
        yield f"The declarer robbed {_SEATS[view.robbed]}, who got the sixteen cards he let go; {rest}."
    names = [f"{cards_text(cards)} to {name}" for name, cards in zip(_SEATS, given, strict=True) if cards]
    if names:
        yield f"Given, and not yet turned: {', '.join(names)}."


def _play(view: View) -> str:
    """`Trick 5, spades are trump; on the table ♠A ♠2, led by the next player; taken: ...`"""
    trump = "no trump" if view.trump == 4 else f"{SUIT_NAMES[view.trump]} are trump"
    begin = "MISERE, trick" if view.call == MISERE else "Trick"
    table = "the declarer leads"
    if view.trick:
        table = f"on the table {' '.join(map(card_text, view.trick))}, led by {_SEATS[view.leader]}"
    taken = ", ".join(f"{name} {count}" for name, count in zip(_SEATS, view.taken, strict=True))
    return f"{begin} {len(view.tricks) + 1}, {trump}; {table}; taken: {taken}."


# ---- choices ---------------------------------------------------------------------------------------------------------


def card_text(card: Card) -> str:
    """A card with the sign of its suit; a joker by its name."""
    return card_name(card) if is_joker(card) else suit_sign(suit_of(card)) + RANK_LETTERS[rank_of(card)]


def cards_text(cards: Mask) -> str:
    """Cards with their signs."""
    return " ".join(map(card_text, cards_of(cards)))


def _name(choice: Choice) -> str:
    plan = f"; {_CALLS[choice.plan]}" if choice.plan in _CALLS else ""
    return _action_name(choice.action) + plan


def _action_name(action: Action) -> str:
    match action:
        case Rob():
            return "rob nobody" if action.of is None else f"rob the {ROBBED[action.of]} player"
        case Early():
            return "MISERE" if action.misere else "no MISERE"
        case Give():
            return f"{cards_text(action.next)} to next, {cards_text(action.other)} to other"
        case Call():
            return _CALLS.get(action.call, "play")
        case Play():
            name = card_text(action.card)
            return f"{name} declaring {SUIT_NAMES[suit_of(action.card)]}" if action.marriage else name
    raise AssertionError(f"no decision of the declarer: {action!r}")


def _rows(found: Decision, most: int) -> None:
    """The best first; those that the race dropped have met fewer orders."""
    told = found.choices[:most]
    wanted = _WANTED[found.by]
    chance = "no trick" if found.call == MISERE else "ten"
    header = [found.what, *([wanted] if wanted else []), "tricks", chance]
    exact = found.method == "ending"
    header += [] if exact else [f"{_orders(found).removesuffix('s')}s"]
    for line in grid([_row(each, found, exact) for each in told], header):
        say(line)
    if len(found.choices) > len(told):
        say(dim(f"and {len(found.choices) - len(told)} more"))
    if not exact and any(each.value.error is not None for each in told):
        say(dim(ERROR))
    chances = {percent_text(each.ten) for each in told}
    if not exact and (ends := [text for text in _ENDS if text in chances]):
        say(dim(f"{' and '.join(ends)}: in {' and '.join(_ENDS[text] for text in ends)} of those met"))


def _row(each: Choice, found: Decision, exact: bool) -> list[str]:
    values = [_number(_known_error(each.value, exact))] if _WANTED[found.by] else []
    error = each.value.error if found.by == "ten" and not exact else None
    ten = percent_text(each.ten) + ("" if error is None else f" ±{100 * error:.1f}")
    row = [_name(each), *values, tricks(_known_error(each.tricks, exact)), ten]
    return row if exact else [*row, f"{each.worlds:,}"]


def _number(figure: Figure) -> str:
    """`64.8 ±0.6`."""
    return f"{figure.value:.1f}" + ("" if figure.error is None else f" ±{figure.error:.1f}")


def _known_error(figure: Figure, exact: bool) -> Figure:
    """An exact figure has no error to tell."""
    return Figure(figure.value, None) if exact else figure


# ---- what follows ----------------------------------------------------------------------------------------------------


def _conclusions(found: Decision) -> Iterator[str]:
    yield with_signs(found.why)
    if found.forced:
        return
    if found.method == "ending":
        yield "Values: exact, with best play, over all orders of the piles that are left."
        return
    if found.margin is not None and not found.told_apart and found.margin.value > 0:
        yield CLOSE
    if found.method == "playouts":
        yield f"Values: {_HOW[found.what]}."
        yield from _well(found)
    if found.by == "match":
        yield (
            f"Match: what the settlement would bring, a point of Game counted as {found.game_weight:g} of Vist, "
            "after hill, laggard and ten times."
        )
    if found.what != "card" and not found.call:
        yield "Ten: the chance of ten tricks; in MISERE of none; in PASS of six each."
        if found.by == "points":
            yield "Points: of the column Game; what PASS costs in Vist counts with --by match."
    if not found.complete:
        yield "Unfinished: the work was stopped; what is known so far is told."


def _well(found: Decision) -> Iterator[str]:
    """In how many orders each call was played well: few, so that most of the errors is theirs."""
    wells = {
        each.plan or (each.action.call if isinstance(each.action, Call) else ""): each.well for each in found.choices
    }
    many = [f"{well:,} for {_CALLS.get(call, 'playing')}" for call, well in wells.items() if well]
    if many:
        yield (
            f"What good play adds to that, or takes from it, is from fewer of them, {' and '.join(many)}: most of the "
            "errors is theirs."
        )
    if many and found.what == "give":
        yield "Rows for the same call share that part: they are told apart more surely than their errors tell."
