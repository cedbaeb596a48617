"""Reviews of played hands: the account adds up in every game, decisions cost what brute force says, every number is
that of a fresh question."""

from __future__ import annotations

import pytest

from tests.advice.bots import record_by_bots
from tests.advice.ledgers import Moment, moments
from tests.advice.played import dealer_losses, sender_losses
from tests.advice.reviewed import at_the_lead, check_account, losses, played_cards, small
from tests.advice.small_games import SWAP_GAME, TWINS
from tests.records.support import finished
from tierce.solver.advice.choices import Choice, choices_of_state
from tierce.solver.advice.dealer import dealer_advice
from tierce.solver.advice.exchange import exchange_advice
from tierce.solver.advice.review import ReviewSearch, review
from tierce.solver.advice.review_results import Review
from tierce.solver.advice.sending import due, sender_of
from tierce.solver.cards import bit, card_name
from tierce.solver.games import NameTrump, State, Swap, apply, game_names, load_game, replay, settle
from tierce.solver.games.phases import TWO
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solve import card_values, solve

# ---- the account -----------------------------------------------------------------------------------------------------


def check_brute(found: Review) -> None:
    """Every number of every card, by brute force."""
    lead = at_the_lead(found.deal)
    states = [*moments(Moment(lead.hands, lead.trump, lead.leader), played_cards(found.deal))]
    sure = [state.guarantees(few=found.few) for state in states]
    assert [play.before for play in found.ledger.plays] == sure[:-1] and found.ledger.end == sure[-1]
    for state, card in zip(states, found.json()["plays"], strict=False):
        after = {
            name: state.after(each).guarantees(few=found.few) for each in state.legal for name in [card_name(each)]
        }
        assert {each["card"]: each["tricks"] for each in card["cards"]} == {
            name: values["DEM".index(card["seat"])] for name, values in after.items()
        }


@pytest.mark.parametrize("name", TWINS)
def test_small_matches_of_every_game(name: str) -> None:
    """Played to their ends or claimed: the account adds up, every number is brute force's, all decisions are judged."""
    for played in small(name, "all"):
        found = review(played.deal, seconds=None)
        check_account(found)
        check_brute(found)
        assert losses(found) == sender_losses(played) + dealer_losses(played)
        assert {what for what, _ in found.skipped} <= ({"discard"} if played.sends else set())
        assert found.whole and found.finished


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", TWINS)
def test_many_small_matches(name: str, seed: int) -> None:
    for played in small(name, f"many {seed}", deals=6):
        found = review(played.deal, seconds=None, every=seed % 2 == 0)
        check_account(found)
        check_brute(found)
        assert losses(found) == sender_losses(played) + dealer_losses(played)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", game_names(3))
def test_whole_matches_by_bots(name: str, seed: int) -> None:
    """The cards of whole hands, sensibly played; some are claimed."""
    record = record_by_bots(load_game(name), 10 + seed, 3, claims=0.02)
    for deal in replay(record).deals:
        if not deal.passed_out:
            check_account(review(deal, seconds=0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", game_names(3))
def test_whole_matches_by_lot(name: str, seed: int) -> None:
    for deal in replay(finished(load_game(name), seed, deals=2)).deals:
        if not deal.passed_out:
            check_account(review(deal, seconds=2, every=True))


# ---- every number is a fresh one's -----------------------------------------------------------------------------------


def check_fresh(found: Review, first: int) -> None:
    """Each ply from `first` on, asked about anew by whoever would ask: `solve` and `card_values`."""
    lead = at_the_lead(found.deal)
    position = Position(lead.hands, lead.trump, lead.leader)
    objective: Objective = "fewest" if found.few else "most"
    for number, card in enumerate(played_cards(found.deal)):
        here = found.ledger.plays[number]
        if number >= first:
            asked = tuple(solve(position, 1 << seat, objective).tricks for seat in range(3))
            assert here.before == asked, number
            fresh = card_values(position, None, objective)
            values = {each.card: each.tricks for each in fresh.cards}
            assert {each: worth[here.seat] for each, worth in here.options} == values
        position = position.play(card)


def test_a_whole_hand_by_fresh_solves() -> None:
    """Dealt and played by lot, so that its first cards are no long work."""
    (deal,) = replay(finished(load_game("raf"), 1)).deals
    check_fresh(review(deal, seconds=0), 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first"), [("raf", 0), ("deputy", 12), ("nine_five_two", 3), ("uni_high_359", 3), (SWAP_GAME, 9)]
)
def test_whole_hands_by_fresh_solves(name: str, first: int) -> None:
    for deal in replay(record_by_bots(load_game(name), 2, 2)).deals:
        check_fresh(review(deal, seconds=0), first)


@pytest.mark.parametrize("name", ["raf", "nine_five_two", "deputy", "uni_high_359"])
def test_decisions_by_fresh_advice(name: str) -> None:
    """Losses, and all choices as good as any, are those that `dealer` and `exchange` tell."""
    for played in small(name, "fresh"):
        found = review(played.deal, seconds=None)
        states = [state for _, state in played.deal.steps()]
        for decision in found.decisions:
            if decision.what == "exchange":
                state = next(each for each in states if each.queue and sender_of(each) == decision.seat)
                made = {(each.sender, each.receiver): each.sent for each in played.deal.state.transfers}
                advice = exchange_advice(state, chosen=[made[each.sender, each.receiver] for each in due(state)])
                assert decision.loss == advice.loss and decision.count == len(advice.best)
                assert {each.sends for each in decision.equal if not isinstance(each, str | Choice)} == {
                    each.way.sends for each in advice.best[:20]
                }
        check_dealer(found, next(each for each in states if each.phase in ("TRUMP", "CALL")))


def check_dealer(found: Review, state: State) -> None:
    end = found.deal.state
    choices = choices_of_state(state)
    advice = dealer_advice(choices, chosen=(end.call, Choice(end.discard if choices.count else 0)))
    by_what = {each.what: each for each in found.decisions if each.what != "exchange"}
    assert sum(each.loss or 0 for each in by_what.values()) == advice.loss
    call = next(each for each in advice.calls if each.call == end.call)
    if "discard" in by_what:
        assert by_what["discard"].count == call.count and by_what["discard"].equal == call.choices[:20]
    best = max(map(advice.balance, advice.calls))
    tied = tuple(each.call for each in advice.calls if advice.balance(each) == best)
    assert (by_what["trump"].equal, by_what["trump"].count) == (tied, len(tied))


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_swaps(number: int) -> None:
    """Whoever holds the two decides; both lays of the cards are solved anew. The first is middle's, the second the
    dealer's."""
    deal = replay(finished(load_game(SWAP_GAME), 2, deals=2)).deals[number]
    state = next(state for _, state in deal.steps() if state.phase == "SWAP")
    seat = next(seat for seat in range(3) if state.hands[seat] & bit(TWO))
    assert seat == (2, 0)[number]
    worth = {}
    for take in (True, False):
        lead = settle(apply(state, Swap(seat, take)))
        worth[take] = solve(Position(lead.hands, lead.trump, lead.leader), 1 << seat).tricks
    (decision,) = (each for each in review(deal, seconds=20).decisions if each.what == "swap")
    swapped, best = deal.state.swapped, max(worth.values())
    assert swapped is not None and (decision.seat, decision.chosen) == (seat, Choice(swap=swapped))
    assert decision.loss == best - worth[swapped]
    equal = {each.swap for each in decision.equal if isinstance(each, Choice)}
    assert equal == {take for take, value in worth.items() if value == best} and decision.count == len(equal)


def test_a_swap_that_was_not_the_dealers_is_listed() -> None:
    deal = replay(finished(load_game(SWAP_GAME), 2, deals=2)).deals[0]
    assert review(deal, seconds=0).skipped == (("trump", 0), ("swap", 2))


@pytest.mark.slow
@pytest.mark.parametrize(("when", "seed"), [("after_exchange", 0), ("after_exchange", 1), ("after_deal", 2)])
def test_a_swap_before_the_trump(when: str, seed: int) -> None:
    """Eldest or middle chooses; the dealer then names what is best for himself, of equal trumps the worst for him who
    chose. Every floor is solved anew."""
    profile = load_game(SWAP_GAME).with_options({"swap_time": when})
    (deal,) = replay(record_by_bots(profile, seed, claims=1.0)).deals
    state = next(state for _, state in deal.steps() if state.phase == "SWAP")
    seat = next(seat for seat in range(3) if state.hands[seat] & bit(TWO))
    assert seat and not state.call
    worth = {take: reply_value(settle(apply(state, Swap(seat, take))), seat) for take in (True, False)}
    (decision,) = (each for each in review(deal, seconds=None).decisions if each.what == "swap")
    swapped = deal.state.swapped
    assert swapped is not None and (decision.seat, decision.chosen) == (seat, Choice(swap=swapped))
    assert decision.loss == max(worth.values()) - worth[swapped]
    assert decision.value == (worth[swapped] - profile.quotas[seat],) * 2


def reply_value(state: State, seat: int) -> int:
    """A seat's floor after the dealer's trump."""
    found = []
    for trump in range(4):
        lead = settle(apply(state, NameTrump(0, trump)))
        position = Position(lead.hands, lead.trump, lead.leader)
        found.append((solve(position, 1).tricks, -solve(position, 1 << seat).tricks))
    return -max(found)[1]


def test_a_swap_before_parcels_is_told_as_not_judged() -> None:
    """The discard that comes before them, too."""
    profile = load_game(SWAP_GAME).with_options({"swap_time": "after_deal"})
    deal = replay(record_by_bots(profile, 2, 2, claims=1.0)).deals[1]
    (seat,) = (action.seat for action, _ in deal.steps() if isinstance(action, Swap))
    assert seat and deal.state.transfers

    class AfterTheCards(ReviewSearch):
        """There is time for the cards, and next to none for the rest."""

        def _left(self) -> float | None:
            return None if self._judged is None else 0.01

    assert ("swap", seat) in AfterTheCards(deal).run().skipped
    played = next(each for each in small("nine_five_two_swap", "fresh") if each.deal.state.transfers)
    assert review(played.deal, seconds=None).skipped == (("discard", 0),)


def test_a_forced_call_is_no_decision() -> None:
    """In a player's last deal one call is left: there was nothing to judge."""
    name = "deputy"
    for played in small(name, "long", deals=18)[15:]:
        assert len(played.deal.start.used[played.deal.start.dealer]) == 5
        found = review(played.deal, seconds=None)
        assert [each.what for each in found.decisions] == ["discard"] and found.skipped == ()
        assert review(played.deal, seconds=0).skipped == (("discard", 0),)
