"""tierce hint and tierce solve in Sumgait Driller: what the library says, in text and JSON, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.cli.support import THREE, run, spawn
from tests.games.sumgait.make_golden import GOLDEN
from tests.games.sumgait.support import played
from tests.hints.test_view_json import WRITTEN as USUAL
from tests.piles.test_view_json import WRITTEN, state_at
from tierce.solver.cards import mask_of
from tierce.solver.games import write_any
from tierce.solver.games.sumgait import (
    Call,
    DealCards,
    Give,
    Record,
    Rob,
    Shuffle,
    State,
    TakeKitty,
    apply,
    cards_of,
    new_match,
    parse_cards,
    parse_hand,
    random_deal,
    replay,
    sumgait,
    view,
)
from tierce.solver.piles import POINTS, TEN, PileView, solve_known
from tierce.solver.piles.decisions import DecisionSearch, decide
from tierce.solver.piles.moments import parse_moment, view_at
from tierce.solver.piles.view_json import view_json
from tierce.solver.piles.view_json_read import read_view

VIEW = json.dumps(WRITTEN)
PILES = "SA HT J1 C9 / C7 D2 SJ H3"


def states() -> dict[str, State]:
    """A state for every decision."""
    robbing = apply(new_match(sumgait()), DealCards(random_deal(6)))
    giving = apply(apply(robbing, Rob(None)), TakeKitty())
    four = cards_of(giving.hands[0])[-4:]
    calling = apply(giving, Give(mask_of(four[:2]), mask_of(four[2:])))
    return {"rob": robbing, "give": giving, "call": calling, "card": state_at(3), "ending": state_at(15)}


def untimed(tree: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tree.items() if name != "millis"}


# ---- hint ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["points", "ten", "tricks", "match"])
@pytest.mark.parametrize("name", ["rob", "give", "call", "card", "ending"])
def test_json_is_what_the_library_says(name: str, by: str) -> None:
    seen = view(states()[name])
    words = ["hint", "-", "--worlds", "10", "--seed", "3", "--by", by, "--json", "--top", "4"]
    tree = run(*words, stdin=json.dumps(view_json(seen))).json
    found = decide(seen, worlds=10, seed=3, by=by)  # type: ignore[arg-type]
    assert untimed(tree) == untimed(json.loads(json.dumps(found.json(4))))
    assert tree["decision"] == ("card" if name == "ending" else name)
    assert len(tree["options"]) <= 4 and tree["best"] == tree["options"][0]
    assert ("game_weight" in tree) == (by == "match")


@pytest.mark.parametrize("name", ["rob", "give", "call", "card", "ending"])
def test_text(name: str) -> None:
    ran = run("hint", "-", "--worlds", "20", stdin=json.dumps(view_json(view(states()[name]))))
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Declarer" and any(line.startswith("Best: ") for line in lines)
    assert ("exact" in lines[-1]) == (name == "ending")
    assert ran.out.count("\n\n") >= 4


def test_text_of_cards_on_the_table() -> None:
    """Honours keep their capitals, jokers their names."""
    tree = {
        "sumgait_view": 1,
        "phase": "PLAY",
        "hand": "AKQ2.AK.AKQ2.AKQT983",
        "given": {"next": "H2 H3", "other": "H4 H5"},
        "call": "misere",
        "tricks": ["C2 J1 CJ"],
        "trick": {"leader": "next", "cards": "SJ J2"},
    }
    ran = run("hint", "-", "--worlds", "20", stdin=json.dumps(tree))
    text = " ".join(ran.out.split())
    assert "MISERE, trick 2, no trump; on the table ♠J J2, led by the next player; taken: the declarer 0" in text
    assert "Best: ♠Q." in text  # no MISERE any more; of equal cards that with the fewest tricks


def test_weights_and_methods() -> None:
    light, heavy = (
        run("hint", "-", "--worlds", "30", "--by", "match", "--game-weight", weight, "--json", stdin=VIEW).json
        for weight in ("0", "20")
    )
    assert (light["game_weight"], heavy["game_weight"]) == (0, 20)
    assert light["best"]["value"] < heavy["best"]["value"]
    late = json.dumps(view_json(view(states()["ending"])))
    methods = [run("hint", "-", "--method", each, "--worlds", "9", "--json", stdin=late).json for each in
               ("playouts", "ending")]  # fmt: skip
    assert [each["method"] for each in methods] == ["playouts", "ending"]
    assert [each["kind"] for each in methods] == ["estimate", "exact"]


def test_moments_of_a_record(tmp_path: Path) -> None:
    record = played()
    file = tmp_path / "match.json"
    file.write_text(write_any([record]), encoding="utf-8")
    deal = replay(record).deals[0]
    for at in ("rob", "give", "call", "lead", "trick 7"):
        tree = run("hint", str(file), "--deal", "1", "--at", at, "--view").json
        assert read_view(tree) == view_at(deal, parse_moment(at))
        assert tree["phase"] == {"rob": "ROB", "give": "GIVE", "call": "CALL"}.get(at, "PLAY")
    ran = run("hint", str(file), "--deal", "1", "--at", "give", "--worlds", "20")
    assert ran.code == 0 and "deal 1: only what the declarer knows" in " ".join(ran.out.split())


def test_errors_stand_wherever_they_are_known() -> None:
    """A MISERE that never succeeds has one, too; what is exact has none."""
    deals = str(GOLDEN / "deals.jsonl")
    out = run("hint", deals, "--deal", "1", "--at", "call", "--worlds", "20", "--top", "3").out
    assert re.search(r"^MISERE +-300\.0 ±(?!0\.0)\S+ +\S+ ±\S+ +0\.0% +20$", out, re.MULTILINE)
    assert "\n±: one standard error of the mean\n" in out
    out = run("hint", deals, "--deal", "1", "--at", "trick 5", "--worlds", "20").out
    assert "\n±: one standard error of the mean\n" in out
    for by in ("points", "ten", "match"):
        assert "±" not in run("hint", deals, "--deal", "1", "--at", "trick 16", "--by", by).out
    assert "±" not in run("hint", deals, "--deal", "1", "--at", "trick 5", "--worlds", "1").out


def test_chances_keep_a_decimal() -> None:
    """Of those that are no certainty, with their error; at the ends it is told what they are."""
    deals = str(GOLDEN / "deals.jsonl")
    out = run("hint", deals, "--deal", "1", "--at", "trick 5", "--worlds", "400", "--by", "ten").out
    assert re.search(r" \d\d\.\d% ±\d\.\d +400$", out, re.MULTILINE)
    out = run("hint", deals, "--deal", "1", "--at", "trick 15", "--by", "ten").out
    assert re.findall(r" (\d+\.\d%)$", out, re.MULTILINE)
    out = run("hint", deals, "--deal", "3", "--at", "call", "--worlds", "30").out
    assert "\n0.0%: in none of those met\n" in out
    out = run("hint", deals, "--deal", "3", "--at", "give", "--worlds", "300").out
    assert "\n100.0%: in all of those met\n" in out


def test_one_name_for_the_chance_of_ten() -> None:
    for name in ("rob", "give", "call", "card"):
        out = run("hint", "-", "--worlds", "20", stdin=json.dumps(view_json(view(states()[name])))).out
        header = next(line.split() for line in out.splitlines() if line.startswith(f"{name} "))
        assert "ten" in header and "made" not in header
        assert ("Ten: the chance of ten tricks; in MISERE of none; in PASS of six each." in out) == (name != "card")


def test_the_error_of_tricks_is_told_where_they_are_wanted() -> None:
    deals = str(GOLDEN / "deals.jsonl")
    out = run("hint", deals, "--deal", "1", "--at", "trick 5", "--worlds", "20", "--by", "tricks").out
    assert re.search(r" \d+\.\d\d ±\d\.\d\d +\d+\.\d% +20$", out, re.MULTILINE)


def test_settled_early() -> None:
    """So many worlds as were asked for are not always needed: it is told."""
    words = ["hint", str(GOLDEN / "match.json"), "--deal", "15", "--at", "rob", "--seed", "1"]
    assert "\nsettled after 64 of 100 layouts, seed 1, " in run(*words, "--worlds", "100").out
    assert "\n20 layouts, seed 1, " in run(*words, "--worlds", "20").out
    assert "\nsettled after 64 layouts, seed 1, " in run(*words, "--seconds", "60").out


def test_cards_have_one_notation() -> None:
    """Sentences have the signs that tables have, and letters where the screen has no signs; JSON has letters."""
    names = re.compile(r"\b[SHDC][2-9TJQKA]\b")
    deals = str(GOLDEN / "deals.jsonl")
    for words in (
        ["hint", deals, "--deal", "1", "--at", "give", "--worlds", "20"],
        ["hint", deals, "--deal", "1", "--at", "trick 5", "--worlds", "20"],
        ["study", "AQT987.T763.KJ543.KJ843.J1J2", "--deals", "2", "--samples", "5", "--known", "S2 / C2"],
        ["review", deals, "--deal", "1", "--fair", "--worlds", "5"],
    ):
        ran = run(*words)
        assert (ran.code, ran.err) == (0, "")
        assert not names.search(ran.out) and re.search("[♠♥♦♣][2-9TJQKA] ", ran.out)
        assert names.search(run(*words, "--json").out)
    plain = spawn(
        "hint", deals, "--deal", "1", "--at", "call", "--worlds", "5", env={"PYTHONIOENCODING": "ascii:replace"}
    ).out
    assert names.search(plain) and not re.search("[♠♥♦♣]", plain)


def test_where_cards_are_known_from() -> None:
    """What a robbery let go is told apart from what was given; cards that were turned are left out."""
    for at, let_go, given in (
        ("rob", "", ""),
        ("give", "not yet turned: ♠A ♠J ♠9 ♠4 ♠3 ♠2 ♥J ♥T ♥9 ♥6 ♦8 ♦2 ♣Q ♣4 ♣2 J1.", ""),
        ("trick 9", "not yet turned: ♠2 ♥J ♥T ♥9 ♥6 ♦8 ♣2 J1.", "♠7 ♣T to the next player, ♦4 ♣A to the other player."),
        ("trick 18", "all turned.", "♠7 to the next player."),
    ):
        ran = run("hint", str(GOLDEN / "deals.jsonl"), "--deal", "1", "--at", at, "--worlds", "2")
        text = " ".join(ran.out.split())
        robbed = f"The declarer robbed the other player, who got the sixteen cards he let go; {let_go}"
        assert (robbed in text) == bool(let_go) and ("robbed" in text) == bool(let_go)
        assert (f"Given, and not yet turned: {given}" in text) == bool(given) and ("Given," in text) == bool(given)


def test_a_record_that_ends_at_a_choice() -> None:
    """Where a record ends is the moment without --at."""
    deal = replace(played().deals[0], call="", piles=None, play=(), marriages=())
    tree = run("hint", "-", "--view", stdin=write_any([Record(sumgait(), (deal,))])).json
    assert tree["phase"] == "CALL"


def test_interrupted() -> None:
    """What was found so far is told."""

    def stopped(search: DecisionSearch, watch: object = None) -> None:
        search.step()
        raise KeyboardInterrupt

    with mock.patch.object(DecisionSearch, "run", stopped):
        ran = run("hint", "-", "--json", stdin=VIEW)
    assert ran.code == 130
    tree = json.loads(ran.out)
    assert not tree["complete"] and tree["worlds"] > 0


@pytest.mark.parametrize(
    ("words", "text", "code", "message"),
    [
        (["--seat", "D"], VIEW, 65, "the declarer decides"),
        (["--utility", "0,1"], VIEW, 65, "whose piles do not choose"),
        (["--others", "hint"], VIEW, 65, "whose piles do not choose"),
        (["--method", "pimc"], VIEW, 65, "expected --method playouts or ending"),
        (["--by", "quota"], VIEW, 65, "--by: expected one of points, tricks, ten, match, found 'quota'"),
        (["--by", "quota", "--game", "sumgait"], VIEW, 2, "--by: expected one of points, tricks, ten, match"),
        (["--seat", "D", "--game", "sumgait"], VIEW, 2, "the declarer decides"),
        (["--method", "tree", "--game", "sumgait"], VIEW, 2, "expected --method playouts or ending"),
        (["--game-weight", "3"], VIEW, 2, "--game-weight goes with --by match"),
        (["--game-weight", "-1", "--by", "match"], VIEW, 2, "expected from 0 to 100"),
        (["--at", "give"], VIEW, 65, "goes with a record"),
        (["--game", "raf"], VIEW, 2, "expected --game sumgait, found 'raf'"),
        (["--game", "sumgait"], json.dumps(USUAL), 65, "found neither"),
        (["--game", "sumgait"], "", 65, "found an empty file"),
        (["--at", "rob"], json.dumps(USUAL), 65, "expected a moment such as 'trick 5'"),
        (["--game-weight", "3"], json.dumps(USUAL), 65, "goes with a view or a record of sumgait"),
        (["--by", "points"], json.dumps(USUAL), 65, "--by"),
        ([], VIEW.replace('"ROB"', '"ROB').replace("PLAY", "SCORE"), 65, "expected the phase PLAY by the rest"),
        ([], VIEW[:-1], 65, "<stdin>"),
        (["--method", "ending"], VIEW, 75, "expected at most 9 tricks left"),
    ],
)
def test_hint_refused(words: list[str], text: str, code: int, message: str) -> None:
    ran = run("hint", "-", "--worlds", "5", *words, stdin=text)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err and ran.err.startswith("error: ")


def test_no_batch() -> None:
    ran = run("hint", "--batch", "-", "--game", "sumgait", stdin=VIEW)
    assert ran.code == 2 and "--game does not go with --batch" in ran.err
    (line,) = run("hint", "--batch", "-", stdin=VIEW).out.splitlines()
    assert "tierce_view" in json.loads(line)["error"]["message"]


def test_records_refused() -> None:
    for words, message in (
        (["--at", "trick 19"], "--at"),
        (["--at", "misere"], "expected a moment of deal 2 (rob, give, call; misere with the option misere_time"),
        (["--deal", "1", "--at", "misere"], "of deal 1 (rob, give, call, trick 1 to trick 18; misere with the option"),
        (["--at", "noon"], "found 'noon'; in Sumgait Driller 'rob', 'misere', 'give', 'call', 'lead' or 'trick 5'"),
        (["--at", "trump"], "expected a moment such as 'rob', 'misere', 'give', 'call', 'lead' or 'trick 5', found"),
        (["--deal", "9"], "expected a deal from 1 to"),
    ):
        ran = run("hint", "-", *words, stdin=write_any([played()]))
        assert ran.code in (2, 65) and message in ran.err and not ran.out
    finished = run("hint", "-", stdin=write_any([played()]))
    told = "deal 2 (rob, give, call), for it ends where the declarer decides nothing, found none"
    assert finished.code == 65 and told in finished.err
    state = states()["call"]
    shuffled = view_json(view(apply(state, Call("pass")))) | {}
    assert "the phase SHUFFLE" in run("hint", "-", stdin=json.dumps(shuffled)).err
    three = apply(apply(state, Call("pass")), Shuffle(None))
    assert "three piles are turned over" in run("hint", "-", stdin=json.dumps(view_json(view(three)))).err


def test_moments_that_a_deal_has_not_are_told_why() -> None:
    """By the name that was typed, and with the deal's number in the file."""
    for at, why, found in (
        ("lead", "in PASS nobody chooses a card", "'lead' (trick 1)"),
        ("trick 5", "in PASS nobody chooses a card", "'trick 5'"),
        ("misere", "misere with the option misere_time = before_kitty", "'misere'"),
    ):
        ran = run("hint", str(GOLDEN / "deals.jsonl"), "--deal", "2", "--at", at)
        assert f"expected a moment of deal 2 (rob, give, call; {why}), found {found} in " in ran.err


def test_deals_by_number() -> None:
    """A match that begins later goes by its own numbers; a row of the sheet is none to be asked about."""
    later = GOLDEN / "later.json"
    tree = run("hint", str(later), "--deal", "4", "--at", "give", "--view").json
    assert (tree["deal"], tree["phase"]) == (4, "GIVE")
    assert "expected a deal from 3 to 4, found 1" in run("hint", str(later), "--deal", "1", "--at", "give").err
    for words in (["--deal", "2"], ["--deal", "2", "--at", "give"]):
        ran = run("hint", str(GOLDEN / "match.json"), *words)
        assert (ran.code, ran.out) == (65, "")
        assert "expected a deal whose cards are recorded (15-16), found deal 2, a row of the sheet" in ran.err


def test_no_server_knows_it() -> None:
    """Of a file it is the file's fault, as with `review`; where --game is typed that of what was typed."""
    typed = ["--game", "sumgait"]
    for words, code in (
        (["hint", "-"], 65),
        (["hint", "-", *typed], 2),
        (["solve", *typed, "KQ2.A..", "--piles", PILES], 2),
    ):
        ran = run("--server", "localhost:1", *words, stdin=VIEW)
        assert ran.code == code and "expected a game that a server knows" in ran.err


# ---- solve -----------------------------------------------------------------------------------------------------------


def solved(*words: str, hand: str = "KQ2.A..", piles: str = PILES) -> dict[str, Any]:
    tree = run("solve", "--game", "sumgait", hand, "--piles", piles, "--json", *words).json
    assert isinstance(tree, dict)
    return tree


def test_solve_is_what_the_library_says() -> None:
    piles = parse_cards("SA HT J1 C9"), parse_cards("C7 D2 SJ H3")
    moment = PileView(parse_hand("KQ2.A.."), mask_of(piles[0] + piles[1]))
    found = solve_known(moment, piles, POINTS)
    tree = solved()
    assert (tree["value"], tree["tricks"]) == (found.value, found.tricks)
    assert [each["cards"]["declarer"] for each in tree["line"]]
    assert {each["card"] for each in tree["choices"]} == {"SK", "SQ", "S2", "HA"}
    assert max(each["value"] for each in tree["choices"]) == tree["value"]
    ten = solved("--objective", "ten", "--taken", "8")
    assert ten["value"] == solve_known(replace(moment, tricks=8), piles, TEN).value


def test_solve_with_a_trump() -> None:
    """A trump that was declared counts with its price; another leader, other values."""
    rest = "Q52.A.."
    plain, spades = solved("--taken", "9", hand=rest), solved("--taken", "9", "--trump", "S", hand=rest)
    assert plain["declared"] in ([], ["S"]) and spades["declared"] == ["S"] and spades["trump"] == "S"
    both = solved("--taken", "9", "--trump", "H", "--declared", "S H", hand="32.A2..")
    assert both["declared"] == ["S", "H"]
    assert solved("--leader", "next")["line"][0]["leader"] == "next"
    assert solved("--leader", "O")["line"][0]["leader"] == "other"
    misere = solved("--objective", "misere")
    assert misere["value"] in (300, -300) and misere["declared"] == []
    kill = solved("--option", "joker_resolution=kill")
    assert kill["options"] == {"joker_resolution": "kill"}


def test_solve_tells_the_tricks_before_and_the_vist() -> None:
    """Tricks that were not told are told as such; of a whole deal there are none."""
    for words, told in (([], "; taken so far 0 (without --taken).\n"), (["--taken", "8"], "; taken so far 8.\n")):
        assert told in run("solve", "--game", "sumgait", "KQ2.A..", "--piles", PILES, *words).out
    assert (solved()["taken"], solved("--taken", "8")["taken"]) == (0, 8)
    found = solved("--taken", "8")
    assert (found["tricks"], found["declared"], found["vist_of_others"]) == (11, ["S"], 7 * 50)
    assert "\nVist: 350 for the others together.\n" in run(
        "solve", "--game", "sumgait", "KQ2.A..", "--piles", PILES, "--taken", "8"
    ).out  # fmt: skip
    misere = ("--objective", "misere", "--leader", "next")
    assert solved(*misere)["vist_of_others"] == 0
    assert "\nVist: none.\n" in run("solve", "--game", "sumgait", "KQ2.A..", "--piles", PILES, *misere).out
    lost = solved(*misere, "--option", "misere_vist=price")
    assert lost["vist_of_others"] == (18 - lost["tricks"]) * 20
    for objective in ("tricks", "ten"):
        assert "vist_of_others" not in solved("--objective", objective)
        words = ["--piles", PILES, "--objective", objective]
        assert "Vist" not in run("solve", "--game", "sumgait", "KQ2.A..", *words).out


def test_solve_text() -> None:
    ran = run("solve", "--game=sumgait", "KQ2.A..", "--piles", PILES, "--taken", "8")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    for words in ("Best: 90 points, 11 tricks, spades declared.", "= ♠K", "Trick    Declarer", "exact, "):
        assert words in ran.out
    assert (
        run("solve", "--game", "sumgait", "-", "--piles", PILES, "--taken", "8", stdin="KQ2.A..").out[:400]
        == (ran.out[:400])
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--piles", PILES], 2, "expected a hand"),
        (["KQ2.A.."], 2, "--piles"),
        (["KQ2.A..", "--piles", "SA HT J1 C9"], 2, "expected two piles"),
        (["KQ2.A..", "--piles", "SA HT J1 / C7 D2 SJ H3"], 65, "expected 4 cards in the next player's pile"),
        (["KQ2.A..", "--piles", "SA HT J1 C9 / C7 D2 SJ"], 65, "expected 4 cards in the other's pile"),
        (["KQ2.A..", "--piles", "SK HT J1 C9 / C7 D2 SJ H3"], 65, "found SK twice, in the hand and in next's pile"),
        (["KQ2.A..", "--piles", "SA HT J1 C9 / SA D2 SJ H3"], 2, "found SA twice, in next's pile and in other's pile"),
        (["KQ2.A..", "--piles", "SA HT J3 C9 / C7 D2 SJ H3"], 2, "--piles"),
        (["KQX.A..", "--piles", PILES], 65, "hand"),
        (["...", "--piles", " / "], 65, "expected 1 to 18 cards"),
        (["KQ2.A..", "--piles", PILES, "--trump", "X"], 2, "--trump"),
        (["KQ2.A..", "--piles", PILES, "--leader", "west"], 2, "expected one of declarer next other"),
        (["KQ2.A..", "--piles", PILES, "--declared", "S", "--trump", "H"], 2, "expected the trump H among"),
        (["KQ2.A..", "--piles", PILES, "--declared", "SS"], 2, "each once"),
        (["KQ2.A..", "--piles", PILES, "--trump", "S"], 65, "--trump: expected king or queen of spades to be played"),
        (["KQ2.A..", "--piles", PILES, "--trump", "S", "--declared", "S"], 65, "--declared: expected king or queen"),
        (["K32.A..", "--piles", "SQ HT J1 C9 / C7 D2 SJ H3", "--trump", "S"], 65, "found SQ there"),
        (
            ["K32.A..", "--piles", PILES, "--trump", "S", "--objective", "misere"],
            65,
            "--trump: expected no trump in MISE",
        ),
        (["K32.A..", "--piles", PILES, "--taken", "0"], 65, "--taken: expected 1 or more tricks"),
        (["K32.A..", "--piles", PILES, "--taken", "1", "--trump", "S"], 65, "--taken: expected 2 or more tricks"),
        (["K32.A..", "--piles", PILES, "--taken", "14", "--leader", "next"], 65, "--taken: expected at most 13 tricks"),
        (["KQ2.A..", "--piles", PILES, "--taken", "15"], 65, "expected at most 14 tricks"),
        (["KQ2.A..", "--piles", PILES, "--objective", "most"], 2, "most"),
        (["KQ2.A..", "--piles", PILES, "--option", "end=twelve"], 2, "expected an option of sumgait"),
        (["KQ2.A..", "--piles", PILES, "--line"], 2, "--line"),
    ],
)
def test_solve_refused(words: list[str], code: int, message: str) -> None:
    ran = run("solve", "--game", "sumgait", *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err and ran.err.startswith("error: ")


def test_solve_of_other_games() -> None:
    ran = run("solve", "--game", "raf", THREE)
    assert ran.code == 2 and "expected --game sumgait, found 'raf'" in ran.err
    for words, found in (([], "no --game"), (["--game", "raf"], "--game raf"), (["--game=raf"], "--game raf")):
        ran = run("solve", "KQ2.A..", "--piles", PILES, *words)
        assert ran.code == 2 and f"error: expected --game sumgait with --piles, found {found}\n" in ran.err
    assert run("solve", THREE, "--pile", "2").err.startswith("error: no such option '--pile'")
    assert run("solve", THREE, "--trump", "D").code == 0
    assert "--piles" in run("solve", "--game", "sumgait", "--help").out


def test_text_that_is_no_json() -> None:
    ran = run("hint", "-", "--game", "sumgait", stdin='{"a" 1}')
    assert ran.code == 65 and '<stdin>:1: expected a view ("sumgait_view": 1) or a record of sumgait in JSON' in ran.err
