"""A reviewed deal of Sumgait Driller: the sentences that terminal and page have in common, and the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.cards import ALL_CARDS, SUIT_NAMES
from tierce.solver.games.sumgait.cards import card_name, card_names, format_hand
from tierce.solver.games.sumgait.prices import MISERE, PASS
from tierce.solver.games.sumgait.record_json import SEATS
from tierce.solver.piles.results import Mean, Way
from tierce.solver.piles.review_results import CLEAR, DealReview, GivingReview, MarriageReview, Played
from tierce.solver.report.hands import hands_markup, names_markup
from tierce.solver.report.intervals import half_width
from tierce.solver.report.markup import Content, Markup, element, joined, page, plain, section, table
from tierce.solver.report.plots import bars
from tierce.solver.report.study_words import listed

__all__ = ["account", "costs", "loss_text", "remarks", "result_text", "sumgait_review_page"]

_TRICKS: Final = range(1, 19)
_HEADER: Final = ("trick", "played", "best as known", "lost", "best, piles seen", "lost, piles seen", "still to be had")

# ---- sentences -------------------------------------------------------------------------------------------------------


def result_text(found: DealReview) -> str:
    """What he called, and what came of it."""
    call = {PASS: "passes", MISERE: "calls MISERE"}.get(found.call, "plays")
    if found.points is None:
        return f"{call}; the deal is not finished."
    return f"{call}: {found.tricks} tricks, {found.points:+d} Game."


def account(found: DealReview) -> Iterator[str]:
    """The hand, what it could have made, and what was lost."""
    robbed = "" if not found.robbed else f", after the cards of the {SEATS[found.robbed]} player were taken"
    yield f"Hand at the first lead: {format_hand(found.hand)}{robbed}."
    if found.finished:
        gained = (f"player {player} {points:+d}" for player, points in enumerate(found.vist, 1) if points)
        yield f"In Vist the deal brought {listed(list(gained)) or 'nothing'}."
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
        choices = sum(each.fair is not None for each in found.cards)
        lost = f"cost points clearly, {found.clearly_lost:.1f} in the mean"
        yield f"By what could be known {len(clear)} of {_cards(choices)} with a choice {lost}."


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def costs(card: Played) -> bool:
    """Did it cost something, in hindsight or by what could be known?"""
    return (card.seen is not None and card.seen.loss > 0) or (card.fair is not None and card.fair.clear)


def loss_text(loss: Mean) -> str:
    """A loss and half its 95 % interval: `22.6 ±14.6`."""
    wide = half_width(loss.error, loss.samples)
    return f"{loss.value:.1f}" + (f" \u00b1{wide:.1f}" if wide else "")


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
    verdict = f"{loss_text(found.gap)} lost" if found.clear else "not told apart"
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
    return f"{text}: in trick {trick} the same card, declaring, was worth {loss_text(gain)} more."


_NOT: Final = {
    "robbery": "robbery",
    "pass": "what PASS would have brought",
    "hindsight": "hindsight (the piles' order is not known)",
    "giving": "the giving",
    "cards": "some cards by what could be known (there was no time)",
}


def _left_open(found: DealReview) -> str:
    return f"Not judged: {', '.join(_NOT[each] for each in found.not_judged)}."


def remarks(found: DealReview) -> Iterator[str]:
    """The calls, the giving, the marriages, and what is left open."""
    yield from _calls(found)
    yield from _giving(found.giving)
    yield from map(_marriage, found.marriages)
    yield _left_open(found)


# ---- the page --------------------------------------------------------------------------------------------------------


def sumgait_review_page(deals: Sequence[tuple[int, str, DealReview]], version: str) -> str:
    """The page of deals, each with its number and its declarer's name."""
    parts = [_deal(*each, place=place) for place, each in enumerate(deals)]
    return page("Sumgait Driller: what the cards cost", parts, note=f"tierce {version}")


def _deal(number: int, name: str, found: DealReview, *, place: int) -> Markup:
    jokers = card_names(found.hand & ~ALL_CARDS)
    parts: list[Content] = [hands_markup([("Hand at the first lead", found.hand & ALL_CARDS)])]
    if jokers:
        parts.append(element("p", f"Jokers: {jokers}"))
    parts += [element("p", each) for each in list(account(found))[1:]]
    if found.lost:
        parts.append(_plot(found, place))
    if found.cards:
        parts.append(table(_HEADER, map(_row, found.cards), caption="Every card he played", words=3))
        said = f"= makes its suit trump; * more than chance, {CLEAR:g} standard errors or more; ± half a 95 % interval."
        parts.append(element("p", said, class_="note"))
    parts += [element("p", names_markup(each)) for each in remarks(found)]
    return section(f"Deal {number}: {plain(name)} {result_text(found)}", *parts)


def _plot(found: DealReview, place: int) -> Markup:
    """Points lost in hindsight, by trick."""
    lost = {each.trick: round(each.seen.loss) for each in found.cards if each.seen is not None}
    about = "Points lost by each card with the piles seen; the table has them, too."
    top = max(lost.values()) / sum(lost.values())
    plot = bars(f"lost-{place}", "points lost, by trick", lost, about=about, numbers=_TRICKS, top=top, series=5)
    return element("figure", plot, element("figcaption", "What each card cost with the piles seen, by trick."))


def _row(card: Played) -> list[Content]:
    fair: list[Content] = ["-", "-"]
    seen: list[Content] = ["-", "-", "-"]
    if card.fair is not None:
        mark = " *" if card.fair.clear else ""
        fair = [_way(card.fair.best), loss_text(card.fair.mean) + mark]
    if card.seen is not None:
        seen = [_way(card.seen.best), f"{card.seen.loss:.0f}", f"{card.seen.value:.0f}"]
    return [str(card.trick), _way(card.way), fair[0], fair[1], *seen]


def _way(way: Way) -> Content:
    name = names_markup(card_name(way.card))
    return name if way.suit is None else joined(["=", name])
