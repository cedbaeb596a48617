"""`tierce replay`: a played hand, trick by trick, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from tierce.cli.commands.convert import any_records_in, replayed
from tierce.cli.exits import OK
from tierce.cli.options import json_option
from tierce.cli.values import FileName, Number
from tierce.solver.asking import Json
from tierce.solver.cards import RANK_LETTERS, SUIT_NAMES, Card, Mask, card_name, cards_of, parse_card, rank_of, suit_of

if TYPE_CHECKING:
    from rich.text import Text

    from tierce.solver.games import DealRecord, Profile, Record, Replay, ReplayedDeal, State

_HELP = """\b
A played hand, trick by trick.

\b
  tierce replay hand.json
  tierce replay hand.json --deal 1
  tierce replay hand.pbn --json

The hand as dealt, bids, exchange, trump and discard, the tricks, what each
player won and owed, and what he owes in the next exchange. A result stated in
the file that is not what the recount gives is reported, both values. A file may
hold several hands, an unfinished one, or a deal that was not played; - is stdin.

--deal N tells a deal alone, with the match as it stood after it. As in hint and
review N is the deal's number in its match; the deals of a file of several
records are counted through.

Hands the rules forbid are refused (exit code 65) with file, deal and field.

\b
With --json a record is a line; D E M are seats, 0 1 2 players (of four hands
N E S W, 0 1 2 3):
  game, options, players, totals, won
  deals           number (in its match), players (of D, E, M), what was
                  recorded or is due by the rules, finished, passed_out,
                  tricks, taken, quotas; if finished, counted, balances,
                  totals; if not, phase, mover, unfinished_trick; stated: the
                  result in the file; in games of contracts contract and made,
                  in its auction open_bids and refused_bids (why)
  owed            parcels still to be sent, in order: from, to (seats of that
                  deal), from_player, to_player, count
  discrepancies   deal, what, seat (of totals null), player, stated, recounted
of a match of sumgait, whose seats are declarer, next and other:
  game, options, players, over, settlement (when it is over)
  deals           as above, with points, price, gained (Vist) and credited (to
                  the laggard) in place of quotas and balances
  columns         game, vist, failures by player: after a deal, and in the end
  sheet           a row a deal, the four cells of each player
  discrepancies   deal, what, player, stated, recounted
"""
_SUITS = ("S", "H", "D", "C")
_NAME_WIDTH = 40
_TWO = parse_card("D2")


@click.command("replay", help=_HELP, short_help="A played hand, trick by trick.")
@click.argument("file", type=FileName())
@click.option("--deal", "number", type=Number(int, 1), metavar="N", help="This deal alone (default: all).")
@json_option
def command(file: str, number: int | None, as_json: bool) -> int:
    """See _HELP."""
    from tierce.cli.replay_deals import numbered
    from tierce.cli.replay_sumgait import replay_json, replay_lines
    from tierce.solver.games import Replay

    replays = numbered([replayed(record) for record in any_records_in(file)], number)
    if as_json:
        for each, _ in replays:
            tree = _json(each) if isinstance(each, Replay) else replay_json(each)
            click.echo(json.dumps(tree, ensure_ascii=False))
        return OK
    from tierce.cli.render import say

    for place, (each, numbers) in enumerate(replays):
        if place:
            say()
        for line in _lines(each, numbers) if isinstance(each, Replay) else replay_lines(each, numbers):
            say(line)
    return OK


def _name(record: Record, player: int) -> str:
    """A player's name, cut so that a table with it fits."""
    from tierce.cli.render import cut

    return cut(record.players[player], _NAME_WIDTH) if record.players else f"Player {player}"


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _json(found: Replay) -> Json:
    record, letters = found.record, found.record.profile.letters
    return {
        "game": record.profile.id,
        "options": record.profile.given,
        "players": list(record.players) if record.players else None,
        "deals": [_deal_json(deal, filled) for deal, filled in zip(found.deals, record.deals, strict=True)],
        "totals": list(found.state.totals),
        "won": list(found.state.won),
        "owed": [
            {
                "from": letters[each.sender],
                "to": letters[each.receiver],
                "from_player": found.state.player(each.sender),
                "to_player": found.state.player(each.receiver),
                "count": each.count,
            }
            for each in found.owed
        ],
        "discrepancies": [
            {
                "deal": each.deal,
                "what": each.what,
                "seat": None if each.what == "totals" else letters[each.who],
                "player": each.who if each.what == "totals" else deal.state.player(each.who),
                "stated": each.stated,
                "recounted": each.recounted,
            }
            for deal in found.deals
            for each in deal.discrepancies
        ],
    }


def _deal_json(deal: ReplayedDeal, filled: DealRecord) -> Json:
    """A deal with what the rules filled in, and what came of it; tricks with their leader and winner."""
    from tierce.solver.games import legal
    from tierce.solver.games.record_json import deal_json

    state, result, letters = deal.state, deal.result, deal.state.profile.letters
    said = {name: value for name, value in deal_json(filled, state.profile).items() if name not in ("play", "deal")}
    out: Json = {"number": deal.number, "players": [state.player(seat) for seat in range(len(letters))]}
    out |= {"deal": str(deal.record.deal)} | {name: value for name, value in said.items() if name != "result"}
    out["finished"], out["passed_out"] = deal.finished, deal.passed_out
    if not deal.finished and not deal.passed_out:
        mover = legal(state)[0].seat
        out |= {"phase": state.phase, "mover": None if mover is None else letters[mover]}
    if state.profile.contracts:
        from tierce.cli.replay_contracts import contract_json

        out |= contract_json(deal)
    out["tricks"] = [
        {"leader": letters[trick.leader], "cards": list(map(card_name, trick.cards)), "winner": letters[trick.winner]}
        for trick in state.tricks
    ]
    if state.trick:
        out["unfinished_trick"] = {"leader": letters[state.leader], "cards": list(map(card_name, state.trick))}
    out["taken"] = _by_seat(state.taken, letters)
    if not state.profile.contracts:
        out["quotas"] = _by_seat(state.quotas, letters)
    if result is not None:
        out |= {"counted": _by_seat(result.tricks, letters), "balances": _by_seat(result.balances, letters)}
        out["totals"] = list(deal.totals)
    if "result" in said:
        out["stated"] = said["result"]
    return out


def _by_seat(values: Sequence[int], letters: str) -> dict[str, int]:
    return dict(zip(letters, values, strict=True))


# ---- text ------------------------------------------------------------------------------------------------------------


def _lines(found: Replay, numbers: Sequence[int]) -> Iterator[str | Text]:
    from tierce.cli.render import bold, joined
    from tierce.solver.games.options import value_text

    record = found.record
    yield joined([bold(" ".join(record.profile.name.split())), bold(record.profile.id)], ", ")
    if record.profile.given:
        given = (f"{name} = {value_text(value)}" for name, value in record.profile.given.items())
        yield from _wrapped("Options", ", ".join(given))
    for deal, number in zip(found.deals, numbers, strict=True):
        yield ""
        yield from _deal_lines(record, deal, number)
    yield from _ending(found)


def _deal_lines(record: Record, deal: ReplayedDeal, number: int) -> Iterator[str | Text]:
    from tierce.cli.render import bold, hand_row
    from tierce.cli.replay_deals import deal_title

    state = deal.state
    yield bold(deal_title(number, deal.number))
    yield from _wrapped("Seats", ", ".join(_seated(record, state)))
    if state.turned is not None:
        yield from _wrapped("Deal", f"{state.profile.letters[state.dealer]} deals, {_card(state.turned)} is turned up")
    yield ""
    assert state.dealt is not None
    yield from hand_row(state.dealt.hands, state.dealt.kitty, state.profile)
    if course := list(_course(record, deal)):
        yield ""
    for title, text in course:
        yield from _wrapped(title, text)
    if state.tricks or state.trick:
        yield ""
        yield from _tricks(deal)
        yield "> leads"
    yield ""
    if deal.result is not None:
        yield from _results(record, deal)
    else:
        yield _where_it_ends(deal)
        if state.phase == "BID" and state.profile.contracts:
            from tierce.cli.replay_contracts import bids_due

            yield from bids_due(state)
    for discrepancy in deal.discrepancies:
        totals = discrepancy.what == "totals"
        who = _name(record, discrepancy.who) if totals else discrepancy.letters[discrepancy.who]
        yield bold(
            f"Stated {discrepancy.what} of {who}: {discrepancy.stated}; the recount gives {discrepancy.recounted}."
        )


def _seated(record: Record, state: State) -> list[str]:
    """Who sits where."""
    return [f"{letter} {_name(record, state.player(seat))}" for seat, letter in enumerate(state.profile.letters)]


def _wrapped(title: str, text: str) -> list[str]:
    """A title and its text, in lines that fit on a screen, where some letters take two columns."""
    from tierce.cli.render import titled

    return titled(title, text)


def _course(record: Record, deal: ReplayedDeal) -> Iterator[tuple[str, str]]:
    """What was done before the play, in this game's order."""
    for phase in deal.state.steps:
        for title, text in _done(record, deal, phase):
            if text:
                yield title, text


def _done(record: Record, deal: ReplayedDeal, phase: str) -> Iterator[tuple[str, str]]:
    """What was done in a phase; parcels are told together with what came back."""
    state, letters = deal.state, deal.state.profile.letters
    if phase == "BID":
        yield "Auction", ", ".join(_bids(record, deal))
        if state.contract is not None:
            from tierce.cli.replay_contracts import contract_lines

            yield from contract_lines(state)
    elif phase in ("EXCHANGE", "SEND"):
        for each in state.transfers:
            back = f"; returned: {_cards(each.returned)}" if each.returned else ""
            sent = f"{letters[each.sender]} to {letters[each.receiver]}: {_cards(each.sent)}{back}"
            yield "Exchange", sent if each.sent else ""
    elif phase in ("TRUMP", "CALL") and state.contract is None:
        yield phase.capitalize(), _call_name(state.call)
    elif phase == "DISCARD":
        yield "Discard", _cards(state.discard)
    elif phase == "KITTY":
        yield "Kitty", _cards(state.taken_kitty)
    elif phase == "SHOW":
        for to, cards in state.shown:
            yield "Shown", f"to {letters[to]}: {_cards(cards)}"
    elif phase == "SWAP":
        yield "Swap", _swap(deal)


def _bids(record: Record, deal: ReplayedDeal) -> Iterator[str]:
    """Who bid what: seats are those of the auction, which may not be those of the play."""
    from tierce.cli.replay_contracts import spoken
    from tierce.solver.games import Bid

    for action in deal.actions:
        if isinstance(action, Bid) and record.profile.contracts:
            yield f"{record.profile.letters[action.seat]} {spoken(action.bid)}"
        elif isinstance(action, Bid):
            who = _name(record, (deal.start.dealer + action.seat) % 3)
            yield f"{who} {'passes' if action.bid is None else action.bid}"


def _call_name(call: str) -> str:
    return {"": "", "N": "no trump", "MIZ": "MIZ"}[call] if call not in _SUITS else SUIT_NAMES[_SUITS.index(call)]


def _swap(deal: ReplayedDeal) -> str:
    state = deal.state
    if state.swapped is None:
        return ""
    if not state.swapped or state.swapper is None:
        return f"the holder of {_card(_TWO)} leaves the up-card"
    return f"{state.profile.letters[state.swapper]} takes {_cards(state.taken_up)} and leaves {_card(_TWO)}"


def _card(card: Card) -> str:
    """A card as it stands in the tables, with the sign of its suit."""
    from tierce.cli.render import suit_sign

    return suit_sign(suit_of(card)) + RANK_LETTERS[rank_of(card)]


def _cards(cards: Mask) -> str:
    return " ".join(map(_card, cards_of(cards)))


def _tricks(deal: ReplayedDeal) -> Iterator[Text]:
    """A row a trick: cards by seat, the leader's first, who won it and the tricks so far."""
    from tierce.cli.render import grid

    state, letters = deal.state, deal.state.profile.letters
    n = len(letters)
    taken = [0] * n
    rows = []
    tricks: list[tuple[int, tuple[int, ...], int | None]] = [(t.leader, t.cards, t.winner) for t in state.tricks]
    if state.trick:
        tricks.append((state.leader, state.trick, None))
    for number, (leader, cards, winner) in enumerate(tricks, 1):
        by_seat = {(leader + i) % n: _card(card) for i, card in enumerate(cards)}
        cells = [("> " if seat == leader else "") + by_seat.get(seat, "") for seat in range(n)]
        if winner is not None:
            taken[winner] += 1
        won = [letters[winner], *map(str, taken)] if winner is not None else [""] * (n + 1)
        rows.append([str(number), *cells, *won])
    for line in grid(rows, ["Trick", *(f"   {each}" for each in letters), "Won by", *(f" {each}" for each in letters)]):
        line.rstrip()
        yield line


def _results(record: Record, deal: ReplayedDeal) -> Iterator[Text | str]:
    from tierce.cli.render import grid

    state, result, contracts = deal.state, deal.result, deal.state.profile.contracts
    assert result is not None
    if state.claim is not None:
        given = ", ".join(f"{letter} {count}" for letter, count in zip(state.profile.letters, state.claim, strict=True))
        yield f"Claimed: {given}."
    if contracts:
        from tierce.cli.replay_contracts import outcome

        yield outcome(deal)
    rows = [
        [
            who,
            str(result.tricks[seat]),
            *([] if contracts else [str(result.quotas[seat])]),
            _signed(result.balances[seat]),
            _signed(deal.totals[state.player(seat)]),
        ]
        for seat, who in enumerate(_seated(record, state))
    ]
    owed = [] if contracts else ["At most" if result.call == "MIZ" else "Quota"]
    yield from grid(rows, ["Seat", "Tricks", *owed, _worth(state.profile), "Total"])
    if state.profile.kitty_trick:
        yield "The kitty counts as a trick of the dealer."


def _worth(profile: Profile) -> str:
    """What a deal's balances are called."""
    if not profile.contracts:
        return "Balance"
    schedule = str(profile.option("overtrick_schedule"))
    return {"none": "Units", "fives": "Points"}.get(schedule, schedule.capitalize())


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _where_it_ends(deal: ReplayedDeal) -> str:
    from tierce.cli.replay_deals import before_what

    state = deal.state
    if deal.passed_out:
        return "Everybody passed."
    stated = " The stated result cannot be checked." if deal.record.stated is not None else ""
    if state.phase != "PLAY":
        return f"The record ends {before_what(state)}.{stated}"
    letters = state.profile.letters
    taken = ", ".join(f"{letter} {count}" for letter, count in zip(letters, state.taken, strict=True))
    begun = f"taken so far {taken}; " if state.tricks else ""
    return f"The record ends in the play: {begun}{letters[state.mover]} to play.{stated}"


def _ending(found: Replay) -> Iterator[str]:
    record, state = found.record, found.state
    if state.won:
        names = " and ".join(_name(record, player) for player in state.won)
        verb = "wins" if len(state.won) == 1 else "share the win of"
        yield f"{names} {verb} the match."
    elif found.deals and found.deals[-1].finished:
        yield ""
        if record.profile.contracts:
            yield from _wrapped("Next", f"deal {len(state.results) + 1}: {_seated(record, state)[state.dealer]} deals")
            return
        yield from _wrapped("Next", f"deal {len(state.results) + 1}: {', '.join(_seated(record, state))}")
        if not found.owed:
            yield from _wrapped("Owed", "nothing: there is no exchange")
    for each in found.owed:
        one, other = (_seated(record, state)[seat] for seat in (each.sender, each.receiver))
        cards = f"{each.count} card{'s' * (each.count != 1)}"
        yield from _wrapped("Owed", f"{one} sends {cards} to {other}, who returns as many")
