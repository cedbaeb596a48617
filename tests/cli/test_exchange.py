"""`tierce exchange`: what is told, for every kind of exchange."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from itertools import product, takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.advice.replies import Brute, told
from tests.cli.exchange_games import GAMES, PREVIOUS, REAL, exchange, page, small, timeless
from tests.cli.support import run
from tierce.solver import format_hand, parse_hand
from tierce.solver.advice.exchange import exchange_advice
from tierce.solver.advice.exchange_results import WayAdvice
from tierce.solver.games import State, load_game, random_deal

MATCH = "tests/records/golden/match.json"
SEATS = {"the dealer": "D", "eldest": "E", "middle": "M"}
CASES = [(name, previous) for name in GAMES for previous in PREVIOUS[name]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for the module, so that what is asked twice is answered once."""
    return tmp_path_factory.mktemp("games")


@pytest.fixture(params=CASES, ids=" ".join)
def asked(request: pytest.FixtureRequest, folder: Path) -> tuple[tuple[str, ...], State]:
    """A small decision: the words that ask about it, and where it is due."""
    return small(folder, *request.param)


# ---- the page, read back ---------------------------------------------------------------------------------------------


def sections(text: str) -> list[str]:
    """The rows of parcels of each sender in turn, from their header on."""
    return [part.split("\n\n")[0] for part in re.split(r"(?m)^(?=ways  )", text)[1:]]


def ways_told(section: str) -> Iterator[tuple[Any, ...]]:
    """Every way that the rows of one-card parcels stand for: what goes to whom for what, best case, dealer's tricks."""
    header, *lines = re.sub(r"\n {4,}(?! *\d)", " ", section).splitlines()
    columns = re.match(r"ways(  tricks)?(  best case)?(  dealer)?  (?:the dealer|eldest|middle) sends", header)
    assert columns is not None, header
    names = [name.strip() for name in columns.groups() if name]
    for line in lines:
        if line.startswith("and "):
            continue
        cells = line.split(maxsplit=1 + len(names))
        numbers = dict(zip(names, cells[1:-1], strict=True))
        found = [*product(*(parcel_told(part) for part in cells[-1].split("; ")))]
        assert len(found) == int(cells[0])
        for sends in found:
            yield sends, numbers.get("best case", "-"), numbers.get("dealer", "-")


def parcel_told(text: str) -> list[tuple[str, str, str]]:
    """`one of ♥KQ to the dealer for ♥A`: seat, card and what comes back, for each card."""
    match = re.fullmatch(r"(one of )?(.*) to (the dealer|eldest|middle)(?: for (.*))?", text)
    assert match is not None, text
    cards = [word[0] + rank for word in match[2].split() for rank in word[1:]]
    assert (len(cards) > 1) == bool(match[1])
    return [(SEATS[match[3]], hand_of(card), hand_of(match[4] or "")) for card in cards]


def hand_of(signs: str) -> str:
    """Cards such as `♠63 ♣2` as a hand."""
    suits = {part[0]: part[1:] for part in signs.split()}
    return ".".join(suits.get(suit, "") for suit in "♠♥♦♣")


def ways_of(answer: Any) -> Iterator[tuple[Any, ...]]:
    """The same of the JSON answer."""
    for each in answer["parcels"]:
        sends = tuple((made["to"], made["cards"], made.get("returned", "...")) for made in each["sends"])
        yield sends, str(each.get("best_case", "-")), str(each.get("dealer_tricks", "-"))


# ---- the answers -----------------------------------------------------------------------------------------------------


def test_json_is_that_of_the_library(asked: tuple[tuple[str, ...], State]) -> None:
    words, state = asked
    for kind in ("floor", "pair:DE" if state.transfers[0].sender < 2 else "pair:EM"):
        ran = exchange(words, "--json", "--value", kind)
        assert (ran.code, ran.err) == (0, "")
        assert timeless(ran.json) == timeless(exchange_advice(state, kind).json()) and ran.json["complete"]


@pytest.mark.parametrize(("name", "previous"), [("swap", "5/1/0"), ("swap", "1/3/2")])
def test_json_is_right(folder: Path, name: str, previous: str) -> None:
    words, state = small(folder, name, previous)
    brute = Brute(state, "floor")
    ran = exchange(words, "--json", "--all-parcels", "--top", "1000")
    assert ran.json["tricks"] == told(brute.best) and ran.json["ways"] == len(brute.replies)
    found = {tuple(made["cards"] for made in each["sends"]) for each in ran.json["parcels"]}
    assert found == {tuple(map(format_hand, parcels)) for parcels in brute.reaching(brute.best)}
    for each in ran.json["parcels"]:
        parcels = tuple(parse_hand(made["cards"]) for made in each["sends"])
        assert each["best_case"] == told(brute.replies[parcels].best_case)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "previous"), CASES)
def test_json_is_right_everywhere(folder: Path, name: str, previous: str) -> None:
    test_json_is_right(folder, name, previous)


def test_the_text_says_the_same(asked: tuple[tuple[str, ...], State]) -> None:
    words, _ = asked
    ran, answer = exchange(words, "--all-parcels"), exchange(words, "--json", "--all-parcels").json
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    answers = [answer, *([answer["next"]] if "next" in answer else [])]
    assert len(sections(ran.out)) == len(answers)
    for section, each in zip(sections(ran.out), answers, strict=True):
        found, expected = [*ways_told(section)], [*ways_of(each)]
        if each["sender"] == "D":  # his own tricks are told once
            expected = [(sends, case, "-") for sends, case, _ in expected]
        if "best case" not in section:
            assert {case for _, case, _ in expected} <= {str(each["tricks"]), "-"}
            expected = [(sends, "-", dealer) for sends, _, dealer in expected]
        assert sorted(found) == sorted(expected) and len(found) == each["count"]
        assert f": {each['tricks']} trick{'s' * (each['tricks'] != 1)} (" in page(ran.out.split(section)[1])


def test_best_and_balance(asked: tuple[tuple[str, ...], State]) -> None:
    words, state = asked
    ran, answer = exchange(words), exchange(words, "--json").json
    seat, tricks = "DEM".index(answer["sender"]), answer["tricks"]
    over = tricks - state.profile.quotas[seat]
    said = f"{abs(over)} {'over' if over > 0 else 'under'} the quota" if over else "the quota"
    first = next(ways_of(answer))[0]
    best = re.search(r"Best: (.*?): \d+ tricks? \((.*?)\)", page(ran.out))
    assert best is not None and best[2] == said
    assert tuple(each for part in best[1].split(" and ") for each in parcel_told(part)) == first


def test_the_dealer_decides_in_the_end(asked: tuple[tuple[str, ...], State]) -> None:
    words, _ = asked
    ran, answer = exchange(words), exchange(words, "--json").json
    assert ("dealer" in answer or "dealer" in answer.get("next", {})) == (answer["sender"] == "D")
    last = re.search(r"In the end the dealer names (\w+)(?:, discarding (.*?))?: (\d+) tricks?\.", page(ran.out))
    assert (last is not None) == ("dealer" in answer)
    if last is not None:
        best = answer["dealer"]["best"]
        assert (last[1][0].upper(), int(last[3])) == (best["trump"], best["tricks"])
        assert hand_of(last[2] or "") == best.get("discard", "...")


def test_what_came_before(folder: Path) -> None:
    words, _ = small(folder, "at_once", "5/1/0")
    text = page(exchange(words).out)
    assert "The deal before, by today's seats: middle 5 (+2), dealer 1 (-1), eldest 0 (-1)." in text
    assert "Middle sends 1 card to eldest and 1 to the dealer, both before anything comes back: 30 ways." in text
    words, _ = small(folder, "one_by_one", "5/1/0")
    text = page(exchange(words).out)
    assert "Middle sends 1 card to eldest and, with what came back in hand, 1 to the dealer: 36 ways." in text
    words, _ = small(folder, "at_once", "1/3/2")
    text = page(exchange(words).out)
    assert "The dealer sends 1 card to middle; then eldest sends 1 card to middle. All cards are seen." in text
    assert "The dealer's parcel: 6 ways." in text and "Eldest's parcel, the best above being sent: 6 ways." in text
    assert "if everybody who decides later does what is best for himself." in text
    words, _ = small(folder, "at_once", "2/3/1")
    text = page(exchange(words).out)
    assert "middle 2 (-1), dealer 3 (+1), eldest 1 (even). The dealer sends 1 card to middle: 6 ways." in text
    assert "if he then names the trump and discards as is best for him." in text
    assert "best case" not in text and "counts against" not in text  # nobody's choice comes after his


def test_the_page_of_a_real_deal() -> None:
    ran = run("exchange", REAL, "--game", "six_three_eight", "--previous", "9/6/2", "--chosen", "DK")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:-1] == [
        "Dealer    Eldest    Middle    Out",
        "♠ QJ94    ♠ 8765    ♠ AKT3    ♠ 2",
        "♥ AQ9632  ♥ 854     ♥ KJT7    ♥ -",
        "♦ AQ6     ♦ T532    ♦ KJ9874  ♦ -",
        "♣ AT62    ♣ K87543  ♣ QJ9     ♣ -",
        "",
        "The deal before, by today's seats: middle 9 (+1), dealer 6 (even), eldest 2",
        "(-1).",
        "Middle sends 1 card to eldest: 17 ways. All cards are seen.",
        "",
        "ways  tricks  best case  dealer  middle sends, and gets back",
        "1          5          5       8  ♣9 to eldest for ♣K",
        "2          5          5       7  one of ♣QJ to eldest for ♣K",
        "1          5          5       8  ♥7 to eldest for ♥8",
        "",
        "Best: ♣9 to eldest for ♣K: 5 tricks (2 over the quota); 3 others are as good.",
        "Chosen: ♦K to eldest for ♦K: 4 tricks, a loss of 1.",
        "",
        "A reply value is what he is sure of at the first card, both others playing",
        "against him, if the dealer then names the trump as is best for himself. What is",
        "equally good to others counts against the sender.",
        "Best case: what he has if all of that falls out well for him.",
        "Dealer: what the dealer is sure of then.",
        "",
    ]


def test_parcels_that_are_answered_later() -> None:
    deal = str(random_deal(load_game("nine_five_two_swap"), 5))
    ran = run("exchange", deal, "--game", "nine_five_two_swap", "--previous", "10/2/4")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^ways +tricks +best case +dealer  middle sends, and gets back$", ran.out, re.M)
    assert "Discard" in ran.out.splitlines()[0]
    assert "if the dealer then names the trump as is best for himself." in page(ran.out)


# ---- what else is asked ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "previous", "kind"),
    [("at_once", "5/1/0", "floor"), ("kitty_trick", "2/3/2", "share"), ("swap", "1/3/2", "floor")],
)
def test_all(folder: Path, tmp_path: Path, name: str, previous: str, kind: str) -> None:
    words, state = small(folder, name, previous)
    advice = exchange_advice(state, kind, find="every")
    values = {tuple(cells_of(each)): each.tricks for each in advice.ways}
    tables = []
    for ending in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"out.{ending}"
        ran = exchange(words, "--all", "--out", str(out), "--value", kind)
        assert (ran.code, ran.err) == (0, "") and ran.out.endswith(f"{len(values)} rows in {out}.\n")
        rows = read_table(out)
        assert [*rows[0]] == ["to_d", "to_e", "to_m", "from_d", "from_e", "from_m", "tricks"]
        tables.append([tuple(float(v) if name == "tricks" else v for name, v in row.items()) for row in rows])
    assert tables[0] == tables[1] == tables[2] and len(tables[0]) == advice.total
    assert [row[-1] for row in tables[0]] == sorted((row[-1] for row in tables[0]), reverse=True)
    assert {row[:-1]: row[-1] for row in tables[0]} == values
    told_counts = re.findall(r"(?m)^([\d.]+) +(\d+)$", ran.out.split("worth how much:\n")[1].split("\n\n")[0])
    expected = [row[-1] for row in tables[0]]
    assert {(float(value), int(count)) for value, count in told_counts} == {
        (round(value, 2), expected.count(value)) for value in expected
    }


def cells_of(found: WayAdvice) -> list[str]:
    """What goes to each seat, and what comes back from it."""
    cells = [""] * 6
    for made in found.way.sends:
        cells[made.receiver] = format_hand(made.sent)
        cells[3 + made.receiver] = format_hand(made.returned) if made.returned else ""
    return cells


def read_table(path: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    if path.suffix == ".parquet":
        return list(parquet.read_table(path).to_pylist())
    text = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(text)) if path.suffix == ".csv" else [json.loads(line) for line in text]


def test_target(asked: tuple[tuple[str, ...], State], tmp_path: Path) -> None:
    words, state = asked
    ways = exchange_advice(state, find="every").ways
    for target in (1, 2, 7):
        reaching = {each.way.sends for each in ways if each.tricks >= target}
        ran = exchange(words, "--target", str(target), "--json", "--all-parcels")
        assert ran.json["target"] == target and ran.json["count"] == len(ran.json["parcels"]) == len(reaching)
        text = page(exchange(words, "--target", str(target)).out)
        asked_for = f"{target} trick{'s' * (target != 1)}"
        if reaching:
            assert f"{asked_for}: reached by {len(reaching)} of {len(ways)} ways." in text
        else:
            assert f"No way reaches {asked_for}." in text and "ways best" not in text
        assert "Best" not in text


def test_targets_between_two_numbers_are_of_shares(folder: Path) -> None:
    words, _ = small(folder, "at_once", "5/1/0")
    assert exchange(words, "--target", "0.5", "--value", "share").code == 0
    ran = exchange(words, "--target", "0.5")
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == "error: --target: expected a whole number of tricks where the value is no share, found 0.5\n"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("share", "his fair share, the floor and a third of the tricks that no floor covers, if"),
        ("ceiling", "his ceiling, the floor and all the tricks that no floor covers, if"),
        ("pair:DM", "what the dealer and middle take together as partners against eldest if"),
        ("pair:EM", "what eldest and middle take together as partners against the dealer if"),
    ],
)
def test_values(folder: Path, kind: str, said: str) -> None:
    words, _ = small(folder, "at_once", "5/1/0")
    text = page(exchange(words, "--value", kind).out)
    assert f"A reply value is {said} the dealer then names the trump and discards as is best for himself." in text
    assert ("both quotas" in text) == kind.startswith("pair")
    answer = exchange(words, "--value", kind, "--json").json
    tricks = f"{answer['tricks']:.2f}".removesuffix(".00")
    assert f": {tricks} trick{'s' * (tricks != '1')} (" in text


def test_a_value_of_the_first_sender_alone(folder: Path) -> None:
    words, _ = small(folder, "at_once", "1/3/2")
    assert "The others go by their floors." in exchange(words, "--value", "share").out
    assert "The others go by their floors." not in exchange(words).out
    answer = exchange(words, "--value", "share", "--json").json
    assert (answer["value"], answer["next"]["value"]) == ("share", "floor")


def test_chosen(asked: tuple[tuple[str, ...], State]) -> None:
    words, state = asked
    advice = exchange_advice(state, find="every")
    for each in (advice.ways[0], advice.ways[-1]):
        chosen = " ".join(f"{'DEM'[made.receiver]}:{format_hand(made.sent)}" for made in each.way.sends)
        loss = advice.tricks - each.tricks
        found = exchange(words, "--chosen", chosen, "--json").json["chosen"]
        assert [made["cards"] for made in found["sends"]] == [format_hand(made.sent) for made in each.way.sends]
        assert (found["tricks"], found["loss"]) == (each.tricks, loss)
        text = page(exchange(words, "--chosen", chosen).out).split("Chosen: ")[1]
        assert re.match(rf".*?: {each.tricks} tricks?, (a loss of {loss}\.|nothing was lost\.)", text)
        assert ("nothing was lost." in text) == (not loss)


@pytest.mark.parametrize(
    ("name", "previous", "spellings"),
    [
        ("at_once", "5/1/0", ["E:ST D:HQ", "D:HQ E:ST", "e: st, d: qh", "E:T... D:.Q..", "E : ♠10, D:♥Q"]),
        ("kitty_trick", "5/1/1", ["SA", "as", "A...", "D:SA", "d:A...", "♠A"]),
    ],
)
def test_spellings(folder: Path, name: str, previous: str, spellings: list[str]) -> None:
    words, _ = small(folder, name, previous)
    found = [exchange(words, "--chosen", spelling, "--json").json["chosen"] for spelling in spellings]
    assert found == [found[0]] * len(spellings)


def test_top(folder: Path) -> None:
    words, _ = small(folder, "at_once", "5/1/0")
    full = exchange(words, "--json", "--all-parcels").json
    short = exchange(words, "--json", "--top", "2").json
    assert [each["sends"] for each in full["parcels"][:2]] == [each["sends"] for each in short["parcels"]]
    assert short["count"] == full["count"] == len(full["parcels"]) > 10
    for top in ("2", "10"):
        section = sections(exchange(words, "--top", top).out)[0]
        shown = [*ways_told(section)]
        assert section.endswith(f"\nand {full['count'] - len(shown)} more") and "-" not in section
        known = [each for each in ways_of(exchange(words, "--json", "--top", top).json)]
        assert sorted(shown) == sorted(known)


def test_the_one_called_best_has_the_first_row(asked: tuple[tuple[str, ...], State]) -> None:
    words, _ = asked
    for more in ((), ("--all-parcels",)):
        first = next(ways_of(exchange(words, "--json", *more).json))[0]
        assert first in [sends for sends, *_ in ways_told(sections(exchange(words, *more).out)[0].split("\nand ")[0])]
        head, row, *rest = sections(exchange(words, *more).out)[0].splitlines()
        row += "".join(f"\n{line}" for line in takewhile(lambda line: line.startswith("    "), rest))
        assert first in [sends for sends, *_ in ways_told(f"{head}\n{row}")]


def test_the_best_case_decides_between_equals(folder: Path) -> None:
    words, _ = small(folder, "swap", "5/1/0")
    answer = exchange(words, "--json").json
    cases = [each["best_case"] for each in answer["parcels"]]
    assert cases == sorted(cases, reverse=True) and cases[0] > cases[-1]


def test_the_number_of_threads_changes_nothing(folder: Path) -> None:
    words, _ = small(folder, "one_by_one", "1/3/2")
    pages = [run("exchange", *words, "--threads", threads).out.rsplit("\n\n", 1)[0] for threads in ("1", "3")]
    assert pages[0] == pages[1]


def test_parcels_of_several_cards(folder: Path) -> None:
    words, _ = small(folder, "at_once", "6/0/0")
    ran, answer = exchange(words, "--all-parcels"), exchange(words, "--json", "--all-parcels", "--top", "100").json
    assert "Middle sends 1 card to eldest and 2 to the dealer, both before anything comes back: 60 ways." in page(
        ran.out
    )
    counts = [int(line.split()[0]) for line in sections(ran.out)[0].splitlines() if line[0].isdigit()]
    assert sum(counts) == answer["count"] == len(answer["parcels"])
    assert re.search(r"♠T to eldest for ♠Q; one of ♥KQ, and ♣Q to the dealer for ♥A ♣A", page(ran.out))
    for each in answer["parcels"]:
        assert [sum(suit.isalnum() for suit in made["cards"]) for made in each["sends"]] == [1, 2]
