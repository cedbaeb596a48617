"""The page of reviewed contracts in a browser: each step, another card tried, the deals of a match, narrow screens.
Marked `browser`, as `test_review_browser`, which says how pages are driven."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.contract_reviews import playthroughs, thrown_away, unfinished, void
from tests.report.test_review_browser import chromium, driven, said
from tierce.solver.cards import card_name
from tierce.solver.report.contract_page import contract_page
from tierce.solver.report.contract_words import play_text

pytestmark = pytest.mark.browser


def test_its_own_script_runs(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(contract_page([thrown_away(), void()]), encoding="utf-8")
    dom, complaints = chromium(f"{file.as_uri()}#deal=1&play=3")
    assert complaints == "" and dom.count('class="steps"') == 1 and 'aria-current="step"' in dom


def test_every_card_by_the_arrow_key(tmp_path: Path) -> None:
    """Each step tells what the review tells, and offers the cards that could be played."""
    review = playthroughs()[3]
    assert review.ledger is not None and review.contract is not None
    seen = driven(tmp_path, contract_page([review]), 'for (let i = 0; i < 53; i += 1) { look(); press("ArrowRight"); }')
    for number, (step, play) in enumerate(zip(seen, review.ledger.plays, strict=False)):
        assert said(step["said"]) == play_text(review, play)
        assert len(step["cards"]) == len(play.options)
        assert step["best"] == (0 if play.forced else len(play.best))
        assert f"declarers {play.after}" in step["played"] and step["played"].endswith("played")
        assert len(step["slots"]) == (number % 4 or (4 if number else 0))
        assert step["current"] == str(number) and step["where"] == f"card {number + 1} of 52"
        stands = [f"best play {play.before}" in each for each in step["stands"]]
        assert stands == [seat in review.contract.declarers for seat in (0, 3, 1, 2)]
        assert step["stands"][0].count("taken") == 1
    word = "made" if review.made else "beaten"
    assert seen[52]["said"].endswith(f"The hand is over: Solo was {word}.")


def test_another_card_is_tried(tmp_path: Path) -> None:
    """South's ace of clubs in place of his three: the contract is then made."""
    review = thrown_away()
    at = review.turns[1].number
    script = """
      look(); one(".card[aria-label^='ace of clubs']").click(); look();
      press("Escape"); look(); press("End"); look();
    """
    seen = driven(tmp_path, contract_page([review]), script, f"#deal=1&play={at}")
    assert seen[1]["hash"] == f"#deal=1&play={at}&try=CA"
    assert said(seen[1]["said"]).endswith("What if S had played CA instead of C3? Misère is made if all play best.")
    assert "made if all play best" in seen[1]["stands"][3] and "made" in seen[0]["stands"][3]
    assert seen[2]["hash"] == f"#deal=1&play={at}"
    assert seen[3]["said"].endswith("The rest was claimed: Misère was beaten.")


def test_deals_and_links(tmp_path: Path) -> None:
    """A void deal is shown without a table; a link leads to a card."""
    script = """
      document.querySelector(".deals a[data-deal='1']").click(); look(); press("ArrowRight"); look();
      document.querySelector(".deals a[data-deal='2']").click(); look();
      document.querySelector(".deals a[data-deal='0']").click(); one("ol a").click(); look();
    """
    seen = driven(tmp_path, contract_page([thrown_away(), void(), unfinished()]), script)
    assert [step["deal"] for step in seen] == ["2", "2", "3", "1"] and seen[0]["said"] is None
    first = thrown_away().turns[0]
    assert said(seen[3]["said"]).startswith(f"E's {card_name(first.play.card)} ")


@pytest.mark.parametrize("width", [360, 700, 1200])
def test_nothing_is_wider_than_the_screen(tmp_path: Path, width: int) -> None:
    shown = [thrown_away(), playthroughs()[0]]
    script = "look(); document.querySelector(\".deals a[data-deal='1']\").click(); look();"
    assert all(step["wide"] <= 0 for step in driven(tmp_path, contract_page(shown), script, width=width))
