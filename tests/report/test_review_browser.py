"""The page of reviewed hands in a browser: Chromium, without a window.

Marked `browser`, and left out unless asked for (`pytest -m browser`): it needs a `chromium` on the path, or the name of
one in the environment variable CHROMIUM. The page is driven by a script put into a copy of it, whose policy lets that
script run, too; what the script saw comes back in the page that is printed. That the policy of the page itself lets its
own script run, and no other, is seen on the page as it is.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.report import reviews
from tierce.solver.advice.fair_decisions import Fair, fair_review
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import card_name
from tierce.solver.report.review_page import review_page
from tierce.solver.report.review_words import play_text

pytestmark = pytest.mark.browser

SECONDS = 240  # of one start of the browser; a second by itself, a minute on a machine that is busy with other things
SIGNS = str.maketrans("♠♥♦♣", "SHDC")
LONG = ("W" * 60, "Maximilian-Alexander von Hohenzollern-Sigmaringen zu Thurn u.", "寒" * 60)

DRIVER = """
const seen = [];
const open = () => document.querySelector("article:not([hidden])");
const one = (query) => open().querySelector(query);
const text = (query) => one(query)?.textContent ?? null;
const press = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const look = () => seen.push({
  hash: location.hash,
  deal: open().dataset.key,
  said: text(".said"),
  where: text(".where"),
  cards: [...open().querySelectorAll(".card")].map((card) => card.getAttribute("aria-label")),
  best: [...open().querySelectorAll(".card.best")].length,
  played: one(".card.played")?.getAttribute("aria-label") ?? null,
  slots: [...open().querySelectorAll(".slot.full")].map((slot) => slot.textContent),
  stands: [...open().querySelectorAll(".stand")].map((stand) => stand.textContent),
  ranks: [...open().querySelectorAll(".suit .rank")].length,
  current: open().querySelector(".tricks [aria-current]")?.dataset.play ?? null,
  focus: document.activeElement?.getAttribute("aria-label") ?? null,
  wide: document.documentElement.scrollWidth - innerWidth,
});
%s
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
"""


def chromium(address: str, *, width: int = 1200, dark: bool = False) -> tuple[str, str]:
    """The page after its scripts, and what it had to complain about."""
    command = [os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--enable-logging=stderr", "--virtual-time-budget=2000", f"--window-size={width},900"]
    command += ["--blink-settings=preferredColorScheme=0"] if dark else []
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=SECONDS, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def drive(
    folder: Path,
    shown: list[Review],
    script: str,
    fragment: str = "",
    width: int = 1200,
    fairs: Sequence[Fair | None] = (),
) -> list[dict[str, Any]]:
    """What the page was at each `look()` of a script."""
    return driven(folder, review_page(shown, fairs), script, fragment, width)


def driven(folder: Path, text: str, script: str, fragment: str = "", width: int = 1200) -> list[dict[str, Any]]:
    """The same for any page."""
    text, policies = re.subn(r"script-src [^;&]*(&#x27;|')[^;\"]*", "script-src 'unsafe-inline'", text)
    assert policies == 1
    file = folder / "page.html"
    file.write_text(
        text.replace("</body>", f'<script type="module">{DRIVER % script}</script></body>'), encoding="utf-8"
    )
    dom, complaints = chromium(f"{file.as_uri()}{fragment}", width=width)
    assert complaints == ""
    found = re.search(r"<pre>(.*)</pre>", dom, re.S)
    assert found, dom[:500]
    seen: list[dict[str, Any]] = json.loads(html.unescape(found[1]))
    return seen


def said(text: str) -> str:
    """A sentence with letters for signs, without what stands before it."""
    return text.translate(SIGNS).split("Trick ", 1)[-1].split(": ", 1)[-1]


# ---- the page as it is -----------------------------------------------------------------------------------------------


def test_its_own_script_runs_and_no_other(tmp_path: Path) -> None:
    text = review_page(reviews.match_reviews())
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    dom, complaints = chromium(f"{file.as_uri()}#deal=2&play=3")
    assert complaints == ""
    assert dom.count('class="steps"') == 2 and 'aria-current="step"' in dom
    intruder = '<script type="module">document.body.className = "intruded"</script><p style="color: red">!</p></body>'
    file.write_text(text.replace("</body>", intruder), encoding="utf-8")
    dom, complaints = chromium(file.as_uri())
    assert 'class="intruded"' not in dom
    assert complaints.count("Content Security Policy") == 2


# ---- stepping --------------------------------------------------------------------------------------------------------


def test_every_card_by_the_arrow_key(tmp_path: Path) -> None:
    """Each step tells what the review tells, and offers the cards that could be played."""
    review = reviews.match_reviews()[0]
    seen = drive(tmp_path, [review], 'for (let i = 0; i <= 49; i += 1) { look(); press("ArrowRight"); }')
    for number, (step, play) in enumerate(zip(seen, review.ledger.plays, strict=False)):
        assert said(step["said"]) == play_text(review, play)
        assert len(step["cards"]) == len(play.options)
        assert step["best"] == (0 if play.forced else len(play.best))
        assert step["played"].endswith("played") and f"sure of {play.after[play.seat]}" in step["played"]
        assert step["ranks"] == 48 - number + sum(suit == "" for hand in hands(review, number) for suit in hand)
        assert len(step["slots"]) == (number % 3 or (3 if number else 0))
        assert step["current"] == str(number)
        assert step["where"] == f"card {number + 1} of 48"
        stands = [f"sure of {play.before[seat]}," in step["stands"]["EMD".index("DEM"[seat])] for seat in range(3)]
        assert stands == [True] * 3
    assert seen[48]["where"] == seen[49]["where"] == "all 48 cards"
    assert seen[48]["said"].endswith("The hand is over: D 4, E 6, M 6.")


def hands(review: Review, number: int) -> list[list[str]]:
    """The hands before a card, suit by suit."""
    from tierce.solver.cards import format_hand
    from tierce.solver.games.actions import Play

    states = [state for action, state in review.deal.steps() if isinstance(action, Play)]
    return [format_hand(hand).split(".") for hand in states[number].hands]


def test_keys_buttons_and_links(tmp_path: Path) -> None:
    script = """
      press("End"); look(); press("ArrowLeft"); look(); press("Home"); look(); press("ArrowLeft"); look();
      one("button[aria-label^='Next card that cost']").click(); look();
      one("button[aria-label^='Next card (']").click(); look();
      one("button[aria-label^='Card before']").click(); look();
      one("button[aria-label^='End']").click(); look();
      one("button[aria-label^='First']").click(); look();
      one(".tricks a[data-play='7']").click(); look();
      document.querySelector(".deals a[data-deal='1']").click(); look();
      one(".costs a").click(); look();
      press("ArrowRight", one(".scroll")); look();
    """
    seen = drive(tmp_path, list(reviews.match_reviews()), script)
    first, second = reviews.match_reviews()
    loss = next(number for number, play in enumerate(first.ledger.plays) if play.loss)
    worst = next(number for number, play in enumerate(second.ledger.plays) if play.loss == 2)
    expected = [48, 47, 0, 0, loss, loss + 1, loss, 48, 0, 7]
    assert [step["hash"] for step in seen[:10]] == [f"#deal=1&play={number}" for number in expected]
    assert [(step["deal"], step["hash"]) for step in seen[10:]] == [
        ("2", "#deal=2"),
        ("2", f"#deal=2&play={worst}"),
        ("2", f"#deal=2&play={worst}"),  # arrows within what scrolls are left to it
    ]


def test_another_card_is_tried(tmp_path: Path) -> None:
    """Every card at one turn: what it would have left each seat; then back, by the key or by the card itself."""
    review = reviews.match_reviews()[0]
    at = next(number for number, play in enumerate(review.ledger.plays) if play.loss == 2)
    play = review.ledger.plays[at]
    others = [card for card, _ in play.options if card != play.card]
    script = f"""
      look();
      for (let i = 0; i < {len(others)}; i += 1) {{
        one(".seat.moves .suit").closest(".seat").querySelectorAll(".card:not(.played)")[i].click();
        look();
      }}
      press("Escape"); look();
      one(".card:not(.played)").click(); one(".card.tried").click(); look();
      one(".card:not(.played)").click(); one("button[aria-label^='Back to']").click(); look();
      one(".card:not(.played)").click(); press("ArrowRight"); look();
      one(".card.played").focus(); one(".card.played").click(); look();
    """
    seen = drive(tmp_path, [review], script, f"#deal=1&play={at}")
    for step, card in zip(seen[1:], others, strict=False):
        values = dict(play.options)[card]
        assert step["hash"] == f"#deal=1&play={at}&try={card_name(card)}"
        told = {
            found[1]: (int(found[2]), found[3]) for found in re.finditer(r"\b([DEM]) (\d+) \((.*?)\)", step["said"])
        }
        assert {seat: value for seat, (value, _) in told.items()} == dict(zip("DEM", values, strict=True))
        for seat, name in enumerate("DEM"):
            change = (values[seat] or 0) - play.after[seat]
            assert told[name][1].replace("\u2212", "-") == (f"{change:+d}" if change else "as played")
        assert any("tried" in slot for slot in step["slots"])
    back = seen[len(others) + 1 :]
    assert [step["hash"] for step in back] == [f"#deal=1&play={at}"] * 4 + [f"#deal=1&play={at + 1}"]
    assert [step["said"] for step in back[:4]] == [seen[0]["said"]] * 4
    assert "played" in back[4]["focus"]  # it is not lost with the button that was chosen


@pytest.mark.parametrize(
    ("fragment", "deal", "play"),
    [
        ("", "1", "0"),
        ("#deal=2&play=31", "2", "31"),
        ("#deal=2", "2", "0"),
        ("#play=5", "1", "5"),
        ("#deal=9&play=1000", "1", None),
        ("#deal=x&play=-3&try=%3Cb%3E", "1", "0"),
        ("#%00&&==", "1", "0"),
    ],
)
def test_the_address_says_where(tmp_path: Path, fragment: str, deal: str, play: str | None) -> None:
    (seen,) = drive(tmp_path, list(reviews.match_reviews()), "look();", fragment)
    assert (seen["deal"], seen["current"]) == (deal, play)


def test_a_new_address_is_followed(tmp_path: Path) -> None:
    script = """
      location.hash = "#deal=2&play=9"; await new Promise((done) => setTimeout(done, 50)); look();
    """
    (seen,) = drive(tmp_path, list(reviews.match_reviews()), script)
    assert (seen["deal"], seen["current"]) == ("2", "9")


# ---- kinds of hands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["unfinished", "claimed", "miz", "kitty_trick"])
def test_hands_that_end_or_begin_elsewhere(tmp_path: Path, which: str) -> None:
    review: Review = getattr(reviews, which)()
    cards = len(review.deal.record.play)
    seen = drive(tmp_path, [review], f'for (let i = 0; i <= {cards}; i += 1) {{ look(); press("ArrowRight"); }}')
    first = cards - len(review.ledger.plays)
    assert all("not judged" in step["said"] and not step["cards"] for step in seen[:first])
    for step, play in zip(seen[first:], review.ledger.plays, strict=False):
        assert said(step["said"]) == play_text(review, play)
        word, kitty = ("cap", 0) if review.few else ("sure of", review.kitty if play.seat == 0 else 0)
        assert f"{word} {play.after[play.seat] + kitty}" in step["played"]
    ends = ", ".join(f"{seat} {tricks}" for seat, tricks in zip("DEM", review.counted(review.ledger.end), strict=True))
    assert ends in seen[cards]["said"]


@pytest.mark.parametrize("width", [500, 800, 1200])  # a window is at least 500 wide
@pytest.mark.parametrize("which", ["match", "unfinished", "miz"])
def test_nothing_is_wider_than_the_screen(tmp_path: Path, which: str, width: int) -> None:
    review = reviews.match_reviews()[1] if which == "match" else getattr(reviews, which)()
    script = 'for (let i = 0; i < 60; i += 1) { look(); press("ArrowRight"); }'
    known = fair_review(review.deal, worlds=1, seconds=0)
    seen = drive(tmp_path, [replace(review, players=LONG)], script, width=width, fairs=[known])
    assert max(step["wide"] for step in seen) <= 0
