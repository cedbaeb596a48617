"""Solo Whist stated once more, in plain words and by another way than the package's: the auction as a conversation,
tricks and units by counting. Cards are names, seats letters, bids words; shared code: none."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

SEATS: Final = "NESW"
RANKS: Final = "23456789TJQKA"
SINGLES: Final = ("solo", "misere", "abundance", "abundance_in_trumps", "misere_ouverte", "abundance_declared")
LADDER: Final = (None, "prop", "prop_cop", *SINGLES)
UNITS: Final = {
    "prop_cop": 1, "solo": 1, "misere": 2, "abundance": 3, "abundance_in_trumps": 3, "misere_ouverte": 4,
    "abundance_declared": 6,
}  # fmt: skip


@dataclass(frozen=True)
class Rules:
    self_raise: bool = False
    ait_open: bool = False
    prop_raise: bool = True


def conversation(dealer: str, rules: Rules) -> Generator[tuple[str, set[str]], str, tuple[str, str] | None]:
    """Who speaks and what he may say; send what he says. Returns the contract and its declarers, None: a void deal."""
    at = SEATS.index(dealer) + 1
    eldest = SEATS[at % 4]
    ring = deque(SEATS[(at + i) % 4] for i in range(4))  # who has not passed, the next to speak first
    stands: str | None = None
    owners = ""
    eldest_passed_at_once = False

    def above(name: str) -> bool:
        over_abundance = name != "abundance_in_trumps" or stands == "abundance" or rules.ait_open
        return over_abundance and LADDER.index(name) > LADDER.index(stands)

    while True:
        speakers = [seat for seat in ring if seat not in owners or (rules.self_raise and stands == "prop_cop")]
        if not speakers:
            if stands != "prop":
                break
            if eldest_passed_at_once:
                eldest_passed_at_once = False
                if (yield eldest, {"pass", "cop"}) == "cop":
                    stands, owners = "prop_cop", owners + eldest
                continue
            if not rules.prop_raise:
                return None
            word = yield owners, {"pass", *filter(above, SINGLES)}
            if word == "pass":
                return None
            stands = word
            continue
        while ring[0] not in speakers:
            ring.rotate(-1)
        seat = ring[0]
        allowed = {"pass", *filter(above, SINGLES)}
        allowed |= {"prop"} if stands is None else {"cop"} if stands == "prop" else set()
        word = yield seat, allowed
        if word == "pass":
            ring.popleft()
            eldest_passed_at_once |= seat == eldest and stands is None
            continue
        ring.rotate(-1)
        if word == "cop":
            stands, owners = "prop_cop", owners + seat
        else:
            stands, owners = word, seat
    return None if stands is None else (stands, owners)


def winner(leader: str, cards: Sequence[str], trump: str) -> str:
    """Who wins a trick; `trump` is a suit's letter or N."""
    led = cards[0][0]
    best = max(range(4), key=lambda i: (cards[i][0] == trump, cards[i][0] == led, RANKS.index(cards[i][1])))
    return SEATS[(SEATS.index(leader) + best) % 4]


def counted(leader: str, tricks: Sequence[Sequence[str]], trump: str) -> dict[str, int]:
    """Tricks by seat of a hand that was played."""
    taken = dict.fromkeys(SEATS, 0)
    for cards in tricks:
        leader = winner(leader, cards, trump)
        taken[leader] += 1
    return taken


def units(name: str, declarers: str, taken: dict[str, int]) -> dict[str, int]:
    """What each wins or loses: every defender pays or gets the units, the declarers share."""
    won = sum(taken[seat] for seat in declarers)
    if name in ("misere", "misere_ouverte"):
        made = won == 0
    else:
        made = won >= {"prop_cop": 8, "solo": 5, "abundance_declared": 13}.get(name, 9)
    each = UNITS[name] if made else -UNITS[name]
    gain = each if len(declarers) == 2 else 3 * each
    return {seat: gain if seat in declarers else -each for seat in SEATS}
