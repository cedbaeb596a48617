"""Bots: players at a table, by name. A bot is asked `act(view, source)` whenever it has a choice, and answers with an
action; `source` is text that seeds all its lots, so that the same source and view get the same answer (a bot that goes
by time apart).

    random    any legal action, each as likely as the other; of parcels and discards any cards. It never claims
    simple    the rule-following player (tierce.solver.hints.simple)
    hint      the hint (tierce.solver.hints.hint) as it is without being told anything else
    pimc      the hint by the plain method: exact values of random worlds, averaged, against all, nothing inferred
    package.module:function     one of your own: called with the view and, if it has a parameter `rng`, with a
              random.Random; it returns an action of tierce.solver.games. It should keep nothing from one call to
              the next, for deals are played on several processes

Behind hint and pimc may stand settings, each after a comma and the first after a colon:

    hint:playouts  hint:tree  ...       the method (also method=playouts)
    hint:infer  hint:no-infer           whether the choices of others tell about their cards
    hint:others=conspiring              how the others are taken to play
    hint:by=quota                       the objective: tricks, quota or twelve; of contracts units, tricks or made
    hint:seconds=0.5  hint:worlds=200   a budget of its own, in place of the table's

>>> bots_of("hint:others=rules,no-infer,simple,mine.bots:best")
('hint:others=rules,no-infer', 'simple', 'mine.bots:best')
"""

from __future__ import annotations

import hashlib
import os
import random
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from typing import Any, Final, NoReturn

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.quick import reply_quickly
from tierce.solver.advice.race import WORLDS_MAX
from tierce.solver.cards import bit, cards_of
from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import Action, Bid, DealCards, Discard, Send
from tierce.solver.games.contract_auction import bidder
from tierce.solver.games.dealing import deal_by_lot, random_deal
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import load_game
from tierce.solver.games.rules import Open, apply, legal
from tierce.solver.games.state import ELDEST, State, new_match
from tierce.solver.games.view import View
from tierce.solver.games.view import view as view_of
from tierce.solver.hints.objectives import BY, BY_CONTRACT
from tierce.solver.hints.results import METHODS, OTHERS

__all__ = ["BUILT_IN", "SECONDS_MAX", "WORLDS_MAX", "Bot", "bot_of", "bots_of", "choices", "raised_in", "seed_of"]

BUILT_IN: Final = ("random", "simple", "pimc", "hint")
SECONDS_MAX: Final = 3600.0  # for a decision
_PLAIN: Final[Mapping[str, Any]] = {"method": "pimc", "others": "conspiring", "infer": False}
_FLAGS: Final[Mapping[str, tuple[str, Any]]] = {
    "infer": ("infer", True),
    "no-infer": ("infer", False),
    **{method: ("method", method) for method in METHODS},
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "method": METHODS,
    "others": OTHERS,
    "by": tuple(by for by in BY if by != "utility"),  # its points are a table, which no name holds
}
_CONTRACT_WORDS: Final = {**_WORDS, "by": tuple(by for by in BY_CONTRACT if by != "utility")}
_KEYS: Final = (*_WORDS, "seconds", "worlds")


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot.

    choose   what it does, from a view and a source
    seconds  the time it was given for a decision, None if it has none
    """

    name: str
    choose: Callable[[View, str], Action]
    seconds: float | None = None

    def act(self, view: View, source: str) -> Action:
        """What the bot does in a decision of the view's seat. It may raise anything and return anything."""
        return self.choose(view, source)


# ---- by name ---------------------------------------------------------------------------------------------------------


def bots_of(text: str) -> tuple[str, ...]:
    """The names in a list with commas; settings stay with the bot before them. In a list `pimc` is a bot: as a setting
    it is `method=pimc` there, if it is not the first."""
    names: list[str] = []
    for part in (each.strip() for each in text.split(",")):
        setting = part in _FLAGS or (part.partition("=")[0].strip() in _KEYS and "=" in part)
        if setting and part not in BUILT_IN and names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return tuple(names)


def bot_of(name: str, *, seconds: float | None = None, worlds: int | None = None, contracts: bool = False) -> Bot:
    """The bot of a name, with a budget for each decision of those that need one: wall time or worlds. `contracts`: for
    games of contracts, whose hints have other settings.

    InputError (field "bots") for a name of no bot, and for settings that are none.
    """
    kind, colon, settings = name.partition(":")
    if kind in BUILT_IN:
        found = _settings(name, settings, _CONTRACT_WORDS if contracts else _WORDS) if colon else {}
        if kind in ("hint", "pimc"):
            return _hinting(name, kind, found, {"seconds": seconds, "worlds": worlds}, contracts=contracts)
        if colon:
            _refuse(f"expected {kind} without settings, found {shown(name)}")
        return Bot(name, _at_random if kind == "random" else _simple())
    if not colon:
        _refuse(f"expected a bot ({', '.join(BUILT_IN)} or package.module:function), found {shown(name)}")
    return Bot(name, _own(name))


def _settings(name: str, text: str, words: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """What stands behind a bot's colon, as arguments of `hint`."""
    found: dict[str, Any] = {}
    for part in (each.strip() for each in text.split(",")):
        key, value = _setting(name, part, words)
        if key in found:
            _refuse(f"expected {key} once, found {shown(name)}")
        found[key] = value
    return found


def _setting(name: str, part: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, Any]:
    if part in _FLAGS:
        return _FLAGS[part]
    key, equals, value = (each.strip() for each in part.partition("="))
    if not equals or key not in _KEYS:
        expected = f"{', '.join(_FLAGS)}, or one of {', '.join(_KEYS)} with = and a value"
        _refuse(f"expected {expected}, found {shown(part)} in {shown(name)}")
    if key in words:
        if value not in words[key]:
            _refuse(f"expected {key} = {', '.join(words[key])}, found {shown(value)} in {shown(name)}")
        return key, value
    return key, _number(name, key, value)


def _number(name: str, key: str, text: str) -> float | int:
    most = WORLDS_MAX if key == "worlds" else SECONDS_MAX
    kind = int if key == "worlds" else float
    try:
        number = kind(text) if text.isascii() and len(text) <= 20 and "_" not in text else 0
    except ValueError:
        number = 0
    if not (isfinite(number) and 0 < number <= most):
        what = "a whole number" if key == "worlds" else "a number"
        _refuse(f"expected {key} = {what} above 0, {most:g} at most, found {shown(text)} in {shown(name)}")
    return number


def _hinting(name: str, kind: str, given: dict[str, Any], usual: dict[str, Any], *, contracts: bool) -> Bot:
    """A bot that does what the hint says."""
    from tierce.solver.hints.hint import HintSearch, hint

    own: dict[str, Any] = {key: given.pop(key) for key in ("seconds", "worlds") if key in given}
    budget: dict[str, Any] = own or usual
    settings: dict[str, Any] = {**(_PLAIN if kind == "pimc" else {}), **given, **budget}
    try:
        HintSearch(_first_lead(contracts), **settings)  # what goes together it alone knows
    except InputError as error:
        _refuse(f"{error.message}, in the bot {shown(name)}")

    def choose(view: View, source: str) -> Action:
        return hint(view, seed=seed_of(source), **settings).action

    return Bot(name, choose, budget.get("seconds"))


@cache
def _first_lead(contracts: bool) -> View:
    """A view in which a card is due."""
    if contracts:
        return _contract_lead()
    profile = load_game("raf")
    state = apply(new_match(profile), DealCards(random_deal(profile, seed=1)))
    return view_of(reply_quickly(state), ELDEST)


def _contract_lead() -> View:
    profile = load_game("solo_whist")
    state = apply(new_match(profile), deal_by_lot(profile, seed=1))
    for bid in ("solo", None, None, None):
        seat = bidder(state)
        assert seat is not None
        state = apply(state, Bid(seat, bid))
    return view_of(state, state.mover)


def _simple() -> Callable[[View, str], Action]:
    from tierce.solver.hints.simple import simple_action

    return lambda view, source: simple_action(view)


def _own(name: str) -> Callable[[View, str], Action]:
    """A user's function."""
    from tierce.solver.batch.strategies import SENDING, load_strategy

    try:
        found = load_strategy(name, SENDING)  # the group does not count where there is a colon
    except InputError as error:
        raise InputError("bot", error.message, field="bots") from None
    if found.omniscient:
        _refuse(f"expected a bot that plays from its view, found {shown(name)}, which is marked as omniscient")
    if not found.draws:
        return lambda view, source: _asked(found.function, view)
    return lambda view, source: _asked(found.function, view, rng=random.Random(f"{source}:{name}"))


def _asked(function: Callable[..., Any], *given: object, **more: object) -> Any:
    """What a user's function returns, which may be anything."""
    return function(*given, **more)


def raised_in(error: BaseException) -> str:
    """`mine.py line 12`: the innermost place of an error in the file of the user's bot that raised it, "" if it did
    not."""
    places = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    asked = next((at for at, (code, _) in enumerate(places) if code is _asked.__code__), len(places))
    own = [(code.co_filename, line) for code, line in places[asked + 1 :]]
    lines = [line for file, line in own if file == own[0][0]]
    return f"{os.path.basename(own[0][0])} line {lines[-1]}" if own else ""


def _refuse(message: str) -> NoReturn:
    raise InputError("bot", message, field="bots")


# ---- lots ------------------------------------------------------------------------------------------------------------


def seed_of(source: str) -> int:
    """A seed from text, of 63 bits."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:8], "big") >> 1


def _at_random(view: View, source: str) -> Action:
    """Any legal action. Of parcels that are due at once the first is sent first."""
    draws = Draws(seed_of(source))
    open_ = choices(view)[0]
    if open_.choices:
        return open_.choices[draws.below(len(open_.choices))]
    cards = draws.take([bit(card) for card in cards_of(open_.among)], open_.count)
    if open_.kind is Discard:
        return Discard(0, cards)
    assert open_.kind is Send and open_.to is not None
    return Send(view.seat, open_.to, cards)


def choices(view: View) -> tuple[Open, ...]:
    """What the seat of a view may do, where a decision of its own is due: as `rules.legal` has it, claims apart.

    In games with calls, those that this dealer has used are known from the results.
    """
    profile = view.profile
    steps = profile.steps(first=not view.results)
    hands = [0] * profile.seats
    hands[view.seat] = view.hand
    used = [frozenset[str]()] * profile.seats
    used[view.dealer] = frozenset(result.call for result in view.results if result.dealer == view.dealer)
    own = State(profile, view.dealer, steps, steps.index(view.phase), view.results, view.totals, view.quotas)
    own = replace(own, hands=tuple(hands), bids=view.bids, call=view.call, leader=view.leader, contract=view.contract)
    own = replace(own, trick=view.trick, used=tuple(used), **_parcels(view))
    return legal(own)[:1] if view.phase == "PLAY" else legal(own)


def _parcels(view: View) -> dict[str, Any]:
    """The parcels, and of the seat's own those that may be sent now."""
    transfers = tuple(
        Transfer(each.sender, each.receiver, each.count, each.sent or 0, each.returned or 0) for each in view.transfers
    )
    if view.phase not in ("EXCHANGE", "SEND"):
        return {"transfers": transfers}
    due = [i for i, each in enumerate(transfers) if each.sender == view.seat and not each.sent]
    alone = len({each.sender for each in transfers}) == 1
    together = alone and view.profile.option("exchange_order_two_down") == "simultaneous"
    if view.phase == "EXCHANGE" and not together:
        due = due[:1]
    return {"transfers": transfers, "queue": tuple(("send", i) for i in due)}
