"""The auction of Solo Whist: who speaks, what may be bid and why not, when it is over, which contract it found.

Eldest speaks first, then clockwise: pass or go higher. Whoever has passed is out, and the seat or the pair whose bid
stands is not asked. Prop is only an opening bid; Cop accepts another's Prop while nothing stands above it; Abundance in
Trumps goes only over an opponent's Abundance (option ait_open: over any lower bid). When the three others have passed,
a Prop that nobody accepted goes back: first to eldest, if he passed at his first turn, who may still say Cop; then to
its bidder, who may go higher (option prop_raise), or the deal is void. With self_raise each partner of a standing Prop
and Cop who has not passed is asked, too, after the others have.

Bids are words of `contracts.BIDS`, None for a pass; all functions ask a state, of which they read the profile, the
dealer and the bids.
"""

from __future__ import annotations

from typing import Final

from tierce.solver.cards import NOTRUMP, suit_of
from tierce.solver.games.contracts import BIDS, CONTRACTS, UNNAMED, Contract, ContractRule, contract_title
from tierce.solver.games.profile import Profile
from tierce.solver.games.state import State

__all__ = [
    "bid_refusal", "bidder", "contract_for", "contract_found", "open_bids", "refusals", "standing", "trump_choices",
]  # fmt: skip

_SEATS: Final = 4
_RANK: Final = {name: place for place, name in enumerate(("prop", "prop_cop", *BIDS[2:]))}


def standing(state: State) -> tuple[str, tuple[int, ...]] | None:
    """The bid that stands and whose it is, as ("prop", (1,)), ("prop_cop", (1, 3)), ("solo", (2,)); None for no bid."""
    made = [(seat, word) for seat, word in state.bids if isinstance(word, str)]
    if not made:
        return None
    seat, word = made[-1]
    return ("prop_cop", (made[0][0], seat)) if word == "cop" else (word, (seat,))


def bidder(state: State) -> int | None:
    """The seat that speaks next; None: the auction is over."""
    if not state.bids:
        return state.eldest
    bid = standing(state)
    out = {seat for seat, word in state.bids if word is None}
    if bid is not None and not (bid[0] == "prop_cop" and state.profile.option("self_raise")):
        out.update(bid[1])
    last = state.bids[-1][0]
    for seat in ((last + step) % _SEATS for step in range(1, _SEATS + 1)):
        if seat not in out:
            return seat
    return _asked_again(state, bid[1][0]) if bid is not None and bid[0] == "prop" else None


def _asked_again(state: State, proposer: int) -> int | None:
    """All others have passed a Prop: eldest's late Cop, then its bidder's raise; each is asked once."""
    passes = [seat for seat, word in state.bids if word is None]
    if proposer in passes:
        return None
    if state.eldest != proposer and passes.count(state.eldest) == 1:
        return state.eldest
    return proposer if state.profile.option("prop_raise") else None


def bid_refusal(state: State, bid: str | None) -> str | None:
    """Why the seat that speaks next may not say this, in words that go on a sentence; None: it may."""
    seat = bidder(state)
    if seat is None:
        return "the auction is over"
    if bid is None or bid == "pass":
        return None
    if bid not in BIDS:
        return f"it is no bid ({', '.join(BIDS)})"
    if bid != "cop" and any(each == seat and word is None for each, word in state.bids):
        return "eldest has passed and may only accept the Prop"
    found = standing(state)
    if bid == "cop":
        return _cop_refusal(state, seat)
    if bid == "abundance_in_trumps" and not state.profile.option("ait_open") and (not found or found[0] != "abundance"):
        return "it may be bid only over an opponent's Abundance"
    if found is not None and _RANK[bid] <= _RANK[found[0]]:
        return f"it is not higher than {contract_title(found[0])}, which stands"
    return None


def _cop_refusal(state: State, seat: int) -> str | None:
    found = standing(state)
    if all(word != "prop" for _, word in state.bids) or found is None:
        return "there is no Prop to accept"
    if found[0] == "prop_cop":
        return "the Prop has been accepted"
    if found[0] != "prop":
        return f"{contract_title(found[0])} stands above the Prop"
    return "the Prop is his own" if found[1] == (seat,) else None


def refusals(state: State) -> dict[str, str]:
    """What may not be bid now, low to high, and why."""
    found = ((bid, bid_refusal(state, bid)) for bid in BIDS)
    return {bid: why for bid, why in found if why is not None}


def open_bids(state: State) -> tuple[str, ...]:
    """What may be bid now besides a pass, low to high; () when the auction is over."""
    return tuple(bid for bid in BIDS if bid_refusal(state, bid) is None)


def contract_found(state: State) -> Contract | None:
    """The contract of an auction that is over; None: the deal is void."""
    found = standing(state)
    if found is None or found[0] == "prop":
        return None
    assert state.turned is not None
    return contract_for(state.profile, found[0], found[1], state.dealer, suit_of(state.turned))


def contract_for(profile: Profile, name: str, declarers: tuple[int, ...], dealer: int, turned: int) -> Contract:
    """A contract in a deal of `dealer`, with the suit turned up; its trump is UNNAMED where the bidder names it."""
    rule = CONTRACTS[name]
    trump = UNNAMED if trump_choices(profile, rule) else turned if rule.trump == "turned" else NOTRUMP
    leader = declarers[0] if rule.leads == "declarer" else (dealer + 1) % _SEATS
    return Contract(name, declarers, trump, leader)


def trump_choices(profile: Profile, rule: ContractRule) -> tuple[int, ...]:
    """The trumps that the bidder of a contract may name, 4 for none; () where he names none."""
    if rule.name == "abundance_declared" and profile.option("ad_trump"):
        return (0, 1, 2, 3, NOTRUMP)
    return (0, 1, 2, 3) if rule.trump == "named" else ()
