"""Deals of other people's files, bridge above all, as deals of a four-hand game: PBN and LIN, of the deal alone."""

from __future__ import annotations

from pathlib import Path

from tierce.solver.errors import InputError
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import Record, RecordError
from tierce.solver.games.record_files import read_records
from tierce.solver.games.record_lin import looks_like_lin, records_of_lin
from tierce.solver.games.record_pbn import records_of_pbn

__all__ = ["read_deals"]

_BLANKS = b"\xef\xbb\xbf \t\r\n"


def read_deals(source: str | bytes | Path, game: Profile, name: str | None = None) -> tuple[Record, ...]:
    """The deals of a PBN or LIN file (a Path) or of its contents as records of a four-hand game, nothing bid yet.

    A game in a PBN file that names one of the package's is read as the record that it is; so is JSON. Where no tag
    tells the card turned up, it is drawn by lot (`turned_by_lot`). RecordError (an InputError) with the place; OSError.
    """
    if game.seats != 4:
        raise InputError("game", f"expected a game of four hands, found {game.id} with {game.seats}", field="game")
    if isinstance(source, Path):
        name = str(source) if name is None else name
        source = source.read_bytes()
    name = "<record>" if name is None else name
    data = source.encode() if isinstance(source, str) else source
    start = data.lstrip(_BLANKS)[:1]
    if looks_like_lin(data.decode("latin-1")):
        records = records_of_lin(data.decode("utf-8", "replace"), name, game)
        if not records:
            raise RecordError("missing", "expected a deal, md|...|, found none", field="deal", file=name)
        return tuple(records)
    if start == b"{" and data.lstrip(_BLANKS)[1:].lstrip()[:1] in (b'"', b"}"):
        return read_records(source, name)
    return tuple(records_of_pbn(source, name, game))
