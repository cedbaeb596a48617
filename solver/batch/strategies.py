"""Strategies: functions from what a player sees to what he does, and how a study finds and asks them.

A strategy of the exchange is called `strategy(view, due)`:

    view    what the sender sees (tierce.solver.games.view.View); his cards are `view.hand`
    due     the parcels he owes now, a tuple of Transfer: `receiver` (0 dealer, 1 eldest, 2 middle) and `count`

and gives back his parcel as a mask of cards, or one mask for each parcel that is due. Where the rules have receivers
served one after the other it is called for each parcel, with what came back from the first in the view.

A strategy of the dealer is called `strategy(view)` when he names the trump, and gives back (trump, discard): 0 to 3
for spades, hearts, diamonds and clubs, and a mask. `discards_now(view)` says how many cards are laid away before more
is seen; where that is 0 the discard is 0, and the strategy is asked again when it is due (its trump does not count
then). An up-card is taken, unless a third thing is given back, True or False: whether to take it.

One with a parameter `rng` gets a random.Random there, seeded by the study's seed, the deal and the strategy's name. One
marked `@omniscient` gets the State, with all hands, in place of the view: an upper limit for the others.

Whatever a strategy raises, KeyboardInterrupt apart, is the error of that deal, told with its line; the study goes on.
What it prints goes to stderr, or to wherever a worker of a cluster has its stdout.

A strategy is told by the name of a built-in one, by that of an entry point (group `tierce.strategies`, the dealer's
`tierce.dealer_strategies`), or as `package.module:function`:

>>> from tierce.solver.cards import cards_of, mask_of, suit_of
>>> def clubs_first(view, due):
...     '''The lowest clubs, then the lowest diamonds, hearts and spades.'''
...     cards = cards_of(view.hand)[::-1]
...     return [mask_of(cards[at : at + each.count]) for at, each in zip((0, due[0].count), due)]

>>> from tierce.solver.cards import card_names
>>> from tierce.solver.advice.sending import due, exchange_of_deal
>>> from tierce.solver.games import load_game, random_deal, view
>>> game = load_game("raf")
>>> state = exchange_of_deal(game, random_deal(game, seed=1), previous=(10, 4, 2))
>>> [card_names(parcel) for parcel in clubs_first(view(state, seat=2), due(state))]
['C6', 'C8']
"""

from __future__ import annotations

import importlib
import inspect
import os
import random
import sys
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn, TypeAlias, TypeVar

from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.state import State
from tierce.solver.games.view import View, view

__all__ = [
    "DEALING",
    "SENDING",
    "Group",
    "Strategy",
    "built_in",
    "discards_now",
    "load_strategy",
    "omniscient",
    "raised_in",
    "said_of",
]

Group: TypeAlias = Literal["tierce.strategies", "tierce.dealer_strategies"]
SENDING: Final = "tierce.strategies"
DEALING: Final = "tierce.dealer_strategies"

F = TypeVar("F", bound=Callable[..., Any])


def omniscient(function: F) -> F:
    """Mark a strategy that gets the State in place of the view."""
    function.omniscient = True  # type: ignore[attr-defined]
    return function


def discards_now(view: View) -> int:
    """How many cards the dealer lays away before more is seen: none where the kitty comes first."""
    steps = view.profile.steps(first=not view.results)
    ahead = steps[steps.index(view.phase) :]
    if "DISCARD" not in ahead or "KITTY" in ahead[: ahead.index("DISCARD")]:
        return 0
    return view.profile.kitty


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy by its name.

    omniscient  does it get the State?
    draws       does it get random numbers?
    """

    name: str
    function: Callable[..., Any]
    omniscient: bool = False
    draws: bool = False

    def ask(self, state: State, seat: int, source: str, *more: object) -> Any:
        """What the strategy does at a state, which may be anything: it is not checked. `source` seeds its numbers."""
        sees = state if self.omniscient else view(state, seat)
        if self.draws:
            return self.function(sees, *more, rng=random.Random(f"{source}:{self.name}"))
        return self.function(sees, *more)


def built_in(group: Group) -> dict[str, Callable[..., Any]]:
    """The built-in strategies by name."""
    if group == SENDING:
        from tierce.solver.batch.sender_rules import RULES
    else:
        from tierce.solver.batch.dealer_rules import RULES
    return RULES


def load_strategy(name: str, group: Group) -> Strategy:
    """Find a strategy. InputError (code and field "strategy") if there is none of this name."""
    function = built_in(group).get(name)
    if function is None:
        function = _imported(name) if ":" in name else _registered(name, group)
    if not callable(function):
        _refuse(f"expected {shown(name)} to be a function, found {quoted(function)}")
    try:
        draws = "rng" in inspect.signature(function).parameters
    except Exception:  # some callables written in C tell nothing
        draws = False
    return Strategy(name, function, bool(getattr(function, "omniscient", False)), draws)


def _imported(name: str) -> Any:
    module, _, path = name.partition(":")
    if "/" in module or module.endswith(".py"):
        better = module.removesuffix(".py").removeprefix("./").replace("/", ".").strip(".")
        _refuse(f"expected the name of a module, such as {shown(f'{better}:{path}')}, found {shown(name)}")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a user's module may raise anything
        package = module.partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and error.name == package:
            _refuse(f"expected a module {shown(package)} in {_folders()}, found none")
        _refuse(f"expected a function {shown(name)} to import, found {said_of(error)}")
    return found


def _folders() -> str:
    """The folders in which Python looks for modules, its own apart."""
    own = sysconfig.get_path("stdlib")
    folders = dict.fromkeys(os.path.abspath(each) for each in sys.path)
    return ", ".join(each for each in folders if os.path.isdir(each) and each not in (own, f"{own}/lib-dynload"))


def _registered(name: str, group: Group) -> Any:
    from importlib.metadata import entry_points

    found = list(entry_points(group=group, name=name))
    if len(found) != 1:
        others = sorted({*built_in(group), *entry_points(group=group).names})
        expected = f"one of {', '.join(others)}, or package.module:function"
        _refuse(f"expected {expected}, found {shown(name)}{' more than once' * bool(found)}")
    try:
        return found[0].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _refuse(f"expected the entry point {shown(name)} to load, found {said_of(error)}")


# ---- what went wrong -------------------------------------------------------------------------------------------------


def said_of(error: BaseException) -> str:
    """What an error says, on one line; it may be of anybody's making."""
    kind = type(error).__name__
    try:
        said = str(error.message) if isinstance(error, InputError) else f"{kind}: {error}".removesuffix(": ")
    except KeyboardInterrupt:
        raise
    except BaseException:
        said = f"{kind}, whose text cannot be had"
    return " ".join(said.split())


def raised_in(error: BaseException) -> str:
    """`mine.py line 12`: the innermost place of an error in the file of the strategy that raised it; "" if it did
    not."""
    places = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    asked = next((at for at, (code, _) in enumerate(places) if code is Strategy.ask.__code__), len(places))
    own = [(code.co_filename, line) for code, line in places[asked + 1 :]]
    lines = [line for file, line in own if file == own[0][0]]
    return f"{os.path.basename(own[0][0])} line {lines[-1]}" if own else ""


def _refuse(message: str) -> NoReturn:
    raise InputError("strategy", message, field="strategy")
