"""Worlds in the play worked out by hand: counts, where a card can be, views that contradict themselves."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from tests.games.scenes import D, E, M, card, deal_of, game, go, refusal, second_deal
from tests.games.words import mask, names
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.games import (
    DealCards,
    Discard,
    NameTrump,
    Play,
    Send,
    State,
    Swap,
    Trick,
    View,
    apply,
    legal,
    new_match,
    read_records,
    replay,
    settle,
    view,
)


def places_of(worlds: PlayWorlds, one: Mask, draws: int = 200) -> Counter[str]:
    """Where a card is at the first lead in many worlds; K: it was in the kitty."""
    stream, found = Draws(11), Counter[str]()
    for _ in range(draws):
        world = worlds.draw(stream)
        places = {
            **dict(zip("DEM", world.hands_at_lead, strict=True)),
            "K": world.kitty,
            "discard": world.discard,
            "out": world.removed,
        }
        found.update(place for place, cards in places.items() if cards & one)
    return found


def to_play(state: State) -> State:
    """On to the play: spades trump, the dealer's lowest cards laid away, no swap."""
    while (state := settle(state)).phase != "PLAY":
        if state.phase == "DISCARD":
            away = sorted(cards_of(state.hands[0]), key=lambda each: each & 15)[: state.profile.kitty]
            state = apply(state, Discard(D, mask_of(away)))
        else:
            state = apply(state, NameTrump(D, 0) if state.phase == "TRUMP" else legal(state)[0].choices[-1])
    return state


def played(state: State, tricks: int) -> State:
    """The state so many tricks later, everybody playing his first legal card."""
    for _ in range(3 * tricks):
        state = apply(state, legal(state)[0].choices[0])
    return state


def first(name: str, deal: Any = None, **options: Any) -> State:
    """The first lead of a first deal."""
    profile = game(name, **options)
    return to_play(apply(new_match(profile), DealCards(deal or deal_of(profile))))


# ---- counts ----------------------------------------------------------------------------------------------------------


def test_before_the_first_lead_everything_unseen_is_open() -> None:
    """Hands, kitty and discard: the dealer knows the last two."""
    state = first("raf")
    assert PlayWorlds(view(state, E)).count == comb(36, 16) * comb(20, 4) * comb(16, 4)
    assert PlayWorlds(view(state, D)).count == comb(32, 16)
    assert PlayWorlds(view(first("six_three_eight"), M)).count == comb(34, 17)
    hidden = first("six_three_eight", removed_card="random_hidden")
    assert PlayWorlds(view(hidden, M)).count == comb(35, 17) * 18


def test_a_view_that_does_not_say_how_far_the_others_have_come() -> None:
    """E owes M a card and then D: to D the moment before and the one between look the same. After the first exchange
    there are sixteen parcels for each layout."""
    state = second_deal(game("wiki_358"), (-1, 2, -1))
    between = settle(apply(state, Send(E, M, bit(cards_of(state.hands[E])[0]))))
    assert view(state, D) == view(between, D) and state.transfers != between.transfers
    worlds = PlayWorlds(view(state, D))
    assert worlds.count == comb(36, 16) * comb(20, 16) * 17
    draws = Draws(6)
    sent = [worlds.draw(draws).transfers[0].sent for _ in range(300)]
    assert 5 < sent.count(0) < 50


def test_a_kitty_taken_before_the_discard_is_not_told_from_the_hand() -> None:
    worlds = PlayWorlds(view(first("nine_five_two"), E))
    assert worlds.count == comb(36, 16) * comb(20, 4)
    assert worlds.draw(Draws(1)).kitty == 0


def test_a_card_played_was_not_discarded() -> None:
    """E has seen a card of D's and one of M's: D's came from his hand, and was not laid away, or from the kitty."""
    state = first("raf")
    while not state.tricks:
        state = apply(state, legal(state)[0].choices[0])
    assert not any(view(state, E).voids)
    from_hand = comb(34, 15) * comb(19, 4) * comb(15, 4)
    from_kitty = comb(34, 15) * comb(19, 3) * comb(16, 4)
    assert PlayWorlds(view(state, E)).count == from_hand + from_kitty


def test_the_end_of_a_hand_is_listed() -> None:
    """17 tricks, three to go: of six unseen cards each other hand has three, and nobody has shown a void in a suit
    that is left."""
    seen = view(played(first("nine_five_three_no_kitty"), 14), D)
    worlds = list(PlayWorlds(seen))
    assert len({world.hands_now for world in worlds}) == PlayWorlds(seen).count == len(worlds) == comb(6, 3)


def test_any_card_that_the_taker_has_played_may_have_lain_face_up() -> None:
    """M took DA for the two and played it: fourteen cards of his are out, and a view does not say which it was. Before
    it is played it is known."""
    profile = game("nine_five_three_one_card")
    deal = deal_of(profile, m="D2", kitty="DA")
    state = apply(apply(apply(new_match(profile), DealCards(deal)), NameTrump(D, 0)), Swap(M, True))
    assert PlayWorlds(view(state, E)).count == comb(33, 16)  # M's: the two and sixteen others
    state = played(state, 14)
    assert bit(card("DA")) & ~state.hands[M] & state.taken_up
    worlds = list(PlayWorlds(view(state, D)))
    layouts = {world.hands_now for world in worlds}
    assert len(worlds) == 14 * len(layouts) and len(layouts) > 1
    gone = Counter(names(world.kitty)[0] for world in worlds)
    assert len(gone) == 14 and "DA" in gone and set(gone.values()) == {len(layouts)}


# ---- where a card can be ---------------------------------------------------------------------------------------------


def returned_heart(name: str, kitty: str = "", **options: Any) -> State:
    """M was up on D: H2 went, HJ came back. HK, HQ and HT are elsewhere."""
    profile = game(name, **options)
    deal = deal_of(profile, d="HJ", m="H2 HA", e="HQ HT" if "HK" in kitty else "HK HQ HT", kitty=kitty)
    state = settle(apply(second_deal(profile, (-1, 0, 1), deal), Send(M, D, mask("H2"))))
    assert names(state.transfers[0].returned) == ["HJ"]
    return to_play(state)


def test_a_returned_card_caps_the_hand_but_not_the_kitty() -> None:
    worlds = PlayWorlds(view(returned_heart("nine_five_two"), M))
    found = places_of(worlds, mask("HK"))
    assert found["E"] > 0 and found["D"] + found["discard"] == found["K"] > 0
    low = places_of(worlds, mask("HT"))
    assert low["D"] + low["discard"] > low["K"] > 0


def test_kitty_cards_that_were_not_shown_are_not_there() -> None:
    """The show rule's silence: nothing above HJ came from the kitty, so it is E's."""
    state = returned_heart("raf")
    assert view(state, M).shown == 0
    assert set(places_of(PlayWorlds(view(state, M)), mask("HK"))) == {"E"}
    assert places_of(PlayWorlds(view(state, M)), mask("HT"))["K"] > 0
    assert places_of(PlayWorlds(view(state, E)), mask("HA"))["K"] > 0  # E knows nothing of what went to and fro


def test_kitty_cards_that_were_shown() -> None:
    state = returned_heart("raf", kitty="HK S3 S4 S5")
    assert names(view(state, M).shown) == ["HK"]
    assert places_of(PlayWorlds(view(state, M)), mask("HK")) == {"D": 200, "K": 200}
    first_look = returned_heart("raf", kitty="HK S3 S4 S5", kitty_first=True)
    found = places_of(PlayWorlds(view(first_look, M)), mask("HK"))
    assert found["K"] == 200 and found["D"] + found["discard"] == 200 and found["discard"] > 0


def test_a_void_shown_in_the_first_trick() -> None:
    """D shows out of hearts: what he had of them he has discarded, blind, so that none came from the kitty."""
    profile = game("raf")
    hearts = "HA HK HQ HJ HT H9 H8 H7"
    deal = deal_of(profile, e=hearts, m="H6 H5 H4", d="H2 H3", kitty="S2 S3 S4 S5")
    state = settle(apply(apply(new_match(profile), DealCards(deal)), NameTrump(D, 0)))
    others = mask_of(cards_of(state.hands[D] & ~mask("H2 H3"))[:2])
    state = settle(apply(state, Discard(D, mask("H2 H3") | others)))
    for seat, one in ((E, "HA"), (M, "H6")):
        state = apply(state, Play(seat, card(one)))
    state = apply(state, Play(D, min(cards_of(state.hands[D]))))
    worlds = PlayWorlds(view(state, E))
    assert view(state, E).voids[D] == 2
    for one in ("H2", "H3"):
        found = places_of(worlds, mask(one))
        assert found["M"] > found["discard"] > 0 and found["M"] + found["discard"] == 200
    assert set(places_of(PlayWorlds(view(state, M)), mask("HK"))) == {"E", "discard"}


def test_a_card_this_seat_sent_is_kept_or_discarded_but_not_with_another() -> None:
    state = returned_heart("raf")
    found = places_of(PlayWorlds(view(state, M)), mask("H2"))
    assert found["D"] > found["discard"] > 0 and found["D"] + found["discard"] == 200


def test_the_unseen_parcel_and_its_answer_are_filled_in() -> None:
    """E sees nothing of what M and D exchanged but that it was one card each way."""
    state = returned_heart("raf")
    world = PlayWorlds(view(state, E)).draw(Draws(5))
    (transfer,) = world.transfers
    assert transfer.sent.bit_count() == transfer.returned.bit_count() == 1
    assert not (transfer.sent | transfer.returned) & view(state, E).hand


def test_the_worlds_of_a_seed_never_change() -> None:
    worlds = PlayWorlds(view(returned_heart("raf"), E))
    one, two = ([worlds.draw(draws) for _ in range(3)] for draws in (Draws(4), Draws(4)))
    assert one == two and one != [worlds.draw(Draws(5)) for _ in range(3)]
    (transfer,) = one[0].transfers
    assert names(one[0].kitty) == ["SJ", "S2", "D7", "C2"] and names(one[0].discard) == ["ST", "H8", "H4", "CT"]
    assert (names(transfer.sent), names(transfer.returned)) == (["C9"], ["CK"])


# ---- views at fault --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["DEAL", "SHOW", "RETURN"])
def test_moments_at_which_nobody_decides(phase: str) -> None:
    if phase == "DEAL":
        state = new_match(game("raf"))
    elif phase == "SHOW":
        state = returned_heart("raf")
        seen = replace(view(state, M), phase="SHOW", counts=(16, 16, 16))
        assert refusal(lambda: PlayWorlds(seen))[2].endswith("found one in SHOW")
        return
    else:
        state = second_deal(game("nine_five_two_swap"), (-1, 0, 1))
        state = go(state, "TRUMP")
        state = apply(state, NameTrump(D, 0))
    assert state.phase == phase
    code, field, message = refusal(lambda: PlayWorlds(view(state, M)))
    assert (code, field) == ("view", "view") and message.startswith("expected a moment in one of the phases ")


def test_a_match_that_is_over() -> None:
    seen = replace(view(first("raf"), E), phase="OVER")
    assert refusal(lambda: PlayWorlds(seen))[2].endswith("found one in OVER")


def test_what_is_no_view() -> None:
    with pytest.raises(TypeError, match="expected a View"):
        PlayWorlds("raf")  # type: ignore[arg-type]


def faults(seen: View) -> str:
    code, field, message = refusal(lambda: PlayWorlds(seen))
    assert (code, field) == ("view", "view")
    return message


def test_hands_of_the_wrong_size() -> None:
    seen = view(first("raf"), E)
    assert faults(replace(seen, counts=(15, 16, 17))) == "expected hands of 16/16/16 cards, found 15/16/17"
    fewer = replace(seen, hand=seen.hand & seen.hand - 1)
    assert faults(fewer) == "expected 16 cards in the hand of the seat, found 15"
    assert faults(replace(view(first("raf"), D), discard=None)) == "expected a discard of 4 cards, found none"


def test_play_that_cannot_have_been() -> None:
    state = apply(first("raf"), legal(first("raf"))[0].choices[0])
    seen = view(state, M)
    led = state.trick[0]
    again = replace(seen, trick=(led, led), counts=(16, 15, 15), hand=seen.hand & seen.hand - 1)
    assert "to be played once, found" in faults(again)
    assert faults(replace(seen, voids=(1, 0, 0))) == "expected voids (0, 0, 0) after the cards played, found (1, 0, 0)"
    other = next(one for one in cards_of(seen.hand) if one >> 4 != led >> 4)
    revoke = replace(
        seen, trick=(led, other), counts=(16, 15, 15), hand=seen.hand & ~bit(other), voids=(0, 0, 1 << (led >> 4))
    )
    assert "of a suit that this seat did not follow in its hand, found" in faults(revoke)


def test_a_suit_followed_after_a_void_was_shown() -> None:
    state = played(first("raf"), 2)
    one, two = state.tricks
    suit = one.cards[0] >> 4
    place = (D - one.leader) % 3
    strange = next(c for c in cards_of(view(state, E).unseen) if c >> 4 != suit)
    cards = list(one.cards)
    kept, cards[place] = cards[place], strange
    later = list(two.cards)
    later[(D - two.leader) % 3] = kept
    tricks = (
        Trick(one.leader, (cards[0], cards[1], cards[2]), 1),
        Trick(two.leader, (later[0], later[1], later[2]), 1),
    )
    seen = replace(view(state, E), tricks=tricks)
    assert kept >> 4 == suit
    assert faults(seen).startswith("expected the dealer to have none of a suit he did not follow, found ")


def test_an_exchange_that_the_rules_forbid() -> None:
    seen = view(returned_heart("raf"), M)
    (parcel,) = seen.transfers
    assert "expected cards returned by the rules" in faults(
        replace(seen, transfers=(replace(parcel, returned=mask("S3")),))
    )
    assert "expected 1 cards sent and returned" in faults(
        replace(seen, transfers=(replace(parcel, returned=mask("S3 S4")),))
    )
    own = view(returned_heart("nine_five_three_no_kitty", removed_card="random_hidden"), D)
    (parcel,) = own.transfers
    low = next(bit(c) for c in cards_of(own.hand)[::-1] if c >> 4 == 1 and bit(c) != parcel.sent)
    wrong = replace(own, transfers=(replace(parcel, returned=low),), hand=own.hand & ~low | (parcel.returned or 0))
    assert faults(wrong).startswith("expected HJ to go back for H2, found H")


def test_a_card_with_no_place_is_named() -> None:
    """M is said to have been shown a kitty card that the dealer need not show."""
    seen = view(returned_heart("raf"), M)
    low = bit(next(c for c in cards_of(seen.unseen) if c >> 4 == 0))
    message = faults(replace(seen, shown=low))
    assert message == f"expected a place for {names(low)[0]} that fits all the seat has seen, found none"


def test_a_hand_that_cannot_be_filled() -> None:
    """E is said to have given the threes for the twos: no higher card can be in his hand, and fifteen more must be."""
    deal = deal_of(game("raf"), d="S2 H2 D2 C2", e="S3 H3 D3 C3")
    state = settle(apply(second_deal(game("raf"), (4, -4, 0), deal), Send(D, E, mask("S2 H2 D2 C2"))))
    seen = view(state, D)
    (parcel,) = seen.transfers
    threes = mask("S3 H3 D3 C3")
    assert parcel.returned != threes and PlayWorlds(seen).count > 0
    wrong = replace(
        seen, transfers=(replace(parcel, returned=threes),), hand=seen.hand & ~(parcel.returned or 0) | threes
    )
    assert faults(wrong) == "expected cards that can lie in hands of these sizes, found none"


def test_more_than_one_card_that_only_the_swap_can_have_shown() -> None:
    profile = game("nine_five_three_one_card")
    state = apply(new_match(profile), DealCards(deal_of(profile, m="D2", kitty="DA")))
    seen = view(apply(apply(state, NameTrump(D, 0)), Swap(M, True)), E)
    more = replace(seen, seen=seen.seen | mask("DK"))
    assert faults(more) == "expected one card seen in the swap alone, found DA DK"


def test_a_card_in_the_hand_that_was_played() -> None:
    seen = view(played(first("nine_five_three_no_kitty"), 14), D)
    stolen = replace(seen, hand=seen.hand & seen.hand - 1 | bit(seen.tricks[0].cards[0]))
    assert "to be played once, found" in faults(stolen)


def test_kitty_cards_above_what_went_back_to_two() -> None:
    """The dealer answered two parcels and then took the queen, seven and five of spades: what he keeps above one answer
    is not held against the other as well."""
    record = {
        "tierce_record": 1,
        "game": "raf",
        "context": {
            "deal": 2,
            "totals": [-4, 3, 1],
            "previous": {"dealer": 2, "tricks": {"D": 9, "E": 1, "M": 6}, "quotas": {"D": 8, "E": 5, "M": 3}},
        },
        "deals": [
            {
                "dealer": 0,
                "deal": "D:9.AQJT87.AK876.Q753 T8643.K96.Q94.JT864 AKJ2.432.JT532.AK92 / Q75.5..",
                "exchange": [
                    {"from": "E", "to": "D", "sent": "S4 S3 D4", "returned": "S9 S4 DA"},
                    {"from": "M", "to": "D", "sent": "S2", "returned": "S3"},
                ],
                "trump": "H",
                "discard": "S2 D7 D6 D4",
                "play": ["DA D2"],
            }
        ],
    }
    (read,) = read_records(json.dumps(record).encode(), "hand.json")
    worlds = PlayWorlds(view(replay(read).deals[0].state, D))
    assert worlds.count > 0
