"""`tierce dealer --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import Any

from tierce.cli.commands.dealer import refuse_number, search_of, typed_calls
from tierce.cli.dealer_asking import calls_of, of_text
from tierce.cli.feed import answer_lines
from tierce.cli.games import profile_of
from tierce.cli.options import refuse
from tierce.solver.advice.values import TRICKS_MAX
from tierce.solver.asking import Json
from tierce.solver.batch.fields import Fields, check_fields, error_json, fields_of, ident_of
from tierce.solver.checks import is_number
from tierce.solver.errors import InputError
from tierce.solver.games.profile import Profile

_TEXT = ("deal", "chosen", "calls")
_KNOWN = ("calls", "chosen", "deal", "id", "target")


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    refuse(("chosen",), "does not go with --batch: each line says its own")
    refuse(("all", "out"), "does not go with --batch")
    refuse_number(given)
    profile = profile_of(given["game"], given["game_file"], given["options"])
    calls = () if given["calls"] is None else typed_calls(given["calls"])
    return answer_lines(given["batch"], lambda text, number: _answer(text, number, profile, calls, given))


def _answer(text: str, line: int, profile: Profile, calls: tuple[str, ...], given: dict[str, Any]) -> tuple[Json, bool]:
    """The answer to a line, or what is wrong with it; and whether a limit stopped its search."""
    ident: Any = line
    try:
        fields = fields_of(text)
        ident = ident_of(fields, line)
        asked = _asked(fields)
        if "calls" in asked:
            calls = calls_of(asked["calls"])
        decision = of_text(profile, asked["deal"], calls)
        wanted = {"chosen": asked.get("chosen"), "target": asked.get("target", given["target"])}
        advice = search_of(decision, given | wanted).run()
    except InputError as error:
        return error_json(ident, error.located(line=line)), False
    return {"id": ident} | advice.json(None if given["all_discards"] else given["top"]), bool(advice.stop)


def _asked(fields: Fields) -> dict[str, Any]:
    """The fields that say something, each of its type."""
    check_fields(fields, _KNOWN)
    asked = {name: value for name, value in fields.items() if value is not None}
    if "deal" not in asked:
        raise InputError("missing", "expected a field 'deal', found none", field="deal")
    for name in _TEXT:
        if not isinstance(asked.get(name, ""), str):
            raise InputError("type", f"expected text in {name!r}, found {asked[name]!r:.60}", field=name)
    target = asked.get("target", 0)
    if not is_number(target) or not 0 <= target <= TRICKS_MAX:
        raise InputError("type", f"expected a number of tricks in 'target', found {target!r:.60}", field="target")
    return asked
