"""The rules of the three-hand games once more, slowly: card names in lists, no masks, nothing of the package.

A second opinion on `tierce.solver.games`. A `Match` goes from action to action; `faults` names every rule an action
breaks, `choices` lists what may be done, `do` does it. Actions are tuples that begin with their kind:

    ("deal", {"D": [...], "E": [...], "M": [...]}, [cards beside the hands])
    ("bid", seat, tricks or None)         ("call", "D", "MIZ")            ("trump", "D", "H")
    ("send", seat, to, [cards])           ("return", seat, to, [cards])   ("discard", "D", [cards])
    ("kitty", "D")                        ("show", "D", to, [cards])      ("swap", seat, True or False)
    ("play", seat, card)                  ("claim", (d, e, m))            ("score",)

Seats are the letters D E M of the deal, players the numbers 0 1 2 of the match.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

SEATS: Final = "DEM"
RANKS: Final = "23456789TJQKA"
PACK: Final = [suit + rank for suit in "SHDC" for rank in RANKS]
AUCTION: Final = {
    8: (8, 5, 3),
    9: (9, 4, 3),
    10: (10, 4, 2),
    11: (11, 3, 2),
    12: (12, 2, 2),
    13: (13, 2, 1),
    14: (14, 1, 1),
    15: (15, 1, 0),
    16: (16, 0, 0),
}
CALLS: Final = ("S", "H", "D", "C", "N", "MIZ")
Action = tuple[Any, ...]
Options = dict[str, Any]


class Game(NamedTuple):
    """A line of the table of games: cards each, kitty, quotas of D E M, what is done in a deal after the first."""

    each: int
    kitty: int
    quota: tuple[int, ...]
    order: str


BLIND: Final = "EXCHANGE TRUMP DISCARD KITTY SHOW PLAY SCORE"
OPEN_KITTY: Final = "EXCHANGE TRUMP KITTY DISCARD PLAY SCORE"
NO_KITTY: Final = "EXCHANGE TRUMP PLAY SCORE"
GAMES: Final = {
    "raf": Game(16, 4, (8, 5, 3), BLIND),
    "wiki_358": Game(16, 4, (8, 5, 3), BLIND),
    "woburn": Game(16, 4, (8, 5, 3), BLIND),
    "deputy": Game(16, 4, (8, 5, 3), "CALL DISCARD KITTY PLAY SCORE"),
    "six_three_eight": Game(17, 0, (8, 6, 3), NO_KITTY),
    "nine_five_two": Game(16, 4, (9, 5, 2), OPEN_KITTY),
    "nine_five_two_swap": Game(16, 4, (9, 2, 5), "KITTY DISCARD SEND TRUMP RETURN PLAY SCORE"),
    "uni_high_359": Game(16, 4, (9, 5, 3), OPEN_KITTY),
    "nine_five_three_one_card": Game(17, 1, (9, 5, 3), "EXCHANGE TRUMP SWAP PLAY SCORE"),
    "nine_five_three_no_kitty": Game(17, 0, (9, 5, 3), NO_KITTY),
}


# ---- cards -----------------------------------------------------------------------------------------------------------


def strength(card: str, ace_low: bool = False) -> int:
    return -1 if ace_low and card[1] == "A" else RANKS.index(card[1])


def of_suit(cards: list[str], suit: str) -> list[str]:
    return [card for card in cards if card[0] == suit]


def highest_first(cards: list[str], ace_low: bool = False) -> list[str]:
    return sorted(cards, key=lambda card: strength(card, ace_low), reverse=True)


def trick_winner(table: list[tuple[str, str]], trump: str) -> str:
    """The seat that wins a full trick of (seat, card)."""
    trumps = [each for each in table if each[1][0] == trump]
    suit = trumps or [each for each in table if each[1][0] == table[0][1][0]]
    return max(suit, key=lambda each: strength(each[1]))[0]


def give_back(own: list[str], parcel: list[str], rule: str = "merged_top_n", ace_low: bool = False) -> list[str]:
    """What the holder of `own` returns for a parcel."""
    back: list[str] = []
    for suit in "SHDC":
        mine = highest_first(of_suit(own, suit), ace_low)
        sent = highest_first(of_suit(parcel, suit), ace_low)
        if rule == "merged_top_n":
            back += highest_first(mine + sent, ace_low)[: len(sent)]
        elif rule == "own_top_n":
            back += mine[: len(sent)]
            back += sent[: max(0, len(sent) - len(mine))]
        else:
            for card in sent if rule == "pairwise_high_first" else reversed(sent):
                higher = [each for each in mine if strength(each, ace_low) > strength(card, ace_low)]
                if higher:
                    mine.remove(higher[0])
                back.append(higher[0] if higher else card)
    return back


def kitty_shown(back: list[str], sent: list[str], kitty: list[str], options: Options) -> list[str]:
    """The kitty cards shown to a partner who sent `sent` and was given `back`."""
    ace_low = options.get("rank_order") == "ace_low"
    found = []
    for card in kitty:
        given = [each for each in of_suit(back, card[0]) if options["show_after_null_return"] or each not in sent]
        beaten = [each for each in given if strength(card, ace_low) > strength(each, ace_low)]
        if beaten and (options["show_threshold"] == "lowest_returned" or len(beaten) == len(given)):
            found.append(card)
    return found


# ---- the exchange's plan ---------------------------------------------------------------------------------------------


def parcels(balance: dict[str, int], quota: dict[str, int], options: Options, first_over: str = "") -> list[Action]:
    """(sender, receiver, cards) in the order in which they are sent."""
    up = sorted((seat for seat in SEATS if balance[seat] > 0), key=lambda seat: -quota[seat])
    down = sorted((seat for seat in SEATS if balance[seat] < 0), key=lambda seat: quota[seat])
    if options.get("two_up_order") == "most_up" and len(up) == 2 and balance[up[1]] > balance[up[0]]:
        up.reverse()
    if options.get("two_up_order") == "first_over" and len(up) == 2 and up[1] == first_over:
        up.reverse()
    cap, scope = options.get("max_bleed", 0), options.get("bleed_scope")
    sent, got = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0)
    found = []
    for sender in up:
        for receiver in down:
            count = 0
            while sent[sender] < balance[sender] and got[receiver] < -balance[receiver]:
                if cap and scope != "receiver" and sent[sender] == cap:
                    break
                if cap and scope != "sender" and got[receiver] == cap:
                    break
                count, sent[sender], got[receiver] = count + 1, sent[sender] + 1, got[receiver] + 1
            if count:
                found.append((sender, receiver, count))
    return found


# ---- the match -------------------------------------------------------------------------------------------------------


class Match:
    """A match of one of GAMES, with all its options given."""

    def __init__(self, game: str, options: Options, dealer: int = 0) -> None:
        self.name, self.game, self.options = game, GAMES[game], options
        self.dealer = dealer
        self.totals = [0, 0, 0]
        self.deals: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.used: list[list[str]] = [[], [], []]
        self.clear()

    def clear(self) -> None:
        self.hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
        self.undealt: list[str] = []
        self.removed: list[str] = []
        self.kitty: list[str] = []
        self.discard: list[str] = []
        self.bids: list[tuple[str, int | None]] = []
        self.quota = dict(zip(SEATS, self.game.quota, strict=True))
        self.call = ""
        self.parcels: list[dict[str, Any]] = []
        self.shown: list[tuple[str, list[str]]] = []
        self.swapped: bool | None = None
        self.leader = "E"
        self.table: list[tuple[str, str]] = []
        self.tricks: list[str] = []
        self.taken = dict.fromkeys(SEATS, 0)
        self.agenda: list[Any] = ["DEAL"]

    # what is due

    @property
    def due(self) -> Any:
        return "OVER" if self.winners else self.agenda[0]

    @property
    def phase(self) -> str:
        return self.due if isinstance(self.due, str) else self.due[0]

    @property
    def trump(self) -> str:
        return self.call if self.call in ("S", "H", "D", "C") else ""

    @property
    def turn(self) -> str:
        """Who plays next."""
        return SEATS[(SEATS.index(self.leader) + len(self.table)) % 3]

    def player(self, seat: str) -> int:
        return (self.dealer + SEATS.index(seat)) % 3

    def seat(self, player: int) -> str:
        return next(seat for seat in SEATS if self.player(seat) == player)

    def programme(self) -> list[str]:
        """What is done in this deal, in order."""
        order = self.game.order.split()
        options = self.options
        if options.get("kitty_first") and "DISCARD" in order and order.index("DISCARD") < order.index("KITTY"):
            order = [step for step in order if step != "DISCARD"]
            order.insert(order.index("PLAY"), "DISCARD")
        if options.get("swap_time") == "after_deal":
            order = ["SWAP", "EXCHANGE", "TRUMP", "PLAY", "SCORE"]
        if options.get("swap_time") == "after_exchange":
            order = ["EXCHANGE", "SWAP", "TRUMP", "PLAY", "SCORE"]
        if not self.deals:
            order = [step for step in order if step not in ("EXCHANGE", "SEND", "RETURN", "SHOW")]
            if options.get("first_deal_auction"):
                order = ["BID", *order]
        if options.get("exchange") is False:
            order = [step for step in order if step != "EXCHANGE"]
        return order

    def settle_agenda(self) -> None:
        """Replace a word at the head of the agenda by what it means for these cards, until something is to do."""
        while not self.winners:
            head = self.agenda[0]
            if head in ("EXCHANGE", "SEND"):
                self.plan_exchange()
                sends = [(head, "send", parcel) for parcel in self.parcels]
                backs = [(head, "return", parcel) for parcel in self.parcels]
                if head == "SEND":
                    steps = sends
                elif len(sends) == 2 and self.one_up() and self.options["exchange_order_two_down"] == "simultaneous":
                    steps = sends + backs
                else:
                    steps = [step for pair in zip(sends, backs, strict=True) for step in pair]
                self.agenda[:1] = steps
            elif head == "RETURN":
                self.agenda[:1] = [("RETURN", "return", parcel) for parcel in self.parcels]
            elif head == "SHOW":
                shows = []
                for parcel in self.parcels:
                    if parcel["to"] == "D":
                        cards = kitty_shown(parcel["back"], parcel["sent"], self.kitty, self.options)
                        if cards:
                            shows.append(("SHOW", parcel["from"], cards))
                self.agenda[:1] = shows
            elif head == "SWAP" and self.undealt == ["D2"]:
                del self.agenda[0]
            else:
                return

    def one_up(self) -> bool:
        return len({parcel["from"] for parcel in self.parcels}) == 1

    def plan_exchange(self) -> None:
        last = self.deals[-1]
        balance = {self.seat(player): last["balance_of"][player] for player in range(3)}
        first = "" if last["first_over"] is None else self.seat(last["first_over"])
        self.parcels = [
            {"from": sender, "to": receiver, "count": count, "sent": [], "back": []}
            for sender, receiver, count in parcels(balance, self.quota, self.options, first)
        ]

    # what is allowed

    def bid_turn(self) -> str:
        out = [seat for seat, tricks in self.bids if tricks is None]
        seat = SEATS[(SEATS.index(self.bids[-1][0]) + 1) % 3] if self.bids else "D"
        while not self.options["bid_reentry"] and seat in out:
            seat = SEATS[(SEATS.index(seat) + 1) % 3]
        return seat

    def highest_bid(self) -> int:
        """The bid that stands, 7 if there is none."""
        return next((tricks for _, tricks in reversed(self.bids) if tricks is not None), 7)

    def bids_open(self) -> list[int | None]:
        low = self.highest_bid() + 1 if self.options["bid_must_rise"] else 8
        return [None, *range(low, 17)]

    def playable(self) -> list[str]:
        hand = self.hands[self.turn]
        return (of_suit(hand, self.table[0][1][0]) if self.table else []) or list(hand)

    def back_due(self, parcel: dict[str, Any]) -> list[str]:
        """What must come back for a parcel now."""
        rule, ace_low = self.options["return_rule"], self.options["rank_order"] == "ace_low"
        hand = self.hands[parcel["to"]]
        if self.phase == "EXCHANGE":
            return give_back([card for card in hand if card not in parcel["sent"]], parcel["sent"], rule, ace_low)
        # All was sent before anything is returned: both senders' cards count as one parcel.
        mine = [each for each in self.parcels if each["to"] == parcel["to"]]
        everything = [card for each in mine for card in each["sent"]]
        gone = [card for each in mine for card in each["back"]]
        own = [card for card in hand + gone if card not in everything]
        back = give_back(own, everything, rule, ace_low)
        low = self.options["split_return_order"] == "lowest_quota"
        mine.sort(key=lambda each: self.quota[each["from"]] * (1 if low else -1))
        shares: list[list[str]] = [[] for _ in mine]
        for suit in "SHDC":
            left = highest_first(of_suit(back, suit), ace_low)
            for each, share in zip(mine, shares, strict=True):
                for _ in of_suit(each["sent"], suit):
                    share.append(left.pop(0))
        return shares[next(i for i, each in enumerate(mine) if each is parcel)]

    def sendable(self) -> list[dict[str, Any]]:
        """Parcels that may be sent now: all that one player owes before anything comes back."""
        found: list[dict[str, Any]] = []
        for due in self.agenda:
            if not isinstance(due, tuple) or due[1] != "send" or (found and due[2]["from"] != found[0]["from"]):
                break
            found.append(due[2])
        return found

    def choices(self) -> list[Action]:
        """Every action open now, where they are few; parcels and discards only as (kind, seat, to, count)."""
        if self.phase == "BID":
            return [("bid", self.bid_turn(), tricks) for tricks in self.bids_open()]
        if self.phase == "CALL":
            return [("call", "D", call) for call in CALLS if call not in self.used[self.dealer]]
        if self.phase == "TRUMP":
            return [("trump", "D", suit) for suit in "SHDC"]
        if self.phase == "DISCARD":
            return [("discard", "D", "", self.game.kitty)]
        if self.phase == "KITTY":
            return [("kitty", "D")]
        if self.phase == "SHOW":
            return [("show", "D", self.due[1], sorted(self.due[2]))]
        if self.phase == "SWAP":
            return [("swap", seat, take) for seat in SEATS if "D2" in self.hands[seat] for take in (True, False)]
        if self.phase == "PLAY":
            return [("play", self.turn, card) for card in self.playable()]
        if self.phase == "SCORE":
            return [("score",)]
        if self.phase in ("EXCHANGE", "SEND", "RETURN"):
            _, step, parcel = self.due
            if step == "send":
                return [("send", each["from"], each["to"], each["count"]) for each in self.sendable()]
            return [("return", parcel["to"], parcel["from"], sorted(self.back_due(parcel)))]
        return []

    def faults(self, action: Action) -> set[str]:
        """The codes of all the rules the action breaks; none if it is allowed."""
        kind = action[0]
        kinds = {"EXCHANGE": "send return", "SEND": "send", "RETURN": "return", "PLAY": "play claim", "OVER": ""}
        if kind not in kinds.get(self.phase, self.phase.lower()).split():
            return {"wrong_phase"}
        if kind in ("send", "return"):
            return self.exchange_faults(action)
        if kind == "deal":
            return self.deal_faults(action)
        if kind == "claim":
            left = self.game.each - len(self.tricks)
            fair = len(action[1]) == 3 and min(action[1]) >= 0 and sum(action[1]) == left and not self.table
            return set() if fair else {"wrong_claim"}
        found = set()
        if kind == "bid":
            if action[1] != self.bid_turn():
                found.add("wrong_turn")
            if action[2] not in self.bids_open():
                found.add("illegal_bid")
        elif kind == "show":
            if (action[1], action[2], sorted(action[3])) != ("D", self.due[1], sorted(self.due[2])):
                found.add("wrong_show")
        elif kind == "swap":
            if "D2" not in self.hands.get(action[1], ()):
                found.add("wrong_turn")
        elif kind == "play":
            if action[1] != self.turn:
                found.add("wrong_turn")
            if action[2] not in self.hands[self.turn]:
                found.add("not_held")
            if action[2] not in self.playable():
                found.add("revoke" if action[2] in self.hands[self.turn] else "not_held")
        elif kind in ("call", "trump", "discard", "kitty"):
            if action[1] != "D":
                found.add("wrong_turn")
            if kind == "call" and (action[2] not in CALLS or action[2] in self.used[self.dealer]):
                found.add("illegal_call")
            if kind == "trump" and action[2] not in list("SHDC"):
                found.add("illegal_trump")
            if kind == "discard" and len(action[2]) != self.game.kitty:
                found.add("discard_size")
            if kind == "discard" and any(card not in self.hands["D"] for card in action[2]):
                found.add("not_held")
        return found

    def exchange_faults(self, action: Action) -> set[str]:
        kind, seat, to, cards = action
        _, step, parcel = self.due
        if step == "send":
            parcel = next((each for each in self.sendable() if each["to"] == to), parcel)
        giver, taker = (parcel["from"], parcel["to"]) if step == "send" else (parcel["to"], parcel["from"])
        found = set()
        if kind != step or (seat, to) != (giver, taker):
            found.add("wrong_turn")
        if any(card not in self.hands[giver] for card in cards):
            found.add("not_held")
        if len(cards) != parcel["count"]:
            found.add("parcel_size")
        if step == "return" and sorted(cards) != sorted(self.back_due(parcel)):
            found.add("wrong_return")
        return found

    def deal_faults(self, action: Action) -> set[str]:
        _, hands, rest = action
        card = self.options.get("removed_card", "random_hidden")
        if any(len(hands[seat]) != self.game.each for seat in SEATS) or len(rest) != 52 - 3 * self.game.each:
            return {"wrong_deal"}
        return {"wrong_deal"} if card != "random_hidden" and rest != [card] else set()

    # what follows

    def do(self, action: Action) -> None:
        """The match after an allowed action."""
        assert not self.faults(action), (action, self.faults(action))
        getattr(self, "do_" + action[0])(*action[1:])
        self.settle_agenda()

    def do_deal(self, hands: dict[str, list[str]], rest: list[str]) -> None:
        self.clear()
        self.hands = {seat: list(cards) for seat, cards in hands.items()}
        if 3 * self.game.each + self.game.kitty == 52:
            self.undealt = list(rest)
        else:
            self.removed = list(rest)
        self.agenda = self.programme()

    def do_bid(self, seat: str, tricks: int | None) -> None:
        self.bids.append((seat, tricks))
        last = {each: bid for each, bid in self.bids}
        if self.highest_bid() == 7:
            if len(self.bids) == 3:  # all have passed
                dealer = (self.dealer + 1) % 3 if self.options["all_pass"] == "next_dealer" else self.dealer
                self.clear()
                self.dealer = dealer
            return
        best = max(i for i, (_, bid) in enumerate(self.bids) if bid is not None)
        bidder = self.bids[best][0]
        if self.options["bid_reentry"]:
            over = len(self.bids) - best == 3
        else:
            over = all(each == bidder or (each in last and last[each] is None) for each in SEATS)
        if over:
            self.quota = dict(zip(SEATS, AUCTION[self.highest_bid()], strict=True))
            start = SEATS.index(bidder)
            self.dealer = self.player(bidder)
            self.hands = {SEATS[i]: self.hands[SEATS[(start + i) % 3]] for i in range(3)}
            del self.agenda[0]

    def do_call(self, seat: str, call: str) -> None:
        self.call = call
        self.used[self.dealer].append(call)
        if call == "MIZ" and self.options["miz_caps"] == "listed":
            self.quota = {"D": 3, "E": 5, "M": 8}
        del self.agenda[0]

    def do_trump(self, seat: str, suit: str) -> None:
        self.call = suit
        del self.agenda[0]

    def do_send(self, seat: str, to: str, cards: list[str]) -> None:
        parcel = next(each for each in self.sendable() if each["to"] == to)
        parcel["sent"] = list(cards)
        due = next(each for each in self.agenda if isinstance(each, tuple) and each[1:] == ("send", parcel))
        self.agenda.remove(due)
        self.agenda.insert(0, due)
        self.pass_cards(seat, to, cards)

    def do_return(self, seat: str, to: str, cards: list[str]) -> None:
        self.due[2]["back"] = list(cards)
        self.pass_cards(seat, to, cards)

    def pass_cards(self, seat: str, to: str, cards: list[str]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.hands[to].append(card)
        del self.agenda[0]

    def do_discard(self, seat: str, cards: list[str]) -> None:
        for card in cards:
            self.hands["D"].remove(card)
        self.discard = list(cards)
        del self.agenda[0]

    def do_kitty(self, seat: str) -> None:
        self.kitty, self.undealt = self.undealt, []
        self.hands["D"] += self.kitty
        del self.agenda[0]

    def do_show(self, seat: str, to: str, cards: list[str]) -> None:
        self.shown.append((to, list(cards)))
        del self.agenda[0]

    def do_swap(self, seat: str, take: bool) -> None:
        self.swapped = take
        if take:
            self.hands[seat].remove("D2")
            self.hands[seat] += self.undealt
            self.undealt = ["D2"]
        del self.agenda[0]

    def do_play(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        if len(self.table) == 3:
            self.leader = trick_winner(self.table, self.trump)
            self.taken[self.leader] += 1
            self.tricks.append(self.leader)
            self.table = []
            if not self.hands[seat]:
                del self.agenda[0]

    def do_claim(self, tricks: tuple[int, int, int]) -> None:
        for seat, more in zip(SEATS, tricks, strict=True):
            self.taken[seat] += more
        del self.agenda[0]

    def do_score(self) -> None:
        tricks = dict(self.taken)
        count = dict.fromkeys(SEATS, 0)
        if self.name == "uni_high_359":  # the kitty is the dealer's first trick
            tricks["D"] += 1
            count["D"] = 1
        first = None
        for seat in self.tricks:
            count[seat] += 1
            if count[seat] > self.quota[seat] and first is None:
                first = self.player(seat)
        sign = -1 if self.call == "MIZ" else 1
        balance = {seat: sign * (tricks[seat] - self.quota[seat]) for seat in SEATS}
        self.deals.append(
            {
                "dealer": self.dealer,
                "call": self.call,
                "quota": self.quota,
                "tricks": tricks,
                "balance": balance,
                "balance_of": {self.player(seat): balance[seat] for seat in SEATS},
                "first_over": first,
                "bid": self.highest_bid() if self.bids else None,
            }
        )
        for seat in SEATS:
            self.totals[self.player(seat)] += balance[seat]
        self.winners = self.match_winners()
        if not self.winners:
            dealer = (self.dealer + 1) % 3
            self.clear()
            self.dealer = dealer

    def match_winners(self) -> list[int]:
        """Who has won the match, now that a deal has been scored."""
        last, options, end = self.deals[-1], self.options, self.options["end"]
        best = [player for player in range(3) if self.totals[player] == max(self.totals)]
        shared = options.get("goal_tie") == "shared"
        if end in ("twelve", "thirteen", "sixteen"):
            tricks = dict(last["tricks"])
            if options.get("count_kitty_trick_for_win") is False:
                tricks["D"] -= 1
            need = {"twelve": 12, "thirteen": 13, "sixteen": 16}[end]
            found = [seat for seat in SEATS if tricks[seat] >= need]
            if options.get("win_needs_bid") and last["bid"] and found == ["D"] and tricks["D"] < last["bid"]:
                found = []
            return [self.player(seat) for seat in found]
        if end == "quota_plus_5":
            top = max(last["balance"].values())
            found = [seat for seat in SEATS if last["balance"][seat] == top >= 5]
            return [self.player(seat) for seat in found] if len(found) == 1 or shared else []
        if end == "deals":
            return best if len(self.deals) == options["goal"] else []
        reached = max(self.totals) >= options["goal"]
        if self.name == "nine_five_two_swap":
            reached = reached or min(self.totals) <= -options["goal"]
        return best if reached and (len(best) == 1 or shared) else []
