"""What each phase of a deal does with an action, and the way from one phase to the next.

Used by `rules.apply`, which has checked that the action is of a kind that the phase knows.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Final, NoReturn

from tierce.solver.cards import LANE, SUIT_NAMES, Card, Mask, bit, card_names, parse_card, suit_of
from tierce.solver.deal import Deal
from tierce.solver.games import contract_auction, exchange
from tierce.solver.games.actions import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Score,
    Send,
    Show,
    Swap,
    TakeKitty,
)
from tierce.solver.games.auction import AUCTION_QUOTAS, auction_over, bidder, open_bids, standing
from tierce.solver.games.contracts import CONTRACTS, UNNAMED, payments
from tierce.solver.games.profile import MIZ, Profile
from tierce.solver.games.refusing import NAMES, card_text, cards_text, check_turn, refuse, seat_text
from tierce.solver.games.scoring import DealResult, balances, counted_tricks, first_over, seat_of, winners
from tierce.solver.games.state import State, Trick, before_deal, held, moved, without
from tierce.solver.position import winning_place

TWO: Final = parse_card("D2")


# ---- automatic actions -----------------------------------------------------------------------------------------------


def automatic_action(state: State) -> Action:
    phase = state.phase
    if phase == "KITTY":
        return TakeKitty(0)
    if phase == "SHOW":
        transfer = state.transfers[state.queue[0][1]]
        return Show(0, transfer.sender, exchange.shown_cards(transfer, state.taken_kitty, state.profile.options))
    if phase == "SCORE":
        return Score()
    i = state.queue[0][1]
    transfer = state.transfers[i]
    return Return(transfer.receiver, transfer.sender, due_returns(state)[i])


def due_returns(state: State) -> dict[int, Mask]:
    """What goes back for the parcels that the receiver next to return has received but not answered."""
    receiver = state.transfers[state.queue[0][1]].receiver
    if state.phase != "RETURN":
        i = state.queue[0][1]
        parcel = state.transfers[i].sent
        return {i: exchange.returned(state.hands[receiver] & ~parcel, parcel, state.profile.options)}
    # Returns after all parcels: a receiver answers those of both senders together, before any of them is gone.
    open_ = [i for i, transfer in enumerate(state.transfers) if transfer.receiver == receiver]
    parcels = [(state.quotas[state.transfers[i].sender], state.transfers[i].sent) for i in open_]
    own = state.hands[receiver]
    for i in open_:
        own |= state.transfers[i].returned
    for i in open_:
        own &= ~state.transfers[i].sent
    return dict(zip(open_, exchange.returned_together(own, parcels, state.profile.options), strict=True))


# ---- from phase to phase ---------------------------------------------------------------------------------------------


def next_phase(state: State) -> State:
    """On to the next phase in which somebody has something to do."""
    while True:
        state = replace(state, at=state.at + 1, queue=())
        phase = state.phase
        if phase in ("EXCHANGE", "SEND"):
            state = _plan(state)
        elif phase == "RETURN":
            state = replace(state, queue=exchange.together(state.transfers)[len(state.transfers) :])
        elif phase == "SHOW":
            state = replace(state, queue=_shows(state))
        elif phase == "TRUMP" and state.contract is not None and state.contract.trump != UNNAMED:
            continue
        elif phase != "SWAP" or (state.kitty and not held(state.kitty, TWO)):
            return state
        if state.queue:
            return state


def exchange_plan(state: State) -> tuple[exchange.Transfer, ...]:
    """The parcels that the deal before calls for, in their order; () in a first deal."""
    last = state.previous
    if last is None:
        return ()
    by_seat = [0, 0, 0]
    for seat in range(3):
        by_seat[seat_of((last.dealer + seat) % 3, state.dealer)] = last.balances[seat]
    first = None if last.first_over is None else seat_of((last.dealer + last.first_over) % 3, state.dealer)
    return exchange.plan(by_seat, state.quotas, state.profile.options, first)


def _plan(state: State) -> State:
    transfers = exchange_plan(state)
    if state.phase == "SEND":
        queue = exchange.together(transfers)[: len(transfers)]
    else:
        queue = exchange.steps(transfers, state.profile.options)
    return replace(state, transfers=transfers, queue=queue)


def _shows(state: State) -> tuple[tuple[str, int], ...]:
    return tuple(
        ("show", i)
        for i, transfer in enumerate(state.transfers)
        if transfer.receiver == 0 and exchange.shown_cards(transfer, state.taken_kitty, state.profile.options)
    )


def do_deal(state: State, action: DealCards) -> State:
    profile, deal = state.profile, action.deal
    check_deal(profile, deal)
    _check_turned(state, action)
    removed = deal.kitty if profile.removed else 0
    kitty = deal.kitty & ~removed
    return next_phase(replace(state, hands=deal.hands, dealt=deal, kitty=kitty, removed=removed, turned=action.turned))


def _check_turned(state: State, action: DealCards) -> None:
    """The turned-up card: one of the dealer's in a game of contracts, none in others."""
    turned = action.turned
    if not state.profile.contracts:
        if turned is not None:
            refuse(
                "wrong_turned", f"expected no turned-up card in {state.profile.id}, found {card_text(turned)}", "turned"
            )
        return
    dealer = state.profile.seat_names[state.dealer]
    if turned is None:
        refuse("wrong_turned", f"expected the card of {dealer}, who deals, that was turned up, found none", "turned")
    if not 0 <= turned < 64 or not held(action.deal.hands[state.dealer], turned):
        found = card_text(turned)
        refuse("wrong_turned", f"expected a turned-up card that {dealer}, who deals, holds, found {found}", "turned")


def check_deal(profile: Profile, deal: Deal) -> None:
    """Refuse a deal that is not one of this game."""
    out, seats = profile.kitty + profile.removed, profile.seats
    beside = f" and {out} card{'s' * (out != 1)} beside them" if seats == 3 else ""
    expected = f"{'three' if seats == 3 else 'four'} hands of {profile.hand}{beside}"
    if len(deal.hands) != seats or deal.size != profile.hand or deal.kitty.bit_count() != out:
        found = f"{len(deal.hands)} hands of {deal.size} and {deal.kitty.bit_count()}"
        refuse("wrong_deal", f"expected {expected}, found {found}", "deal")
    stray = deal.cards & ~profile.pack
    if stray:
        refuse("wrong_deal", f"expected cards of the {4 * profile.ranks}-card pack, found {card_names(stray)}", "deal")
    card = profile.option("removed_card")
    if (
        profile.removed == 1
        and isinstance(card, str)
        and card != "random_hidden"
        and bit(parse_card(card)) != deal.kitty
    ):
        refuse("wrong_deal", f"expected {card} out of the pack, found {card_names(deal.kitty)}", "deal")


def do_bid(state: State, action: Bid) -> State:
    if state.profile.contracts:
        return _bid_for_contract(state, action)
    seat = bidder(state)
    check_turn(seat, action.seat, "bid")
    if action.bid is not None and action.bid not in open_bids(state):
        left = open_bids(state)
        expected = f"a bid from {left.start} to {left.stop - 1} or a pass" if left else "a pass"
        refuse("illegal_bid", f"expected {expected}, found {action.bid!r:.60}", "bid")
    state = replace(state, bids=(*state.bids, (action.seat, action.bid)))
    if not auction_over(state):
        return state
    bid = standing(state)
    if bid is None:
        dealer = (state.dealer + (state.profile.option("all_pass") == "next_dealer")) % 3
        return replace(state, dealer=dealer, at=0, hands=(0, 0, 0), dealt=None, kitty=0, removed=0, bids=())
    seat, tricks = bid
    hands = tuple(state.hands[(seat + i) % 3] for i in range(3))
    assert state.dealt is not None
    dealt = Deal(hands, state.dealt.kitty)
    state = replace(state, dealer=state.player(seat), hands=hands, dealt=dealt, quotas=AUCTION_QUOTAS[tricks])
    return next_phase(state)


def _bid_for_contract(state: State, action: Bid) -> State:
    seat, names = contract_auction.bidder(state), state.profile.seat_names
    assert seat is not None
    check_turn(seat, action.seat, "bid", names)
    bid = action.bid if action.bid is None or isinstance(action.bid, str) else repr(action.bid)[:60]
    why = contract_auction.bid_refusal(state, bid)
    if why is not None or bid == "pass":
        allowed = " or ".join(["a pass", *contract_auction.open_bids(state)])
        refuse("illegal_bid", f"expected {allowed} of {names[seat]}, found {bid:.60}: {why or 'a pass is None'}", "bid")
    state = replace(state, bids=(*state.bids, (seat, bid)))
    if contract_auction.bidder(state) is not None:
        return state
    contract = contract_auction.contract_found(state)
    if contract is None:
        return replace(state, at=state.steps.index("SCORE"))
    call = "" if contract.trump == UNNAMED else "SHDCN"[contract.trump]
    return next_phase(replace(state, contract=contract, call=call, leader=contract.leader))


def do_exchange(state: State, action: Send | Return) -> State:
    sending = state.queue[0][0] == "send"
    open_ = open_sends(state) if sending else (state.queue[0][1],)
    i = next((each for each in open_ if state.transfers[each].receiver == action.to), open_[0])
    transfer = state.transfers[i]
    seat, to = (transfer.sender, transfer.receiver) if sending else (transfer.receiver, transfer.sender)
    if sending != isinstance(action, Send):
        expected = f"{NAMES[seat]} to {'send a parcel to' if sending else 'return cards to'} {NAMES[to]}"
        refuse("wrong_turn", f"expected {expected}, found {type(action).__name__}", "exchange")
    if (action.seat, action.to) != (seat, to):
        _refuse_turn(state, action, seat, to)
    stray = action.cards & ~state.hands[seat]
    if stray:
        refuse("not_held", f"expected cards that {NAMES[seat]} holds, found {cards_text(stray)}", "exchange")
    if action.cards.bit_count() != transfer.count:
        expected = f"{transfer.count} card{'s' * (transfer.count != 1)} from {NAMES[seat]} to {NAMES[to]}"
        refuse("parcel_size", f"expected {expected}, found {action.cards.bit_count()}", "exchange")
    if sending:
        transfer = replace(transfer, sent=action.cards)
    else:
        due = due_returns(state)[i]
        if action.cards != due:
            expected = f"{NAMES[seat]} to return {card_names(due)} to {NAMES[to]}"
            refuse("wrong_return", f"expected {expected}, found {card_names(action.cards)}", "exchange")
        transfer = replace(transfer, returned=action.cards)
    transfers = (*state.transfers[:i], transfer, *state.transfers[i + 1 :])
    queue = tuple(each for each in state.queue if each != (("send" if sending else "return"), i))
    state = replace(state, hands=moved(state.hands, seat, to, action.cards), transfers=transfers, queue=queue)
    return state if state.queue else next_phase(state)


def open_sends(state: State) -> tuple[int, ...]:
    """The transfers whose parcels may be sent now: those one player sends before anything is returned, in any order."""
    first = state.transfers[state.queue[0][1]].sender
    sends = takewhile(lambda each: each[0] == "send" and state.transfers[each[1]].sender == first, state.queue)
    return tuple(i for _, i in sends)


def _refuse_turn(state: State, action: Send | Return, seat: int, to: int) -> NoReturn:
    """A parcel, or what comes back, of the wrong player or to the wrong one."""
    if isinstance(action, Send):
        after = [NAMES[state.transfers[i].receiver] for step, i in state.queue[1:] if step == "send"]
        first = f" first (then {after[0]})" if seat_text(action.to) in after else ""
        whose, whom = f"a parcel from {NAMES[seat]}, who is up", f"the parcel for {NAMES[to]}{first}"
    else:
        whose, whom = f"cards that {NAMES[seat]} returns", f"cards returned to {NAMES[to]}"
    if action.seat != seat:
        refuse("wrong_turn", f"expected {whose}, found some from {seat_text(action.seat)}", "exchange")
    refuse("wrong_turn", f"expected {whom}, found some for {seat_text(action.to)}", "exchange")


def do_call(state: State, action: Call) -> State:
    check_turn(0, action.seat, "call")
    used = state.used[state.dealer]
    left = [call for call in state.profile.calls if call not in used]
    if action.call not in left:
        refuse("illegal_call", f"expected one of the calls left ({' '.join(left)}), found {action.call!r:.60}", "call")
    uses = list(state.used)
    uses[state.dealer] = used | {action.call}
    quotas = state.profile.caps() if action.call == MIZ else state.quotas
    return next_phase(replace(state, call=action.call, quotas=quotas, used=tuple(uses)))


def do_trump(state: State, action: NameTrump) -> State:
    seat = namer(state)
    check_turn(seat, action.seat, "trump", state.profile.seat_names)
    open_ = open_trumps(state)
    if action.trump not in open_:
        none = ", or none (4)," if len(open_) > 4 else ""
        refuse("illegal_trump", f"expected one of the four suits{none} as trump, found {action.trump!r:.60}", "trump")
    contract = None if state.contract is None else replace(state.contract, trump=action.trump)
    return next_phase(replace(state, call="SHDCN"[action.trump], contract=contract))


def namer(state: State) -> int:
    """The seat that names the trump: the dealer's, or that of the contract's bidder."""
    return 0 if state.contract is None else state.contract.declarers[0]


def open_trumps(state: State) -> tuple[int, ...]:
    """The trumps it may name."""
    if state.contract is None:
        return (0, 1, 2, 3)
    return contract_auction.trump_choices(state.profile, CONTRACTS[state.contract.name])


def do_discard(state: State, action: Discard) -> State:
    check_turn(0, action.seat, "discard")
    need = state.profile.kitty
    stray = action.cards & ~state.hands[0]
    if stray:
        blind = " (the kitty is taken after the discard)" if stray & state.kitty else ""
        refuse("not_held", f"expected cards that the dealer holds{blind}, found {cards_text(stray)}", "discard")
    if action.cards.bit_count() != need:
        refuse("discard_size", f"expected a discard of {need} cards, found {action.cards.bit_count()}", "discard")
    return next_phase(replace(state, hands=without(state.hands, 0, action.cards), discard=action.cards))


def do_kitty(state: State, action: TakeKitty) -> State:
    check_turn(0, action.seat, "kitty")
    return next_phase(replace(state, hands=without(state.hands, 0, state.kitty), taken_kitty=state.kitty, kitty=0))


def do_show(state: State, action: Show) -> State:
    due = automatic_action(state)
    if action != due:
        assert isinstance(due, Show)
        expected = f"the dealer to show {card_names(due.cards)} to {NAMES[due.to]}"
        refuse("wrong_show", f"expected {expected}, found {cards_text(action.cards)} to {seat_text(action.to)}", "show")
    state = replace(state, shown=(*state.shown, (action.to, action.cards)), queue=state.queue[1:])
    return state if state.queue else next_phase(state)


def two_holder(state: State) -> int:
    return next(seat for seat in range(3) if held(state.hands[seat], TWO))


def do_swap(state: State, action: Swap) -> State:
    holder = two_holder(state)
    check_turn(holder, action.seat, "swap")
    if not action.take:
        return next_phase(replace(state, swapped=False))
    hands = without(state.hands, holder, bit(TWO) | state.kitty)
    taken = state.kitty
    return next_phase(replace(state, hands=hands, kitty=bit(TWO), swapped=True, swapper=holder, taken_up=taken))


def do_play(state: State, action: Play | Claim) -> State:
    if isinstance(action, Claim):
        return do_claim(state, action)
    seat, card, seats = state.mover, action.card, len(state.hands)
    if action.seat != seat:
        check_turn(seat, action.seat, "play", state.profile.seat_names)
    if not 0 <= card < 64 or not held(state.hands[seat], card):
        found = f"{card_text(card)}{_gone(state, card)}"
        refuse("not_held", f"expected a card that {state.profile.seat_names[seat]} holds, found {found}", "play")
    if state.trick and suit_of(card) != (led := suit_of(state.trick[0])) and state.hands[seat] & LANE << 16 * led:
        name = state.profile.seat_names[seat]
        refuse("revoke", f"expected {name} to follow {SUIT_NAMES[led]}, found {card_text(card)}", "play")
    hands = without(state.hands, seat, bit(card))
    trick = (*state.trick, card)
    if len(trick) < seats:
        return replace(state, hands=hands, trick=trick)
    winner = (state.leader + winning_place(trick, state.trump)) % seats
    taken = list(state.taken)
    taken[winner] += 1
    state = replace(
        state,
        hands=hands,
        trick=(),
        tricks=(*state.tricks, Trick(state.leader, trick, winner)),
        leader=winner,
        taken=tuple(taken),
    )
    return state if hands[0] else next_phase(state)


def _gone(state: State, card: Card) -> str:
    """Why nobody holds a card any more, as a message goes on."""
    if not 0 <= card < 64:
        return ""
    if bit(card) & state.discard:
        return ", which was discarded"
    played = card in state.trick or any(card in trick.cards for trick in state.tricks)
    return ", which has been played" if played else ""


def do_claim(state: State, action: Claim) -> State:
    left = state.hands[state.mover].bit_count()
    if state.trick:
        refuse("wrong_claim", "expected a claim between tricks, found one within a trick", "claim")
    if len(action.tricks) != len(state.hands) or min(action.tricks) < 0 or sum(action.tricks) != left:
        refuse("wrong_claim", f"expected a claim of the {left} tricks left, found {action.tricks!r:.60}", "claim")
    taken = tuple(one + more for one, more in zip(state.taken, action.tricks, strict=True))
    return next_phase(replace(state, taken=taken, claim=action.tricks))


def do_score(state: State, action: Score) -> State:
    profile = state.profile
    result = _units(state) if profile.contracts else _result(state)
    added = list(state.totals)
    for seat, gained in enumerate(result.balances):
        added[state.player(seat)] += gained
    results, totals = (*state.results, result), tuple(added)
    won = winners(profile, results, totals)
    if won:
        return replace(state, results=results, totals=totals, won=won)
    return before_deal(profile, (state.dealer + 1) % profile.seats, results, totals, state.used)


def _result(state: State) -> DealResult:
    tricks = counted_tricks(state.profile, state.taken)
    bid = standing(state)
    return DealResult(
        dealer=state.dealer,
        call=state.call,
        quotas=state.quotas,
        tricks=tricks,
        balances=balances(state.quotas, tricks, state.call),
        first_over=first_over(state.profile, state.quotas, [each.winner for each in state.tricks]),
        bid=bid[1] if bid else None,
    )


def _units(state: State) -> DealResult:
    """The result of a deal that was bid for a contract; a void one counts, for nothing."""
    contract, schedule = state.contract, str(state.profile.option("overtrick_schedule"))
    gained = state.quotas if contract is None else payments(contract, state.taken, schedule)
    return DealResult(state.dealer, state.call, state.quotas, state.taken, gained, contract=contract)
