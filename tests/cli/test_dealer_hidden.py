"""`tierce dealer --hidden`: what is told, and what is refused."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.dealer_games import write_game
from tests.cli.support import Ran, environment, interrupted, on_terminal, run
from tests.games.scenes import game as whole_game
from tests.games.words import mask
from tests.records.support import finished
from tierce.cli.hidden_asking import others_of, parcels_of
from tierce.solver import InputError, format_hand, mask_of, parse_hand
from tierce.solver.advice.estimate import dealer_estimate
from tierce.solver.advice.views import Exchanged, dealer_view
from tierce.solver.advice.worlds import DealerWorlds
from tierce.solver.cards import bit, card_names, cards_of
from tierce.solver.games import load_game, random_deal, replay, view, write_record

STRONG = "KQ2.KQT984.2.AKQ753"  # soon valued


@pytest.fixture
def blind(tmp_path: Path) -> str:
    """A small game; its hand of six."""
    return write_game(tmp_path, "blind")[0]


def hand_of(path: str) -> str:
    from tierce.solver.games import read_game

    return format_hand(random_deal(read_game(path), 3, 0).hands[0])


def hidden(*args: str, stdin: str = "") -> Ran:
    return run("dealer", "--hidden", "--threads", "1", *args, stdin=stdin)


def without_effort(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in ("millis", "nodes")}


# ---- the answers -----------------------------------------------------------------------------------------------------


def test_json_is_that_of_the_library(blind: str) -> None:
    ran = hidden("--game-file", blind, "--worlds", "30", "--seed", "7", "--json", hand_of(blind))
    assert (ran.code, ran.err) == (0, "")
    from tierce.solver.games import read_game

    expected = dealer_estimate(dealer_view(read_game(blind), parse_hand(hand_of(blind))), worlds=30, seed=7)
    assert without_effort(ran.json) == without_effort(expected.json())
    assert ran.json["kind"] == "estimate" and ran.json["complete"] is True and ran.json["fit"] == expected.fit
    first = ran.json["candidates"][0]
    named = {"trump", "discard", "mean", "mean_error", "quota", "quota_error", "twelve", "twelve_error", "worlds"}
    assert set(first) == named and first == ran.json["best"] and first["worlds"] == ran.json["worlds"] == 30
    again = run("dealer", "--hidden", "--threads", "2", "--game-file", blind, "--worlds", "30", "--seed", "7", "--json",
                hand_of(blind))  # fmt: skip
    assert without_effort(again.json) == without_effort(ran.json)


def test_the_text(blind: str) -> None:
    ran = hidden("--game-file", blind, "--worlds", "30", "--top", "3", hand_of(blind))
    assert (ran.code, ran.err) == (0, "")
    assert "estimate" in ran.out and "the later play sees all cards" in " ".join(ran.out.split())
    said = " ".join(ran.out.split())
    assert "A world is a layout of the unseen cards that fits all he knows." in said
    assert "worlds 30 were drawn with seed 1." in said and "candidates were tried" in said
    assert re.search(r"; \d+\.\d\d ±\d+\.\d\d tricks ahead of (spades|hearts|diamonds|clubs), discarding ", said)
    assert len(re.findall(r"^(?:spades|hearts|diamonds|clubs) .* ±.* 30$", ran.out, re.M)) == 3
    assert re.search(r"^and \d+ more, and \d+ dropped early$", ran.out, re.M) and "Unfinished" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_later_deal(blind: str) -> None:
    ran = hidden("--worlds", "4", "--json", "--sent", "E:H7", "--got", "E:HK", STRONG)
    assert ran.code == 0
    profile = load_game("raf")
    parcel = Exchanged(1, sent=mask("H7"), got=mask("HK"))
    expected = dealer_estimate(dealer_view(profile, parse_hand(STRONG), [parcel]), worlds=4, seed=1)
    assert without_effort(ran.json) == without_effort(expected.json())
    assert ran.json["fit"] < json.loads(hidden("--worlds", "1", "--json", STRONG).out)["fit"]


def test_the_dealer_was_down() -> None:
    """He got D2, and had to give DA; eldest, who was down too, got two cards of middle's."""
    ran = hidden("--worlds", "2", "--json", "--received", "M:D2", "--returned", "M:DA", "--others", "M:2", STRONG)
    assert ran.code == 0 and ran.json["worlds"] == 2


def test_of_a_deal_only_the_dealers_hand_is_looked_at(blind: str) -> None:
    from tierce.solver.games import read_game

    deal = random_deal(read_game(blind), 3, 0)
    ran = hidden("--game-file", blind, "--worlds", "9", "--json", str(deal))
    assert without_effort(ran.json) == without_effort(
        hidden("--game-file", blind, "--worlds", "9", "--json", hand_of(blind)).json
    )
    assert "Of the deal only the dealer's hand" in hidden("--game-file", blind, "--worlds", "9", str(deal)).out
    assert hidden("--game-file", blind, "--worlds", "9", "--json", "-", stdin=str(deal)).code == 0


def test_a_record_is_cut_at_the_decision(tmp_path: Path) -> None:
    record = finished(load_game("raf"), 2)
    path = tmp_path / "match.json"
    path.write_text(write_record(record), encoding="utf-8")
    deal = replay(record).deals[-1]
    state = next(state for _, state in deal.steps() if state.phase == "TRUMP")
    ran = hidden(str(path), "--worlds", "1", "--json")
    assert ran.code == 0, ran
    from tierce.solver.advice.worlds import DealerWorlds

    assert ran.json["fit"] == DealerWorlds(view(state, 0)).count
    assert ran.json["chosen"]["discard"] == format_hand(deal.state.discard)
    assert ran.json["chosen"]["trump"] == deal.state.call
    assert "Chosen: " in hidden(str(path), "--worlds", "1").out
    assert hidden(str(path), "--worlds", "1", "--sent", "E:H7", "--got", "E:HK").code == 2


def test_chances_decide_where_asked(blind: str) -> None:
    for by in ("quota", "twelve"):
        found = hidden("--game-file", blind, "--worlds", "40", "--by", by, "--json", hand_of(blind)).json
        kept = [each[by] for each in found["candidates"] if each["worlds"] == 40]
        assert found["by"] == by and kept == sorted(kept, reverse=True)


def test_the_up_card_and_games_without_a_discard() -> None:
    profile = whole_game("nine_five_three_one_card")
    rest = cards_of(profile.pack)
    two = mask("D2")
    hand = two | mask_of([card for card in rest if not bit(card) & two][:16])
    up = mask_of([card for card in rest if not bit(card) & (hand | two)][:1])
    args = ("--game", profile.id, "--worlds", "1", "--json", "--threads", "1")
    ran = hidden(*args, f"{format_hand(hand)} / {format_hand(up)}")
    assert ran.code == 0, ran
    assert {each["swap"] for each in ran.json["candidates"]} == {True, False}
    assert hidden(*args, format_hand(hand)).code == 65


def test_a_named_trump_and_the_kitty_in_hand(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "open")
    deal = random_deal(profile, 3, 0)
    both = format_hand(deal.hands[0] | deal.kitty)
    later = hidden("--game-file", path, "--worlds", "5", "--json", format_hand(deal.hands[0])).json
    assert len(later["candidates"]) == 4 and "discard" not in later["best"]
    now = hidden("--game-file", path, "--worlds", "5", "--json", "--calls", "H", both).json
    assert {each["trump"] for each in now["candidates"]} == {"H"} and "discard" in now["best"]
    assert "after he has seen the kitty" in hidden("--game-file", path, "--worlds", "2", format_hand(deal.hands[0])).out


def test_calls(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "calls")
    hand = format_hand(random_deal(profile, 3, 0).hands[0])
    found = hidden("--game-file", path, "--worlds", "9", "--calls", "N,MIZ", "--json", "--top", "99", hand).json
    assert {each["trump"] for each in found["candidates"]} == {"N", "MIZ"}
    assert {each["twelve"] for each in found["candidates"] if each["trump"] == "MIZ"} == {None}
    assert "MIZ: the most" in hidden("--game-file", path, "--worlds", "9", "--calls", "N,MIZ", hand).out


def test_the_dropped_stand_apart(blind: str) -> None:
    args = ("--game-file", blind, "--worlds", "30", "--top", "99", hand_of(blind))
    found = hidden("--json", *args).json
    dropped = [each for each in found["candidates"] if each.get("dropped")]
    assert dropped and found["tried"] == len(found["candidates"])
    assert all(each["worlds"] == 30 for each in found["candidates"] if not each.get("dropped"))
    kept, *groups = re.split(r"^dropped after (?:\d+) worlds?:$", hidden(*args).out, flags=re.M)
    row = r"^(?:spades|hearts|diamonds|clubs) .*%"
    assert len(re.findall(row, kept, re.M)) == len(found["candidates"]) - len(dropped)
    assert sum(len(re.findall(row, each, re.M)) for each in groups) == len(dropped)


def test_open_worlds_are_explained_where_they_are_told() -> None:
    few, all_ = (hidden("--worlds", "8", "--top", top, "--calls", "C", STRONG).out for top in ("1", "99"))
    assert "open)" not in few and "Open: " not in few
    assert "open)" in all_ and "Open: " in all_


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_what_was_chosen_against_the_best(blind: str, by: str) -> None:
    args = ("--game-file", blind, "--worlds", "40", "--by", by, hand_of(blind))
    best = hidden("--json", *args).json["best"]
    assert "that is the best." in " ".join(hidden("--chosen", said(best), *args).out.split())
    found = hidden("--json", *args, "--top", "2").json
    assert found["margin"] >= 0 and found["margin_error"] >= 0 and "loss" not in found
    second = said(found["candidates"][1])
    asked = hidden("--json", "--chosen", second, *args).json
    assert (asked["loss"], asked["loss_error"]) == (found["margin"], found["margin_error"])
    assert "a loss of " in " ".join(hidden("--chosen", second, *args).out.split())


def said(candidate: dict[str, Any]) -> str:
    return f"{candidate['trump']}: {card_names(parse_hand(candidate['discard']))}"


def test_the_up_card_is_told() -> None:
    args = ("--game", "nine_five_three_one_card", "--worlds", "1")
    for diamond, up, word in (
        ("2", "A...", "He may take the up-card ♠A and leave ♦2."),
        ("3", "A...", "Who holds ♦2 may take the up-card ♠A and leave ♦2: what is worse for the dealer counts."),
        ("3", "..2.", "Nobody can take the up-card."),
    ):
        out = hidden(*args, f"KQ2.KQT984.{diamond}.AKQ7532 / {up}").out
        assert word in " ".join(out.split()) and re.match(r"Dealer +Up-card\n", out)
    assert re.search("Best: clubs, (taking|leaving) ♠A", hidden(*args, "KQ2.KQT984.2.AKQ7532 / A...").out)


# ---- time ------------------------------------------------------------------------------------------------------------


def test_it_ends_on_time() -> None:
    ran = run("dealer", "--hidden", "--seconds", "1", "--json", STRONG)
    assert ran.json["worlds"] > 0
    assert 900 < ran.json["millis"] < 1500  # 1,003 on an idle machine


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_prints_the_best_so_far() -> None:
    ran = interrupted("dealer", "--hidden", "--seconds", "60", STRONG, shown="best so far")
    assert ran.code == 130 and ran.err.endswith("error: interrupted\r\n") and ran.err.count("error") == 1
    assert "Unfinished" in ran.out and "Best so far" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_progress_on_a_terminal() -> None:
    code, shown = on_terminal("stderr", "dealer", "--hidden", "--seconds", "1.2", STRONG, env=environment(TERM="xterm"))
    assert code == 0 and "dealer [" in shown and "best so far" in shown


# ---- the parser ------------------------------------------------------------------------------------------------------

CARDS = cards_of(load_game("raf").pack)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_parcels_come_back(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(CARDS), min_size=2, max_size=9, unique=True))
    cut = data.draw(st.integers(1, len(cards)))
    parts = {1: mask_of(cards[:cut]), 2: mask_of(cards[cut:])}
    between = data.draw(st.sampled_from([" ", "  ", ", "]))
    colon = data.draw(st.sampled_from([":", ": ", " : "]))
    text = between.join(
        "-EM"[seat] + colon + " ".join(card_names(part).split()) for seat, part in parts.items() if part
    )
    text = data.draw(st.sampled_from([text, text.lower(), f" {text} "]))
    assert parcels_of(text) == {seat: part for seat, part in parts.items() if part}


@given(st.text(alphabet="EMDem: ,H7K2SA:", max_size=14))
@settings(max_examples=500, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parcels_of, others_of):
        try:
            found: Any = read(text)
        except InputError as error:
            assert error.message
        else:
            assert found


@pytest.mark.parametrize(
    "text", ["", "H7", "E:", "D:H7", "E:H7 E:H8", "E:H7 M:", "E:H77", "E:H7 C2:", "E:H7 H7", "E H7"]
)
def test_parcels_that_are_none(text: str) -> None:
    with pytest.raises(InputError):
        parcels_of(text)


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "word"),
    [
        (("--seconds", "1", "--worlds", "2", STRONG), 2, "found both"),
        (("--worlds", "0", STRONG), 2, "--worlds"),
        (("--timeout", "3", STRONG), 2, "--timeout does not go with --hidden"),
        (("--value", "share", STRONG), 2, "--value does not go"),
        (("--all", STRONG), 2, "--all does not go"),
        (("--sent", "E:H7", STRONG), 2, "--sent and --got go together"),
        (("--received", "E:H7", STRONG), 2, "--received and --returned go together"),
        (("--sent", "E:H7", "--got", "M:HK", STRONG), 2, "the same seats"),
        (("--sent", "E:H7", "--got", "E:HK", "--received", "E:D2", "--returned", "E:DA", STRONG), 2, "found both"),
        (("--sent", "X:H7", "--got", "E:HK", STRONG), 2, "cards by seat"),
        (("--others", "E", STRONG), 2, "a seat E or M"),
        (("--calls", "H,S", STRONG), 2, "one trump"),
        (("--deal", "2", STRONG), 2, "--deal goes with"),
        (("KQ2.KQT984.2.AKQ75",), 65, "expected a hand of 16 cards, found 15"),
        (("KQ2.KQT984.2.AKQ75X",), 65, "hand"),
        (("--sent", "E:H8", "--got", "E:HK", STRONG), 65, "--sent: expected cards given away not to be in the hand"),
        (("--sent", "E:H7", "--got", "E:HA", STRONG), 65, "without HA"),
        (("--sent", "E:H7", "--got", "E:HK H9", STRONG), 65, "as many cards"),
        (("--sent", "E:H7", "--got", "E:DK", STRONG.replace(".2.", ".K.")), 65, "--got: expected as many cards"),
        (("--sent", "E:HA", "--got", "E:HK", STRONG), 65, "--got: expected HA or higher for HA to come back"),
        (("--sent", "E:HA", "--got", "E:HK", STRONG), 65, "(return_rule merged_top_n), found HK"),
        (("--sent", "E:H7", "--got", "E:HK", "--others", "E:1", STRONG), 65, "some result calls for"),
        (("--others", "E:16", STRONG), 65, "some result calls for"),
        (("--others", "E:17", STRONG), 65, "some result calls for"),
        (("--received", "E:S2", "--returned", "E:SJ", STRONG), 65, "SK to go back to eldest, found SJ"),
        (("--received", "E:S2 H4", "--returned", "E:SA CT", STRONG), 65, "back to eldest, found SA CT"),
        (("--game", "deputy", "--sent", "E:H7", "--got", "E:HK", STRONG), 65, "without an exchange"),
        (("--chosen", "H: SA", STRONG), 65, "--chosen: expected a discard of 4"),
        (("--chosen", "N", STRONG), 65, "--chosen: expected a call"),
        (("--calls", "H", STRONG.replace("KQ2.", "AKQJ2.") + "2",), 65, "expected a hand of 16"),
        (("--game", "nine_five_two", "--calls", "H", STRONG), 65, "20 cards, the kitty among them"),
        (("D:AK.QJ A.K Q.J",), 65, "hand"),
        (("nothing.json",), 65, "a hand such as"),
        (("--calls", "N", STRONG), 65, "--calls: expected one of the calls"),
    ],
)  # fmt: skip
def test_refusals(args: tuple[str, ...], code: int, word: str) -> None:
    ran = hidden(*args)
    assert (ran.code, ran.out) == (code, "") and word in ran.err, ran


@pytest.mark.parametrize(
    "option", [("--seconds", "3"), ("--worlds", "3"), ("--seed", "3"), ("--sent", "E:H7"), ("--by", "mean")]
)
def test_options_of_hidden_alone(option: tuple[str, str]) -> None:
    ran = run("dealer", *option, STRONG)
    assert ran.code == 2 and f"{option[0]} goes with --hidden" in ran.err


KITTY_IN_HAND = ("--option", "kitty_first=true", "--calls", "H", "AQ875.Q9854.AQJ973.QT63")


@pytest.mark.parametrize(
    "args",
    [
        ("--others", "E:8", STRONG),  # old middle took 11, old eldest 5, old dealer none
        ("--game", "nine_five_two", "--received", "M:S3 H4 C6", "--returned", "M:SK H8 CJ", "8543.654.AJT765.863"),
        ("--received", "E:H5 CA", "--returned", "E:HT CA", *KITTY_IN_HAND),  # a heart above came with the kitty
    ],
)
def test_exchanges_that_can_have_been(args: tuple[str, ...]) -> None:
    game, hand, exchanged = load_game(args[1] if args[0] == "--game" else "raf"), args[-1], list(args)
    if "--option" in exchanged:
        game = game.with_options({"kitty_first": True})
    others = (1, 8) if "--others" in exchanged else None
    parcels = (
        [
            Exchanged(
                "DEM".index(exchanged[exchanged.index("--received") + 1][0]),
                received=mask(exchanged[exchanged.index("--received") + 1][2:]),
                returned=mask(exchanged[exchanged.index("--returned") + 1][2:]),
            )
        ]
        if "--received" in exchanged
        else []
    )
    call = "H" if "--calls" in exchanged else ""
    assert DealerWorlds(dealer_view(game, parse_hand(hand), parcels, others=others, call=call)).count > 0


def test_who_sent_first_where_two_are_up() -> None:
    game, hand = load_game("uni_high_359"), parse_hand("T6432.QT973.AT2.J42")
    parcels = [Exchanged(2, sent=mask("HQ D5"), got=mask("HQ DA"))]

    def count(first: int | None) -> int:
        return DealerWorlds(dealer_view(game, hand, parcels, others=(1, 1), first_over=first)).count

    assert count(None) == count(0) == 80_400_512_966_400
    assert count(1) == 82_593_254_229_120
    with pytest.raises(InputError, match="expected a seat that is up, found 2"):
        count(2)
    typed = ("--game", "uni_high_359", "--others", "E:1", "--sent", "M:HQ D5", "--got", "M:HQ DA")
    ran = hidden("--worlds", "1", "--json", *typed, "--first-over", "E", "T6432.QT973.AT2.J42")
    assert ran.json["fit"] == 82_593_254_229_120
    assert hidden("--first-over", "E", STRONG).code == 2


def test_a_card_got_that_is_not_there() -> None:
    ran = hidden("--sent", "E:H7", "--got", "E:H7", STRONG)
    assert ran.code == 65 and "expected cards got to be in the hand, found it without H7" in ran.err
