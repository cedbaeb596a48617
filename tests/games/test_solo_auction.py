"""The auction of Solo Whist: vectors of the rules, and the plain statement beside the package's on any auction."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.plain_solo import LADDER, SEATS, SINGLES, Rules, conversation
from tests.games.scenes import refusal
from tests.games.solo_matches import auction, whist
from tierce.solver.games import Bid, Contract, NameTrump, State, apply, bid_refusal, legal, refusals
from tierce.solver.games.contract_auction import bidder, open_bids, standing
from tierce.solver.games.contracts import BIDS

N, E, S, W = range(4)
P = None


def found(state: State) -> Contract | None:
    """The contract of an auction that is over, None of a void deal."""
    assert state.phase in ("PLAY", "TRUMP") or (state.phase, state.contract) == ("SCORE", None), state.phase
    return state.contract


# ---- vectors of the rules (9.5); North is eldest --------------------------------------------------------------------


def test_the_late_cop_of_eldest() -> None:
    contract = found(auction(P, "prop", P, P, "cop"))
    assert contract is not None and (contract.name, contract.declarers) == ("prop_cop", (E, N))


def test_an_unaccepted_prop_raised() -> None:
    contract = found(auction(P, "prop", P, P, P, "solo"))
    assert contract is not None and (contract.name, contract.declarers) == ("solo", (E,))


def test_an_unaccepted_prop_is_void() -> None:
    assert found(auction(P, "prop", P, P, P, P)) is None
    assert found(auction(P, P, P, P)) is None


def test_a_pair_overcalled() -> None:
    contract = found(auction("prop", "cop", "solo", P, P, P))
    assert contract is not None and (contract.name, contract.declarers) == ("solo", (S,))


def test_abundance_in_trumps_over_abundance() -> None:
    state = auction("abundance", "abundance_in_trumps", P, P, P)
    contract = found(state)
    assert contract is not None and (contract.name, contract.declarers) == ("abundance_in_trumps", (E,))
    assert state.phase == "PLAY" and state.turned is not None and contract.trump == state.turned // 16


@pytest.mark.parametrize(
    ("bids", "bid", "why"),
    [
        ((), "cop", "there is no Prop to accept"),
        (("solo",), "cop", "there is no Prop to accept"),
        (("prop", P, P, P), "cop", "the Prop is his own"),
        (("prop", "solo"), "cop", "Solo stands above the Prop"),
        (("prop", "cop"), "cop", "the Prop has been accepted"),
        ((), "abundance_in_trumps", "it may be bid only over an opponent's Abundance"),
        (("solo",), "abundance_in_trumps", "it may be bid only over an opponent's Abundance"),
        (("misere_ouverte",), "abundance_in_trumps", "it may be bid only over an opponent's Abundance"),
        ((P, "prop", P, P), "solo", "eldest has passed and may only accept the Prop"),
        (("prop",), "prop", "it is not higher than Prop, which stands"),
        (("prop", "cop"), "prop", "it is not higher than Prop and Cop, which stands"),
        (("misere",), "solo", "it is not higher than Misère, which stands"),
        (("abundance_declared",), "abundance_declared", "it is not higher than Abundance Declared, which stands"),
        ((P, P, P, P), "solo", "the auction is over"),
        ((), "slam", "it is no bid (prop, cop, solo, misere, abundance, "),
    ],
)
def test_refused(bids: tuple[str | None, ...], bid: str, why: str) -> None:
    state = auction(*bids)
    assert (bid_refusal(state, bid) or "").startswith(why)
    if (seat := bidder(state)) is not None:
        code, field, message = refusal(lambda: apply(state, Bid(seat, bid)))
        assert (code, field) == ("illegal_bid", "bid") and message.startswith("expected a pass") and why in message


def test_a_pass_is_final() -> None:
    state = auction(P, "solo")
    assert refusal(lambda: apply(apply(apply(state, Bid(S, P)), Bid(W, P)), Bid(N, "misere")))[0] == "wrong_phase"
    assert bidder(auction(P, "solo", "misere")) == W
    assert bidder(auction(P, "solo", "misere", P)) == E, "North has passed"


def test_when_eldest_is_asked_again() -> None:
    assert bidder(auction(P, P, P, "prop")) == N
    assert bidder(auction(P, P, "prop", P)) == N
    assert found(auction(P, P, "prop", "cop")) is not None, "accepted: nobody is left to speak"
    assert bidder(auction("prop", P, P, P)) == N, "the raise of the proposer, who is eldest"
    assert refusals(auction(P, P, P, "prop")).keys() == set(BIDS) - {"cop"}


def test_self_raise() -> None:
    assert found(auction("prop", "cop", P, P)) is not None
    state = auction("prop", "cop", P, P, self_raise=True)
    assert bidder(state) == N and "solo" in open_bids(state) and "cop" not in open_bids(state)
    kept = found(apply(apply(state, Bid(N, P)), Bid(E, P)))
    assert kept is not None and (kept.name, kept.declarers) == ("prop_cop", (N, E))
    raised = found(apply(apply(state, Bid(N, "solo")), Bid(E, P)))
    assert raised is not None and (raised.name, raised.declarers) == ("solo", (N,))


def test_ait_open() -> None:
    assert "abundance_in_trumps" in open_bids(auction(ait_open=True))
    assert "abundance_in_trumps" in open_bids(auction("solo", ait_open=True))
    assert "abundance_in_trumps" not in open_bids(auction("misere_ouverte", ait_open=True))


def test_prop_raise() -> None:
    assert found(auction("prop", P, P, P, prop_raise=False)) is None
    assert found(auction(P, "prop", P, P, P, prop_raise=False)) is None
    late = found(auction(P, "prop", P, P, "cop", prop_raise=False))
    assert late is not None and late.name == "prop_cop"


def test_ad_trump() -> None:
    usual = auction("abundance_declared", P, P, P)
    assert (usual.phase, usual.trump, usual.leader, usual.mover) == ("PLAY", 4, N, N)
    state = auction(P, "abundance_declared", P, P, ad_trump=True)
    assert state.phase == "TRUMP"
    assert [each.trump for each in legal(state)[0].choices if isinstance(each, NameTrump)] == [0, 1, 2, 3, 4]
    named = apply(state, NameTrump(E, 2))
    assert (named.phase, named.call, named.leader) == ("PLAY", "D", E)
    plain = apply(state, NameTrump(E, 4))
    assert (plain.call, plain.trump, plain.contract) == ("N", 4, Contract("abundance_declared", (E,), 4, E))


def test_abundance_names_any_suit() -> None:
    state = auction(P, P, "abundance", P)
    assert state.phase == "TRUMP" and state.call == "" and legal(state)[0].seat == S
    for trump in range(4):
        named = apply(state, NameTrump(S, trump))
        assert (named.trump, named.leader) == (trump, N)
        assert named.contract == Contract("abundance", (S,), trump, N)


@pytest.mark.parametrize("dealer", range(4))
def test_eldest_leads_but_to_abundance_declared(dealer: int) -> None:
    eldest = (dealer + 1) % 4
    for name in ("solo", "misere", "misere_ouverte"):
        assert auction(P, name, P, P, dealer=dealer).mover == eldest
    assert auction("prop", "cop", P, P, dealer=dealer).mover == eldest
    assert auction(P, "abundance_declared", P, P, dealer=dealer).mover == (eldest + 1) % 4


# ---- the plain statement beside it ----------------------------------------------------------------------------------

CHOICES = st.lists(st.integers(0, 99), min_size=40, max_size=40)
SETTINGS = st.fixed_dictionaries(
    {}, optional={name: st.booleans() for name in ("self_raise", "ait_open", "prop_raise")}
)


@settings(max_examples=400)
@given(st.integers(0, 3), CHOICES, SETTINGS)
def test_any_auction(dealer: int, choices: list[int], options: dict[str, Any]) -> None:
    """At every point the same seat may say the same; it ends, with the same contract, and one at most."""
    talk = conversation(SEATS[dealer], Rules(**options))
    state = auction(dealer=dealer, **options)
    seat, allowed = next(talk)
    outcome: tuple[str, str] | None = None
    for choice in choices:
        speaker = bidder(state)
        assert state.phase == "BID" and speaker is not None and SEATS[speaker] == seat
        assert {*open_bids(state), "pass"} == allowed
        assert refusals(state).keys() == {*BIDS} - allowed
        bids = sorted(allowed - {"pass"}, key=BIDS.index)
        # A pass half the time, and low bids more often than high ones: auctions of some length.
        word = "pass" if choice >= 50 or not bids else bids[min(choice // 8, len(bids) - 1)]
        before = standing(state)
        state = apply(state, Bid(speaker, None if word == "pass" else word))
        if before is not None and word not in ("pass", "cop"):
            assert LADDER.index(word) > LADDER.index(before[0])
        try:
            seat, allowed = talk.send(word)
        except StopIteration as end:
            outcome = end.value
            break
    else:
        raise AssertionError("it does not end")
    contract = found(state)
    told = None if contract is None else (contract.name, "".join(SEATS[each] for each in contract.declarers))
    assert told == outcome
    assert bidder(state) is None and len(state.bids) <= 4 + 4 * len(LADDER)


def test_every_contract_is_reached() -> None:
    """Each contract, and each way to a void deal, by the shortest auction."""
    for name in SINGLES:
        state = auction("abundance", name, P, P, P) if name == "abundance_in_trumps" else auction(name, P, P, P)
        contract = found(state)
        assert contract is not None and contract.name == name
    for seats in ((N, E), (N, S), (N, W), (E, S), (E, W), (S, W)):
        bids: list[str | None] = []
        with suppress(StopIteration):
            talk = conversation("W", Rules())
            seat, _ = next(talk)
            while True:
                one = SEATS.index(seat)
                said = "prop" if one == seats[0] else "cop" if one == seats[1] else None
                bids.append(said)
                seat, _ = talk.send(said or "pass")
        contract = found(auction(*bids))
        assert contract is not None and contract.declarers == seats
    assert whist().option("self_raise") is False
