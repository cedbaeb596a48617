"""The ledger of played cards against brute force: every number, the identity, blunders made by hand, cancelling."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.advice.ledgers import Moment, cards_named, ending_of, moments, random_cards
from tests.brute.endings import random_ending
from tierce.solver.advice.ledger import Ledger, LedgerSearch, Play, ledger_of
from tierce.solver.cards import parse_card
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.position import Position

SMALL = 3  # MiB of table


def ending(rng: random.Random, cards: int) -> tuple[Moment, bool]:
    """A random ending, often in the middle of a trick and with tricks taken before; and whether few are wanted."""
    drawn = random_ending(rng, hands=3, cards=cards)
    before = [0, 0, 0]
    for _ in range(rng.choice((0, 0, 3, 11))):
        before[rng.randrange(3)] += 1
    d, e, m = before
    return Moment(drawn.hands, drawn.trump, drawn.leader, drawn.trick, (d, e, m)), drawn.fewest


def check(start: Moment, cards: Sequence[int], *, few: bool, every: bool, all_cards: bool) -> Ledger:
    """Every number of the account against brute force. `all_cards`: those of the cards that were not played, too."""
    ledger = ledger_of(start.position, cards, few=few, every=every, table_mb=SMALL)
    states = [*moments(start, cards)]
    sure = [state.guarantees(few=few) for state in states]
    assert ledger.kind == ("cap" if few else "floor") and ledger.whole
    assert (ledger.start, ledger.end, ledger.taken) == (sure[0], sure[-1], states[-1].taken)
    assert ledger.left == max(hand.bit_count() for hand in states[-1].hands)
    assert len(ledger.plays) == len(cards)
    for number, play in enumerate(ledger.plays):
        check_play(play, states[number], cards[number], sure[number], sure[number + 1], few=few)
        if all_cards:
            check_options(play, states[number], few=few, every=every)
    check_identity(ledger, few=few)
    return ledger


def check_play(play: Play, state: Moment, card: int, before: Sequence[int], after: Sequence[int], *, few: bool) -> None:
    assert (play.seat, play.card, play.trick) == (state.mover, card, sum(state.taken) + 1)
    assert (play.before, play.after) == (before, after)
    sign = 1 if few else -1
    assert play.loss == sign * (after[play.seat] - before[play.seat]) >= 0
    gifts = [-sign * (after[seat] - before[seat]) for seat in range(3)]
    assert [play.gift(seat) for seat in range(3) if seat != play.seat] == [
        gift for seat, gift in enumerate(gifts) if seat != play.seat
    ]
    assert play.gift(play.seat) == 0 and min(play.gift(seat) for seat in range(3)) >= 0
    assert play.forced == (len(state.legal) == 1) and (not play.forced or not play.loss)


def check_options(play: Play, state: Moment, *, few: bool, every: bool) -> None:
    """What each card would have left each seat, and which lose nothing."""
    worth = {card: state.after(card).guarantees(few=few) for card in state.legal}
    assert [card for card, _ in play.options] == sorted(worth, key=lambda card: (card >> 4, -(card & 15)))
    for card, values in play.options:
        assert values == tuple(
            value if every or seat == play.seat else None for seat, value in enumerate(worth[card])
        ), (state, card)
    best = (min if few else max)(value[play.seat] for value in worth.values())
    assert {*play.best} == {card for card, value in worth.items() if value[play.seat] == best}
    assert best == play.before[play.seat]


def check_identity(ledger: Ledger, *, few: bool) -> None:
    sign = -1 if few else 1
    for seat in range(3):
        gained = sum(ledger.gained(seat, giver) for giver in range(3))
        assert ledger.gained(seat) == gained and ledger.gained(seat, seat) == 0
        assert ledger.start[seat] - sign * ledger.lost(seat) + sign * gained == ledger.end[seat]
    if not ledger.left:
        assert ledger.end == ledger.taken


def walk(seed: str, count: int, cards: int, *, all_cards: bool = True) -> None:
    rng = random.Random(seed)
    for number in range(count):
        start, few = ending(rng, cards)
        played = random_cards(rng, start, rng.choice((None, None, rng.randrange(3 * cards))))
        check(start, played, few=few, every=number % 2 == 0, all_cards=all_cards)


# ---- random endings --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(3))
def test_endings_of_four_cards(part: int) -> None:
    walk(f"four {part}", 100, 4, all_cards=part == 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_5000_endings_of_four_cards(part: int) -> None:
    walk(f"many {part}", 500, 4)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_100_endings_of_five_cards(part: int) -> None:
    walk(f"five {part}", 50, 5)


def test_nothing_played_and_nothing_left() -> None:
    rng = random.Random("none")
    start, _ = ending(rng, 4)
    ledger = check(start, [], few=False, every=True, all_cards=True)
    assert ledger.plays == () and ledger.start == ledger.end
    over = Moment((0, 0, 0), 4, 0, (), (3, 1, 2))
    ledger = ledger_of(over.position, [])
    assert (ledger.start, ledger.end, ledger.taken, ledger.left, ledger.nodes) == (
        (3, 1, 2),
        (3, 1, 2),
        (3, 1, 2),
        0,
        0,
    )


# ---- blunders made by hand -------------------------------------------------------------------------------------------


def blunder(start: Moment, cards: str, *, few: bool = False) -> Play:
    """The last of some cards, all numbers of which brute force confirms."""
    return check(start, cards_named(cards), few=few, every=True, all_cards=True).plays[-1]


def test_an_ace_thrown_on_a_lost_trick() -> None:
    """The dealer ruffs the heart that middle leads; eldest, last to play, throws the ace under it. It would have been
    good in the end: the ace of diamonds is a sure entry."""
    start = ending_of("S", "M", d="S9 DK DQ C9 C8", e="HA H4 DA D4 C4", m="HK HQ H3 C3 C2")
    play = blunder(start, "HK S9 HA")
    assert (play.seat, play.loss, play.before[1], play.after[1]) == (1, 1, 2, 1)
    assert [*play.best] == cards_named("H4") and (play.gift(0), play.gift(2)) == (0, 0)


def test_a_winner_of_a_long_suit_ruffed_by_the_only_helper() -> None:
    """Eldest and middle are all that can hold the dealer. Middle's hearts are good; eldest ruffs one with the only
    trump of the two, which was to stop the dealer's clubs, and has to lead a diamond to the dealer's ace."""
    start = ending_of("S", "M", d="H2 DA CA CK CQ", e="S2 D5 D4 D3 C9", m="HA HK HQ DT C2")
    play = blunder(start, "HA H2 S2")
    assert (play.seat, play.loss, play.gift(0), play.gift(2)) == (1, 0, 3, 0)
    assert {*play.best} == {card for card, _ in play.options}  # eldest's own trick is as sure as it was


def test_a_trump_wasted_early() -> None:
    """The dealer ruffs with the ace where the three was enough; middle's king of trumps is then good."""
    start = ending_of("S", "E", d="SA S3 CA C5 C4", e="HK HQ D5 D4 D3", m="SK H2 H3 D9 D8")
    play = blunder(start, "HK H2 SA")
    assert (play.seat, play.loss) == (0, 1) and [*play.best] == cards_named("S3")
    assert play.gift(2) == 1


def test_a_miz_blunder() -> None:
    """Who wants few tricks keeps a king under an ace, and can be made to take a trick with it and the next."""
    start = ending_of("N", "E", d="HK H2 C3 C2 D2", e="HA H3 C9 D9 D8", m="HT H5 C8 D7 D6")
    play = blunder(start, "HA H5 H2", few=True)
    assert (play.seat, play.loss, play.before[0], play.after[0]) == (0, 2, 0, 2)
    assert [*play.best] == cards_named("HK")


# ---- limits and cancelling -------------------------------------------------------------------------------------------


def whole_hand() -> tuple[Position, list[int]]:
    rng = random.Random("whole")
    cards = [16 * suit + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(cards)
    d, e, m = (sum(1 << card for card in cards[16 * seat : 16 * seat + 16]) for seat in range(3))
    start = Moment((d, e, m), 1, 1)
    return start.position, random_cards(rng, start)


def test_without_time_the_end_is_known_first() -> None:
    position, cards = whole_hand()
    whole = ledger_of(position, cards)
    for allowed in (0, 1, 40, 100):
        asked = iter(range(10_000))
        cut = LedgerSearch(position, cards).run(lambda: None if next(asked) < allowed else 1e-9)  # noqa: B023
        assert not cut.whole and len(cut.plays) < len(cards)
        assert cut.plays == whole.plays[len(cards) - len(cut.plays) :]
        assert cut.start == (cut.plays[0].before if cut.plays else whole.end) and cut.end == whole.end
        check_identity(cut, few=False)
    assert len(cut.plays) > 20


def test_no_time_for_the_end_of_an_unfinished_hand() -> None:
    position, cards = whole_hand()
    with pytest.raises(LimitReached) as caught:
        LedgerSearch(position, cards[:5]).run(lambda: 1e-9)
    assert caught.value.code == "timeout"


@pytest.mark.parametrize("at", [0, 1, 2, 30, 100])
def test_cancelled_between_two_questions(at: int) -> None:
    """Whenever it comes: a search that is about to ask hears of it."""
    search = LedgerSearch(*whole_hand())
    asked = []

    def left() -> None:
        asked.append(1)
        if len(asked) == at:
            search.cancel()

    if not at:
        search.cancel()
    with pytest.raises(Cancelled):
        search.run(left)
    assert at <= len(asked) <= max(4, at + 1) and search.done < 1


def test_refused() -> None:
    position, cards = whole_hand()
    with pytest.raises(InputError) as caught:
        ledger_of(position, [*cards[:2], cards[0]])
    assert (caught.value.code, caught.value.field) == ("illegal_card", "play")
    four = Position((1, 2, 4, 8), 4, 0)
    with pytest.raises(InputError, match="expected three hands, found 4"):
        ledger_of(four, [])


def test_a_warm_account_is_that_of_fresh_ones() -> None:
    """The table that serves a whole hand changes no number: each ply alone says the same."""
    position, cards = whole_hand()
    whole = ledger_of(position, cards, every=True)
    for number in (47, 40, 33, 26, 19, 12):
        start = position
        for card in cards[:number]:
            start = start.play(card)
        alone = ledger_of(start, cards[number : number + 1], every=True)
        assert alone.plays == (whole.plays[number],)


def test_the_best_card_costs_nothing() -> None:
    """A hand whose every card is a best one has an account of gifts alone, and they are of the others' choosing."""
    rng = random.Random("best")
    for _ in range(20):
        start, few = ending(rng, 4)
        state, cards = start, list[int]()
        while state.legal:
            (play,) = ledger_of(state.position, state.legal[:1], few=few).plays
            cards.append(play.best[0])
            state = state.after(cards[-1])
        ledger = check(start, cards, few=few, every=False, all_cards=False)
        assert [ledger.lost(seat) for seat in range(3)] == [0, 0, 0]


def test_what_a_play_tells() -> None:
    ace, two = parse_card("SA"), parse_card("S2")
    play = Play(1, 0, two, ((ace, (4, None, None)), (two, (2, None, None))), (4, 1, 1), (2, 2, 1))
    assert (play.loss, play.gift(0), play.gift(1), play.gift(2), play.best, play.forced) == (2, 0, 1, 0, (ace,), False)
    assert replace(play, options=play.options[1:]).forced
