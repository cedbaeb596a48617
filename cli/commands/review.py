"""`tierce review`: what a played hand cost."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from tierce.cli.commands.convert import any_records_in
from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, interruptible, tell
from tierce.cli.options import SECONDS_MAX, json_option, refuse, table_option, threads_of
from tierce.cli.out import check_page, write_page
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.replay_deals import none_played, unplayed
from tierce.cli.values import FileName, Number
from tierce.solver.advice.fair import FAIR_WORLDS, WORLDS_MAX
from tierce.solver.advice.race import DEFAULT_SEED
from tierce.solver.advice.review import SECONDS
from tierce.solver.batch.many import SHARES
from tierce.solver.errors import Cancelled, InputError, LimitReached

if TYPE_CHECKING:
    from tierce.service.client import Client
    from tierce.solver.advice.contract_review import AnyReview
    from tierce.solver.advice.fair_decisions import Fair
    from tierce.solver.batch.reviews import Hand
    from tierce.solver.games.profile import Profile
    from tierce.solver.games.record import Record
    from tierce.solver.games.replay import ReplayedDeal
    from tierce.solver.games.state import State

Found: TypeAlias = "AnyReview | _Begun | InputError | LimitReached"
Counted: TypeAlias = "AnyReview | InputError | LimitReached | Cancelled"
Figures: TypeAlias = tuple[dict[str, Any], Callable[[], None], Callable[[], str]]
"""As JSON; what prints them; what makes their page."""

SEED_MAX = (1 << 63) - 1

_HELP = """\b
What a hand that was played cost, and whom: every card and every decision
before them, against the best there was, all cards seen.

\b
  tierce review hand.json --seconds 2    the terminal report
  tierce review hand.json --deal 1 --seconds 0 --html hand.html
  tierce review hand.json --seconds 0 --summary    many hands, per player

\b
A floor is what a seat is sure of against both others. Its own cards can only
lower it (lost), the others' only raise it (gifts):
  tricks = start - lost + gifts (+ the kitty, + what a claim brought)
In MIZ the guarantee is the most a seat can be made to take, and
  tricks = start + lost - gifts

\b
The decisions before the play (parcels, trump, discard, swap) stand beside
that: what the best choice was worth less what the chosen one was. They take
the time there is: --seconds a hand; --deep to the end, --seconds 0 the cards
alone. What was not reached is told as such, or from-to.

\b
All that is hindsight. --fair holds every choice against what its player could
know: against the best mean over random worlds that fit his view. It takes as
long again (--seconds 0: the cards alone); what was not reached is told.

\b
In Solo Whist every card is held against the contract: tricks of its side, and
where it turned from made to beaten or back. Every call of the auction is held
against what could be made in the deal, in units; a series ends in totals.
There is no --fair there: 'tierce hint' says what a player could know.

\b
In sumgait every card is judged twice: in hindsight, both piles known, and by
what the declarer could know, an estimate of 400 orders, of --worlds with
--fair, or of --seconds a deal (0: hindsight alone). Robberies are not judged.

\b
FILE is a record as JSON, JSON lines or PBN; - is stdin. --json prints an
object a hand, with --summary one for all.
"""


@click.command("review", help=_HELP, short_help="What a played hand cost.")
@click.argument("file", type=FileName())
@click.option("--deal", "number", type=Number(int, 1), metavar="N", help="This deal alone (default: all).")
@click.option(
    "--seconds", type=Number(float, 0, SECONDS_MAX), metavar="S", help=f"Time for a hand (default {SECONDS:g})."
)
@click.option("--deep", is_flag=True, help="Judge every decision to the end, whatever it takes.")
@click.option("--html", type=FileName(), metavar="FILE", help="Write a page: a .html file.")
@click.option("--summary", is_flag=True, help="Figures per player and seat in place of the hands.")
@click.option("--fair", is_flag=True, help="Judge by what was known, too: an estimate. Not in Solo Whist.")
@click.option(
    "--worlds",
    type=Number(int, 1, WORLDS_MAX),
    metavar="N",
    help=f"With --fair: worlds a choice (default {FAIR_WORLDS}).",
)
@click.option("--seed", type=Number(int, 0, SEED_MAX), metavar="N", help="With --fair: which ones (1).")
@click.option("--threads", type=Number(int, 1), metavar="N", help=f"Threads (default: all cores; {SHARES} at most).")
@table_option
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    from tierce.solver.games.record import Record

    if given["deep"] and given["seconds"] is not None:
        raise click.UsageError("expected --seconds or --deep, found both")
    if given["fair"] and given["summary"]:
        raise click.UsageError("--fair does not go with --summary")
    if not given["fair"]:
        refuse(("worlds", "seed"), "goes with --fair")
    refuse_at_server("table_mb", "threads")
    if given["html"] is not None:
        check_page(given["html"])
    found = any_records_in(given["file"])
    records = [each for each in found if isinstance(each, Record)]
    if len(records) < len(found):
        from tierce.cli import review_sumgait

        return review_sumgait.reviews(found, given)
    hands = _Hands(records, given["number"])
    hands.check(given)
    if given["summary"]:
        return _summary(hands, given)
    return _reports(hands, given)


@dataclass(frozen=True, slots=True)
class _Begun:
    """What is known of a hand whose review was interrupted. The KeyboardInterrupt is still to come."""

    review: AnyReview


class _Hands:
    """The deals of a file's records, in their order: those that came to their first lead, with the numbers by which
    they are called (of several records, they are counted through); and those that were not played, with where they end.
    """

    def __init__(self, records: Sequence[Record], number: int | None) -> None:
        from tierce.solver.games import replay

        self._file = records[0].file if records else None
        self.played: list[Hand] = []
        self.numbers: list[int] = []
        self.left: list[tuple[int, State]] = []
        every: list[int] = []
        for record in records:
            for deal in replay(record).deals:
                every.append(deal.number if len(records) == 1 else len(every) + 1)
                if number in (None, every[-1]) and not deal.passed_out:
                    self._add((deal, record.players), every[-1])
        if number is not None and number not in every:
            told = f"{min(every)} to {max(every)}" if every else "none"
            raise InputError("deal", f"expected deal {number}, found the deals {told}", file=self._file)
        if not self.played:
            raise InputError("not_due", none_played(self.left), file=self._file)

    @property
    def contracts(self) -> bool:
        """Are they of games of contracts?"""
        return self.played[0][0].state.profile.contracts

    def check(self, given: dict[str, Any]) -> None:
        """Refuse what goes with hands of three alone, and a page or figures of hands that have no common ones."""
        profiles = [deal.state.profile for deal, _ in self.played]
        if given["fair"]:
            self._check_fair(profiles)
        if (given["html"] is not None or given["summary"]) and len({each.contracts for each in profiles}) > 1:
            found = ", ".join(dict.fromkeys(each.id for each in profiles))
            message = f"expected hands with contracts or without for {'--html' if given['html'] else '--summary'}"
            raise InputError("game", f"{message}, found {found}")

    def _check_fair(self, profiles: Sequence[Profile]) -> None:
        """Refuse estimates for games of four hands, which have none."""
        for number, profile in zip(self.numbers, profiles, strict=True):
            if profile.seats != 3:
                found = f"{profile.id} with {profile.seats} in deal {number}; leave --fair out"
                message = f"expected a game of three hands for --fair, found {found}"
                raise InputError("game", message, file=self._file)

    def _add(self, hand: Hand, number: int) -> None:
        state = hand[0].state
        if state.phase in ("PLAY", "SCORE") or state.tricks:
            self.played.append(hand)
            self.numbers.append(number)
        else:
            self.left.append((number, state))


def _seconds(given: dict[str, Any]) -> float | None:
    if given["deep"]:
        return None
    return SECONDS if given["seconds"] is None else float(given["seconds"])


def _found(hands: Sequence[Hand], given: dict[str, Any], bar: Gauge | None) -> Iterator[Found]:
    """The reviews. One hand has all threads; of several each has one."""
    seconds, every = _seconds(given), given["html"] is not None and not given["summary"]
    if (client := remote()) is not None:
        yield from (_from_server(client, hand, seconds, every=every) for hand in hands)
    elif len(hands) > 1:
        yield from _several(hands, given, bar, seconds, every=every)
    else:
        yield from _one(hands[0], given, bar, seconds, every=every)


def _one(
    hand: Hand, given: dict[str, Any], bar: Gauge | None, seconds: float | None, *, every: bool
) -> Iterator[Found]:
    from tierce.solver.advice.contract_review import review_search
    from tierce.solver.advice.dealer import THREADS_MAX

    threads = min(THREADS_MAX, threads_of(given))
    search = review_search(*hand, seconds=seconds, every=every, threads=threads, table_mb=given["table_mb"])
    try:
        found = search.run(None if bar is None else lambda: bar.show(search.done, "judged"))
    except KeyboardInterrupt:
        if search.known is not None:
            yield _Begun(search.known)
        raise
    yield found


def _several(
    hands: Sequence[Hand], given: dict[str, Any], bar: Gauge | None, seconds: float | None, *, every: bool
) -> Iterator[Found]:
    from tierce.solver.batch.reviews import review_many

    done = 0

    def watch() -> None:
        if bar is not None:
            bar.show(done / len(hands), f"{done:,} of {len(hands):,} hands")

    threads, table_mb = threads_of(given), given["table_mb"]
    for found in review_many(hands, threads=threads, seconds=seconds, every=every, table_mb=table_mb, watch=watch):
        done += 1
        yield found


def _from_server(
    client: Client, hand: Hand, seconds: float | None, *, every: bool
) -> AnyReview | InputError | LimitReached:
    try:
        if hand[0].state.profile.contracts:
            return interruptible(lambda: client.contract_review(*hand, seconds=seconds))
        return interruptible(lambda: client.review(*hand, seconds=seconds, every=every))
    except (InputError, LimitReached) as error:
        return error


def _reports(hands: _Hands, given: dict[str, Any]) -> int:
    """Each hand is told as soon as it is known."""
    reviews: list[tuple[AnyReview, Fair | None]] = []
    code = OK
    for number, state in hands.left:
        tell(f"note: deal {number} did not come to its first lead; it is left out: it ends {unplayed(state)}")
    with gauge("review") as bar:
        for number, found in zip(hands.numbers, _found(hands.played, given, bar), strict=True):
            if bar is not None:
                bar.hide()
            if isinstance(found, Exception):
                code = max(code, _complain(number, found))
                continue
            if isinstance(found, _Begun):
                _tell(found.review, None, number, given, first=number == hands.numbers[0])
                continue
            fair = _report(found, number, given, first=number == hands.numbers[0])
            if given["html"] is not None or hands.contracts:
                reviews.append((found, fair))
            sys.stdout.flush()
    if not given["as_json"]:
        _show_series([found for found, _ in reviews])
    if given["html"] is not None and reviews:
        _write(given, _page(reviews))
    return code


def _show_series(reviews: Sequence[AnyReview]) -> None:
    """The matches of several deals of contracts."""
    from tierce.solver.advice.contract_review_results import ContractReview
    from tierce.solver.report.contract_summary import series_of

    for series in series_of(each for each in reviews if isinstance(each, ContractReview)):
        if len(series.deals) > 1:
            from tierce.cli import contract_review_text

            contract_review_text.show_series(series)


def _page(reviews: Sequence[tuple[AnyReview, Fair | None]]) -> str:
    """The page of hands of one kind."""
    from tierce.solver.advice.contract_review_results import ContractReview
    from tierce.solver.report.contract_page import contract_page
    from tierce.solver.report.review_page import review_page

    if contracts := [found for found, _ in reviews if isinstance(found, ContractReview)]:
        return contract_page(contracts)
    three = [(found, fair) for found, fair in reviews if not isinstance(found, ContractReview)]
    return review_page([found for found, _ in three], [fair for _, fair in three])


def _report(found: AnyReview, number: int, given: dict[str, Any], *, first: bool) -> Fair | None:
    """Tell a hand; its estimates. What is exact is told even if the estimates are interrupted."""
    try:
        fair = _fair(found.deal, given) if given["fair"] else None
    except KeyboardInterrupt:
        _tell(found, None, number, given, first=first)
        raise
    _tell(found, fair, number, given, first=first)
    return fair


def _tell(found: AnyReview, fair: Fair | None, number: int, given: dict[str, Any], *, first: bool) -> None:
    if given["as_json"]:
        click.echo(json.dumps(found.json() | ({} if fair is None else {"fair": fair.json()})))
        return
    from tierce.cli import contract_review_text, review_text
    from tierce.solver.advice.contract_review_results import ContractReview

    if isinstance(found, ContractReview):
        contract_review_text.show(found, number=number, first=first)
    else:
        review_text.show(found, fair, number=number, first=first)


def _write(given: dict[str, Any], page: str) -> None:
    write_page(given["html"], page)
    if not given["as_json"]:
        click.echo(f"\nThe page is {given['html']}.")


def _fair(deal: ReplayedDeal, given: dict[str, Any]) -> Fair:
    """The estimates from what the players could know."""
    from tierce.solver.advice.dealer import THREADS_MAX
    from tierce.solver.advice.fair_decisions import fair_review

    seed = DEFAULT_SEED if given["seed"] is None else given["seed"]
    worlds = given["worlds"] or FAIR_WORLDS
    if (client := remote()) is not None:
        return interruptible(lambda: client.fair_review(deal, worlds=worlds, seed=seed, seconds=_seconds(given)))
    threads = min(THREADS_MAX, threads_of(given))
    with gauge("review") as bar:
        watch = None if bar is None else _drawing(bar)
        return fair_review(deal, worlds=worlds, seed=seed, seconds=_seconds(given), threads=threads, watch=watch)


def _drawing(bar: Gauge) -> Callable[[float], None]:
    return lambda share: bar.show(share, "by what was known")


def _complain(number: int, error: InputError | LimitReached) -> int:
    complain(f"deal {number}: {error}")
    return LIMIT if isinstance(error, LimitReached) else BAD_DATA


def _summary(hands: _Hands, given: dict[str, Any]) -> int:
    """The figures of all hands; after Ctrl-C of those that are known."""
    interrupted: list[KeyboardInterrupt] = []
    with gauge("review") as bar:
        found = _counted(hands, given, bar, interrupted)
        told, show, page = _contract_figures(found) if hands.contracts else _figures(found)
    if given["as_json"]:
        click.echo(json.dumps(told))
    else:
        show()
    if interrupted:
        raise interrupted[0]
    if given["html"] is not None:
        _write(given, page())
    return OK


def _figures(found: Iterator[Counted]) -> Figures:
    from tierce.cli import review_text
    from tierce.solver.advice.contract_review_results import ContractReview
    from tierce.solver.report.summary import summary_of
    from tierce.solver.report.summary_page import summary_page

    summary = summary_of(each for each in found if not isinstance(each, ContractReview))
    return summary.json(), partial(review_text.show_summary, summary), partial(summary_page, summary)


def _contract_figures(found: Iterator[Counted]) -> Figures:
    from tierce.cli import contract_review_text
    from tierce.solver.advice.review_results import Review
    from tierce.solver.report.contract_summary import contract_summary_of
    from tierce.solver.report.contract_summary_page import contract_summary_page

    summary = contract_summary_of(each for each in found if not isinstance(each, Review))
    show, page = partial(contract_review_text.show_summary, summary), partial(contract_summary_page, summary)
    return summary.json(), show, page


def _counted(
    hands: _Hands, given: dict[str, Any], bar: Gauge | None, interrupted: list[KeyboardInterrupt]
) -> Iterator[Counted]:
    """The reviews, and an error in place of each that there is not."""
    done = 0
    try:
        for found in _found(hands.played, given, bar):
            done += 1
            yield found.review if isinstance(found, _Begun) else found
    except KeyboardInterrupt as error:
        interrupted.append(error)
        yield from (Cancelled(message="interrupted") for _ in hands.played[done:])
    yield from (InputError("not_due", "not played to the first lead", field="deal") for _ in hands.left)
