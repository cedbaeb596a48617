"""Records written as PBN; `record_pbn` says what the tags mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tierce.solver.cards import card_name, cards_of
from tierce.solver.games.actions import BidValue
from tierce.solver.games.auction import standing
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import DealRecord, Record, turned
from tierce.solver.games.record_json import Json, context_json, deal_json, game_json
from tierce.solver.games.record_pbn_four import four_game
from tierce.solver.games.record_pbn_values import auction_state, seats_moved, trump_of
from tierce.solver.games.state import ELDEST, State
from tierce.solver.pbn import PbnGame, write_pbn
from tierce.solver.pbn_values import format_pbn_deal, format_play

__all__ = ["to_pbn"]

AT: Final = {"D": "N", "E": "E", "M": "S"}  # where a seat sits


def to_pbn(records: Iterable[Record]) -> str:
    """PBN text of the records, which `records_of_pbn` reads back."""
    games: list[PbnGame] = []
    for number, record in enumerate(records, 1):
        match = {"Match": str(number)} if len(record.deals) > 1 else {}
        for index, (deal, dealer) in enumerate(zip(record.deals, _dealers(record), strict=True)):
            tags = {"Board": str(len(games) + 1), "Dealer": "N"} | _game_tags(record.profile) | match
            if record.profile.seats == 4:
                games.append(four_game(record, deal, dealer, tags, first=index == 0))
                continue
            if index == 0 and record.context is not None:
                tags |= _context_tags(context_json(record.context, record.profile))
            games.append(_game(record, deal, dealer, tags))
    return write_pbn(games)


def _dealers(record: Record) -> Iterator[int]:
    """Who dealt each deal: as recorded or, failing that, as the rules have it."""
    seats = record.profile.seats
    dealer = 0 if record.context is None else (record.context.previous.dealer + 1) % seats
    for deal in record.deals:
        if deal.dealer is not None:
            dealer = deal.dealer
        yield dealer
        if seats == 4:
            dealer = (dealer + 1) % 4
            continue
        state = auction_state(record.profile, deal.bids)
        if deal.bids and standing(state) is None:
            dealer = (dealer + (record.profile.option("all_pass") == "next_dealer")) % 3
        else:
            dealer = (dealer + seats_moved(state) + 1) % 3


def _game_tags(profile: Profile) -> dict[str, str]:
    game = game_json(profile)
    tags = {"Game": profile.id} | ({} if isinstance(game, str) else {"GameRules": json.dumps(game)})
    if profile.given:
        tags["Options"] = " ".join(f"{name}={_plain(value)}" for name, value in profile.given.items())
    return tags


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _context_tags(context: Json) -> dict[str, str]:
    words = (
        f"{name}={'/'.join(map(str, value.values())) if isinstance(value, dict) else value}"
        for name, value in context["previous"].items()
    )
    tags = {"MatchDeal": str(context["deal"]), "Totals": _numbers(context["totals"]), "Previous": " ".join(words)}
    if "used" in context:
        tags["CallsUsed"] = "/".join(",".join(calls) or "-" for calls in context["used"])
    return tags


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _game(record: Record, deal: DealRecord, dealer: int, tags: dict[str, str]) -> PbnGame:
    """One deal: `tags` and what is to be said of it."""
    auction = auction_state(record.profile, deal.bids)
    seats = seats_moved(auction)
    dealt = turned(deal.deal, seats)
    north = (dealer + seats) % 3
    tree = deal_json(deal, record.profile)
    tags = tags | {"DealerPlayer": str(north), "Deal": format_pbn_deal(dealt)}
    if record.players is not None:
        tags |= {name: record.players[(north + i) % 3] for i, name in enumerate(("North", "East", "South"))}
    if dealt.kitty:
        tags["Undealt"] = _run(dealt.kitty)
    if deal.exchange:
        tags["CardsPassed"] = " ".join(_passed(tree["exchange"]))
    for name, field in (("CardsAdded", deal.kitty), ("CardsRemoved", deal.discard)):
        if field is not None:
            tags[name] = f"N:{_run(field)}"
    if deal.shown is not None:
        tags["Shown"] = " ".join(f"{AT[row['to']]}:{_close(row['cards'])}" for row in tree["shown"])
    if deal.call:
        tags["Call" if record.profile.calls else "Trump"] = deal.call
    if deal.swap is not None:
        tags["Swap"] = "yes" if deal.swap else "no"
    result = tree.get("result", {})
    said = {"Claim": tree.get("claim"), "Result": result.get("tricks"), "Balances": result.get("balances")}
    for name, values in said.items():
        if values is not None:
            tags[name] = " ".join(f"{AT[seat]}:{value}" for seat, value in values.items())
    if "totals" in result:
        tags["TotalsAfter"] = _numbers(result["totals"])
    sections: dict[str, tuple[str, ...]] = {}
    if deal.bids:
        tags["Auction"] = "NES"[-seats % 3]
        sections["Auction"] = tuple(_auction_rows(deal.bids, auction, -seats % 3))
    if deal.play:
        tags["Play"] = "NES"[ELDEST]
        sections["Play"] = (*format_play(deal.play, ELDEST, trump_of(deal.call), 3), "*")
    return PbnGame(tags=tags, sections=sections)


def _run(mask: int) -> str:
    return "".join(map(card_name, cards_of(mask)))


def _close(cards: str) -> str:
    return cards.replace(" ", "")


def _passed(parcels: Iterable[Json]) -> Iterator[str]:
    for parcel in parcels:
        one, other = AT[parcel["from"]], AT[parcel["to"]]
        yield f"{one}:{other}:{_close(parcel['sent'])}"
        if "returned" in parcel:
            yield f"{other}:{one}:{_close(parcel['returned'])}"


def _auction_rows(bids: Sequence[BidValue], auction: State, opening: int) -> Iterator[str]:
    """Rows of four columns, the first that of the seat `opening`, where the one who dealt sits now."""
    cells: list[str] = []
    for i, bid in enumerate(bids):
        made = auction.bids[i][0] if i < len(auction.bids) else len(cells)  # after the end: anywhere
        while (opening + len(cells)) % 4 != (opening + made) % 3 and i < len(auction.bids):
            cells.append("-")
        cells.append("Pass" if bid is None else str(bid))
    cells += ["-"] * (-len(cells) % 4)
    for at in range(0, len(cells), 4):
        yield " ".join(cells[at : at + 4])
