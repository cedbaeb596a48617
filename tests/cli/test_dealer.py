"""`tierce dealer`: what is told, for every kind of game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.dealer_games import EASY, GAMES, HARD, HELD, HOLDS, ONE_CARD, deal_of, write_game
from tests.cli.support import Ran, run
from tests.records.support import finished
from tests.solver.support import rows
from tierce.solver import Deal, Position, format_hand, parse_cards, solve
from tierce.solver.advice.choices import DealerChoices, choices_of_deal
from tierce.solver.cards import mask_of
from tierce.solver.games import (
    DealRecord,
    Profile,
    Record,
    load_game,
    write_record,
)


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Profile]:
    return write_game(tmp_path, request.param)


def dealer(path: str, *args: str, stdin: str = "") -> Ran:
    return run("dealer", "--game-file", path, "--threads", "1", *args, stdin=stdin)


def plain_values(choices: DealerChoices) -> dict[tuple[str, str], int]:
    """The value of every choice, each solved on its own: a floor, or in MIZ a cap."""
    found = {}
    for call in choices.calls:
        trump = "SHDCN".find(call) if call != "MIZ" else 4
        for lay in choices.lays:
            position = Position.start(Deal(lay.hands), trump)
            tricks = solve(position, "D", "fewest" if call == "MIZ" else "most").tricks
            found[call, format_hand(lay.choice.discard)] = tricks + choices.profile.kitty_trick
    return found


def best_of(values: dict[tuple[str, str], int], call: str) -> tuple[int, set[str]]:
    own = {discard: tricks for (other, discard), tricks in values.items() if other == call}
    best = min(own.values()) if call == "MIZ" else max(own.values())
    return best, {discard for discard, tricks in own.items() if tricks == best}


# ---- the answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1])
def test_json_is_right(game: tuple[str, Profile], index: int) -> None:
    path, profile = game
    deal = deal_of(profile, index)
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    ran = dealer(path, deal, "--json", "--all-discards")
    assert [call["trump"] for call in ran.json["trumps"]] == list(profile.calls or "SHDC")
    for call in ran.json["trumps"]:
        best, discards = best_of(values, call["trump"])
        assert (call["tricks"], call["count"], set(call["discards"])) == (best, len(discards), discards)
    assert ran.json["kind"] == "floor" and ran.json["complete"] is True


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_table_is_right(game: tuple[str, Profile], tmp_path: Path, ending: str) -> None:
    path, profile = game
    deal, out = deal_of(profile), tmp_path / f"out.{ending}"
    ran = dealer(path, deal, "--all", "--out", str(out))
    assert (ran.code, ran.err) == (0, "")
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    found = [(row["trump"], row["discard"], int(row["tricks"])) for row in read_table(out)]
    assert found == [(call, discard, tricks) for (call, discard), tricks in values.items()]
    assert ran.out.endswith(f"{len(found)} rows in {out}.\n")


def read_table(path: Path) -> list[dict[str, Any]]:
    import csv

    from pyarrow import parquet

    if path.suffix == ".parquet":
        return list(parquet.read_table(path).to_pylist())
    text = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(text)) if path.suffix == ".csv" else [json.loads(line) for line in text]


def test_the_distribution(game: tuple[str, Profile]) -> None:
    path, profile = game
    deal = deal_of(profile)
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    text = dealer(path, deal, "--all").out.split("worth how much:\n")[1].split("\n\n")[0]
    found = [list(map(int, line.split())) for line in text.splitlines()[1:]]
    calls = list(profile.calls or "SHDC")
    assert [row[0] for row in found] == sorted(set(values.values()), reverse=True)
    for tricks, *counts in found:
        assert counts == [sum(v == tricks for (c, _), v in values.items() if c == call) for call in calls]


def test_the_text_says_the_same(game: tuple[str, Profile]) -> None:
    path, profile = game
    deal = deal_of(profile)
    ran = dealer(path, deal, "--all-discards")
    assert (ran.code, ran.err) == (0, "")
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    names = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C", "no trump": "N", "MIZ": "MIZ"}
    told = re.findall(
        r"^([a-zMIZ]+(?: trump)?) +(?:at most )?(\d+) +([-+]?\d+)  (\d+) of (\d+)\n((?: .*\n)*)", ran.out, re.M
    )
    assert {names[name] for name, *_ in told} == set(profile.calls or "SHDC")
    balances = [int(balance) for _, _, balance, *_ in told]
    assert balances == sorted(balances, reverse=True)
    for name, tricks, balance, count, out_of, classes in told:
        best, discards = best_of(values, names[name])
        assert (int(tricks), int(count), int(out_of)) == (best, len(discards), len(values) // len(told))
        ways = re.findall(r"^ +([\d,]+) ways?: ", classes, re.M)
        assert sum(int(count.replace(",", "")) for count in ways) == len(discards)
        quota = 3 if name == "MIZ" else profile.quotas[0]
        assert int(balance) == (quota - best if name == "MIZ" else best - quota)
    assert "A floor is what the dealer is sure of" in ran.out and "All cards are seen." in ran.out
    assert ("The kitty counts as a trick of the dealer's" in ran.out) == profile.kitty_trick
    assert ("MIZ, no trump: the most the dealer can be made to take" in ran.out) == ("MIZ" in profile.calls)


@pytest.mark.parametrize("row", rows("dealer_floors.jsonl")[3:4], ids=lambda row: row["id"])
def test_a_real_deal(row: dict[str, Any]) -> None:
    ran = run("dealer", row["deal"], "--json")
    found = {call["trump"]: {"tricks": call["tricks"], "count": call["count"]} for call in ran.json["trumps"]}
    assert found == row["trumps"]
    assert all(len(call["discards"]) == min(10, call["count"]) for call in ran.json["trumps"])


@pytest.mark.slow
@pytest.mark.parametrize("row", rows("dealer_floors.jsonl"), ids=lambda row: row["id"])
def test_real_deals(row: dict[str, Any]) -> None:
    test_a_real_deal(row)


def test_the_page_of_a_real_deal() -> None:
    ran = run("dealer", EASY, "--chosen", "H: S8 DJ C3 C2")
    assert ran.out.splitlines()[:21] == [
        "Dealer    Eldest    Middle    Kitty",
        "♠ J863    ♠ AKQ752  ♠ T9      ♠ 4",
        "♥ KQT986  ♥ J7      ♥ A53     ♥ 42",
        "♦ QJT     ♦ 7653    ♦ AK9842  ♦ -",
        "♣ A32     ♣ KJ96    ♣ Q8754   ♣ T",
        "",
        "The dealer owes 8 of 16 tricks. All cards are seen.",
        "The dealer discards 4 of 16 cards: 1,820 ways.",
        "",
        "trump     floor  balance  discards",
        "hearts        9       +1  14 of 1,820",
        "      9 ways: any two of ♠863, and any two of ♠J ♣32",
        "      3 ways: one of ♠863, and all of ♠J ♣32",
        "      2 ways: one of ♣32, and all of ♠863",
        "spades        4       -4  14 of 1,820",
        "      9 ways: any two of ♥T98, and any two of ♥6 ♣32",
        "      3 ways: one of ♥T98, and all of ♥6 ♣32",
        "      2 ways: one of ♣32, and all of ♥T98",
        "diamonds      2       -6  495 of 1,820",
        "    495 ways: any four of ♠J863 ♥KQT986 ♣32",
        "clubs         2       -6  465 of 1,820",
    ]
    assert "     15 more ways\n" in ran.out
    assert ran.out.splitlines()[-6:-2] == [
        "Best: hearts, discarding ♠63 ♣32 for example: 9 tricks, 5 ahead of spades.",
        "Chosen: hearts, discarding ♠8 ♦J ♣32: 8 tricks, a loss of 1.",
        "A floor is what the dealer is sure of even if both others play against him.",
        "Balance: tricks over what is owed.",
    ]
    first = run("dealer", EASY, "--json").json["trumps"][1]["discards"][0]
    assert first == "63...32"  # the example of the page


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "calls")
    pages = []
    for threads in ("1", "3"):
        ran = run("dealer", "--game-file", path, deal_of(profile), "--threads", threads)
        pages.append(ran.out.rsplit("\n\n", 1)[0])
    assert pages[0] == pages[1]


# ---- what else is asked ----------------------------------------------------------------------------------------------


def test_one(game: tuple[str, Profile]) -> None:
    path, profile = game
    deal = deal_of(profile)
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    ran = dealer(path, deal, "--one", "--json")
    for call in ran.json["trumps"]:
        best, discards = best_of(values, call["trump"])
        assert call["tricks"] == best and set(call["discards"]) <= discards and call["count"] == 1
    assert "a best discard" in dealer(path, deal, "--one").out


@pytest.mark.parametrize("args", [(), ("--one",)])
def test_calls_that_are_equally_good_have_examples(tmp_path: Path, args: tuple[str, ...]) -> None:
    path, profile = write_game(tmp_path, "blind")
    seen = set()
    for index in range(12):
        deal = deal_of(profile, index)
        ran = dealer(path, deal, *args)
        trumps = dealer(path, deal, *args, "--json").json["trumps"]
        best = max(call["tricks"] for call in trumps)
        tied = [call for call in trumps if call["tricks"] == best]
        found = " ".join(ran.out.split()).partition("For example ")[2].partition(". A floor")[0]
        examples = dict(part.split(", discarding ") for part in found.split("; or ") if part)
        assert len(examples) == (len(tied) if len(tied) > 1 else 0)
        for call, (name, cards) in zip(tied, examples.items(), strict=False):
            assert name[0].upper() == call["trump"] and hand_of(cards) == call["discards"][0]
        seen.add(len(tied))
    assert {1, 2} <= seen


def hand_of(signs: str) -> str:
    """Cards such as `♠63 ♣2` as a hand."""
    suits = {part[0]: part[1:] for part in signs.split()}
    return ".".join(suits.get(suit, "") for suit in "♠♥♦♣")


@pytest.mark.parametrize("target", [0, 2, 4, 7])
def test_target(game: tuple[str, Profile], target: int) -> None:
    path, profile = game
    deal = deal_of(profile)
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    reaching = {key for key, tricks in values.items() if (tricks <= target if key[0] == "MIZ" else tricks >= target)}
    ran = dealer(path, deal, "--target", str(target), "--json", "--all-discards")
    found = {(call["trump"], discard) for call in ran.json["trumps"] for discard in call["discards"]}
    assert found == reaching
    text = dealer(path, deal, "--target", str(target)).out
    assert f"{target} tricks?" in text
    assert text.count(" yes  ") == len({call for call, _ in reaching})
    assert ("No choice reaches" in text) == (not reaching)
    assert (f"MIZ reaches {target} by taking no more than that." in text) == ("MIZ" in profile.calls)


def test_targets_between_two_numbers_are_of_shares(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "blind")
    deal = deal_of(profile)
    assert dealer(path, deal, "--target", "2.5", "--value", "share").code == 0
    ran = dealer(path, deal, "--target", "2.5")
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == "error: --target: expected a whole number of tricks where the value is no share, found 2.5\n"
    assert dealer(path, deal, "--target", "2.0", "--json").json["target"] == 2


@pytest.mark.parametrize(
    ("kind", "header", "said"),
    [
        ("share", "fair share", "A fair share is the floor and a third"),
        ("ceiling", "ceiling", "A ceiling is the floor and all the tricks"),
        ("pair:DE", "DE", "what dealer and eldest take together"),
        ("pair:DM", "DM", "what dealer and middle take together"),
    ],
)
def test_values(tmp_path: Path, kind: str, header: str, said: str) -> None:
    path, profile = write_game(tmp_path, "calls")
    ran = dealer(path, deal_of(profile), "--value", kind)
    assert ran.code == 0
    assert re.search(rf"^trump +{header}  balance  discards$", ran.out, re.M)
    assert said in ran.out and "A floor is" not in ran.out
    assert "MIZ has no such value and is left out." in ran.out
    assert ("together owe" in ran.out) == kind.startswith("pair")


def test_chosen(game: tuple[str, Profile]) -> None:
    path, profile = game
    deal = deal_of(profile)
    values = plain_values(choices_of_deal(profile, Deal.parse(deal)))
    for (call, discard), tricks in list(values.items())[:: len(values) // 7]:
        ran = dealer(path, deal, "--chosen", f"{call.lower()} : {discard}", "--json")
        balances = [-best_of(values, "MIZ")[0] + 3] if "MIZ" in profile.calls else []
        balances += [best_of(values, each)[0] - profile.quotas[0] for each in (profile.calls or "SHDC")[:5]]
        own = 3 - tricks if call == "MIZ" else tricks - profile.quotas[0]
        loss = max(balances) - own
        assert ran.json["chosen"] == {"trump": call, "discard": discard, "tricks": tricks, "loss": loss}
        text = dealer(path, deal, "--chosen", f"{call}: {discard}").out
        assert re.search(rf"a loss of {loss}\.\n" if loss else r"nothing was lost\.\n", text.split("Chosen: ")[1])


def test_calls_that_are_still_open(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "calls")
    deal = deal_of(profile)
    ran = dealer(path, deal, "--calls", "miz, h n", "--json")
    assert [call["trump"] for call in ran.json["trumps"]] == ["H", "N", "MIZ"]
    text = dealer(path, deal, "--calls", "MIZ").out
    assert "Best: MIZ, discarding" in text and "ahead of" not in text and "Calls are compared" not in text


def test_top(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "blind")
    deal = deal_of(profile, 4)
    full = dealer(path, deal, "--json", "--all-discards").json["trumps"]
    short = dealer(path, deal, "--json", "--top", "2").json["trumps"]
    assert [call["discards"][:2] for call in full] == [call["discards"] for call in short]
    assert [call["count"] for call in full] == [call["count"] for call in short]


# ---- the swap --------------------------------------------------------------------------------------------------------


def test_the_dealer_holds_the_two() -> None:
    ran = run("dealer", HOLDS, "--game", ONE_CARD, "--chosen", "S: no swap")
    assert (ran.code, ran.err) == (0, "")
    assert "The dealer may take the up-card ♠A and leave ♦2.\n" in ran.out
    assert re.search(r"^trump +floor  balance  up-card$", ran.out, re.M)
    assert re.search(r"^spades +\d+ +[-+]?\d+  take ♠A", ran.out, re.M)
    assert "Chosen: spades, leaving ♠A: " in ran.out
    assert "Kitty" not in ran.out and "Up-card" in ran.out


def test_the_swap_in_json_and_in_a_table(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = run("dealer", HOLDS, "--game", ONE_CARD, "--all", "--out", str(out), "--json", "--chosen", "S: swap")
    assert all("swaps" in call and "discards" not in call for call in ran.json["trumps"])
    assert ran.json["chosen"]["swap"] is True
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "trump,discard,swap,tricks"
    assert [line.split(",")[:3] for line in lines[1:3]] == [["S", "...", "true"], ["S", "...", "false"]]
    assert len(lines) == 9


def test_another_holds_the_two() -> None:
    ran = run("dealer", HELD, "--game", ONE_CARD, "--chosen", "H")
    assert (ran.code, ran.err) == (0, "")
    assert "Eldest may take the up-card ♠A and leave ♦2: what is worse for the dealer" in ran.out
    assert re.search(r"^trump +floor  balance$", ran.out, re.M)
    assert run("dealer", HELD, "--game", ONE_CARD, "--chosen", "H: swap").code == 65


# ---- records ---------------------------------------------------------------------------------------------------------


def a_record(*, call: str = "", discard: str = "") -> str:
    """The record of a deal that ends with the dealer's choice, or before it."""
    laid_away = mask_of(parse_cards(discard)) if discard else None
    return write_record(Record(load_game("raf"), (DealRecord(Deal.parse(EASY), call=call, discard=laid_away),)))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "hand.json"
    path.write_text(a_record(call="H", discard="S8 DJ C3 C2"), encoding="utf-8")
    return path


def test_a_record(record: Path) -> None:
    ran = run("dealer", str(record), "--one", "--json")
    assert ran.json["chosen"] == {"trump": "H", "discard": "8..J.32", "tricks": 8, "loss": 1}
    text = run("dealer", str(record), "--one").out
    assert f"{record}, deal 1, before the dealer's first choice." in " ".join(text.split())
    assert "Chosen: hearts, discarding ♠8 ♦J ♣32: 8 tricks, a loss of 1.\n" in text
    assert run("dealer", str(record), "--one", "--json", "--chosen", "S: S8 S6 C3 C2").json["chosen"]["trump"] == "S"


def test_a_record_as_pbn_and_from_stdin(record: Path, tmp_path: Path) -> None:
    pbn = tmp_path / "hand.pbn"
    ran = run("convert", str(record), "--to", "pbn")
    pbn.write_text(ran.out, encoding="utf-8")
    first = run("dealer", str(record), "--one", "--json").json
    for other in (run("dealer", str(pbn), "--one", "--json"), run("dealer", "-", "--one", "--json", stdin=ran.out)):
        assert other.json["chosen"] == first["chosen"] and other.json["best"] == first["best"]


def test_a_record_that_ends_before_the_choice(tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    path.write_text(a_record(), encoding="utf-8")
    assert "chosen" not in run("dealer", str(path), "--one", "--json").json


def test_which_deal_of_a_match() -> None:
    match = "tests/records/golden/match.json"
    for number, found in (("1", "deal 1"), ("2", "deal 2")):
        assert f"match.json, {found}, before" in run("dealer", match, "--deal", number, "--timeout", "0.001").out
    assert "match.json, deal 2, before" in run("dealer", match, "--timeout", "0.001").out
    ran = run("dealer", match, "--deal", "3")
    assert (ran.code, ran.err) == (65, f"error: {match}: expected deal 3, found the deals 1 to 2\n")


@pytest.mark.parametrize("name", ["match.json", "later.json", "auction.json", "hands.jsonl", "hands.pbn", "match.pbn"])
def test_every_record_comes_to_a_decision(name: str) -> None:
    ran = run("dealer", f"tests/records/golden/{name}", "--timeout", "0.01")
    assert ran.code in (0, 75), ran
    assert "before the dealer's" in ran.out


def test_a_bid_is_told() -> None:
    ran = run("dealer", "tests/records/golden/auction.json", "--timeout", "0.01")
    assert "The dealer bid 16 in the auction; the seats are those after it.\nThe dealer owes 16 of 16" in ran.out
    assert "auction;" not in run("dealer", "tests/records/golden/match.json", "--timeout", "0.01").out


def test_the_calls_a_record_leaves(tmp_path: Path) -> None:
    """The player who dealt the first deal deals the fourth, and has a call less."""
    record, path = finished(load_game("deputy"), 1, deals=4), tmp_path / "match.json"
    path.write_text(write_record(record), encoding="utf-8")
    ran = run("dealer", str(path), "--deal", "4", "--timeout", "0.01", "--json")
    left = [call for call in record.profile.calls if call != record.deals[0].call]
    assert [call["trump"] for call in ran.json["trumps"]] == left
    assert ran.json["chosen"]["trump"] == record.deals[3].call


def test_returns_that_are_still_to_come(tmp_path: Path) -> None:
    """9-5-2, swap variation: the parcels are sent, the trump is named, and then comes what is due for them."""
    record, path = finished(load_game("nine_five_two_swap"), 2, deals=2), tmp_path / "match.json"
    path.write_text(write_record(record), encoding="utf-8")
    for number, returns in (("1", False), ("2", True)):
        ran = run("dealer", str(path), "--deal", number, "--timeout", "0.01")
        assert ("Cards are still to be returned; the search goes by the hands after that." in ran.out) == returns
        assert ("The dealer discards 4 of 20 cards" in ran.out) != returns


# ---- many ------------------------------------------------------------------------------------------------------------


def test_batch(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "calls")
    deals = [deal_of(profile, index) for index in range(3)]
    lines = [
        json.dumps({"deal": deals[0]}),
        "",
        "nonsense",
        json.dumps({"id": "b", "deal": deals[1], "calls": "S,MIZ", "chosen": f"S: {lowest(deals[1])}"}),
        json.dumps({"id": "c", "deal": deals[2], "target": 3}),
        json.dumps({"id": "d", "deal": deals[2], "calls": "X"}),
        json.dumps({"id": "e", "deal": deals[2], "chosen": "S"}),
        json.dumps({"id": "f", "deal": deals[2], "trump": "S"}),
        json.dumps({"id": "g", "deal": deals[2], "target": "3"}),
        json.dumps({"id": "n", "deal": deals[2], "target": 10**400}),
        json.dumps({"id": "h"}),
        '{"id": "i", "id": "j"}',
        json.dumps({"id": "k", "deal": EASY}),
    ]
    ran = dealer(path, "--batch", "-", stdin="\n".join(lines))
    assert (ran.code, ran.err) == (65, "error: 9 lines could not be read; see the 'error' objects\n")
    assert [answer["id"] for answer in ran.lines] == [1, 3, "b", "c", "d", "e", "f", "g", "n", "h", 12, "k"]
    assert [answer["error"]["field"] for answer in ran.lines if "error" in answer] == [
        None, "calls", "chosen", "trump", "target", "target", "deal", "id", "deal",
    ]  # fmt: skip
    for answer in ran.lines:
        if "error" in answer:
            assert "expected" in answer["error"]["message"] and "found" in answer["error"]["message"]
    alone = dealer(path, deals[0], "--json").json
    assert ran.lines[0]["trumps"] == alone["trumps"]
    assert [call["trump"] for call in ran.lines[2]["trumps"]] == ["S", "MIZ"] and "chosen" in ran.lines[2]
    assert ran.lines[3]["target"] == 3


def lowest(deal: str) -> str:
    """Two cards of the dealer's."""
    hand = deal.removeprefix("D:").split()[0]
    cards = [suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
    return " ".join(cards[:2])


def test_a_limit_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps({"deal": HARD}) + "\n", encoding="utf-8")
    ran = run("dealer", "--batch", str(path), "--timeout", "0.05")
    assert (ran.code, ran.err) == (75, "error: a limit stopped 1 of the searches\n")
    assert ran.lines[0]["complete"] is False and "bounds" in ran.lines[0]["trumps"][0]
