"""Which card to play in a contract: will it be made? Every card is asked about in the same worlds.

    pimc      in each world exactly, as if all saw all cards: is the contract made after this card, yes or no; the mean.
              Playouts of the same worlds by the rules of thumb count as PRIOR worlds more: they say what cards that are
              equal for players who see all are worth at a table, and steady the mean of few worlds. Tricks are theirs.
              Of a long hand only the cards that they promise most of are asked about. Worlds are picked by their
              weights from eight times as many
    playouts, tree   as of three hands (card_search.py), for the tricks of the side
    ending    exactly in all layouts that are left, each once; between cards of equal value the tricks decide

Where the number of tricks counts (overtricks that are paid, tricks or points that are asked for) worlds are solved for
it. Where the contract is made or beaten whatever is played, nothing is left to solve: playouts say which card takes
most.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, TypeAlias

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import Card, Mask, bit
from tierce.solver.errors import Cancelled
from tierce.solver.games.contracts import Contract
from tierce.solver.games.view import View
from tierce.solver.hints.card_search import CardSearch
from tierce.solver.hints.cores import Core, Told
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Method, Others
from tierce.solver.hints.worlds import Picked, Worlds
from tierce.solver.position import winning_place
from tierce.solver.results import stopped
from tierce.solver.search import NO_CARD, REQUEST, RESULT, STOP_CANCELLED, STOP_TIME, Engine

__all__ = ["ContractCards", "contract_core", "contract_method"]

Hands: TypeAlias = tuple[Mask, ...]

PRIOR: Final = 1.0  # worlds that the playouts count as
_LONG: Final = 11  # cards of a hand of which not all are asked about,
_KEPT: Final = 6  # but so many,
_LOOKS: Final = 24  # after so many worlds of playouts
ENDING_WORLDS: Final = 120  # layouts that are asked about one by one
_ROUNDS: Final = (1, 1, 2, 4)  # worlds of the first rounds
_ROUND: Final = 8
_TABLE: Final = 8 << 20  # bytes; a server has one for each hint in progress. With 64 MiB 9 % more worlds at trick 1
_HIGH, _JOINED = 42, 44  # where a request has the tricks asked for, and whether its limits are those of the one before


def contract_method(view: View) -> Method:
    """The best method for a view. Who must win no trick is beaten in far more worlds by players who see all cards than
    at a table: then exact answers say little, and he does better by the rules that the others follow."""
    contract = view.contract
    bidder = contract is not None and contract.rule.fewest and view.seat in contract.declarers
    return "tree" if bidder else "pimc"


def contract_core(
    view: View, wish: Wish, worlds: Worlds, method: Method, seed: int, *, whole: bool
) -> tuple[Core, Method, Others]:
    """What values the cards of a view in the play of a contract, by which method, and how the others play in it.

    whole   may all layouts be asked about, where they are few?
    """
    contract = view.contract
    assert contract is not None
    if method in ("playouts", "tree"):
        return CardSearch(view, wish, worlds, method, seed), method, "rules"
    if len(set(zip(wish.points, wish.makes, strict=True))) > 2:  # more counts than that it is made
        return CardSearch(view, wish, worlds, "pimc", seed), "pimc", "conspiring"
    if _settled(contract, _won(view, contract), view.hand.bit_count()) is not None:
        return CardSearch(view, wish, worlds, "playouts", seed), "playouts", "rules"
    search = ContractCards(view, wish, worlds, seed)
    if whole and worlds.fit <= ENDING_WORLDS:
        return search.whole(), "ending", "conspiring"
    return search, "pimc", "conspiring"


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
        super().__init__(view, wish, Picked(worlds) if worlds.infer else worlds, "playouts", seed)
        self._asker = Asker(view)
        self._makes: list[list[bool]] = []
        self._all = False  # are all layouts asked about?
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
        if not self._rounds and self._view.hand.bit_count() >= _LONG and len(self.cards) > _KEPT:
            self._narrow()
        planned = _ROUNDS[self._rounds] if self._rounds < len(_ROUNDS) else _ROUND
        count = min(planned, most or planned)
        lacking = len(self._makes) + count - len(self.drawn)
        if lacking > 0:
            self.drawn.more(lacking)
        self._rounds += 1
        self._value(count, timeout)

    def _narrow(self) -> None:
        """Keep the cards that promise most by the rules of thumb: of long hands few worlds can be asked about."""
        self.drawn.more(_LOOKS)
        self._play_out()
        self.valued = len(self.scores)
        kept = sorted(self._place(each) for each in self.options()[:_KEPT])
        self.valued = 0
        self.cards = tuple(self.cards[place] for place in kept)
        self._bytes = bytes(self.cards)
        self._named = tuple(self._named[place] for place in kept)
        self.scores = [bytes(each[place] for place in kept) for each in self.scores]

    def _value(self, count: int, timeout: float | None) -> None:
        """Ask about so many worlds more. LimitReached if there was not time for all."""
        self._play_out()
        due = len(self._makes) + count
        hands = [world.hands_now for world in self.drawn.worlds[len(self._makes) : due]]
        self._makes += self._asker.made(hands, self.cards, timeout)
        self.valued = len(self._makes)
        if len(self._makes) < due:
            raise stopped(STOP_TIME)

    def whole(self) -> Told:
        """The answer by all layouts, each once: nothing of it is estimated but the tricks."""
        self._all = True
        self.drawn.all()
        self._value(len(self.drawn), None)
        options = [replace(each, value=Figure(each.value.value, 0.0)) for each in self.options()]
        return Told(options, self.worlds, self.fit, self.effective)

    def _worths(self, place: int) -> list[float]:
        played = super()._worths(place)
        if not self._makes:
            return played
        share = 0.0 if self._all else PRIOR / (PRIOR + self.effective)
        exact = (self._worth[each[place]] for each in self._makes)
        return [(1 - share) * x + share * y for x, y in zip(exact, played, strict=True)]

    def _reached(self, place: int) -> list[float]:
        if not self._makes:
            return super()._reached(place)
        return [float(each[place]) for each in self._makes]


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
        self._declares = view.seat in contract.declarers
        self._engine = Engine(_TABLE)

    def cancel(self) -> None:
        """Stop, from any thread."""
        self._engine.cancel()

    def made(self, worlds: Sequence[Hands], cards: Sequence[Card], timeout: float | None) -> list[list[bool]]:
        """World by world, as far as there was time: is it made, by card?

        First of each world whether it is made at all: where not, no card of a declarer makes it, and where it is, none
        of a defender's beats it.
        """
        late = None if timeout is None else time.monotonic() + timeout
        hopes = self._run([self._request(hands, None) for hands in worlds], late)
        open_ = [hands for hands, made in zip(worlds, hopes, strict=False) if made == self._declares]
        answers = iter(self._run([self._request(hands, card) for hands in open_ for card in cards], late))
        found: list[list[bool]] = []
        for made in hopes:
            row = list(islice(answers, len(cards))) if made == self._declares else [made] * len(cards)
            if len(row) < len(cards):
                break
            found.append(row)
        return found

    def _run(self, asked: Sequence[bytes | bool], late: float | None) -> list[bool]:
        """The answers, up to the first that the time cut short."""
        requests = bytearray().join(each for each in asked if isinstance(each, bytes))
        if late is not None:
            limit = max(1, int(1e9 * (late - time.monotonic()))).to_bytes(8, "little")
            for at in range(0, len(requests), REQUEST.size):
                requests[at + REQUEST.size - 8 : at + REQUEST.size] = limit
        if requests:
            requests[_JOINED] = 0  # the time counts from the first
        return list(self._answered(asked, self._engine.run(bytes(requests), cold=False) if requests else b""))

    def _answered(self, asked: Sequence[bytes | bool], answers: bytes) -> Iterator[bool]:
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

    def _request(self, hands: Hands, card: Card | None) -> bytes | bool:
        """The question of a world, before a card or after it; the answer where there is nothing to ask."""
        view, contract = self._view, self._contract
        held, trick, leader, won = list(hands), view.trick, view.leader, self._won
        if card is not None:
            held[view.seat] &= ~bit(card)
            trick = (*trick, card)
        if len(trick) == len(held):
            leader = (leader + winning_place(trick, contract.trump)) % len(held)
            won += leader in contract.declarers
            trick = ()
        found = _settled(contract, won, held[leader].bit_count() + bool(trick))
        if found is not None:
            return found
        need = contract.rule.needs - won
        low, high = (0, 1) if contract.rule.fewest else (need - 1, need)
        beside = (NO_CARD,) * (len(held) - len(trick))
        sides = self._maxers, self._side
        return REQUEST.pack(*held, *trick, *beside, 4, contract.trump, leader, *sides, low, high, -1, 1, 0, 0)
