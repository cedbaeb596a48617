"""Which card to play in a contract: will it be made? Every card is asked about in the same worlds.

    pimc      in each world exactly, as if all saw all cards: is the contract made after this card, yes or no; the mean.
              Tricks are those of playouts by the rules of thumb, and decide between cards of equal value
    playouts, tree   as of three hands (card_search.py), for the tricks of the side
    ending    as pimc, in all layouts that are left, each once

Where the number of tricks counts (overtricks that are paid, tricks or points that are asked for) worlds are solved for
it. Where the contract is made or beaten whatever is played, nothing is left to solve: playouts say which card takes
most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.cards import Card, Mask, bit
from tierce.solver.errors import Cancelled
from tierce.solver.games.contracts import Contract
from tierce.solver.games.view import View
from tierce.solver.hints.card_search import CardSearch
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Method
from tierce.solver.hints.worlds import Worlds
from tierce.solver.position import winning_place
from tierce.solver.results import stopped
from tierce.solver.search import NO_CARD, REQUEST, RESULT, STOP_CANCELLED, STOP_TIME, Engine

__all__ = ["CONTRACT_METHOD", "ContractCards", "contract_core"]

CONTRACT_METHOD: Final[Method] = "pimc"
BLEND = 0.0
_ROUNDS: Final = (1, 1, 2, 4)  # worlds of the first rounds
_ROUND: Final = 8
_TABLE: Final = 64 << 20  # bytes
_HIGH, _JOINED = 42, 44  # where a request has the tricks asked for, and whether its limits are those of the one before


def contract_core(view: View, wish: Wish, worlds: Worlds, method: Method, seed: int) -> CardSearch:
    """What values the cards of a view in the play of a contract."""
    contract = view.contract
    assert contract is not None
    if method == "pimc" and len(set(zip(wish.points, wish.makes, strict=True))) == 2:
        won, left = _won(view, contract), view.hand.bit_count()
        if _settled(contract, won, left) is None:
            return ContractCards(view, wish, worlds, seed)
        return CardSearch(view, wish, worlds, "playouts", seed)
    return CardSearch(view, wish, worlds, method, seed)


def _won(view: View, contract: Contract) -> int:
    return sum(view.taken[seat] for seat in contract.declarers)


def _settled(contract: Contract, won: int, left: int) -> bool | None:
    """Is a contract made whatever is played, with so many tricks won and to come? None: that is open."""
    if contract.rule.fewest:
        return False if won else None if left else True
    needs = contract.rule.needs
    return True if won >= needs else False if won + left < needs else None


class ContractCards(CardSearch):
    """The cards of a view by exact answers: made or not."""

    def __init__(self, view: View, wish: Wish, worlds: Worlds, seed: int) -> None:
        super().__init__(view, wish, worlds, "playouts", seed)
        self._asker = Asker(view)
        self._makes: list[list[bool]] = []
        self._worth = {
            made: next(p for p, each in zip(wish.points, wish.makes, strict=True) if each == made)
            for made in (False, True)
        }

    @property
    def method(self) -> Method:
        """How what is told was found."""
        return "pimc"

    @property
    def worlds(self) -> int:
        """Worlds done."""
        return len(self._makes)

    def cancel(self) -> None:
        """Stop a solve that is running, from any thread; `step` then raises Cancelled."""
        self._asker.cancel()

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round: some worlds more, at most `most`. LimitReached if they took longer than `timeout` seconds."""
        planned = _ROUNDS[self._rounds] if self._rounds < len(_ROUNDS) else _ROUND
        count = min(planned, most or planned)
        before = len(self._makes)
        if len(self.drawn) < before + count:
            self.drawn.more(before + count - len(self.drawn))
        self._play_out()
        self._rounds += 1
        hands = [world.hands_now for world in self.drawn.worlds[before:]]
        self._makes += self._asker.made(hands, self.cards, timeout)
        self.valued = len(self._makes)
        if len(self._makes) < before + count:
            raise stopped(STOP_TIME)

    def _worths(self, place: int) -> list[float]:
        exact = [self._worth[each[place]] for each in self._makes]
        if not BLEND:
            return exact
        return [(1 - BLEND) * x + BLEND * y for x, y in zip(exact, super()._worths(place), strict=True)]

    def _reached(self, place: int) -> list[bool]:
        return [each[place] for each in self._makes]


class Asker:
    """Asks the engine whether the contract of a view is made, after a card in a world."""

    def __init__(self, view: View) -> None:
        contract = view.contract
        assert contract is not None
        self._view = view
        self._contract = contract
        self._won = _won(view, contract)
        self._side = sum(1 << seat for seat in contract.declarers)
        self._maxers = 15 & ~self._side if contract.rule.fewest else self._side
        self._left = view.hand.bit_count()
        self._engine = Engine(_TABLE)
        self._cancelled = False

    def cancel(self) -> None:
        """Stop, from any thread."""
        self._cancelled = True
        self._engine.cancel()

    def made(self, worlds: Sequence[Sequence[Mask]], cards: Sequence[Card], timeout: float | None) -> list[list[bool]]:
        """World by world, as far as there was time: is it made, by card?"""
        limit = 0 if timeout is None else max(1, int(timeout * 1e9))
        asked = [self._request(hands, card, limit) for hands in worlds for card in cards]
        requests = bytearray().join(each for each in asked if isinstance(each, bytes))
        if requests:
            requests[_JOINED] = 0  # the time counts from the first
        found = list(self._answered(asked, self._engine.run(bytes(requests), cold=False) if requests else b""))
        width = len(cards)
        return [found[at : at + width] for at in range(0, len(found) - width + 1, width)]

    def _answered(self, asked: Sequence[bytes | bool], answers: bytes) -> Iterator[bool]:
        """The answers, up to the first that a limit cut short."""
        rows = RESULT.iter_unpack(answers)
        for each in asked:
            if isinstance(each, bool):
                yield each
                continue
            low, high, stop, *_ = next(rows)
            if stop == STOP_CANCELLED:
                raise Cancelled
            if stop and low != high:
                return
            yield high == 0 if self._contract.rule.fewest else low == each[_HIGH]

    def _request(self, hands: Sequence[Mask], card: Card, limit: int) -> bytes | bool:
        """The question after a card, or the answer where there is nothing to ask."""
        view, contract = self._view, self._contract
        held = list(hands)
        held[view.seat] &= ~bit(card)
        trick, leader, won = (*view.trick, card), view.leader, self._won
        if len(trick) == len(held):
            leader = (leader + winning_place(trick, contract.trump)) % len(held)
            won += leader in contract.declarers
            trick = ()
        left = self._left if trick else self._left - 1
        found = _settled(contract, won, left)
        if found is not None:
            return found
        need = contract.rule.needs - won
        low, high = (0, 1) if contract.rule.fewest else (need - 1, need)
        beside = (NO_CARD,) * (len(held) - len(trick))
        sides = self._maxers, self._side
        return REQUEST.pack(*held, *trick, *beside, 4, contract.trump, leader, *sides, low, high, -1, 1, 0, limit)
