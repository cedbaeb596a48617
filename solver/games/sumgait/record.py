"""Records of Sumgait Driller: what was dealt, robbed, given, called and played, as values. `replay` asks the rules.

A `Record` is a match or a part of one, as `tierce.solver.games.Record` is of the other games: deals that follow one
another, all but the last finished. Fields that are None or empty are not recorded: the deal went no further, or nobody
announced anything (no robbery, a deal that is played). Of a deal whose cards nobody wrote down a row of the sheet is
enough: the call, the suits declared trump and the tricks.

Seats 0 declarer, 1 next player, 2 the other are those of the deal; players 0, 1, 2 stay the same for the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tierce.solver.errors import InputError
from tierce.solver.games.record import RecordError, check_name
from tierce.solver.games.sumgait.cards import Card, Mask
from tierce.solver.games.sumgait.deal import Dealt
from tierce.solver.games.sumgait.game import Sumgait
from tierce.solver.games.sumgait.match import Tallies, start
from tierce.solver.games.sumgait.state import Piles, State

__all__ = ["Context", "DealRecord", "Discrepancy", "Marriage", "Record", "Stated", "deal_of", "record_of"]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a record says of a deal's result, in part or in full, by player: tricks, and the columns Game and Vist
    after it."""

    tricks: tuple[int | None, ...] = (None, None, None)
    game: tuple[int | None, ...] = (None, None, None)
    vist: tuple[int | None, ...] = (None, None, None)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A result stated in the record that is not what the recount gives. `what`: tricks, game or vist; `deal`: 1 for the
    first of the record; `player`: 0 to 2, in print 1 to 3."""

    deal: int
    what: str
    player: int
    stated: int
    recounted: int

    def __str__(self) -> str:
        where = f"deal {self.deal}: {self.what} of player {self.player + 1}"
        return f"{where}: stated {self.stated}, recounted {self.recounted}"


@dataclass(frozen=True, slots=True)
class Marriage:
    """A suit declared trump with the lead of a trick (1 for the first); None where only the sheet is known."""

    suit: int
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, as far as it went.

    deal      the cards; None: only the row of the sheet is known
    declarer  the player; None: as the rules have it
    rob       the seat whose cards the declarer took, 0 for nobody's; None: not recorded
    given     the cards given, to the next player and to the other
    call      play, pass or misere; "" where nothing was announced
    piles     by seat all cards of the blind piles in their order, top first; None: as they are turned
    play      cards in the order played
    marriages   suits declared trump, in their order
    tricks    by player, of a deal whose cards are not known
    stated    the result as the record has it
    line      of the file, where lines are known
    """

    deal: Dealt | None = None
    declarer: int | None = None
    rob: int | None = None
    given: tuple[Mask, Mask] | None = None
    call: str = ""
    piles: Piles | None = None
    play: tuple[Card, ...] = ()
    marriages: tuple[Marriage, ...] = ()
    tricks: tuple[int, int, int] | None = None
    stated: Stated | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Context:
    """What the rules need to know when the record's first deal is not the first of its match.

    number    of the record's first deal in its match, 2 or more; declarer: its player
    tallies   Game, Vist and failures by player, before it
    robbers   players who have robbed, where that may be done once a match
    """

    number: int
    declarer: int
    tallies: Tallies
    robbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Record:
    """A match or a part of one. `players`: the names of players 0, 1, 2; `file` and `line` tell where it was read."""

    game: Sumgait
    deals: tuple[DealRecord, ...]
    context: Context | None = None
    players: tuple[str, str, str] | None = None
    file: str = field(default="<record>", compare=False)
    line: int | None = field(default=None, compare=False)

    def fault(self, error: InputError, deal: int | None = None, *, said: str = "") -> RecordError:
        """The error with its place in this record; `said` goes in front of the message."""
        line = self.line if deal is None or self.deals[deal].line is None else self.deals[deal].line
        return RecordError(
            error.code,
            said + error.message,
            field=error.field,
            file=self.file,
            line=line,
            deal=None if deal is None else deal + 1,
        )


# ---- from states -----------------------------------------------------------------------------------------------------


def record_of(states: State | Iterable[State], players: Sequence[str] | None = None) -> Record:
    """The record of a match so far: of the state given or, for several deals, of the states met, in their order.

    Of each deal its last state before the score is needed.
    """
    given = (states,) if isinstance(states, State) else tuple(states)
    if not given:
        raise InputError("states", "expected at least one state of a match, found none", field="states")
    names = tuple(map(check_name, players or ()))
    if names and len(names) != 3:
        raise InputError("players", f"expected three names, found {len(names)}", field="players")
    last: dict[int, State] = {}
    for state in given:
        if state.game != given[0].game:
            raise InputError("states", "expected states of one match, found another game's", field="states")
        if state.dealt is not None or state.phase == "SCORE":
            last[state.number] = state
    _check_numbers(list(last))
    deals = tuple(deal_of(state) for state in last.values())
    return Record(given[0].game, deals, _context(given[0]), (names[0], names[1], names[2]) if names else None)


def _check_numbers(numbers: list[int]) -> None:
    for before, after in pairwise(numbers):
        if after != before + 1:
            message = f"expected the deals of one match in their order, found deal {after} after deal {before}"
            raise InputError("states", message, field="states")


def _context(first: State) -> Context | None:
    if first.number == 1 and first.tallies == start():
        return None
    robbers = first.robbers - {first.declarer} if first.robbed is not None else first.robbers
    return Context(first.number, first.declarer, first.tallies, robbers)


def deal_of(state: State) -> DealRecord:
    """The record of the deal a state is in."""
    if state.dealt is None:
        first, second, third = (state.taken[(player - state.declarer) % 3] for player in range(3))
        marriages = tuple(map(Marriage, state.marriages))
        return DealRecord(declarer=state.declarer, call=state.call, marriages=marriages, tricks=(first, second, third))
    declared = [(trick.marriage, number) for number, trick in enumerate(state.tricks, 1)]
    declared.append((state.declared, len(state.tricks) + 1))
    steps = state.game.steps()
    return DealRecord(
        deal=state.dealt,
        declarer=state.declarer,
        rob=state.robbed or 0 if steps.index(state.phase) > steps.index("ROB") else None,
        given=(state.given[1], state.given[2]) if state.given[1] else None,
        call=state.call,
        piles=state.piles,
        play=(*(card for trick in state.tricks for card in trick.cards), *state.trick),
        marriages=tuple(Marriage(suit, number) for suit, number in declared if suit is not None),
    )
