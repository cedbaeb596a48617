"""Advice: what the exact values of many positions say about a decision, and what a hand that was played cost.

    choices_of_deal(profile, deal)     what is open in a deal (hands after the exchange), every way the cards may lie
    choices_of_state(state)            the same at a moment of a match
    dealer_advice(choices)             all hands known: the best of every trump and what reaches it, exact
    DealerSearch(choices)              the same with progress, cancelling, and the value of every choice
    classes_of(discards, pool, others) many discards said in few words
    dealer_estimate(view, worlds=200)  the dealer's cards alone known: an estimate over worlds that fit his view
    DealerWorlds(view)                 these worlds: counted, drawn, listed
    dealer_view(profile, hand)         a view from a hand and what was exchanged
    exchange_of_deal(profile, deal, previous)   the exchange of a deal after a result
    exchange_advice(state)             which parcels to send, all hands known: exact, by reply values
    exchange_estimate(view)            the sender's cards alone known: an estimate; sender_view(...) makes the view
    ReviewSearch(deal).run()           a deal of a record: its ledger, and every decision judged
    fair_review(deal)                  the same by what each player could know: estimates
    ContractReviewSearch(deal).run()   a deal of Solo Whist: its ledger, the auction and the trump judged
    review_search(deal)                the search of either kind
    PlayWorlds(view)                   the worlds that fit a view of any seat at any moment
    contract_table(deal, dealer, turned)   Solo Whist: which contracts can be made, all hands known, exact

>>> from tierce.solver.cards import card_names, format_hand
>>> from tierce.solver.games import DealCards, apply, load_game, new_match, random_deal, view
>>> profile = load_game("raf")
>>> deal = random_deal(profile, seed=1, index=27)
>>> advice = dealer_advice(choices_of_deal(profile, deal))
>>> advice.best.call, advice.best.tricks, advice.best.count, advice.margin
('H', 10, 2, 4)
>>> [format_hand(choice.discard) for choice in advice.best.choices]
['5..JT.3', '8..JT.3']
>>> seen = view(apply(new_match(profile), DealCards(deal)), seat=0)
>>> DealerWorlds(seen).count
35406640372950
>>> best = dealer_estimate(seen, worlds=2, seed=1).candidates[0]
>>> best.candidate.call, best.worlds, round(best.mean.value, 2)
('H', 2, 10.5)

>>> game = load_game("six_three_eight")
>>> state = exchange_of_deal(game, random_deal(game, seed=1, index=4), previous=(9, 6, 2))
>>> best = exchange_advice(state).best[0]
>>> [(card_names(each.sent), card_names(each.returned)) for each in best.way.sends], best.tricks
([('H2', 'HA')], 4)

>>> from tierce.solver.cards import parse_card
>>> from tierce.solver.deal import Deal
>>> four = Deal.parse("N:AK4.Q5.T9842.J73 QJT9.K87.AJ.T864 865.AJT42.K3.K92 732.963.Q765.AQ5")
>>> table = contract_table(four, dealer=2, turned=parse_card("H4"))
>>> table.highest.bid, [each.partners for each in table.seats]
('prop_cop', [(2,), (2,), (0, 1, 3), (2,)])
"""

from tierce.solver.advice.choices import Choice, DealerChoices, Lay, choices_of_deal, choices_of_state
from tierce.solver.advice.classes import DiscardClass, classes_of
from tierce.solver.advice.contract_review import ContractReviewSearch, review_search
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts import ContractSearch, contract_table
from tierce.solver.advice.contracts_results import ContractRow, ContractTable, HighestBid, SeatBid
from tierce.solver.advice.dealer import DealerSearch, dealer_advice
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.estimate import EstimateSearch, dealer_estimate
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.advice.exchange import ExchangeSearch, exchange_advice
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch, exchange_estimate
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, ParcelsEstimate
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.fair_decisions import Fair, fair_review
from tierce.solver.advice.ledger import Ledger, ledger_of
from tierce.solver.advice.play_worlds import PlayWorld, PlayWorlds
from tierce.solver.advice.review import ReviewSearch
from tierce.solver.advice.review_results import Review
from tierce.solver.advice.sender_views import sender_view
from tierce.solver.advice.sender_worlds import SenderWorld, SenderWorlds
from tierce.solver.advice.sending import exchange_of_deal, exchange_of_state
from tierce.solver.advice.views import Exchanged, dealer_view
from tierce.solver.advice.worlds import DealerWorlds, World

__all__ = [
    "CallAdvice",
    "CandidateEstimate",
    "Choice",
    "Chosen",
    "ContractReview",
    "ContractReviewSearch",
    "ContractRow",
    "ContractSearch",
    "ContractTable",
    "DealerAdvice",
    "DealerChoices",
    "DealerEstimate",
    "DealerSearch",
    "DealerWorlds",
    "DiscardClass",
    "EstimateSearch",
    "ExchangeAdvice",
    "ExchangeEstimate",
    "ExchangeEstimateSearch",
    "ExchangeSearch",
    "Exchanged",
    "Fair",
    "Figure",
    "HighestBid",
    "Lay",
    "Ledger",
    "ParcelsEstimate",
    "PlayWorld",
    "PlayWorlds",
    "Review",
    "ReviewSearch",
    "SeatBid",
    "SenderWorld",
    "SenderWorlds",
    "WayAdvice",
    "World",
    "choices_of_deal",
    "choices_of_state",
    "classes_of",
    "contract_table",
    "dealer_advice",
    "dealer_estimate",
    "dealer_view",
    "exchange_advice",
    "exchange_estimate",
    "exchange_of_deal",
    "exchange_of_state",
    "fair_review",
    "ledger_of",
    "review_search",
    "sender_view",
]
