"""Reviews of Solo Whist: accounts that add up to the result, turning points made by hand, the auction and the trump
judged, claims, void deals, limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

from tests.advice.contract_played import APART, DIAMONDS, NAMES, E, N, S, W, escape, golden, hand, match
from tests.advice.small_games import twin
from tierce.solver.advice.contract_review import ContractReviewSearch, contract_review, review_search
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts import ContractSearch, contract_table
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.review import ReviewSearch
from tierce.solver.cards import card_name
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games import ReplayedDeal
from tierce.solver.games.contracts import CONTRACTS, payments

SMALL = 8  # MiB of table


def reviewed(deal: ReplayedDeal, seconds: float | None = None) -> ContractReview:
    return contract_review(deal, NAMES, seconds=seconds, table_mb=SMALL)


@cache
def playthroughs() -> tuple[ContractReview, ...]:
    """The golden hands, reviewed to the end."""
    return tuple(map(reviewed, golden()))


# ---- accounts --------------------------------------------------------------------------------------------------------


def check(review: ContractReview) -> None:
    """What must hold of any review of a finished deal: every sum, from the plays alone, and the rules' own result."""
    result = review.deal.result
    assert result is not None and review.finished and review.units == result.balances
    assert sum(review.units) == 0 and json.loads(json.dumps(review.json())) == review.json()
    contract, ledger = review.contract, review.ledger
    assert (contract is None) == (ledger is None) == review.void == (result.contract is None)
    if contract is None or ledger is None:
        assert review.sides == () and not any(review.units) and review.made is None
        return
    assert review.made == contract.made(result.tricks) and review.tricks == contract.won(result.tricks)
    declaring, defending = review.sides
    assert declaring.seats == contract.declarers and set(defending.seats) | set(declaring.seats) == {N, E, S, W}
    check_tricks(review)
    check_units(review)
    for side in review.sides:
        own = [seat for seat in review.seats if seat.seat in side.seats]
        assert side.lost == sum(seat.lost for seat in own) and side.units == sum(seat.own for seat in own)
        assert side.turned == sum(seat.turned for seat in own) and side.best == sum(seat.best for seat in own)
        assert side.unforced == sum(seat.unforced for seat in own)
    makes = [review.makes(ledger.start), *(review.makes(play.after) for play in ledger.plays)]
    turned = [number for number in range(len(ledger.plays)) if makes[number] != makes[number + 1]]
    assert [turn.number for turn in review.turns if turn.before != turn.after] == turned
    assert declaring.turned + defending.turned == len(turned)


def check_tricks(review: ContractReview) -> None:
    """The losses of both sides are all there is between the first lead and the end; a claim accounts for the rest."""
    contract, ledger = review.contract, review.ledger
    assert contract is not None and ledger is not None
    declaring, defending = review.sides
    change = defending.lost - declaring.lost
    claimed = 0 if review.claim is None else review.claim.got - review.claim.worth
    end = ledger.start + (-change if contract.rule.fewest else change) + claimed
    assert end == (min(1, review.tricks) if contract.rule.fewest else review.tricks)


def check_units(review: ContractReview) -> None:
    for seat in review.seats:
        assert seat.units == seat.start - seat.own - seat.partners + seat.others + seat.claim
        assert min(seat.own, seat.partners, seat.others) >= 0
        assert seat.claim == 0 or review.claim is not None


@pytest.mark.parametrize("seed", range(2))
def test_matches_by_lot_add_up(seed: int) -> None:
    """Any options, the schedules among them; claims as wrong as they may be."""
    deals = match(seed, 6, claims=0.03)
    for deal in deals:
        check(contract_review(deal, NAMES, seconds=0, table_mb=SMALL))
    assert any(deal.state.contract is not None for deal in deals)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 40))
def test_more_matches_by_lot(seed: int) -> None:
    for deal in match(seed, 8, claims=0.01):
        check(reviewed(deal))


def test_golden_playthroughs() -> None:
    seen = set()
    for review in playthroughs():
        check(review)
        assert not review.skipped
        seen.add((None if review.contract is None else review.contract.name, review.made))
    assert seen == {(name, made) for name in CONTRACTS for made in (True, False)} | {(None, None)}


def test_worths_at_the_first_lead_are_the_tables() -> None:
    """What the ledger finds from the end is what the contract table finds at the beginning."""
    for review in playthroughs():
        if review.contract is None or review.ledger is None or review.table is None:
            continue
        trump, side = review.contract.trump, review.ledger.side
        rows = [row for row in review.table.of(review.contract.name) if row.side == side]
        rows = [row for row in rows if row.contract.trump == trump]
        assert [row.makes for row in rows] == [review.makes(review.ledger.start)]


def test_units_are_those_of_the_tricks() -> None:
    for deal in match(7, 6, claims=0.0):
        review = contract_review(deal, seconds=0, table_mb=SMALL)
        if review.contract is not None and deal.result is not None:
            schedule = str(deal.state.profile.option("overtrick_schedule"))
            assert review.units == payments(review.contract, deal.result.tricks, schedule)


# ---- turning points, by hand -----------------------------------------------------------------------------------------


def turns(review: ContractReview) -> list[tuple[int, str, bool, bool, int]]:
    return [
        (turn.play.seat, card_name(turn.play.card), turn.before, turn.after, review.cost(turn.play))
        for turn in review.turns
    ]


def test_a_misere_let_off_and_thrown_away() -> None:
    """East's fourth diamond lets South throw the ace of clubs; South keeps it, and two clubs take it out."""
    review = reviewed(escape(f"{DIAMONDS} DJ C3 S6 ST CK C2 C4 C7 CQ CA C5 C8", (0, 7, 0, 0)))
    check(review)
    assert turns(review) == [(E, "DJ", False, True, 4), (S, "C3", True, False, 12)]
    assert [(seat.own, seat.partners, seat.others) for seat in review.seats] == [
        (0, 4, 4),
        (4, 0, 4),
        (12, 0, 12),
        (0, 4, 4),
    ]
    assert review.units == (2, 2, -6, 2) and review.made is False
    assert review.claim is not None and review.claim.fair
    assert [(each.makes, each.settled) for each in review.standings] == [(False, False)] * 5 + [(False, True)]


def test_a_misere_let_off() -> None:
    """South throws the ace: nothing can hurt him any more."""
    review = reviewed(escape(f"{DIAMONDS} DJ CA S6 ST", (9, 0, 0, 0)))
    check(review)
    assert turns(review) == [(E, "DJ", False, True, 4)]
    assert review.units == (-2, -2, 6, -2) and review.claim is not None and review.claim.fair


def test_claims_that_are_not_fair() -> None:
    given = reviewed(escape(DIAMONDS, (10, 0, 0, 0)))  # East could still lead clubs
    check(given)
    assert given.claim is not None and not given.claim.fair and given.claim.made and not given.claim.makes
    assert [seat.claim for seat in given.seats] == [-4, -4, 12, -4]
    taken = reviewed(hand(APART, ("solo", None, None, None), claim=(4, 9, 0, 0)))  # N deals, E bids Solo in spades
    assert taken.claim is not None and (taken.claim.worth, taken.claim.got, taken.claim.makes) == (0, 9, False)


def test_an_unfinished_hand_is_worth_what_best_play_brings() -> None:
    review = reviewed(escape(DIAMONDS))
    assert not review.finished and review.made is None and review.units == (2, 2, -6, 2)
    settled = reviewed(escape(f"{DIAMONDS} CK C2 C4 C7 CQ C3 C5 C8 CJ CA C6 C9"))
    assert not settled.finished and settled.made is False


# ---- the auction -----------------------------------------------------------------------------------------------------


def calls(review: ContractReview) -> list[tuple[int, str | None, int | None, tuple[str | None, ...], int | None]]:
    return [(call.seat, call.bid, call.worth, call.best, call.loss) for call in review.calls]


def test_every_seat_could_have_made_everything() -> None:
    """Each seat holds a suit, and takes all with it if it leads."""
    review = reviewed(hand(APART, (None, None, None, None)))
    dearest = ("abundance_declared",)
    assert calls(review) == [(seat, None, 0, dearest, 18) for seat in (E, S, W, N)]
    assert [(seat.dearest.bid, seat.best, seat.stood, seat.loss) for seat in review.auctions] == [
        ("abundance_declared", 18, 0, 18)
    ] * 4
    assert review.void and not any(review.units)


def test_a_bid_is_held_against_the_dearer_one() -> None:
    """North bids Abundance, which brings 9; Declared would have brought 18. The others' passes brought what stood; for
    East, the first to speak, Declared would have brought 18, and nobody can go over that."""
    review = reviewed(hand(APART, (None, None, None, "abundance"), trump="S", claim=(13, 0, 0, 0)))
    told = calls(review)
    assert told[0] == (E, None, -3, ("abundance_declared",), 21)
    assert told[-1] == (N, "abundance", 9, ("abundance_declared",), 9)
    assert all(call.over == () for call in review.calls)


def test_who_could_have_gone_over() -> None:
    """Stated a second time: seats that had not passed by then, and the highest contract each makes above the best."""
    ladder = (
        "prop",
        "cop",
        "solo",
        "misere",
        "abundance",
        "abundance_in_trumps",
        "misere_ouverte",
        "abundance_declared",
    )
    seen = 0
    for review in playthroughs():
        table = review.table
        assert table is not None
        for number, call in enumerate(review.calls):
            best = call.best[-1]
            expected = []
            for seat in range(4):
                passed = any(each.seat == seat and each.bid is None for each in review.calls[:number])
                if best is None or seat == call.seat or passed:
                    continue
                higher = [
                    bid
                    for bid in ladder[max(2, ladder.index(best) + 1) :]
                    if any(row.makes for row in table.of(bid, seat))
                    and (bid != "abundance_in_trumps" or best == "abundance")
                ]
                expected += [(seat, higher[-1])] if higher else []
            assert list(call.over) == expected
            seen += len(expected)
    assert seen


def test_prop_counts_with_its_best_partner_and_cop_with_its_own() -> None:
    review = next(found for found in playthroughs() if found.contract and found.contract.name == "prop_cop")
    table, contract = review.table, review.contract
    assert table is not None and contract is not None
    prop, cop = (next(call for call in review.calls if call.bid == bid) for bid in ("prop", "cop"))
    made = {row.contract.declarers for row in table.of("prop_cop") if row.makes}
    assert cop.worth == (1 if tuple(sorted(contract.declarers)) in made else -1)
    assert prop.worth == max(
        1 if tuple(sorted((prop.seat, other))) in made else -1 for other in range(4) if other != prop.seat
    )


def test_a_prop_that_nobody_may_accept_is_worth_nothing() -> None:
    """North, the dealer, comes last: all have passed, and of them only East, the eldest, may come back."""
    review = reviewed(hand(APART, (None, None, None, "prop", None, None)))
    prop = review.calls[3]
    pair = (
        next(row for row in review.table.of("prop_cop") if row.contract.declarers == (N, E)) if review.table else None
    )
    assert pair is not None and prop.worth == (1 if pair.makes else -1)


def losses(review: ContractReview) -> Iterator[int]:
    for call in review.calls:
        assert call.loss is not None and call.best_units is not None and call.worth is not None
        assert call.loss == call.best_units - call.worth >= 0 and (call.loss > 0 or call.bid in call.best)
        yield call.loss


def test_calls_take_their_worths_from_the_table() -> None:
    for review in playthroughs():
        state, table = review.deal.state, review.table
        assert state.dealt is not None and table is not None
        found = contract_table(state.dealt, state.dealer, state.turned, profile=state.profile, table_mb=SMALL)
        assert found.rows == table.rows and (found.trump, found.dealer) == (table.trump, table.dealer)
        assert max(losses(review)) == max(seat.loss or 0 for seat in review.auctions)
        for call in review.calls:
            if call.bid in CONTRACTS:
                makes = any(row.makes for row in table.of(str(call.bid), call.seat))
                assert call.worth == 3 * CONTRACTS[str(call.bid)].units * (1 if makes else -1)
            elif call.bid is None:
                assert call.worth == call.stood


# ---- the trump -------------------------------------------------------------------------------------------------------


def test_a_trump_named_badly() -> None:
    """North's spades take everything as trump, and nothing with another's suit as trump."""
    well = reviewed(hand(APART, (None, None, None, "abundance"), trump="S", claim=(13, 0, 0, 0)))
    assert well.trump is not None and (well.trump.loss, well.trump.best, well.trump.decided) == (0, (0,), False)
    badly = reviewed(hand(APART, (None, None, None, "abundance"), trump="H", claim=(0, 13, 0, 0)))
    assert badly.trump is not None and (badly.trump.loss, badly.trump.best, badly.trump.decided) == (13, (0,), True)
    assert badly.trump.tricks == ((0, 13), (1, 0), (2, 0), (3, 0)) and badly.trump.makes[0] == (0, True)


def test_declared_with_a_trump_is_judged_with_that_option() -> None:
    """The bidder leads, so that his suit takes all without a trump, too."""
    review = reviewed(
        hand(APART, (None, None, None, "abundance_declared"), trump="N", claim=(13, 0, 0, 0), ad_trump=True)
    )
    assert review.trump is not None and review.trump.best == (0, 4) and review.trump.loss == 0
    assert reviewed(hand(APART, (None, None, None, "abundance_declared"), claim=(13, 0, 0, 0))).trump is None


# ---- limits, entrances -----------------------------------------------------------------------------------------------


def test_cards_alone() -> None:
    review = contract_review(golden()[6], seconds=0, table_mb=SMALL)
    assert review.whole and review.table is None and review.calls == () == review.auctions
    assert review.skipped == ("auction", "trump") and "auction" not in review.json()


def test_what_time_does_not_reach_is_told() -> None:
    search = ContractReviewSearch(golden()[6], seconds=1e-6, table_mb=SMALL)
    review = search.run()
    assert not review.whole and set(review.skipped) == {"auction", "trump"}
    assert all(call.loss is None for call in review.calls if call.best_units is None)
    json.dumps(review.json())


def test_cancelled() -> None:
    search = ContractReviewSearch(golden()[0], table_mb=SMALL)
    assert search.known is None
    search.cancel()
    with pytest.raises(Cancelled):
        search.run()


def test_interrupted_after_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known by then stays."""

    def interrupted(*_: object) -> ContractTable:
        raise KeyboardInterrupt

    monkeypatch.setattr(ContractSearch, "run", interrupted)
    search = ContractReviewSearch(golden()[0], table_mb=SMALL)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    assert search.known is not None and search.known.whole and search.known.skipped == ("auction",)


def test_one_entrance_for_every_game() -> None:
    assert isinstance(review_search(golden()[0], table_mb=1), ContractReviewSearch)
    three = next(iter(small_three()))
    assert isinstance(review_search(three, table_mb=1), ReviewSearch)
    with pytest.raises(InputError) as caught:
        ContractReviewSearch(three)
    assert caught.value.code == "game"
    with pytest.raises(InputError) as caught:
        ReviewSearch(golden()[0])
    assert caught.value.code == "game"


def small_three() -> Iterator[ReplayedDeal]:
    from tests.advice.played import play

    return (played.deal for played in play("entrance", "raf", twin("raf"), 1))


def test_a_deal_that_came_to_no_lead() -> None:
    with pytest.raises(InputError) as caught:
        ContractReviewSearch(hand(APART, (None, None)))
    assert caught.value.code == "not_due" and "found one in the phase BID" in caught.value.message
    named = hand(APART, (None, None, None, "abundance"))
    with pytest.raises(InputError, match="phase TRUMP"):
        ContractReviewSearch(named)
