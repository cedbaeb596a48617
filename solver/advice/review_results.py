"""What a hand that was played cost: the account of its cards, and every decision judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tierce.solver.advice.choices import Choice
from tierce.solver.advice.dealer_results import choice_json
from tierce.solver.advice.exchange_results import sends_json
from tierce.solver.advice.ledger import Ledger, Play, Three
from tierce.solver.advice.sending import Way
from tierce.solver.cards import card_name
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.scoring import counted_tricks

__all__ = ["ClaimJudged", "Decision", "Review", "SeatAccount", "Standing", "Status", "Turn", "What"]

Json: TypeAlias = dict[str, Any]
What: TypeAlias = Literal["exchange", "trump", "discard", "swap"]
Status: TypeAlias = Literal["safe", "contested", "lost"]
SEATS = "DEM"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision before the play. Values are balances of the decider's guarantee, in tricks over his quota: calls with
    quotas of their own (MIZ) compare so.

    what      exchange: the parcels of one sender; trump: the trump or the call; discard; swap: of the up-card
    chosen    what was chosen: a way, a call, or a choice (discard or swap)
    best      bounds of the best value there was; value: of the one reached
    equal     the choices that are as good as any, some of them where there are many; count: how many, None if it was
              not found out
    """

    what: What
    seat: int
    chosen: Way | str | Choice
    best: tuple[float, float]
    value: tuple[float, float]
    equal: tuple[Way | str | Choice, ...] = ()
    count: int | None = None

    @property
    def loss(self) -> float | None:
        """What the choice cost, in tricks; None if it is not known."""
        low, high = self.loss_bounds
        return low if low == high else None

    @property
    def loss_bounds(self) -> tuple[float, float]:
        """What it cost at least and at most."""
        low, high = self.best[0] - self.value[1], self.best[1] - self.value[0]
        return max(0, round(low, 4)), max(0, round(high, 4))

    def json(self) -> Json:
        out: Json = {"what": self.what, "seat": SEATS[self.seat]} | _chosen_json(self.chosen)
        if self.loss is None:
            out["loss_bounds"] = list(self.loss_bounds)
        else:
            out["loss"] = self.loss
        out["best"] = [_chosen_json(each) for each in self.equal]
        if self.count is not None:
            out["count"] = self.count
        return out


@dataclass(frozen=True, slots=True)
class Turn:
    """A turning point: a card that cost two tricks or more, or after which a seat's quota stands otherwise.

    number    the play's place in the ledger
    changes   (seat, status before, status after)
    """

    number: int
    play: Play
    changes: tuple[tuple[int, Status, Status], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """After a trick: who won it, the guarantees then, and how each quota stood."""

    trick: int
    winner: int
    guarantees: Three
    status: tuple[Status, Status, Status]


@dataclass(frozen=True, slots=True)
class ClaimJudged:
    """A claim against what the position was worth, in tricks of those that were left.

    left         so many; tricks: what each seat got of them
    guarantees   what each was sure of, in MIZ the most it could be made to take
    """

    left: int
    tricks: Three
    guarantees: Three
    few: bool

    @property
    def wronged(self) -> tuple[int, ...]:
        """The seats that got less than they were sure of, in MIZ more than they could be made to take."""
        return tuple(seat for seat in range(3) if self._better(self.guarantees[seat], self.tricks[seat]))

    @property
    def favoured(self) -> tuple[int, ...]:
        """The seats that got more than they could hope for if nobody erred, in MIZ less than they had to take."""
        spare = self.left - sum(self.guarantees)
        return tuple(seat for seat in range(3) if self._better(self.tricks[seat], self.guarantees[seat] + spare))

    def _better(self, one: int, other: int) -> bool:
        return one < other if self.few else one > other

    def json(self) -> Json:
        """As JSON values."""
        told = {"left": self.left, "tricks": list(self.tricks), "guarantees": list(self.guarantees)}
        return told | {"fair": not self.wronged}


@dataclass(frozen=True, slots=True)
class SeatAccount:
    """One seat's account: tricks = kitty + start - lost + gifts (+ claim), in MIZ with the other signs.

    player, name   who sat there
    tricks    as they count; where the hand is not finished, what is sure at its end
    kitty     1 where the kitty is a trick of the dealer's
    start     the guarantee at the first card that is accounted for
    lost      what its own cards cost; gifts: what each seat's cards brought it
    claim     tricks of a claim over what was sure
    before    losses before the play: exchange, trump, discard, swap; None where it was not found out
    unforced  cards played with a choice; best: those of them that lost nothing
    """

    seat: int
    player: int
    name: str
    quota: int
    tricks: int
    kitty: int
    start: int
    lost: int
    gifts: Three
    claim: int
    before: tuple[tuple[str, float | None], ...]
    unforced: int
    best: int

    @property
    def balance(self) -> int:
        """Tricks over the quota; see `Review.balance` for MIZ."""
        return self.tricks - self.quota


@dataclass(frozen=True, slots=True)
class Review:
    """A hand, reviewed.

    deal       as replayed; players: names, or "Player 0" ...
    ledger     of its cards; whole: does it begin with the first lead?
    decisions  those before the play that were judged, in their order
    skipped    those that were not (not enough time): what, and whose
    nodes      starts of tricks searched; millis: wall time
    """

    deal: ReplayedDeal
    players: tuple[str, ...]
    ledger: Ledger
    whole: bool
    decisions: tuple[Decision, ...]
    skipped: tuple[tuple[What, int], ...]
    nodes: int
    millis: float

    # ---- the hand ----------------------------------------------------------------------------------------------------

    @property
    def few(self) -> bool:
        """Is it MIZ, where guarantees are caps?"""
        return self.ledger.kind == "cap"

    @property
    def finished(self) -> bool:
        """Was it played or claimed to its end?"""
        return self.ledger.left == 0 or self.deal.state.claim is not None

    @property
    def quotas(self) -> Three:
        """Tricks owed by seat; in MIZ those allowed."""
        d, e, m = self.deal.state.quotas
        return d, e, m

    @property
    def kitty(self) -> int:
        """The dealer's tricks besides those played."""
        return counted_tricks(self.deal.state.profile, (0, 0, 0))[0]

    @property
    def total(self) -> int:
        """Tricks of the hand, the kitty's not among them."""
        return sum(self.ledger.taken) + self.ledger.left

    def counted(self, guarantees: Sequence[int]) -> Three:
        """Tricks as they count: with the kitty where it is one."""
        return guarantees[0] + self.kitty, guarantees[1], guarantees[2]

    def surplus(self, floors: Sequence[int]) -> int:
        """The tricks that no floor accounts for."""
        return self.total - sum(floors)

    def shares(self, floors: Sequence[int]) -> tuple[float, float, float]:
        """Fair shares as they count: floor and a third of the surplus."""
        third = self.surplus(floors) / 3
        d, e, m = (round(each + third, 2) for each in self.counted(floors))
        return d, e, m

    def ceilings(self, floors: Sequence[int]) -> Three:
        """The most each can hope for, as tricks count."""
        d, e, m = (each + self.surplus(floors) for each in self.counted(floors))
        return d, e, m

    def status(self, guarantees: Sequence[int], taken: Sequence[int]) -> tuple[Status, Status, Status]:
        """How each quota stands: safe, contested, or lost unless another errs."""
        d, e, m = (self._status(seat, guarantees, taken) for seat in range(3))
        return d, e, m

    def _status(self, seat: int, guarantees: Sequence[int], taken: Sequence[int]) -> Status:
        quota, sure = self.quotas[seat], self.counted(guarantees)[seat]
        if self.few:
            return "safe" if sure <= quota else "lost" if self.counted(taken)[seat] > quota else "contested"
        return "safe" if sure >= quota else "lost" if self.ceilings(guarantees)[seat] < quota else "contested"

    # ---- accounts ----------------------------------------------------------------------------------------------------

    @property
    def accounts(self) -> tuple[SeatAccount, ...]:
        """One for each seat."""
        return tuple(self._account(seat) for seat in range(3))

    def _account(self, seat: int) -> SeatAccount:
        ledger, claim = self.ledger, self.deal.state.claim
        own = [play for play in ledger.plays if play.seat == seat and not play.forced]
        end = ledger.end[seat]
        settled = end if claim is None else ledger.taken[seat] + claim[seat]
        kitty = self.kitty if seat == 0 else 0
        player = self.deal.state.player(seat)
        return SeatAccount(
            seat=seat,
            player=player,
            name=self.players[player],
            quota=self.quotas[seat],
            tricks=settled + kitty,
            kitty=kitty,
            start=ledger.start[seat],
            lost=ledger.lost(seat),
            gifts=(ledger.gained(seat, 0), ledger.gained(seat, 1), ledger.gained(seat, 2)),
            claim=settled - end,
            before=self._before(seat),
            unforced=len(own),
            best=sum(not play.loss for play in own),
        )

    def _before(self, seat: int) -> tuple[tuple[str, float | None], ...]:
        made = [(str(each.what), each.loss) for each in self.decisions if each.seat == seat]
        return tuple(made + [(str(what), None) for what, whose in self.skipped if whose == seat])

    def balance(self, account: SeatAccount) -> int:
        """How much a seat is over its quota; in MIZ, under what is allowed."""
        return account.quota - account.tricks if self.few else account.balance

    @property
    def claim(self) -> ClaimJudged | None:
        """The claim that ended the hand, judged."""
        ledger, tricks = self.ledger, self.deal.state.claim
        if tricks is None:
            return None
        d, e, m = (sure - taken for sure, taken in zip(ledger.end, ledger.taken, strict=True))
        return ClaimJudged(ledger.left, (tricks[0], tricks[1], tricks[2]), (d, e, m), self.few)

    # ---- turning points ----------------------------------------------------------------------------------------------

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turning points in the order of the play."""
        found, taken = [], self._taken_before()
        for number, play in enumerate(self.ledger.plays):
            before = self.status(play.before, taken[number])
            after = self.status(play.after, taken[number + 1])
            changes = tuple((seat, before[seat], after[seat]) for seat in range(3) if before[seat] != after[seat])
            if changes or play.loss >= 2:
                found.append(Turn(number, play, changes))
        return tuple(found)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How the seats stood after each trick whose last card is accounted for."""
        found, taken = [], self._taken_before()
        tricks = self.deal.state.tricks
        for number, play in enumerate(self.ledger.plays, 1):
            if sum(taken[number]) == play.trick:
                status = self.status(play.after, taken[number])
                found.append(Standing(play.trick, tricks[play.trick - 1].winner, play.after, status))
        return tuple(found)

    def _taken_before(self) -> list[list[int]]:
        """Tricks taken by seat before each play that is accounted for, and after the last."""
        skipped = sum(len(trick.cards) for trick in self.deal.state.tricks) + len(self.deal.state.trick)
        skipped -= len(self.ledger.plays)
        found, taken = [], [0, 0, 0]
        for number in range(skipped + len(self.ledger.plays) + 1):
            if number and number % 3 == 0:
                taken = list(taken)
                taken[self.deal.state.tricks[number // 3 - 1].winner] += 1
            if number >= skipped:
                found.append(taken)
        return found

    # ---- as JSON -----------------------------------------------------------------------------------------------------

    def json(self) -> Json:
        """As JSON values; seats are D, E, M, guarantees lists in this order."""
        state = self.deal.state
        out: Json = {
            "game": state.profile.id,
            "deal": self.deal.number,
            "call": state.call,
            "kind": self.ledger.kind,
            "total": self.total + self.kitty,
            "finished": self.finished,
            "whole": self.whole,
            "seats": [self._seat_json(each) for each in self.accounts],
            "decisions": [each.json() for each in self.decisions],
            "not_judged": [{"what": what, "seat": SEATS[seat]} for what, seat in self.skipped],
            "plays": [self._play_json(play) for play in self.ledger.plays],
            "tricks": [self._standing_json(each) for each in self.standings],
            "turning_points": [self._turn_json(turn) for turn in self.turns],
        } | ({} if self.claim is None else {"claim": self.claim.json()})
        return out | {"nodes": self.nodes, "millis": round(self.millis, 3)}

    def _seat_json(self, of: SeatAccount) -> Json:
        out: Json = {"seat": SEATS[of.seat], "player": of.player, "name": of.name, "quota": of.quota}
        out |= {"tricks": of.tricks, "balance": self.balance(of), "kitty": of.kitty, "start": of.start}
        out |= {"lost": of.lost, "gifts": sum(of.gifts), "claim": of.claim}
        out["gifts_from"] = [
            {"seat": SEATS[seat], "tricks": gift} for seat, gift in enumerate(of.gifts) if seat != of.seat
        ]
        out["before"] = [{"what": what} | ({} if loss is None else {"loss": loss}) for what, loss in of.before]
        return out | {"unforced": of.unforced, "best": of.best}

    def _play_json(self, play: Play) -> Json:
        return {
            "trick": play.trick,
            "seat": SEATS[play.seat],
            "card": card_name(play.card),
            "forced": play.forced,
            "loss": play.loss,
            "gifts": [{"seat": SEATS[seat], "tricks": play.gift(seat)} for seat in range(3) if play.gift(seat)],
            "best": [card_name(card) for card in play.best],
            "cards": [
                {"card": card_name(card), "tricks": values[play.seat]}
                | ({} if None in values else {"guarantees": list(values)})
                for card, values in play.options
            ],
            "after": list(play.after),
        }

    def _standing_json(self, standing: Standing) -> Json:
        out: Json = {
            "trick": standing.trick,
            "winner": SEATS[standing.winner],
            "guarantees": list(self.counted(standing.guarantees)),
        }
        if not self.few:
            out |= {"shares": list(self.shares(standing.guarantees))}
            out |= {"ceilings": list(self.ceilings(standing.guarantees))}
        return out | {"status": list(standing.status)}

    def _turn_json(self, turn: Turn) -> Json:
        play = turn.play
        return {
            "trick": play.trick,
            "seat": SEATS[play.seat],
            "card": card_name(play.card),
            "loss": play.loss,
            "changes": [
                {"seat": SEATS[seat], "before": before, "after": after} for seat, before, after in turn.changes
            ],
        }


def _chosen_json(chosen: Way | str | Choice) -> Json:
    if isinstance(chosen, Way):
        return {"sends": sends_json(chosen.sends)}
    if isinstance(chosen, str):
        return {"trump": chosen}
    return choice_json(chosen)
