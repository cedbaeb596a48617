"""The page of reviewed deals of contracts: one, or the deals of a match with their series.

All that is told can be read without a script: the hands, the tricks, the account by sides and seats, the auction
against what could be made, the turning points, and the worth of the contract from card to card as a curve. The script
is that of the other reviews (review_page.js): it lays the cards round a table and steps through them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from typing import Final

from tierce.solver.advice.contract_ledger import ContractPlay
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts_results import ContractRow
from tierce.solver.cards import NOTRUMP, SEATS4, Card, card_name, side_name
from tierce.solver.games.contracts import contract_title
from tierce.solver.report import contract_words as words
from tierce.solver.report.contract_data import contract_element, first_play
from tierce.solver.report.contract_plots import worth_curve
from tierce.solver.report.contract_summary import Series, series_of
from tierce.solver.report.hands import SUIT_SIGNS, hands_markup, names_markup, suit_markup
from tierce.solver.report.markup import Content, Markup, element, facts, joined, page, plain, section, table
from tierce.solver.report.review_data import cards_played
from tierce.solver.report.review_page import goto

__all__ = ["contract_page", "series_section"]

_MINUS: Final = "\u2212"
_PLACES: Final = ("North", "East", "South", "West")


def contract_page(reviews: Sequence[ContractReview]) -> str:
    """The page of some reviews, at least one."""
    keys = _keys(reviews)
    games = list(dict.fromkeys(review.deal.state.profile.id for review in reviews))
    title = f"{', '.join(games)}: {'a deal' if len(reviews) == 1 else f'{len(reviews)} deals'} reviewed"
    above = []
    if len(reviews) > 1:
        above.append(_choose(reviews, keys))
        above += [series_section(each) for each in series_of(reviews) if len(each.deals) > 1]
    deals = [_deal(review, place, key) for place, (review, key) in enumerate(zip(reviews, keys, strict=True))]
    style, script = ((files(__package__) / f"review_page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    note = f"tierce {version('tierce')}"
    return page(title, [*above, *deals, contract_element(reviews)], note=note, style=style, script=script)


def _keys(reviews: Sequence[ContractReview]) -> list[int]:
    """What each deal is called in the address: its number in the match or, if these are not all of one, its place."""
    numbers = [review.deal.number for review in reviews]
    return numbers if len(set(numbers)) == len(numbers) else list(range(1, len(numbers) + 1))


def _choose(reviews: Sequence[ContractReview], keys: Sequence[int]) -> Markup:
    links = (
        element("li", element("a", f"{key} {_short(review)}", href=f"#deal={key}", data_deal=str(place)))
        for place, (review, key) in enumerate(zip(reviews, keys, strict=True))
    )
    return element("nav", element("ol", *links), class_="deals", aria_label="Deals")


def _short(review: ContractReview) -> str:
    contract = review.contract
    if contract is None:
        return "void"
    return f"{contract_title(contract.name)} {''.join(SEATS4[seat] for seat in contract.declarers)}"


def series_section(series: Series) -> Markup:
    """The deals of a match with running totals."""
    names = [f"{seat} {plain(name)}" for seat, name in zip(SEATS4, series.players, strict=True)]
    rows: list[list[Content]] = []
    for deal in series.deals:
        made = "" if deal.made is None else "made" if deal.made else "beaten"
        both = zip(deal.units, deal.totals, strict=True)
        cells = (f"{_signed(units)} ({_signed(total)})" for units, total in both)
        rows.append([str(deal.number), deal.title, made, *cells])
    caption = "What each deal brought, and the running totals"
    parts = [table(["deal", "contract", "", *names], rows, caption=caption, words=3)]
    if series.winners:
        parts.append(element("p", words.won_text(series.players, series.winners)))
    return section("Series", *parts)


def _deal(review: ContractReview, place: int, key: int) -> Markup:
    name = f"deal={key}"
    link = f"#{name}"
    parts = [
        element("h2", f"Deal {review.deal.number}: {words.head(review)}", id=name),
        element("p", words.meaning(review), class_="note"),
        *(element("p", each, class_="warning") for each in _warnings(review)),
        _board(review, place, link),
        _before(review),
    ]
    if review.ledger is not None:
        parts += [_turns(review, link), _curve(review, key), _sides(review)]
    parts += [_seats(review), _auction(review)]
    if review.ledger is not None:
        parts.append(_costs(review, link))
    return element("article", *parts, class_="deal", data_deal=str(place), data_key=str(key), aria_labelledby=name)


def _warnings(review: ContractReview) -> Iterator[str]:
    if review.claim is not None:
        shares = ", ".join(f"{seat} {got}" for seat, got in zip(SEATS4, review.claim.tricks, strict=True))
        yield f"The rest was claimed: {shares}."
        yield words.claim_text(review)
    elif not review.finished:
        yield "The hand is not finished."
    if not review.whole:
        yield "Time ran out: the account begins later, and the first cards are not judged."


# ---- the hand --------------------------------------------------------------------------------------------------------


def _board(review: ContractReview, place: int, link: str) -> Markup:
    dealt = review.deal.state.dealt
    assert dealt is not None
    hands = hands_markup([(_seat(review, seat), dealt.hands[seat]) for seat in range(4)])
    if review.void:
        return hands
    tricks = [_tricks(review, link)] if cards_played(review.deal) else []
    return element("div", element("hand-review", hands, data_deal=str(place)), *tricks, class_="board")


def _seat(review: ContractReview, seat: int) -> str:
    return f"{_PLACES[seat]}: {plain(_name(review, seat))}"


def _name(review: ContractReview, seat: int) -> str:
    return review.players[review.deal.state.player(seat)]


def _tricks(review: ContractReview, link: str) -> Markup:
    """The cards trick by trick, a link each."""
    state, first = review.deal.state, first_play(review)
    rows = []
    told = [(trick.leader, trick.cards, trick.winner) for trick in state.tricks]
    if state.trick:
        told.append((state.leader, state.trick, -1))
    for number, (leader, cards, winner) in enumerate(told):
        cells: dict[int, Markup] = {}
        for place, card in enumerate(cards):
            seat, play = (leader + place) % 4, 4 * number + place
            inside = _cell(card, place == 0, seat == winner, _lost(review, play - first))
            cells[seat] = element("a", inside, href=f"{link}&play={play}", data_play=str(play))
        rows.append([str(number + 1), *(cells.get(seat, "") for seat in range(4))])
    caption = "Tricks: › led, underlined: won, \u22121: what a card cost its side"
    return element("div", table(["", *SEATS4], rows, caption=caption, words=5), class_="tricks")


def _lost(review: ContractReview, at: int) -> int:
    return review.ledger.plays[at].loss if review.ledger is not None and at >= 0 else 0


def _cell(card: Card, led: bool, won: bool, lost: int) -> Markup:
    before = [element("span", "›", class_="led", aria_hidden="true"), _heard("led ")] if led else []
    shown = [element("span", _card(card), class_="won"), _heard(" won")] if won else [_card(card)]
    cost = [element("span", f"{_MINUS}{lost}", class_="cost")] if lost else []
    return joined([*before, *shown, *cost])


def _heard(text: str) -> Markup:
    """What is seen by a sign, for those who hear the page."""
    return element("span", text, class_="hidden")


def _card(card: Card) -> Markup:
    name = card_name(card)
    return suit_markup("SHDC".index(name[0]), name[1])


def _before(review: ContractReview) -> Markup:
    """What came before the play, and what came of it."""
    state, contract = review.deal.state, review.contract
    found: list[tuple[str, Content]] = [("Dealer", SEATS4[state.dealer])]
    if state.turned is not None:
        found.append(("Turned up", _card(state.turned)))
    found.append(("Auction", ", ".join(_bids(review))))
    if contract is not None:
        found += [("Contract", words.head(review)), ("Led", SEATS4[contract.leader])]
        found.append(("What came of it", words.outcome(review)))
    return facts(found)


def _bids(review: ContractReview) -> Iterator[str]:
    for seat, bid in review.deal.state.bids:
        yield f"{SEATS4[seat]} {words.said(bid if isinstance(bid, str) else None)}"


# ---- turning points and the curve ------------------------------------------------------------------------------------


def _turns(review: ContractReview, link: str) -> Markup:
    if not review.turns:
        text = "No card turned the contract from made to beaten or back, and none cost two tricks."
        return section("Turning points", element("p", text))
    items = (
        element("li", goto(words.turn_text(review, turn), f"{link}&play={first_play(review) + turn.number}"))
        for turn in review.turns
    )
    return section("Turning points", element("ol", *items))


def _curve(review: ContractReview, key: int) -> Markup:
    told = "Line: the declarers' tricks with best play from there. Dotted: what they need. Diamonds: turning points."
    if review.contract is not None and review.contract.rule.fewest:
        told = "Line: 0 while the declarer need take no trick, 1 once he must or has. Diamonds: turning points."
    rows = []
    for each in review.standings:
        stands = ("made" if each.makes else "beaten") + (", settled" if each.settled else "")
        rows.append([str(each.trick), SEATS4[each.winner], str(each.worth), stands])
    caption = "Worth after each trick, and how the contract stands; settled: whatever is played"
    inside = table(["trick", "won", "worth", "stands"], rows, caption=caption, words=2)
    figure = element("figure", worth_curve(review, f"curve-{key}"), element("figcaption", told))
    return section("Worth", figure, element("details", element("summary", "The same as a table"), inside))


# ---- accounts --------------------------------------------------------------------------------------------------------


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"{_MINUS}{-number}" if number else "0"


def _unit(review: ContractReview) -> str:
    return "points" if review.money else "units"


def _sides(review: ContractReview) -> Markup:
    rows = [
        [
            f"{'declaring' if side.declares else 'defending'}: {words.seat_letters(side.seats)}",
            *(str(number) for number in (side.lost, side.units, side.turned)),
            f"{side.best} of {side.unforced}",
        ]
        for side in review.sides
    ]
    caption = (
        "Each side together. Turned: cards after which the contract stood worse for it; "
        "best cards: that lost nothing, of those played with a choice"
    )
    header = ["side", "tricks lost", f"{_unit(review)} each", "turned", "best cards"]
    return section("Account", table(header, rows, caption=caption))


def _seats(review: ContractReview) -> Markup:
    claims = any(seat.claim for seat in review.seats)
    header = ["seat", "at the first lead", "own cards", "partners' cards", "others' cards", *(["claim"] * claims)]
    header += [f"= {_unit(review)}", "total", "tricks lost", "best cards"]
    rows = []
    for seat in review.seats:
        parts = [_signed(seat.start), _signed(-seat.own), _signed(-seat.partners), _signed(seat.others)]
        parts += [_signed(seat.claim)] * claims
        parts += [_signed(seat.units), _signed(review.deal.totals[seat.player])]
        name = f"{SEATS4[seat.seat]} {plain(seat.name)}"
        rows.append([name, *parts, str(seat.lost), f"{seat.best} of {seat.unforced}"])
    caption = f"Where each seat's {_unit(review)} came from; every row adds up"
    return section("Each seat", table(header, rows, caption=caption))


# ---- the auction -----------------------------------------------------------------------------------------------------


def _auction(review: ContractReview) -> Markup:
    parts = [element("p", words.skipped_text(part), class_="warning") for part in review.skipped]
    if review.trump is not None:
        parts.append(element("p", words.trump_text(review)))
    if review.table is None:
        return section("Auction", *parts)
    parts.append(element("p", words.compared(review), class_="note"))
    parts.append(element("ul", *(element("li", each) for each in words.auction_texts(review))))
    parts += [_calls(review), _dearest(review), element("p", words.highest_text(review)), _makeable(review)]
    return section("Auction", *parts)


def _number(units: int | None) -> str:
    return "?" if units is None else _signed(units)


def _calls(review: ContractReview) -> Markup:
    rows = []
    for call in review.calls:
        best = ", ".join(words.said(bid) for bid in call.best)
        over = ", ".join(f"{SEATS4[seat]} {contract_title(bid)}" for seat, bid in call.over)
        lost = "?" if call.loss is None else str(call.loss)
        rows.append([SEATS4[call.seat], words.said(call.bid), best, over, *map(_number, (call.worth, call.best_units))])
        rows[-1].append(lost)
    header = ["seat", "call", "best", "who could go over that", "units", "of the best", "lost"]
    return table(header, rows, caption="Calls in their order, in units of their seats", words=4)


def _dearest(review: ContractReview) -> Markup:
    rows = []
    for seat in review.auctions:
        lost = "?" if seat.loss is None else str(seat.loss)
        rows.append([SEATS4[seat.seat], words.dearest_text(seat), _number(seat.best), _number(seat.stood), lost])
    header = ["seat", "dearest bid it makes", "best call", "what stood", "lost"]
    return table(header, rows, caption="The auction by seat, in units; lost: by its dearest mistake", words=2)


def _makeable(review: ContractReview) -> Markup:
    """The contract table of the deal."""
    assert review.table is not None
    groups: dict[str, list[ContractRow]] = {}
    for row in review.table.rows:
        groups.setdefault(_row_name(row), []).append(row)
    rows = [[name, *_answers(found)] for name, found in groups.items()]
    caption = "What can be made in the deal, all hands seen"
    inside = table(["contract", "made by", "beaten"], rows, caption=caption, words=3)
    return element("details", element("summary", "Every contract of the deal"), inside)


def _row_name(row: ContractRow) -> str:
    named = row.name == "abundance" or (row.name == "abundance_declared" and row.contract.trump != NOTRUMP)
    return contract_title(row.name) + (f" {SUIT_SIGNS[row.contract.trump]}" if named else "")


def _answers(rows: Sequence[ContractRow]) -> Iterator[Content]:
    yield ", ".join(side_name(row.side, 4) for row in rows if row.makes) or "nobody"
    beaten = []
    for row in rows:
        if row.makes is not True:
            lead = "" if row.lead is None else f" ({card_name(row.lead)})"
            beaten.append(side_name(row.side, 4) + (lead if row.makes is False else " ?"))
    yield names_markup(", ".join(beaten))


# ---- cards by cost ---------------------------------------------------------------------------------------------------


def _costs(review: ContractReview, link: str) -> Markup:
    """The cards that cost something, the dearest first."""
    assert review.ledger is not None
    costly = [(number, play) for number, play in enumerate(review.ledger.plays) if play.loss]
    costly.sort(key=lambda each: _dear(review, each[1]))
    first = first_play(review)
    rows = [_cost(review, play, f"{link}&play={first + number}") for number, play in costly]
    note = f"The number is the tricks that each card cost its side, then the {_unit(review)} each of it lost."
    said = element("p", note, class_="note")
    listing = element("ul", *rows, class_="costs") if rows else element("p", "No card cost anything.")
    return section("Cards by cost", said, listing)


def _dear(review: ContractReview, play: ContractPlay) -> tuple[int, int]:
    return -review.cost(play), -play.loss


def _cost(review: ContractReview, play: ContractPlay, address: str) -> Markup:
    units = review.cost(play)
    number = f"{play.loss}, {units}" if units else str(play.loss)
    text = goto(f"Trick {play.trick}: {words.play_text(review, play)}", address)
    return element("li", element("strong", number), element("span", text))
