"""Markup: whatever text is put in, it comes out again as text, and nothing else."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from tierce.solver.cards import format_hand, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.report.hands import deal_markup, names_markup
from tierce.solver.report.markup import Markup, element, facts, joined, page, plain, table

TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["</p>", "<b>", "&amp;", "\"'><x>", "]]>", "<!--", "\x00", "\u202e", "\ud800"]),
)


@given(TEXTS, TEXTS)
def test_text_and_attributes_come_back(text: str, value: str) -> None:
    found = ET.fromstring(element("p", text, element("b", text), title=value))
    assert (found.text or "", found.get("title")) == (plain(text), plain(value))
    assert [(each.tag, each.text or "") for each in found] == [("b", plain(text))]


@given(TEXTS)
def test_plain_text_can_be_printed(text: str) -> None:
    found = plain(text)
    assert found.isprintable()
    found.encode()
    assert found == text or not text.isprintable()


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", element("i", "<")) == "<p><i>&lt;</i></p>"
    assert joined(["<", Markup("<br />")], "&") == "&lt;&amp;<br />"


def test_names_of_attributes_and_numbers() -> None:
    assert element("p", class_="a", aria_label="b", x=1.5, y=2.0, z=1 / 3, none=None) == (
        '<p class="a" aria-label="b" x="1.5" y="2" z="0.33"></p>'
    )
    assert element("meta", charset="utf-8") == '<meta charset="utf-8" />'


@given(
    st.lists(TEXTS, min_size=2, max_size=4).flatmap(
        lambda head: st.tuples(
            st.just(head), st.lists(st.lists(TEXTS, min_size=len(head), max_size=len(head)), max_size=3)
        )
    ),
    TEXTS,
)
def test_tables(cells: tuple[list[str], list[list[str]]], caption: str) -> None:
    header, rows = cells
    found = ET.fromstring(table(header, rows, caption=caption))
    read = [["".join(cell.itertext()) for cell in row] for row in found.iter("tr")]
    assert read == [[plain(text) for text in row] for row in [header, *rows]]
    assert [each.text or "" for each in found.iter("caption")] == [plain(caption)]
    assert [each.get("scope") for each in found.iter("th")] == ["col"] * len(header) + ["row"] * len(rows)


@given(TEXTS, TEXTS)
def test_a_page_is_html_and_xml(title: str, text: str) -> None:
    whole = page(title, [element("p", text), facts([(text, title)])], note=text)
    first, rest = whole.split("\n", 1)
    assert first == "<!DOCTYPE html>"
    root = ET.fromstring(rest)
    assert [child.tag for child in root] == ["head", "body"] and root.get("lang") == "en"
    assert [(each.text or "") for each in root.iter("h1")] == [plain(title)]
    assert (root.findtext("head/title") or "") == plain(title)


def test_a_page_loads_nothing() -> None:
    whole = page("t", [])
    policies = [each.get("content", "") for each in ET.fromstring(whole.split("\n", 1)[1]).iter("meta")]
    assert any(each.startswith("default-src 'none';") for each in policies)
    for word in ("<script", "<link", "<img", "@import", "url(", "src="):
        assert word not in whole


def test_hands_keep_their_cards() -> None:
    deal = Deal.parse("D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T.")
    found = ET.fromstring(deal_markup(deal))
    assert [each.text for each in found.iter("strong")] == ["Dealer", "Eldest", "Middle", "Kitty"]
    for hand, box in zip([*deal.hands, deal.kitty], found, strict=True):
        suits = ["".join(line.itertext())[2:].replace("-", "") for line in box.findall("div")]
        assert parse_hand(".".join(suits)) == hand, format_hand(hand)


def test_names_of_cards_get_signs() -> None:
    found = ET.fromstring(element("p", names_markup("E:H7 D:C2 C3 <SAX> HASH")))
    assert "".join(found.itertext()) == "E:♥7 D:♣2 ♣3 <SAX> HASH"
    assert [each.get("class") for each in found] == ["red", None, None]
