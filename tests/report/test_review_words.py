"""The sentences of a review, read back: sums come out, cards and numbers are those of the review."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import reviews
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.ledger import Play, Three
from tierce.solver.advice.review_results import ClaimJudged, Decision, Review, Turn
from tierce.solver.advice.sending import Way
from tierce.solver.cards import ALL_CARDS, Card, cards_of, mask_of, parse_card, parse_cards, suit_of
from tierce.solver.games.exchange import Transfer
from tierce.solver.report.review_words import (
    account_line,
    claim_text,
    counted,
    decision_text,
    meaning,
    play_names,
    play_text,
    skipped_text,
    status_text,
    turn_text,
)

CARDS = cards_of(ALL_CARDS)
SUIT = {"spade": 0, "heart": 1, "diamond": 2, "club": 3}
NUMBERS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


def all_reviews() -> Iterator[Review]:
    yield from reviews.match_reviews()
    yield from (reviews.unfinished(), reviews.claimed(), reviews.miz(), reviews.kitty_trick())


# ---- cards -----------------------------------------------------------------------------------------------------------


def read_names(text: str, legal: Iterable[Card]) -> set[Card]:
    """What a list of cards means to one who sees the hand."""
    found: set[Card] = set()
    if text.startswith("any card but "):
        return set(legal) - read_names(text.removeprefix("any card but "), legal)
    for part in text.replace(" or ", ", ").split(", "):
        if part == "any card":
            found |= set(legal)
        elif part.startswith("any "):
            found |= {card for card in legal if suit_of(card) == SUIT[part.removeprefix("any ")]}
        else:
            found.add(parse_card(part))
    return found


@given(st.sets(st.sampled_from(CARDS), min_size=1, max_size=16), st.data())
def test_names_mean_the_cards(legal: set[Card], data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from(sorted(legal)), min_size=1))
    assert read_names(play_names(chosen, legal), legal) == chosen
    assert parse_cards(play_names(chosen).replace(" or ", " ")) == cards_of(mask_of(chosen))


@pytest.mark.parametrize(
    ("chosen", "legal", "text"),
    [
        ("SK", "SK S9 H2", "SK"),
        ("SK S9", "SK S9 H2", "any spade"),
        ("SK S9 CA", "SK S9 CA H3 H4 H5", "any spade or CA"),
        ("SK S9 CA C2", "SK S9 CA C2 H3", "any card but H3"),
        ("SK S9 CA C2", "SK S9 CA C2", "any card"),
        ("SK S9 S2", "SK S9 S2", "any spade"),
        ("SK HT D7", "SK SQ HT H9 D7 D6", "SK, HT or D7"),
    ],
)
def test_names_as_people_say_them(chosen: str, legal: str, text: str) -> None:
    assert play_names(parse_cards(chosen), parse_cards(legal)) == text


# ---- plays -----------------------------------------------------------------------------------------------------------


def read_play(text: str, mover: str) -> tuple[int, dict[str, int]]:
    """The loss and the gifts that a sentence tells of."""
    text = text.split(";", maxsplit=1)[0].rstrip(".")
    if few := re.match(r"[DEM]'s \S+ left (.*)", text):
        return read_few(few[1], mover)
    lost = re.search(r"cost [DEM] (\w+) tricks?", text)
    gifts: dict[str, int] = {}
    given = re.search(r"gave (.*)", text)
    if given and (each := re.fullmatch(r"(\w) and (\w) (\w+) tricks? each", given[1])):
        gifts = dict.fromkeys((each[1], each[2]), NUMBERS[each[3]])
    elif given:
        gifts = {found[1]: NUMBERS[found[2]] for found in re.finditer(r"\b([DEM]) (\w+)", given[1])}
    assert mover not in gifts
    return NUMBERS[lost[1]] if lost else 0, gifts


def read_few(text: str, mover: str) -> tuple[int, dict[str, int]]:
    """The same in MIZ: `D open to a trick more and E and M to two tricks fewer each`."""
    lost, gifts = 0, dict[str, int]()
    for found in re.finditer(r"([DEM])(?: and ([DEM]))?(?: open)? to (\w+) tricks? (more|fewer)( each)?", text):
        seats = [seat for seat in found.groups()[:2] if seat]
        assert (len(seats) == 2) == bool(found[5])
        if found[4] == "more":
            assert seats == [mover]
            lost = NUMBERS[found[3]]
        else:
            gifts |= dict.fromkeys(seats, NUMBERS[found[3]])
    assert mover not in gifts
    return lost, gifts


def invented(loss: int, gifts: tuple[int, int]) -> Play:
    """Eldest plays H9 from SK S9 H9 and does so much."""
    before = (1, 8, 2)
    after: Three = (1 + gifts[0], 8 - loss, 2 + gifts[1])
    spades = tuple((card, (1, 8, 2)) for card in parse_cards("SK S9"))
    return Play(6, 1, parse_card("H9"), (*spades, (parse_card("H9"), after)), before, after)


@pytest.mark.parametrize(
    ("loss", "gifts", "text"),
    [
        (1, (0, 0), "left E open to a trick more"),
        (2, (1, 0), "left E open to two tricks more and D to a trick fewer"),
        (0, (2, 2), "left D and M open to two tricks fewer each"),
        (1, (1, 2), "left E open to a trick more, D to a trick fewer and M to two tricks fewer"),
        (0, (0, 1), "left M open to a trick fewer"),
    ],
)
def test_a_play_in_miz_tells_what_it_did(loss: int, gifts: tuple[int, int], text: str) -> None:
    play = invented(-loss, (-gifts[0], -gifts[1]))
    said = play_text(reviews.miz(), play)
    assert said.startswith(f"E's H9 {text}") and ("any other card cost nothing" in said) == bool(loss)
    assert read_play(said, "E") == (loss, {seat: gift for seat, gift in zip("DM", gifts, strict=True) if gift})


@pytest.mark.parametrize("gifts", [(0, 0), (0, 1), (1, 1), (2, 2), (1, 2), (3, 1), (3, 0)])
@pytest.mark.parametrize("loss", [0, 1, 2, 8])
def test_a_play_tells_what_it_did(loss: int, gifts: tuple[int, int]) -> None:
    text = play_text(reviews.unfinished(), invented(loss, gifts))
    assert read_play(text, "E") == (loss, {seat: gift for seat, gift in zip("DM", gifts, strict=True) if gift})
    assert ("any other card kept" in text) == bool(loss)
    assert text.startswith("E's H9 ")
    assert text.count("trick") <= 2


def test_every_play_tells_what_it_did() -> None:
    for review in all_reviews():
        for play in review.ledger.plays:
            gifts = {"DEM"[seat]: play.gift(seat) for seat in range(3) if play.gift(seat)}
            assert read_play(play_text(review, play), "DEM"[play.seat]) == (play.loss, gifts)


def test_a_turning_point_as_people_say_it() -> None:
    review = reviews.match_reviews()[0]
    assert [turn_text(review, turn) for turn in review.turns[:2]] == [
        "Trick 3: E's ST cost E two tricks and gave M a trick; any other card kept them.",
        "Trick 5: D's C8 cost D a trick and gave E two; CA kept it. "
        "That put D's quota of 8 out of reach unless another errs.",
    ]


def test_a_forced_card_is_not_blamed() -> None:
    review = reviews.miz()
    (turn,) = review.turns
    assert turn_text(review, turn) == (
        "Trick 16: D's DT changed nothing; there was no other card to play. "
        "E won the trick and went over the limit of 5."
    )


@pytest.mark.parametrize("few", [False, True])
def test_quotas_that_change_alike_are_told_together(few: bool) -> None:
    review = reviews.miz() if few else reviews.unfinished()
    play = invented(0, (0, 0))
    changes = Turn(0, play, ((0, "safe", "lost"), (1, "contested", "safe"), (2, "contested", "lost")))
    text = turn_text(review, changes).split("That ")[1]
    d, e, m = review.quotas
    assert text == (
        f"made E's limit of {e} safe. D won the trick and went over the limit of {d}. "
        f"M won the trick and went over the limit of {m}."
        if few
        else f"made E's quota of {e} safe and put D's quota of {d} and M's quota of {m} out of reach "
        "unless another errs."
    )
    for seat, _, after in changes.changes:
        assert status_text(review, seat, after).startswith("DEM"[seat])


# ---- claims ----------------------------------------------------------------------------------------------------------


def claim(tricks: Three, sure: Three, *, few: bool = False) -> str:
    """What is said of a claim of the last six tricks, of which the seats were sure of so many."""
    review = reviews.miz() if few else reviews.claimed()
    taken = review.ledger.taken
    d, e, m = (had + more for had, more in zip(taken, sure, strict=True))
    state = replace(review.deal.state, claim=tricks)
    ledger = replace(review.ledger, end=(d, e, m), left=6)
    return claim_text(replace(review, deal=replace(review.deal, state=state), ledger=ledger))


def test_a_claim_is_judged() -> None:
    assert claim((3, 1, 2), (3, 1, 2)) == (
        "The claim of the last six tricks was fair: every seat got as many as it was sure of (D 3, E 1, M 2)."
    )
    assert claim((3, 1, 2), (2, 1, 0)) == (
        "The claim of the last six tricks was fair: every seat got no less than it was sure of "
        "(D 2, E 1, M 0; claimed D 3, E 1, M 2)."
    )
    assert claim((4, 2, 0), (2, 1, 1)) == ("The claim of the last six tricks was not fair: M got 0, and was sure of 1.")
    assert claim((5, 1, 0), (2, 1, 1)) == (
        "The claim of the last six tricks was not fair: M got 0, and was sure of 1; "
        "D got 5, and could hope for 4 at most if nobody erred."
    )
    assert claim_text(reviews.unfinished()) == ""


def test_a_claim_in_miz_is_judged_by_caps() -> None:
    assert claim((3, 1, 2), (3, 3, 2), few=True) == (
        "The claim of the last six tricks was fair: every seat got no more than it could be made to take "
        "(D 3, E 3, M 2; claimed D 3, E 1, M 2)."
    )
    assert claim((4, 0, 2), (3, 2, 3), few=True) == (
        "The claim of the last six tricks was not fair: D got 4, and could be made to take 3 at most."
    )
    assert claim((4, 0, 2), (3, 2, 2), few=True).endswith("; E got 0, and had to take 1 at least if nobody erred.")


@given(st.permutations([0, 1, 2, 3, 4]), st.tuples(*[st.integers(0, 3)] * 3), st.booleans())
def test_a_claim_is_fair_if_nobody_is_wronged(order: list[int], more: Three, few: bool) -> None:
    """Who got more than he could hope for took it from another; the tricks are the same in all."""
    sure: Three = (order[0], order[1], order[2])
    for way in (1, -1):
        d, e, m = (max(0, each + way * extra) for each, extra in zip(sure, more, strict=True))
        found = ClaimJudged(d + e + m, (d, e, m), sure, few)
        wronged = [got > worth if few else got < worth for got, worth in zip((d, e, m), sure, strict=True)]
        assert [seat in found.wronged for seat in range(3)] == wronged
        possible = sum(sure) >= d + e + m if few else sum(sure) <= d + e + m
        assert not possible or found.wronged or not found.favoured
        assert found.json()["fair"] == (not any(wronged))


# ---- decisions -------------------------------------------------------------------------------------------------------


def decision(what: str, best: tuple[float, float], value: tuple[float, float], **more: object) -> str:
    review = reviews.match_reviews()[1]
    sent, back = mask_of(parse_cards("S2 H3")), mask_of(parse_cards("SA HK"))
    way = Way((Transfer(0, 2, 2, sent, back),), review.deal.start)
    chosen: dict[str, Way | str | Choice] = {
        "exchange": way,
        "trump": "S",
        "discard": Choice(sent),
        "swap": Choice(0, True),
    }
    return decision_text(review, Decision(what, 0, chosen[what], best, value, **more))  # type: ignore[arg-type]


def test_decisions_as_people_say_them() -> None:
    assert decision("trump", (1, 1), (-1, -1), equal=("D", "N"), count=2) == (
        "Trump: D named spades; it cost two tricks; best were diamonds or no trump."
    )
    assert decision("trump", (1, 1), (1, 1), equal=("S",), count=1) == "Trump: D named spades; nothing was better."
    assert decision("discard", (1, 1), (1, 1), count=3) == (
        "Discard: D laid away S2 H3; nothing was better, 2 other choices as good."
    )
    best = Choice(mask_of(parse_cards("C2 C3")))
    assert decision("discard", (1, 1), (0, 0), equal=(best,), count=1) == (
        "Discard: D laid away S2 H3; it cost a trick; best was C3 C2."
    )
    assert (
        decision("exchange", (1, 1), (0.5, 0.5)) == "Exchange: D sent S2 H3 to M (SA HK came back); it cost 0.5 tricks."
    )
    assert decision("swap", (1, 1), (1, 1)) == "Swap: D took the up-card; nothing was better."


def test_bounds_are_told_as_bounds() -> None:
    assert decision("exchange", (1, 3), (0, 0)).endswith("it cost 1 to 3 tricks.")
    assert decision("exchange", (1, 2), (1, 1)).endswith("it cost at most one trick.")
    assert decision("exchange", (1, 2), (1, 2)).endswith("it cost at most one trick.")


def test_many_equal_choices_are_counted() -> None:
    equal = tuple(Choice(mask_of(parse_cards(f"C{rank} D2"))) for rank in "3456")
    text = decision("discard", (2, 2), (0, 0), equal=equal, count=40)
    assert text.endswith("best were D2 C3, D2 C4, D2 C5 or 37 more.")


def test_what_was_not_judged_is_told() -> None:
    assert skipped_text(reviews.miz(), "exchange", 1) == "Exchange: E's choice was not judged."


# ---- accounts --------------------------------------------------------------------------------------------------------


def test_every_account_adds_up_as_it_is_written() -> None:
    """The words between are left out, what remains is computed."""
    for review in all_reviews():
        for account in review.accounts:
            line = account_line(review, account)
            left, right = line.split(" = ")
            sum_, quota = right.split("; ")
            terms = re.sub(r"\(.*?\)", "", re.sub(r"(at|before) (the first lead|trick \d+)", "", sum_))
            tricks = int(re.findall(r"(\d+) tricks?$", left)[0])
            signed = re.findall(r"([+-]?) ?(\d+)", terms)
            assert tricks == sum(int(number) * (-1 if sign == "-" else 1) for sign, number in signed)
            givers = re.search(r"\((.*?)\)", sum_)
            stated = sum(map(int, re.findall(r"(\d+) by", givers[1]))) if givers else 0
            assert stated == sum(account.gifts)
            assert line.startswith(f"{account.name} ({'DEM'[account.seat]}): ")
            assert quota.startswith(f"{'limit' if review.few else 'quota'} {account.quota}, ")


def test_an_unfinished_hand_is_sure_of_its_tricks_only() -> None:
    lines = [account_line(reviews.unfinished(), account) for account in reviews.unfinished().accounts]
    assert all(": sure of " in line for line in lines)
    assert [line.split(", ")[-1] for line in lines] == ["1 short of safe", "safe", "1 short of safe"]


def test_balances_are_those_of_the_rules() -> None:
    """The result of the deal, counted by the rules alone."""
    for review in all_reviews():
        result = review.deal.result
        if result is None:
            continue
        for account in review.accounts:
            balance = result.balances[account.seat]
            word = "even" if not balance else f"{abs(balance)} {'up' if balance > 0 else 'down'}"
            assert account_line(review, account).endswith(f", {word}")


def test_meaning_names_floor_or_cap() -> None:
    assert "floor" in meaning(reviews.unfinished()) and "cap" not in meaning(reviews.unfinished())
    assert "cap" in meaning(reviews.miz()) and "floor" not in meaning(reviews.miz())


def test_numbers_in_words() -> None:
    assert [counted(each) for each in (1, 2, 10, 11, 0.5, 2.5)] == [
        "a trick",
        "two tricks",
        "ten tricks",
        "11 tricks",
        "0.5 tricks",
        "2.5 tricks",
    ]


def test_a_name_cannot_break_a_line() -> None:
    review = reviews.unfinished()
    line = account_line(review, replace(review.accounts[0], name="a\nb\u202ec"))
    assert "\n" not in line and "\u202e" not in line
