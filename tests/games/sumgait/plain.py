"""A second plain statement of the game, from its rules: cards are their names, columns are recomputed from a record.

Nothing here is taken from the package but the values that go in and come out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

RANKS: Final = "23456789TJQKA"
PRICE_10: Final = {"N": 20, "S": 30, "C": 40, "D": 50, "H": 60}
MARRIAGE: Final = {"S": 40, "C": 60, "D": 80, "H": 100}


def is_joker(card: str) -> bool:
    return card in ("J1", "J2")


def strength(card: str, led: str, trump: str) -> int:
    """Of a card that is no joker: trumps above the suit led above the rest."""
    return RANKS.index(card[1]) + (100 if card[0] == trump else 50 if card[0] == led else 0)


def trick_winner(cards: Sequence[str], trump: str, procedure: str) -> str:
    """The winning card."""
    others = [card for card in cards if not is_joker(card)]
    led = others[0][0]
    jokers = [card for card in cards if is_joker(card)]
    sevens = [card for card in others if card[1] == "7"]
    best = max(others, key=lambda card: strength(card, led, trump))
    if not jokers:
        return best
    if not sevens:
        return jokers[-1]
    if procedure == "kill":
        return best
    if procedure == "seven_wins":
        return sevens[-1]
    holder = cards[0]
    for card in cards[1:]:
        kinds = tuple("J" if is_joker(each) else "7" if each[1] == "7" else "x" for each in (holder, card))
        ordinary = "J" not in kinds and strength(card, led, trump) > strength(holder, led, trump)
        if ordinary or kinds in {("J", "J"), ("J", "7"), ("x", "J")}:
            holder = card
    return holder


def columns(
    rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any], before: Sequence[Sequence[int]] = ((0, 0, 0),) * 3
) -> list[list[list[int]]]:
    """[game, vist, failures] of each player after each deal.

    rows    declarer, call, suits (letters), tricks (by player)
    before  [game, vist, failures] of each player
    """
    table = [list(each) for each in before]
    found = []
    for row in rows:
        _enter(table, row, options)
        found.append([list(each) for each in table])
    return found


def _enter(table: list[list[int]], row: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    me, tricks = row["declarer"], row["tricks"]
    counted = row["suits"] or ["N"]
    points, attempt = 0, True
    if row["call"] == "pass":
        low = min(tricks)
        for player in range(3):
            table[player][1] -= (tricks[player] - low) * (PRICE_10["N"] + 20 * (8 - low))
        attempt = list(tricks) == [6, 6, 6]
        points = 120 if attempt else 0
    elif row["call"] == "misere":
        points = -300 if tricks[me] else 300
        for player in range(3):
            if player != me and options["misere_vist"] == "price":
                table[player][1] += 20 * tricks[player]
    else:
        bonuses = sum(MARRIAGE[suit] for suit in row["suits"])
        over = tricks[me] - 10
        if over >= 0:
            each = sum(PRICE_10[suit] + 20 * over for suit in counted)
            points = each + bonuses
        else:
            if options["fail_price"] == "last":
                counted = counted[-1:]
            each = sum(PRICE_10[suit] for suit in counted)
            points = over * each + (bonuses if options["marriage_on_fail"] == "kept" else 0)
        for player in range(3):
            if player != me:
                table[player][1] += tricks[player] * each
    if table[me][0] >= 1000:
        _pass_on(table, me, points, options)
    elif attempt:
        _own(table, me, points, options)
    if options["vist_floor"]:
        for player in range(3):
            table[player][1] = max(table[player][1], 0)


def _own(table: list[list[int]], me: int, points: int, options: Mapping[str, Any]) -> None:
    game, _, failures = table[me]
    total, hill = game + points, 880 <= game < 1000
    surplus = 0
    if total >= 1000:
        surplus = total - 1000 if options["overflow"] == "transfer" else 0
        table[me][0], table[me][2] = (total if options["overflow"] == "keep" else 1000), 0
    elif hill and (points >= 0 or options["hill_negative"] == "failure"):
        table[me][0], table[me][2] = (760, 0) if failures == 2 else (880, failures + 1)
    elif total >= 880:
        table[me][0], table[me][2] = 880, int(options["hill_first"] and not hill)
    else:
        table[me][0], table[me][2] = total, 0
    if surplus:
        _pass_on(table, me, surplus, options)


def _pass_on(table: list[list[int]], me: int, points: int, options: Mapping[str, Any]) -> None:
    if points == 0 or (points < 0 and options["laggard_negative"] == "none"):
        return
    behind = [player for player in ((me + 1) % 3, (me + 2) % 3) if table[player][0] < 1000]
    if not behind:
        return
    to = behind[0]
    if len(behind) == 2:
        one, two = behind
        ahead = [table[one][0], table[one][1]] > [table[two][0], table[two][1]]
        if options["laggard_tie"] == "next":
            ahead = table[one][0] > table[two][0]
        to = two if ahead else one
    game = table[to][0]
    total = game + points
    if points > 0 and total >= 1000 and options["laggard_cap"]:
        total = 1000
    elif points > 0 and 880 <= total < 1000 and options["hill_credit"] == "cut":
        total = 880
    table[to][0] = total
    if not 880 <= total < 1000:
        table[to][2] = 0
    table[me][1] += 10 * (total - game if options["laggard_cap"] else points)
