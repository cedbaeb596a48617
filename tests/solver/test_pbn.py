"""PBN as it really is, what is wrong with some of it, and writing it; and the list of DDS deals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tierce.solver.cards import HEARTS, NOTRUMP, SPADES, card_name, parse_cards, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.pbn import Contract, PbnGame, parse_contract, read_pbn, write_pbn
from tierce.solver.pbn_values import seats_after, trick_winner

PBN = Path(__file__).parents[1] / "data" / "pbn"
DEAL = "N:AT9.2.J432.A9863 76432.4.KQ.QJT72 Q.KJ976.AT8765.5 KJ85.AQT853.9.K4"
THREE = "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
GAME = '[Game "x"]\n[Deal "N:A... K... Q... -"]\n'
DDT, ORT = "DoubleDummyTricks", "OptimumResultTable"
THREE_PBN = """\
[Dealer "N"]
[Deal "N:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 -"]
[Game "raf"]
[Undealt "S8HJH2DT"]
[CardsRemoved "N:H8H7CQC4"]
[Trump "S"]
"""


def read_file(name: str) -> list[PbnGame]:
    return read_pbn((PBN / name).read_bytes(), name)


def one(text: str | bytes) -> PbnGame:
    (game,) = read_pbn(text, "t.pbn")
    return game


def deal_error(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        one(text).require_deal()
    return caught.value


# Real files


@pytest.mark.parametrize(
    ("name", "games", "problems"),
    [
        ("endplay-example1.pbn", 2, 0),
        ("endplay-example2.pbn", 299, 0),
        ("endplay-example4.pbn", 1, 0),
        ("endplay-sample.pbn", 2, 0),
        ("bridgebots-sample.pbn", 3, 0),
        ("dds-edge-hands.pbn", 5, 0),
    ],
)
def test_real_files(name: str, games: int, problems: int) -> None:
    found = read_file(name)
    assert len(found) == games
    assert sum(len(game.problems) for game in found) == problems
    for game in found[: 1 if name == "endplay-sample.pbn" else games]:  # the second there has names only
        assert len(game.require_deal().hands) == 4
        assert game.require_deal().size == (12 if name == "dds-edge-hands.pbn" and game.line == 2 else 13)
    assert read_pbn(write_pbn(found), name) == found


def test_the_tables_of_example2() -> None:
    for game in read_file("endplay-example2.pbn"):
        assert game.table is not None and set(game.table) == set("SHDCN")
        assert all(set(row) == set("NESW") for row in game.table.values())
        for tag in ("DoubleDummyTricks", "OptimumResultTable"):
            other = one(write_pbn([replace(game, tags={k: v for k, v in game.tags.items() if k != tag}, table=None)]))
            assert other.table == game.table


def test_the_play_of_example2_gives_its_results() -> None:
    whole = 0
    for game in read_file("endplay-example2.pbn"):
        if len(game.play) == 52:
            assert game.trump is not None and game.leader is not None and game.declarer is not None
            leader, tricks = game.leader, 0
            for start in range(0, 52, 4):
                trick = list(zip(seats_after(leader, 4), game.play[start : start + 4], strict=True))
                leader = trick_winner(trick, game.trump)
                tricks += (leader - game.declarer) % 2 == 0
            assert tricks == int(game.tags["Result"])
            whole += 1
    assert whole == 64


def test_the_sample() -> None:
    game = read_file("endplay-sample.pbn")[0]
    assert str(game.deal) == DEAL
    assert (game.dealer, game.declarer, game.leader, game.trump) == (0, 3, 0, SPADES)
    assert game.contract == Contract(5, SPADES, 1)
    assert game.table is not None and game.table["N"] == {"N": 7, "S": 7, "E": 5, "W": 5}
    assert game.notes == ("1: Spades & minor", "2: ♠")
    assert game.play[:6] == parse_cards("H2 H4 HK HA D9 D2")
    assert game.sections["Auction"][0] == "Pass Pass 1H Pass"


def test_a_file_with_rows_in_playing_order() -> None:
    game = read_file("endplay-example4.pbn")[0]
    assert [card_name(each) for each in game.play[8:12]] == ["CA", "D2", "C9", "CQ"]
    assert game.tags["Date"] == "2012.08.??" and game.tags["VisitTeam"] == "VisitTeam"


def test_bridgebots() -> None:
    passed_up, diamonds, clubs = read_file("bridgebots-sample.pbn")
    assert [game.contract for game in (passed_up, diamonds, clubs)] == [
        Contract(3, NOTRUMP),
        Contract(3, 2),
        Contract(5, 3),
    ]
    assert card_name(passed_up.play[-1]) == "S6" and len(passed_up.play) == 29
    assert clubs.tags["Scoring"] == "IMP;Cross"  # "#": the last real value, two games before


# How it is written


def encodings() -> list[tuple[str, bytes]]:
    text = f'% PBN 2.1\n[Event "Café"]\n[Deal "{DEAL}"]\n[Contract "4H"]\n'
    crlf = text.replace("\n", "\r\n")
    return [
        ("lf", text.encode()),
        ("crlf", crlf.encode()),
        ("cr", text.replace("\n", "\r").encode()),
        ("bom", b"\xef\xbb\xbf" + crlf.encode()),
        ("latin-1", text.encode("latin-1")),
        ("utf-16", crlf.encode("utf-16")),
        ("utf-16-be", b"\xfe\xff" + text.encode("utf-16-be")),
        ("utf-16-le without mark", text.encode("utf-16-le")),
        ("utf-16-be without mark", text.encode("utf-16-be")),
        ("dos end of file", crlf.encode() + b"\x1a"),
        ("no line end", text.encode().rstrip()),
    ]


@pytest.mark.parametrize("source", [pytest.param(data, id=name) for name, data in encodings()])
def test_encodings(source: bytes) -> None:
    game = one(source)
    assert game.tags["Event"] == "Café" and str(game.deal) == DEAL and game.trump == HEARTS


def test_letters_latin_1_does_not_have() -> None:
    assert one('[Site "\u2019s"]'.encode("cp1252")).tags["Site"] == "\u2019s"
    assert one(b'[Site "\x81"]').tags["Site"] == "\x81"
    assert one('\ufeff[Site "x"]').tags["Site"] == "x"


def test_comments() -> None:
    text = """\
% a line for programs [Deal "x"]
; a comment-only line
{ a comment

over lines with [Event "no"] and an empty one }
[Event "{no; comment} [x] y"] {yes} ; and [Board "7"]
{a} [Board "3"] [Room "Open"]
"""
    game = one(text + f'[Deal "{DEAL}"] {{end}}')
    assert game.tags == {"Event": "{no; comment} [x] y", "Board": "3", "Room": "Open", "Deal": DEAL}
    assert game.line == 6


def test_comments_inside_a_row() -> None:
    game = one('[OptimumResultTable ""]\nN NT {seven} 7 ; seven\n{x} S {y} NT 6\n')
    assert game.table == {"N": {"N": 7, "S": 6}}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"a \"b\" c", 'a "b" c'),
        (r"C:\\dir\\", "C:\\dir\\"),
        (r"Denomination\2R", r"Denomination\2R"),
        ('the "big" one', 'the "big" one'),
        ("[x] ]", "[x] ]"),
        ("C:\\", "C:\\"),
        ("", ""),
    ],
)
def test_tag_values(written: str, value: str) -> None:
    assert one(f'[Site "{written}"] ; x\n').tags["Site"] == value
    assert one(f'[ Site  "{written}" ]').tags["Site"] == value


def test_where_a_game_ends() -> None:
    deal = f'[Deal "{DEAL}"]\n'
    assert len(read_pbn(deal * 3)) == 3
    assert len(read_pbn(f'[Event "a"]\n{deal}[Event "b"]\n{deal}')) == 2
    assert len(read_pbn(f'[Date "a"]\n[Event "b"]\n{deal}')) == 1
    assert len(read_pbn(f'[Board "1"]\n{deal}[Board "2"]\n{deal}')) == 2
    assert len(read_pbn(f"{deal}\n\n \t\n{deal}")) == 2
    assert len(read_pbn(f'{deal}[Note "1:a"]\n[Note "2:b"]\n[note "3:c"]')) == 1
    assert one(f'{deal}[Note "1:a"]\n[note "3:c"]').notes == ("1:a", "3:c")
    interrupted = one(f'[Event "a"]\n{deal}\n[Auction "N"]\nPass\n\nPass 1C\n\n[Declarer "S"]\n')
    assert interrupted.sections["Auction"] == ("Pass", "Pass 1C") and interrupted.declarer == 2
    for nothing in ("", "\n\n", "% only\n; comments\n{here}\n", b"\xef\xbb\xbf"):
        assert read_pbn(nothing) == []


def test_inheritance() -> None:
    text = f"""\
[Event "A"]
[Site "##Bath"]
[Deal "{DEAL}"]
[OptimumResultTable "{"Declarer;Denomination;Result"}"]
N NT 7

[Event "#"]
[Deal "#"]
[OptimumResultTable "#"]

[Event "#"]
[Site "Ely"]
[Board "#"]

[Event "B"]
"""
    first, second, third, fourth = read_pbn(text)
    assert [g.tags["Event"] for g in (first, second, third, fourth)] == ["A", "A", "A", "B"]
    assert [g.tags["Site"] for g in (first, second, third, fourth)] == ["Bath", "Bath", "Ely", "Ely"]
    assert second.deal == first.deal and second.table == first.table == {"N": {"N": 7}}
    assert third.tags["Board"] == "" and third.deal is None
    header = '[Event "##A"]\n[Site "##Bath"]\n\n'
    assert one(f'{header}[Deal "{DEAL}"]').tags == {"Deal": DEAL, "Event": "A", "Site": "Bath"}


def test_cards_as_people_write_them() -> None:
    lower = DEAL.lower().replace("t", "10")
    turned = "w:" + " ".join([*DEAL[2:].split()[3:], *DEAL[2:].split()[:3]])
    for value in (lower, turned, DEAL.replace(":", ": ").replace(" ", "  ")):
        assert str(one(f'[deal "{value}"]').deal) == DEAL


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("5SX", Contract(5, 0, 1)),
        ("3NT", Contract(3, 4)),
        ("3n", Contract(3, 4)),
        ("7c**", Contract(7, 3, 2)),
        ("1HXX", Contract(1, 1, 2)),
        ("4♥", Contract(4, 1)),
        ("Pass", None),
        ("", None),
        ("?", None),
    ],
)
def test_contracts(text: str, contract: Contract | None) -> None:
    assert parse_contract(text) == contract
    game = one(f'[Deal "{DEAL}"]\n[Contract "{text}"]\n[Declarer "?"]')
    assert game.contract == contract and game.declarer is None and not game.problems
    assert game.trump == (contract.trump if contract else None)


def test_declarers() -> None:
    for text, seat in (("N", 0), ("w", 3), ("^S", 2), ("?", None), ("", None), ("-", None)):
        assert one(f'[Deal "{DEAL}"]\n[Declarer "{text}"]').declarer == seat
    bad = one(f'[Deal "{DEAL}"]\n[Declarer "Q"]\n[Contract "8S"]')
    assert str(bad.deal) == DEAL and bad.declarer is None
    assert [str(p) for p in bad.problems] == [
        "t.pbn:3: [Contract] expected a contract such as 4H, 3NTX or Pass, found '8S'",
        "t.pbn:2: [Declarer] expected a seat N, E, S or W, found 'Q'",
    ]
    with pytest.raises(InputError, match="8S"):
        bad.check()


# Tables


def test_tables() -> None:
    rows = "N NT 7\nE  S 10\nw d -\n"
    for header in ("", r"Declarer;Denomination\2R;Result\2R", "declarer denomination result"):
        assert one(f'[OptimumResultTable "{header}"]\n{rows}').table == {"N": {"N": 7}, "S": {"E": 10}}
    swapped = one('[OptimumResultTable "+Result;Score;Denomination;-Declarer"]\n7 x NT N\n')
    assert swapped.table == {"N": {"N": 7}}
    unknown = one('[ScoreTable "Rank;Section"]\n1 A\n[MyTable ""]\n"a;b" 2\n')
    assert unknown.table is None and not unknown.problems
    assert unknown.sections == {"ScoreTable": ("1 A",), "MyTable": ('"a;b" 2',)}


def test_double_dummy_tricks() -> None:
    table = one('[DoubleDummyTricks "0123456789ABCD012340"]').table
    assert table is not None
    assert table["N"] == {"N": 0, "S": 5, "E": 10, "W": 1}
    assert table["C"] == {"N": 4, "S": 9, "E": 0, "W": 0}
    assert one('[DoubleDummyTricks "--------------------"]').table is None
    half = one('[DoubleDummyTricks "7*******************"]')
    assert half.table == {"N": {"N": 7}}


@pytest.mark.parametrize(
    ("text", "tag", "code", "says"),
    [
        ('[DoubleDummyTricks "123"]', DDT, "pbn_syntax", "20 hexadecimal digits from 0 to d, found 3"),
        ('[DoubleDummyTricks "e0000000000000000000"]', DDT, "pbn_syntax", "found 'e' in 'e000"),
        ('[OptimumResultTable ""]\nN NT', ORT, "pbn_syntax", "expected 3 columns in every row"),
        ('[OptimumResultTable ""]\nN NT 14', ORT, "pbn_syntax", "expected tricks from 0 to 13"),
        ('[OptimumResultTable ""]\nN NT -975', ORT, "pbn_syntax", "found '-975' in 'N NT -975'"),
        ('[OptimumResultTable ""]\nN Q 7', ORT, "trump", "expected a trump"),
        ('[OptimumResultTable ""]\nQ N 7', ORT, "seat", "expected a seat"),
        ('[OptimumResultTable "A;B"]\nQ N', ORT, "pbn_syntax", "found 'A;B'"),
        ('[OptimumResultTable ""]\nS NT 8\n[DoubleDummyTricks "77777777777777777777"]', DDT,
         "table_mismatch", "found a difference: 8 and 7 tricks for S in N"),
        ('[Trump "Q"]', "Trump", "trump", "expected a trump S, H, D, C or N, found 'Q'"),
        ('[Contract "1S"]\n[Play "N"]\nSA X2 S3 S4', "Play", "unknown_suit", "found 'X2'"),
        ('[Contract "1S"]\n[Play "N"]\nSA S6 SQ SQ', "Play", "duplicate_card", "found 'SQ' played twice"),
    ],
)  # fmt: skip
def test_problems_leave_the_deal_alone(text: str, tag: str, code: str, says: str) -> None:
    game = one(f'[Deal "{DEAL}"]\n{text}\n')
    assert str(game.require_deal()) == DEAL
    (problem,) = game.problems
    assert (problem.field, problem.code, problem.file) == (tag, code, "t.pbn")
    assert problem.message.startswith(f"[{tag}] ") and says in problem.message
    assert f'[{tag} "' in f'[Deal "{DEAL}"]\n{text}'.split("\n")[(problem.line or 0) - 1]


# Play


def test_play_is_put_in_order() -> None:
    text = f"""[Deal "{DEAL}"]\n[Contract "5S"]\n[Play "N"]
H2 =1= H4! HK $7 HA
D2 DQ  DA!? D9
-  -   S2 -
"""
    game = one(text)
    assert game.play == parse_cards("H2 H4 HK HA D9 D2 DQ DA") and not game.problems
    assert one(text.replace("D2 DQ", "* D2 DQ")).play == parse_cards("H2 H4 HK HA")
    assert one(text.replace("5S", "")).play == parse_cards("H2 H4 HK HA")  # no trump known: no second leader
    by_declarer = one(text.replace('[Play "N"]', '[Declarer "W"]\n[Play ""]'))
    assert by_declarer.play == game.play and by_declarer.leader is None
    assert one(text.replace('[Play "N"]', '[Play ""]')).play == ()


# Three hands


def test_three_hands() -> None:
    game = one(THREE_PBN)
    assert str(game.deal) == THREE
    assert (game.game, game.trump, game.dealer) == ("raf", SPADES, 0)
    assert game.discard == parse_hand(".87..Q4")
    assert str(game.as_played()) == str(Deal.parse(THREE).with_discard(parse_hand(".87..Q4")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('Undealt "S8HJH2DT"', 'CardsAdded "N:S8HJH2DT"'),
        ('Undealt "S8HJH2DT"', 'undealt "s8, HJ H2 d10"'),
        ('Undealt "S8HJH2DT"', 'Undealt "8.J2.T."'),
        ("N:H8H7CQC4", "N:.87..Q4"),
        ("N:H8H7CQC4", "H8 H7 CQ C4"),
        ('Dealer "N"', 'Dealer "?"'),
        ('[Game "raf"]', '[Game "?"]'),
        ('Trump "S"', 'Contract "1S"'),
    ],
)
def test_other_spellings_of_three_hands(old: str, new: str) -> None:
    assert old in THREE_PBN
    game = one(THREE_PBN.replace(old, new))
    assert str(game.require_deal()) == THREE and game.trump == SPADES and game.discard == parse_hand(".87..Q4")


def test_seventeen_cards_and_any_first_seat() -> None:
    hands = ["AKQJT98765432.AKQJ..", ".T98765432.AKQJT987.", "..65432.AKQJT9876543", "-"]
    for turn in range(4):
        value = f"{'NESW'[turn]}:{' '.join(hands[turn:] + hands[:turn])}"
        game = one(f'[Deal "{value}"]\n[Game "nine_five_three_no_kitty"]\n[Undealt "C2"]\n')
        assert game.as_played().size == 17 and game.require_deal().kitty == parse_hand("...2")


def test_three_hand_seats_and_tables() -> None:
    text = THREE_PBN + '[Declarer "S"]\n[OptimumResultTable ""]\nN S 16\nE NT 2\n'
    game = one(text + '[Play "E"]\nHT H5 - HK\nC2 C3 - SQ\n')
    assert game.declarer == 2 and game.table == {"S": {"D": 16}, "N": {"E": 2}}
    assert [card_name(each) for each in game.play] == ["HT", "H5", "HK", "SQ", "C2", "C3"]
    assert one(text + '[Play "E"]\nHT H5 HK\nC2 C3 SQ\n').play == game.play


@pytest.mark.parametrize(
    ("text", "line", "code", "says"),
    [
        ("[Board \"1\"]", 1, "deal_missing", "expected a game with a Deal tag, found none"),
        ('\n[Deal "N:A... K... Q... -"]', 2, "unknown_hand",
         "[Deal] expected the cards of all four hands, found '-' for W, which cannot be solved; a three"),
        ('[Deal "N:A... - Q... -"]', 1, "unknown_hand", "found '-' for E, W"),
        ('[Game "x"]\n[Deal "N:A... - Q... K..."]', 2, "unknown_hand", "only W vacant, found '-' for E"),
        ('[Game "x"]\n[Deal "N:A... - Q... -"]', 2, "unknown_hand", "found '-' for E, W"),
        ('[Deal "N:A... K... -"]', 1, "deal_syntax", "expected four hands"),
        ('[Deal "E:A... K... Q..."]', 1, "deal_syntax", "expected four hands"),
        ('[Deal ""]', 1, "empty", "[Deal] expected a deal"),
        ('[Deal]', 1, "empty", "[Deal] expected a deal"),
        ('[Deal "N:A... K... Q... A..."]', 1, "duplicate_card", "found 'SA' in hand N and in hand W"),
        ('[Deal "N:A... K... Q... JT..."]', 1, "unequal_hands", "found 2 in hand W, 1 too many"),
        ('[Deal "N:A... K... Q... X..."]', 1, "unknown_rank", "found 'X' in the spades of hand W"),
        ('[Deal "N:A... K... Q... J....J1"]', 1, "joker", "found a fifth field"),
        ('[Game "x"]\n[Deal "N:A... K... QJ... -"]', 2, "unequal_hands", "found 2 in hand M, 1 too many"),
        ('[Game "x"]\n[Deal "N:A... K... Q.. -"]', 2, "suit_fields", "found 3 in hand M: 'Q..'"),
        (GAME + '[Undealt "SA"]', 2, "duplicate_card", "in hand D and in the kitty"),
        (GAME + '[Undealt "XA"]', 3, "unknown_suit", "[Undealt] expected a suit"),
        (GAME + '[CardsAdded "E:ST"]', 3, "seat", "[CardsAdded] expected cards of"),
        (GAME + '[Dealer "E"]', 3, "seat", "[Dealer] expected the dealer of a three"),
    ],
)  # fmt: skip
def test_deals_that_cannot_be_solved(text: str, line: int, code: str, says: str) -> None:
    error = deal_error(text)
    assert (error.code, error.file, error.line) == (code, "t.pbn", line)
    assert says in error.message and str(error) == f"t.pbn:{line}: {error.message}"


def test_a_discard_at_fault_is_told_with_its_line() -> None:
    for old, new, code, line in (
        ("N:H8H7CQC4", "N:H8H7CQS8", "discard_not_held", 5),
        ("N:H8H7CQC4", "N:H8H7CQ", "discard_size", 5),
        ('[CardsRemoved "N:H8H7CQC4"]\n', "", "discard_missing", 1),
    ):
        game = one(THREE_PBN.replace(old, new))
        with pytest.raises(InputError) as caught:
            game.as_played()
        assert (caught.value.code, caught.value.line) == (code, line)
        assert str(caught.value).startswith(f"t.pbn:{line}: [CardsRemoved] ")
    assert one(THREE_PBN.replace("N:H8H7CQC4", "N:H8H7CQS8")).as_played(kitty_first=True).size == 16
    wrong = one(THREE_PBN.replace("N:H8", "E:H8"))
    assert wrong.discard is None and wrong.problems[0].field == "CardsRemoved"


# What is no PBN


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        ("hello\n", 1, "expected a tag pair such as [Deal \"...\"], found 'hello'"),
        ('\n[Deal "N:', 2, "found '[Deal \"N:'"),
        ('[Event "x"]\n[Deal N:A]\n', 2, "found '[Deal N:A]'"),
        ('[Event "x"]\n{ open\n[Deal "x"]', 2, "expected '}' for the comment that starts here, found none"),
        ('[Event "a\0b"]', 1, "found a zero character"),
        ("[" * 10**6, 1, "expected lines of at most 20000 characters, found 1000000"),
        (b"\xff\xfe[\0D", None, "expected text in UTF-16"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), None, "expected"),
    ],
)
def test_what_is_no_pbn(source: str | bytes, line: int | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_pbn(source, "t.pbn")
    assert caught.value.file == "t.pbn" and (line is None or caught.value.line == line)
    assert says in str(caught.value) and len(str(caught.value)) < 200


pieces = st.sampled_from(
    ['[Deal "', DEAL, '"]', "\n", "[Event ", '"#"', "{", "}", ";", "%", '[Play "N"]\n', "H2 HK HA H4 ", "*", "-",
     "\\", '[OptimumResultTable ""]\n', "N NT 7\n", '[Contract "1S"]', "[Note", '"##x"', GAME, "[Undealt", "\r", "=1="]
)  # fmt: skip


@given(st.binary() | st.text() | st.lists(pieces, max_size=30).map("".join))
@settings(max_examples=300)
def test_anything_is_read_or_refused(source: bytes | str) -> None:
    try:
        games = read_pbn(source)
    except InputError as error:
        assert error.file == "<pbn>" and error.code
        return
    for game in games:
        try:
            game.require_deal()
        except InputError as error:
            assert error.file == "<pbn>" and error.line
        if not game.tags.keys() & {"Event", "Board", "Deal"}:
            game.tags["Event"] = "?"  # is added, so that the game stands by itself
        if game.deal and len(game.deal.hands) == 3:
            game.tags["Dealer"] = "N"
    assert read_pbn(write_pbn(games)) == games
