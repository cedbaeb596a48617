"""Reader of `tests/data/pbn/dds-list100.txt`: deals with tables, values of all leads and after every card.

Per deal, numbers as DDS has them (seats N E S W = 0 to 3, strains S H D C NT = 0 to 4, ranks 2 to 14):

    PBN dealer vul trump first "deal"
    FUT count suits ranks equals scores     the leads of `first`; `equals` has bit r set where the lower
                                            touching card of rank r scores the same; scores are tricks
                                            of the leader's side
    TABLE 20 numbers                        tricks, strain S H D C NT x declarer N E S W
    PLAY count "cards"                      cards in playing order
    TRACE count numbers                     tricks of the declarer's side (right of `first`) before the
                                            first card, after it ...; the last trick may be missing
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tierce.solver.cards import SEATS4, STRAIN_LETTERS, Card, card, parse_cards
from tierce.solver.deal import Deal

LIST100 = Path(__file__).parents[1] / "data" / "pbn" / "dds-list100.txt"


@dataclass(frozen=True, slots=True)
class DdsDeal:
    """One deal of the list, in our numbers (cards, suits, seats)."""

    deal: Deal
    dealer: int
    trump: int
    first: int  # seat of the opening leader
    fut: dict[Card, int]  # every card of the leader -> tricks of the leader's side
    table: dict[str, dict[str, int]]  # strain S H D C N -> declarer N E S W -> tricks
    play: tuple[Card, ...]
    trace: tuple[int, ...]

    @property
    def declarer(self) -> int:
        """The seat right of the opening leader."""
        return (self.first + 3) % 4


def read_dds_list(path: Path = LIST100) -> list[DdsDeal]:
    """Return all deals of a list; the count in its first line is checked."""
    lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
    word, count = lines[0].split()
    assert word == "NUMBER"
    starts = [i for i, line in enumerate(lines) if line.startswith("PBN ")]
    ends = [*starts[1:], len(lines)]
    deals = [_read_deal(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    assert len(deals) == int(count), f"expected {count} deals, found {len(deals)}"
    return deals


def _read_deal(lines: list[str]) -> DdsDeal:
    parts = {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
    numbers, text, _ = parts["PBN"].split('"')
    dealer, _, trump, first = map(int, numbers.split())
    count, played, _ = parts["PLAY"].split('"')
    play = parse_cards(played)
    assert len(play) == int(count)
    return DdsDeal(
        deal=Deal.parse(text),
        dealer=dealer,
        trump=trump,
        first=first,
        fut=_read_fut(parts["FUT"]),
        table=_read_table(parts["TABLE"]),
        play=play,
        trace=_counted(parts["TRACE"]),
    )


def _counted(text: str) -> tuple[int, ...]:
    count, *numbers = map(int, text.split())
    assert len(numbers) == count
    return tuple(numbers)


def _read_fut(text: str) -> dict[Card, int]:
    count, *numbers = map(int, text.split())
    assert len(numbers) == 4 * count
    suits, ranks, equals, scores = (numbers[i * count : (i + 1) * count] for i in range(4))
    fut: dict[Card, int] = {}
    for suit, rank, equal, score in zip(suits, ranks, equals, scores, strict=True):
        for each in (rank, *(r for r in range(2, 15) if equal >> r & 1)):
            assert card(suit, each - 2) not in fut
            fut[card(suit, each - 2)] = score
    return fut


def _read_table(text: str) -> dict[str, dict[str, int]]:
    numbers = list(map(int, text.split()))
    assert len(numbers) == 20
    return {
        strain: dict(zip(SEATS4, numbers[4 * i : 4 * i + 4], strict=True)) for i, strain in enumerate(STRAIN_LETTERS)
    }
