"""JSON lines: what a line may say, what comes back, order, faults, limits, bytes that are no text."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from tests.solver.support import DATA, rows
from tierce.solver.batch.fields import LINE_MAX
from tierce.solver.batch.jsonl import BYTES_MAX, lines_of, parse_line, solve_lines
from tierce.solver.batch.many import AHEAD, CHUNK, PAUSE, Pause
from tierce.solver.cards import parse_cards
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.solve import floors, solve

THREE = "D:A2... K3... Q4..."
FOUR = "N:A2... K3... Q4... J5..."
KITTY = "D:AK.2.. QJ.3.. T9.4.. / 8..."
HARD = rows("three_hand_floors.jsonl")[49]["deal"]


def line(**fields: Any) -> str:
    return json.dumps({"deal": THREE, "trump": "N"} | fields)


def query(**fields: Any) -> Query:
    found = parse_line(line(**fields), 1)[1]
    assert isinstance(found, Query), str(found)
    return found


def error(text: str, number: int = 7) -> tuple[Any, str, str | None, str]:
    """The id of a line at fault, then code, field and message."""
    ident, found = parse_line(text, number)
    assert isinstance(found, InputError)
    assert found.line == number
    return ident, found.code, found.field, found.message


def answers(lines: list[str], **options: Any) -> list[dict[str, Any]]:
    """Answers without their time, each written and read again."""
    found = [json.loads(json.dumps(each, allow_nan=False)) for each in solve_lines(lines, **options)]
    for each in found:
        assert ("error" in each) != isinstance(each.pop("millis", None), float)
    return found


# ---- what a line may say --------------------------------------------------------------------------------------------


def test_the_least_a_line_says() -> None:
    assert query() == Query(Position.start(Deal.parse(THREE), 4), None, "most")
    assert query(deal=FOUR) == Query(Position(Deal.parse(FOUR).hands, 4, 1), 0b0101, "most")


def test_every_field() -> None:
    found = query(trump="♥", leader="middle", side="ED", objective="fewest", play="S4, S2")
    at = Position.start(Deal.parse(THREE), 1, 2, parse_cards("S4 S2"))
    assert found == Query(at, 0b011, "fewest")
    assert query(deal=FOUR, dealer="S").position.leader == 3
    assert query(deal=FOUR, dealer="S", leader="S").position.leader == 2


def test_kitties() -> None:
    played = Deal.parse(KITTY).with_discard(1 << 16)
    assert query(deal=KITTY, discard=".2..").position.hands == played.hands
    assert query(deal=KITTY, discard="8...", kitty_first=True).position.hands == Deal.parse(KITTY).hands
    assert error(line(deal=KITTY))[1:3] == ("discard_missing", "discard")
    assert error(line(deal=KITTY, discard="8..."))[1:3] == ("discard_not_held", "discard")


def test_null_is_as_good_as_nothing() -> None:
    nothing = dict.fromkeys(("id", "discard", "kitty_first", "leader", "dealer", "side", "objective", "play"))
    assert parse_line(line(**nothing), 3) == (3, query())


@pytest.mark.parametrize("ident", ["a", "", 0, -3, 2.5, "\ud800", 10**40])
def test_ids_come_back(ident: Any) -> None:
    assert parse_line(line(id=ident), 3)[0] == ident
    (found,) = answers([line(id=ident)], threads=1)
    assert found["id"] == ident
    assert type(found["id"]) is type(ident)


@pytest.mark.parametrize(
    "ident", ["NaN", "Infinity", "-Infinity", "1e999", "[1]", "{}", "[" * 500 + "]" * 500, "true", "false"]
)
def test_refuses_ids_that_cannot_come_back(ident: str) -> None:
    found = error(f'{{"id": {ident}, "deal": "{THREE}", "trump": "N"}}')
    assert found[:3] == (7, "type", "id")
    assert found[3].startswith("expected text or a number in 'id', found ")
    assert len(found[3]) < 120


# ---- faults of a line -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["x", "[1]", "3", "null", '"deal"', "{", '{"deal"}', "{} {}", "[" * 5_000])
def test_refuses_what_is_no_object(text: str) -> None:
    ident, code, field, message = error(text)
    assert (ident, code, field) == (7, "json", None)
    assert message.startswith("expected a JSON object, found ")
    assert len(message) < 300


@pytest.mark.parametrize(
    ("fields", "code", "field", "message"),
    [
        ({"deal": None}, "missing", "deal", "expected a field 'deal', found none"),
        ({"trump": None}, "missing", "trump", "expected a field 'trump', found none"),
        ({"deal": 3}, "type", "deal", "expected text in 'deal', found 3"),
        ({"play": ["SA"]}, "type", "play", "expected text in 'play', found ['SA']"),
        ({"kitty_first": 1}, "type", "kitty_first", "expected true or false in 'kitty_first', found 1"),
        ({"objective": "many"}, "objective", "objective", "expected 'most' or 'fewest', found 'many'"),
        ({"trump": "X"}, "trump", "trump", "expected a trump S, H, D, C or N, found 'X'"),
        ({"leader": "N"}, "seat", "leader", "expected a seat D, E or M, found 'N'"),
        ({"side": "DEM"}, "side", "side", "expected a seat outside the side, found all in 'DEM'"),
        ({"dealer": "D"}, "seat", "dealer", "expected no dealer with three hands: D deals"),
        ({"play": "SA"}, "illegal_card", "play", "card 1 of the play: expected a card that E holds, found SA"),
    ],
)
def test_faults_name_their_field(fields: dict[str, Any], code: str, field: str, message: str) -> None:
    assert error(line(id="x", **fields)) == ("x", code, field, message)


def test_fields_told_twice_are_refused() -> None:
    """Even if they say the same; the id comes back unless it is the one told twice."""
    start = f'{{"id": "x", "deal": "{THREE}", "trump": "N"'
    message = "expected every field once, found 'trump' more than once"
    assert error(start + ', "trump": "S"}') == ("x", "duplicate_field", "trump", message)
    assert error(start + ', "trump": "N", "trump": "N"}') == ("x", "duplicate_field", "trump", message)
    assert error(start + ', "side": null, "side": "D"}')[:3] == ("x", "duplicate_field", "side")
    assert error(start + ', "id": "x"}')[:3] == (7, "duplicate_field", "id")
    assert error(start + ', "id": null}')[:3] == (7, "duplicate_field", "id")
    assert error(start.replace('"x"', '{"a": 1, "a": 2}') + "}")[:3] == (7, "type", "id")


def test_unknown_fields_are_refused() -> None:
    ident, code, field, message = error(line(id=1, leadr="E"))
    assert (ident, code, field) == (1, "field", "leadr")
    assert message.startswith("expected the fields deal, dealer, ")
    assert message.endswith(", found 'leadr'")


def test_faults_of_the_deal() -> None:
    assert error(line(deal="D:A2... K3... A4..."))[1:3] == ("duplicate_card", "deal")
    assert error(line(deal="D:A2... K3... Q..."))[1:3] == ("unequal_hands", "deal")
    assert error(line(deal="D:A2... K3... -"))[1:3] == ("unknown_hand", "deal")


def test_refuses_long_lines() -> None:
    short = line(id="x" * (LINE_MAX - len(line(id=""))))
    assert len(short) == LINE_MAX
    assert isinstance(parse_line(short + "\n", 1)[1], Query)
    found = error(short.replace('"x', '"xx'))
    assert found == (7, "json", None, "expected a line of at most 10000 characters, found a longer one")


# ---- answers --------------------------------------------------------------------------------------------------------


@pytest.mark.small
def test_answers_are_those_of_the_solver() -> None:
    three, four = query().position, query(deal=FOUR).position
    every, side, cap = floors(three), solve(four, "NS"), solve(four, "W", "fewest")
    found = answers(
        [
            line(id="all"),
            line(id="ns", deal=FOUR),
            line(id="cap", deal=FOUR, side="W", objective="fewest"),
            line(id="caps", objective="fewest"),
        ],
        threads=1,
    )
    caps = floors(three, "fewest")
    assert found == [
        {"id": "all", "kind": "floor", "tricks": every.tricks, "nodes": every.nodes},
        {"id": "ns", "kind": "side", "tricks": {"NS": side.tricks}, "nodes": side.nodes},
        {"id": "cap", "kind": "cap", "tricks": {"W": cap.tricks}, "nodes": cap.nodes},
        {"id": "caps", "kind": "cap", "tricks": caps.tricks, "nodes": caps.nodes},
    ]


def test_tricks_count_the_whole_hand() -> None:
    # E leads S3, which loses to the ace; D has one trick of the two already.
    found = answers([line(id=1, side="D", play="S3 S4 SA"), line(id=2, side="D", play="S3 S4 SA S2 SK SQ")])
    assert [each["tricks"] for each in found] == [{"D": 1}, {"D": 1}]
    assert found[1]["nodes"] == 0


@pytest.mark.small
@pytest.mark.parametrize("threads", [1, 2])
def test_faults_keep_their_place(threads: int) -> None:
    """Bad lines first, last, in rows longer than a chunk, and blank lines, which are counted but not answered."""
    lines = ["x", "", line(id="a"), *["y"] * 100, " \n", line(id="b"), line(id="c", deal="D:"), line(), "z"]
    found = answers(lines, threads=threads)
    idents = [1, "a", *range(4, 104), "b", "c", 107, 108]
    assert [each["id"] for each in found] == idents
    bad = {each["id"]: each["error"] for each in found if "error" in each}
    assert list(bad) == [1, *range(4, 104), "c", 108]
    assert {ident: fault["line"] for ident, fault in bad.items()} == {ident: ident for ident in bad} | {"c": 106}
    assert all(list(fault) == ["code", "field", "message", "line"] for fault in bad.values())
    assert bad["c"]["code"] == "deal_syntax"
    assert bad["c"]["field"] == "deal"
    assert len({json.dumps(each["tricks"]) for each in found if "tricks" in each}) == 1


def test_only_faults() -> None:
    assert [each["error"]["line"] for each in answers(["x"] * 200, threads=2)] == [*range(1, 201)]
    assert answers([]) == answers(["", "\n"]) == []


def test_threads_do_not_show() -> None:
    fields = ("deal", "trump", "leader", "discard")
    data = [
        line(id=number, **{name: row[name] for name in fields if name in row})
        for number, row in enumerate(rows("three_hand_floors.jsonl")[:2])
    ]
    lines = [each for number, row in enumerate(data) for each in (row, line(id=f"short {number}"), "bad")]
    assert answers(lines, threads=1, table_mb=32) == answers(lines, threads=2, table_mb=32)
    expected = [row["floors"] for row in rows("three_hand_floors.jsonl")[:2]]
    assert [each["tricks"] for each in answers(data, table_mb=32)] == expected


def test_a_limit_gives_bounds() -> None:
    lines = [line(id=1), line(id=2, deal=HARD, objective="fewest"), line(id=3, deal=HARD, objective="fewest", side="E")]
    easy, caps, cap = answers([*lines], threads=1, limits=Limits(max_nodes=5_000))
    assert easy == answers(lines[:1])[0]
    for found, sides in ((caps, "DEM"), (cap, "E")):
        assert found["kind"] == "cap"
        assert found["complete"] is False
        assert "tricks" not in found
        assert list(found["bounds"]) == list(sides)
        assert all(0 <= low <= high <= 17 for low, high in found["bounds"].values())
        assert found["nodes"] == 5_000


# ---- laziness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["bad", line()])
def test_lines_are_read_as_answers_are_taken(text: str) -> None:
    taken = 0

    def source() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield text

    results = solve_lines(source(), threads=2)
    assert taken == 0
    for number in range(1, 500):
        next(results)
        assert number <= taken <= number + AHEAD * 2 + CHUNK
    results.close()  # type: ignore[attr-defined]


def test_answers_do_not_wait_for_a_hard_line() -> None:
    hard = line(id="hard", deal=HARD, objective="fewest", side="D")
    results = solve_lines([*[line(id=number) for number in range(9)], "bad", hard, hard], threads=2)
    assert [next(results)["id"] for _ in range(10)] == [*range(9), 10]
    began = time.perf_counter()
    results.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - began < 0.08


@pytest.mark.parametrize("text", ["bad", line()])
def test_a_pause_answers_all_lines_before_it(text: str) -> None:
    """A program that asks the next line when it has the answer to the last; a pause is no line."""
    found: list[dict[str, Any]] = []

    def source() -> Iterator[str | Literal[Pause.PAUSE]]:
        for number in range(1, 6):
            yield text
            yield PAUSE
            assert len(found) == number
            yield ""

    for answer in solve_lines(source(), threads=2):
        found.append(answer)
    assert [each["id"] for each in found] == [1, 3, 5, 7, 9]


def test_a_source_that_breaks_is_answered_first() -> None:
    def source() -> Iterator[str]:
        yield from [line(id="a"), "bad", line(id="b")]
        raise OSError("the disk is gone")

    found = []
    with pytest.raises(OSError, match="the disk is gone"):
        for answer in solve_lines(source(), threads=2):
            found.append(answer["id"])
    assert found == ["a", 2, "b"]


# ---- bytes ----------------------------------------------------------------------------------------------------------


def test_lines_of_bytes() -> None:
    assert list(lines_of(io.BytesIO(b"a\r\n\nb\n"))) == ["a\r\n", "\n", "b\n"]
    assert list(lines_of(io.BytesIO(b"a\nb"))) == ["a\n", "b"]
    assert list(lines_of(io.BytesIO(b""))) == []
    assert list(lines_of(io.BytesIO("♠\n".encode()))) == ["♠\n"]


@pytest.mark.parametrize("size", [BYTES_MAX - 1, BYTES_MAX, BYTES_MAX + 1, 3 * BYTES_MAX, 3 * BYTES_MAX + 1])
@pytest.mark.parametrize("letter", ["x", "é", "😀"])
def test_of_a_long_line_only_the_start_is_kept(size: int, letter: str) -> None:
    long = (letter * size).encode()[:size]
    first, second, third = lines_of(io.BytesIO(b"a\n" + long + b"\nb"))
    assert (first, third) == ("a\n", "b")
    assert LINE_MAX < len(second) + 1 <= BYTES_MAX + 1
    assert error(second)[1] == "json"


def test_lines_with_a_mark_in_front_and_windows_ends() -> None:
    text = "\ufeff" + line(id=1) + "\r\n" + line(id=2) + "\r\n"
    assert [each["id"] for each in answers([*lines_of(io.BytesIO(text.encode()))])] == [1, 2]


def test_bytes_that_are_no_text_are_refused() -> None:
    latin = line(id="x").replace('"x"', '"é"').encode("latin-1")
    first, second = answers([*lines_of(io.BytesIO(latin + b"\n" + line(id=2).encode()))])
    expected = "expected UTF-8 text, found byte 0xe9 at character "
    assert first["error"]["code"] == "encoding"
    assert first["error"]["message"].startswith(expected)
    assert int(first["error"]["message"].removeprefix(expected)) == latin.index(b"\xe9") + 1
    assert (first["id"], first["error"]["line"]) == (1, 1)
    assert second["tricks"] == floors(query().position).tricks


def test_data_files_are_lines(tmp_path: Any) -> None:
    """A file as it lies on the disk."""
    path = DATA / "three_hand_floors.jsonl"
    with path.open("rb") as file:
        assert [json.loads(each) for each in lines_of(file)] == rows(path.name)
