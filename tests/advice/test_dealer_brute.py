"""The dealer's decision against brute force over all choices, in small twins of all games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import pytest

from tests.advice.small_games import (
    KINDS,
    SWAP_GAME,
    TWINS,
    Choice,
    Hands,
    SmallMatch,
    Values,
    best_of,
    decisions,
    good,
    lays_of,
    match_of_deal,
    match_of_hands,
    random_small_deal,
    reaching,
    twin,
    values_of,
)
from tests.games.words import SEATS, names
from tierce.solver import Deal, Position, solve
from tierce.solver.advice import choices
from tierce.solver.advice.choices import DealerChoices, choices_of_deal, choices_of_state
from tierce.solver.advice.dealer import DealerSearch, dealer_advice
from tierce.solver.advice.dealer_results import CallAdvice, DealerAdvice
from tierce.solver.cards import bit, cards_of, mask_of, parse_card
from tierce.solver.games import (
    Bid,
    Call,
    DealCards,
    Discard,
    NameTrump,
    Profile,
    TakeKitty,
    apply,
    game_names,
    load_game,
    new_match,
    random_deal,
    settle,
)

SMALL_TABLE: Final = 1
ORDER: Final = ("S", "H", "D", "C", "N", "MIZ")
FIRST_KITTY: Final = ("raf", "wiki_358", "woburn", "deputy")
SETTINGS: Final = [(name, False) for name in TWINS] + [(name, True) for name in FIRST_KITTY]
DUE: Final = ("TRUMP", "CALL", "DISCARD", "KITTY", "SHOW", "RETURN")
TWO: Final = bit(parse_card("D2"))


def plain_choice(choice: choices.Choice) -> Choice:
    return frozenset(names(choice.discard)), choice.swap


def plain_choices(found: Sequence[choices.Choice]) -> set[Choice]:
    plain = {plain_choice(each) for each in found}
    assert len(plain) == len(found)  # none twice
    return plain


def told(value: Fraction) -> float:
    return round(float(value), 4)


# ---- one decision, in every way it can be asked ----------------------------------------------------------------------


class Case:
    """A decision, and what it is worth by brute force."""

    def __init__(self, open_: DealerChoices, match: SmallMatch, kinds: Sequence[str] = KINDS) -> None:
        lays = lays_of(match)
        self.open = open_
        self.profile = open_.profile
        self.quota = dict(match.quota)
        self.extra = 1 if self.profile.kitty_trick else 0
        self.values = {kind: values_of(lays, kind, self.extra) for kind in kinds}
        assert open_.calls == tuple(call for call in ORDER if call in lays)
        for given in lays.values():
            assert plain_choices(open_.choices) == set(given)
            by_choice: dict[Choice, set[Hands]] = {}
            for lay in open_.lays:
                by_choice.setdefault(plain_choice(lay.choice), set()).add(lay.hands)
            assert by_choice == {choice: set(ways) for choice, ways in given.items()}

    def run(self, kind: Any, **how: Any) -> DealerAdvice:
        return dealer_advice(self.open, kind, table_mb=SMALL_TABLE, **how)

    def owed(self, call: str, kind: str) -> int:
        """What the value is measured against, by the seats it counts."""
        if call == "MIZ":
            return self.profile.caps()[0]
        return sum(self.quota[seat] for seat in (kind[5:] if kind.startswith("pair:") else "D"))

    def balances(self, kind: str) -> dict[str, Fraction]:
        """The best of every call against the quota."""
        return {
            call: good(call, best_of(call, values)) - good(call, Fraction(self.owed(call, kind)))
            for call, values in self.values[kind].items()
        }

    # what is asked

    def check(self, rng: random.Random, kind: str, targets: int | None = None) -> None:
        """`targets`: how many of them; None: all."""
        for threads in (1, 2):
            self.check_best(rng, kind, threads)
            self.check_one(kind, threads)
            self.check_every(kind, threads)
        every = self.targets(kind)
        for target in every if targets is None else rng.sample(every, targets):
            self.check_target(kind, target, rng.choice((1, 2)))

    def check_best(self, rng: random.Random, kind: str, threads: int) -> None:
        values = self.values[kind]
        call = rng.choice([*values])
        made = rng.choice(self.open.choices)
        advice = self.run(kind, threads=threads, chosen=(call, made))
        self.check_calls(advice, values)
        for each in advice.calls:
            assert plain_choices(each.choices) == reaching(
                each.call, values[each.call], best_of(each.call, values[each.call])
            )
            assert each.counted and each.count == len(each.choices)
        balances = self.balances(kind)
        ranked = sorted(balances, key=lambda name: (-balances[name], ORDER.index(name)))
        assert [each.call for each in advice.ranked] == ranked and advice.best.call == ranked[0]
        for each in advice.calls:
            assert advice.balance(each) == pytest.approx(float(balances[each.call]), abs=1e-4)
        margin = None if len(ranked) == 1 else balances[ranked[0]] - balances[ranked[1]]
        assert advice.margin == (None if margin is None else pytest.approx(float(margin), abs=2e-4))
        worth = values[call][plain_choice(made)]
        chosen = advice.chosen
        assert chosen and (chosen.call, chosen.choice, chosen.complete) == (call, made, True)
        assert chosen.tricks == told(worth)
        lost = balances[ranked[0]] - good(call, worth) + good(call, Fraction(self.owed(call, kind)))
        assert advice.loss == pytest.approx(float(lost), abs=2e-4)

    def check_one(self, kind: str, threads: int) -> None:
        values = self.values[kind]
        advice = self.run(kind, find="one", threads=threads)
        self.check_calls(advice, values)
        for each in advice.calls:
            (choice,) = plain_choices(each.choices)
            assert values[each.call][choice] == best_of(each.call, values[each.call])
        if threads == 2:
            assert report(advice) == report(self.run(kind, find="one"))

    def check_every(self, kind: Any, threads: int) -> None:
        search = DealerSearch(self.open, kind, find="every", threads=threads, table_mb=SMALL_TABLE)
        assert report(search.run()) == report(self.run(kind))
        found = {(call, plain_choice(choice)): value for call, choice, value in search.values()}
        assert len(found) == len(search.values()) and search.done == 1
        expected = {
            (call, choice): told(value)
            for call, values in self.values[kind].items()
            for choice, value in values.items()
        }
        assert found.items() == expected.items()

    def targets(self, kind: str) -> list[Fraction]:
        """Every value there can be, one beyond, and one in between."""
        parts = 3 if kind == "share" else 1
        most = parts * (self.open.tricks + self.extra + 1)
        return [Fraction(number, parts) for number in range(most + 1)] + [Fraction(3, 2)]

    def check_target(self, kind: str, target: Fraction, threads: int) -> None:
        # A target of a share is given as values are told, with four decimals.
        advice = self.run(kind, target=told(target), threads=threads)
        assert advice.complete and advice.target == told(target)
        for each in advice.calls:
            expected = reaching(each.call, self.values[kind][each.call], target)
            assert plain_choices(each.choices) == expected, (kind, each.call, target)
            assert each.counted and each.count == len(expected)
            low, high = each.bounds
            assert low <= best_of(each.call, self.values[kind][each.call]) + Fraction(1, 10_000)
            assert high >= best_of(each.call, self.values[kind][each.call]) - Fraction(1, 10_000)

    def check_calls(self, advice: DealerAdvice, values: Values) -> None:
        assert advice.complete and advice.stop == 0
        assert [each.call for each in advice.calls] == [call for call in ORDER if call in values]
        for each in advice.calls:
            assert each.tricks == told(best_of(each.call, values[each.call])), each.call
            assert each.complete and each.bounds == (each.tricks, each.tricks)
            assert (each.worth.kind == "cap") == (each.call == "MIZ")


def report(advice: DealerAdvice) -> tuple[CallAdvice, ...]:
    """All that is said, but how long it took."""
    assert advice.complete
    return advice.calls


def check_deal(
    name: str, profile: Profile, seed: str, kinds: Sequence[str] = KINDS, targets: int | None = None
) -> None:
    deal = random_small_deal(seed, profile)
    case = Case(choices_of_deal(profile, deal), match_of_deal(name, profile, deal), kinds)
    for kind in kinds:
        case.check(random.Random(seed), kind, targets)


# ---- decisions from deals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "first"), SETTINGS)
def test_a_deal(name: str, first: bool) -> None:
    check_deal(name, twin(name, kitty_first=first), f"{name} {first} 0", targets=4)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), SETTINGS)
def test_many_deals(name: str, first: bool) -> None:
    for number in range(1, 9):
        check_deal(name, twin(name, kitty_first=first), f"{name} {first} {number}")


def test_a_deal_with_hands_of_six() -> None:
    check_deal("raf", twin("raf", 6), "raf six 0", kinds=["floor"])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), [each for each in SETTINGS if load_game(each[0]).kitty])
def test_deals_with_hands_of_six(name: str, first: bool) -> None:
    check_deal(name, twin(name, 6, kitty_first=first), f"{name} {first} six")


def test_calls_left() -> None:
    profile = twin("deputy")
    deal = random_small_deal("calls left", profile)
    for left in (["MIZ"], ["N", "H"], ["MIZ", "C"], ["C", "MIZ", "D", "N"]):
        match = match_of_deal("deputy", profile, deal)
        match.used[0] = [call for call in ORDER if call not in left]
        case = Case(choices_of_deal(profile, deal, left), match, ["floor"])
        case.check(random.Random("calls left"), "floor", 0)


# ---- decisions from matches ------------------------------------------------------------------------------------------


def check_match(name: str, profile: Profile, seed: str, deals: int) -> set[str]:
    """Every decision of a random match; the phases in which there was one, with `+` in a later deal."""
    rng = random.Random(seed)
    met = set()
    for state, match in decisions(rng, name, profile, deals):
        early = not state.first and {"SEND", "EXCHANGE"} & set(state.steps[state.at :])
        if state.phase not in DUE or early:
            continue
        kind = rng.choice(KINDS) if state.call != "MIZ" else "floor"
        case = Case(choices_of_state(state), match, [kind])
        case.check(rng, kind, rng.choice((0, 0, 0, 3)))
        met.add(state.phase + ("" if state.first else "+") + (" returned" if match.parcels else ""))
    return met


@pytest.mark.parametrize(("name", "first"), SETTINGS)
def test_a_match(name: str, first: bool) -> None:
    check_match(name, twin(name, kitty_first=first), f"match {name} {first}", 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), SETTINGS)
def test_many_matches(name: str, first: bool) -> None:
    profile = twin(name, kitty_first=first)
    met = set[str]().union(*(check_match(name, profile, f"match {name} {first} {n}", 4) for n in range(4)))
    due = {"CALL" if profile.calls else "TRUMP", *({"DISCARD", "KITTY"} if profile.kitty else ())}
    assert due <= met
    assert profile.calls or any(each.startswith("TRUMP+ returned") for each in met)


def test_returns_still_to_come() -> None:
    # 9-5-2, swap variation: the trump is named with the parcels out, and what comes back for them is part of the lays.
    profile, met = twin("nine_five_two_swap"), set[str]()
    for number in range(3):
        met |= check_match("nine_five_two_swap", profile, f"returns {number}", 3)
    assert {"TRUMP+ returned", "RETURN+ returned"} <= met


def test_the_quotas_of_an_auction() -> None:
    profile = load_game("woburn")
    state = apply(new_match(profile), DealCards(random_deal(profile, 1, 3)))
    for bid in (None, 10, None):
        state = apply(state, Bid(len(state.bids) % 3, bid))
    found = choices_of_state(state)
    assert found.quotas == (10, 4, 2) and found.pool == state.hands[0] and found.count == 4


def test_miz_is_measured_by_its_caps() -> None:
    # The caps listed for MIZ sum to sixteen, so that no twin has them: the whole game, with short hands.
    profile = load_game("deputy")
    hands = short_hands(random.Random("miz"), 5, 0)
    state = apply(apply(new_match(profile), DealCards(random_deal(profile, 1, 3))), Call(0, "MIZ"))
    open_ = DealerChoices(profile, ("S", "MIZ"), (choices.Lay(choices.Choice(), None, hands),), 0, 0, profile.quotas)
    advice = dealer_advice(open_, table_mb=SMALL_TABLE)
    assert choices_of_state(state).quotas == (3, 5, 8)
    spades, miz = advice.calls
    assert (advice.balance(spades), advice.balance(miz)) == (spades.tricks - 8, 3 - miz.tricks)
    assert advice.best is miz and advice.margin == advice.balance(miz) - advice.balance(spades)


# ---- the two of diamonds and the up-card -----------------------------------------------------------------------------


def short_hands(rng: random.Random, size: int, holder: int) -> Hands:
    """Three hands of a few cards, the two of diamonds in one of them."""
    low = sum(0x1F << 16 * suit for suit in range(4)) & ~TWO
    cards = rng.sample(cards_of(low), 3 * size - 1)
    cards.insert(holder * size, parse_card("D2"))
    d, e, m = (mask_of(cards[seat * size : (seat + 1) * size]) for seat in range(3))
    return d, e, m


@pytest.mark.parametrize("holder", range(3), ids=SEATS)
def test_the_swap_in_short_hands(holder: int) -> None:
    check_swaps(holder, 1, 4, 4)


@pytest.mark.slow
@pytest.mark.parametrize("holder", range(3), ids=SEATS)
def test_many_swaps_in_short_hands(holder: int) -> None:
    check_swaps(holder, 20, 5, None)


def check_swaps(holder: int, count: int, size: int, targets: int | None) -> None:
    """The game needs a whole pack, the state of its match does not: hands of a few cards and any up-card."""
    profile = load_game(SWAP_GAME)
    for number in range(count):
        rng = random.Random(f"swap {holder} {number}")
        hands = short_hands(rng, size, holder)
        up_card = bit(rng.choice(cards_of(profile.pack & ~(hands[0] | hands[1] | hands[2]))))
        for call in ("", rng.choice("SHDC")):
            state, match = match_of_hands(profile, hands, up_card, call)
            open_ = choices_of_state(state)
            assert (open_.swapper, open_.up_card) == (holder, up_card)
            case = Case(open_, match)
            for kind in KINDS:
                case.check(rng, kind, targets)


@pytest.mark.parametrize("when", ["after_trump", "after_deal", "after_exchange"])
def test_the_cards_after_a_swap_of_whole_hands(when: str) -> None:
    profile = load_game(SWAP_GAME, {"swap_time": when})
    seen = set()
    for number in range(12):
        deal = random_deal(profile, 5, number)
        open_ = choices_of_deal(profile, deal)
        holder = next((seat for seat in range(3) if deal.hands[seat] & TWO), None)
        own = holder == 0 or (holder is not None and when == "after_trump")
        assert open_.swapper == (holder if own else None)
        swapped = [hand ^ (TWO | deal.kitty) if seat == holder else hand for seat, hand in enumerate(deal.hands)]
        expected = {deal.hands, tuple(swapped)} if own else {deal.hands}
        assert {lay.hands for lay in open_.lays} == expected and len(open_.choices) == (2 if holder == 0 else 1)
        seen.add(holder)
    assert {0, 1, 2} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("holder", range(3), ids=SEATS)
def test_the_swap_in_whole_hands(holder: int) -> None:
    # Seventeen cards are too many for brute force: one cold search a lay in its place.
    profile = load_game(SWAP_GAME)
    deal = next(deal for deal in (random_deal(profile, 7, number) for number in range(40)) if deal.hands[holder] & TWO)
    up = deal.kitty | TWO
    swapped = tuple(hand ^ up if seat == holder else hand for seat, hand in enumerate(deal.hands))
    ways = Deal(deal.hands), Deal(swapped)
    search = DealerSearch(choices_of_deal(profile, deal), find="every", threads=1)
    search.run()
    expected: list[tuple[str, bool | None, float]] = []
    for call in "SHDC":
        no, yes = (solve(Position.start(way, "SHDC".index(call)), "D").tricks for way in ways)
        expected += [(call, True, yes), (call, False, no)] if holder == 0 else [(call, None, min(no, yes))]
    assert [(call, choice.swap, value) for call, choice, value in search.values()] == expected


# ---- the package's games as they are: how the cards lie --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names(3))
def test_the_cards_after_every_choice_of_whole_hands(name: str) -> None:
    profile = load_game(name)
    deal = random_deal(profile, 11, 1)
    match = match_of_deal(name, profile, deal)
    if match.phase == "BID":
        match.agenda = match.agenda[1:]  # the deal is that of whoever became the dealer
    if match.phase in ("TRUMP", "CALL"):
        match.do(match.choices()[0])
    found: dict[Choice, set[Hands]] = {}
    open_ = choices_of_deal(profile, deal)
    for lay in open_.lays:
        found.setdefault(plain_choice(lay.choice), set()).add(lay.hands)
    assert found == {choice: set(ways) for choice, ways in next(iter(lays_of(match).values())).items()}


@pytest.mark.parametrize("name", ["raf", "nine_five_two", "deputy"])
def test_choices_of_a_state_follow_what_is_done(name: str) -> None:
    profile = twin(name)
    deal = random_small_deal(f"done {name}", profile)
    state = apply(new_match(profile), DealCards(deal))
    before = choices_of_state(state)
    state = apply(state, Call(0, "H") if profile.calls else NameTrump(0, 1))
    named = choices_of_state(settle(state))
    assert named.calls == ("H",) and {lay.hands for lay in named.lays} == {lay.hands for lay in before.lays}
    if state.phase == "KITTY":
        state = apply(state, TakeKitty(0))
    laid = before.lays[3]
    after = settle(apply(state, Discard(0, laid.choice.discard)))
    if after.phase != "PLAY":
        assert choices_of_state(after).lays == (choices.Lay(choices.Choice(), None, laid.hands),)
    assert after.hands == laid.hands
