"""What is said of a reviewed contract, its page, the series and the figures of many."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.report.contract_reviews import (
    badly_named,
    playthroughs,
    thrown_away,
    unfinished,
    void,
    whole_match,
)
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.errors import InputError
from tierce.solver.report import contract_words as words
from tierce.solver.report.contract_page import contract_page
from tierce.solver.report.contract_summary import COLUMNS, contract_summary_of, series_of
from tierce.solver.report.contract_summary_page import contract_summary_page
from tierce.solver.report.markup import plain

SIGNS = dict(zip("♠♥♦♣", "SHDC", strict=True))
HOSTILE = ("</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>&lt;]]>", "a\u202eb\u2028<!--", "寒")


KINDS: dict[str, Callable[[], tuple[ContractReview, ...]]] = {
    "thrown away": lambda: (thrown_away(),),
    "unfinished": lambda: (unfinished(),),
    "badly named": lambda: (badly_named(),),
    "void": lambda: (void(),),
    "playthroughs": playthroughs,
    "match": whole_match,
}


# ---- words -----------------------------------------------------------------------------------------------------------


def test_turning_points_in_words() -> None:
    first, second = (words.turn_text(thrown_away(), turn) for turn in thrown_away().turns)
    assert first == (
        "Trick 4: E's DJ let the declarer off; any other card beat him. "
        "That turned Misère from beaten to made: N, E and W 4 units each."
    )
    assert second == (
        "Trick 4: S's C3 let the declarer be beaten; CA kept out of it. "
        "That turned Misère from made to beaten: S 12 units."
    )


def test_what_came_of_it() -> None:
    assert words.head(thrown_away()) == "Misère by S, no trump"
    assert words.outcome(thrown_away()) == (
        "S needs no trick. At the first lead it is beaten. It was beaten with 1 trick."
    )
    assert words.outcome(unfinished()).endswith("The hand is not finished; where it ends the contract is beaten.")
    assert words.head(badly_named()) == "Abundance by N, hearts are trump"
    assert words.outcome(badly_named()) == (
        "N needs 9 tricks. At the first lead it is beaten, with no tricks. It was beaten with no tricks."
    )
    assert (words.head(void()), words.outcome(void())) == ("void, nobody found a contract", "")
    assert words.outcome(playthroughs()[0]).startswith("S and W need 8 tricks together. ")


def test_the_trump_in_words() -> None:
    assert words.trump_text(badly_named()) == (
        "N named hearts, and spades took 13 tricks more (tricks with best play: spades 13, hearts 0, diamonds 0, "
        "clubs 0). That beat the contract."
    )
    assert words.trump_text(void()) == ""


def test_calls_in_words() -> None:
    told = [*words.auction_texts(void())]
    assert told[0] == "E's pass left 0; Abundance Declared was worth +18: 18 units lost." and len(told) == 4
    assert words.call_text(badly_named(), badly_named().calls[-1]) == (
        "N's Abundance was worth +9; Abundance Declared was worth +18: 9 units lost."
    )
    assert words.highest_text(void()) == ("The highest bid that somebody makes: Abundance Declared, by N, E, S or W.")
    assert words.highest_text(whole_match()[0]) == ""
    assert "in units and with all hands seen" in words.compared(void())


def test_claims_in_words() -> None:
    assert words.claim_text(thrown_away()) == (
        "The claim of the last seven tricks was fair: the declarer could not help taking one."
    )
    assert words.claim_text(badly_named()) == (
        "The claim of the last 13 tricks was fair: the declarer got 0 of them, as many as best play brings."
    )


def test_cards_in_words_name_one_that_lost_nothing() -> None:
    for review in playthroughs():
        for play in () if review.ledger is None else review.ledger.plays:
            text = words.play_text(review, play)
            assert text.endswith(".") and (not play.loss or ";" in text)


# ---- pages -----------------------------------------------------------------------------------------------------------


def tree(text: str) -> ET.Element:
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def text_of(text: str) -> str:
    """What can be read, suits as letters."""
    main = tree(text).find("body/main")
    assert main is not None
    for script in main.findall("script"):
        main.remove(script)
    return re.sub("[♠♥♦♣]", lambda found: SIGNS[found[0]], "".join(main.itertext()))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_deal_makes_a_sound_page(kind: str) -> None:
    shown = KINDS[kind]()
    text = contract_page(shown)
    ids = [each.get("id") for each in tree(text).iter() if each.get("id")]
    assert len(ids) == len(set(ids)) and len([*tree(text).iter("script")]) == 2
    read = text_of(text)
    for review in shown:
        assert words.head(review) in read and words.meaning(review) in read
        for turn in review.turns:
            assert words.turn_text(review, turn) in read
        for call in review.calls:
            assert not call.loss or words.call_text(review, call) in read
    links = {each.get("href", "")[1:].split("&")[0] for each in tree(text).iter("a")}
    assert links <= set(ids)


def test_hostile_names() -> None:
    """A name is nothing but text."""
    review = replace(thrown_away(), players=HOSTILE)
    for text in (contract_page([review]), contract_summary_page(contract_summary_of([review]))):
        assert not {"img", "iframe"} & {each.tag for each in tree(text).iter()}
        assert len([*tree(text).iter("script")]) == (2 if "review-data" in text else 0)
        assert all(plain(name)[:20] in "".join(tree(text).itertext()) for name in HOSTILE)


# ---- series and figures ----------------------------------------------------------------------------------------------


def test_a_series_has_its_totals() -> None:
    (series,) = series_of(whole_match())
    totals = [0, 0, 0, 0]
    for deal in series.deals:
        totals = [total + units for total, units in zip(totals, deal.units, strict=True)]
        assert list(deal.totals) == totals
    assert [deal.number for deal in series.deals] == [*range(1, 9)]
    assert list(series.winners) == [seat for seat in range(4) if totals[seat] == max(totals)]
    first, second = series_of([*whole_match()[:3], *whole_match()[:2]])
    assert (len(first.deals), len(second.deals), first.winners) == (3, 2, ())


def test_figures_add_up() -> None:
    summary = contract_summary_of([*whole_match(), unfinished(), InputError("not_due", "not played", field="deal")])
    assert (summary.hands, len(summary.skipped)) == (8, 2) and summary.void == sum(each.void for each in whole_match())
    every = [row for row in summary.rows if not row.role]
    assert sum(row.units for row in every) == 0 and [row.player for row in every] == ["Ann", "Bob", "Cid", "Dot"]
    assert [row.units for row in every] == list(whole_match()[-1].deal.totals)
    for row in every:
        roles = [each for each in summary.rows if each.player == row.player and each.role]
        assert sum(each.units for each in roles) == row.units
        assert sum(each.hands for each in roles) == 8 - summary.void
        mean = {name: found.value for name in COLUMNS if (found := row.mean(name)) is not None}
        assert mean["units"] == pytest.approx(mean["start"] - mean["own"] - mean["mates"] + mean["gifts"])
        assert "calls" not in mean  # cards alone were judged
    declared = sum(row.declared for row in every)
    assert declared == sum(0 if each.contract is None else len(each.contract.declarers) for each in whole_match())


def test_calls_are_counted_where_they_were_judged() -> None:
    summary = contract_summary_of(playthroughs())
    rows = {row.player: row for row in summary.rows if not row.role}
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dot")):
        losses = [review.auctions[seat].loss for review in playthroughs()]
        found = rows[name].mean("calls")
        assert found is not None and found.value == pytest.approx(sum(loss or 0 for loss in losses) / len(losses))
