"""`tierce solve --batch`; what a line may say is tested with the solver, tests/solver/test_jsonl.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import FOUR, HARD, KITTY, THREE, WHOLE, Ran, run, spawn
from tests.solver.support import rows
from tierce.cli.options import threads_of
from tierce.solver.batch.many import SHARES


def lines(*questions: Any) -> str:
    return "".join(json.dumps(question) + "\n" for question in questions)


def question(ident: Any, deal: str = THREE, trump: str = "D", **more: Any) -> dict[str, Any]:
    return {"id": ident, "deal": deal, "trump": trump} | more


def batch(text: str | bytes, *args: str) -> Ran:
    return run("solve", "--batch", "-", *args, stdin=text)


def plain(ran: Ran) -> list[Any]:
    """The answers without the time they took."""
    return [{name: value for name, value in answer.items() if name != "millis"} for answer in ran.lines]


def test_the_shapes_of_the_answers() -> None:
    ran = batch(
        lines(
            question("floor"),
            question("cap", objective="fewest"),
            question("side", FOUR, "H", side="NS", leader="E"),
            question("kitty", KITTY, "S", discard=".87..Q4", side="D", play="C2 C3 CA"),
            question("NE", FOUR, "none", side="NE", dealer="S"),
        )
    )
    assert (ran.code, ran.err) == (0, "")
    assert [answer["id"] for answer in ran.lines] == ["floor", "cap", "side", "kitty", "NE"]
    assert [list(answer) for answer in ran.lines] == [["id", "kind", "tricks", "nodes", "millis"]] * 5
    assert [answer["kind"] for answer in ran.lines] == ["floor", "cap", "side", "floor", "side"]
    assert ran.lines[0]["tricks"] == {"D": 1, "E": 0, "M": 2}
    assert ran.lines[2]["tricks"] == {"NS": 4}


def test_a_bad_line_costs_only_itself() -> None:
    bad = [
        '{"id": "torn", "deal": ',
        "not json",
        "[1, 2]",
        lines(question("short", "D:A... K... QJ...")).strip(),
        lines(question("trump", trump="X")).strip(),
        lines(question("typo", discrad="A...")).strip(),
        lines(question("kitty", KITTY, "S")).strip(),
        lines({"id": "none", "trump": "S"}).strip(),
    ]
    good = lines(question("good")).strip()
    ran = batch("\n".join(part for each in bad for part in (each, good)))
    assert ran.code == 65
    assert ran.err == "error: 8 lines could not be read; see the 'error' objects\n"
    assert len(ran.lines) == 16
    for number, (fault, answer) in enumerate(zip(ran.lines[::2], ran.lines[1::2], strict=True)):
        assert list(fault) == ["id", "error"]
        assert list(fault["error"]) == ["code", "field", "message", "line"]
        assert fault["error"]["line"] == 2 * number + 1
        assert "expected" in fault["error"]["message"] and "found" in fault["error"]["message"]
        assert (answer["id"], answer["tricks"]) == ("good", {"D": 1, "E": 0, "M": 2})
    assert [fault["id"] for fault in ran.lines[6::2]] == ["short", "trump", "typo", "kitty", "none"]
    assert [fault["error"]["field"] for fault in ran.lines[6::2]] == ["deal", "trump", "discrad", "discard", "deal"]


def test_ids() -> None:
    idents = ["x", "x", 7, -1.5, "", "♥ ü", "\ud800", 10**40]
    ran = batch(lines(*map(question, idents)))
    assert ran.code == 0
    assert [answer["id"] for answer in ran.lines] == idents
    assert ran.out.isascii()


@pytest.mark.parametrize("ident", ["NaN", "Infinity", "1e999", "[" * 4000 + "]" * 4000, "[1]", '{"a": 1}', "9" * 9000])
def test_ids_that_could_not_come_back(ident: str) -> None:
    ran = batch(f'{{"id": {ident}, "deal": "{THREE}", "trump": "D"}}\n' + lines(question("after")))
    assert ran.code == 65
    assert (ran.lines[0]["id"], ran.lines[0]["error"]["line"]) == (1, 1)
    assert len(ran.lines[0]["error"]["message"]) < 1000
    assert ran.lines[1]["id"] == "after"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\n \t\r\n"])
def test_ends_of_lines(end: str) -> None:
    ran = batch(end.join(json.dumps(question(n)) for n in range(3)))
    assert (ran.code, [answer["id"] for answer in ran.lines]) == (0, [0, 1, 2])


def test_lines_are_counted_with_the_blank_ones() -> None:
    ran = batch("\n\nx\n")
    assert (ran.lines[0]["id"], ran.lines[0]["error"]["line"]) == (3, 3)


@pytest.mark.parametrize("text", [b"", b"\n\n", b" "])
def test_nothing_asked_nothing_answered(text: bytes) -> None:
    assert batch(text) == Ran(0, "", "")


def test_bytes_that_are_no_text() -> None:
    good = lines(question("ä")).encode()
    ran = batch(b'{"id": "\xff"}\n' + good + good.decode("unicode_escape").encode("latin-1") + b"\0\1\2\n" + good)
    assert ran.code == 65
    assert ["error" in answer for answer in ran.lines] == [True, False, True, True, False]
    assert ran.lines[0]["error"]["code"] == "encoding"


def test_a_mark_in_front() -> None:
    assert batch(b"\xef\xbb\xbf" + lines(question("bom")).encode()).code == 0


def test_a_huge_line_and_binary_input() -> None:
    data = bytes(range(256)) * 4000 + b"\n" + b"[" * 3_000_000 + b"\n" + lines(question("after")).encode()
    ran = spawn("solve", "--batch", "-", stdin=data)
    assert ran.code == 65
    assert "Traceback" not in ran.err
    assert max(map(len, ran.out.splitlines())) < 2000
    assert ran.lines[-1]["id"] == "after"


def test_threads_change_nothing_but_the_time() -> None:
    text = lines(
        *(question(row["id"], row["pbn"], "SHDCN"[i % 5]) for i, row in enumerate(rows("bridge_tables.jsonl")[:8])),
        question("bad", trump="X"),
        *(question(n, FOUR, trump, objective="fewest") for n, trump in enumerate("SHDCN")),
    )
    one, two = (spawn("solve", "--batch", "-", "--threads", threads, stdin=text.encode()) for threads in "12")
    assert one.code == two.code == 65
    assert plain(one) == plain(two)
    assert len(one.lines) == 14


def test_more_threads_than_there_is_work_for() -> None:
    assert threads_of({"threads": 100_000}) == SHARES
    assert 1 <= threads_of({"threads": None}) <= SHARES
    ran = batch(lines(question(1)), "--threads", "100000", "--table-mb", "1")
    assert (ran.code, ran.err, len(ran.lines)) == (0, "", 1)
    ran = run("solve", "--pbn", "-", "--trump", "H", "--threads", "100000", "--table-mb", "1", stdin=f'[Deal "{FOUR}"]')
    assert (ran.code, ran.err) == (0, "")


def test_a_limit_gives_bounds_and_the_rest_goes_on() -> None:
    ran = batch(lines(question(1), question(2, WHOLE, "N"), question(3)), "--max-nodes", "100")
    assert ran.code == 75
    assert ran.err == "error: a limit stopped 1 of the searches\n"
    stopped = ran.lines[1]
    assert list(stopped) == ["id", "kind", "complete", "bounds", "nodes", "millis"]
    assert stopped["complete"] is False
    assert list(stopped["bounds"]) == ["NS"]
    assert [answer["id"] for answer in ran.lines] == [1, 2, 3]


def test_a_time_limit() -> None:
    ran = batch(lines(question(1, HARD, "N", objective="fewest")), "--timeout", "0.05")
    assert (ran.code, ran.lines[0]["complete"]) == (75, False)


def test_a_limit_outranks_a_bad_line() -> None:
    ran = batch(lines(question(1, WHOLE, "N"), {"id": 2}), "--max-nodes", "100")
    assert ran.code == 75
    assert ran.err.count("error: ") == 2


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text(lines(question(1)), encoding="utf-8")
    assert run("solve", "--batch", str(path)).lines[0]["tricks"] == {"D": 1, "E": 0, "M": 2}


@pytest.mark.parametrize(
    "args",
    [
        ("--discard", ".87..Q4"),
        ("--objective", "fewest"),
        ("--objective", "most"),
        ("--side", "D"),
        ("--kitty-first",),
        ("--line",),
        ("--relevant",),
        ("--table",),
        ("--at-least", "1"),
        ("--play", "SA"),
    ],
)
def test_what_lines_say_for_themselves_is_refused(args: tuple[str, ...]) -> None:
    ran = batch(lines(question(1)), *args)
    assert (ran.code, ran.out) == (2, "")
    assert args[0] in ran.err


def test_a_trump_for_lines_without_one() -> None:
    ran = batch(lines({"deal": THREE}, question(2), {"deal": THREE, "trump": None}), "--trump", "D")
    assert (ran.code, ran.err) == (0, "")
    assert [answer["tricks"] for answer in ran.lines] == [{"D": 1, "E": 0, "M": 2}] * 3
    other = batch(lines({"deal": THREE, "trump": "S"}))
    assert plain(batch(lines(question(1, trump="S")), "--trump", "D")) == plain(other)


def test_a_discard_in_either_form() -> None:
    forms = (".87..Q4", "H8 H7 CQ C4", "h8h7cqc4")
    ran = batch(lines(*(question(1, KITTY, "S", discard=form, side="D", play="C2 C3 CA") for form in forms)))
    assert (ran.code, ran.err) == (0, "")
    assert len({json.dumps(answer["tricks"]) for answer in ran.lines}) == 1
    for wrong in ("8", "H8 H8 CQ C4", "", "H8"):
        (fault,) = batch(lines(question(1, KITTY, "S", discard=wrong))).lines
        assert fault["error"]["field"] == "discard"
