"""What the rules forbid is refused with its place and the rule's code: file, deal, field, trick and card."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.records.support import finished, record_by_lot
from tierce.solver.cards import card_name, cards_of, mask_of, parse_cards, suit_of
from tierce.solver.games import RecordError, load_game, read_record, replay, write_record
from tierce.solver.games.refusing import NAMES

Tree = dict[str, Any]


def tree_of(game: str, deals: int = 2, seed: int = 1) -> Tree:
    tree: Tree = json.loads(write_record(finished(load_game(game), seed, deals=deals)))
    return tree


def refused(tree: Tree) -> RecordError:
    """Refused by `replay` (reading is content), as JSON and, where it can be written at all, as PBN."""
    record = read_record(json.dumps(tree), "hand.json")
    with pytest.raises(RecordError) as caught:
        replay(record)
    error = caught.value
    assert error.file == "hand.json"
    assert "expected" in error.message
    assert "found" in error.message
    return error


def changed(game: str, change: Callable[[Tree], None], deals: int = 2) -> RecordError:
    tree = tree_of(game, deals)
    change(tree["deals"][-1])
    return refused(tree)


def place(error: RecordError) -> tuple[str, str | None, int | None]:
    return error.code, error.field, error.deal


# ---- the play --------------------------------------------------------------------------------------------------------


def test_a_revoke() -> None:
    """The second card of a trick is exchanged with a later one of the same hand, of another suit."""
    tree = tree_of("raf", 1)
    tricks = [trick.split() for trick in tree["deals"][0]["play"]]
    state = replay(read_record(json.dumps(tree))).deals[0].state
    for number, trick in enumerate(state.tricks):
        seat = (trick.leader + 1) % 3
        if suit_of(trick.cards[1]) != suit_of(trick.cards[0]):
            continue
        for later in range(number + 1, 16):
            there = (seat - state.tricks[later].leader) % 3
            other = state.tricks[later].cards[there]
            if suit_of(other) != suit_of(trick.cards[0]):
                tricks[number][1], tricks[later][there] = card_name(other), card_name(trick.cards[1])
                tree["deals"][0]["play"] = [" ".join(each) for each in tricks]
                error = refused(tree)
                assert place(error) == ("revoke", "play", 1)
                begin = f"trick {number + 1}, card 2: expected {NAMES[seat]} to follow"
                assert error.message.startswith(begin)
                assert str(error) == f"hand.json:deal 1:play: {error.message}"
                return
    raise AssertionError


def test_a_card_not_held() -> None:
    def change(deal: Tree) -> None:
        deal["play"][3] = f"{deal['discard'].split()[0]} " + " ".join(deal["play"][3].split()[1:])

    error = changed("raf", change)
    assert place(error) == ("not_held", "play", 2)
    assert error.message.startswith("trick 4, card 1: ")
    assert error.message.endswith(", which was discarded")


def test_a_card_played_twice() -> None:
    def change(deal: Tree) -> None:
        deal["play"][1] = deal["play"][0]

    assert changed("raf", change).code in ("not_held", "wrong_turn", "revoke")


def test_a_wrong_turn() -> None:
    def change(deal: Tree) -> None:
        first, second, third = deal["play"][0].split()
        deal["play"][0] = f"{second} {first} {third}"

    error = changed("raf", change)
    assert place(error) == ("wrong_turn", "play", 2)
    assert error.message.startswith("trick 1, card 1: expected a card that eldest holds, found ")
    assert error.message.endswith("which middle holds")


def test_too_many_tricks() -> None:
    def change(deal: Tree) -> None:
        deal["play"].append("SA SK SQ")

    for game, tricks in (("raf", 16), ("nine_five_three_no_kitty", 17)):
        error = changed(game, change)
        assert place(error) == ("too_many_tricks", "play", 2)
        assert error.message == f"expected {tricks} tricks, found a card of trick {tricks + 1}"


def test_claims() -> None:
    def of_too_many(deal: Tree) -> None:
        deal["play"] = deal["play"][:10]
        deal["claim"] = {"D": 3, "E": 3, "M": 1}

    def within_a_trick(deal: Tree) -> None:
        deal["play"] = [*deal["play"][:10], deal["play"][10][:2]]
        deal["claim"] = {"D": 3, "E": 2, "M": 1}

    def after_the_end(deal: Tree) -> None:
        deal["claim"] = {"D": 0, "E": 0, "M": 0}

    assert place(changed("raf", of_too_many)) == ("wrong_claim", "claim", 2)
    assert place(changed("raf", within_a_trick)) == ("wrong_claim", "claim", 2)
    assert place(changed("raf", after_the_end)) == ("not_due", "claim", 2)


# ---- before the play -------------------------------------------------------------------------------------------------


def test_parcels() -> None:
    def short(deal: Tree) -> None:
        deal["exchange"][0]["sent"] = ""

    def of_cards_not_held(deal: Tree) -> None:
        parcel = deal["exchange"][0]
        hands = deal["deal"].partition("/")[0].removeprefix("D:").split()
        suits = hands["DEM".index(parcel["to"])].split(".")
        theirs = [letter + rank for letter, suit in zip("SHDC", suits, strict=True) for rank in suit]
        parcel["sent"] = " ".join(theirs[: len(parcel["sent"].split())])

    def back_to_front(deal: Tree) -> None:
        parcel = deal["exchange"][0]
        parcel["from"], parcel["to"] = parcel["to"], parcel["from"]

    def another_return(deal: Tree) -> None:
        parcel = deal["exchange"][0]
        back = parse_cards(parcel["returned"])
        parcel["returned"] = " ".join(map(card_name, [next(c for c in range(50) if c not in back), *back[1:]]))

    def one_more(deal: Tree) -> None:
        deal["exchange"].append(copy.deepcopy(deal["exchange"][0]))

    def none(deal: Tree) -> None:
        del deal["exchange"]

    for change, code in (
        (short, "parcel_size"),
        (of_cards_not_held, "not_held"),
        (back_to_front, "wrong_turn"),
        (none, "missing"),
        (one_more, "not_due"),
    ):
        error = changed("raf", change)
        assert place(error) == (code, "exchange", 2), error
        if change not in (none, one_more):
            assert error.message.startswith("parcel 1: ")
    assert changed("raf", another_return).code in ("wrong_return", "not_held")


def test_a_return_that_is_not_due_names_what_is() -> None:
    tree = tree_of("raf")
    parcel = tree["deals"][1]["exchange"][0]
    due = parcel["returned"]
    hands = replay(read_record(json.dumps(tree))).deals[1]
    held = next(state.hands for action, state in hands.steps() if type(action).__name__ == "Return")
    seat = "DEM".index(parcel["to"])
    others = cards_of(held[seat] & ~mask_of(parse_cards(due)))
    parcel["returned"] = " ".join(map(card_name, others[-len(due.split()) :]))
    error = refused(tree)
    assert place(error) == ("wrong_return", "exchange", 2)
    one, other = (NAMES["DEM".index(parcel[end])] for end in ("to", "from"))
    assert error.message.startswith(f"parcel 1: expected {one} to return {due} to {other}, found ")


def test_no_exchange_in_a_first_deal() -> None:
    tree = tree_of("raf", 1)
    tree["deals"][0]["exchange"] = [{"from": "D", "to": "E", "sent": "S2"}]
    error = refused(tree)
    assert place(error) == ("not_due", "exchange", 1)
    assert "in the first deal of a match" in error.message


def test_discards() -> None:
    def from_the_kitty(deal: Tree) -> None:
        deal["discard"] = " ".join([deal["kitty"].split()[0], *deal["discard"].split()[1:]])

    def small(deal: Tree) -> None:
        deal["discard"] = deal["discard"][:-3]

    error = changed("raf", from_the_kitty)
    assert place(error) == ("not_held", "discard", 2)
    assert "the kitty is taken after the discard" in error.message
    assert place(changed("raf", small)) == ("discard_size", "discard", 2)
    allowed = tree_of("nine_five_two", 1)
    from_the_kitty(allowed["deals"][0])
    del allowed["deals"][0]["play"]
    replay(read_record(json.dumps(allowed)))


def test_kitty_and_shows() -> None:
    def other_kitty(deal: Tree) -> None:
        deal["kitty"] = deal["discard"]

    def shown(deal: Tree) -> None:
        deal["shown"] = [{"to": "E", "cards": deal["kitty"]}]

    assert place(changed("raf", other_kitty)) == ("wrong_kitty", "kitty", 2)
    assert changed("raf", shown).code in ("wrong_show", "not_due")
    assert place(changed("nine_five_two", shown)) == ("not_due", "shown", 2)


def shows(*, two: bool = False) -> Tree:
    """A match whose second dealer shows kitty cards; `two`: to two partners."""
    for seed in range(2000):
        record = record_by_lot(load_game("raf"), seed, deals=2, claims=0.0)
        if record is not None and len(record.deals) == 2 and len(record.deals[1].shown or ()) > two:
            tree: Tree = json.loads(write_record(record))
            return tree
    raise AssertionError


def test_cards_shown_in_part() -> None:
    tree = shows()
    tree["deals"][1]["shown"] = []
    replay(read_record(json.dumps(tree)))
    tree = shows()
    tree["deals"][1]["shown"] *= 2
    assert place(refused(tree)) == ("not_due", "shown", 2)
    tree = shows(two=True)
    del tree["deals"][1]["shown"][1]
    assert refused(tree).message.endswith("found nothing shown")
    tree = shows()
    tree["deals"][1]["shown"][0]["cards"] = "S2 S3 S4"
    assert place(refused(tree)) == ("wrong_show", "shown", 2)


def test_trump_and_calls() -> None:
    def no_trump(deal: Tree) -> None:
        deal["trump"] = "N"

    def none(deal: Tree) -> None:
        del deal["trump"]

    assert place(changed("raf", no_trump)) == ("illegal_trump", "trump", 2)
    error = changed("raf", none)
    assert place(error) == ("missing", "trump", 2)
    assert error.message == "expected a trump before a discard, found none"
    tree = tree_of("deputy", 4)
    tree["deals"][3]["call"] = tree["deals"][0]["call"]
    assert place(refused(tree)) == ("illegal_call", "call", 4)


def test_swap() -> None:
    def none(deal: Tree) -> None:
        deal.pop("swap", None)

    error = changed("nine_five_three_one_card", none)
    assert place(error) == ("missing", "swap", 2)
    tree = tree_of("raf", 1)
    tree["deals"][0]["swap"] = True
    assert place(refused(tree)) == ("not_due", "swap", 1)


def test_auction() -> None:
    tree = tree_of("woburn", 1)
    tree["deals"][0]["bids"] = [8, 8]
    error = refused(tree)
    assert place(error) == ("illegal_bid", "bids", 1)
    assert error.message.startswith("bid 2: ")
    tree["deals"][0]["bids"] = [16, "pass", "pass", "pass"]
    error = refused(tree)
    assert place(error) == ("not_due", "bids", 1)
    assert error.message == "expected 3 bids and passes, after which the auction is over, found 4"
    tree["deals"][0]["bids"] = ["pass"] * 3
    error = refused(tree)
    assert place(error) == ("not_due", "trump", 1)
    assert "in a deal that was passed out" in error.message
    del tree["deals"][0]["bids"]
    assert place(refused(tree)) == ("missing", "bids", 1)


def test_deals() -> None:
    def other_size(deal: Tree) -> None:
        deal["deal"] = "D:A... K... Q... / J..."

    def other_dealer(deal: Tree) -> None:
        deal["dealer"] = (deal["dealer"] + 1) % 3

    assert place(changed("raf", other_size)) == ("wrong_deal", "deal", 2)
    assert place(changed("raf", other_dealer)) == ("wrong_dealer", "dealer", 2)
    tree = tree_of("raf")
    del tree["deals"][0]["play"][-1]
    error = refused(tree)
    assert place(error) == ("unfinished", "deal", 2)


def test_a_match_that_is_over() -> None:
    tree = tree_of("raf", 1)
    deal = tree["deals"][0]
    deal["play"] = []
    deal["claim"] = {"D": 0, "E": 13, "M": 3}
    assert replay(read_record(json.dumps(tree))).state.won == ((deal["dealer"] + 1) % 3,)
    tree["deals"].append({"deal": deal["deal"]})
    assert place(refused(tree)) == ("match_over", "deal", 2)


# ---- what came before ------------------------------------------------------------------------------------------------

RAF_CONTEXT: Tree = {"deal": 2, "totals": [2, -1, -1], "previous": {"dealer": 0, "tricks": {"D": 10, "E": 4, "M": 2}}}
DEPUTY_CONTEXT: Tree = {
    "deal": 3,
    "totals": [1, 0, -1],
    "previous": {"dealer": 1, "call": "H", "tricks": {"D": 8, "E": 5, "M": 3}},
    "used": [["MIZ"], ["H"], []],
}


def with_context(game: str, context: Tree) -> Tree:
    tree = tree_of(game, 1)
    return tree | {"context": context, "deals": [{"deal": tree["deals"][0]["deal"]}]}


def test_a_context_is_enough_for_the_exchange() -> None:
    found = replay(read_record(json.dumps(with_context("raf", RAF_CONTEXT))))
    state = found.deals[0].state
    assert (state.phase, state.dealer) == ("EXCHANGE", 1)
    assert [(each.sender, each.receiver, each.count) for each in state.transfers] == [(2, 1, 1), (2, 0, 1)]
    replay(read_record(json.dumps(with_context("deputy", DEPUTY_CONTEXT))))


@pytest.mark.parametrize(
    "game, path, value, field",
    [
        ("raf", ["deal"], 1, "deal"),
        ("raf", ["deal"], 10_000, "deal"),
        ("raf", ["totals"], [2, -1, 0], "totals"),
        ("raf", ["totals"], [1, -1, 0], "totals"),
        ("raf", ["used"], [["S"], [], []], "used"),
        ("raf", ["previous", "call"], "MIZ", "previous.call"),
        ("raf", ["previous", "bid"], 8, "previous.bid"),
        ("raf", ["previous", "quotas"], {"D": 9, "E": 4, "M": 3}, "previous.quotas"),
        ("raf", ["previous", "tricks"], {"D": 10, "E": 4, "M": 3}, "previous.tricks"),
        ("raf", ["previous", "tricks"], {"D": 18, "E": -1, "M": -1}, "previous.tricks"),
        ("raf", ["previous", "balances"], {"D": 2, "E": 0, "M": -2}, "previous.balances"),
        ("raf", ["previous", "first_over"], "E", "previous.first_over"),
        ("raf", ["previous"], {"dealer": 0, "tricks": {"D": 13, "E": 2, "M": 1}}, "totals"),
        ("deputy", ["used"], [[], ["H"], []], "used"),
        ("deputy", ["used"], [["MIZ"], ["S"], []], "previous.call"),
        ("uni_high_359", ["previous", "tricks"], {"D": 0, "E": 9, "M": 8}, "previous.tricks"),
        ("woburn", ["previous", "bid"], 9, "previous.bid"),
    ],
)
def test_what_cannot_have_been(game: str, path: list[str], value: object, field: str) -> None:
    context = copy.deepcopy(DEPUTY_CONTEXT if game == "deputy" else RAF_CONTEXT)
    inner = context
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    error = refused(with_context(game, context))
    assert (error.code, error.field, error.deal) == ("context", f"context.{field}", None)


def test_a_match_won_before() -> None:
    context = {"deal": 2, "totals": [5, -3, -2], "previous": {"dealer": 0, "tricks": {"D": 13, "E": 2, "M": 1}}}
    error = refused(with_context("raf", context))
    assert (error.code, error.field) == ("context", "context.previous")
