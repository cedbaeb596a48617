"""Hints: the best decision of a player from what he can see, and players that follow them.

    hint(view, seconds=0.1)      what to do: a card, trump, discard, parcel, call, bid or swap, whatever is due
    HintSearch(view, worlds=200) the same in rounds, to be watched, cut short or shared out
    simple_action(view)          what a player by rules of thumb does
    choices(view)                what a seat may do now, for bots of your own
    PlayWorlds(view)             the worlds that fit: `count`, `draw(Draws(seed))`
    read_view(text)              a view from JSON; the module view_json has the format, and the way back

>>> from tierce.solver.cards import card_name
>>> from tierce.solver.games import DealCards, apply, load_game, new_match, random_deal, settle, view
>>> state = settle(apply(new_match(load_game("raf")), DealCards(random_deal(load_game("raf"), seed=3))))
>>> while state.phase != "PLAY":
...     state = settle(apply(state, simple_action(view(state, 0))))
>>> found = hint(view(state, 1), worlds=40)
>>> found.what, card_name(found.action.card), found.method, found.worlds
('card', 'S8', 'playouts', 40)
"""

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorld, PlayWorlds
from tierce.solver.hints.bots import choices
from tierce.solver.hints.hint import HintSearch, hint
from tierce.solver.hints.objectives import Wish, wish_of
from tierce.solver.hints.results import Hint, Option
from tierce.solver.hints.simple import simple_action
from tierce.solver.hints.view_json import read_view, read_views

__all__ = [
    "Draws",
    "Hint",
    "HintSearch",
    "Option",
    "PlayWorld",
    "PlayWorlds",
    "Wish",
    "choices",
    "hint",
    "read_view",
    "read_views",
    "simple_action",
    "wish_of",
]
