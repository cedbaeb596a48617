"""What `tierce dealer --hidden` is asked: a hand and its exchange, a deal or a record, as far as the dealer sees it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tierce.cli.dealer_asking import calls_of, chosen_parts, from_file, from_stdin, is_deal, same_game
from tierce.cli.games import profile_of
from tierce.cli.options import SECONDS_MAX, refuse
from tierce.cli.parcels import cards_by_seat
from tierce.cli.values import Number, judged
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.views import Exchanged, dealer_view
from tierce.solver.advice.worlds import PHASES
from tierce.solver.cards import Mask, bit, parse_hand, parse_seat
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games.phases import TWO
from tierce.solver.games.view import View, view

if TYPE_CHECKING:
    from tierce.solver.games import Profile, Record, ReplayedDeal, State

F = TypeVar("F", bound=Callable[..., Any])

SECONDS: Final = 10.0
WORLDS_MAX: Final = 1_000_000
SEED_MAX: Final = (1 << 63) - 1

_HAND: Final = re.compile(r"[^.:/{\[]*(\.[^.:/]*){3}(/.*)?")
_OTHERS: Final = re.compile(r"\s*([EeMm])\s*:\s*([0-9]{1,2})\s*")
_PARCELS: Final = ("sent", "got", "received", "returned")


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision as the dealer sees it.

    calls    those open, where the view does not tell; (): all
    chosen   what was chosen, typed or recorded
    place    where it is from, in words
    deal     was a whole deal given, of which only the dealer's hand is looked at?
    """

    view: View
    calls: tuple[str, ...] = ()
    chosen: Candidate | None = None
    place: str = ""
    deal: bool = False


# ---- options ---------------------------------------------------------------------------------------------------------


def hidden_options(command: F) -> F:
    """The options of --hidden."""
    for add in reversed(
        [
            click.option("--hidden", is_flag=True, help="Estimate from what the dealer knows: only his own cards."),
            click.option(
                "--seconds",
                type=Number(float, 1e-3, SECONDS_MAX),
                metavar="S",
                help=f"With --hidden: for so long (default {SECONDS:g}).",
            ),
            click.option(
                "--worlds", type=Number(int, 1, WORLDS_MAX), metavar="N", help="With --hidden: so many random worlds."
            ),
            click.option("--seed", type=Number(int, 0, SEED_MAX), metavar="N", help="With --hidden: which ones (1)."),
            click.option(
                "--by",
                type=click.Choice(["mean", "quota", "twelve"]),
                help="With --hidden: best by mean tricks (default), or by a chance.",
            ),
            click.option(
                "--sent",
                callback=judged(parcels_of),
                metavar="PARCELS",
                help="With --hidden: what the dealer sent, 'E:H7 M:C2 C3'.",
            ),
            click.option("--got", callback=judged(parcels_of), metavar="PARCELS", help="What came back to him."),
            click.option("--received", callback=judged(parcels_of), metavar="PARCELS", help="What he was sent."),
            click.option("--returned", callback=judged(parcels_of), metavar="PARCELS", help="What he gave back."),
            click.option(
                "--others",
                callback=judged(others_of),
                metavar="SEAT:N",
                help="That this seat sent the third N cards, 'E:2'.",
            ),
            click.option(
                "--first-over",
                callback=judged(lambda text: parse_seat(text, 3)),
                metavar="SEAT",
                help="Who was first over his quota before, where two are up and that settles who sends first.",
            ),
        ]
    ):
        command = add(command)
    return command


HIDDEN_ALONE: Final = ("seconds", "worlds", "seed", "by", *_PARCELS, "others", "first_over")
KNOWN_ALONE: Final = ("kind", "target", "one", "all", "out", "all_discards", "batch", "timeout")


def check_options(given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    if not given["hidden"]:
        refuse(HIDDEN_ALONE, "goes with --hidden")
        return
    context = click.get_current_context()
    names = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    for name in KNOWN_ALONE:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{names[name]} does not go with --hidden")
    if given["seconds"] is not None and given["worlds"] is not None:
        raise click.UsageError("expected --seconds or --worlds, found both")
    for one, other in (("sent", "got"), ("received", "returned")):
        if (given[one] is None) != (given[other] is None):
            found = one if given[other] is None else other
            raise click.UsageError(f"--{one} and --{other} go together, found --{found} alone")


# ---- what was typed --------------------------------------------------------------------------------------------------


def parcels_of(text: str) -> dict[int, Mask]:
    """Cards by seat (1 eldest, 2 middle): `E:H7 M:C2 C3`. InputError (field "exchange")."""
    return cards_by_seat(text, "EM")


def others_of(text: str) -> tuple[int, int]:
    """A seat and a number of cards: `E:2`. InputError (field "others")."""
    match = _OTHERS.fullmatch(text)
    if not match or not int(match[2]):
        message = f"expected a seat E or M and a number of cards, such as 'E:2', found {shown(text)}"
        raise InputError("others", message, field="others")
    return "EM".index(match[1].upper()) + 1, int(match[2])


def _exchanged(given: dict[str, Any]) -> list[Exchanged]:
    """The dealer's exchanges. UsageError for a seat that only one option names."""
    parcels = {name: parcels_of(given[name]) if given[name] is not None else {} for name in _PARCELS}
    for one, other in (("sent", "got"), ("received", "returned")):
        if parcels[one].keys() != parcels[other].keys():
            raise click.UsageError(f"expected --{one} and --{other} to name the same seats, found others")
    if both := parcels["sent"].keys() & parcels["received"].keys():
        raise click.UsageError(f"expected --sent or --received for {'-EM'[min(both)]}, found both")
    seats = sorted(parcels["sent"].keys() | parcels["received"].keys())
    return [Exchanged(seat, **{name: parcels[name].get(seat, 0) for name in _PARCELS}) for seat in seats]


@contextmanager
def as_typed(given: dict[str, Any]) -> Iterator[None]:
    """Errors of input name the option that is to be changed."""
    try:
        yield
    except InputError as error:
        field = _option(error.field, given)
        raise error if field is None else error.located(field=field) from None


def _option(field: str | None, given: dict[str, Any]) -> str | None:
    """What was typed that a field of the library's is about; None: it is called the same."""
    if field in ("call", "choice"):
        return "calls"
    if field == "up_card":
        return "hand"
    if field in ("exchange", "view"):
        names = ("sent", "received", "others") if field == "exchange" else ("got", "returned", "others")
        return next((name for name in names if given[name] is not None), "deal")
    return None


def asked(given: dict[str, Any]) -> Asked:
    """What was asked. InputError for a hand, deal or record at fault."""
    text = given["deal"]
    source: str | tuple[Record, ...]
    if text == "-":
        source = from_stdin()
    elif os.path.exists(text):
        source = from_file(text)
    else:
        source = text
    if not isinstance(source, str):
        return _of_records(source, given)
    if given["number"] is not None:
        raise click.UsageError("--deal goes with a record's file")
    profile = profile_of(given["game"], given["game_file"], given["options"])
    if _HAND.fullmatch(source.strip()):
        return _of_hand(profile, source, given)
    if ":" not in source or not is_deal(source):
        expected = "a hand such as 'KQ2.KQT984.2.AKQ753', a deal or a record's file"
        raise InputError("hand", f"expected {expected}, found {shown(source)}", field="hand")
    return _of_deal(profile, source, given)


def _of_hand(profile: Profile, text: str, given: dict[str, Any]) -> Asked:
    """A hand, and behind a slash the card that lies face up."""
    hand, slash, up = text.partition("/")
    up_card = parse_hand(up.strip(), field="up_card") if slash else 0
    return _of_cards(profile, parse_hand(hand.strip(), field="hand"), up_card, given)


def _of_deal(profile: Profile, text: str, given: dict[str, Any]) -> Asked:
    """A whole deal: the dealer's hand, and the card that lies face up; nothing else is looked at."""
    deal = Deal.parse(text)
    if len(deal.hands) != 3:
        raise InputError("deal", f"expected three hands, found {len(deal.hands)}", field="deal")
    return _of_cards(profile, deal.hands[0], deal.kitty if "SWAP" in profile.phases else 0, given, deal=True)


def _of_cards(profile: Profile, hand: Mask, up_card: Mask, given: dict[str, Any], *, deal: bool = False) -> Asked:
    calls, named = _calls(profile, given["calls"])
    others = None if given["others"] is None else others_of(given["others"])
    first = None if given["first_over"] is None else parse_seat(given["first_over"], 3)
    if first is not None and profile.option("two_up_order") != "first_over":
        raise click.UsageError("--first-over goes with a game of the option two_up_order=first_over")
    exchanged = _exchanged(given)
    seen = dealer_view(profile, hand, exchanged, others=others, first_over=first, up_card=up_card, call=named)
    return Asked(seen, calls, _typed(seen, given["chosen"], calls), deal=deal)


def _calls(profile: Profile, text: str | None) -> tuple[tuple[str, ...], str]:
    """The calls still open, and the one that is named."""
    if text is None:
        return (), ""
    calls = calls_of(text)
    if profile.calls:
        return calls, ""
    if len(calls) > 1:
        raise click.UsageError("expected one trump, the one that is named, in a game without calls")
    return (), calls[0]


def _typed(seen: View, text: str | None, calls: tuple[str, ...]) -> Candidate | None:
    """The choice that was typed. InputError (field "chosen") for one that is not open."""
    if text is None:
        return None
    call, rest = chosen_parts(text)
    choice = Choice(swap=rest) if isinstance(rest, bool) else Choice(rest or 0)
    try:
        Outlook(seen, calls).check(Candidate(call, choice))
    except InputError as error:
        raise error.located(field="chosen") if error.code == "choice" else error from None
    return Candidate(call, choice)


# ---- records ---------------------------------------------------------------------------------------------------------


def _of_records(records: tuple[Record, ...], given: dict[str, Any]) -> Asked:
    """The dealer's first decision in a deal, and what was chosen there; of several deals the last unless told."""
    from tierce.solver.games import replay

    refuse((*_PARCELS, "others", "first_over", "calls"), "does not go with a record, which says what was seen")
    if given["game_file"] is not None or given["options"]:
        name = "--option" if given["options"] else "--game-file"
        raise click.UsageError(f"{name} does not go with a record, which says what is played")
    same_game(records, given["game"])
    number, file = given["number"], records[0].file
    deals = [deal for record in records for deal in replay(record).deals]
    numbers = [deal.number for deal in deals] if len(records) == 1 else list(range(1, len(deals) + 1))
    if number is not None and number not in numbers:
        found = f"{min(numbers)} to {max(numbers)}" if numbers else "none"
        raise InputError("deal", f"expected deal {number}, found the deals {found}", file=file)
    for place, deal in reversed(list(zip(numbers, deals, strict=True))):
        if number in (None, place) and (found_ := _decision(deal, f"{file}, deal {place}", given)):
            return found_
    where = "a deal" if number is None else f"deal {number}"
    raise InputError("not_due", f"expected {where} to come to a decision of the dealer's, found none", file=file)


def _decision(deal: ReplayedDeal, place: str, given: dict[str, Any]) -> Asked | None:
    for state in _states(deal):
        if state.phase not in PHASES or (state.phase == "SWAP" and not state.hands[0] & bit(TWO)):
            continue
        seen = view(state, 0)
        calls = tuple(call for call in state.profile.calls if call not in state.used[state.dealer])
        calls = () if state.call else calls
        try:
            outlook = Outlook(seen, calls)
        except InputError as error:
            if error.code != "not_due":
                raise
            continue
        chosen = _typed(seen, given["chosen"], calls) if given["chosen"] is not None else _made(outlook, deal.state)
        return Asked(seen, calls, chosen, place)
    return None


def _states(deal: ReplayedDeal) -> Iterator[State]:
    yield from (state for _, state in deal.steps())
    if not deal.passed_out:
        yield deal.state


def _made(outlook: Outlook, end: State) -> Candidate | None:
    """What was chosen, if the record goes as far."""
    discard = end.discard if outlook.pool else 0
    swap = end.swapped if outlook.swaps else None
    if not end.call or (outlook.pool and not discard) or (outlook.swaps and swap is None):
        return None
    return Candidate(end.call, Choice(discard, swap))
