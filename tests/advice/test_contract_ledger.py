"""The ledger of a contract against brute force: every number, the identity, limits and cancelling."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.brute import brute
from tests.brute.endings import random_ending
from tierce.solver.advice.contract_ledger import ContractLedger, ContractLedgerSearch, contract_ledger_of
from tierce.solver.cards import cards_of, parse_card
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.position import Position

SMALL = 3  # MiB of table


def value(position: Position, side: int, *, fewest: bool) -> int:
    """What the declarers come to, by brute force: tricks, or is it one at least."""
    wish = brute.fewest if fewest else brute.most
    taken = sum(tricks for seat, tricks in enumerate(position.taken) if side >> seat & 1)
    left = position.left and brute.value(
        position.hands, position.trump, position.leader, position.trick, *wish(side, 4)
    )
    return min(1, taken + left) if fewest else taken + left


def ending(rng: random.Random, cards: int) -> tuple[Position, int, bool]:
    """A random ending with tricks taken before, its declarers (one or two), and whether they may take none."""
    drawn = random_ending(rng, hands=4, cards=cards)
    few = rng.random() < 0.5
    side = rng.choice((1, 2, 4, 8) if few else (1, 2, 4, 8, 3, 5, 9, 6, 10, 12))
    taken = [0, 0, 0, 0]
    for _ in range(rng.choice((0, 0, 2, 9))):
        taken[rng.randrange(4)] += 1
    if few and rng.random() < 0.7:
        taken[side.bit_length() - 1] = 0
    return Position(drawn.hands, drawn.trump, drawn.leader, drawn.trick, tuple(taken)), side, few


def by_lot(rng: random.Random, position: Position, stop: float = 0.1) -> list[int]:
    """Cards to the end or, sometimes, to somewhere before it."""
    cards: list[int] = []
    while position.left and rng.random() > stop / 4:
        cards.append(rng.choice(cards_of(position.legal())))
        position = position.play(cards[-1])
    return cards


def check(start: Position, cards: Sequence[int], side: int, *, fewest: bool) -> ContractLedger:
    """Every number of the account against brute force."""
    ledger = contract_ledger_of(start, cards, side, fewest=fewest, table_mb=SMALL)
    positions = [start]
    for card in cards:
        positions.append(positions[-1].play(card))
    worth = [value(each, side, fewest=fewest) for each in positions]
    assert (ledger.start, ledger.end, ledger.taken) == (worth[0], worth[-1], positions[-1].taken)
    assert ledger.left == positions[-1].left and ledger.whole and len(ledger.plays) == len(cards)
    for number, play in enumerate(ledger.plays):
        position = positions[number]
        assert (play.seat, play.card, play.trick) == (position.mover, cards[number], sum(position.taken) + 1)
        assert (play.before, play.after) == (worth[number], worth[number + 1])
        options = {card: value(position.play(card), side, fewest=fewest) for card in cards_of(position.legal())}
        assert dict(play.options) == options and len(play.options) == len(options)
        declares = bool(side >> position.mover & 1)
        loss = (worth[number] - worth[number + 1]) * (1 if declares != fewest else -1)
        assert play.declares == declares and play.loss == loss >= 0
        best = (max if declares != fewest else min)(options.values())
        assert set(play.best) == {card for card, each in options.items() if each == best}
        assert play.forced == (len(options) == 1)
    check_account(ledger)
    return ledger


def check_account(ledger: ContractLedger) -> None:
    """What both sides lost is all there is between the worth at the beginning and at the end."""
    own = [seat for seat in range(4) if ledger.side >> seat & 1]
    lost, gained = ledger.lost(own), ledger.lost({0, 1, 2, 3} - set(own))
    assert ledger.end == ledger.start + (lost - gained if ledger.fewest else gained - lost)


@pytest.mark.parametrize("seed", range(6))
def test_endings(seed: int) -> None:
    rng = random.Random(f"contract ledger {seed}")
    for _ in range(12):
        position, side, few = ending(rng, 3)
        check(position, by_lot(rng, position), side, fewest=few)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_longer_endings(seed: int) -> None:
    rng = random.Random(f"long contract ledger {seed}")
    for _ in range(6):
        position, side, few = ending(rng, 5)
        check(position, by_lot(rng, position, 0), side, fewest=few)


def cards(text: str) -> list[int]:
    return [parse_card(each) for each in text.split()]


def held(text: str) -> int:
    return sum(1 << card for card in cards(text))


def test_made_and_beaten_by_hand() -> None:
    """North, who needs both tricks, holds ace and queen of spades over West's king and a small heart; South, the
    partner, can lead through him or not."""
    hands = (held("SA SQ"), held("H5 H4"), held("S2 HA"), held("SK S3"))
    start = Position(hands, 4, 1)  # East leads a heart, South's ace takes it
    well = contract_ledger_of(start, cards("H5 HA S3 SQ S2 SK SA H4"), 0b0101)
    assert (well.start, well.end) == (2, 2) and not any(play.loss for play in well.plays)
    # North throws the ace of spades on the ace of hearts: West's king is then high over the queen.
    badly = contract_ledger_of(start, cards("H5 HA S3 SA S2 SK SQ H4"), 0b0101)
    assert [(play.seat, play.loss) for play in badly.plays if play.loss] == [(0, 1)]
    assert badly.lost([0]) == badly.lost([0, 2]) == 1 and badly.lost([2]) == 0
    assert (badly.start, badly.end) == (2, 1)


def test_none_may_be_taken() -> None:
    """East's ace wins the second spade, if West leads one; on West's heart he can throw it, or keep it."""
    hands = (held("SK S4"), held("SA S3"), held("H5 H4"), held("S2 HA"))
    start = Position(hands, 4, 3)
    thrown = contract_ledger_of(start, cards("HA S4 SA H5 S2 SK S3 H4"), 0b0010, fewest=True)
    assert [(play.seat, play.loss, play.best) for play in thrown.plays if play.loss] == [(3, 1, (parse_card("S2"),))]
    assert (thrown.start, thrown.end, thrown.lost([0, 2, 3]), thrown.lost([1])) == (1, 0, 1, 0)
    kept = contract_ledger_of(start, cards("HA SK S3 H5 S2 S4 SA H4"), 0b0010, fewest=True)
    assert [(play.seat, play.loss) for play in kept.plays if play.loss] == [(3, 1), (1, 1)]
    assert (kept.start, kept.end) == (1, 1)


# ---- limits ----------------------------------------------------------------------------------------------------------


def whole() -> Position:
    rng = random.Random(4)
    pack = [16 * suit + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(pack)
    hands = tuple(sum(1 << card for card in pack[13 * seat : 13 * seat + 13]) for seat in range(4))
    return Position(hands, 2, 1)


def test_what_is_judged_when_time_is_over() -> None:
    """The last cards, as they are judged without a limit."""
    start = whole()
    played = by_lot(random.Random(1), start, 0)
    full = contract_ledger_of(start, played, 0b0011)
    asked = 0

    def left() -> float | None:
        nonlocal asked
        asked += 1
        return None if asked < 30 else 1e-9

    part = ContractLedgerSearch(start, played, 0b0011).run(left)
    assert not part.whole and 20 < len(part.plays) < 52
    assert part.plays == full.plays[-len(part.plays) :] and (part.end, part.start) == (full.end, part.plays[0].before)
    check_account(full)
    check_account(part)


def test_an_unfinished_hand_needs_its_end() -> None:
    with pytest.raises(LimitReached) as caught:
        ContractLedgerSearch(whole(), [], 0b0001).run(lambda: 1e-9)
    assert caught.value.code == "timeout"


def test_cancelled_before_it_began() -> None:
    search = ContractLedgerSearch(whole(), [], 0b0001)
    search.cancel()
    with pytest.raises(Cancelled):
        search.run()


@pytest.mark.parametrize("side", [0, 15, True, "NS"])
def test_declarers_are_some_of_four(side: int) -> None:
    with pytest.raises(InputError) as caught:
        ContractLedgerSearch(whole(), [], side)
    assert caught.value.field == "side"


def test_four_hands() -> None:
    with pytest.raises(InputError, match="expected four hands, found 3"):
        ContractLedgerSearch(Position((1, 2, 4), 4, 0), [], 1)
