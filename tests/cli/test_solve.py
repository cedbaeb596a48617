"""`tierce solve` about one deal: the shapes of the answers, and that they agree with the solver."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.support import FOUR, HARD, KITTY, THREE, WHOLE, run
from tests.solver.support import rows
from tierce.cli import render
from tierce.solver import Deal, Position, floors, solve
from tierce.solver.cards import parse_card, parse_hand, parse_trump

HEAD = ["kind", "objective", "trump", "leader", "tricks", "taken"]
EFFORT = ["nodes", "millis"]
DISCARD = ("--discard", ".87..Q4")


def solved(*args: str) -> Any:
    ran = run("solve", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    return ran.json


# Three hands


def test_three_hands() -> None:
    out = solved(THREE, "--trump", "D")
    assert list(out) == [*HEAD, "surplus", "share", "ceiling", "pairs", *EFFORT]
    assert (out["kind"], out["objective"], out["trump"], out["leader"]) == ("floor", "most", "D", "E")
    assert out["tricks"] == {"D": 1, "E": 0, "M": 2}
    assert out["taken"] == {"D": 0, "E": 0, "M": 0}
    assert out["surplus"] == 1
    assert out["ceiling"] == {"D": 2, "E": 1, "M": 3}
    assert out["pairs"] == {"DE": 2, "DM": 4, "EM": 3}
    assert sum(out["share"].values()) == pytest.approx(4, abs=1e-3)


def test_three_hands_for_people() -> None:
    ran = run("solve", THREE, "--trump", "D")
    assert (ran.code, ran.err) == (0, "")
    words = [line.split() for line in ran.out.splitlines()]
    assert ["D", "Dealer", "1", "1.33", "2"] in words
    assert ["E", "Eldest", "0", "0.33", "1"] in words
    assert ran.out.count("Surplus") == 1
    assert "Pairs together: DE 2, DM 4, EM 3." in ran.out
    assert "A floor is what the seat is sure of even if both others play against it." in ran.out


def test_the_deal_of_the_data_file() -> None:
    row = rows("three_hand_floors.jsonl")[0]
    out = solved(row["deal"], "--trump", row["trump"], "--discard", row["discard"], "--leader", row["leader"])
    assert out["tricks"] == row["floors"]


def test_fewest() -> None:
    out = solved(THREE, "--trump", "D", "--objective", "fewest")
    assert list(out) == [*HEAD, *EFFORT]
    assert (out["kind"], out["objective"]) == ("cap", "fewest")
    position = Position.start(Deal.parse(THREE), 2)
    assert out["tricks"] == floors(position, "fewest").tricks
    text = run("solve", THREE, "--trump", "D", "--objective", "fewest").out
    assert "A cap is the most the seat can be made to take" in text
    assert "ceiling" not in text and "Surplus" not in text and "share" not in text


@pytest.mark.parametrize(("side", "kind"), [("D", "floor"), ("DE", "side"), ("me", "side")])
def test_a_side_of_three(side: str, kind: str) -> None:
    out = solved(THREE, "--trump", "D", "--side", side)
    assert list(out) == [*HEAD, *EFFORT]
    name = "".join(letter for letter in "DEM" if letter in side.upper())
    position = Position.start(Deal.parse(THREE), 2)
    assert out["kind"] == kind
    assert out["tricks"] == {name: solve(position, name).tricks}


# Four hands


def test_four_hands() -> None:
    out = solved(FOUR, "--trump", "H")
    assert list(out) == [*HEAD, *EFFORT]
    assert (out["kind"], out["leader"], out["tricks"], out["taken"]) == ("side", "E", {"NS": 4}, {"NS": 0})
    assert "NS take 4 tricks, EW 2." in run("solve", FOUR, "--trump", "H").out


@pytest.mark.parametrize("side", ["N", "NE", "NES", "EW", "SW"])
def test_any_split(side: str) -> None:
    out = solved(FOUR, "--trump", "H", "--side", side, "--leader", "S")
    assert out["leader"] == "S"
    assert out["tricks"] == {side: solve(Position.start(Deal.parse(FOUR), 1, 2), side).tricks}


@pytest.mark.parametrize(("args", "leader"), [((), "E"), (("--dealer", "E"), "S"), (("--dealer", "west"), "N")])
def test_the_leader_of_four_sits_left_of_the_dealer(args: tuple[str, ...], leader: str) -> None:
    assert solved(FOUR, "--trump", "H", *args)["leader"] == leader


# Trump


@pytest.mark.parametrize("trump", ["N", "NT", "none", "nt"])
def test_no_trump_has_many_names(trump: str) -> None:
    assert solved(THREE, "--trump", trump)["trump"] == "N"


@pytest.mark.parametrize("trump", ["H", "h", "♥", "hearts"])
def test_hearts_have_many_names(trump: str) -> None:
    assert solved(THREE, "--trump", trump)["trump"] == "H"


def test_without_trump_every_strain() -> None:
    out = solved(THREE, "--leader", "M")
    assert list(out) == ["kind", "objective", "leader", "taken", "table", *EFFORT]
    assert out["leader"] == "M"
    assert list(out["table"]) == list("SHDCN")
    for strain, tricks in out["table"].items():
        assert tricks == floors(Position.start(Deal.parse(THREE), parse_trump(strain), 2)).tricks
    text = run("solve", THREE, "--leader", "M").out
    for name in ("spades", "hearts", "diamonds", "clubs", "no trump"):
        assert f"\n{name} " in text


def test_every_strain_of_four() -> None:
    table = solved(FOUR)["table"]
    assert {strain: list(tricks) for strain, tricks in table.items()} == {strain: ["NS"] for strain in "SHDCN"}


# What can be added


def line_is_best_play(position: Position, cards: list[str], tricks: int, side: str) -> None:
    for name in cards:
        position = position.play(parse_card(name))
        assert solve(position, side).tricks == tricks
    assert position.left == 0


def test_a_line() -> None:
    out = solved(FOUR, "--trump", "H", "--line")
    assert len(out["line"]) == 24
    line_is_best_play(Position.start(Deal.parse(FOUR), 1, 1), out["line"], 4, "NS")
    text = run("solve", FOUR, "--trump", "H", "--line").out
    assert text.count(" wins\n") == 6


def test_a_line_for_every_seat_of_three() -> None:
    out = solved(THREE, "--trump", "D", "--line")
    assert list(out["line"]) == list("DEM")
    for seat, cards in out["line"].items():
        line_is_best_play(Position.start(Deal.parse(THREE), 2), cards, out["tricks"][seat], seat)


def test_a_line_from_the_middle_of_a_trick() -> None:
    out = solved(THREE, "--trump", "D", "--side", "D", "--play", "SA ST", "--line")
    assert len(out["line"]) == 10
    assert "   1. D: " in run("solve", THREE, "--trump", "D", "--side", "D", "--play", "SA ST", "--line").out


def test_relevant_cards() -> None:
    out = solved(THREE, "--trump", "D", "--relevant")
    assert list(out["relevant"]) == list("DEM")
    one = solved(THREE, "--trump", "D", "--side", "M", "--relevant")
    assert one["relevant"] == out["relevant"]["M"]
    assert all(parse_card(name) >= 0 for name in one["relevant"])
    assert "Cards whose rank mattered" in run("solve", THREE, "--trump", "D", "--relevant").out


@pytest.mark.parametrize("tricks", range(8))
def test_yes_or_no(tricks: int) -> None:
    least = solved(FOUR, "--trump", "H", "--at-least", str(tricks))
    most = solved(FOUR, "--trump", "H", "--at-most", str(tricks))
    assert (least["answer"], most["answer"]) == (tricks <= 4, tricks >= 4)
    assert (least["at_least"], most["at_most"]) == (tricks, tricks)
    for out in (least, most):
        assert not {"tricks", "bounds", "complete"} & set(out)
        assert {"kind", "objective", "trump", "leader", "nodes", "millis"} < set(out)
        assert out["side"] == "NS"


def test_yes_or_no_for_people() -> None:
    assert "Yes: NS take at least 4 tricks." in run("solve", FOUR, "--trump", "H", "--at-least", "4").out
    assert "No: NS do not take at most 3 tricks." in run("solve", FOUR, "--trump", "H", "--at-most", "3").out
    assert "No: D does not take at least 2" in run("solve", THREE, "--trump", "D", "--side", "D", "--at-least", "2").out


@pytest.mark.parametrize("tricks", range(3))
def test_yes_or_no_with_fewest(tricks: int) -> None:
    args = ("solve", THREE, "--trump", "D", "--side", "E", "--objective", "fewest")
    cap = run(*args, "--json").json["tricks"]["E"]
    least, most = (run(*args, option, str(tricks)).out for option in ("--at-least", "--at-most"))
    number = f"{tricks} trick{'' if tricks == 1 else 's'}."
    assert f"{'Yes: E can' if cap >= tricks else 'No: E cannot'} be made to take at least {number}" in least
    assert f"{'Yes: E cannot' if cap <= tricks else 'No: E can'} be made to take more than {number}" in most


def test_one_node_is_no_nodes() -> None:
    nodes = [render.effort(number, 1).plain for number in (0, 1, 2)]
    assert nodes == ["0 nodes, 1.0 ms", "1 node, 1.0 ms", "2 nodes, 1.0 ms"]


def test_yes_or_no_needs_one_side() -> None:
    ran = run("solve", THREE, "--trump", "D", "--at-least", "2")
    assert ran.code == 2
    assert "--side" in ran.err


# Cards played


def test_tricks_count_the_whole_hand() -> None:
    out = solved(THREE, "--trump", "D", "--play", "SA ST H9 D7")
    assert out["taken"] == {"D": 0, "E": 1, "M": 0}
    assert sum(out["tricks"].values()) + out["surplus"] == 4
    assert out["leader"] == "E"  # of the first trick
    text = run("solve", THREE, "--trump", "D", "--play", "SA ST H9 D7").out
    assert "taken so far D 0 E 1 M 0" in text
    assert "E led first; 4 tricks in all; " in text and "M to play" in text


def test_a_hand_that_is_over() -> None:
    play = solved(THREE, "--trump", "D", "--side", "D", "--line")["line"]
    out = solved(THREE, "--trump", "D", "--play", " ".join(play))
    assert out["tricks"] == out["taken"]
    assert (sum(out["tricks"].values()), out["surplus"], out["nodes"]) == (4, 0, 0)


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ("SA HJ", "card 2 of the play: expected M to follow spades, found HJ"),
        ("SK", "card 1 of the play: expected a card that E holds, found SK"),
    ],
)
def test_illegal_cards_are_refused_with_the_reason(play: str, message: str) -> None:
    ran = run("solve", THREE, "--trump", "D", "--play", play)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: --play: ")
    assert message in ran.err


# Kitties


def test_the_dealer_plays_hand_and_kitty_without_the_discard() -> None:
    side = ("--side", "D", "--at-least", "1")
    assert solved(KITTY, "--trump", "S", *DISCARD, *side)["answer"] is True
    text = run("solve", KITTY, "--trump", "S", *DISCARD, *side).out
    deal = Deal.parse(KITTY).with_discard(parse_hand(DISCARD[1]))
    assert "♠ AQT985\n" in text and "♥ KJ2\n" in text and "♣ A\n" in text
    assert deal.size == 16


@pytest.mark.parametrize("discard", ["H8 H7 CQ C4", "H8,H7,CQ,C4", "8h7hqc4c", "♥8 ♥7 ♣4 ♣Q", " .87..Q4 "])
def test_a_discard_as_cards(discard: str) -> None:
    args = ("solve", KITTY, "--trump", "S", "--side", "D", "--at-least", "1")
    assert run(*args, "--discard", discard).out.split("Spades")[0] == run(*args, *DISCARD).out.split("Spades")[0]


def test_a_kitty_needs_a_discard() -> None:
    ran = run("solve", KITTY, "--trump", "S")
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == "error: --discard: expected a discard of 4 cards, as many as the kitty has, found none\n"


def test_kitty_cards_may_be_discarded_only_with_kitty_first() -> None:
    args = ("solve", KITTY, "--trump", "S", "--side", "D", "--at-least", "0", "--discard", ".J7..Q4")
    ran = run(*args)
    assert ran.code == 65
    assert "discard not held" in ran.err and "'HJ' in the kitty" in ran.err
    assert run(*args, "--kitty-first").code == 0


@pytest.mark.parametrize(
    ("discard", "message"),
    [
        (".87..Q", "expected a discard of 4 cards"),
        (".87..Q9", "discard not held: expected cards of the dealer's hand, found 'C9' in hand M"),
    ],
)
def test_discards_at_fault(discard: str, message: str) -> None:
    ran = run("solve", KITTY, "--trump", "S", "--discard", discard)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: --discard: ")
    assert message in ran.err


def test_of_seventeen_cards_the_one_behind_the_stroke_is_out_of_play() -> None:
    side = ("--trump", "N", "--side", "D", "--at-least", "0", "--json")
    deal = HARD + " / 2..."
    assert run("solve", deal, *side).json["answer"] is True
    ran = run("solve", deal, *side, "--discard", "A...")
    assert ran.code == 65
    assert "--discard: expected no discard" in ran.err


# Limits


@pytest.mark.parametrize("limit", [("--max-nodes", "5"), ("--timeout", "0.000001")])
@pytest.mark.parametrize("deal", [WHOLE, HARD])
def test_a_limit_ends_with_75(limit: tuple[str, str], deal: str) -> None:
    ran = run("solve", deal, "--trump", "N", *limit)
    assert (ran.code, ran.out) == (75, "")
    assert "limit was reached" in ran.err
    ran = run("solve", deal, "--trump", "N", *limit, "--bounds")
    assert ran.code == 75
    assert "A limit stopped" in ran.out or "a limit stopped" in ran.out
    ran = run("solve", deal, "--trump", "N", *limit, "--bounds", "--json")
    assert ran.code == 75
    assert ran.json["complete"] is False
    assert not {"tricks", "surplus", "share", "ceiling", "pairs"} & set(ran.json)
    seats = ["NS"] if deal == WHOLE else list("DEM")
    assert list(ran.json["bounds"]) == seats
    for low, high in ran.json["bounds"].values():
        assert 0 <= low <= high <= 17


def test_bounds_hold_the_value() -> None:
    value = solved(WHOLE, "--trump", "H")["tricks"]["NS"]
    for nodes in (1, 10, 100, 1000):
        ran = run("solve", WHOLE, "--trump", "H", "--max-nodes", str(nodes), "--bounds", "--json")
        low, high = ran.json.get("bounds", {"NS": (value, value)})["NS"]
        assert low <= value <= high


def test_a_limit_on_every_strain() -> None:
    ran = run("solve", WHOLE, "--max-nodes", "5", "--json", "--bounds")
    assert ran.code == 75
    assert ran.json["complete"] is False
    assert list(ran.json["table"]) == list("SHDCN")
    ran = run("solve", WHOLE, "--max-nodes", "5", "--bounds")
    assert (ran.code, ran.out.count("no trump")) == (75, 1)
    assert run("solve", WHOLE, "--max-nodes", "5").out == ""


def test_a_limit_on_a_yes_or_no_question_gives_no_answer() -> None:
    ran = run("solve", WHOLE, "--trump", "H", "--at-least", "7", "--max-nodes", "3", "--json", "--bounds")
    assert ran.code == 75
    assert "answer" not in ran.json
    assert run("solve", WHOLE, "--trump", "H", "--at-least", "7", "--max-nodes", "3").out == ""


def test_a_limit_on_the_line_keeps_the_answer() -> None:
    nodes = solved(WHOLE, "--trump", "H")["nodes"]
    ran = run("solve", WHOLE, "--trump", "H", "--line", "--max-nodes", str(nodes + 1), "--json")
    assert ran.code == 75
    assert "tricks" in ran.json and "line" not in ran.json
    assert "limit was reached" in ran.err


def test_a_small_table_gives_the_same_answer() -> None:
    assert solved(WHOLE, "--trump", "S", "--table-mb", "1")["tricks"] == solved(WHOLE, "--trump", "S")["tricks"]


# Standard input


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_deal_from_standard_input(end: str) -> None:
    ran = run("solve", "-", "--trump", "D", "--json", stdin=THREE + end)
    assert ran.json["tricks"] == {"D": 1, "E": 0, "M": 2}
