"""The dealer's decision as text for people, on 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from rich.text import Text

from tierce.cli.dealer_asking import Decision, is_proved
from tierce.cli.render import (
    SEAT_NAMES,
    STRAIN_NAMES,
    bold,
    counted,
    dim,
    effort,
    grid,
    hand_row,
    ranks,
    say,
    suit_sign,
    width,
)
from tierce.solver.advice.choices import Choice, DealerChoices
from tierce.solver.advice.classes import DiscardClass, classes_of
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.values import Worth
from tierce.solver.cards import LANE, LANE_BITS, STRAIN_LETTERS, SUITS, Mask, side_name

Most: TypeAlias = tuple[int | None, int | None]  # classes told for the best calls, and for the others

WIDTH: Final = 80
_INDENT: Final = 7  # columns for the number of discards in a class
_MEANINGS: Final = {
    "floor": "A floor is what the dealer is sure of even if both others play against him.",
    "share": "A fair share is the floor and a third of the tricks that no floor covers.",
    "ceiling": "A ceiling is the floor and all the tricks that no floor covers: the best to hope for.",
}
_PAIRS: Final = {0b011: ("dealer and eldest", "middle"), 0b101: ("dealer and middle", "eldest")}
_CAP: Final = "MIZ, no trump: the most the dealer can be made to take when he tries to take few."


def show(
    decision: Decision,
    advice: DealerAdvice,
    *,
    find: str,
    most: Most,
    values: Sequence[tuple[str, Choice, float]] = (),
) -> None:
    """The hands, a row a call, and what follows from them.

    most     classes of discards told for the best calls and for each other; None: all
    values   of every choice, for their distribution
    """
    _hands(decision)
    for sentence in _opening(decision, advice):
        _say_wrapped(sentence)
    say()
    if advice.target is None:
        _best_rows(advice, find, most)
    else:
        _target_rows(advice, most)
    if values:
        say()
        _distribution(values)
    say()
    for sentence in (*_conclusions(advice), *_meanings(advice)):
        _say_wrapped(sentence)
    if advice.stop:
        say(bold("Unfinished: the search was stopped; what is proved so far is told."))
    say()
    say(effort(advice.nodes, advice.millis))


# ---- words -----------------------------------------------------------------------------------------------------------


def call_name(call: str) -> str:
    """`spades`, `no trump`, `MIZ`."""
    return call if call == "MIZ" else STRAIN_NAMES[STRAIN_LETTERS.index(call)]


def cards_text(cards: Mask) -> str:
    """Suit by suit: `♠87 ♣Q4`."""
    suits = (suit_sign(suit) + ranks(cards, suit) for suit in SUITS if cards >> LANE_BITS * suit & LANE)
    return " ".join(suits) or "nothing"


def number(tricks: float) -> str:
    """Tricks: whole, or with two decimals."""
    return f"{tricks:.2f}".removesuffix(".00")


def tricks_text(tricks: float, worth: Worth) -> str:
    """`8 tricks`, `at most 3 tricks`."""
    text = counted(int(tricks)) if tricks == int(tricks) else f"{tricks:.2f} tricks"
    return f"at most {text}" if worth.kind == "cap" else text


def _signed(balance: float) -> str:
    return "0" if not balance else ("+" if balance > 0 else "") + number(balance)


def _kind_name(worth: Worth) -> str:
    """What the column of values is called."""
    return {"share": "fair share", "side": side_name(worth.side, 3)}.get(worth.kind, worth.kind)


def _wrapped(text: str, prefix: str = "") -> Iterator[str]:
    """Lines that fit on a screen: the first after the prefix, the others as far from the left."""
    line = prefix
    for word in text.split():
        if line.strip() and width(line) + width(word) > WIDTH:
            yield line.rstrip()
            line = " " * len(prefix)
        line += word + " "
    yield line.rstrip()


def _say_wrapped(text: str) -> None:
    for line in _wrapped(text):
        say(line)


# ---- what is decided -------------------------------------------------------------------------------------------------


def _hands(decision: Decision) -> None:
    for line in hand_row(decision.hands, decision.beside, decision.choices.profile):
        say(line)
    say()


def _opening(decision: Decision, advice: DealerAdvice) -> Iterator[str]:
    if decision.place:
        yield f"{decision.place}, before the dealer's first choice."
    choices, worth = decision.choices, advice.best.worth
    who, owes = "The dealer", "owes"
    if worth.kind == "side":
        who, owes = _PAIRS[worth.side][0].capitalize(), "together owe"
    kitty = ", one of which is the kitty" if worth.extra else ""
    owed = choices.quotas[0] if worth.kind == "cap" else advice.quota(worth)
    if decision.bid is not None:
        yield f"The dealer bid {decision.bid} in the auction; the seats are those after it."
    yield f"{who} {owes} {owed} of {choices.tricks + worth.extra} tricks{kitty}. All cards are seen."
    yield from _open_choice(choices)
    if len({hand.bit_count() for hand in decision.hands}) > 1:
        yield "Cards are still to be returned; the search goes by the hands after that."
    if len(advice.calls) < len(choices.calls):
        yield "MIZ has no such value and is left out."


def _open_choice(choices: DealerChoices) -> Iterator[str]:
    """What there is to choose besides the call."""
    two = suit_sign(2) + "2"
    if choices.count:
        ways, pool = len(choices.choices), choices.pool.bit_count()
        yield f"The dealer discards {choices.count} of {pool} cards: {ways:,} ways."
    elif choices.swapper == 0:
        yield f"The dealer may take the up-card {cards_text(choices.up_card)} and leave {two}."
    elif choices.swapper is not None:
        seat = SEAT_NAMES[3][choices.swapper].lower()
        may = f"{seat.capitalize()} may take the up-card {cards_text(choices.up_card)} and leave {two}"
        yield f"{may}: what is worse for the dealer counts."
    elif choices.profile.kitty == 1 and not choices.profile.removed:
        yield "Nobody can take the up-card."


# ---- rows ------------------------------------------------------------------------------------------------------------


def _best_rows(advice: DealerAdvice, find: str, most: Most) -> None:
    """A row a call, the best first; below it what discards reach its value."""
    worth = next((call.worth for call in advice.calls if call.worth.kind != "cap"), advice.calls[0].worth)
    last = _last_column(advice.choices, find)
    rows = [
        [call_name(call.call), *_value(advice, call), _reached(advice, call, find) if last else ""]
        for call in advice.ranked
    ]
    _call_rows(advice, rows, ["trump", _kind_name(worth), "balance", last], most if find != "one" else (0, 0))


def _target_rows(advice: DealerAdvice, most: Most) -> None:
    rows = [
        [call_name(call.call), _answer(call), _reached(advice, call, "best") if call.count else ""]
        for call in advice.calls
    ]
    last = _last_column(advice.choices, "best")
    _call_rows(advice, rows, ["trump", f"{number(advice.target or 0)} tricks?", last], most)


def _call_rows(advice: DealerAdvice, rows: list[list[str]], header: list[str], most: Most) -> None:
    """The last column is to the left, and under each row stand the classes of its call."""
    calls, best = advice.ranked if advice.target is None else advice.calls, advice.balance(advice.best)
    head, *lines = grid([row[:-1] for row in rows], header[:-1])
    say(_with_end(head, dim(header[-1])))
    for call, row, line in zip(calls, rows, lines, strict=True):
        say(_with_end(line, Text(row[-1])))
        told = most[0] if advice.target is not None or advice.balance(call) == best else most[1]
        if advice.choices.count and call.choices and told != 0:
            _classes(advice.choices, call, told)


def _with_end(line: Text, end: Text) -> Text:
    whole = line + "  " + end
    whole.rstrip()
    return whole


def _last_column(choices: DealerChoices, find: str) -> str:
    if choices.count:
        return "a best discard" if find == "one" else "discards"
    return "up-card" if choices.swapper == 0 else ""


def _value(advice: DealerAdvice, call: CallAdvice) -> tuple[str, str]:
    """The value and the balance, from-to where they are not known."""
    low, high = (number(tricks) for tricks in call.bounds)
    ends = sorted(_balance(advice, call.worth, score) for score in (call.low, call.high))
    cap = "at most " if call.worth.kind == "cap" else ""
    if call.complete:
        return cap + low, _signed(ends[0])
    return f"{cap}{low}-{high}", f"{_signed(ends[0])} to {_signed(ends[1])}"


def _balance(advice: DealerAdvice, worth: Worth, score: int) -> float:
    told, quota = worth.told(score), advice.quota(worth)
    return round(quota - told if worth.kind == "cap" else told - quota, 4)


def _reached(advice: DealerAdvice, call: CallAdvice, find: str) -> str:
    """How many discards reach the value, or which."""
    choices = advice.choices
    if choices.swapper == 0:
        return _swaps(choices, call, find)
    if not choices.count:
        return ""
    if not call.counted and not is_proved(call):
        return "not known yet"
    if find == "one":
        return cards_text(call.choices[0].discard) + ("" if call.complete else " so far")
    if not call.counted:
        return f"{call.count:,} so far"
    return f"{call.count:,} of {len(choices.choices):,}"


def _swaps(choices: DealerChoices, call: CallAdvice, find: str) -> str:
    card = cards_text(choices.up_card)
    found = {choice.swap for choice in call.choices}
    if not call.counted and not is_proved(call):
        return "not known yet"
    if len(found) == 2:
        return f"take {card} or leave it"
    sure = "" if call.counted or find == "one" else ", perhaps either"
    return (f"take {card}" if True in found else f"leave {card}") + sure


def _answer(call: CallAdvice) -> str:
    return "yes" if call.count else "no" if call.counted else "not known"


def _classes(choices: DealerChoices, call: CallAdvice, most: int | None) -> None:
    """The discards, a class a line."""
    others = choices.lays[0].hands[1] | choices.lays[0].hands[2]
    discards = [choice.discard for choice in call.choices]
    classes = classes_of(discards, choices.pool, others, most=most)
    for each in classes:
        for line in _wrapped(_class_text(each, choices.pool), f"{_ways(each.count) + ':':{_INDENT + 6}} "):
            say(line)
    rest = call.count - sum(each.count for each in classes)
    if rest:
        say(_ways(rest, "more "))


def _ways(count: int, more: str = "") -> str:
    """How many discards, with a word, so that nobody takes them for the tricks above."""
    return f"{count:>{_INDENT},} {more}{'way' if count == 1 else 'ways'}"


def _class_text(found: DiscardClass, pool: Mask) -> str:
    if len(found.picks) == 1 and found.picks[0].cards == pool:
        return "whatever he discards"
    return found.said(cards_text)


def _distribution(values: Sequence[tuple[str, Choice, float]]) -> None:
    """How many choices have which value: values down, calls across."""
    counts = Counter((call, tricks) for call, _, tricks in values)
    calls = list(dict.fromkeys(call for call, _, _ in values))
    worths = sorted({tricks for _, _, tricks in values}, reverse=True)
    rows = [[number(tricks), *(f"{counts[call, tricks]:,}" for call in calls)] for tricks in worths]
    say("How many choices are worth how much:")
    for line in grid(rows, ["tricks", *map(call_name, calls)]):
        say(line)


# ---- what follows ----------------------------------------------------------------------------------------------------


def _conclusions(advice: DealerAdvice) -> Iterator[str]:
    if advice.target is not None:
        yield _target_answer(advice)
    elif advice.stop:
        found = is_proved(advice.best)
        yield f"Best so far: {_with_call(advice, advice.best)}." if found else f"Best: {_not_known(advice)}."
    else:
        yield f"Best: {_best(advice)}."
        yield from _examples(advice)
    if advice.chosen is not None:
        yield _chosen(advice, advice.chosen)


def _best(advice: DealerAdvice) -> str:
    ranked, tied = advice.ranked, _tied(advice)
    behind = ranked[len(tied) :]
    if len(tied) == 1:
        said = _with_call(advice, ranked[0])
    elif behind:
        said = f"{_listed([call_name(call.call) for call in tied])} alike: {_worths(tied)}"
    else:
        return f"all the same: {_worths(tied)}"
    if behind:
        said += f", {number(advice.balance(tied[0]) - advice.balance(behind[0]))} ahead of {call_name(behind[0].call)}"
    return said


def _tied(advice: DealerAdvice) -> list[CallAdvice]:
    """The calls that are equally good, and better than all others."""
    best = advice.balance(advice.best)
    return [call for call in advice.ranked if advice.balance(call) == best]


def _examples(advice: DealerAdvice) -> Iterator[str]:
    """Of calls that are equally good, what to do after each: the one call that is best has it in its own sentence."""
    tied = [call for call in _tied(advice) if call.choices]
    said = [call_name(call.call) + how for call in tied if (how := _how(advice.choices, call.choices[0]))]
    if len(tied) > 1 and said:
        yield f"For example {'; or '.join(said)}."


def _not_known(advice: DealerAdvice) -> str:
    """What can be said before anything is proved: from where to where the best may be worth."""
    calls = [call for call in advice.calls if call.worth.kind != "cap"] or advice.calls
    low, high = (max(call.bounds[end] for call in calls) for end in (0, 1))
    return f"not known yet, {number(low)}-{number(high)} tricks"


def _worths(calls: Sequence[CallAdvice]) -> str:
    """The value of calls that are equally good: in tricks where that is one number."""
    texts = dict.fromkeys(tricks_text(call.tricks, call.worth) for call in calls)
    return " or ".join(texts)


def _with_call(advice: DealerAdvice, call: CallAdvice) -> str:
    how = _how(advice.choices, call.choices[0]) if call.choices else ""
    example = " for example" if how and call.count > 1 else ""
    return f"{call_name(call.call)}{how}{example}: {tricks_text(call.tricks, call.worth)}"


def _how(choices: DealerChoices, choice: Choice) -> str:
    if choices.count:
        return f", discarding {cards_text(choice.discard)}"
    if choices.swapper == 0:
        return f", {'taking' if choice.swap else 'leaving'} {cards_text(choices.up_card)}"
    return ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _target_answer(advice: DealerAdvice) -> str:
    asked = f"{number(advice.target or 0)} tricks"
    reaching = [call for call in advice.calls if call.count]
    if reaching:
        return f"Reached with {_listed([call_name(call.call) for call in reaching])}: {asked}."
    known = all(call.counted for call in advice.calls)
    return f"No choice reaches {asked}." if known else f"Nothing that reaches {asked} was found so far."


def _chosen(advice: DealerAdvice, chosen: Chosen) -> str:
    said = f"Chosen: {call_name(chosen.call)}{_how(advice.choices, chosen.choice)}: "
    if not chosen.complete:
        if (chosen.low, chosen.high) == chosen.worth.range():
            said += "not known yet, "
        low, high = sorted((chosen.worth.told(chosen.low), chosen.worth.told(chosen.high)))
        return f"{said}{number(low)}-{number(high)} tricks."
    said += tricks_text(chosen.tricks, chosen.worth)
    if advice.target is not None or advice.loss is None:
        return f"{said}."
    return f"{said}, {f'a loss of {number(advice.loss)}' if advice.loss else 'nothing was lost'}."


def _meanings(advice: DealerAdvice) -> Iterator[str]:
    """What the numbers are."""
    kinds = {call.worth.kind: call.worth for call in advice.calls}
    for kind, worth in kinds.items():
        if kind == "side":
            pair, other = _PAIRS[worth.side]
            yield f"{side_name(worth.side, 3)}: what {pair} take together if they play as partners against {other}."
        elif kind == "cap":
            yield f"{_CAP} Without loss: {advice.quota(worth)}."
        else:
            yield _MEANINGS[kind]
    if advice.target is None:
        yield _balance_words(kinds)
    if "cap" in kinds and advice.target is not None:
        yield f"MIZ reaches {number(advice.target)} by taking no more than that."
    if any(worth.extra for worth in kinds.values()):
        yield "The kitty counts as a trick of the dealer's and is part of these numbers."
    if advice.stop:
        yield "What is not known is told from-to."


def _balance_words(kinds: Collection[str]) -> str:
    """What the column `balance` is."""
    over, under = "tricks over what is owed", "tricks under what is allowed"
    if len(kinds) > 1:
        return f"Balance: {over}; in MIZ, {under}. Calls are compared by it."
    return f"Balance: {under if 'cap' in kinds else over}."
