"""What a deal that was bid for a contract cost, and whom: the account of its cards, the auction, the trump named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.contract_accounts import (
    ContractClaim,
    ContractSeat,
    ContractSide,
    ContractStanding,
    ContractTurn,
    TrumpJudged,
)
from tierce.solver.advice.contract_calls import CallJudged, SeatAuction, seat_auctions
from tierce.solver.advice.contract_ledger import ContractLedger, ContractPlay
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.cards import SEATS4, card_name, side_name, trump_name
from tierce.solver.games.contracts import Contract, payments
from tierce.solver.games.replay import ReplayedDeal

__all__ = ["ContractReview", "Part"]

Json: TypeAlias = dict[str, Any]
Part: TypeAlias = Literal["auction", "trump"]
SIDES: Final = ("declarers", "defenders")
DEAR: Final = 2  # tricks: a card that costs so many is a turning point, whatever it changes


@dataclass(frozen=True, slots=True)
class ContractReview:
    """A deal of a game of contracts, reviewed.

    deal      as replayed; players: names, or "North" ...
    contract  what was played, None for a void deal; ledger: of its cards, None for a void deal
    table     what could be made in the deal, all hands seen; None where the auction was not judged
    calls     of the auction, judged
    trump     the trump its bidder named, judged; None where he named none, or it was not judged
    skipped   what was not judged for want of time, or not all of it
    nodes     starts of tricks searched; millis: wall time

    Units are money where the game has a schedule of overtricks; in the auction they are always units.
    """

    deal: ReplayedDeal
    players: tuple[str, ...]
    contract: Contract | None
    ledger: ContractLedger | None
    table: ContractTable | None
    calls: tuple[CallJudged, ...]
    trump: TrumpJudged | None
    skipped: tuple[Part, ...]
    nodes: int
    millis: float

    # ---- the hand ----------------------------------------------------------------------------------------------------

    @property
    def void(self) -> bool:
        """Did the auction find no contract?"""
        return self.contract is None

    @property
    def finished(self) -> bool:
        """Is it void, or played or claimed to its end?"""
        return self.ledger is None or self.ledger.left == 0 or self.deal.state.claim is not None

    @property
    def whole(self) -> bool:
        """Are all its cards accounted for?"""
        return self.ledger is None or self.ledger.whole

    @property
    def total(self) -> int:
        """Tricks of the hand."""
        return 0 if self.ledger is None else sum(self.ledger.taken) + self.ledger.left

    @property
    def money(self) -> bool:
        """Do over- and undertricks cost?"""
        return self._schedule != "none"

    @property
    def _schedule(self) -> str:
        return str(self.deal.state.profile.option("overtrick_schedule"))

    def makes(self, worth: int) -> bool:
        """Is the contract made with so many tricks of its declarers?"""
        return self.contract is not None and self.contract.rule.made(worth)

    def worth_units(self, worth: int) -> tuple[int, ...]:
        """What so many tricks of the declarers bring each seat."""
        if self.contract is None:
            return (0, 0, 0, 0)
        tricks = [0, 0, 0, 0]
        tricks[self.contract.declarers[0]] = worth
        tricks[self.contract.defenders[0]] = self.total - worth
        return payments(self.contract, tricks, self._schedule)

    @property
    def worth(self) -> int:
        """The declarers' tricks: those of the hand or, where it is not finished, those of best play from its end."""
        if self.ledger is None:
            return 0
        claim = self.claim
        if claim is None:
            return self.ledger.end
        return claim.got + (0 if self.ledger.fewest else self._taken)

    @property
    def made(self) -> bool | None:
        """Was the contract made? None: void, or not finished and not settled."""
        if self.ledger is None:
            return None
        if self.finished:
            return self.makes(self.worth)
        taken, left = self._taken, self.ledger.left
        return self.makes(self.worth) if self._settled(taken, left) else None

    @property
    def tricks(self) -> int:
        """Tricks that the declarers have taken, those of a claim among them."""
        if self.ledger is None:
            return 0
        claim = self.deal.state.claim or (0, 0, 0, 0)
        return self._taken + self._of_side(claim)

    @property
    def _taken(self) -> int:
        return 0 if self.ledger is None else self._of_side(self.ledger.taken)

    def _of_side(self, tricks: tuple[int, ...]) -> int:
        return 0 if self.contract is None else self.contract.won(tricks)

    @property
    def units(self) -> tuple[int, ...]:
        """What the deal brought each seat; where it is not finished, what it would bring with best play."""
        return self.worth_units(self.worth)

    @property
    def stood(self) -> tuple[int, ...]:
        """What the contract was worth to each seat at the first card that is accounted for."""
        return (0, 0, 0, 0) if self.ledger is None else self.worth_units(self.ledger.start)

    def _settled(self, taken: int, left: int) -> bool:
        """Does the contract stand as it does whatever is played?"""
        assert self.contract is not None
        rule = self.contract.rule
        if rule.fewest:
            return taken > 0 or left == 0
        return taken >= rule.needs or taken + left < rule.needs

    @property
    def claim(self) -> ContractClaim | None:
        """The claim that ended the hand, judged."""
        ledger, tricks = self.ledger, self.deal.state.claim
        if ledger is None or tricks is None:
            return None
        worth, got = ledger.end, self._of_side(tricks)
        if ledger.fewest:
            got = min(1, self._taken + got)
            return ContractClaim(ledger.left, tricks, worth, got, self.makes(worth), self.makes(got))
        made = self.makes(self._taken + got)
        return ContractClaim(ledger.left, tricks, worth - self._taken, got, self.makes(worth), made)

    # ---- accounts ----------------------------------------------------------------------------------------------------

    def cost(self, play: ContractPlay) -> int:
        """What a card cost each seat of its player's side in units, 0 or more."""
        return self.worth_units(play.before)[play.seat] - self.worth_units(play.after)[play.seat]

    @property
    def sides(self) -> tuple[ContractSide, ...]:
        """The declarers, then the defenders; () for a void deal."""
        if self.contract is None:
            return ()
        return self._side(self.contract.declarers, True), self._side(self.contract.defenders, False)

    def _side(self, seats: tuple[int, ...], declares: bool) -> ContractSide:
        plays = self._plays(seats)
        return ContractSide(
            declares,
            seats,
            sum(play.loss for play in plays),
            sum(map(self.cost, plays)),
            sum(self._turns_round(play) for play in plays),
            sum(not play.forced for play in plays),
            sum(not play.forced and not play.loss for play in plays),
        )

    def _plays(self, seats: tuple[int, ...]) -> list[ContractPlay]:
        return [] if self.ledger is None else [play for play in self.ledger.plays if play.seat in seats]

    def _turns_round(self, play: ContractPlay) -> bool:
        return self.makes(play.before) != self.makes(play.after)

    @property
    def seats(self) -> tuple[ContractSeat, ...]:
        """One account for each seat."""
        return tuple(self._seat(seat) for seat in range(4))

    def _seat(self, seat: int) -> ContractSeat:
        declarers = () if self.contract is None else self.contract.declarers
        side = tuple(each for each in range(4) if (each in declarers) == (seat in declarers))
        own = self._side((seat,), seat in declarers)
        end = 0 if self.ledger is None else self.ledger.end
        player = self.deal.state.player(seat)
        return ContractSeat(
            seat=seat,
            player=player,
            name=self.players[player],
            declares=seat in declarers,
            units=self.units[seat],
            start=self.stood[seat],
            own=own.units,
            partners=self._cost_to(seat, tuple(each for each in side if each != seat)),
            others=-self._cost_to(seat, tuple(each for each in range(4) if each not in side)),
            claim=self.units[seat] - self.worth_units(end)[seat],
            lost=own.lost,
            turned=own.turned,
            unforced=own.unforced,
            best=own.best,
        )

    def _cost_to(self, seat: int, players: tuple[int, ...]) -> int:
        """What the cards of some seats cost one seat, in units; what they gave it counts less."""
        plays = self._plays(players)
        return sum(self.worth_units(play.before)[seat] - self.worth_units(play.after)[seat] for play in plays)

    @property
    def auctions(self) -> tuple[SeatAuction, ...]:
        """The auction by seat; () where it was not judged."""
        return () if self.table is None else seat_auctions(self.deal, self.table, self.calls)

    # ---- turning points ----------------------------------------------------------------------------------------------

    @property
    def turns(self) -> tuple[ContractTurn, ...]:
        """The turning points in the order of the play."""
        plays = () if self.ledger is None else self.ledger.plays
        return tuple(
            ContractTurn(number, play, self.makes(play.before), self.makes(play.after))
            for number, play in enumerate(plays)
            if self._turns_round(play) or play.loss >= DEAR
        )

    @property
    def standings(self) -> tuple[ContractStanding, ...]:
        """How the contract stood after each trick whose last card is accounted for."""
        return tuple(self._standings())

    def _standings(self) -> Iterator[ContractStanding]:
        ledger, tricks = self.ledger, self.deal.state.tricks
        if ledger is None or self.contract is None:
            return
        first = sum(len(trick.cards) for trick in tricks) + len(self.deal.state.trick) - len(ledger.plays)
        taken = 0
        for number, trick in enumerate(tricks, 1):
            taken += trick.winner in self.contract.declarers
            at = 4 * number - first
            if at > 0:
                worth = ledger.plays[at - 1].after
                settled = self._settled(taken, self.total - number)
                yield ContractStanding(number, trick.winner, worth, self.makes(worth), settled)

    # ---- as JSON -----------------------------------------------------------------------------------------------------

    def json(self) -> Json:
        """As JSON values; seats are N, E, S, W, lists of units in this order."""
        state, table = self.deal.state, self.table
        out: Json = {
            "game": state.profile.id,
            "deal": self.deal.number,
            "dealer": SEATS4[state.dealer],
            "turned": None if state.turned is None else card_name(state.turned),
            "contract": self._contract_json(),
            "finished": self.finished,
            "whole": self.whole,
            "made": self.made,
            "tricks": self.tricks,
            "units": list(self.units),
            "totals": list(self.deal.totals),
            "sides": [self._side_json(each) for each in self.sides],
            "seats": [self._seat_json(each) for each in self.seats],
            "plays": [self._play_json(play) for play in self._plays((0, 1, 2, 3))],
            "standings": [_standing_json(each) for each in self.standings],
            "turning_points": [self._turn_json(each) for each in self.turns],
        }
        if (claim := self.claim) is not None:
            out["claim"] = claim.json()
        if table is not None:
            out["auction"] = {
                "calls": [call.json() for call in self.calls],
                "seats": [each.json() for each in self.auctions],
                "table": {name: value for name, value in table.json().items() if name not in ("nodes", "millis")},
            }
        if self.trump is not None:
            out["trump"] = self.trump.json()
        return out | {"not_judged": list(self.skipped), "nodes": self.nodes, "millis": round(self.millis, 3)}

    def _contract_json(self) -> Json | None:
        contract, ledger = self.contract, self.ledger
        if contract is None or ledger is None:
            return None
        return {
            "contract": contract.name,
            "declarers": side_name(ledger.side, 4),
            "trump": trump_name(contract.trump),
            "leader": SEATS4[contract.leader],
            "needs": contract.rule.needs,
            "start": ledger.start,
            "makes": self.makes(ledger.start),
        }

    def _side_json(self, of: ContractSide) -> Json:
        seats = "".join(SEATS4[seat] for seat in of.seats)
        out: Json = {"side": SIDES[not of.declares], "seats": seats, "lost": of.lost, "units": of.units}
        return out | {"turned": of.turned, "unforced": of.unforced, "best": of.best}

    def _seat_json(self, of: ContractSeat) -> Json:
        out: Json = {"seat": SEATS4[of.seat], "player": of.player, "name": of.name}
        out["side"] = None if self.void else SIDES[not of.declares]
        out |= {"units": of.units, "start": of.start, "own": of.own, "partners": of.partners, "others": of.others}
        out |= {"claim": of.claim, "lost": of.lost, "turned": of.turned}
        return out | {"unforced": of.unforced, "best": of.best}

    def _play_json(self, play: ContractPlay) -> Json:
        return {
            "trick": play.trick,
            "seat": SEATS4[play.seat],
            "card": card_name(play.card),
            "side": SIDES[not play.declares],
            "forced": play.forced,
            "loss": play.loss,
            "units": self.cost(play),
            "best": [card_name(card) for card in play.best],
            "cards": [{"card": card_name(card), "tricks": worth} for card, worth in play.options],
            "after": play.after,
            "makes": self.makes(play.after),
        }

    def _turn_json(self, turn: ContractTurn) -> Json:
        play = turn.play
        return {
            "trick": play.trick,
            "seat": SEATS4[play.seat],
            "card": card_name(play.card),
            "side": SIDES[not play.declares],
            "loss": play.loss,
            "units": self.cost(play),
            "before": turn.before,
            "after": turn.after,
        }


def _standing_json(of: ContractStanding) -> Json:
    out: Json = {"trick": of.trick, "winner": SEATS4[of.winner], "worth": of.worth}
    return out | {"makes": of.makes, "settled": of.settled}
