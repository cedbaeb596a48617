"""The page of reviewed hands: one deal, or the deals of a match with a list to choose from.

All that is told can be read without a script: the hands, the tricks, the account, the decisions by their cost, curves.
The script (review_page.js) lays the cards round a table and steps through them; it has its data from `review_data`, and
keeps deal and card in the address (`#deal=2&play=13`), where links of the page lead as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from typing import Final

from tierce.solver.advice.fair_decisions import Fair
from tierce.solver.advice.review_results import Decision, Review, SeatAccount
from tierce.solver.cards import SEATS3, Card, card_name
from tierce.solver.games.profile import MIZ
from tierce.solver.report.hands import SEAT_NAMES, cards_markup, hands_markup, names_markup, suit_markup
from tierce.solver.report.markup import Content, Markup, element, facts, joined, page, plain, section, table
from tierce.solver.report.review_data import cards_played, data_element, first_lead, first_play, movers
from tierce.solver.report.review_fair import fair_section
from tierce.solver.report.review_plots import seat_curve
from tierce.solver.report.review_words import (
    balance_text,
    call_name,
    claim_text,
    decision_text,
    meaning,
    place_text,
    play_text,
    skipped_text,
    turn_text,
)

__all__ = ["goto", "review_page"]

_MINUS: Final = "\u2212"
_SIGNS: Final = {"safe": "●", "contested": "◐", "lost": "○"}
_STATUS: Final = {"safe": "safe", "contested": "open", "lost": "out of reach"}
_STATUS_FEW: Final = {"safe": "safe", "contested": "not safe", "lost": "exceeded"}


def review_page(reviews: Sequence[Review], fairs: Sequence[Fair | None] = ()) -> str:
    """The page of some reviews, at least one. Made with `every=True` they tell what other cards would have left every
    seat, without it their player alone.

    fairs   the same hands by what their players could know; (): of none
    """
    keys = _keys(reviews)
    games = list(dict.fromkeys(review.deal.state.profile.id for review in reviews))
    told = fairs or [None] * len(reviews)
    pairs = enumerate(zip(reviews, told, strict=True))
    deals = [_deal(review, fair, place, keys) for place, (review, fair) in pairs]
    title = f"{', '.join(games)}: {'a hand' if len(reviews) == 1 else f'{len(reviews)} hands'} reviewed"
    choose = [_choose(reviews, keys)] if len(reviews) > 1 else []
    note = f"tierce {version('tierce')}"
    assets = {kind: (files(__package__) / f"review_page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    return page(title, [*choose, *deals, data_element(reviews)], note=note, style=assets["css"], script=assets["js"])


def _keys(reviews: Sequence[Review]) -> list[int]:
    """What each deal is called in the address: its number in the match or, if these are not all of one, its place."""
    numbers = [review.deal.number for review in reviews]
    return numbers if len(set(numbers)) == len(numbers) else list(range(1, len(numbers) + 1))


def _choose(reviews: Sequence[Review], keys: Sequence[int]) -> Markup:
    links = (
        element("li", element("a", joined([f"{key} ", _call(review)]), **_chosen(review, place, key)))
        for place, (key, review) in enumerate(zip(keys, reviews, strict=True))
    )
    return element("nav", element("ol", *links), class_="deals", aria_label="Deals")


def _chosen(review: Review, place: int, key: int) -> dict[str, str]:
    return {"href": f"#deal={key}", "data_deal": str(place), "aria_label": f"deal {key}: {_called(review)}"}


def _deal(review: Review, fair: Fair | None, place: int, keys: Sequence[int]) -> Markup:
    link = f"#deal={keys[place]}"
    parts = [
        element("h2", f"Deal {review.deal.number}: {_called(review)}", id=f"deal={keys[place]}"),
        element("p", meaning(review), class_="note"),
        *(element("p", each, class_="warning") for each in _warnings(review)),
        _board(review, place, link),
        _before(review),
        _turns(review, link),
        _curves(review, place),
        _account(review),
        _decisions(review, link),
        *([] if fair is None else [fair_section(review, fair, link)]),
    ]
    labelled = {"aria_labelledby": f"deal={keys[place]}"}
    return element("article", *parts, class_="deal", data_deal=str(place), data_key=str(keys[place]), **labelled)


def _call(review: Review) -> Content:
    call = review.deal.state.call
    if call in "SHDC":
        return suit_markup("SHDC".index(call), "")
    return "NT" if call == "N" else "Miz"


def _called(review: Review) -> str:
    call = review.deal.state.call
    return "Miz" if call == MIZ else call_name(call) + (" are trump" if call in "SHDC" else "")


def _warnings(review: Review) -> Iterator[str]:
    if review.deal.state.claim is not None:
        shares = ", ".join(f"{seat} {tricks}" for seat, tricks in zip(SEATS3, review.deal.state.claim, strict=True))
        count = len(cards_played(review.deal))
        yield f"The rest was claimed {f'after card {count}' if count else 'at the first lead'}: {shares}."
        yield claim_text(review)
    elif not review.finished:
        count = len(cards_played(review.deal))
        yield f"The hand is not finished: {f'it ends after card {count}' if count else 'no card was played'}."
    if not review.whole:
        yield f"Time ran out: the account begins {place_text(review)}, and cards before are not judged."


# ---- the hand --------------------------------------------------------------------------------------------------------


def _board(review: Review, place: int, link: str) -> Markup:
    hands = first_lead(review.deal).hands
    still = hands_markup([(_seat(review, seat), hands[seat]) for seat in range(3)])
    stepped = element("hand-review", still, data_deal=str(place))
    tricks = [_tricks(review, link)] if cards_played(review.deal) else []
    return element("div", stepped, *tricks, class_="board")


def _seat(review: Review, seat: int) -> str:
    return f"{SEAT_NAMES[SEATS3[seat]]} ({SEATS3[seat]}): {plain(_name(review, seat))}"


def _name(review: Review, seat: int) -> str:
    return review.players[review.deal.state.player(seat)]


def _tricks(review: Review, link: str) -> Markup:
    """The cards trick by trick, a link each."""
    played = [*zip(cards_played(review.deal), movers(review.deal), strict=True)]
    rows = []
    for start in range(0, len(played), 3):
        cells: dict[int, Markup] = {}
        for number, (card, seat) in enumerate(played[start : start + 3], start):
            cells[seat] = _card_link(review, number, card, seat, f"{link}&play={number}")
        rows.append([str(start // 3 + 1), *(cells.get(seat, "") for seat in range(3))])
    caption = "Tricks: › led, underlined: won, \u22121: what a card cost"
    return element("div", table(["", *SEATS3], rows, caption=caption, words=4), class_="tricks")


def _card_link(review: Review, number: int, card: Card, seat: int, address: str) -> Markup:
    tricks = review.deal.state.tricks
    won = number // 3 < len(tricks) and tricks[number // 3].winner == seat
    led = [element("span", "›", class_="led", aria_hidden="true"), _heard("led ")] if number % 3 == 0 else []
    at = number - first_play(review)
    lost = review.ledger.plays[at].loss if at >= 0 else 0
    cost = [element("span", f"{_MINUS}{lost}", class_="cost")] if lost else []
    shown = [element("span", _card(card), class_="won"), _heard(" won")] if won else [_card(card)]
    return element("a", *led, *shown, *cost, href=address, data_play=str(number))


def _heard(text: str) -> Markup:
    """What is seen by a sign, for those who hear the page."""
    return element("span", text, class_="hidden")


def _card(card: Card) -> Markup:
    name = card_name(card)
    return suit_markup("SHDC".index(name[0]), name[1])


def _before(review: Review) -> Markup:
    """What came before the play."""
    state = review.deal.state
    found: list[tuple[str, Content]] = [("Trump", _call(review)) if state.call in "SHDC" else ("Call", _call(review))]
    for each in state.transfers:
        back = joined([", back ", cards_markup(each.returned)]) if each.returned else ""
        what = joined([cards_markup(each.sent), back])
        found.append((f"{SEATS3[each.sender]} sent {SEATS3[each.receiver]}", what))
    beside = (
        ("Discard", state.discard),
        ("Kitty, taken by D", state.taken_kitty),
        ("Taken up", state.taken_up),
        ("Out of play", state.kitty | state.removed),
    )
    found += [(name, cards_markup(cards)) for name, cards in beside if cards]
    return facts(found)


# ---- turning points, curves ------------------------------------------------------------------------------------------


def _turns(review: Review, link: str) -> Markup:
    """The turning points, with the numbers they have in the curves."""
    if not review.turns:
        return section("Turning points", element("p", "No card changed how a quota stands, and none cost two tricks."))
    items = (
        element("li", goto(turn_text(review, turn), f"{link}&play={first_play(review) + turn.number}"))
        for turn in review.turns
    )
    return section("Turning points", element("ol", *items))


def goto(text: str, address: str) -> Markup:
    """A sentence whose first part, up to the colon, leads to its card."""
    head, colon, rest = text.partition(":")
    if not colon:
        return element("a", names_markup(text), href=address)
    return joined([element("a", names_markup(head + colon), href=address), names_markup(rest)])


def _curves(review: Review, place: int) -> Markup:
    what = "Caps" if review.few else "Floors and fair shares"
    figures = (
        element(
            "figure",
            element("figcaption", element("strong", SEATS3[seat]), _under(review, seat)),
            seat_curve(review, seat, f"curve-{place}-{seat}"),
        )
        for seat in range(3)
    )
    told = (
        "Line: the most the seat can be made to take. Dotted: its limit."
        if review.few
        else "Line: the floor, what the seat is sure of. Broken line: its fair share, the floor and a third of the "
        "tricks that nobody is sure of. Wash: all it can hope for if nobody errs. Dotted: its quota."
    )
    note = element("p", f"{told} Diamonds: turning points, by number.", class_="note")
    return section(what, element("div", *figures, class_="curves"), note, _after_tricks(review))


def _under(review: Review, seat: int) -> str:
    return f" {plain(_name(review, seat))}, {'limit' if review.few else 'quota'} {review.quotas[seat]}"


def _after_tricks(review: Review) -> Markup:
    rows = [[str(each["trick"]), *_standings(review, each)] for each in review.json()["tricks"]]
    header = ["trick", *(f"{seat} {plain(_name(review, at))}" for at, seat in enumerate(SEATS3))]
    kind = "Caps" if review.few else "Floors (fair shares, ceilings)"
    caption = f"{kind} after each trick, and how quotas stand"
    inside = table(header, rows, caption=caption, words=4)
    return element("details", element("summary", "The same as a table"), inside)


def _standings(review: Review, trick: dict[str, list[float]]) -> Iterator[str]:
    for seat in range(3):
        status = str(trick["status"][seat])
        words = (_STATUS_FEW if review.few else _STATUS)[status]
        more = "" if review.few else f" ({trick['shares'][seat]:g}, {trick['ceilings'][seat]})"
        yield f"{trick['guarantees'][seat]}{more} {_SIGNS[status]} {words}"


# ---- account and decisions -------------------------------------------------------------------------------------------


def _account(review: Review) -> Markup:
    accounts = review.accounts
    lost, given = ("+", _MINUS) if review.few else (_MINUS, "+")
    columns: list[tuple[str, list[str]]] = [(place_text(review), [str(each.start) for each in accounts])]
    if any(each.kitty for each in accounts):
        columns.append(("kitty", [f"+{each.kitty}" if each.kitty else "" for each in accounts]))
    columns.append(("own cards", [_term(lost, each.lost) for each in accounts]))
    for giver in range(3):
        word = "spared" if review.few else "given"
        columns.append((f"{word} by {SEATS3[giver]}", [_given(given, each, giver) for each in accounts]))
    if review.deal.state.claim is not None:
        columns.append(("claim", [_signed(each.claim) for each in accounts]))
    sure = "tricks" if review.finished else "at most" if review.few else "sure of"
    columns.append((f"= {sure}", [str(each.tricks) for each in accounts]))
    columns.append(
        ("limit" if review.few else "quota", [balance_text(review, each).split(" ", 1)[1] for each in accounts])
    )
    columns.append(("best cards", [f"{each.best} of {each.unforced}" for each in accounts]))
    rows = [
        [f"{SEATS3[each.seat]} {plain(each.name)}", *(cells[each.seat] for _, cells in columns)] for each in accounts
    ]
    caption = "Where each seat's tricks came from; every row adds up. Best cards: of those played with a choice"
    return section("Account", table(["seat", *(name for name, _ in columns)], rows, caption=caption))


def _term(sign: str, number: int) -> str:
    return f"{sign}{number}" if number else "0"


def _signed(number: int) -> str:
    return _term("+" if number > 0 else _MINUS, abs(number))


def _given(sign: str, account: SeatAccount, giver: int) -> str:
    return "" if giver == account.seat else _term(sign, account.gifts[giver])


def _decisions(review: Review, link: str) -> Markup:
    """Everything that was judged and cost something, the dearest first; then what cost nothing before the play, and
    what was not judged."""
    costly: list[tuple[float, Markup]] = [
        (_most(each), _row(_bounds(each), names_markup(decision_text(review, each))))
        for each in review.decisions
        if _most(each)
    ]
    for number, play in enumerate(review.ledger.plays):
        if play.loss:
            address = f"{link}&play={first_play(review) + number}"
            said = goto(f"Trick {play.trick}: {play_text(review, play)}", address)
            costly.append((play.loss, _row(str(play.loss), said)))
    costly.sort(key=lambda each: -each[0])
    free = [_row("0", names_markup(decision_text(review, each))) for each in review.decisions if not _most(each)]
    unknown = [_row("?", names_markup(skipped_text(review, what, seat))) for what, seat in review.skipped]
    rows = [row for _, row in costly] + free + unknown
    said = element("p", "The number is what each decision cost its own player, in tricks.", class_="note")
    listing = element("ul", *rows, class_="costs") if rows else element("p", "No card cost anything.")
    return section("Decisions by cost", said, listing)


def _row(cost: str, said: Content) -> Markup:
    return element("li", element("strong", cost), element("span", said))


def _most(decision: Decision) -> float:
    return decision.loss_bounds[1]


def _bounds(decision: Decision) -> str:
    low, high = decision.loss_bounds
    return f"{low:g}" if low == high else f"{low:g}\u2013{high:g}"
