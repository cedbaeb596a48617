"""The page of reviewed hands: well-formed whatever the names are, nothing from outside, the numbers of the review in
its tables and in the data of its script. What the script does with them: test_review_browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.report import reviews
from tierce.solver.advice.ledger import Play as Entry
from tierce.solver.advice.review_results import Decision, Review
from tierce.solver.cards import cards_of, parse_card, parse_hand
from tierce.solver.games import ReplayedDeal
from tierce.solver.games.actions import Play
from tierce.solver.position import Position
from tierce.solver.report.markup import page, plain
from tierce.solver.report.review_page import review_page
from tierce.solver.report.review_words import meaning, turn_text
from tierce.solver.solve import solve

SVG = "{http://www.w3.org/2000/svg}"
SIGNS = dict(zip("♠♥♦♣", "SHDC", strict=True))
HOSTILE = ("</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>&lt;]]>", "a\u202eb\u2028c<!--{寒")


class Reader(HTMLParser):
    """A page as a browser's tokenizer sees it: tags, attributes, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.policy = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "meta", tag
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            tag, attributes, text = self.raw[-1]
            self.raw[-1] = tag, attributes, text + data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def text(self, tag: str, **attributes: str) -> str:
        (found,) = (text for name, has, text in self.raw if name == tag and attributes.items() <= has.items())
        return found


def data_of(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Reader(text).text("script", type="application/json"))
    return found


def tree(text: str) -> ET.Element:
    return ET.fromstring(text.split("\n", 1)[1])


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())


def named(text: str) -> str:
    """Signs of suits as letters."""
    return re.sub("[♠♥♦♣]", lambda found: SIGNS[found[0]], text)


def kinds() -> Iterator[tuple[Review, ...]]:
    yield reviews.match_reviews()
    for review in (reviews.unfinished(), reviews.claimed(), reviews.miz(), reviews.kitty_trick()):
        yield (review,)


@pytest.fixture(scope="module")
def match_page() -> str:
    return review_page(reviews.match_reviews())


# ---- as a page -------------------------------------------------------------------------------------------------------


def test_every_kind_of_hand_makes_a_sound_page() -> None:
    for shown in kinds():
        text = review_page(shown)
        reader = Reader(text)
        assert reader.open == []
        ids = [each.get("id") for each in tree(text).iter() if each.get("id")]
        assert len(ids) == len(set(ids))
        assert meaning(shown[0]) in text_of(tree(text))


def test_hostile_names() -> None:
    """A name is nothing but text, in the page and in its data."""
    shown = replace(reviews.unfinished(), players=HOSTILE)
    text = review_page([shown])
    text.encode()
    reader = Reader(text)
    assert reader.open == [] and reader.tags.count("script") == 2
    assert not {"img", "iframe", "link", "b", "i"} & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name in ("src", "style")]
    order = [shown.deal.state.player(seat) for seat in range(3)]
    names = [plain(HOSTILE[player]) for player in order]
    assert data_of(text)[0]["names"] == names
    seen = text_of(tree(text))
    assert all(name in seen for name in names)
    assert "\u202e" not in text and "\u2028" not in text


def test_only_its_own_script_and_style_may_run(match_page: str) -> None:
    """The policy names the hashes of the two, as a browser takes them."""
    reader = Reader(match_page)
    for kind, text in (("script", reader.text("script", type="module")), ("style", reader.text("style"))):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in reader.policy
    assert "default-src 'none'" in reader.policy and "unsafe" not in reader.policy


def test_nothing_from_outside(match_page: str) -> None:
    without = match_page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|<link|<img|@import|url\(|src=|fetch\(|import\(|XMLHttp|innerHTML", without)
    links = [value or "" for name, value in Reader(match_page).attributes if name == "href"]
    assert links and all(re.fullmatch(r"#deal=\d+(&play=\d+)?", link) for link in links)


def test_a_hand_is_small() -> None:
    assert len(review_page(reviews.match_reviews()[:1]).encode()) < 100_000


@pytest.mark.parametrize("bad", ["a ]]> b < c", "'</script>' & 1", "'<!--'"])
def test_a_script_that_could_end_early_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="expected a style or a script without"):
        page("t", [], script=bad)


def test_a_script_stays_as_it_is() -> None:
    """In HTML as in XML, whatever is in it; without one nothing may run."""
    script = "if (a < b && c > 1) alert('x');"
    text = page("t", [], script=script)
    assert script in Reader(text).text("script", type="module")
    assert script in next(each.text or "" for each in tree(text).iter("script"))
    assert "script-src" not in Reader(page("t", [])).policy


# ---- the data --------------------------------------------------------------------------------------------------------


def positions(deal: ReplayedDeal) -> Iterator[tuple[Position, int]]:
    """Every card played, and the position before it, by the rules."""
    for action, state in deal.steps():
        if isinstance(action, Play):
            trick = state.trick
            yield Position(state.hands, state.trump, state.leader, trick=trick, taken=state.taken), action.card


def test_the_data_is_the_hand() -> None:
    """Hands, movers and winners as the rules have them; values as the review has them."""
    for shown in kinds():
        for review, data in zip(shown, data_of(review_page(shown)), strict=True):
            played = list(positions(review.deal))
            assert data["cards"] == [review_card(card) for _, card in played]
            assert data["seats"] == "".join("DEM"[position.mover] for position, _ in played)
            assert data["winners"] == "".join("DEM"[trick.winner] for trick in review.deal.tricks)
            assert [parse_hand(hand) for hand in data["hands"]] == list(played[0][0].hands)
            first = data["first"]
            assert len(played) - first == len(data["options"]) == len(data["says"]) == len(data["sure"]) - 1
            for (position, card), options in zip(played[first:], data["options"], strict=True):
                assert {parse_card(name) for name in options} == set(cards_of(position.legal()))
                assert review_card(card) in options


def review_card(card: int) -> str:
    return "SHDC"[card // 16] + "23456789TJQKA"[card % 16]


@pytest.mark.parametrize("which", [reviews.unfinished, reviews.claimed, reviews.miz, reviews.kitty_trick])
def test_the_values_are_those_of_fresh_searches(which: Any) -> None:
    """Of some cards that were not played: what each seat would have been left with."""
    review = which()
    (data,) = data_of(review_page([review]))
    played = list(positions(review.deal))[data["first"] :]
    for (position, card), options in list(zip(played, data["options"], strict=True))[-12::4]:
        for name, values in options.items():
            after = position.play(parse_card(name))
            kitty = (review.kitty, 0, 0)
            found = [
                after.taken[seat]
                if not after.left
                else solve(after, 1 << seat, "fewest" if review.few else "most").tricks
                for seat in range(3)
            ]
            assert values == [value + extra for value, extra in zip(found, kitty, strict=True)], (card, name)


def own(play: Entry) -> Iterator[tuple[int, tuple[int | None, int | None, int | None]]]:
    """A card's value for its player alone."""
    for card, values in play.options:
        d, e, m = (value if seat == play.seat else None for seat, value in enumerate(values))
        yield card, (d, e, m)


def test_without_the_others_values_the_data_says_so() -> None:
    review = reviews.unfinished()
    plays = tuple(replace(play, options=tuple(own(play))) for play in review.ledger.plays)
    shown = replace(review, ledger=replace(review.ledger, plays=plays))
    (data,) = data_of(review_page([shown]))
    for seat, options in zip(data["seats"], data["options"], strict=True):
        for values in options.values():
            assert [value is not None for value in values] == [each == seat for each in "DEM"]


# ---- what is read ----------------------------------------------------------------------------------------------------


def tables(root: ET.Element) -> dict[str, list[list[str]]]:
    """By the first word of the caption."""
    return {
        text_of(next(each.iter("caption"))).split(" ")[0]: [[text_of(cell) for cell in row] for row in each.iter("tr")]
        for each in root.iter("table")
    }


def articles(text: str) -> list[ET.Element]:
    return list(tree(text).iter("article"))


def number(text: str) -> int:
    return int(text.replace("\u2212", "-") or 0)


def test_accounts_add_up_as_they_are_shown() -> None:
    for shown in kinds():
        for review, article in zip(shown, articles(review_page(shown)), strict=True):
            head, *rows = tables(article)["Where"]
            total = next(at for at, cell in enumerate(head) if cell.startswith("= "))
            assert len(rows) == 3
            for row, account in zip(rows, review.accounts, strict=True):
                assert sum(map(number, row[1:total])) == number(row[total]) == account.tricks
                assert row[0] == f"{'DEM'[account.seat]} {account.name}"


def test_tricks_lead_to_their_cards(match_page: str) -> None:
    for review, article in zip(reviews.match_reviews(), articles(match_page), strict=True):
        head, *rows = tables(article)["Tricks:"]
        assert head == ["", "D", "E", "M"]
        for row, trick in zip(rows, review.deal.tricks, strict=True):
            cells = [named(cell) for cell in row[1:]]
            for place, card in enumerate(trick.cards):
                seat = (trick.leader + place) % 3
                assert review_card(card) in cells[seat]
                assert ("led" in cells[seat]) == (place == 0)
                assert ("won" in cells[seat]) == (seat == trick.winner)
        links = [each.get("href") for each in article.iter("a") if each.get("data-play")]
        assert {f"#deal={review.deal.number}&play={play}" for play in range(48)} == set(links)


def test_turning_points_are_told_and_marked() -> None:
    for shown in kinds():
        for review, article in zip(shown, articles(review_page(shown)), strict=True):
            told = [named(text_of(each)) for listing in article.iter("ol") for each in listing]
            assert told == [turn_text(review, turn) for turn in review.turns]
            marked: set[int] = set()
            for plot in article.iter(f"{SVG}svg"):
                halos = [each for each in plot.iter(f"{SVG}text") if each.get("class") == "halo"]
                assert len(halos) == len([each for each in plot.iter() if each.get("class", "").startswith("turn ")])
                marked |= {int(text_of(each)) for each in halos}
            assert marked == set(range(1, len(review.turns) + 1))


def test_decisions_stand_by_their_cost() -> None:
    review = reviews.match_reviews()[0]
    judged = (
        Decision("trump", 0, "S", (2, 2), (0.5, 0.5), ("D",), 1),
        Decision("exchange", 1, "S", (3, 4), (0, 1)),
        Decision("trump", 0, "S", (1, 1), (1, 1)),
    )
    text = review_page([replace(review, decisions=judged)])
    (listing,) = (each for each in tree(text).iter("ul") if each.get("class") == "costs")
    costs = [text_of(each[0]) for each in listing]
    skipped = len(review.skipped)
    plays = sorted((str(play.loss) for play in review.ledger.plays if play.loss), reverse=True)
    assert costs == ["2\u20134", plays[0], "1.5", *plays[1:], "0", *["?"] * skipped]
    assert plays[0] == "2" and skipped


def test_curves_begin_and_end_where_the_account_does() -> None:
    """The line of a floor is read back from its path."""
    for shown in kinds():
        for review, article in zip(shown, articles(review_page(shown)), strict=True):
            top = review.total + review.kitty
            for seat, plot in enumerate(article.iter(f"{SVG}svg")):
                (path,) = (each.get("d", "") for each in plot.iter() if each.get("class", "").startswith("floor "))
                first = float(path.split("H")[0].split(" ")[1])
                last = float(path.rpartition("V")[2].split("H")[0]) if "V" in path else first
                ends = [review.counted(each)[seat] for each in (review.ledger.start, review.ledger.end)]
                assert [round((140 - y) / 130 * top) for y in (first, last)] == ends
                shares = [each for each in plot.iter() if each.get("class", "").startswith("share ")]
                assert len(shares) == (not review.few)


def test_deals_are_chosen_by_number_or_by_place() -> None:
    first, second = reviews.match_reviews()
    root = tree(review_page([first, second]))
    assert [each.get("href") for each in next(root.iter("nav")).iter("a")] == ["#deal=1", "#deal=2"]
    root = tree(review_page([second, second]))
    assert [each.get("href") for each in next(root.iter("nav")).iter("a")] == ["#deal=1", "#deal=2"]
    root = tree(review_page([second]))
    assert not list(root.iter("nav"))
    assert [each.get("data-key") for each in root.iter("article")] == ["2"]


def test_a_hand_without_cards_is_shown() -> None:
    """It was reviewed at its first lead: the floors are all there is."""
    review = reviews.match_reviews()[0]
    lead = next(state for _, state in review.deal.steps() if state.phase == "PLAY")
    deal = replace(review.deal, actions=(), start=lead, state=lead, result=None)
    ledger = replace(review.ledger, plays=(), end=review.ledger.start, taken=(0, 0, 0), left=16)
    text = review_page([replace(review, deal=deal, ledger=ledger)])
    assert "no card was played" in text
    assert data_of(text)[0]["cards"] == [] and "Tricks:" not in tables(tree(text))
