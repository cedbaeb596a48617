"""The class-member check finds relevant sets that are too small and leaves right ones alone."""

from __future__ import annotations

import random
from collections import Counter

from tests.brute import brute, notation
from tests.brute.class_members import ProofRecord, check_members, random_member, x_cards_of
from tests.brute.endings import random_ending


def record(
    deal: str,
    *,
    trump: str = "N",
    leader: int = 0,
    trick: str = "",
    side: int,
    fewest: bool = False,
    need: int,
    answer: bool,
    relevant: str,
) -> ProofRecord:
    hands = notation.hands(deal)
    counted, maxers = (brute.fewest if fewest else brute.most)(side, len(hands))
    return ProofRecord(
        hands=hands,
        leader=leader,
        trick=tuple(notation.cards(trick)),
        trump=notation.STRAINS.index(trump),
        counted=counted,
        maxers=maxers,
        need=need,
        answer=answer,
        relevant=notation.mask(relevant),
    )


def wrong_members(claim: ProofRecord) -> list[tuple[int, ...]]:
    return [found.hands for found in check_members(claim, random.Random(1), 100)]


# ---- claims ---------------------------------------------------------------------------------------------------------


def test_a_right_record_passes() -> None:
    # SA takes a trick, whoever has the other spades and whatever the hearts are.
    claim = record("A.2.. K.4.. Q.3..", side=0b001, need=1, answer=True, relevant="SA")
    assert wrong_members(claim) == []


def test_a_relevant_set_without_the_winner_is_caught() -> None:
    claim = record("A.2.. K.4.. Q.3..", side=0b001, need=1, answer=True, relevant="")
    assert wrong_members(claim) != []


def test_a_cut_one_card_too_high_is_caught() -> None:
    # A K are two tricks because both are in the same hand: K matters too.
    right = record("AK... Q2... J3...", side=0b001, need=2, answer=True, relevant="SA SK")
    small = record("AK... Q2... J3...", side=0b001, need=2, answer=True, relevant="SA")
    assert wrong_members(right) == []
    assert notation.hands("AQ... K2... J3...") in wrong_members(small)


def test_a_wrong_refusal_is_caught() -> None:
    # M's SQ does not win. That E has SK matters as long as D, on lead, has nothing else; who has S2 does not.
    right = record("A2... K3... Q4...", side=0b100, need=1, answer=False, relevant="SA SK SQ")
    small = record("A2... K3... Q4...", side=0b100, need=1, answer=False, relevant="SA")
    assert wrong_members(right) == []
    assert notation.hands("A2... Q3... K4...") in wrong_members(small)


def test_a_wrong_fewest_record_is_caught() -> None:
    # E can be made to take a trick with S3 only while it is above D's S2.
    right = record("2... 3... .2..", leader=0, side=0b010, fewest=True, need=1, answer=True, relevant="S3")
    small = record("2... 3... .2..", leader=0, side=0b010, fewest=True, need=1, answer=True, relevant="")
    assert wrong_members(right) == []
    assert wrong_members(small) == [notation.hands("3... 2... .2..")]


def test_a_false_answer_is_caught_with_a_full_set() -> None:
    claim = record("A... K... Q...", side=0b001, need=1, answer=False, relevant="SA SK SQ")
    assert wrong_members(claim) == [claim.hands]


def test_cards_on_the_table_stay() -> None:
    # SQ has been led; M ruffs, so it does not matter who has SK.
    claim = record("3... K4... .23..", trump="H", leader=0, trick="SQ", side=0b100, need=1, answer=True, relevant="")
    assert wrong_members(claim) == []
    # Without a trump it does: SQ takes the trick only because SK is not E's.
    small = record("K... 43... .23..", leader=0, trick="SQ", side=0b010, need=1, answer=False, relevant="")
    wrong = wrong_members(small)
    assert wrong and all(hands[1] & notation.mask("SK") for hands in wrong)


def test_a_full_relevant_set_has_no_other_member() -> None:
    rng = random.Random(4)
    for _ in range(200):
        ending = random_ending(rng, cards=4)
        everything = sum(ending.hands)
        value = ending.value()
        need = rng.randint(0, ending.size + 1)
        claim = ProofRecord(
            ending.hands, ending.leader, ending.trick, ending.trump, ending.counted, ending.maxers,
            need, value >= need, everything,
        )  # fmt: skip
        assert random_member(claim, rng) == claim.hands
        assert check_members(claim, rng, 3) == []


# ---- members --------------------------------------------------------------------------------------------------------


def test_x_cards_are_those_below_the_lowest_relevant_one() -> None:
    relevant = notation.mask("SA S9 H2 CA")
    assert x_cards_of(relevant, 0) == notation.hand("8765432...")
    assert x_cards_of(relevant, 1) == 0
    assert x_cards_of(relevant, 2) == notation.hand("..AKQJT98765432.")
    assert x_cards_of(relevant, 3) == notation.hand("...KQJT98765432")


def test_members_keep_lengths_top_cards_and_the_table() -> None:
    rng = random.Random(5)
    for _ in range(200):
        ending = random_ending(rng)
        held = brute.cards_of(sum(ending.hands))
        relevant = sum(1 << card for card in rng.sample(held, min(3, len(held))))
        claim = ProofRecord(
            ending.hands, ending.leader, ending.trick, ending.trump, ending.counted, ending.maxers, 1, True, relevant
        )
        member = random_member(claim, rng)
        brute.check_position(member, ending.trump, ending.leader, ending.trick)
        assert sum(member) == sum(ending.hands)
        for suit in range(4):
            lane = brute.SUIT << 16 * suit
            fixed = lane & ~x_cards_of(relevant, suit)
            for before, after in zip(ending.hands, member, strict=True):
                assert (before & lane).bit_count() == (after & lane).bit_count()
                assert before & fixed == after & fixed


def test_every_member_comes_up_equally_often() -> None:
    claim = record("A2... K3... Q4...", side=1, need=1, answer=True, relevant="SA")
    rng = random.Random(6)
    drawn = Counter(random_member(claim, rng) for _ in range(3000))
    assert len(drawn) == 30  # D's other spade, then two of the other four for E
    assert all(50 < times < 150 for times in drawn.values())


def test_counterexamples_show_the_whole_claim() -> None:
    claim = record("2... 3... .2..", side=0b010, fewest=True, need=1, answer=True, relevant="")
    (found,) = check_members(claim, random.Random(1), 20)
    assert str(found).splitlines() == [
        "proved for: D:2... 3... .2.. trump N, leader D",
        "not true of: D:3... 2... .2.. trump N, leader D",
        "counted: E",
        "maxers: DM",
        "claim: value >= 1, but it is 0",
        "relevant: none",
    ]
