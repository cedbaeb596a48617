"""`tierce cards`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.support import FOUR, KITTY, THREE, WHOLE, run
from tierce.solver import Deal, Position, solve
from tierce.solver.cards import card_name, cards_of, parse_card


def values(*args: str) -> Any:
    ran = run("cards", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def worth(position: Position, card: str, side: str) -> int:
    return solve(position.play(parse_card(card)), side).tricks


def test_every_legal_card_of_the_mover() -> None:
    out = values(THREE, "--trump", "D", "--play", "SA ST")
    assert list(out) == ["mover", "side", "objective", "taken", "cards", "nodes", "millis"]
    assert (out["mover"], out["side"], out["taken"]) == ("D", "D", {"D": 0, "E": 0, "M": 0})
    position = Position.start(Deal.parse(THREE), 2, None, (parse_card("SA"), parse_card("ST")))
    assert [each["card"] for each in out["cards"]] == [card_name(card) for card in cards_of(position.legal())]
    best = max(each["tricks"] for each in out["cards"])
    for each in out["cards"]:
        assert list(each) == ["card", "tricks", "best"]
        assert each["tricks"] == worth(position, each["card"], "D")
        assert each["best"] is (each["tricks"] == best)


@pytest.mark.parametrize("objective", ["most", "fewest"])
def test_all_seats(objective: str) -> None:
    out = values(THREE, "--trump", "D", "--play", "SA", "--all-seats", "--objective", objective)
    position = Position.start(Deal.parse(THREE), 2, None, (parse_card("SA"),))
    for each in out["cards"]:
        assert list(each["seats"]) == list("DEM")
        assert each["seats"]["M"] == each["tricks"]
        for seat, tricks in each["seats"].items():
            after = position.play(parse_card(each["card"]))
            assert tricks == solve(after, seat, objective).tricks  # type: ignore[arg-type]


def test_four_hands_count_the_side_of_the_mover() -> None:
    out = values(FOUR, "--trump", "H")
    assert (out["mover"], out["side"]) == ("E", "EW")
    position = Position.start(Deal.parse(FOUR), 1, 1)
    for each in out["cards"]:
        assert each["tricks"] == worth(position, each["card"], "EW")
    assert values(FOUR, "--trump", "H", "--side", "NES", "--leader", "W")["side"] == "W"


def test_tricks_taken_before_count() -> None:
    out = values(THREE, "--trump", "D", "--play", "SA ST H9 D7")
    assert out["taken"] == {"D": 0, "E": 1, "M": 0}
    assert values(THREE, "--trump", "D", "--play", "SA ST H9")["cards"][0]["tricks"] >= 1


def test_fewest_marks_the_cheapest() -> None:
    out = values(FOUR, "--trump", "N", "--objective", "fewest", "--side", "E")
    least = min(each["tricks"] for each in out["cards"])
    assert {each["card"] for each in out["cards"] if each["best"]} == {
        each["card"] for each in out["cards"] if each["tricks"] == least
    }


def test_for_people_touching_cards_stand_together() -> None:
    ran = run("cards", FOUR, "--trump", "H")
    assert (ran.code, ran.err) == (0, "")
    line = next(line for line in ran.out.splitlines() if "♣A" in line and "♣K" in line)
    assert "♣J" not in line  # the queen is S's
    assert any(line.startswith("* ") for line in ran.out.splitlines())
    assert "E to play" in ran.out


def test_for_people_all_seats() -> None:
    ran = run("cards", THREE, "--trump", "D", "--play", "SA ST", "--all-seats")
    words = [line.replace("*", " ").split() for line in ran.out.splitlines()]
    assert ["card", "D", "E", "M"] in words
    for each in values(THREE, "--trump", "D", "--play", "SA ST", "--all-seats")["cards"]:
        row = next(row for row in words if row and row[0] == "♠♥♦♣"["SHDC".index(each["card"][0])] + each["card"][1])
        assert row[1:4] == [str(tricks) for tricks in each["seats"].values()]


def test_a_deal_from_standard_input() -> None:
    assert run("cards", "-", "--trump", "D", "--json", stdin=THREE + "\n").json["mover"] == "E"


def test_a_limit() -> None:
    ran = run("cards", WHOLE, "--trump", "H", "--max-nodes", "5")
    assert (ran.code, ran.out) == (75, "")
    assert "limit was reached" in ran.err


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((THREE,), 2, "--trump"),
        ((THREE, "--trump", "D", "--side", "D", "--all-seats"), 2, "--all-seats"),
        ((KITTY, "--trump", "S"), 65, "--discard: expected a discard of 4 cards"),
        ((THREE, "--trump", "D", "--play", "SA HJ"), 65, "--play: card 2 of the play: expected M to follow spades"),
        (("D:A... K... Q...", "--trump", "D", "--play", "SK SQ SA"), 65, "found a hand that is over"),
        ((), 2, "expected a deal"),
    ],
)
def test_refusals(args: tuple[str, ...], code: int, message: str) -> None:
    ran = run("cards", *args)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
