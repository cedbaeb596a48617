"""`tierce exchange --hidden`: what is told, and when it ends."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.exchange_games import EASY, PREVIOUS, small
from tests.cli.support import Ran, environment, interrupted, on_terminal, run
from tests.games.scenes import M, game
from tierce.cli.commands.exchange_hidden import hidden as show
from tierce.solver import InputError
from tierce.solver.advice.exchange_estimate import exchange_estimate
from tierce.solver.advice.sender_choices import lowest
from tierce.solver.advice.sending import due, exchange_of_deal, sender_of
from tierce.solver.cards import card_names, format_hand, parse_hand
from tierce.solver.games import Send, State, apply, random_deal, settle, view

GIVEN: Final[dict[str, Any]] = {
    "seconds": None, "worlds": 1, "seed": None, "by": None, "omniscient_reply": False, "chosen": None, "top": 3,
    "as_json": False, "threads": 1, "table_mb": 64,
}  # fmt: skip


def hidden(*args: str) -> Ran:
    return run("exchange", "--hidden", "--threads", "1", "--table-mb", "64", *args)


def without_effort(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in ("millis", "nodes")}


def shown(state: State, capsys: pytest.CaptureFixture[str], **given: Any) -> str:
    """What is printed of a moment, its line breaks taken out."""
    assert show(state, GIVEN | given) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    return " ".join(out.split())


def after_lowest(state: State) -> State:
    """The state after the lowest cards were sent."""
    each = due(state)[0]
    return settle(apply(state, Send(each.sender, each.receiver, lowest(state.hands[each.sender], each.count))))


def raf(previous: tuple[int, int, int], name: str = "raf", index: int = 3) -> State:
    profile = game(name)
    return exchange_of_deal(profile, random_deal(profile, 1, index), previous)


# ---- the answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PREVIOUS)
def test_json_is_that_of_the_library(tmp_path: Path, name: str) -> None:
    for previous in PREVIOUS[name]:
        args, state = small(tmp_path, name, previous)
        ran = hidden(*args, "--worlds", "20", "--seed", "7", "--json")
        assert (ran.code, ran.err) == (0, "")
        expected = exchange_estimate(view(state, sender_of(state)), worlds=20, seed=7)
        assert without_effort(ran.json) == without_effort(expected.json())
        assert ran.json["kind"] == "estimate" and ran.json["complete"] is True and ran.json["reply"] == "quick"
        two = run("exchange", "--hidden", "--threads", "2", *args, "--worlds", "20", "--seed", "7", "--json")
        assert without_effort(two.json) == without_effort(ran.json)


def test_the_text(tmp_path: Path) -> None:
    args, state = small(tmp_path, "at_once", "5/1/0")
    ran = hidden(*args, "--worlds", "30", "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    said, name = " ".join(ran.out.split()), "DEM"[sender_of(state)]
    assert ran.out.splitlines()[0] == "Middle" and f"Only what {name} knows is looked at." in said
    assert f"{name} owes 1 of 6 tricks." in said and "both before any come back." in said
    assert f"A world is a layout of the unseen cards that fits all that {name} knows." in said
    assert re.search(r"Of [\d,]+ worlds 30 were drawn with seed 1\.", said)
    assert re.search(r"of (?:\d+ ways to choose|\d+ candidates \(of each suit the lowest cards\)) were tried", said)
    assert re.search(r"; -?\d+\.\d\d ±\d+\.\d\d tricks ahead of [DE] ", said)
    assert len(re.findall(r"^[DE] .*, [DE] .* ±.*%.* 30$", ran.out, re.M)) == 3
    assert "an average over worlds assumes that the later play sees all cards" in said
    assert f"both others playing against {name}." in said and "by a quick rule, from his own cards alone." in said
    assert max(map(len, ran.out.splitlines())) <= 80 and "Unfinished" not in ran.out


def test_of_a_deal_only_the_senders_hand_is_looked_at(tmp_path: Path) -> None:
    args, state = small(tmp_path, "at_once", "5/1/0")
    hand = format_hand(state.hands[sender_of(state)])
    of_deal = hidden(*args, "--worlds", "9", "--json").json
    assert without_effort(hidden(hand, *args[1:], "--worlds", "9", "--json").json) == without_effort(of_deal)


def test_what_comes_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    """Two senders, the first's cards unseen by the second; a second receiver who is served later."""
    first = raf((9, 6, 1))
    assert "D sends 1 card to E. Then M sends 1 card to E, in the estimate his lowest." in shown(first, capsys)
    second = shown(after_lowest(first), capsys)
    assert "D has sent 1 card to E and got one back, unseen. M sends 1 card to E. A world" in second
    served = raf((10, 4, 2), "wiki_358")
    said = shown(served, capsys)
    assert "M sends 1 card to E. With what comes back M sends 1 card to D, in the estimate his lowest." in said
    assert re.search(
        r"M has sent .\w to E and got .\w back\. M sends 1 card to D\. A world", shown(after_lowest(served), capsys)
    )
    assert "from what he knows then." in shown(first, capsys)


def test_the_up_card_and_an_unseen_discard(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(raf((10, 4, 3), "nine_five_three_one_card"), capsys)
    assert "Who holds ♦2 after it may take the up-card, and does so in the estimate." in said and "Up-card" in said
    assert "the dealer's trump: by a quick rule" in said and "13 tricks" in said
    said = shown(raf((10, 1, 5), "nine_five_two_swap"), capsys)
    assert "D has laid away 4 cards, unseen; any may be among them." in said


def test_the_omniscient_reply(tmp_path: Path) -> None:
    args, state = small(tmp_path, "at_once", "5/1/0")
    found = hidden(*args, "--worlds", "5", "--omniscient-reply", "--json").json
    expected = exchange_estimate(view(state, sender_of(state)), worlds=5, seed=1, reply="exact")
    assert without_effort(found) == without_effort(expected.json()) and found["reply"] == "exact"
    said = " ".join(hidden(*args, "--worlds", "5", "--omniscient-reply").out.split())
    assert "trump and discard: his best with all cards seen, of equally good ones the first found." in said


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_what_was_chosen_against_the_best(tmp_path: Path, by: str) -> None:
    args, _ = small(tmp_path, "at_once", "5/1/0")
    asked = (*args, "--worlds", "12", "--by", by)
    found = hidden(*asked, "--json", "--top", "2").json
    assert found["margin"]["value"] >= 0 and "loss" not in found and found["by"] == by
    best, second = (typed(each) for each in found["parcels"])
    assert "; that is the best." in " ".join(hidden(*asked, "--chosen", best).out.split())
    against = hidden(*asked, "--chosen", second, "--json").json
    assert against["loss"] == found["margin"] and against["chosen"] == found["parcels"][1]
    assert "a loss of " in " ".join(hidden(*asked, "--chosen", second).out.split())
    if by != "mean":
        kept = [
            each[by]["value"]
            for each in hidden(*asked, "--json", "--top", "99").json["parcels"]
            if "dropped" not in each
        ]
        assert kept == sorted(kept, reverse=True)


def typed(parcels: dict[str, Any]) -> str:
    return " ".join(f"{each['to']}:{card_names(parse_hand(each['cards']))}" for each in parcels["sends"])


def test_a_later_parcel_is_not_looked_at(tmp_path: Path) -> None:
    """Of two that were chosen in a game that serves one receiver after the other."""
    args, state = small(tmp_path, "one_by_one", "5/1/0")
    one, two = due(state)
    cards = lowest(state.hands[one.sender], one.count + two.count)
    first = lowest(cards, one.count)
    text = f"{'DEM'[one.receiver]}:{card_names(first)} {'DEM'[two.receiver]}:{card_names(cards & ~first)}"
    found = hidden(*args, "--worlds", "3", "--chosen", text, "--json").json
    assert [each["to"] for each in found["chosen"]["sends"]] == ["DEM"[one.receiver]]
    hand = format_hand(state.hands[one.sender])
    assert without_effort(hidden(hand, *args[1:], "--worlds", "3", "--chosen", text, "--json").json) == without_effort(
        found
    )


def test_the_dropped_stand_apart() -> None:
    args = (EASY, "--previous", "10/4/2", "--worlds", "5", "--top", "99")
    found = hidden(*args, "--json").json
    dropped = [each for each in found["parcels"] if each.get("dropped")]
    assert dropped and found["tried"] == found["of"] == len(found["parcels"]) == 16 < found["ways"] == 240
    assert all(each["worlds"] == 5 for each in found["parcels"] if not each.get("dropped"))
    kept, *groups = re.split(r"^dropped after \d+ worlds?:$", hidden(*args).out, flags=re.M)
    row = r"^E .*, D .*%"
    assert len(re.findall(row, kept, re.M)) == 16 - len(dropped)
    assert sum(len(re.findall(row, each, re.M)) for each in groups) == len(dropped)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "code", "message"),
    [
        ("E:HA", 65, "--chosen: expected a parcel for E and D, found one for E"),
        ("E:C2 D:C3", 65, "--chosen: expected cards that middle holds"),
        ("E:C4 D:C5 C7", 65, "--chosen: expected 1 card from middle to the dealer"),
    ],
)
def test_what_cannot_be_chosen(chosen: str, code: int, message: str) -> None:
    ran = hidden("T9.A53.AK9842.Q8754", "--previous", "10/4/2", "--worlds", "1", "--chosen", chosen)
    assert ran.code == code and message in ran.err and not ran.out


def test_a_state_that_is_no_exchange() -> None:
    done = after_lowest(after_lowest(raf((10, 4, 2))))
    with pytest.raises(InputError) as caught:
        show(done, GIVEN)
    assert caught.value.code == "not_due"
    with pytest.raises(InputError) as caught:
        show(view(done, M), GIVEN)
    assert caught.value.field == "deal"


# ---- time ------------------------------------------------------------------------------------------------------------


def test_it_ends_on_time() -> None:
    ran = run("exchange", "--hidden", EASY, "--previous", "10/4/2", "--seconds", "1", "--json")
    assert ran.code == 0 and ran.json["worlds"] > 0
    assert 900 < ran.json["millis"] < 1500  # 1,003 on an idle machine


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_prints_the_best_so_far() -> None:
    ran = interrupted("exchange", "--hidden", EASY, "--previous", "10/4/2", "--seconds", "60", shown="best so far")
    assert ran.code == 130 and ran.err.endswith("error: interrupted\r\n") and ran.err.count("error") == 1
    assert "Unfinished" in ran.out and "Best so far" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_progress_on_a_terminal() -> None:
    asked = ("exchange", "--hidden", EASY, "--previous", "10/4/2", "--seconds", "1.5")
    code, seen = on_terminal("stderr", *asked, env=environment(TERM="xterm"))
    assert code == 0 and "exchange [" in seen and "best so far" in seen
