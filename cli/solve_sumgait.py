"""`tierce solve --game sumgait`: the exact best against two piles whose order is known, as a table or as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from tierce.cli.exits import OK, interruptible
from tierce.cli.games import any_game_of
from tierce.cli.options import json_option
from tierce.cli.remote import remote
from tierce.cli.sumgait_hand import typed_hand
from tierce.cli.values import Number, judged
from tierce.solver.cards import NOTRUMP, STRAIN_LETTERS, SUIT_LETTERS, SUIT_NAMES, Card, Mask, mask_of, parse_trump
from tierce.solver.errors import InputError, shown
from tierce.solver.games.sumgait import Sumgait, card_name, format_hand, parse_cards, parse_hand
from tierce.solver.games.sumgait.cards import in_two_places
from tierce.solver.games.sumgait.prices import MISERE as MISERE_CALL
from tierce.solver.games.sumgait.prices import PLAY, score
from tierce.solver.games.sumgait.prices import TRICKS as TRICKS_OF_DEAL
from tierce.solver.games.sumgait.record_json import SEATS

if TYPE_CHECKING:
    from rich.text import Text

    from tierce.solver.piles import KnownResult, Objective, PileView

__all__ = ["command"]

Piles = tuple[tuple[Card, ...], tuple[Card, ...]]
_OBJECTIVES: Final = ("points", "tricks", "ten", "misere")
_TITLES: Final = ("Declarer", "Next", "Other")

_HELP = """\b
Sumgait Driller with both piles known: the exact best of the declarer, and a
line that reaches it.

\b
  tierce solve --game sumgait KQ2.A.. --piles "SA HT J1 C9 / C7 D2 SJ H3"
  tierce solve --game sumgait Q52..A. --trump S --leader next --taken 9 \\
  --piles "SA HT C2 D3 / S3 C7 DK H2" --objective ten

\b
HAND is S.H.D.C, or S.H.D.C.jokers, of the cards he has left, 18 or fewer; - is
stdin. --piles tells as many cards of each pile, the top first: the next
player's, a slash, the other's. King and queen of a suit that was declared are
played, but for one of them that he may hold still.

\b
--objective  points   points in the column Game (default)
             tricks   tricks
             ten      whether ten tricks are made: 1 or 0
             misere   points of a MISERE, by no trick
The points of a deal hang on all its tricks: --taken tells those he has;
without it those to come count alone. Who leads has won the trick before.
Marriages may be declared, except to the first trick of 18 cards and in MISERE.

\b
--json: taken, value, tricks, declared, trump (at the end), line (leader, cards
by seat, marriage, winner), choices (each way to play now with its value),
vist_of_others (what both get together).
"""


def _seat(text: str) -> int:
    """A seat of the deal, by its name or first letter. InputError."""
    found = [seat for seat, name in enumerate(SEATS) if text.strip().lower() in (name, name[0])]
    if not found:
        raise InputError("leader", f"expected one of {' '.join(SEATS)}, found {shown(text)}")
    return found[0]


def _suits(text: str) -> tuple[int, ...]:
    """Suits in their order. InputError."""
    letters = list(text.upper().replace(",", " ").replace(" ", ""))
    if any(letter not in SUIT_LETTERS for letter in letters) or len(set(letters)) < len(letters):
        raise InputError("declared", f"expected suits such as 'S H', each once, found {shown(text)}")
    return tuple(map(SUIT_LETTERS.index, letters))


def _typed_piles(text: str) -> Piles:
    """Both piles, top first, no card twice. InputError for what is none, whatever the hand."""
    parts = text.split("/")
    if len(parts) != 2:
        message = f"expected two piles such as 'SA HT J1 / C7 D2 SJ', found {shown(text)}"
        raise InputError("piles", message, field="piles")
    one, two = (parse_cards(part, field="piles") for part in parts)
    _check_once((one, two))
    return one, two


def _check_once(piles: Piles, hand: Mask = 0) -> None:
    places = [("in the hand", hand), *zip(("in next's pile", "in other's pile"), map(mask_of, piles), strict=True)]
    if twice := in_two_places(places):
        raise InputError("duplicate_card", f"expected each card once, found {twice}", field="piles")


@click.command("solve", help=_HELP, short_help="Sumgait with both piles known.")
@click.argument("hand", required=False)
@click.option("--game", metavar="GAME", help="sumgait.")
@click.option(
    "--piles", callback=judged(_typed_piles), metavar="CARDS", required=True, help="'SA HT J1 ... / C7 ...', top first."
)
@click.option("--trump", callback=judged(parse_trump), metavar="S|H|D|C|N", help="The trump now (default none).")
@click.option("--declared", callback=judged(_suits), metavar="SUITS", help="Suits declared, if more than the trump.")
@click.option("--leader", callback=judged(_seat), default="declarer", metavar="SEAT", help="declarer, next or other.")
@click.option("--taken", type=Number(int, 0, TRICKS_OF_DEAL), metavar="N", help="Tricks he has.")
@click.option("--objective", type=click.Choice(_OBJECTIVES), default="points", help="What is to be high.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    if remote() is not None:
        raise click.UsageError("expected a game that a server knows, found 'sumgait': leave out --server")
    game = any_game_of(given["game"], None, given["options"])
    _check_declared(given)
    assert isinstance(game, Sumgait)
    try:
        view, piles, wish = _asked(game, given)
    except InputError as error:
        raise error.located(field=_option(error.field, given)) from None
    from tierce.solver.piles import Stop, solve_known

    began = time.monotonic()
    stop = Stop()
    try:
        found = interruptible(lambda: solve_known(view, piles, wish, stop=stop))
    except KeyboardInterrupt:
        stop.set()
        raise
    millis = (time.monotonic() - began) * 1e3
    if given["as_json"]:
        click.echo(json.dumps(_json(game, view, piles, found, millis)))
        return OK
    from tierce.cli.render import say

    taken = "" if view.left == TRICKS_OF_DEAL else f"; taken so far {view.tricks}"
    taken += " (without --taken)" if taken and given["taken"] is None else ""
    for line in _lines(view, piles, found, (taken, _vist(game, found)), millis):
        say(line)
    return OK


def _check_declared(given: dict[str, Any]) -> None:
    """UsageError for a trump that is not among the suits declared."""
    if given["trump"] is None or given["declared"] is None or (trump := parse_trump(given["trump"])) == NOTRUMP:
        return
    if trump not in _suits(given["declared"]):
        found = f"expected the trump {STRAIN_LETTERS[trump]} among the suits declared, found {given['declared']}"
        raise click.UsageError(f"--declared: {found}")


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _asked(game: Sumgait, given: dict[str, Any]) -> tuple[PileView, Piles, Objective]:
    from tierce.solver.piles import MISERE, TEN, TRICKS, Judge, PileView, points

    text = typed_hand(given["hand"]) if given["hand"] is not None else None
    if text is None:
        raise click.UsageError("expected a hand, such as AK.QJ.T9.87.J1, or - for stdin")
    hand = parse_hand(text, field="hand")
    piles = _piles(given["piles"], hand)
    trump = NOTRUMP if given["trump"] is None else parse_trump(given["trump"])
    misere = given["objective"] == "misere"
    options = game.options
    taken = given["taken"]
    wishes = {"points": points(options), "tricks": TRICKS, "ten": TEN, "misere": MISERE}
    view = PileView(
        hand=hand,
        free=mask_of(piles[0]) | mask_of(piles[1]),
        leader=_seat(given["leader"]),
        trump=trump,
        declared=_declared(given["declared"], trump),
        tricks=0 if taken is None else _taken(taken, hand),
        marriages=not misere,
        judge=Judge(
            str(options["joker_resolution"]),
            str(options["joker_lead_suit"]),
            bool(options["joker_free"]),
            misere and options["misere_jokers"] == "low",
        ),
    )
    if taken is not None:
        view.check_taken(taken)  # 0, too, now that it is told
    return view, piles, wishes[given["objective"]]


def _option(field: str | None, given: dict[str, Any]) -> str | None:
    """What was typed where the view names a field of its own."""
    if field == "declared" and given["declared"] is None:
        return "trump"
    return "taken" if field == "tricks" else field


def _piles(text: str, hand: Mask) -> Piles:
    """Both piles, as many cards in each as in the hand, none of them there."""
    one, two = _typed_piles(text)
    count = hand.bit_count()
    if not 1 <= count <= TRICKS_OF_DEAL:
        raise InputError("hand_size", f"expected 1 to {TRICKS_OF_DEAL} cards, found {count}", field="hand")
    for name, pile in (("the next player's", one), ("the other's", two)):
        if len(pile) != count:
            message = f"expected {count} cards in {name} pile, as many as in the hand, found {len(pile)}"
            raise InputError("card_count", message, field="piles")
    _check_once((one, two), hand)
    return one, two


def _declared(text: str | None, trump: int) -> int:
    """The suits declared, as bits: the trump, if nothing is told."""
    if text is None:
        return 0 if trump == NOTRUMP else 1 << trump
    return sum(1 << suit for suit in _suits(text))


def _taken(taken: int, hand: Mask) -> int:
    most = TRICKS_OF_DEAL - hand.bit_count()
    if taken > most:
        message = f"expected at most {most} tricks before the last {hand.bit_count()}, found {taken}"
        raise InputError("taken", message, field="taken")
    return taken


# ---- the result ------------------------------------------------------------------------------------------------------


def _json(game: Sumgait, view: PileView, piles: Piles, found: KnownResult, millis: float) -> dict[str, Any]:
    out: dict[str, Any] = {"game": game.id, "options": game.given, "hand": format_hand(view.hand)}
    out["piles"] = {seat: " ".join(map(card_name, pile)) for seat, pile in zip(SEATS[1:], piles, strict=True)}
    out |= {
        "leader": SEATS[view.leader],
        "taken": view.tricks,
        "objective": found.objective,
        "value": found.value,
        "tricks": found.tricks,
    }
    out["declared"] = [SUIT_LETTERS[suit] for suit in range(4) if found.declared >> suit & 1]
    out["trump"] = STRAIN_LETTERS[found.trump]
    out["line"] = [
        {
            "leader": SEATS[trick.leader],
            "cards": dict(zip(SEATS, map(card_name, trick.cards), strict=True)),
            "marriage": None if trick.suit is None else SUIT_LETTERS[trick.suit],
            "winner": SEATS[trick.winner],
        }
        for trick in found.line
    ]
    out["choices"] = [
        {
            "card": card_name(each.way.card),
            "marriage": None if each.way.suit is None else SUIT_LETTERS[each.way.suit],
            "value": each.value,
        }
        for each in found.choices
    ]
    if (vist := _vist(game, found)) is not None:
        out["vist_of_others"] = vist
    return out | {"millis": round(millis, 3)}


def _vist(game: Sumgait, found: KnownResult) -> int | None:
    """What both others get in Vist at the end, taken together; None where points are not looked at."""
    calls = {"points": PLAY, "misere": MISERE_CALL}
    if found.objective not in calls:
        return None
    suits = sorted((suit for suit in range(4) if found.declared >> suit & 1), key=lambda suit: suit == found.trump)
    tricks = (found.tricks, TRICKS_OF_DEAL - found.tricks, 0)
    return sum(score(calls[found.objective], suits, tricks, game.options).vist)


def _lines(
    view: PileView, piles: Piles, found: KnownResult, beside: tuple[str, int | None], millis: float
) -> Iterator[str | Text]:
    """For people. `beside`: the tricks before, in words, and what the others get in Vist."""
    from tierce.cli.hint_sumgait_text import hand_lines
    from tierce.cli.render import bold, dim, grid, titled

    yield from hand_lines(view.hand)
    yield ""
    for title, pile in zip(_TITLES[1:], piles, strict=True):
        yield from titled(title, " ".join(map(_card, pile)))
    trump = "No trump" if view.trump == NOTRUMP else f"{SUIT_NAMES[view.trump].capitalize()} are trump"
    taken, vist = beside
    yield f"{trump}; {('the declarer', 'the next player', 'the other')[view.leader]} leads{taken}."
    yield ""
    yield bold(_best(found))
    if vist is not None:
        yield f"Vist: {vist} for the others together." if vist else "Vist: none."
    yield ""
    yield from grid(_rows(view, found), ["Trick", *(f"  {title}" for title in _TITLES), "Won by"])
    yield "> leads, = makes its suit trump"
    yield ""
    yield from _choices(found)
    yield dim(f"exact, {millis:.1f} ms")


def _best(found: KnownResult) -> str:
    """`Best: 240 points, 13 tricks, hearts declared.`"""
    suits = " and ".join(SUIT_NAMES[suit] for suit in range(4) if found.declared >> suit & 1)
    tricks = f"{found.tricks} trick{'s' if found.tricks != 1 else ''}"
    declared = f", {suits} declared" if suits else ""
    if found.objective == "ten":
        return f"Best: {'ten tricks are made' if found.value else 'ten tricks are not made'}: {tricks}{declared}."
    value = "" if found.objective == "tricks" else f"{found.value:g} points, "
    return f"Best: {value}{tricks}{declared}."


def _rows(view: PileView, found: KnownResult) -> list[list[str]]:
    rows = []
    for number, trick in enumerate(found.line, TRICKS_OF_DEAL + 1 - view.left):
        cells = [_card(card) for card in trick.cards]
        cells[trick.leader] = ("> " if trick.suit is None else "= ") + cells[trick.leader]
        rows.append([str(number), *cells, _TITLES[trick.winner]])
    return rows


def _choices(found: KnownResult) -> Iterator[str]:
    """The ways to play now, by what they still reach."""
    from tierce.cli.render import titled

    by_value: dict[float, list[str]] = {}
    for each in found.choices:
        name = _card(each.way.card) + ("" if each.way.suit is None else f" declaring {SUIT_NAMES[each.way.suit]}")
        by_value.setdefault(each.value, []).append(name)
    for value in sorted(by_value, reverse=True):
        yield from titled(f"{value:g}", ", ".join(by_value[value]))


def _card(card: Card) -> str:
    """A card as it stands in the tables, with the sign of its suit."""
    from tierce.cli.hint_sumgait_text import card_text

    return card_text(card)
