"""What is known about a sender's parcels when only his own cards are seen: an estimate, candidate by candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.entries import Runner
from tierce.solver.advice.estimate_results import By, Figure, figures, told_apart
from tierce.solver.advice.sender_choices import Parcels
from tierce.solver.cards import format_hand, seat_letters
from tierce.solver.games.exchange import Transfer

__all__ = ["REPLIES", "ExchangeEstimate", "ParcelsEntry", "ParcelsEstimate", "Reply"]

Json: TypeAlias = dict[str, Any]
Reply: TypeAlias = Literal["quick", "exact"]
REPLIES: Final[tuple[Reply, ...]] = ("quick", "exact")
_PLACES: Final = 4  # decimals in JSON
_SEATS: Final = seat_letters(3)


@dataclass(frozen=True, slots=True)
class ParcelsEstimate:
    """A sender's parcels after some worlds.

    sends     what is sent now, in order; nothing has come back
    tricks    of the sender's: his floor at the first card
    quota     chance that it makes his quota
    twelve    chance that it wins the match by tricks
    balance   the tricks against the quota
    worlds    so many; open: those of them in which the value is not settled
    stage     the stage of the race that the candidate reached, 0 for the first
    """

    sends: tuple[Transfer, ...]
    tricks: Figure
    quota: Figure
    twelve: Figure
    balance: float
    worlds: int
    open: int
    stage: int

    @property
    def parcels(self) -> Parcels:
        """The cards alone."""
        return tuple(each.sent for each in self.sends)

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"sends": _sends_json(self.sends)}
        out |= {name: _figure_json(getattr(self, name)) for name in ("tricks", "quota", "twelve")}
        out["worlds"] = self.worlds
        return out | ({"open": self.open} if self.open else {})


class ParcelsEntry(Runner[Parcels]):
    """Parcels in the race."""

    __slots__ = ()

    def told(self, owed: tuple[Transfer, ...]) -> ParcelsEstimate:
        """What the worlds done so far say. `owed`: whom the parcels are for."""
        spans = self.run()
        tricks, quota, twelve = figures(self.worth, spans, self.marks)
        assert twelve is not None
        return ParcelsEstimate(
            sends=tuple(
                Transfer(each.sender, each.receiver, each.count, cards)
                for each, cards in zip(owed, self.candidate, strict=True)
            ),
            tricks=tricks,
            quota=quota,
            twelve=twelve,
            balance=self.balance(tricks.value),
            worlds=len(spans),
            open=sum(low < high for low, high in spans),
            stage=self.stage,
        )


@dataclass(frozen=True, slots=True)
class ExchangeEstimate:
    """An estimate of a sender's decision from his own cards, over random worlds that fit what he knows.

    In each world the value is the sender's exact floor at the first card, or lies between proved ends; but averages
    over worlds take the play to see all cards, which nobody at the table does.

    sender    the seat; quota: tricks that he owes
    owed      the parcels that he has still to send; those after the first are not part of what is chosen where they are
              due only after something has come back
    reply     how the dealer was taken to choose: "quick", by a rule from his own cards alone, or "exact", his best with
              all cards seen (of equally good choices the first found)
    parcels   the best first: those that the race has kept, then those dropped, the last dropped first
    kept      how many of them the race has kept; of: how many candidates there were before the first stage
    ways      how many ways there are to choose the parcels, all cards counted
    seed      of the worlds; fit: how many worlds fit; worlds: how many the best was valued in
    by        mean, quota or twelve: what the order goes by (quota and twelve: then by the mean)
    margin    how far the best is ahead of the runner-up in the worlds that both have met, None where there is none
    chosen    what was asked about, or None; loss: how far the best is ahead of it, like `margin`
    win       tricks that win the match, where that is settled by tricks; else 12
    complete  were all worlds done that were asked for?
    nodes     starts of tricks searched for the values; millis: wall time; stop: 0, or why it ended early (STOP_*)
    """

    sender: int
    quota: int
    owed: tuple[Transfer, ...]
    reply: Reply
    parcels: tuple[ParcelsEstimate, ...]
    kept: int
    of: int
    ways: int
    seed: int
    fit: int
    worlds: int
    by: By
    margin: Figure | None
    chosen: ParcelsEstimate | None
    loss: Figure | None
    win: int
    complete: bool
    nodes: int
    millis: float
    stop: int

    @property
    def best(self) -> ParcelsEstimate | None:
        """The best so far; None before any world was done."""
        return self.parcels[0] if self.parcels else None

    @property
    def second(self) -> ParcelsEstimate | None:
        """The runner-up."""
        return self.parcels[1] if len(self.parcels) > 1 else None

    def apart(self, gap: Figure) -> bool:
        """Is a margin or a loss too large to be chance: two standard errors, over more than very few worlds?"""
        return told_apart(gap, self.worlds)

    def json(self, most: int | None = 10) -> Json:
        """As JSON values. `most`: parcels listed; None: all."""
        out: Json = {"kind": "estimate", "sender": _SEATS[self.sender]}
        out["owes"] = [{"to": _SEATS[each.receiver], "count": each.count} for each in self.owed]
        out["reply"] = self.reply
        out |= {"seed": self.seed, "worlds": self.worlds, "fit": self.fit, "by": self.by}
        out |= {"ways": self.ways, "of": self.of, "tried": len(self.parcels)}
        out["parcels"] = [
            each.json() | ({"dropped": True} if place >= self.kept else {})
            for place, each in enumerate(self.parcels[:most])
        ]
        out["best"] = None if self.best is None else self.best.json()
        out["margin"] = None if self.margin is None else _figure_json(self.margin)
        if self.chosen is not None:
            out["chosen"] = self.chosen.json()
        if self.loss is not None:
            out["loss"] = _figure_json(self.loss)
        out |= {"win": self.win, "complete": self.complete}
        return out | {"nodes": self.nodes, "millis": round(self.millis, 3)}


def _sends_json(sends: tuple[Transfer, ...]) -> list[Json]:
    """Parcels as JSON values."""
    return [{"to": _SEATS[each.receiver], "cards": format_hand(each.sent), "count": each.count} for each in sends]


def _figure_json(figure: Figure) -> Json:
    """`{"value": ..., "error": ...}`; the error is null where there is none."""
    error = None if figure.error is None else round(figure.error, _PLACES)
    return {"value": round(figure.value, _PLACES), "error": error}
