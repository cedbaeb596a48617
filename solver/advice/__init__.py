"""Advice: what the exact values of many positions say about a decision. So far the dealer's: trump and discard.

    choices_of_deal(profile, deal)     what is open in a deal (hands after the exchange), every way the cards may lie
    choices_of_state(state)            the same at a moment of a match
    dealer_advice(choices)             all hands known: the best of every trump and what reaches it, exact
    DealerSearch(choices)              the same with progress, cancelling, and the value of every choice
    classes_of(discards, pool, others) many discards said in few words
    dealer_estimate(view, worlds=200)  the dealer's cards alone known: an estimate over worlds that fit his view
    DealerWorlds(view)                 these worlds: counted, drawn, listed
    dealer_view(profile, hand)         a view from a hand and what was exchanged

>>> from tierce.solver import format_hand
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
"""

from tierce.solver.advice.choices import Choice, DealerChoices, Lay, choices_of_deal, choices_of_state
from tierce.solver.advice.classes import DiscardClass, classes_of
from tierce.solver.advice.dealer import DealerSearch, dealer_advice
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.estimate import EstimateSearch, dealer_estimate
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.advice.views import Exchanged, dealer_view
from tierce.solver.advice.worlds import DealerWorlds, World

__all__ = [
    "CallAdvice",
    "CandidateEstimate",
    "Choice",
    "Chosen",
    "DealerAdvice",
    "DealerChoices",
    "DealerEstimate",
    "DealerSearch",
    "DealerWorlds",
    "DiscardClass",
    "EstimateSearch",
    "Exchanged",
    "Figure",
    "Lay",
    "World",
    "choices_of_deal",
    "choices_of_state",
    "classes_of",
    "dealer_advice",
    "dealer_estimate",
    "dealer_view",
]
