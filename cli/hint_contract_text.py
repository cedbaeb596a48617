"""The moment of a hint in a game of contracts, in words, and what the columns of its table are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tierce.cli.dealer_text import call_name
from tierce.cli.hint_asking import Asked
from tierce.cli.render import SEAT_NAMES, card_text, joined
from tierce.solver.cards import NOTRUMP
from tierce.solver.games.actions import BidValue, NameTrump
from tierce.solver.games.contracts import UNNAMED, Contract, contract_title
from tierce.solver.games.view import View
from tierce.solver.hints.results import Hint, Option

__all__ = ["always_void", "bid_name", "column_notes", "contract_scene"]


def bid_name(bid: BidValue) -> str:
    """`a pass`, `Solo`, `a bid of 9`."""
    if bid is None:
        return "a pass"
    return contract_title(bid) if isinstance(bid, str) else f"a bid of {bid}"


def contract_scene(asked: Asked) -> Iterator[str]:
    """Where it is from, the auction or the contract, and what all can see."""
    view = asked.view
    names = SEAT_NAMES[4]
    if asked.place:
        yield f"{asked.place}: only what {names[view.seat]} knows is looked at."
    turned = "" if view.turned is None else f", {joined([card_text(view.turned)]).plain} was turned up"
    yield f"{names[view.dealer]} dealt{turned}. {_auction(view, names)}"
    if view.contract is not None:
        yield _contract(view, view.contract, names)
    if view.phase == "PLAY":
        yield _play(view, names)


def _auction(view: View, names: Sequence[str]) -> str:
    """`East passed, South Prop.`"""
    said = (f"{names[seat]} {'passed' if bid is None else 'bid ' + bid_name(bid)}" for seat, bid in view.bids)
    return ", ".join(said) + "." if view.bids else "Nobody has bid."


def _contract(view: View, contract: Contract, names: Sequence[str]) -> str:
    who = " and ".join(names[seat] for seat in contract.declarers)
    trump = "" if contract.trump == UNNAMED else f", {_trump(contract.trump)}"
    won, rule = contract.won(view.taken), contract.rule
    owes = "no trick" if rule.fewest else f"{rule.needs} tricks"
    verb = "need" if len(contract.declarers) > 1 else "needs"
    must = f"{who} must win {owes}" if rule.fewest else f"{who} {verb} {owes}"
    return f"{rule.title}{trump}: {must}; won: {won}."


def _trump(trump: int) -> str:
    return "no trump" if trump == 4 else f"{call_name('SHDC'[trump])} are trump"


def _play(view: View, names: Sequence[str]) -> str:
    """`Trick 5; East led, on the table HA H3; taken: North 1, East 2, South 1, West 0.`"""
    table = f"{names[view.leader]} leads"
    if view.trick:
        played = joined([card_text(card) for card in view.trick]).plain
        table = f"{names[view.leader]} led, on the table {played}"
    taken = ", ".join(f"{name} {count}" for name, count in zip(names, view.taken, strict=True))
    return f"Trick {len(view.tricks) + 1}; {table}; taken: {taken}."


# ---- columns ---------------------------------------------------------------------------------------------------------


def always_void(view: View, option: Option) -> bool:
    """Did no contract come of a call in any world? Then it has no tricks, of which there is then no error."""
    called = view.profile.contracts and view.phase == "BID"
    return called and option.worlds > 1 and option.tricks.error is None and not option.tricks.value


def column_notes(view: View, found: Hint, told: Sequence[Option]) -> Iterator[str]:
    """What the columns are: whose tricks and units, and who makes the contract. `told`: the rows."""
    exact = found.method in ("pimc", "ending") and not _tricks_count(view, found)
    notes = _card_notes if view.phase == "PLAY" and view.contract is not None else _auction_notes
    yield from notes(view, found, exact=exact)
    if any(isinstance(action, NameTrump) and action.trump != NOTRUMP for each in told for action in each.actions[1:]):
        yield "trumps: where the bidder names one, only the two suits that promise most by rules of thumb are valued"
    if any(always_void(view, each) for each in told):
        yield "-: no contract comes of it, the deal is void"
    if found.by == "utility":
        yield "points: the mean of --utility"


def _tricks_count(view: View, found: Hint) -> bool:
    """Is more asked for than whether the contract is made? Then tricks are as exact as all else."""
    return found.by in ("tricks", "utility") or view.profile.option("overtrick_schedule") != "none"


def _card_notes(view: View, found: Hint, *, exact: bool) -> Iterator[str]:
    contract, names = view.contract, SEAT_NAMES[4]
    assert contract is not None
    declares = view.seat in contract.declarers
    mixed = exact and found.method == "pimc"  # hints/contract_play.py: PRIOR
    more = ", of every world exactly; what rules of thumb make of them counts as one world more" if mixed else ""
    if found.by == "units":
        yield f"units: {names[view.seat]}'s own{more}"
    if found.by == "made" and not declares:
        yield f"beaten: the chance that {contract.rule.title} is beaten{more}"
    own = contract.declarers if declares else contract.defenders
    side = f"{_listed([names[seat] for seat in own])} together" if len(own) > 1 else names[own[0]]
    yield f"tricks: of {side} in the whole deal{', as rules of thumb play on' if exact else ''}"
    who = _listed([names[seat] for seat in contract.declarers])
    makes = f"how often {who} {'make' if len(contract.declarers) > 1 else 'makes'} {contract.rule.title}"
    best = (" with best play by all" if exact else "") + (", rules of thumb left out" if mixed else "")
    yield f"made: {makes}{best}{'' if declares else '; the defenders want it low'}"
    if found.by == "made" and declares and mixed:
        yield "The order counts what rules of thumb make of the worlds as one world more."


def _listed(names: Sequence[str]) -> str:
    """`North, East and West`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _auction_notes(view: View, found: Hint, *, exact: bool) -> Iterator[str]:
    who, bids = SEAT_NAMES[4][view.seat], found.what == "bid"
    if found.by == "units":
        yield f"units: {who}'s own{', whatever contract comes of it' if bids else ''}"
    if found.by == "made" and bids:
        yield f"chance: that {who}'s side makes the contract that comes of it, or beats it"
    played = " in the contract that comes of it" if bids else ""
    yield f"tricks: of {who}'s side{played}{', as rules of thumb play it' if exact else ''}"
    if not bids:
        yield "made: how often the contract is made with that trump"
        return
    yield (
        "made: how often the contract that is bid is made if it stands, a Prop with whoever would accept it; of a "
        "pass, which has none: what the others then play, whoever declares it"
    )
