"""PBN written, and read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.solver.test_deal import deals
from tests.solver.test_pbn import DEAL, THREE, THREE_PBN, one
from tierce.solver.cards import HEARTS, SPADES, cards_of, mask_of, parse_cards, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.pbn import Contract, PbnGame, read_pbn, write_pbn
from tierce.solver.pbn_values import seats_after, trick_winner


@st.composite
def games(draw: st.DrawFn) -> PbnGame:
    deal = draw(deals())
    hands = len(deal.hands)
    discard = None
    if deal.discard_size and deal.discard_size <= deal.size and draw(st.booleans()):
        discard = mask_of(cards_of(deal.hands[0])[: deal.discard_size])
    trump = draw(st.integers(0, 4))
    tricks = st.dictionaries(st.sampled_from(deal.seats), st.integers(0, deal.size), min_size=1)
    held = Deal(deal.hands) if discard is None and deal.kitty else deal.with_discard(discard)
    leader = draw(st.integers(0, hands - 1))
    play: list[int] = []
    seat = leader
    for _ in range(draw(st.integers(0, held.size))):
        trick = []
        for each in seats_after(seat, hands):
            card = draw(st.sampled_from(cards_of(held.hands[each] & ~mask_of(play))))
            trick.append((each, card))
            play.append(card)
        seat = trick_winner(trick, trump)
    return PbnGame(
        deal=deal,
        game=draw(st.sampled_from(["raf", "Solo Whist", 'a "b" \\'])) if hands == 3 else draw(st.none() | st.just("x")),
        trump=trump,
        declarer=draw(st.integers(0, hands - 1)),
        dealer=draw(st.integers(0, 3)) if hands == 4 else 0,
        leader=leader,
        contract=Contract(draw(st.integers(1, 7)), trump, draw(st.integers(0, 2))) if hands == 4 else None,
        discard=discard,
        play=tuple(play),
        table=draw(st.none() | st.dictionaries(st.sampled_from("SHDCN"), tricks, min_size=1)),
        tags={"Site": draw(st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])))},
        notes=tuple(draw(st.lists(st.sampled_from(["1: a", "2: [b]"]), max_size=2))),
    )


@given(st.lists(games(), max_size=3), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_games_round_trip(written: list[PbnGame], encoding: str, crlf: bool) -> None:
    if any(g.tags["Site"].startswith("##") or g.tags["Site"] == "#" for g in written):
        return
    text = write_pbn(written)
    source = text.replace("\n", "\r\n" if crlf else "\n").encode(encoding)
    back = read_pbn(source)
    assert len(back) == len(written)
    for found, game in zip(back, written, strict=True):
        assert not found.problems
        assert replace(found, tags=game.tags, sections={}) == game
        assert found.tags["Site"] == game.tags["Site"]
        assert ("Game" in found.tags) >= (len(game.deal.hands) == 3 if game.deal else False)
    assert write_pbn(back) == text


def test_what_is_written() -> None:
    game = PbnGame(
        deal=Deal.parse(THREE),
        game="raf",
        trump=SPADES,
        discard=parse_hand(".87..Q4"),
        play=parse_cards("HT H5 HK SQ"),
    )
    assert (
        write_pbn([game])
        == f"""\
% PBN 2.1

{THREE_PBN}[Play "E"]
HT H5 - HK
- - - SQ
*
"""
    )
    assert '[Game "?"]' in write_pbn([PbnGame(deal=Deal.parse(THREE))])


def test_fields_overrule_tags() -> None:
    game = one(f'[Deal "W:{DEAL[2:]}"]\n[Contract "5S"]\n[Declarer "N"]\n[Play "E"]\n[Auction "N"]\nPass\n')
    assert 'Deal "W:' in write_pbn([game])
    changed = one(write_pbn([replace(game, trump=HEARTS, declarer=2, deal=Deal.parse(DEAL), leader=3)]))
    assert (changed.trump, changed.declarer, changed.leader, str(changed.deal)) == (HEARTS, 2, 3, DEAL)
    assert changed.tags["Contract"] == "5S" and changed.tags["Trump"] == "H"
    assert changed.sections["Auction"] == ("Pass",)


def test_what_cannot_be_written() -> None:
    for tags in ({"Site": "a\nb"}, {"Site": "#"}, {"Site": "##x"}, {"two words": "x"}):
        with pytest.raises(InputError):
            write_pbn([PbnGame(tags=tags)])
    deal = Deal.parse(DEAL)
    with pytest.raises(InputError, match="expected a trump"):
        write_pbn([PbnGame(deal=deal, leader=0, play=parse_cards("H2 H4 HK HA D9"))])
