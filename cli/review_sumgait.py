"""Reviews of Sumgait Driller, for `tierce review`: which deals, and each as text on 80 columns or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, Final

import click

from tierce.cli.exits import OK, tell
from tierce.cli.options import refuse_for_file, threads_of
from tierce.cli.out import write_page
from tierce.cli.progress import gauge
from tierce.cli.remote import remote
from tierce.solver.errors import InputError
from tierce.solver.games import AnyRecord
from tierce.solver.games.sumgait import Record, ReplayedDeal, replay
from tierce.solver.piles.results import Way
from tierce.solver.piles.review import SAMPLES, review_deal, reviewable
from tierce.solver.piles.review_results import CLEAR, DealReview, Played
from tierce.solver.report import sumgait_review as words

__all__ = ["ranges", "reviews", "show"]

_NAME: Final = 20
_ALONE: Final = ("deep", "summary")  # options of the other games


def reviews(records: Sequence[AnyRecord], given: dict[str, Any]) -> int:
    """Review the deals of records of Sumgait Driller, each told as soon as it is known."""
    _check(records, given)
    deals = list(_deals([each for each in records if isinstance(each, Record)], given["number"]))
    told: list[tuple[int, str, DealReview]] = []
    samples = 0 if given["seconds"] == 0 else given["worlds"] or SAMPLES
    for place, (number, name, deal) in enumerate(deals):
        with gauge("review") as bar:
            found = review_deal(
                deal,
                samples=samples,
                seconds=given["seconds"] or None,
                seed=1 if given["seed"] is None else given["seed"],
                threads=threads_of(given),
                watch=None if bar is None else partial(bar.show, said="judged"),
            )
        if given["as_json"]:
            click.echo(json.dumps(found.json() | {"deal": number, "name": name}))
        else:
            show(found, number, name, first=place == 0)
        sys.stdout.flush()
        told.append((number, name, found))
    if given["html"] is not None:
        write_page(given["html"], words.sumgait_review_page(told, version("tierce")))
        if not given["as_json"]:
            click.echo(f"\nThe page is {given['html']}.")
    return OK


def _check(records: Sequence[AnyRecord], given: dict[str, Any]) -> None:
    """Refuse what does not go with this game."""
    if others := [each.profile.id for each in records if not isinstance(each, Record)]:
        message = f"expected records of sumgait alone or of other games alone, found sumgait and {others[0]}"
        raise InputError("game", message, file=records[0].file)
    refuse_for_file(_ALONE, "does not go with records of sumgait")
    if given["worlds"] is not None and given["seconds"] is not None:
        message = "expected --seconds or --worlds with records of sumgait, found both"
        raise InputError("option", message, file=records[0].file)
    if remote() is not None:
        raise InputError("game", "expected a game that a server knows, found 'sumgait'", field="game")


def _deals(records: Sequence[Record], number: int | None) -> Iterator[tuple[int, str, ReplayedDeal]]:
    """Deals with their numbers (of several records counted through) and declarers; others are told, and left out."""
    every: list[int] = []
    left: list[int] = []
    found = []
    for record in records:
        for deal in replay(record).deals:
            every.append(deal.number if len(records) == 1 else len(every) + 1)
            if number not in (None, every[-1]):
                continue
            if reviewable(deal):
                player = deal.start.declarer
                name = record.players[player] if record.players else f"Player {player + 1}"
                found.append((every[-1], name, deal))
            else:
                left.append(every[-1])
    file = records[0].file
    if number is not None and number not in every:
        raise InputError("deal", f"expected deal {number}, found the deals {min(every)} to {max(every)}", file=file)
    if not found:
        message = "expected a deal whose cards are recorded and that came to its call, found none"
        raise InputError("not_due", message, file=file)
    if left:
        tell(f"note: left out, for their cards are not recorded or nothing was called: {ranges(left)}")
    yield from found


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order: `1-3, 5`."""
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ends)


# ---- text ------------------------------------------------------------------------------------------------------------


def show(found: DealReview, number: int, name: str, *, first: bool) -> None:
    """The account, the cards that cost something, the calls, the giving, the marriages."""
    from tierce.cli.estimate_text import say_wrapped
    from tierce.cli.render import bold, cut, say, with_signs
    from tierce.solver.report.markup import plain

    if not first:
        say()
    say(bold(f"Deal {number}: {cut(plain(name), _NAME)} {words.result_text(found)}"))
    for sentence in words.account(found):
        say_wrapped(sentence)
    if costly := [each for each in found.cards if words.costs(each)]:
        say()
        _rows(costly)
        say()
    for sentence in words.remarks(found):
        say_wrapped(with_signs(sentence))


def _rows(cards: Sequence[Played]) -> None:
    """A row a card that cost something."""
    from tierce.cli.render import dim, grid, say

    rows = []
    for card in cards:
        fair, seen = ["-", ""], ["-", ""]
        if card.fair is not None:
            mark = "*" if card.fair.clear else " "
            fair = [_way(card.fair.best), f"{words.loss_text(card.fair.mean)}{mark}"]
        if card.seen is not None:
            seen = [_way(card.seen.best), f"{card.seen.loss:.0f}" if card.seen.loss else "0"]
        rows.append([str(card.trick), ("> " if card.leader == 0 else "") + _way(card.way), *fair, *seen])
    header = ["trick", "played", "best as known", "lost", "best, piles seen", "lost"]
    for line in grid(rows, header):
        say(line)
    say(dim("> leads, = makes its suit trump, \u00b1 half a 95 % interval,"))
    say(dim(f"* more than chance: {CLEAR:g} standard errors or more"))


def _way(way: Way) -> str:
    from tierce.cli.hint_sumgait_text import card_text

    name = card_text(way.card)
    return name if way.suit is None else f"={name}"
