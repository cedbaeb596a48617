"""`tierce exchange --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import Any

from tierce.cli.commands.exchange import search_of
from tierce.cli.exchange_asking import Asked, exchanging, of_text, refuse_number, three
from tierce.cli.feed import answer_lines
from tierce.cli.games import profile_of
from tierce.cli.options import refuse
from tierce.solver.advice.values import TRICKS_MAX
from tierce.solver.asking import Json
from tierce.solver.batch.fields import Fields, check_fields, error_json, fields_of, ident_of
from tierce.solver.cards import parse_seat
from tierce.solver.checks import is_number, is_whole
from tierce.solver.errors import InputError
from tierce.solver.games.profile import Profile

_TEXT = ("deal", "chosen", "first_over")
_KNOWN = ("chosen", "deal", "first_over", "id", "previous", "quotas", "target")


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    refuse(("chosen", "sender", "previous_record"), "does not go with --batch")
    refuse(("all", "out"), "does not go with --batch")
    refuse_number(given)
    profile = exchanging(profile_of(given["game"], given["game_file"], given["options"]))
    return answer_lines(given["batch"], lambda text, number: _answer(text, number, profile, given))


def _answer(text: str, line: int, profile: Profile, given: dict[str, Any]) -> tuple[Json, bool]:
    """The answer to a line, or what is wrong with it; and whether a limit stopped its search."""
    ident: Any = line
    try:
        fields = fields_of(text)
        ident = ident_of(fields, line)
        said = _asked(fields, given)
        over = said["first_over"]
        state = of_text(
            profile,
            said["deal"],
            _three(said["previous"], "previous"),
            None if said["quotas"] is None else _three(said["quotas"], "quotas"),
            None if over is None else parse_seat(over, 3, field="first_over"),
        )
        wanted = {"chosen": said["chosen"], "target": said["target"]}
        advice = search_of(Asked(state), given | wanted).run()
    except InputError as error:
        return error_json(ident, error.located(line=line)), False
    return {"id": ident} | advice.json(None if given["all_parcels"] else given["top"]), bool(advice.stop)


def _asked(fields: Fields, given: dict[str, Any]) -> dict[str, Any]:
    """The fields, each of its type; what a line leaves out is as typed."""
    check_fields(fields, _KNOWN)
    usual = {"quotas": given["previous_quota"], "chosen": None}
    usual |= {name: given[name] for name in ("previous", "first_over", "target")}
    asked = usual | {name: value for name, value in fields.items() if value is not None}
    for name in ("deal", "previous"):
        if asked.get(name) is None:
            raise InputError("missing", f"expected a field {name!r}, found none", field=name)
    for name in _TEXT:
        if not isinstance(asked[name], str | None):
            raise InputError("type", f"expected text in {name!r}, found {asked[name]!r:.60}", field=name)
    target = asked["target"]
    if target is not None and not (is_number(target) and 0 <= target <= TRICKS_MAX):
        raise InputError("type", f"expected a number of tricks in 'target', found {target!r:.60}", field="target")
    return asked


def _three(found: Any, name: str) -> tuple[int, ...]:
    """Three numbers: as text, or as a list."""
    if isinstance(found, str):
        return three(found, name)
    if not (isinstance(found, list) and len(found) == 3 and all(map(is_whole, found))):
        message = f"expected three numbers in {name!r}, such as [10, 4, 2] or '10/4/2', found {found!r:.60}"
        raise InputError("type", message, field=name)
    return tuple(found)
