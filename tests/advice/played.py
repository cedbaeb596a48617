"""Small matches played to their ends by lot, with the decisions before the play as brute force will ask about them."""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from tests.advice.replies import Brute, Parcels, sender
from tests.advice.small_games import SmallMatch, Values, good, lays_of, values_of
from tests.games.random_matches import CLAIMS, chosen
from tests.games.words import names, plain
from tierce.solver.games import Profile, ReplayedDeal, Send, State, apply, legal, new_match, record_of, replay
from tierce.solver.games.profile import MIZ

DEALERS: Final = ("TRUMP", "CALL", "DISCARD")
Loss: TypeAlias = tuple[str, int, Fraction]  # what was decided, by which seat, what it cost


@dataclass(slots=True)
class Played:
    """A deal as it was played. `before`: the match by the plain rules at each decision of the dealer's; `sends`: where
    each sender's first parcel was due."""

    deal: ReplayedDeal
    before: list[SmallMatch] = field(default_factory=list)
    sends: list[State] = field(default_factory=list)


def play(seed: str, name: str, profile: Profile, deals: int = 3, claims: float = CLAIMS) -> list[Played]:
    """The deals of a random match."""
    rng = random.Random(seed)
    state = new_match(profile, rng.randrange(3))
    match = SmallMatch(name, profile, state.dealer)
    states, found = [state], list[Played]()
    seen: list[tuple[list[SmallMatch], list[State]]] = []
    while state.phase != "OVER" and len(state.results) < deals:
        if state.phase == "DEAL":
            seen.append(([], []))
        if state.phase in DEALERS:
            seen[-1][0].append(deepcopy(match))
        if legal(state)[0].kind is Send and sender(state) not in [sender(each) for each in seen[-1][1]]:
            seen[-1][1].append(state)
        action = chosen(rng, state, claims)
        state = apply(state, action)
        match.do(plain(action))
        states.append(state)
    deals_played = [deal for deal in replay(record_of(states)).deals if not deal.passed_out]
    for deal, (before, sends) in zip(deals_played, seen, strict=True):
        found.append(Played(deal, before, sends))
    return found


def dealer_losses(played: Played) -> list[Loss]:
    """What the dealer's trump, and his discard or swap, cost, from the first moment at which all parcels were sent."""
    end = played.deal.state
    match = next(each for each in played.before if not _sends_ahead(each, played))
    extra = 1 if end.profile.kitty_trick else 0
    values = values_of(lays_of(match), "floor", extra)
    best = {call: max(_balance(end, call, value) for value in choices.values()) for call, choices in values.items()}
    made = next(choice for choice in values[end.call] if choice[0] == _discarded(end, values))
    reached = _balance(end, end.call, values[end.call][made])
    found: list[Loss] = []
    if len(best) > 1:
        found.append(("trump", 0, max(best.values()) - best[end.call]))
    if len(values[end.call]) > 1:
        found.append(("discard", 0, best[end.call] - reached))
    return found


def _sends_ahead(match: SmallMatch, played: Played) -> bool:
    """Have parcels still to be sent? Only where the discard comes first."""
    return match.phase == "DISCARD" and not match.call and bool(played.sends)


def _discarded(end: State, values: Values) -> frozenset[str]:
    laid = frozenset(names(end.discard))
    return laid if any(choice[0] == laid for choice in values[end.call]) else frozenset()


def _balance(end: State, call: str, value: Fraction) -> Fraction:
    quota = end.profile.caps()[0] if call == MIZ else end.profile.quotas[0]
    return good(call, value - quota)


def sender_losses(played: Played) -> list[Loss]:
    """What each sender's parcels cost him."""
    found = []
    made = {(each.sender, each.receiver): each.sent for each in played.deal.state.transfers}
    for state in played.sends:
        seat = sender(state)
        brute = Brute(state, "floor")
        parcels = next(way for way in brute.replies if _sent(state, way, made))
        found.append(("exchange", seat, brute.best - brute.replies[parcels].value))
    return found


def _sent(state: State, way: Parcels, made: dict[tuple[int, int], int]) -> bool:
    """Is it the way that was taken? Parcels in the order in which the rules ask for them."""
    for parcel in way:
        open_ = legal(state)[0]
        assert open_.seat is not None and open_.to is not None
        if made[open_.seat, open_.to] != parcel:
            return False
        state = apply(state, Send(open_.seat, open_.to, parcel))
        while legal(state) and legal(state)[0].kind.__name__ == "Return":
            state = apply(state, legal(state)[0].choices[0])
    return True
