"""A study of a hand of Sumgait Driller, for `tierce study`: what was typed, and the result on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tierce.cli.estimate_text import say_wrapped
from tierce.cli.progress import gauge
from tierce.cli.render import bold, dim, grid, red, say, suit_sign, with_signs
from tierce.cli.sumgait_hand import typed_hand
from tierce.solver.cards import ALL_CARDS, SUITS, Mask, mask_of
from tierce.solver.errors import InputError, shown
from tierce.solver.games.sumgait import Dealt, Sumgait, card_names, parse_cards, parse_hand
from tierce.solver.games.sumgait.cards import in_two_places
from tierce.solver.games.sumgait.prices import GOAL
from tierce.solver.piles.study import study_hand
from tierce.solver.piles.study_results import HandStudy, bins
from tierce.solver.report import sumgait_page as words
from tierce.solver.report.study_words import percent

__all__ = ["known_of", "show", "study_of"]

_BAR: Final = 46  # columns of the longest bar


def study_of(game: Sumgait, given: dict[str, Any], threads: int) -> HandStudy:
    """The study that was typed; InputError for a hand that is none."""
    hand = _hand_of(given["hand"])
    known = (0, 0) if given["known"] is None else known_of(given["known"])
    with gauge("study") as bar:
        return study_hand(
            hand,
            wish=given["by"],
            known=known,
            options=game.options,
            deals=given["deals"],
            samples=given["samples"],
            seed=given["seed"],
            threads=threads,
            watch=None if bar is None else bar.show,
        )


def _hand_of(text: str) -> Mask:
    """A hand; of a deal the declarer's sixteen cards with the kitty. `-`: from standard input."""
    text = typed_hand(text)
    if ":" not in text:
        return parse_hand(text)
    dealt = Dealt.parse(text)
    return dealt.hands[0] | dealt.kitty


def known_of(text: str) -> tuple[Mask, Mask]:
    """Cards of two piles, divided by a slash. InputError for what is none, whatever the hand."""
    parts = text.split("/")
    if len(parts) != 2:
        message = f"expected cards of two piles such as 'S2 S3 / C4 C5', found {shown(text)}"
        raise InputError("known", message, field="known")
    one, two = (mask_of(parse_cards(part, field="known")) for part in parts)
    if twice := in_two_places([("in the next player's pile", one), ("in the other's", two)]):
        raise InputError("duplicate_card", f"expected each card once, found {twice}", field="known")
    return one, two


# ---- the result ------------------------------------------------------------------------------------------------------


def show(study: HandStudy) -> None:
    """The hand, two histograms, the bounds, and what is known exactly."""
    _hand(study.hand)
    for sentence in words.opening(study):
        say_wrapped(with_signs(sentence))
    _tricks(study)
    _points(study)
    _worth(study)
    _chances(study)


def _hand(hand: Mask) -> None:
    from tierce.cli.render import ranks

    say(bold("Hand"))
    for suit in SUITS:
        say(red(suit, f"{suit_sign(suit)} {ranks(hand, suit)}"))
    if jokers := card_names(hand & ~ALL_CARDS):
        say(jokers)
    say()


def _tricks(study: HandStudy) -> None:
    counts = study.tricks
    rows = [(str(n), counts.get(n, 0)) for n in range(min(counts), max(counts) + 1)]
    below = sum(int(name) < GOAL for name, _ in rows)
    say()
    say(bold(f"Tricks: mean {words.spread(study.mean_tricks, 'tricks')}"))
    for place, line in enumerate(_bars(rows, study.deals)):
        if 0 < place == below:
            say(dim("-" * 6 + " the goal of ten"))
        say(line)
    say_wrapped(words.ten_text(study))


def _points(study: HandStudy) -> None:
    found = bins(study.points)
    say()
    say(bold(f"Points: mean {words.spread(study.mean_points)}"))
    for line in _bars([(f"{each.low} to {each.high - 1}", each.deals) for each in found], study.deals):
        say(line)
    say_wrapped(words.thumb_text(study))


def _bars(rows: Sequence[tuple[str, int]], deals: int) -> Iterator[str]:
    """A histogram: name, bar, deals, share. The longest bar fills its columns; none is left out that is not 0."""
    names = max(6, *(len(name) for name, _ in rows))
    most = max(count for _, count in rows)
    wide = max(5, len(f"{most:,}"))
    for name, count in rows:
        bar = "#" * (max(1, round(_BAR * count / most)) if count else 0)
        share = percent(count, deals) if count else ""
        number = f"{count:,}" if count else ""
        yield f"{name:>{names}} {bar:<{_BAR}} {number:>{wide}} {share:>5}".rstrip()


def _worth(study: HandStudy) -> None:
    say()
    say(bold("What the hand is worth with best play"))
    header = ["", "made", "penalised", "piles seen", "gap"]
    for line in grid([words.bracket_row(each) for each in study.bounds], header):
        say(line)
    for name, text in words.meanings(study):
        say_wrapped(f"{name}: {text}")
    say_wrapped(words.caveats(study))


def _chances(study: HandStudy) -> None:
    say()
    say(bold(words.CHANCES))
    if study.led:
        header = ["led first", "next card beats it", "stands against both", "in the deals"]
        for line in grid([[with_signs(card), *row] for card, *row in words.led_rows(study)], header):
            say(line)
    if study.led and study.chances:
        say()
    if study.chances:
        for line in grid(words.chance_rows(study), ["the chance that", "exactly", "percent", "in the deals"]):
            say(line)
    say_wrapped(words.LESSON)
