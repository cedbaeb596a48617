"""Reviews of small matches, and what must hold of any review."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from tests.advice.played import Played, play
from tests.advice.small_games import twin
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import Card
from tierce.solver.games import Claim, ReplayedDeal, State, apply

TIMES: Final = ("nodes", "millis")


# ---- hands -----------------------------------------------------------------------------------------------------------


def small(name: str, seed: str, **how: Any) -> list[Played]:
    return play(f"{seed} {name}", name, twin(name), **how)


def cut(deal: ReplayedDeal, actions: int) -> ReplayedDeal:
    """The deal without its last actions, as a record would hold it."""
    steps = [*deal.steps(), (None, deal.state)]
    return replace(deal, actions=deal.actions[:-actions], state=steps[-1 - actions][1], result=None)


def claimed(deal: ReplayedDeal, cards: int, tricks: tuple[int, int, int]) -> ReplayedDeal:
    """The deal without its last cards, and a claim instead."""
    short = cut(deal, cards)
    action = Claim(tricks)
    return replace(short, actions=(*short.actions, action), state=apply(short.state, action))


def played_cards(deal: ReplayedDeal) -> list[Card]:
    return [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)


def at_the_lead(deal: ReplayedDeal) -> State:
    return next(state for _, state in [*deal.steps(), (None, deal.state)] if state.phase == "PLAY")


def losses(found: Review) -> list[tuple[str, int, Fraction]]:
    """What the decisions before the play cost; all must be known."""
    return [(each.what, each.seat, Fraction(-1 if each.loss is None else each.loss)) for each in found.decisions]


def told(found: Review) -> dict[str, Any]:
    """All of it but what it took."""
    return {key: value for key, value in found.json().items() if key not in TIMES}


# ---- the account -----------------------------------------------------------------------------------------------------


def check_account(found: Review) -> None:
    """What must hold of any review, from its JSON alone."""
    out = found.json()
    sign = -1 if out["kind"] == "cap" else 1
    total = out["total"]
    for seat in out["seats"]:
        assert seat["tricks"] == (
            seat["kitty"] + seat["start"] - sign * seat["lost"] + sign * seat["gifts"] + seat["claim"]
        )
        assert seat["gifts"] == sum(gift["tricks"] for gift in seat["gifts_from"])
        assert seat["balance"] == sign * (seat["tricks"] - seat["quota"])
        assert 0 <= seat["best"] <= seat["unforced"]
    if out["finished"]:
        assert sum(seat["tricks"] for seat in out["seats"]) == total
        assert sum(seat["balance"] for seat in out["seats"]) == 0
    for trick in out["tricks"] if sign > 0 else ():
        assert abs(sum(trick["shares"]) - total) < 0.02
        for floor, share, ceiling in zip(trick["guarantees"], trick["shares"], trick["ceilings"], strict=True):
            assert floor <= share <= ceiling and ceiling - floor == total - sum(trick["guarantees"])
    check_plays(out)
    check_turns(out)


def check_plays(out: dict[str, Any]) -> None:
    """The losses and gifts of the cards make those of the seats; the best cards are those worth the most."""
    sign = -1 if out["kind"] == "cap" else 1
    for seat in out["seats"]:
        own = [card for card in out["plays"] if card["seat"] == seat["seat"]]
        assert seat["lost"] == sum(card["loss"] for card in own)
        assert seat["unforced"] == sum(not card["forced"] for card in own)
        assert seat["best"] == sum(not card["forced"] and not card["loss"] for card in own)
        for gift in seat["gifts_from"]:
            given = [each for card in out["plays"] if card["seat"] == gift["seat"] for each in card["gifts"]]
            assert gift["tricks"] == sum(each["tricks"] for each in given if each["seat"] == seat["seat"])
    for card in out["plays"]:
        worth = {each["card"]: each["tricks"] for each in card["cards"]}
        top = max(worth.values(), key=lambda tricks: sign * tricks)
        assert card["best"] == [name for name, tricks in worth.items() if tricks == top]
        assert card["loss"] == abs(top - worth[card["card"]]) and card["forced"] == (len(worth) == 1)
        assert worth[card["card"]] == card["after"]["DEM".index(card["seat"])]


def check_turns(out: dict[str, Any]) -> None:
    """Turning points, found again: from the numbers after each card, and who took which trick."""
    kitty = [seat["kitty"] for seat in out["seats"]]
    quotas = [seat["quota"] for seat in out["seats"]]
    winners = {trick["trick"]: trick["winner"] for trick in out["tricks"]}
    if not out["whole"]:
        return  # who took the tricks before is not told
    taken, found = list(kitty), []
    before = [seat["start"] + seat["kitty"] for seat in out["seats"]]
    for number, card in enumerate(out["plays"], 1):
        was = statuses(out, before, taken, quotas)
        if number % 3 == 0:
            taken = list(taken)
            taken["DEM".index(winners[card["trick"]])] += 1
        before = [sure + extra for sure, extra in zip(card["after"], kitty, strict=True)]
        now = statuses(out, before, taken, quotas)
        changes = [
            {"seat": seat, "before": old, "after": new}
            for seat, old, new in zip("DEM", was, now, strict=True)
            if old != new
        ]
        if changes or card["loss"] >= 2:
            turn = {key: card[key] for key in ("trick", "seat", "card", "loss")}
            found.append(turn | {"changes": changes})
        if number % 3 == 0:
            assert [trick["status"] for trick in out["tricks"] if trick["trick"] == card["trick"]] == [now]
    assert out["turning_points"] == found


def statuses(out: dict[str, Any], sure: list[int], taken: list[int], quotas: list[int]) -> list[str]:
    """Is each quota safe, whatever happens; is it lost, unless somebody errs?"""
    spare = out["total"] - sum(sure)
    if out["kind"] == "cap":
        lost = [have > quota for have, quota in zip(taken, quotas, strict=True)]
        safe = [most <= quota for most, quota in zip(sure, quotas, strict=True)]
    else:
        safe = [least >= quota for least, quota in zip(sure, quotas, strict=True)]
        lost = [least + spare < quota for least, quota in zip(sure, quotas, strict=True)]
    return ["safe" if good else "lost" if bad else "contested" for good, bad in zip(safe, lost, strict=True)]
