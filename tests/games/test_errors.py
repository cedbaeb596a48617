"""Every refusal: its code, the action it is about, what was expected and found; the state stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Final

import pytest

from tests.games.scenes import D, E, M, card, claimed, deal_of, game, go, refusal, second_deal
from tests.games.words import mask
from tierce.solver.cards import cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Score,
    Send,
    Show,
    State,
    Swap,
    TakeKitty,
    apply,
    automatic,
    deal_by_lot,
    legal,
    load_game,
    new_match,
    random_deal,
    settle,
)
from tierce.solver.games.rules import __doc__ as rules_doc

N: Final = 0  # and E is 1, S is M: 2
W: Final = 3
RAF: Final = game("raf")
WHIST: Final = deal_by_lot(load_game("solo_whist"), 1, dealer=W)
ONE: Final = game("nine_five_three_one_card")


def dealing() -> State:
    return new_match(RAF)


def bidding(*bids: int | None) -> State:
    state = apply(new_match(game("woburn")), DealCards(deal_of(RAF)))
    for seat, bid in enumerate(bids):
        state = apply(state, Bid(seat, bid))
    return state


def solo() -> State:
    return new_match(load_game("solo_whist"), W)


def speaking(*bids: str | None) -> State:
    """The auction of a deal of West's after these bids, from North."""
    state = apply(solo(), deal_by_lot(solo().profile, 1, dealer=W))
    for bid in bids:
        open_ = legal(state)[0]
        assert open_.seat is not None
        state = apply(state, Bid(open_.seat, bid))
    return state


def abundance() -> State:
    return speaking("abundance", None, None, None)


def calling() -> State:
    state = new_match(game("deputy"))
    for _ in range(3):
        state = claimed(apply(apply(state, DealCards(deal_of(RAF))), Call(D, "H")), (8, 5, 3))
    return apply(state, DealCards(deal_of(RAF)))


def sending() -> State:
    """D sends E one card."""
    return second_deal(RAF, (1, -1, 0), deal_of(RAF, d="H7 S2 HA", e="HK H4", m="HQ", kitty="SA SK"))


def returning() -> State:
    return apply(sending(), Send(D, E, mask("H7")))


def naming() -> State:
    return apply(new_match(RAF), DealCards(deal_of(RAF, d="SA", kitty="SK")))


def discarding() -> State:
    return apply(naming(), NameTrump(D, 0))


def taking() -> State:
    state = discarding()
    return apply(state, Discard(D, mask_of(cards_of(state.hands[D])[-4:])))


def showing() -> State:
    state = second_deal(RAF, (-1, 1, 0), deal_of(RAF, d="SK S3", e="S2", kitty="SA"))
    state = apply(go(settle(apply(state, Send(E, D, mask("S2")))), "TRUMP"), NameTrump(D, 0))
    state = apply(state, Discard(D, mask_of(cards_of(state.hands[D])[-4:])))
    return apply(state, TakeKitty(D))


def swapping() -> State:
    return apply(apply(new_match(ONE), DealCards(deal_of(ONE, e="D2", kitty="SA"))), NameTrump(D, 0))


def playing(*cards: str) -> State:
    deal = deal_of(RAF, d="SA", e="S2 HK", m="S3 H2")
    state = apply(apply(new_match(RAF), DealCards(deal)), NameTrump(D, 0))
    state = settle(apply(state, Discard(D, mask_of(cards_of(state.hands[D] & ~mask("SA"))[-4:]))))
    for name in cards:
        state = apply(state, Play(state.mover, card(name)))
    return state


def over() -> State:
    return claimed(new_match(RAF), (16, 0, 0))


def after_a_trick() -> State:
    return playing("S2", "S3", "SA")


def two_down() -> State:
    """D owes E and M a card each, one exchange after the other."""
    return second_deal(game("wiki_358"), (2, -1, -1))


def laid_away() -> int:
    return cards_of(playing().discard)[0]


def scoring() -> State:
    state = playing()
    return apply(state, Claim((16, 0, 0)))


SEVENTEEN: Final = random_deal(load_game("six_three_eight"), 1)
FOUR: Final = Deal(tuple(0x1FFF << 16 * suit for suit in range(4)))
SMALL: Final = Deal((1, 2, 4))
SHORT: Final = Deal(random_deal(RAF, 1).hands, 0)

REFUSED: Final[tuple[tuple[str, Callable[[], State], Action, str, str], ...]] = (
    # code, moment, action, field, what is said
    (
        "wrong_deal",
        dealing,
        DealCards(SEVENTEEN),
        "deal",
        "expected three hands of 16 and 4 cards beside them, found",
    ),
    ("wrong_deal", dealing, DealCards(FOUR), "deal", "found 4 hands of 13 and 0"),
    ("wrong_deal", dealing, DealCards(SHORT), "deal", "found 3 hands of 16 and 0"),
    ("wrong_deal", dealing, DealCards(SMALL), "deal", "found 3 hands of 1 and 0"),
    ("wrong_phase", dealing, Play(E, 0), "play", "expected DealCards in the phase DEAL, found Play"),
    ("wrong_turn", bidding, Bid(E, 8), "bid", "expected the dealer, found eldest"),
    ("wrong_turn", lambda: bidding(None), Bid(D, 8), "bid", "expected eldest, found the dealer"),
    ("wrong_turn", bidding, Bid(7, 8), "bid", "expected the dealer, found 7"),
    ("illegal_bid", bidding, Bid(D, 7), "bid", "expected a bid from 8 to 16 or a pass, found 7"),
    ("illegal_bid", bidding, Bid(D, 17), "bid", "expected a bid from 8 to 16 or a pass, found 17"),
    ("illegal_bid", lambda: bidding(9), Bid(E, 9), "bid", "expected a bid from 10 to 16 or a pass, found 9"),
    ("illegal_bid", lambda: bidding(16), Bid(E, 16), "bid", "expected a pass, found 16"),
    ("wrong_phase", bidding, NameTrump(D, 0), "trump", "expected Bid in the phase BID, found NameTrump"),
    ("wrong_turn", calling, Call(E, "S"), "call", "expected the dealer, found eldest"),
    ("illegal_call", calling, Call(D, "H"), "call", "expected one of the calls left (S D C N MIZ), found 'H'"),
    ("illegal_call", calling, Call(D, "X"), "call", "expected one of the calls left (S D C N MIZ), found 'X'"),
    (
        "wrong_turn",
        sending,
        Send(E, D, mask("HK")),
        "exchange",
        "expected a parcel from the dealer, who is up, found some from eldest",
    ),
    (
        "wrong_turn",
        sending,
        Send(D, M, mask("H7")),
        "exchange",
        "expected the parcel for eldest, found some for middle",
    ),
    (
        "wrong_turn",
        sending,
        Return(E, D, mask("HK")),
        "exchange",
        "expected the dealer to send a parcel to eldest, found Return",
    ),
    ("not_held", sending, Send(D, E, mask("HK")), "exchange", "expected cards that the dealer holds, found HK"),
    ("not_held", sending, Send(D, E, mask("SA H7")), "exchange", "expected cards that the dealer holds, found SA"),
    (
        "not_held",
        sending,
        Send(D, E, 1 << 13),
        "exchange",
        "expected cards that the dealer holds, found what is no card",
    ),
    ("not_held", sending, Send(D, E, -1), "exchange", "expected cards that the dealer holds, found SA"),
    (
        "parcel_size",
        sending,
        Send(D, E, mask("H7 S2")),
        "exchange",
        "expected 1 card from the dealer to eldest, found 2",
    ),
    ("parcel_size", sending, Send(D, E, 0), "exchange", "expected 1 card from the dealer to eldest, found 0"),
    (
        "wrong_phase",
        sending,
        NameTrump(D, 0),
        "trump",
        "expected Send or Return in the phase EXCHANGE, found",
    ),
    (
        "wrong_turn",
        returning,
        Send(D, E, mask("S2")),
        "exchange",
        "expected eldest to return cards to the dealer, found Send",
    ),
    (
        "wrong_turn",
        returning,
        Return(M, D, mask("HQ")),
        "exchange",
        "expected cards that eldest returns, found some from middle",
    ),
    (
        "wrong_turn",
        returning,
        Return(E, M, mask("HK")),
        "exchange",
        "expected cards returned to the dealer, found some for middle",
    ),
    ("not_held", returning, Return(E, D, mask("HQ")), "exchange", "expected cards that eldest holds, found HQ"),
    (
        "parcel_size",
        returning,
        Return(E, D, mask("HK H4")),
        "exchange",
        "expected 1 card from eldest to the dealer, found 2",
    ),
    (
        "wrong_return",
        returning,
        Return(E, D, mask("H4")),
        "exchange",
        "expected eldest to return HK to the dealer, found H4",
    ),
    ("wrong_turn", naming, NameTrump(E, 0), "trump", "expected the dealer, found eldest"),
    ("illegal_trump", naming, NameTrump(D, 4), "trump", "expected one of the four suits as trump, found 4"),
    ("illegal_trump", naming, NameTrump(D, -1), "trump", "expected one of the four suits as trump, found -1"),
    ("wrong_turn", discarding, Discard(E, mask("SA")), "discard", "expected the dealer, found eldest"),
    ("not_held", discarding, Discard(D, mask("SK")), "discard", "(the kitty is taken after the discard), found SK"),
    ("discard_size", discarding, Discard(D, mask("SA")), "discard", "expected a discard of 4 cards, found 1"),
    ("discard_size", discarding, Discard(D, 0), "discard", "expected a discard of 4 cards, found 0"),
    ("wrong_phase", discarding, TakeKitty(D), "kitty", "expected Discard in the phase DISCARD, found TakeKitty"),
    ("wrong_turn", taking, TakeKitty(E), "kitty", "expected the dealer, found eldest"),
    (
        "wrong_show",
        showing,
        Show(D, M, mask("SA")),
        "show",
        "expected the dealer to show SA to eldest, found SA to middle",
    ),
    ("wrong_show", showing, Show(D, E, 0), "show", "expected the dealer to show SA to eldest, found none to eldest"),
    ("wrong_show", showing, Show(D, 5, mask("SA")), "show", "found SA to 5"),
    ("wrong_turn", swapping, Swap(D, True), "swap", "expected eldest, found the dealer"),
    ("wrong_turn", playing, Play(M, card("S3")), "play", "expected eldest, found middle"),
    ("not_held", playing, Play(E, card("SA")), "play", "expected a card that eldest holds, found SA"),
    ("not_held", playing, Play(E, 13), "play", "expected a card that eldest holds, found 13"),
    ("not_held", playing, Play(E, -1), "play", "expected a card that eldest holds, found -1"),
    ("not_held", playing, Play(E, 64), "play", "expected a card that eldest holds, found 64"),
    (
        "not_held",
        after_a_trick,
        Play(D, card("SA")),
        "play",
        "expected a card that the dealer holds, found SA, which has been played",
    ),
    ("not_held", lambda: playing("S2"), Play(M, laid_away()), "play", ", which was discarded"),
    (
        "wrong_turn",
        two_down,
        Send(D, E, mask("S2")),
        "exchange",
        "the parcel for middle first (then eldest), found some for eldest",
    ),
    ("revoke", lambda: playing("S2"), Play(M, card("H2")), "play", "expected middle to follow spades, found H2"),
    ("wrong_claim", lambda: playing("S2"), Claim((16, 0, 0)), "claim", "expected a claim between tricks"),
    ("wrong_claim", playing, Claim((15, 0, 0)), "claim", "expected a claim of the 16 tricks left, found (15, 0, 0)"),
    ("wrong_claim", playing, Claim((17, -1, 0)), "claim", "expected a claim of the 16 tricks left"),
    ("wrong_claim", playing, Claim((8, 8)), "claim", "expected a claim of the 16 tricks left, found (8, 8)"),
    ("wrong_claim", playing, Claim(()), "claim", "expected a claim of the 16 tricks left, found ()"),
    ("wrong_phase", playing, Score(), "score", "expected Play or Claim in the phase PLAY, found Score"),
    ("wrong_phase", scoring, Claim((0, 0, 0)), "claim", "expected Score in the phase SCORE, found Claim"),
    ("wrong_phase", over, DealCards(random_deal(RAF, 1)), "deal", "expected nothing more"),
    ("wrong_type", discarding, Discard(D, "S2 S3 S4 S5"), "discard", "expected cards as a mask, "),  # type: ignore[arg-type]
    ("wrong_type", sending, Send(D, E, None), "exchange", "found None"),  # type: ignore[arg-type]
    ("wrong_type", playing, Play(E, "S2"), "play", "expected a card, such as parse_card('S2'), found 'S2'"),  # type: ignore[arg-type]
    ("wrong_type", playing, Claim(("a", "b", "c")), "claim", "tricks by seat"),  # type: ignore[arg-type]
    ("wrong_type", playing, Claim(16), "claim", "found 16"),  # type: ignore[arg-type]
    ("wrong_type", dealing, DealCards("D:A K Q"), "deal", "expected a Deal, found 'D:A K Q'"),  # type: ignore[arg-type]
    ("wrong_phase", over, Score(), "score", "expected nothing more"),
    ("wrong_deal", solo, DealCards(random_deal(RAF, 1), 0), "deal", "expected four hands of 13, found 3 hands of 16"),
    ("wrong_turned", solo, DealCards(WHIST.deal), "turned", "expected the card of West, who deals, that was turned up"),
    ("wrong_turned", solo, deal_by_lot(solo().profile, 1), "turned", "that West, who deals, holds, found "),
    ("wrong_turned", dealing, DealCards(deal_of(RAF), 0), "turned", "expected no turned-up card in raf, found S2"),
    ("wrong_type", solo, DealCards(WHIST.deal, "C2"), "deal", "expected a turned-up card"),  # type: ignore[arg-type]
    ("wrong_turn", speaking, Bid(W, "solo"), "bid", "expected North, found West"),
    ("illegal_bid", speaking, Bid(N, "cop"), "bid", "found cop: there is no Prop to accept"),
    ("illegal_bid", speaking, Bid(N, 8), "bid", "found 8: it is no bid (prop, cop, solo, "),
    ("illegal_bid", speaking, Bid(N, "pass"), "bid", "found pass: a pass is None"),
    ("illegal_bid", lambda: speaking("prop"), Bid(E, "prop"), "bid", "it is not higher than Prop, which stands"),
    ("illegal_bid", lambda: speaking("solo"), Bid(E, "cop"), "bid", "there is no Prop to accept"),
    ("illegal_bid", lambda: speaking("prop", "solo"), Bid(M, "cop"), "bid", "Solo stands above the Prop"),
    ("illegal_bid", lambda: speaking("prop", "cop"), Bid(M, "cop"), "bid", "the Prop has been accepted"),
    ("illegal_bid", lambda: speaking("prop", None, None, None), Bid(N, "cop"), "bid", "the Prop is his own"),
    ("illegal_bid", speaking, Bid(N, "abundance_in_trumps"), "bid", "only over an opponent's Abundance"),
    ("illegal_bid", lambda: speaking(None, "prop", None, None), Bid(N, "solo"), "bid", "may only accept the Prop"),
    ("illegal_trump", abundance, NameTrump(N, 4), "trump", "expected one of the four suits as trump, found 4"),
    ("wrong_turn", abundance, NameTrump(E, 0), "trump", "expected North, found East"),
    ("wrong_claim", lambda: speaking("solo", None, None, None), Claim((13, 0, 0)), "claim", "of the 13 tricks left"),
)


@pytest.mark.parametrize(("code", "moment", "action", "field", "said"), REFUSED)
def test_refusals(code: str, moment: Callable[[], State], action: Action, field: str, said: str) -> None:
    state = moment()
    before = repr(state)
    found = refusal(lambda: apply(state, action))
    assert found[:2] == (code, field), found
    assert found[2].startswith("expected ") and "found" in found[2] and said in found[2], found[2]
    assert repr(state) == before


def test_every_code_of_the_rules_is_shown() -> None:
    assert rules_doc is not None
    listed = rules_doc.split("codes:")[1].split()
    assert set(listed) == {row[0] for row in REFUSED}


@pytest.mark.parametrize("moment", [returning, taking, showing, scoring])
def test_the_automatic_actions_are_the_only_ones_open(moment: Callable[[], State]) -> None:
    state = moment()
    (open_,) = legal(state)
    assert open_.choices == (automatic(state),) and list(open_.actions()) == [automatic(state)]
    assert settle(state) == settle(apply(state, open_.choices[0]))


@pytest.mark.parametrize("moment", [dealing, bidding, calling, sending, naming, discarding, swapping, playing, over])
def test_nothing_is_automatic_where_there_is_a_choice(moment: Callable[[], State]) -> None:
    state = moment()
    assert automatic(state) is None and settle(state) is state


def test_the_actions_that_are_open() -> None:
    assert [len(list(open_.actions())) for open_ in legal(sending())] == [16]
    assert [len(list(open_.actions())) for open_ in legal(discarding())] == [1820]
    assert [len(list(open_.actions())) for open_ in legal(playing())] == [16, 0]
    assert [len(list(open_.actions())) for open_ in legal(playing("S2"))] == [len(playing("S2").playable(M))]
    assert list(legal(dealing())[0].actions()) == [] and legal(over()) == ()
    assert [(open_.among, open_.count, open_.to) for open_ in legal(playing())] == [(0, 0, None)] * 2
    assert all(apply(sending(), action).phase == "EXCHANGE" for action in legal(sending())[0].actions())


@pytest.mark.parametrize("moment", [dealing, bidding, returning, showing, swapping, after_a_trick, scoring, over])
def test_a_state_never_changes(moment: Callable[[], State]) -> None:
    state, again = moment(), moment()
    assert state == again and hash(state) == hash(again) and len({state, again}) == 1
    for name in ("at", "hands", "won"):
        with pytest.raises(FrozenInstanceError):
            setattr(state, name, 0)
    assert state.first == (len(state.results) == 0)
    with pytest.raises(FrozenInstanceError):
        state.profile.hand = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        state.profile.options["end"] = "sixteen"  # type: ignore[index]


def test_random_deals_need_whole_numbers() -> None:
    for seed, index in ((-1, 0), (1, -1), (1.5, 0), (True, 0), ("1", 0)):
        code, field, message = refusal(lambda seed=seed, index=index: random_deal(RAF, seed, index))  # type: ignore[misc]
        assert (code, field) == ("seed", "seed") and message.startswith("expected a whole number of 0 or more, found ")
