"""A replay of Sumgait Driller, for `tierce replay`: its deals, the sheet and, at the end of a match, who pays whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from tierce.solver.asking import Json
from tierce.solver.cards import ALL_CARDS, RANK_LETTERS, STRAIN_LETTERS, SUIT_NAMES, rank_of
from tierce.solver.games.sumgait.cards import Card, Mask, card_name, cards_of, is_joker, suit_of
from tierce.solver.games.sumgait.match import Tally
from tierce.solver.games.sumgait.prices import MISERE, PASS
from tierce.solver.games.sumgait.record import DealRecord, Record
from tierce.solver.games.sumgait.record_json import ROBBED, SEATS, deal_json
from tierce.solver.games.sumgait.replay import Replay, ReplayedDeal
from tierce.solver.games.sumgait.settlement import settle
from tierce.solver.games.sumgait.sheet import LEGEND, sheet_lines, sheet_rows
from tierce.solver.games.sumgait.state import State

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["replay_json", "replay_lines"]

_NAME_WIDTH: Final = 20
_TITLES: Final = ("Declarer", "Next", "Other")


def _names(record: Record) -> list[str]:
    """The players' names, cut so that a table with them fits; numbers as in the sheet where there are none."""
    from tierce.cli.render import cut

    return [cut(name, _NAME_WIDTH) for name in record.players or ("Player 1", "Player 2", "Player 3")]


# ---- JSON ------------------------------------------------------------------------------------------------------------


def replay_json(found: Replay) -> Json:
    """A replay as JSON values."""
    record, state = found.record, found.state
    over = state.phase == "OVER"
    out: Json = {
        "game": record.game.id,
        "options": record.game.given,
        "players": list(record.players) if record.players else None,
        "deals": [_deal_json(deal, filled) for deal, filled in zip(found.deals, record.deals, strict=True)],
        "columns": _columns(state.tallies),
        "over": over,
        "sheet": [[list(cells) for cells in row] for row in sheet_rows(state.results)],
        "discrepancies": [
            {name: getattr(each, name) for name in ("deal", "what", "player", "stated", "recounted")}
            for each in found.discrepancies
        ],
    }
    if over:
        from tierce.cli.commands.settle import settlement_json

        out["settlement"] = settlement_json(settle([tally.vist for tally in state.tallies]))
    return out


def _deal_json(deal: ReplayedDeal, filled: DealRecord) -> Json:
    """A deal with what the rules filled in, and what came of it."""
    state, result = deal.state, deal.result
    said = deal_json(filled)
    out: Json = {"number": deal.number, "players": [state.player(seat) for seat in range(3)]}
    out |= {name: value for name, value in said.items() if name not in ("play", "tricks", "result", "declarer")}
    out["finished"] = deal.finished
    if not deal.finished:
        out["phase"] = state.phase
    if state.dealt is not None:
        out["tricks"] = [_trick(trick.leader, trick.cards, trick.winner, trick.marriage) for trick in state.tricks]
    if state.trick:
        out["unfinished_trick"] = _trick(state.leader, state.trick, None, state.declared)
    out["taken"] = dict(zip(SEATS, state.taken, strict=True))
    if result is not None:
        credited = result.credited
        out |= {"points": result.points, "price": result.price, "gained": list(result.vist)}
        out["credited"] = None if credited is None else {"player": credited[0], "points": credited[1]}
        out["columns"] = _columns(result.tallies)
    if "result" in said:
        out["stated"] = said["result"]
    return out


def _trick(leader: int, cards: Sequence[Card], winner: int | None, marriage: int | None) -> Json:
    out: Json = {"leader": SEATS[leader], "cards": list(map(card_name, cards))}
    if winner is not None:
        out["winner"] = SEATS[winner]
    return out if marriage is None else out | {"marriage": STRAIN_LETTERS[marriage]}


def _columns(tallies: Sequence[Tally]) -> dict[str, Any]:
    return {name: [getattr(tally, name) for tally in tallies] for name in ("game", "vist", "failures")}


# ---- text ------------------------------------------------------------------------------------------------------------


def replay_lines(found: Replay, numbers: Sequence[int]) -> Iterator[str | Text]:
    """A replay for people. `numbers`: how its deals are called."""
    from tierce.cli.render import bold, dim, joined, titled
    from tierce.solver.games.options import value_text

    game, names = found.record.game, _names(found.record)
    yield joined([bold(game.name), bold(game.id)], ", ")
    if game.given:
        yield from titled("Options", ", ".join(f"{name} = {value_text(value)}" for name, value in game.given.items()))
    for deal, number in zip(found.deals, numbers, strict=True):
        if deal.state.dealt is not None or deal.discrepancies:
            yield ""
            yield from _deal_lines(deal, number, names)
    if found.state.results:
        yield ""
        yield from sheet_lines(found.state.results, names, found.state.number - len(found.state.results))
        yield from map(dim, LEGEND)
    yield from _ending(found, names)


def _deal_lines(deal: ReplayedDeal, number: int, names: Sequence[str]) -> Iterator[str | Text]:
    from tierce.cli.render import bold, titled
    from tierce.cli.replay_deals import deal_title

    state = deal.state
    yield bold(deal_title(number, deal.number))
    seats = (f"{title} {names[state.player(seat)]}" for seat, title in enumerate(_TITLES))
    yield from titled("Seats", ", ".join(seats))
    if state.dealt is not None:
        yield ""
        yield from _hands([*zip(_TITLES, state.dealt.hands, strict=True), ("Kitty", state.dealt.kitty)])
        yield ""
        for title, text in _course(state):
            yield from titled(title, text)
    if state.tricks or state.trick:
        yield ""
        yield from _tricks(state)
        yield "> leads, = makes its suit trump"
    if deal.result is not None:
        yield from titled("Result", _result(deal, names))
    else:
        stated = " The stated result cannot be checked." if deal.record.stated is not None else ""
        yield f"The record ends before {_NEXT[state.phase]}.{stated}"
    for each in deal.discrepancies:
        who = names[each.player]
        yield bold(f"Stated {each.what} of {who}: {each.stated}; the recount gives {each.recounted}.")


_NEXT: Final = {
    "ROB": "the choice of a robbery",
    "MISERE": "the call before the kitty",
    "GIVE": "the cards are given",
    "CALL": "the call",
    "SHUFFLE": "the play",
    "PLAY": "the end of the play",
}


def _hands(hands: Sequence[tuple[str, Mask]]) -> Iterator[Text]:
    """Hands one beside the other, jokers below the suits."""
    from rich.text import Text

    from tierce.cli.render import block, joined, padded, ranks

    width = max(10, *(len(ranks(hand, suit)) + 4 for _, hand in hands for suit in range(4)))
    blocks = [block(title, hand & ALL_CARDS, width) for title, hand in hands]
    jokers = [" ".join(map(card_name, cards_of(hand & ~ALL_CARDS))) for _, hand in hands]
    for column, text in zip(blocks, jokers, strict=True):
        column.append(padded(Text(text), width))
    for line in zip(*blocks, strict=True):
        row = joined(line, "")
        row.rstrip()
        yield row


def _course(state: State) -> Iterator[tuple[str, str]]:
    """What was done before the play."""
    if state.phase != "ROB":
        robbed = ROBBED[state.robbed or 0]
        yield "Robbed", robbed if robbed == "nobody" else f"the {robbed} player, sixteen cards for sixteen"
    if state.given[1]:
        given = (f"{SEATS[seat]}: {_cards(state.given[seat])}" for seat in (1, 2))
        yield "Given", ", ".join(given)
    if state.call:
        yield "Call", {PASS: "PASS", MISERE: "MISERE"}.get(state.call, state.call)


def _card(card: Card) -> str:
    """A card as it stands in the tables, with the sign of its suit."""
    from tierce.cli.render import suit_sign

    return card_name(card) if is_joker(card) else suit_sign(suit_of(card)) + RANK_LETTERS[rank_of(card)]


def _cards(cards: Mask) -> str:
    return " ".join(map(_card, cards_of(cards)))


def _tricks(state: State) -> Iterator[Text]:
    """A row a trick: cards by seat, who won it and the tricks so far."""
    from tierce.cli.render import grid

    taken, rows = [0, 0, 0], []
    tricks: list[tuple[int, tuple[Card, ...], int | None, int | None]] = [
        (trick.leader, trick.cards, trick.winner, trick.marriage) for trick in state.tricks
    ]
    if state.trick:
        tricks.append((state.leader, state.trick, None, state.declared))
    for number, (leader, cards, winner, marriage) in enumerate(tricks, 1):
        cells = [""] * 3
        for place, card in enumerate(cards):
            sign = "" if place else "> " if marriage is None else "= "
            cells[(leader + place) % 3] = sign + _card(card)
        won = [""] * 4
        if winner is not None:
            taken[winner] += 1
            won = [_TITLES[winner], *map(str, taken)]
        rows.append([str(number), *cells, *won])
    titles = [f"  {title}" for title in _TITLES]
    for line in grid(rows, ["Trick", *titles, "Won by", *(f" {title[0]}" for title in _TITLES)]):
        line.rstrip()
        yield line


def _result(deal: ReplayedDeal, names: Sequence[str]) -> str:
    result = deal.result
    assert result is not None
    suits = " and ".join(SUIT_NAMES[suit] for suit in result.marriages) or "no trump"
    how = f" ({suits})" if result.call not in (PASS, MISERE) else ""
    text = f"{result.tricks[result.declarer]} tricks{how}, {result.points:+d} Game"
    if result.credited is not None:
        to, points = result.credited
        text += f"; {points:+d} to {names[to]}"
    gained = (f"{name} {points:+d}" for name, points in zip(names, deal.gained, strict=True) if points)
    return f"{text}; Vist {', '.join(gained) or 'for nobody'}"


def _ending(found: Replay, names: Sequence[str]) -> Iterator[str | Text]:
    from tierce.cli.commands.settle import settlement_lines

    state = found.state
    if state.phase == "OVER":
        yield ""
        yield "The match is over."
        yield from settlement_lines(settle([tally.vist for tally in state.tallies]), names)
    elif found.deals[-1].finished:
        yield ""
        yield f"Next: deal {state.number}, {names[state.declarer]} declares."
