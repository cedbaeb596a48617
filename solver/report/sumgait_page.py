"""A studied hand of Sumgait Driller: the words that terminal and page have in common, and the page."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Final

from tierce.solver.cards import ALL_CARDS, SUIT_NAMES
from tierce.solver.games.sumgait.cards import card_name, card_names
from tierce.solver.games.sumgait.prices import GOAL
from tierce.solver.piles.percents import percent_text
from tierce.solver.piles.results import Mean, mean_of
from tierce.solver.piles.study_results import Bracket, HandStudy, bins, share_of
from tierce.solver.report.hands import hands_markup, names_markup
from tierce.solver.report.intervals import NORMAL, half_width
from tierce.solver.report.markup import Content, Markup, element, facts, page, section, table
from tierce.solver.report.plots import bars
from tierce.solver.report.study_words import listed, percent

__all__ = [
    "CHANCES", "LESSON", "bracket_row", "by_chance", "caveats", "chance_rows", "led_rows", "meanings", "number",
    "opening", "spread", "sumgait_page", "ten_text", "thumb_text",
]  # fmt: skip

_BARS: Final = 11  # whose numbers stay apart below them
_GAME: Final = {"points": "points", "tricks": "tricks", "ten": "the chance of ten tricks"}

CHANCES: Final = "Chances known exactly, and how they came out"
LESSON: Final = (
    "An exact chance counts orders of the cards: those that fit, of all there are. What the deals show differs from it "
    "by luck alone, 19 times in 20 by no more than the ± beside it. That shrinks with the root of their number: "
    "four times the deals halve it."
)

# ---- words -----------------------------------------------------------------------------------------------------------


def number(mean: Mean, objective: str = "points") -> str:
    """A mean and half its 95 % interval: `93.0 ±17.6`; a chance in percent, whose interval is not even."""
    if objective == "ten":
        return percent_text(mean.value)
    places = {"points": 1, "tricks": 2}[objective]
    wide = half_width(mean.error, mean.samples)
    return f"{mean.value:.{places}f}" + ("" if wide is None else f" ±{wide:.{places}f}")


def spread(mean: Mean, objective: str = "points") -> str:
    """The same, and the standard error."""
    error = "" if mean.error is None else f" (standard error {mean.error:.{2 if objective == 'tricks' else 1}f})"
    return number(mean, objective) + error


def opening(study: HandStudy) -> Iterator[str]:
    """What was done, and how the four cards were given."""
    deals = f"{study.deals:,} random deal{'s' * (study.deals != 1)}, seed {study.seed}"
    how = f"each way tried in {study.samples} orders of the piles at every turn, exact from {study.exact} cards on"
    yield f"{deals}, played for {_GAME[study.objective]}: {how}."
    if study.giving is not None:
        next_, other = card_names(study.giving.next), card_names(study.giving.other)
        yield f"Given: {next_} to the next player, {other} to the other."
        value = number(study.giving.mean, study.objective)
        yield f"That is the best by rules of thumb of {study.giving.tried:,} sets of four tried ({value} by them)."
    if study.cards == 16:
        yield "Every deal draws its kitty by lot and gives what rules of thumb find best."
    for cards, name in zip(study.known, ("next player's", "other's"), strict=True):
        if cards:
            yield f"Known to lie in the {name} pile: {card_names(cards)}."


def ten_text(study: HandStudy) -> str:
    """The chance of ten, with its interval."""
    found, of = study.ten, f"{study.made:,} of {study.deals:,} deals"
    return f"Ten tricks or more: {percent_text(found.value)}, {of} (95 % interval {_span(found.low, found.high)})."


def _span(low: float | None, high: float | None) -> str:
    return f"{percent_text(low or 0)} to {percent_text(high or 0)}"


def thumb_text(study: HandStudy) -> str:
    """The same deals by rules of thumb, and the suits declared."""
    tricks = number(mean_of(end[0] for end in study.thumb.ends), "tricks")
    text = f"By rules of thumb alone the same deals make {tricks} tricks, {number(study.thumb.mean(study.points_of))}"
    declared = [f"{SUIT_NAMES[suit]} {percent(n, study.deals)}" for suit, n in study.declared.items() if n]
    return f"{text} points. Declared trump: {', '.join(declared) if declared else 'nothing'}."


def bracket_row(found: Bracket) -> list[str]:
    """Objective, made, penalised, clairvoyant, gap."""
    name = "ten tricks" if found.objective == "ten" else found.objective
    means = (found.made, found.penalised, found.clairvoyant, found.gap)
    return [name, *("-" if each is None else number(each, found.objective) for each in means)]


def meanings(study: HandStudy) -> Iterator[tuple[str, str]]:
    """What each bound is, in a sentence."""
    yield "made", "what this way of playing came to; best play is worth no less."
    yield (
        "penalised",
        (
            "the best with the piles seen, less a penalty that costs on average nothing to a player who does not see "
            "them; best play is worth no more."
        ),
    )
    yield (
        "piles seen",
        "the clairvoyant's best, who sees both piles; best play is worth no more, and most often far less.",
    )
    yield "gap", "upper bound less made, deal by deal: so much at most can be missing to best play."


def caveats(study: HandStudy) -> str:
    """For what the bounds hold."""
    text = f"Each is a mean over the same deals and holds within its ±, half a 95 % interval{_ten_bounds(study)}."
    if study.cards != 18:
        text += " The upper ones are for the giving that was chosen: another may be worth more."
    return f"{text} Robbery, PASS and MISERE are left aside."


def _ten_bounds(study: HandStudy) -> str:
    """The intervals of the chances of ten, which do not lie evenly about them."""
    found = next(each for each in study.bounds if each.objective == "ten")
    spans = []
    for name, mean in (("made", found.made), ("piles seen", found.clairvoyant), ("gap", found.gap)):
        part = share_of(mean)
        spans.append(f"{_span(part.low, part.high)} ({name})")
    return f"; of ten tricks the intervals are {listed(spans)}"


def by_chance(part: Fraction, of: int) -> float:
    """How far the share in so many deals lies from a chance, 19 times in 20, at most."""
    return NORMAL * sqrt(part * (1 - part) / of)


def _seen(part: Fraction, seen: int, of: int) -> str:
    return f"{percent_text(Fraction(seen, of))} ±{100 * by_chance(part, of):.1f}"


def _percent(part: Fraction) -> str:
    return percent_text(part, 1 if part * 100 >= 1 or not part else 2)


def led_rows(study: HandStudy) -> list[list[str]]:
    """Card, beaten by the next card, stands, in the deals."""
    return [
        [
            card_name(each.card),
            f"{each.at_once} = {_percent(each.at_once)}",
            f"{each.stands} = {_percent(each.stands)}",
            _seen(each.stands, each.seen, each.of),
        ]
        for each in study.led
    ]


def chance_rows(study: HandStudy) -> list[list[str]]:
    """What, exactly, in percent, in the deals."""
    return [
        [each.about, str(each.part), _percent(each.part), _seen(each.part, each.seen, each.of)]
        for each in study.chances
    ]


# ---- the page --------------------------------------------------------------------------------------------------------


def sumgait_page(study: HandStudy, version: str) -> str:
    """The page of a study."""
    parts = [_head(study), _tricks(study), _points(study), _worth(study), _chances(study)]
    note = f"tierce {version}, sumgait, seed {study.seed}, {study.deals:,} deals"
    return page(f"A hand of Sumgait Driller: {study.cards} cards", parts, note=note)


def _head(study: HandStudy) -> Markup:
    jokers = card_names(study.hand & ~ALL_CARDS)
    hand = hands_markup([("Hand", study.hand & ALL_CARDS)])
    numbers: list[tuple[str, Content]] = [
        ("mean tricks", spread(study.mean_tricks, "tricks")),
        ("mean points", spread(study.mean_points)),
        ("ten tricks or more", percent_text(study.ten.value)),
    ]
    sentences = [element("p", names_markup(each)) for each in opening(study)]
    return element(
        "section", hand, *([element("p", f"Jokers: {jokers}")] if jokers else []), *sentences, facts(numbers),
        element("p", ten_text(study)), element("p", thumb_text(study), class_="note"),
    )  # fmt: skip


def _tricks(study: HandStudy) -> Markup:
    counts = study.tricks
    numbers = range(min(counts), max(counts) + 1)
    about = f"How many deals ended with each number of tricks from {numbers.start} to {numbers.stop - 1}."
    plot = bars(
        "tricks", "tricks", counts, about=about, numbers=numbers, top=max(counts.values()) / study.deals, mark=GOAL
    )
    rows = [[str(n), f"{counts.get(n, 0):,}", percent(counts.get(n, 0), study.deals)] for n in numbers]
    return section(
        "Tricks",
        element(
            "figure", plot, element("figcaption", "Share of the deals by tricks; the goal is right of the dashes.")
        ),
        table(["tricks", "deals", "share"], rows, caption="Deals by tricks"),
    )


def _points(study: HandStudy) -> Markup:
    found = bins(study.points, _BARS)
    width = found[0].high - found[0].low
    counts = {each.low: each.deals for each in found}
    numbers = range(found[0].low, found[-1].high, width)
    about = f"How many deals ended with points in steps of {width}, from {found[0].low} to {found[-1].high - 1}."
    plot = bars(
        "points", "points", counts, about=about, numbers=numbers, top=max(counts.values()) / study.deals, series=1
    )
    rows = [[_range(each.low, each.high), f"{each.deals:,}", percent(each.deals, study.deals)] for each in found]
    caption = f"Share of the deals by points; a bar holds {width} of them, from the number below it on."
    return section(
        "Points",
        element("figure", plot, element("figcaption", caption)),
        table(["points", "deals", "share"], rows, caption="Deals by points"),
    )


def _range(low: int, high: int) -> str:
    return f"{low} to {high - 1}"


def _worth(study: HandStudy) -> Markup:
    header = ["", "made", "penalised", "piles seen", "gap"]
    said = (element("p", element("strong", name), ": ", text) for name, text in meanings(study))
    return section(
        "What the hand is worth with best play",
        table(header, map(bracket_row, study.bounds), caption="Bounds, with half their 95 % intervals"),
        *said,
        element("p", caveats(study), class_="note"),
    )


def _chances(study: HandStudy) -> Markup:
    parts: list[Content] = [element("p", LESSON)]
    if study.led:
        header = ["card", "the next card beats it", "it stands against both", "stood in the deals"]
        rows: list[list[Content]] = [[_card(row[0]), *row[1:]] for row in led_rows(study)]
        parts.append(table(header, rows, caption="A card led to the first trick"))
    if study.chances:
        header = ["the chance that", "exactly", "percent", "in the deals"]
        parts.append(table(header, chance_rows(study), caption="How the unseen cards lie"))
    return section(CHANCES, *parts)


def _card(name: str) -> Content:
    return names_markup(name) if name[0] in "SHDC" else name
