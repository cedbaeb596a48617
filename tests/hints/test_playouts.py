"""Native playouts against the rules engine and against plain statements of what they are."""

from __future__ import annotations

import random
import struct
from math import log

import pytest

from tests.hints.plays import game, games, moments
from tierce.solver.advice.measure import measure, weights
from tierce.solver.advice.quick import quick_discard
from tierce.solver.cards import ALL_CARDS, LANE, bit, card_name, cards_of, mask_of, parse_card, parse_hand, suit_of
from tierce.solver.games import Play, State, apply, view
from tierce.solver.games.profile import MIZ
from tierce.solver.hints._playouts import Scene, Thumb, Tree
from tierce.solver.hints.simple import scene_of, simple_action

RULES = b"\xff"
pytestmark = pytest.mark.small


def packed(state: State) -> bytes:
    return struct.pack("4Q", *state.hands, state.discard)


def in_play(rng: random.Random, name: str, deals: int = 2) -> list[State]:
    return [each for each in moments(rng, game(name), deals) if each.phase == "PLAY"]


# ---- the whole playout -----------------------------------------------------------------------------------------------


def by_the_rules_engine(state: State, seat: int) -> int:
    """Tricks of a seat in the deal when all play on by rules of thumb, move by move."""
    while state.phase == "PLAY":
        state = apply(state, simple_action(view(state, state.mover)))
    return state.taken[seat]


@pytest.mark.parametrize("name", games())
def test_a_playout_is_what_the_players_would_have_played(name: str) -> None:
    rng = random.Random(f"playouts {name}")
    for state in rng.sample(in_play(rng, name), 5):
        seat = state.mover
        scene = scene_of(view(state, seat))
        for card in state.playable(seat):
            after = by_the_rules_engine(apply(state, Play(seat, card)), seat)
            assert scene.play(packed(state), bytes([card]))[0] == after - state.taken[seat]
        assert scene.play(packed(state), RULES)[0] == scene.play(packed(state), bytes([scene_choice(state)]))[0]


def scene_choice(state: State) -> int:
    action = simple_action(view(state, state.mover))
    assert isinstance(action, Play)
    return action.card


def test_worlds_and_cards_are_answered_world_by_world() -> None:
    rng = random.Random(3)
    state = in_play(rng, "raf", 1)[8]
    scene = scene_of(view(state, state.mover))
    cards = bytes(state.playable(state.mover))
    one = scene.play(packed(state), cards)
    assert scene.play(packed(state) * 3, cards) == one * 3
    assert one == b"".join(scene.play(packed(state), bytes([card])) for card in cards)


@pytest.mark.parametrize("name", games())
def test_a_card_is_always_one_that_may_be_played(name: str) -> None:
    rng = random.Random(f"legal {name}")
    for state in in_play(rng, name, 3):
        assert scene_choice(state) in state.playable(state.mover)


def test_noise_and_thought_play_on_to_the_end() -> None:
    rng = random.Random(8)
    for state in rng.sample(in_play(rng, "raf", 2), 12):
        seat = state.mover
        seen = view(state, seat)
        scenes = [scene_of(seen, 256, 5), scene_of(seen, 0, 5, 3)]
        for scene in scenes:
            found = scene.play(packed(state) * 4, bytes(state.playable(seat)))
            assert max(found) <= state.hands[seat].bit_count()
            again = scene.play(packed(state) * 4, bytes(state.playable(seat)))
            assert found == again


# ---- cards that come to the same -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raf", "deputy", "six_three_eight"])
def test_cards_that_come_to_the_same(name: str) -> None:
    """Of neighbours among what is still in play the highest stands for all."""
    rng = random.Random(f"distinct {name}")
    for state in in_play(rng, name):
        seat = state.mover
        seen = view(state, seat)
        gone = mask_of(card for trick in state.tricks for card in trick.cards) | (state.discard if seat == 0 else 0)
        gone |= seen.removed | seen.up_card
        expected = 0
        for card in state.playable(seat):
            higher = [each for each in state.playable(seat) if suit_of(each) == suit_of(card) and each > card]
            between = range(card + 1, min(higher)) if higher else ()
            others = seen.profile.pack & ~gone & ~state.hands[seat]
            if not higher or any(others >> each & 1 for each in between):
                expected |= bit(card)
        assert scene_of(seen).cards(seen.hand, seen.discard or 0) == expected


# ---- rules of thumb --------------------------------------------------------------------------------------------------


def choice(
    hand: str, trick: str = "", trump: int = 4, *, few: bool = False, gone: str = "", voids: tuple[int, ...] = (0, 0, 0)
) -> str:
    table = [parse_card(each) for each in trick.split()]
    out = mask_of(table) | mask_of(parse_card(each) for each in gone.split())
    seat = 2
    scene = Scene(ALL_CARDS, out, voids, trump, few, (seat - len(table)) % 3, table, seat)
    return card_name(scene.choice(parse_hand(hand)))


@pytest.mark.parametrize(
    ("hand", "trick", "trump", "expected"),
    [
        ("AQ4.5..", "ST S9", 4, "SQ"),  # last: as cheap as can be
        ("A4.5..", "SK S9", 4, "SA"),
        ("Q43.5..", "SK S9", 4, "S3"),  # it cannot be won
        ("AQ4.5..", "S9", 4, "SA"),  # second: sure is sure
        ("KJ4.5..", "S9", 4, "S4"),  # second: low, if it is not
        ("QJ4.5..", "S9", 4, "S4"),  # two are higher
        (".K5.AQ32.", "S9 S4", 1, "H5"),  # ruffed low
        (".K5.AQ32.", "S9 H8", 1, "HK"),  # over the other ruff
        (".5.AQ32.", "S9 H8", 1, "D2"),  # no trump is wasted
        ("AK32.A4.K2.", "", 1, "SA"),  # a winner
        ("J2.QJT9854.K2.", "", 1, "HQ"),  # many trumps are led
    ],
)
def test_rules_of_thumb(hand: str, trick: str, trump: int, expected: str) -> None:
    assert choice(hand, trick, trump) == expected


@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        ("AQ4.5..", "SK S9", "SQ"),  # below the card to beat, but as high as can be
        ("AQ.5..", "ST S9", "SA"),  # last, and it must be won: with the highest
        ("AQ.5..", "ST", "SQ"),  # one may still go above it
        (".A5.32.", "S9 S4", "HA"),  # what wins most goes
        ("2.AKQ.AKQ.", "", "S2"),
    ],
)
def test_rules_of_thumb_where_tricks_are_bad(hand: str, trick: str, expected: str) -> None:
    assert choice(hand, trick, few=True) == expected


def test_a_winner_is_not_led_into_a_ruff() -> None:
    spades_void = (0b0001, 0, 0)
    assert choice("A.4.A2.", trump=3, voids=spades_void) == "DA"
    assert choice("A.4.A2.", trump=3) == "SA"


# ---- how likely what was played is -----------------------------------------------------------------------------------


def likely(state: State, seat: int, doubt: float) -> float:
    """The same in plain words, from the first lead on."""
    start = State(state.profile, state.dealer, state.steps, state.at, quotas=state.quotas, call=state.call)
    hands = list(state.hands)
    moves = [
        ((leader + place) % 3, card)
        for leader, cards in (*((each.leader, each.cards) for each in state.tricks), (state.leader, state.trick))
        for place, card in enumerate(cards)
    ]
    for mover, card in moves:
        hands[mover] |= bit(card)
    found = 0.0
    now = State(
        start.profile, start.dealer, start.steps, start.at, quotas=start.quotas, call=start.call,
        hands=(hands[0], hands[1], hands[2]), discard=state.discard, removed=state.removed, kitty=state.kitty,
    )  # fmt: skip
    for mover, card in moves:
        seen = view(now, mover)
        scene = scene_of(seen)
        options = scene.cards(seen.hand, seen.discard or 0)
        ways = options.bit_count()
        if mover != seat and ways > 1:
            said = highest_alike(options, scene.choice(seen.hand, seen.discard or 0))
            hit = said == highest_alike(options, card)
            found += log(1 - doubt + doubt / ways) if hit else log(doubt / ways)
        now = apply(now, Play(mover, card))
    return found


def highest_alike(options: int, card: int) -> int:
    """The card that stands for this one."""
    return min(each for each in cards_of(options & LANE << 16 * suit_of(card)) if each >= card)


@pytest.mark.parametrize("name", ["raf", "deputy", "six_three_eight", "nine_five_two"])
def test_how_likely_the_cards_played_are(name: str) -> None:
    rng = random.Random(f"likely {name}")
    for state in rng.sample(in_play(rng, name), 6):
        seat = state.mover
        seen = view(state, seat)
        moves = [
            ((leader + place) % 3, card)
            for leader, cards in (*((each.leader, each.cards) for each in state.tricks), (state.leader, state.trick))
            for place, card in enumerate(cards)
        ]
        seats, cards = bytes(mover for mover, _ in moves), bytes(card for _, card in moves)
        raw = scene_of(seen).likelihoods(packed(state), seats, cards, seen.removed | seen.up_card, 0.3)
        assert struct.unpack("d", raw)[0] == pytest.approx(likely(state, seat, 0.3))


# ---- the measure -----------------------------------------------------------------------------------------------------


def test_the_measure_is_that_of_the_advice() -> None:
    thumb = Thumb(weights())
    rng = random.Random(4)
    for _ in range(60):
        hand = mask_of(rng.sample(list(cards_of(ALL_CARDS)), rng.choice((4, 16, 17, 20))))
        for trump in range(5):
            assert thumb.measure(hand, trump) == measure(hand, trump)
        trump = rng.randrange(4)
        assert thumb.discard(hand, trump, 4, hand) == quick_discard(hand, trump, 4)


# ---- the tree --------------------------------------------------------------------------------------------------------


def best_against_rules(state: State, seat: int) -> int:
    """The most that a seat can take when the others play by rules of thumb, every own card tried."""
    if state.phase != "PLAY":
        return 0
    if state.mover != seat:
        after = apply(state, simple_action(view(state, state.mover)))
        return won(state, after, seat) + best_against_rules(after, seat)
    few = state.call == MIZ
    values = []
    for card in state.playable(seat):
        after = apply(state, Play(seat, card))
        values.append(won(state, after, seat) + best_against_rules(after, seat))
    return min(values) if few else max(values)


def won(before: State, after: State, seat: int) -> int:
    return after.taken[seat] - before.taken[seat]


@pytest.mark.parametrize("name", ["six_three_eight", "deputy", "raf"])
def test_the_tree_finds_the_best_line_in_one_world(name: str) -> None:
    rng = random.Random(f"tree {name}")
    states = [each for each in in_play(rng, name, 4) if 2 <= each.hands[each.mover].bit_count() <= 5]
    for state in rng.sample(states, 10):
        seat = state.mover
        points = [float(-tricks if state.call == MIZ else tricks) for tricks in range(20)]
        tree = Tree(scene_of(view(state, seat)), points, [tricks > 1 for tricks in range(20)], 1.5)
        tree.run(packed(state) * 3000)
        assert sum(row[1] for row in tree.cards()) == 3000
        assert all(row[2] == pytest.approx(-row[3] if state.call == MIZ else row[3]) for row in tree.cards())
        assert all(0 <= row[4] <= 1 for row in tree.cards())
        best = tree.cards()[0][0]
        after = apply(state, Play(seat, best))
        assert won(state, after, seat) + best_against_rules(after, seat) == best_against_rules(state, seat)
