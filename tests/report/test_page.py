"""The page of a study: well-formed whatever the names are, every figure beside its plot, nothing from outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.report.studies import DEALER, STRATEGIES, Row, failed, header, random_rows, write
from tierce.solver.cards import parse_hand
from tierce.solver.deal import Deal
from tierce.solver.report.markup import plain
from tierce.solver.report.study import study_report
from tierce.solver.report.study_files import open_study
from tierce.solver.report.study_page import study_page
from tierce.solver.report.study_results import StudyReport
from tierce.solver.report.study_words import percent, plus_minus, signed

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "</title><script>alert(1)</script>",
    "\"' onload=alert(1) x='",
    "]]>&lt;<!--",
    "\x00\x1b[31m\u202egnp.exe\ud7ff",
    "<svg/onload=x>" * 20,
    "寒" * 50,
    "",
)


class Reader(HTMLParser):
    """Tags as a browser's tokenizer sees them, text, and attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("meta", "br", "hr"), tag  # others do not end so in HTML
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def page_of(tmp_path: Path, rows: list[Row], **changes: object) -> tuple[StudyReport, str]:
    report = study_report(open_study(write(tmp_path / "run.parquet", header(**changes), rows)), top=2)
    return report, study_page(report)


def tree(page: str) -> ET.Element:
    return ET.fromstring(page.split("\n", 1)[1])


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())


def tables(root: ET.Element) -> dict[str, list[list[str]]]:
    """By caption."""
    return {
        text_of(next(each.iter("caption"))): [[text_of(cell) for cell in row] for row in each.iter("tr")]
        for each in root.iter("table")
    }


@pytest.mark.parametrize("errors", [0.0, 0.02])
def test_hostile_names(tmp_path: Path, errors: float) -> None:
    """Names, errors, cards and parcels are whatever a study's file holds."""
    rows = list(random_rows(60, HOSTILE, errors=errors))
    for row in rows[:400]:
        row |= {"cards": "<b>", "sent": "<i>&", "returned": None, "trump": "<", "discard": "</td>"}
    rows[-1] = failed(rows[-1], "<script>boom</script>\x00")
    report, page = page_of(tmp_path, rows, strategies=list(HOSTILE), reply="<u>", version="<s>")
    page.encode()
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert not {"script", "b", "i", "u", "s", "iframe", "img", "link", "a"} & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name in ("src", "href", "style")]
    root = tree(page)
    shown = [row[0] for row in tables(root)["What came of each strategy, the best first"][1:]]
    assert shown == [plain(each.name) for each in report.ranked]
    assert ("<script>boom</script>\\x00" in text_of(root)) == (not errors)  # the first error of each is told


@pytest.fixture(scope="module")
def plain_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyReport, str]:
    return page_of(tmp_path_factory.mktemp("page"), list(random_rows(300, errors=0.01)))


def test_nothing_from_outside(plain_page: tuple[StudyReport, str]) -> None:
    without = plain_page[1].replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//|<script|<link|<img|@import|url\(|src=|href=", without)


def test_names_within_the_page_are_its_own(plain_page: tuple[StudyReport, str]) -> None:
    """Every id once; what a plot is labelled by is there and says something."""
    root = tree(plain_page[1])
    ids = {each.get("id"): each for each in root.iter() if each.get("id")}
    assert len(ids) == len([each for each in root.iter() if each.get("id")])
    plots = list(root.iter(f"{SVG}svg"))
    assert len(plots) == 2 + len(STRATEGIES)
    for plot in plots:
        labels = [ids[name] for name in (plot.get("aria-labelledby") or "").split()]
        assert [each.tag for each in labels] == [f"{SVG}title", f"{SVG}desc"]
        assert all(each.text for each in labels) and plot.get("role") == "img"


def test_every_colour_is_defined_twice(plain_page: tuple[StudyReport, str]) -> None:
    """Light and dark have the same variables, and no other is used."""
    style = next(tree(plain_page[1]).iter("style")).text or ""
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    defined = [set(re.findall(r"(--[\w-]+):", each)) for each in (light, dark)]
    assert defined[0] == defined[1] == set(re.findall(r"var\((--[\w-]+)\)", style))


def brightness(colour: str) -> float:
    """Relative luminance, as the accessibility guidelines define it."""
    digits = colour * 2 if len(colour) == 3 else colour
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_stand_out(plain_page: tuple[StudyReport, str]) -> None:
    """Text at least 4.5 to 1 against the page, in light and dark."""
    style = next(tree(plain_page[1]).iter("style")).text or ""
    for rules in re.findall(r":root \{(.*?)\}", style, re.DOTALL):
        colours = {
            name: brightness("".join(c * (2 if len(v) == 3 else 1) for c in v))
            for name, v in re.findall(r"--(\w+): #(\w+)", rules)
        }
        for name in ("front", "soft", "red", *(f"s{i}" for i in range(8))):
            one, other = sorted((colours[name], colours["back"]))
            assert (other + 0.05) / (one + 0.05) >= 4.5, name


def test_figures_beside_the_plots(plain_page: tuple[StudyReport, str]) -> None:
    report, page = plain_page
    root = tree(page)
    found = tables(root)
    for row, each in zip(found["What came of each strategy, the best first"][1:], report.ranked, strict=True):
        cells = [
            each.name,
            f"{each.valued:,}",
            f"{each.mean.value:.2f}",
            f"{each.mean.low:.2f} to {each.mean.high:.2f}",
        ]
        assert row == [
            *cells,
            signed(each.balance),
            percent(each.quota.value),
            percent(each.win.value),
            str(each.errors),
        ]
    texts = {each.text for each in root.iter(f"{SVG}text")}
    assert {plus_minus(each.mean) for each in report.strategies} <= texts
    assert {plus_minus(each.mean, sign=True) for each in report.against_best()} <= texts
    against = found[f"Each strategy against {report.ranked[0].name}: in how many deals it was better, equal, worse"]
    assert [row[-1] for row in against[1:]] == ["yes" if each.apart else "no" for each in report.against_best()]
    same = found["How often two strategies chose the same parcels"]
    assert [row[0] for row in same] == ["strategy", *(each.name for each in report.ranked)]
    assert same[1][2] == percent(report.pairs[report.order[0], report.order[1]].same, report.compared)
    floors = found["Share of the deals with each floor"]
    assert [row[0] for row in floors[1:]] == [
        str(n) for n in range(len(floors) - 2 + int(floors[-1][0]), int(floors[-1][0]) - 1, -1)
    ]


def test_deals_to_look_at(plain_page: tuple[StudyReport, str]) -> None:
    report, page = plain_page
    articles = list(tree(page).iter("article"))
    for look, article in zip(report.looks, articles, strict=True):
        assert f"Deal {look.deal}:" in text_of(next(article.iter("h3")))
        boxes = next(each for each in article.iter("div") if each.get("class") == "hands")
        hands = [".".join(text_of(line)[2:].replace("-", "") for line in box.findall("div")) for box in boxes]
        deal = Deal.parse(look.cards)
        assert [parse_hand(hand) for hand in hands] == [*deal.hands, deal.kitty]
        assert text_of(next(article.iter("code"))) == f'tierce exchange --game raf --previous 10/4/2 "{look.cards}"'
        assert f"floors from {look.told[-1].own} to {look.told[0].own}" in text_of(article)


def test_one_strategy_has_no_differences(tmp_path: Path) -> None:
    report, page = page_of(tmp_path, list(random_rows(9, ["only"])), strategies=["only"])
    root = tree(page)
    assert [text_of(each) for each in root.iter("h2")] == ["Strategies", "Floors"]
    assert "Student's t" in text_of(root) and report.looks == ()


def test_one_deal_and_equal_floors(tmp_path: Path) -> None:
    """Nothing to spread a scale over."""
    rows = [row | {"own": 0, "balance": -3} for row in random_rows(1)]
    _, page = page_of(tmp_path, rows)
    assert "It cannot be told apart from" in text_of(tree(page))


def test_a_study_of_the_dealer(tmp_path: Path) -> None:
    rows = list(random_rows(40, ["quick", "longest"]))
    changes = {"schema": DEALER, "previous": None, "reply": None, "sender": None}
    _, page = page_of(tmp_path, rows, strategies=["quick", "longest"], **changes)
    root = tree(page)
    assert text_of(next(root.iter("h1"))) == "Dealer strategies: raf"
    assert "sent" not in [text_of(each) for each in root.iter("th")]
    assert "How often two strategies chose the same trump and discard" in tables(root)
