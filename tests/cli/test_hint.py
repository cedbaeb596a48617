"""`tierce hint`: what is asked, what is told, what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.support import Ran, environment, on_terminal, run, spawn
from tests.games.scenes import deal_of, go
from tests.games.scenes import game as whole_game
from tests.hints.test_view_json import WRITTEN
from tests.records.support import GAMES, finished, record_by_lot
from tierce.cli import hint_text
from tierce.cli.hint_asking import Asked, points_of
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.cards import bit, cards_of
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    Bid,
    Call,
    Discard,
    NameTrump,
    Play,
    Profile,
    Send,
    State,
    Swap,
    View,
    apply,
    legal,
    load_game,
    new_match,
    read_record,
    replay,
    view,
    write_record,
)
from tierce.solver.hints.hint import HintSearch, hint
from tierce.solver.hints.moments_of_record import moments
from tierce.solver.hints.results import Hint, Option, What
from tierce.solver.hints.view_json import view_json

MATCH: Final = str(Path(__file__).parent.parent / "records" / "golden" / "match.json")
PBN: Final = str(Path(__file__).parent.parent / "records" / "golden" / "match.pbn")
LATE: Final = ("--deal", "2", "--seat", "E", "--at", "trick 15", "--worlds", "12")


def hinted(*args: str, stdin: str | bytes = "") -> Ran:
    return run("hint", *args, stdin=stdin)


def timeless(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "millis"}


def seen(at: str, seat: int, number: int = 2) -> View:
    """A view of the golden match."""
    deal = replay(read_record(Path(MATCH))).deals[number - 1]
    return next(view(each.state, seat) for each in moments(deal) if (str(each), each.seat) == (at, seat))


# ---- the answers -----------------------------------------------------------------------------------------------------


def test_a_view_that_is_cut_is_printed_and_asked_again(tmp_path: Path) -> None:
    cut = hinted(MATCH, *LATE[:6], "--view")
    assert (cut.code, cut.err, cut.json) == (0, "", view_json(seen("trick 15", 1)))
    file = tmp_path / "view.json"
    file.write_text(cut.out, encoding="utf-8")
    again, before = (hinted(*args, *LATE[6:], "--json") for args in ([str(file)], [MATCH, *LATE[:6]]))
    assert timeless(again.json) == timeless(before.json)
    refused = hinted("--batch", str(file), "--view")
    assert (refused.code, refused.out) == (2, "")


@pytest.mark.parametrize(("at", "seat"), [("trick 15", 1), ("trick 14", 2), ("trick 13", 0)])
def test_json_is_that_of_the_library(at: str, seat: int) -> None:
    ran = hinted(MATCH, "--at", at, "--seat", "DEM"[seat], "--worlds", "12", "--seed", "5", "--json")
    assert (ran.code, ran.err) == (0, "")
    expected = hint(seen(at, seat), worlds=12, seed=5)
    assert timeless(ran.json) == timeless(expected.json())
    assert ran.json["seat"] == "DEM"[seat] and ran.json["decision"] == "card"


def test_a_view_and_the_record_it_is_from_have_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_text(json.dumps(view_json(seen("trick 15", 1))), encoding="utf-8")
    options = ("--worlds", "12", "--json")
    of_view = hinted(str(path), *options)
    assert timeless(of_view.json) == timeless(hinted(MATCH, *LATE, "--json").json)
    assert timeless(hinted("-", *options, stdin=path.read_bytes()).json) == timeless(of_view.json)
    assert timeless(hinted(PBN, *LATE, "--json").json) == timeless(of_view.json)


@pytest.mark.parametrize("by", ["tricks", "quota", "twelve"])
def test_objectives_and_settings_come_through(by: str) -> None:
    args = ("--by", by, "--no-infer", "--method", "pimc", "--others", "conspiring", "--seed", "9")
    found = hinted(MATCH, *LATE, *args, "--json").json
    seat = seen("trick 15", 1)
    expected = hint(seat, worlds=12, seed=9, by=by, infer=False, method="pimc", others="conspiring")  # type: ignore[arg-type]
    assert timeless(found) == timeless(expected.json())


def test_points_for_tricks() -> None:
    points = ",".join(["0"] * 6 + ["1"] * 11)
    found = hinted(MATCH, *LATE, "--utility", points, "--json").json
    expected = hint(seen("trick 15", 1), worlds=12, by="utility", utility=[0] * 6 + [1] * 11)
    assert found["by"] == "utility" and timeless(found) == timeless(expected.json())


def test_a_record_in_progress_is_asked_where_it_ends(tmp_path: Path) -> None:
    tree = json.loads(Path(MATCH).read_text(encoding="utf-8"))
    tree["deals"][1]["play"] = tree["deals"][1]["play"][:14]
    tree["deals"][1].pop("result", None)
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    ran = hinted(str(path), "--worlds", "12", "--json")
    moment = list(moments(replay(read_record(path)).deals[1]))[-1]
    assert ran.code == 0 and ran.json["seat"] == "DEM"[moment.seat]
    assert str(moment) == "trick 15"


def test_the_text() -> None:
    ran = hinted(MATCH, *LATE)
    said = " ".join(ran.out.split())
    assert (ran.code, ran.err) == (0, "")
    assert "deal 2: only what eldest knows is looked at." in said and "Trick 15, clubs are trump" in said
    assert "Best: " in said and "Eldest owes 5 of 16 tricks." in said
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_budget_of_seconds() -> None:
    ran = hinted(MATCH, *LATE[:-2], "--seconds", "0.05", "--json")
    assert ran.code == 0 and ran.json["options"]


def test_colours_only_where_wanted() -> None:
    assert "\x1b[" not in spawn("hint", MATCH, *LATE, env={"NO_COLOR": "1"}).out
    code, out = on_terminal("stdout", "hint", MATCH, *LATE, env={"TERM": "xterm"})
    assert code == 0 and "\x1b[1m" in out
    assert "\x1b[" not in on_terminal("stdout", "hint", MATCH, *LATE, env={"TERM": "xterm", "NO_COLOR": "1"})[1]


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_ctrl_c_prints_the_best_so_far(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before the first world."""

    def interrupted(search: HintSearch, watch: object = None) -> Hint:
        for _ in range(rounds):
            search.step()
        raise KeyboardInterrupt

    monkeypatch.setattr(HintSearch, "run", interrupted)
    args = (MATCH, "--deal", "2", "--seat", "E", "--at", "trick 2", "--seconds", "60")
    ran = hinted(*args)
    assert (ran.code, ran.err) == (130, "error: interrupted\n")
    assert "Unfinished" in ran.out and "Best so far: " in ran.out and ("quota  worlds" in ran.out) == (rounds > 1)
    found = json.loads(hinted(*args, "--json").out)
    assert found["complete"] is False and found["best"]["card"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_progress_on_a_terminal() -> None:
    args = ("hint", MATCH, "--deal", "2", "--seat", "E", "--at", "parcel", "--seconds", "0.8")
    code, shown = on_terminal("stderr", *args, env=environment(TERM="xterm"))
    assert code == 0 and "hint [" in shown and " worlds" in shown


# ---- lines -----------------------------------------------------------------------------------------------------------


def test_lines_are_answered_in_their_order() -> None:
    views = [seen("trick 15", 1), seen("trick 14", 2), seen("trick 16", 0)]
    trees = [view_json(each) for each in views]
    trees[1]["id"] = "b"
    text = "\n".join([json.dumps(trees[0]), "", json.dumps(trees[1]), "{}", json.dumps(trees[2])])
    ran = hinted("--batch", "-", "--worlds", "8", stdin=text)
    assert ran.code == 65 and "1 line could not be read" in ran.err
    assert [each["id"] for each in ran.lines] == [1, "b", 4, 5]
    assert ran.lines[2]["error"]["line"] == 4 and ran.lines[2]["error"]["field"] == "tierce_view"
    for found, each in zip([*ran.lines[:2], ran.lines[3]], views, strict=True):
        del found["id"]
        assert timeless(found) == timeless(hint(each, worlds=8).json())


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("[]", "expected a JSON object"),
        ('{"tierce_view": 1, "seat": "E", "seat": "E"}', "'seat' more than once"),
        (json.dumps(WRITTEN).replace('"from": "E"', '"from": "E", "from": "E"'), "'from' more than once"),
        (json.dumps(WRITTEN | {"trick": "HK"}), "expected 14 cards"),
        (json.dumps(WRITTEN | {"id": [1]}), "text or a number in 'id'"),
    ],
)
def test_lines_at_fault(line: str, word: str) -> None:
    ran = hinted("--batch", "-", "--worlds", "2", stdin=line)
    assert ran.code == 65 and word in ran.lines[0]["error"]["message"]


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "word"),
    [
        ((), 2, "expected a file or --batch, found neither"),
        ((MATCH, "--batch", "-"), 2, "found both"),
        (("--batch", "-", "--seat", "E"), 2, "--seat does not go with --batch"),
        ((MATCH, "--seconds", "1", "--worlds", "2"), 2, "found both"),
        ((MATCH, "--worlds", "0"), 2, "--worlds"),
        ((MATCH, "--by", "luck"), 2, "--by"),
        ((MATCH, "--by", "utility"), 2, "--by utility goes with --utility"),
        ((MATCH, "--by", "quota", "--utility", "0,1"), 2, "--by quota"),
        ((MATCH, "--utility", "0,x"), 2, "expected numbers"),
        ((MATCH, "--seat", "Q"), 2, "expected a seat"),
        ((MATCH, "--seat", "N"), 65, "expected a seat D, E or M"),
        ((MATCH, "--at", "noon"), 2, "expected a moment such as 'trick 5'"),
        ((MATCH, "--at", "lead", "--utility", "0,1", "--worlds", "2"), 65, "--utility: expected 17 numbers"),
        ((MATCH,), 65, "the deal is over"),
        ((MATCH, "--seat", "E", "--at", "trump"), 65, "which is the dealer's"),
        ((MATCH, "--at", "trick 5"), 65, "expected a seat D or E or M"),
        ((MATCH, "--deal", "9", "--at", "lead"), 65, "expected deal 9, found the deals 1 to 2"),
        (("nothing.json",), 65, "nothing.json"),
    ],
)
def test_refusals(args: tuple[str, ...], code: int, word: str) -> None:
    ran = hinted(*args)
    assert (ran.code, ran.out) == (code, "") and word in ran.err, ran


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "expected a view or a record, found an empty file"),
        ('{"a": 1}', "expected a view"),
        ("[1]", "expected"),
        ('{"tierce_view": 2, "game": "raf"}', "<stdin>:tierce_view: expected a view of version 1"),
        (json.dumps(WRITTEN | {"seat": "D"}), "<stdin>:"),
        (json.dumps(WRITTEN | {"tricks": [], "hand": "K87.J742.A53.KQT753", "phase": "KITTY"}), "found one of D"),
    ],
)  # fmt: skip
def test_views_at_fault(text: str, word: str) -> None:
    ran = hinted("-", "--worlds", "2", stdin=text)
    assert ran.code == 65 and word in ran.err and "<stdin>" in ran.err, ran


def test_a_view_that_nothing_fits_is_refused_with_its_place() -> None:
    """Middle showed to have no club, and plays one later."""
    tree = WRITTEN | {"tricks": ["SK SQ S4", "CK D4 C2", "CQ C4 C9"], "hand": "87.J742.A53.T753"}
    ran = hinted("-", "--worlds", "2", stdin=json.dumps(tree))
    expected = "error: <stdin>: expected middle to have none of a suit he did not follow, found C4\n"
    assert (ran.code, ran.err) == (65, expected)
    path_line = hinted("--batch", "-", "--worlds", "2", stdin="\n" + json.dumps(tree))
    assert (path_line.lines[0]["error"]["line"], path_line.lines[0]["error"]["field"]) == (2, "view")


def test_cards_to_return_are_no_decision() -> None:
    state = exchange_of_deal(load_game("raf"), deal_of(load_game("raf")), (9, 6, 1))
    state = apply(state, Send(0, 1, state.hands[0] & -state.hands[0]))
    ran = hinted("-", "--worlds", "2", stdin=json.dumps(view_json(view(state, 1))))
    assert ran.code == 65 and "expected a parcel that E owes, found cards to return" in ran.err


@pytest.mark.parametrize("option", [("--seat", "E"), ("--at", "lead"), ("--deal", "1")])
def test_options_of_records_alone(option: tuple[str, str]) -> None:
    ran = hinted("-", *option, stdin=json.dumps(WRITTEN))
    assert ran.code == 65 and f"{option[0]} goes with a record" in ran.err


@given(st.text(alphabet="0123456789.,- e", max_size=12))
def test_any_points_are_read_or_refused(text: str) -> None:
    try:
        found = points_of(text)
    except InputError as error:
        assert error.field == "utility" and "expected numbers" in error.message
    else:
        assert found == tuple(map(float, text.replace(",", " ").split()))


# ---- text of every decision ------------------------------------------------------------------------------------------


def told(state: State, seat: int, actions: list[Action], what: What, by: Any = "tricks") -> Hint:
    """A hint as a search may give it."""
    seen = view(state, seat)
    options = tuple(
        Option((action,), Figure(5 - i / 4, 0.12), Figure(5 - i / 4, 0.12), 0.75, 40)
        for i, action in enumerate(actions)
    )
    margin = Figure(0.25, 0.2) if len(actions) > 1 else None
    fit = PlayWorlds(seen).count
    forced = len(actions) == 1
    return Hint(what, seat, options, by, "pimc", "rules", 1, fit, 40, 22.0, margin, forced, False, True, "Why.", 12.0)


def text_of(state: State, seat: int, found: Hint, capsys: pytest.CaptureFixture[str]) -> str:
    hint_text.show(Asked(view(state, seat), "hand.json"), found, most=3)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    return " ".join(out.split())


CASES: Final[list[tuple[str, dict[str, Any], str, str]]] = [
    ("raf", {}, "TRUMP", "Best: spades."),
    ("raf", {}, "DISCARD", "Best: discarding "),
    ("woburn", {}, "BID", "Best: a bid of 8."),
    ("deputy", {}, "CALL", "Best: spades."),
    ("nine_five_three_one_card", {}, "SWAP", "Best: taking "),
    ("raf", {}, "PLAY", "Best: "),
]


@pytest.mark.parametrize(("name", "options", "phase", "word"), CASES)
def test_every_decision_in_words(
    name: str, options: dict[str, Any], phase: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = go(new_match(whole_game(name, **options)), phase)
    open_ = legal(state)[0]
    actions = [action for _, action in zip(range(5), open_.actions(), strict=False)]
    what: dict[type, What] = {
        NameTrump: "trump", Discard: "discard", Bid: "bid", Call: "call", Swap: "swap", Play: "card", Send: "parcel"
    }  # fmt: skip
    seat = open_.seat or 0
    out = text_of(state, seat, told(state, seat, actions, what[open_.kind]), capsys)
    assert word in out and "hand.json: only what " in out
    assert "cannot be told apart yet" in out
    assert f"Of {PlayWorlds(view(state, seat)).count:,} worlds that fit 40 were met, seed 1" in out
    assert "by their weights they count as 22." in out and "Why." in out
    assert ("and 2 more" in out) == (len(actions) == 5)
    forced = text_of(state, seat, told(state, seat, actions[:1], what[open_.kind]), capsys)
    assert word in forced and "apart" not in forced and "Why." in forced


GOLDEN: Final = """\
Eldest
♠ K87
♥ J742
♦ A53
♣ KQT753

hand.json: only what eldest knows is looked at.
Trick 1, clubs are trump; eldest leads; taken: the dealer 0, eldest 0, middle 0.
Eldest owes 5 of 16 tricks.

Best: ♠K.

card      tricks  quota  worlds
♠K    5.00 ±0.12    75%      40
♠8    4.75 ±0.12    75%      40
♠7    4.50 ±0.12    75%      40
and 1 more
±: one standard error of the mean

Why.
The two cannot be told apart yet; more worlds or seconds may do it.
Values: exact values in each world, all cards seen, averaged.
The others are taken to play each for himself, by rules of thumb.
Of 21,355,281,044,370,000 worlds that fit 40 were met, seed 1; by their weights
they count as 22.

40 worlds, 12.0 ms
"""


def test_the_whole_text(capsys: pytest.CaptureFixture[str]) -> None:
    deal = replay(read_record(Path(MATCH))).deals[1]
    state = next(each.state for each in moments(deal) if str(each) == "trick 1")
    actions: list[Action] = [Play(1, card) for card in cards_of(state.hands[1])[:4]]
    hint_text.show(Asked(view(state, 1), "hand.json"), told(state, 1, actions, "card"), most=3)
    assert capsys.readouterr().out == GOLDEN


@pytest.mark.parametrize(("by", "word"), [("quota", "chance"), ("twelve", "win"), ("utility", "points")])
def test_the_objective_has_a_column(by: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    state = go(new_match(load_game("raf")), "PLAY")
    actions: list[Action] = [Play(1, card) for card in cards_of(state.hands[1])[:4]]
    found = told(state, 1, actions, "card", by)
    assert f"card {word} tricks quota worlds" in text_of(state, 1, found, capsys)


def test_hands_with_voids_and_long_suits(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty cards of two suits, and a kitty among them."""
    from tierce.solver.deal import Deal
    from tierce.solver.games import DealCards

    profile = load_game("nine_five_two")
    pack = cards_of(profile.pack)
    hands = [sum(map(bit, pack[16 * seat : 16 * seat + 16])) for seat in range(3)]
    deal = Deal(tuple(hands), sum(map(bit, pack[48:])))
    state = go(apply(new_match(profile), DealCards(deal)), "DISCARD")
    discards: list[Action] = [Discard(0, sum(map(bit, cards_of(state.hands[0])[at : at + 4]))) for at in range(4)]
    out = text_of(state, 0, told(state, 0, discards, "discard"), capsys)
    assert "♠ AKQJT98765432 ♥ AKQ ♦ - ♣ 5432" in out and "Best: discarding ♠AKQJ." in out


@pytest.mark.slow
@pytest.mark.parametrize("profile", GAMES, ids=lambda each: each.id)
def test_every_moment_of_every_game(profile: Profile, tmp_path: Path) -> None:
    """Each kind of decision is answered, of records of all games."""
    path = tmp_path / "hand.json"
    for seed in range(2):
        record = record_by_lot(profile, 10 + seed, deals=2, claims=0.0) or finished(profile, seed)
        path.write_text(write_record(record), encoding="utf-8")
        deal = replay(record).deals[-1]
        named = {moment.what: moment for moment in moments(deal)}
        for moment in named.values():
            args = (str(path), "--seat", profile.letters[moment.seat], "--at", str(moment), "--worlds", "4", "--json")
            ran = hinted(*args)
            assert ran.code == 0, (moment.what, ran)
            assert ran.json["seat"] == profile.letters[moment.seat]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (
            "{not json\n",
            '<stdin>:1: expected a view ("tierce_view": 1) or a record ("tierce_record": 1) in JSON, found ',
        ),
        ("{'tierce_view': 1}", "expecting property name enclosed in double quotes at character 2"),
        ('{"a": 1,\n "b" 2}', "<stdin>:2: expected a view"),
        ('{"a": 1,\n "b" 2}', "expecting ':' delimiter at character 6"),
        ("hello", "expecting value at character 1"),
        ("[]", "found neither"),
        ('{ a comment } [Game "raf"]', "expected a game with a Deal tag"),
    ],
)
def test_text_that_is_no_json(text: str, word: str) -> None:
    ran = hinted("-", stdin=text)
    assert ran.code == 65 and word in ran.err and "comment that starts here" not in ran.err, ran


@pytest.mark.parametrize("command", ["review", "replay"])
def test_records_that_are_no_json(command: str) -> None:
    ran = run(command, "-", stdin="{not json\n")
    assert ran.code == 65 and "expected a record in JSON, found text that is not valid JSON" in ran.err
