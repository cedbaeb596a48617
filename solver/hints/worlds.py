"""The worlds of a hint: drawn uniformly from all that fit the view, then weighed by what the others chose.

What others do tells what they hold. Five things are read, each as the work of a player who in most cases follows the
rules of thumb and now and then does anything, so that no world that the rules allow has a weight of 0:

    discard   of the dealer's: with probability SENSIBLE it is laid anew, as the quick rule would have it of those cards
              which it can have been; otherwise, and where parcels are answered after it, it stays as drawn
    trump     named by the dealer: by the measure of his hand with each trump, TASTE tricks making one e times as likely
    parcels   of others to this seat, and between them: a rank above the lowest that could be sent makes it less likely
    cards     those played by others: with probability 1 - DOUBT those of policy.pxd, else any
    bids      in a game of contracts: by how far hands are beyond what the rules ask for (auction_ahead.py), and a trump
              that was named as that of the bidder's best suit

With `infer` off all worlds weigh the same. Everything is settled by the view and the seed: the same number of worlds
are the same worlds.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from math import exp, fsum, log
from typing import Final, TypeAlias

from tierce.solver.advice.choices import trump_of
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorld, PlayWorlds
from tierce.solver.cards import LANE, SUITS, Mask, cards_of, mask_of, rank_of
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View
from tierce.solver.hints._playouts import Scene, sample
from tierce.solver.hints.auction_ahead import AuctionAhead
from tierce.solver.hints.means import counted, squares_of
from tierce.solver.hints.simple import THUMB, scene_of
from tierce.solver.hints.simple_contract import named_simply

__all__ = ["Picked", "Worlds"]

Hands: TypeAlias = tuple[Mask, ...]

SENSIBLE: Final = 0.9
TASTE: Final = 0.7
DOUBT: Final = 0.35
_RANK: Final = 0.25  # what a rank above the lowest takes away, as an exponent
_LOT: Final = 8  # worlds that are picked at a time,
_DRAWN: Final = 8  # each of so many drawn
_PACKED: Final = struct.Struct("4Q")


class Worlds:
    """Worlds of a view in the play, more and more of them.

    worlds    they; packed: hands now and discard as bytes (see _playouts); weights: how likely, the largest near 1
    fit       how many there are
    """

    def __init__(self, view: View, *, infer: bool = True, seed: int = 1, doubt: float = DOUBT) -> None:
        self.view: Final = view
        self.infer: Final = infer
        self._source = PlayWorlds(view)
        self.fit: Final = self._source.count
        self._draws = Draws(seed)
        self._doubt = doubt
        self.worlds: list[PlayWorld] = []
        self.packed = bytearray()
        self._auction: AuctionAhead | None = None
        self._logs: list[float] = []
        self._weights: list[float] = []
        self._scene: Final[Scene] = scene_of(view)
        seats: list[int] = []
        cards: list[int] = []
        for leader, trick in (*((each.leader, each.cards) for each in view.tricks), (view.leader, view.trick)):
            seats += [(leader + place) % view.profile.seats for place in range(len(trick))]
            cards += trick
        self._seats, self._cards = bytes(seats), bytes(cards)
        self._played = [0] * view.profile.seats
        for seat, card in zip(seats, cards, strict=True):
            self._played[seat] |= 1 << card
        self._out = view.removed | view.up_card
        steps = view.profile.steps(first=not view.results)
        after = steps[steps.index("DISCARD") :] if "DISCARD" in steps else ()
        self._late = "KITTY" in after  # the kitty was taken after the discard
        self._lays_anew = "SEND" not in after  # else what came back in the exchange hangs on the discard

    def __len__(self) -> int:
        return len(self.worlds)

    @property
    def weights(self) -> list[float]:
        """The weights of all worlds drawn by now."""
        if len(self._weights) < len(self._logs):
            top = max(self._logs)
            self._weights = [exp(each - top) for each in self._logs]
        return self._weights

    @property
    def effective(self) -> float:
        """How many worlds of the same weight would say as much."""
        return counted(self.weights)

    def squares(self, count: int) -> float:
        """The sum of the squared weights of the first worlds, so many."""
        return fsum(each * each for each in self.weights[:count])

    def more(self, count: int) -> None:
        """Draw so many."""
        self._take(self._source.draw(self._draws) for _ in range(count))

    def all(self) -> None:
        """Every one once, in place of a draw. Only where nothing is laid anew: in games of contracts."""
        self._take(self._source)

    def _take(self, drawn: Iterable[PlayWorld]) -> None:
        """Weigh worlds, one after another: what is laid anew is by the same random numbers."""
        new = bytearray()
        priors = []
        for world in drawn:
            prior = 0.0
            if self.infer:
                world, prior = self._told(world)
            self.worlds.append(world)
            priors.append(prior)
            new += self._packed(world)
        self.packed += new
        if self.infer:
            plays = self._scene.likelihoods(bytes(new), self._seats, self._cards, self._out, self._doubt)
            logs = struct.unpack(f"{len(priors)}d", plays)
            self._logs += [one + other for one, other in zip(priors, logs, strict=True)]
        else:
            self._logs += priors

    def _packed(self, world: PlayWorld) -> bytes:
        beside = () if len(world.hands_now) == 4 else (world.discard,)
        return _PACKED.pack(*world.hands_now, *beside)

    def factors(self, layouts: Sequence[tuple[Hands, int]]) -> list[float]:
        """How likely the cards played are in some layouts of the hands, whatever was laid away; 1 for all where
        nothing is inferred."""
        if not self.infer:
            return [1.0] * len(layouts)
        own = self.view.discard or 0
        packed = b"".join(_PACKED.pack(*hands, own) for hands, _ in layouts)
        logs = struct.unpack(
            f"{len(layouts)}d", self._scene.likelihoods(packed, self._seats, self._cards, self._out, self._doubt)
        )
        top = max(logs)
        return [exp(each - top) for each in logs]

    def sample(self, count: int, start: int) -> bytes:
        """So many worlds, each as often as its weight says, as evenly as can be; `start` shifts the grid."""
        weights = self.weights
        sums = struct.pack(f"{len(weights)}d", *accumulate(weights))
        shift = (start * 0.6180339887498949) % 1.0
        # Neighbours are the same world: a stride spreads them, so that a search meets all kinds soon.
        stride = next(each for each in (89, 83, 79, 73, 71) if count % each)
        return sample(bytes(self.packed), sums, count, shift, stride)

    # ---- what choices tell -------------------------------------------------------------------------------------------

    def _told(self, world: PlayWorld) -> tuple[PlayWorld, float]:
        """A world with the discard laid anew, and the logarithm of how likely trump and parcels are in it."""
        view, found = self.view, 0.0
        if view.profile.contracts:
            return world, self._bids(world)
        if view.seat != 0:
            if self._lays_anew and world.discard and self._draws.below(1000) < 1000 * SENSIBLE:
                world = self._laid_anew(world)
            held = world.hands_at_lead[0] | world.discard
            found += self._named(held & ~world.kitty if self._late else held)
        for each in world.transfers:
            if each.sender != view.seat and each.sent:
                found += self._sent(world, each.sender, each.sent)
        return world, found

    def _bids(self, world: PlayWorld) -> float:
        """The logarithm of how likely the others were to bid and pass as they did, and to name this trump."""
        if self._auction is None:
            self._auction = AuctionAhead(self.view)
        found = log(self._auction.wishes(world.hands_at_lead)[1])
        contract = self.view.contract
        if contract is not None and contract.rule.trump == "named" and contract.declarers[0] != self.view.seat:
            fits = named_simply(world.hands_at_lead[contract.declarers[0]], contract.name) == contract.trump
            found += log(0.925 if fits else 0.025)
        return found

    def _laid_anew(self, world: PlayWorld) -> PlayWorld:
        """What the dealer would have laid away of what he can have: of a suit he has shown to lack all of it."""
        view, discard = self.view, world.discard
        held = world.hands_at_lead[0] | discard
        held = held & ~world.kitty if self._late else held
        lacking = sum(LANE << 16 * suit for suit in SUITS if view.voids[0] >> suit & 1)
        sure = discard & lacking
        among = held & ~lacking & ~view.known[0] & ~self._played[0]
        count = discard.bit_count() - sure.bit_count()
        if view.call == MIZ:
            anew = sure | mask_of(sorted(cards_of(among), key=lambda card: -rank_of(card))[:count])
        else:
            anew = sure | THUMB.discard(held & ~sure, trump_of(view.call), count, among)
        lead, now = world.hands_at_lead, world.hands_now
        return replace(
            world,
            discard=anew,
            hands_at_lead=((lead[0] | discard) & ~anew, *lead[1:]),
            hands_now=((now[0] | discard) & ~anew, *now[1:]),
        )

    def _named(self, hand: Mask) -> float:
        """The logarithm of how likely the dealer was to name this trump."""
        call = self.view.call
        if call not in tuple("SHDC"):
            return 0.0
        scores = [THUMB.measure(hand, trump) / TASTE for trump in range(4)]
        top = max(scores)
        total = fsum(exp(each - top) for each in scores)
        chance = exp(scores[trump_of(call)] - top) / total
        return log(0.9 * chance + 0.025)

    def _sent(self, found: PlayWorld, sender: int, sent: Mask) -> float:
        """How far the cards sent are above the lowest of the hand, as a logarithm."""
        hand = found.hands_at_lead[sender] | sent
        low = sorted(map(rank_of, cards_of(hand)))[: sent.bit_count()]
        return -_RANK * min(12, sum(map(rank_of, cards_of(sent))) - sum(low))


class Picked:
    """Worlds for what is dear to ask of a world: of many that are drawn some are picked, each as likely as its weight
    says, so that all that are picked count alike. What `CardSearch` asks of `Worlds`.

    The likely ones are picked several times, and tell no more for it. Of every lot as many are picked, however likely
    its worlds are beside those of others: so weights count for less than they say, however many worlds there are.

    worlds, packed, weights, fit   as of `Worlds`
    """

    def __init__(self, source: Worlds) -> None:
        self.source: Final = source
        self.fit: Final = source.fit
        self.worlds: list[PlayWorld] = []
        self.packed = bytearray()
        self.weights: list[float] = []
        self._places: list[int] = []  # of those picked, in the source
        self._turn = 0

    def __len__(self) -> int:
        return len(self.worlds)

    @property
    def effective(self) -> float:
        """How many different worlds would say as much."""
        return counted(self.weights, self.squares(len(self)))

    def squares(self, count: int) -> float:
        """As of `Worlds`; what was picked several times is one world, that weighs as much as all of them."""
        places = self._places or range(len(self.weights))
        return squares_of(self.weights[:count], places[:count])

    def more(self, count: int) -> None:
        """Pick so many, or more: whole lots of them."""
        due = len(self.worlds) + count
        while len(self.worlds) < due:
            self._pick(_LOT)

    def _pick(self, count: int) -> None:
        """An even grid over the running sums of the weights of a lot; where it begins goes by turns."""
        before = len(self.source)
        self.source.more(_DRAWN * count)
        sums = list(accumulate(self.source.weights[before:]))
        self._turn += 1
        shift = self._turn * 0.6180339887498949 % 1.0
        places = [before + bisect_left(sums, (each + shift) * sums[-1] / count) for each in range(count)]
        # Neighbours of the grid may be the same world: they are met at some distance.
        for place in places[::2] + places[1::2]:
            self._places.append(place)
            self.worlds.append(self.source.worlds[place])
            self.packed += self.source.packed[32 * place : 32 * place + 32]
            self.weights.append(1.0)

    def all(self) -> None:
        """Every world once, with its weight."""
        self.source.all()
        self.worlds, self.packed, self.weights = self.source.worlds, self.source.packed, self.source.weights

    def sample(self, count: int, start: int) -> bytes:
        """As of `Worlds`."""
        return self.source.sample(count, start)
