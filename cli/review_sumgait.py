"""Reviews of Sumgait Driller, for `tierce review`: which deals, and each as text on 80 columns or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import click

from tierce.cli.exits import OK, tell
from tierce.cli.options import threads_of
from tierce.cli.progress import gauge
from tierce.cli.remote import remote
from tierce.solver.cards import RANK_LETTERS, SUIT_NAMES, rank_of
from tierce.solver.errors import InputError
from tierce.solver.games import AnyRecord
from tierce.solver.games.sumgait import Record, ReplayedDeal, replay
from tierce.solver.games.sumgait.cards import card_name, card_names, is_joker, suit_of
from tierce.solver.games.sumgait.prices import MISERE, PASS
from tierce.solver.piles.results import Mean, Way
from tierce.solver.piles.review import SAMPLES, review_deal, reviewable
from tierce.solver.piles.review_results import CLEAR, DealReview, GivingReview, MarriageReview, Played

__all__ = ["reviews", "show"]

_NORMAL: Final = 1.959963984540054  # the normal quantile of 97.5 %
_NAME: Final = 20
_ALONE: Final = ("deep", "summary", "html")  # options of the other games


def reviews(records: Sequence[AnyRecord], given: dict[str, Any]) -> int:
    """Review the deals of records of Sumgait Driller, each told as soon as it is known."""
    _check(records, given)
    deals = list(_deals([each for each in records if isinstance(each, Record)], given["number"]))
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
    return OK


def _check(records: Sequence[AnyRecord], given: dict[str, Any]) -> None:
    """Refuse what does not go with this game."""
    if others := [each.profile.id for each in records if not isinstance(each, Record)]:
        message = f"expected records of sumgait alone or of other games alone, found sumgait and {others[0]}"
        raise InputError("game", message, file=records[0].file)
    for name in _ALONE:
        if given[name]:
            raise click.UsageError(f"--{name} does not go with records of sumgait")
    if given["worlds"] is not None and given["seconds"] is not None:
        raise click.UsageError("expected --seconds or --worlds with records of sumgait, found both")
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
        tell(f"note: left out, for their cards are not recorded or nothing was called: {_ranges(left)}")
    yield from found


def _ranges(numbers: Sequence[int]) -> str:
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
    from tierce.cli.render import bold, cut, say
    from tierce.solver.report.markup import plain

    if not first:
        say()
    say(bold(f"Deal {number}: {cut(plain(name), _NAME)} {_what(found)}"))
    for sentence in _account(found):
        say_wrapped(sentence)
    if costly := [each for each in found.cards if _costs(each)]:
        say()
        _rows(costly)
        say()
    for sentence in (*_calls(found), *_giving(found.giving), *map(_marriage, found.marriages), _left_open(found)):
        say_wrapped(sentence)


def _what(found: DealReview) -> str:
    call = {PASS: "passes", MISERE: "calls MISERE"}.get(found.call, "plays")
    if found.points is None:
        return f"{call}; the deal is not finished."
    return f"{call}: {found.tricks} tricks, {found.points:+d} Game."


def _account(found: DealReview) -> Iterator[str]:
    if found.call == PASS:
        yield "Three blind piles: no card was chosen, so that none is judged."
        return
    if found.start is None:
        yield "The order of the piles is not recorded to its end: nothing is judged in hindsight."
    else:
        costly = sum(each.seen is not None and each.seen.loss > 0 for each in found.cards)
        end = f"{found.end or 0:.0f} {'made' if found.finished else 'still to be had'}"
        yield f"Piles seen, {found.start:.0f} points at best; {found.lost:.0f} lost by {_cards(costly)}; {end}."
    if found.samples:
        clear = [each for each in found.cards if each.fair is not None and each.fair.clear]
        choices = sum(each.ways > 1 for each in found.cards)
        lost = f"cost points clearly, {found.clearly_lost:.1f} in the mean"
        yield f"By what could be known {len(clear)} of {_cards(choices)} with a choice {lost}."


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _costs(card: Played) -> bool:
    return (card.seen is not None and card.seen.loss > 0) or (card.fair is not None and card.fair.clear)


def _rows(cards: Sequence[Played]) -> None:
    """A row a card that cost something."""
    from tierce.cli.render import dim, grid, say

    rows = []
    for card in cards:
        fair, seen = ["-", ""], ["-", ""]
        if card.fair is not None:
            mark = "*" if card.fair.clear else " "
            fair = [_way(card.fair.best), f"{_loss(card.fair.loss, card.fair.error)}{mark}"]
        if card.seen is not None:
            seen = [_way(card.seen.best), f"{card.seen.loss:.0f}" if card.seen.loss else "0"]
        rows.append([str(card.trick), ("> " if card.leader == 0 else "") + _way(card.way), *fair, *seen])
    header = ["trick", "played", "best as known", "lost", "best, piles seen", "lost"]
    for line in grid(rows, header):
        say(line)
    say(dim("> leads, = makes its suit trump, \u00b1 half a 95 % interval,"))
    say(dim(f"* more than chance: {CLEAR:g} standard errors or more"))


def _way(way: Way) -> str:
    from tierce.cli.render import suit_sign

    name = card_name(way.card) if is_joker(way.card) else suit_sign(suit_of(way.card)) + RANK_LETTERS[rank_of(way.card)]
    return name if way.suit is None else f"={name}"


def _loss(loss: float, error: float | None) -> str:
    half = "" if not error else f" \u00b1{_NORMAL * error:.1f}"
    return f"{loss:.1f}{half}"


def _calls(found: DealReview) -> Iterator[str]:
    if found.play_best is None or found.misere_best is None:
        return
    made = "" if found.points is None else f" ({found.points:+d} made)"
    yield (
        f"Calls, piles seen: playing {found.play_best:+.0f} at best, MISERE {found.misere_best:+.0f}; he chose "
        f"{found.call.upper() if found.call in (PASS, MISERE) else 'to play'}{made}."
    )


def _giving(found: GivingReview | None) -> Iterator[str]:
    if found is None:
        return
    given, best = (_pairs(*each) for each in (found.given, (found.best.next, found.best.other)))
    gap = Mean(found.loss, found.error, 1)
    verdict = f"{_loss(gap.value, gap.error)} lost" if found.clear else "not told apart"
    yield (
        f"Given: {given} (next / other), by rules of thumb worth {found.value.value:.1f}; "
        f"the best they find is {best}, {found.best.mean.value:.1f}: {verdict}."
    )


def _pairs(one: int, two: int) -> str:
    return f"{card_names(one)} / {card_names(two)}"


def _marriage(found: MarriageReview) -> str:
    name = f"The marriage of {SUIT_NAMES[found.suit]}"
    if found.given_away:
        return f"{name} was given away."
    if found.declared is not None:
        return f"{name} was declared in trick {found.declared}."
    if not found.chances:
        return f"{name} never had a chance: he did not lead with both after trick 1."
    tricks = ", ".join(map(str, found.chances))
    text = f"{name} was never declared; it could have been in trick{'s' * (len(found.chances) != 1)} {tricks}"
    if found.missed is None:
        return f"{text}."
    trick, gain = found.missed
    return f"{text}: in trick {trick} the same card, declaring, was worth {_loss(gain.value, gain.error)} more."


_NOT: Final = {
    "robbery": "robbery",
    "pass": "what PASS would have brought",
    "hindsight": "hindsight (the piles' order is not known)",
    "giving": "the giving",
}


def _left_open(found: DealReview) -> str:
    return f"Not judged: {', '.join(_NOT[each] for each in found.not_judged)}."
