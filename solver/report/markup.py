"""Markup of self-contained pages: elements, tables, the page itself.

    element("p", "1 < 2", element("b", "!"))     <p>1 &lt; 2<b>!</b></p>
    table(header, rows, caption=...)             a table in a frame that scrolls by itself on a narrow screen
    page(title, sections)                        the whole page

Markup is text of a type of its own: any other text is escaped where it is put into an element, and what cannot be
printed (controls, marks that turn the direction of writing) is shown as an escape. A page is HTML and well-formed XML
alike. It loads nothing, and runs nothing but the script it is made with, if any; its own policy says so. Colours are
variables, for light and dark; `series-0` to `series-7` are eight that stay apart for most eyes, beside which a reader
always finds words or numbers.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from typing import Final, TypeAlias

__all__ = ["SERIES", "Content", "Markup", "element", "facts", "joined", "page", "plain", "section", "table"]

SERIES: Final = 8
_EMPTY: Final = ("br", "hr", "meta")  # elements without an end in HTML


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Content: TypeAlias = "str | Markup"


def plain(text: str) -> str:
    """The text with nothing in it that cannot be printed: escapes take the place of it."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def joined(parts: Iterable[Content], between: str = "") -> Markup:
    """Parts in a row, text among them escaped."""
    return Markup(_escaped(between).join(map(_escaped, parts)))


def element(name: str, /, *inside: Content, **attributes: Content | float | None) -> Markup:
    """An element. Of attributes a trailing `_` is dropped and other `_` become `-`; None leaves one out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{given} />" if name in _EMPTY else f"<{name}{given}>{joined(inside)}</{name}>")


def _written(value: Content | float) -> Content:
    """Numbers with two decimals at most: pages are not blown up by coordinates."""
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def _escaped(text: Content) -> str:
    return text if isinstance(text, Markup) else escape(plain(text))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def section(title: str, *inside: Content) -> Markup:
    """A part of a page under a heading."""
    return element("section", element("h2", title), *inside)


def facts(pairs: Iterable[tuple[str, Content]]) -> Markup:
    """Names and what they stand for."""
    return element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in pairs))


def table(header: Sequence[Content], rows: Iterable[Sequence[Content]], *, caption: str, words: int = 1) -> Markup:
    """A table. Its first column names the row; the first `words` columns are text, the others numbers, to the right.

    caption   what the table is, told above it and to those who hear the page
    """
    head = element("tr", *(_cell("th", text, at >= words, scope="col") for at, text in enumerate(header)))
    body = [element("tr", *_row(row, words)) for row in rows]
    inside = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", inside, class_="scroll", role="region", tabindex="0", aria_label=caption)


def _row(row: Sequence[Content], words: int) -> list[Markup]:
    first, *rest = row
    return [_cell("th", first, False, scope="row")] + [
        _cell("td", text, at >= words) for at, text in enumerate(rest, 1)
    ]


def _cell(name: str, text: Content, number: bool, scope: str | None = None) -> Markup:
    return element(name, text, scope=scope, class_="number" if number else None)


# ---- the page --------------------------------------------------------------------------------------------------------

_STYLE: Final = """
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --soft: #59636e; --line: #d1d9e0; --red: #b3261e;
  --wash: #f3f5f7; --s0: #0b6bcb; --s1: #b35900; --s2: #1a7f4b; --s3: #a0389b; --s4: #6b5b00; --s5: #b3261e;
  --s6: #00737d; --s7: #5a4fcf; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171a; --front: #e6e9ec; --soft: #a2abb5; --line: #3a424a; --red: #ff8a80;
    --wash: #1e2328; --s0: #6cb2ff; --s1: #ffb066; --s2: #63d297; --s3: #ec8fe7; --s4: #dcc74a; --s5: #ff8a80;
    --s6: #4fd0db; --s7: #b0a8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--back); color: var(--front);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 45rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem 1.5rem; margin: 1rem 0; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; }
figure { margin: 1rem 0; max-width: 36rem; }
figcaption { color: var(--soft); font-size: .9rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--front); }
svg .soft { fill: var(--soft); }
svg .axis { stroke: var(--line); fill: none; }
svg .zero { stroke: var(--soft); fill: none; stroke-dasharray: 3 3; }
svg .span { stroke-width: 2; fill: none; }
svg .open { fill: var(--back); stroke-width: 2; }
.scroll { overflow-x: auto; margin: 1rem 0; }
.scroll:focus-visible { outline: 2px solid var(--s0); outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); font-size: .9rem; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line);
  font-weight: normal; }
thead th { color: var(--soft); font-size: .85rem; vertical-align: bottom; }
tbody th { min-width: 6rem; }
.number { text-align: right; white-space: nowrap; }
.cards { white-space: nowrap; }
.red { color: var(--red); }
.note { color: var(--soft); }
.warning { border-left: 4px solid var(--s1); padding-left: .75rem; }
pre { background: var(--wash); padding: .5rem .75rem; overflow-x: auto; white-space: pre-wrap; }
.hands { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.hands > div > div { white-space: nowrap; }
"""
_SERIES_STYLE: Final = "".join(
    f".series-{i} {{ stroke: var(--s{i}); }}\n.fill-{i} {{ fill: var(--s{i}); }}\n" for i in range(SERIES)
)


def page(title: str, inside: Iterable[Content], *, note: str = "", style: str = "", script: str = "") -> str:
    """A whole page.

    title   its heading and its name
    note    a last line, such as what made the page
    style   rules of this kind of page, besides those of all
    script  a module that is run; nothing else can be
    """
    css = _character_data(_STYLE + _SERIES_STYLE + style, "/*", "*/")
    module = _character_data(script, "//") if script else Markup()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(css, module)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", css),
    )
    end = [element("footer", element("p", note, class_="note"))] if note else []
    run = [element("script", module, type="module")] if script else []
    body = element("body", element("main", element("h1", title), *inside), *end, *run)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _policy(css: str, module: str) -> str:
    """What a browser may do with the page: apply this style, run this script."""
    parts = ["default-src 'none'", f"style-src {_hash(css)}", "base-uri 'none'", "form-action 'none'"]
    return "; ".join(parts + ([f"script-src {_hash(module)}"] if module else []))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _character_data(text: str, comment: str, end: str = "") -> Markup:
    """Text of a style or a script, which HTML does not unescape and XML would: as XML it is a section of its own, whose
    marks are comments to those who read the text."""
    if not any(each in text for each in "<&"):
        return Markup(text)
    if "]]>" in text or "</" in text or "<!--" in text:
        raise ValueError("expected a style or a script without ]]>, </ and <!--, found one")
    return Markup(f"{comment}<![CDATA[{end}\n{text}\n{comment}]]>{end}\n")
