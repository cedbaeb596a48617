"""Records in PBN: the tags, what others write, and what is refused with its line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.records.support import finished, record_by_lot
from tierce.solver.games import (
    Record,
    RecordError,
    Stated,
    load_game,
    read_record,
    read_records,
    replay,
    write_record,
    write_records,
)
from tierce.solver.pbn import read_pbn

RAF = finished(load_game("raf"), 1, deals=2)
TEXT = write_record(RAF, "pbn")
SECOND = TEXT.index('[Board "2"]')


def changed(old: str, new: str, *, second: bool = False) -> str:
    """The text with the first match of a pattern replaced; `second`: in the second deal."""
    at = SECOND if second else 0
    rest, count = re.subn(old, new, TEXT[at:], count=1, flags=re.MULTILINE)
    assert count == 1
    return TEXT[:at] + rest


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        for record in read_records(text, "hand.pbn"):
            replay(record)
    error = caught.value
    assert (error.file, error.line is not None) == ("hand.pbn", True)
    assert str(error).startswith(f"hand.pbn:{error.line}:")
    assert "expected" in error.message
    return error


def test_the_tags() -> None:
    game = read_pbn(TEXT)[1]
    deal = RAF.deals[1]
    assert game.deal == deal.deal
    assert (game.tags["Dealer"], game.tags["Game"], game.tags["Match"]) == ("N", "raf", "1")
    assert game.tags["CardsAdded"] == "N:" + game.tags["Undealt"]
    assert game.tags["CardsRemoved"].startswith("N:")
    one, back = game.tags["CardsPassed"].split()[:2]
    assert one[:4] == f"{back[2]}:{back[0]}:"
    assert read_pbn(TEXT)[0].play == RAF.deals[0].play
    assert TEXT.count("[Deal ") == 2


def test_play_has_a_column_a_seat() -> None:
    rows = read_pbn(TEXT)[0].sections["Play"]
    assert TEXT.count('[Play "E"]') == 2
    state = replay(RAF).deals[0].state
    assert state.dealt is not None
    for row in rows[:-1]:
        east, south, west, north = row.split()
        assert west == "-"
        for seat, name in enumerate((north, east, south)):
            held = next(trick for trick in state.tricks if name in map(name_of, trick.cards))
            assert name_of(held.cards[(seat - held.leader) % 3]) == name


def name_of(card: int) -> str:
    return "SHDC"[card >> 4] + "23456789TJQKA"[card & 15]


def test_matches_stay_apart() -> None:
    other = finished(load_game("six_three_eight"), 2, deals=2)
    single = finished(load_game("raf"), 3)
    given = (RAF, other, single, single, RAF)
    text = write_records(given, "pbn")
    assert read_records(text) == given
    assert [len(record.deals) for record in read_records(re.sub(r"\[Match.*\n", "", text))] == [1] * 8


def test_names_go_by_player_not_by_seat() -> None:
    record = replace(RAF, players=("Amber", "Blue", "Cyan"))
    text = write_record(record, "pbn")
    dealers = [deal.dealer for deal in RAF.deals]
    assert [game.tags["North"] for game in read_pbn(text)] == [("Amber", "Blue", "Cyan")[d or 0] for d in dealers]
    assert read_record(text) == record
    assert refused(text.replace('[South "Amber"]', '[South "Dun"]', 1)).code == "match"


def test_names_may_come_late() -> None:
    record = replace(RAF, players=("Amber", "Blue", "Cyan"))
    text = write_record(record, "pbn")
    first = re.sub(r"\[(North|East|South) .*\n", "", text.split('[Board "2"]')[0])
    assert read_record(first + '[Board "2"]' + text.split('[Board "2"]')[1]) == record


def test_cards_after_an_empty_row() -> None:
    row = "- - - -\n"
    assert read_record(TEXT.replace("\n*", f"\n{row}*")) == RAF
    assert refused(changed(r"^(?=.. .. - ..$)", row, second=True)).code == "wrong_turn"


def test_stated_results() -> None:
    result = replay(RAF).deals[1].result
    assert result is not None
    for stated in (Stated(result.tricks), Stated((9, None, None)), Stated((9, 4, 3), (1, -1, 0), (3, -1, -2))):
        record = replace(RAF, deals=(RAF.deals[0], replace(RAF.deals[1], stated=stated)))
        assert read_record(write_record(record, "pbn")) == record
    alone = read_record(TEXT.rstrip().replace('[Board "2"]', '[Board "2"]\n[Result "9"]'))
    assert alone.deals[1].stated == Stated((9, None, None))


# ---- as others write -------------------------------------------------------------------------------------------------

FOREIGN = """% PBN 2.1
[Event "A club evening"]
[Site ""]
[Dealer "N"]
[Deal "N:K.T8.T754.K98532 T8752.J976.AKQ83.Q AJ63.AQ5.962.AQT764 -"]
"""


def foreign(tags: str = "", *, deal: str = "") -> Record:
    deal = deal or "N:KQ964.T8.T754.K9853 T8752.J976.AKQ83.J7 AJ3.AQ53.962.AQT642 -"
    return read_record(f'{{a comment}}\r\n[Event "Club"]\r\n[Deal "{deal}"]\r\n[Game "raf"]\r\n{tags}')


def test_a_bare_deal() -> None:
    record = foreign('[Undealt "HKH4 H2, DJ"]')
    state = replay(record).deals[0].state
    assert (state.phase, record.players) == ("TRUMP", None)
    record = foreign('[CardsAdded "N:HKH4H2DJ"]\n[CardsRemoved "S9 S6 S4 C5"]\n[Trump "diamonds"]\n[North "?"]')
    state = replay(record).deals[0].state
    assert (state.phase, state.call) == ("PLAY", "D")
    assert state.kitty == 0


def test_three_columns_and_annotations() -> None:
    tags = '[Undealt "HKH4H2DJ"]\n[CardsRemoved "N:S9S6S4C5"]\n[Trump "D"]\n[Play "E"]\n'
    for rows in ("H9! H5 H4\nD8 D6 =1= D5\n*", "H9 H5 - H4 D8 D6 - D5\n+", "H9 H5 - H4 ; good\nD8 D6 -- D5"):
        record = foreign(tags + rows)
        assert [name_of(card) for card in record.deals[0].play] == ["H9", "H5", "H4", "D8", "D6", "D5"]
        replay(record)


def test_an_auction_with_passes_left_out() -> None:
    record = record_by_lot(load_game("woburn", {"bid_reentry": True}), 4, deals=1, passes=0.5)
    assert record is not None
    assert read_record(write_record(record, "pbn")) == record


def test_games_without_cards_of_ours_are_refused() -> None:
    assert refused(FOREIGN).code == "game_missing"
    assert refused('[Deal "N:A... K... Q... J..."]\n[Game "raf"]').code == "wrong_deal"
    assert refused('[Event "x"]\n[Game "raf"]').code == "deal_missing"
    assert refused('[Event "x"').code == "pbn_syntax"
    assert read_records("% PBN 2.1\n") == ()


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "old, new, code, field",
    [
        (r"\[Game .*", '[Game "bridge"]', "game", "game"),
        (r"\[Game .*", '[Game "woburn"]', "match", "game"),
        (r"\[Game .*", '[Game "raf"]\n[GameRules "{"]', "json_syntax", "game"),
        (r"\[Game .*", '[Game "raf"]\n[GameRules "{}"]', "game", "game"),
        (r"\[Game .*", '[Game "raf"]\n[Options "end"]', "option", "options"),
        (r"\[Game .*", '[Game "raf"]\n[Options "end=sixteen"]', "match", "options"),
        (r"\[Game .*", '[Game "raf"]\n[Options "end=never"]', "option", "options"),
        (r"\[DealerPlayer .*", '[DealerPlayer "3"]', "wrong_type", "dealer"),
        (r"\[DealerPlayer .*", '[DealerPlayer "North"]', "pbn_syntax", "DealerPlayer"),
        (r"\[CardsPassed .*", '[CardsPassed "N:DQ"]', "pbn_syntax", "exchange"),
        (r"\[CardsPassed .*", '[CardsPassed "W:N:DQ"]', "seat", "exchange"),
        (r"\[CardsPassed .*", '[CardsPassed "N:S:XX"]', "card_syntax", "exchange"),
        (r"\[CardsRemoved .*", '[CardsRemoved "S:H2"]', "seat", "CardsRemoved"),
        (r"\[CardsAdded .*", '[CardsAdded "E:H2"]', "seat", "kitty"),
        (r"\[CardsAdded .*", '[CardsAdded "N:H2"]', "wrong_kitty", "kitty"),
        (r"\[Trump .*", '[Trump "X"]', "trump", "Trump"),
        (r"\[Trump .*", '[Trump "N"]', "illegal_trump", "trump"),
        (r"\[Trump .*", "", "missing", "trump"),
        (r"\[Deal .*", '[Deal "N:A... K... - -"]', "unknown_hand", "Deal"),
        (r"\[Play .*", '[Play "W"]', "seat", "play"),
        (r"\[Play .*", '[Play "S"]', "wrong_turn", "play"),
        (r"^\*", "SA SK - SQ\n*", "too_many_tricks", "play"),
        (r"^(.. ..) - (..)$", r"\1 \2 -", "wrong_turn", "play"),
        (r"^(..) (.. - ..)$", r"- \2", "wrong_turn", "play"),
        (r"^(.. ..) - (..)$", r"\1 - -", "wrong_turn", "play"),
        (r"^(..) (.. - ..)$", r"H1 \2", "unknown_rank", "play"),
        (r"\[Match ", '[Claim "N:1 E:1"]\n[Match ', "missing", "claim"),
        (r"\[Match ", '[Claim "N:1 N:1"]\n[Match ', "pbn_syntax", "claim"),
        (r"\[Match ", '[Result "NS 9"]\n[Match ', "seat", "tricks"),
        (r"\[Match ", '[TotalsAfter "1 2"]\n[Match ', "wrong_type", "result"),
        (r"\[Match ", '[Swap "maybe"]\n[Match ', "pbn_syntax", "swap"),
        (r"\[Match ", '[Swap "yes"]\n[Match ', "not_due", "swap"),
        (r"\[Match ", '[Shown "HA"]\n[Match ', "pbn_syntax", "shown"),
        (r"\[Match ", '[MatchDeal "2"]\n[Match ', "context", "context"),
        (r"\[Match ", '[Call "MIZ"]\n[Match ', "illegal_trump", "trump"),
    ],
)
def test_refused(old: str, new: str, code: str, field: str) -> None:
    error = refused(changed(old, new, second=True))
    assert (error.code, error.field, error.deal) == (code, field, 2), str(error)


def test_refused_at_the_line_of_its_game() -> None:
    error = refused(changed(r"\[Trump .*", '[Trump "N"]', second=True))
    assert error.line == TEXT[:SECOND].count("\n") + 1


CONTEXT = {
    "MatchDeal": "3",
    "Totals": "2 -1 -1",
    "Previous": "dealer=0 call=S quotas=8/5/3 tricks=10/4/2 balances=2/-1/-1 first_over=D",
}


def with_context(**tags: str) -> str:
    lines = "".join(f'[{name} "{value}"]\n' for name, value in (CONTEXT | tags).items() if value)
    return changed(r"\[Game ", lines + "[Game ").split('[Board "2"]')[0].replace('[DealerPlayer "', '[Was "')


def test_a_context() -> None:
    text = re.sub(r"(\[(Cards|Trump|Play)|^\w\w ).*|^\*", "", with_context(), flags=re.MULTILINE)
    record = read_record(text)
    assert record.context is not None
    assert (record.context.number, record.context.totals) == (3, (2, -1, -1))
    assert record.context.previous.first_over == 0
    assert replay(record).deals[0].state.phase == "EXCHANGE"
    assert read_record(write_record(record, "pbn")).context == record.context
    swapped = read_record(text.replace("first_over=D", "first_over=N"))
    assert swapped == record


@pytest.mark.parametrize(
    "tags, code",
    [
        ({"Totals": ""}, "missing"),
        ({"Totals": "1 2 x"}, "pbn_syntax"),
        ({"MatchDeal": "x"}, "pbn_syntax"),
        ({"Previous": "dealer=0 tricks=1/2"}, "pbn_syntax"),
        ({"Previous": "dealer=0 trick=10/4/2"}, "unknown_field"),
        ({"Previous": "dealer=0"}, "missing"),
        ({"CallsUsed": "S/-"}, "wrong_type"),
        ({"CallsUsed": "S,H/-/-"}, "context"),
        ({"CallsUsed": "X/-/-"}, "wrong_type"),
    ],
)
def test_a_context_refused(tags: dict[str, str], code: str) -> None:
    error = refused(with_context(**tags))
    assert error.code == code, str(error)


@pytest.mark.parametrize(
    "rows, code",
    [
        ("8 9 - Pass\n", "wrong_turn"),
        ("8 Pass 9 Pass\n", "wrong_turn"),
        ("8 - - Pass\n", "wrong_turn"),
        ("8 Pass Pass -\n8", "not_due"),
        ("eight Pass Pass -\n", "illegal_bid"),
        ("Pass Pass 8 -\n", "wrong_dealer"),
        ("8 Pass -\nPass Pass Pass", "wrong_turn"),
    ],
)
def test_an_auction_refused(rows: str, code: str) -> None:
    dealt = write_record(finished(load_game("woburn"), 1), "pbn")
    text = dealt[: dealt.index("[Auction")].replace("[Trump", "[Was") + f'[Auction "N"]\n{rows}'
    text = re.sub(r"\[Cards(Added|Removed).*\n", "", text)
    error = refused(text)
    assert (error.code, error.field) == (code, "bids"), str(error)


def test_our_tags_may_be_in_any_case() -> None:
    other = re.sub(r"^\[(Match|CardsPassed|DealerPlayer) ", lambda tag: tag[0].lower(), TEXT, flags=re.MULTILINE)
    assert other != TEXT
    assert [each.deals for each in read_records(other)] == [each.deals for each in read_records(TEXT)]


@pytest.mark.parametrize("value", ["?", "", "-"])
def test_a_match_nobody_knows_joins_nothing(value: str) -> None:
    text = re.sub(r'^\[Match "1"\]', f'[Match "{value}"]', TEXT, flags=re.MULTILINE)
    text = re.sub(r"^\[CardsPassed .*\n", "", text, flags=re.MULTILINE)
    assert [len(record.deals) for record in read_records(text)] == [1, 1]


def test_names_without_the_number_of_the_dealer() -> None:
    named = replace(RAF, players=("North", "East", "South"))
    text = re.sub(r"^\[DealerPlayer .*\n", "", write_record(named, "pbn"), flags=re.MULTILINE)
    record = read_record(text)
    assert len(record.deals) == 2
    assert sorted(record.players or ()) == ["East", "North", "South"]
    assert replay(record).deals[1].result is not None
    wrong = text[: text.rindex("[North")] + text[text.rindex("[North") :].replace('"South"', '"West"', 1)
    assert refused(wrong).code == "match"
