# A player by rules of thumb, as one plays at a table: what to play from what this player sees, in a few comparisons.
#
# He knows his own cards, those that are gone (played, or known to be out of the game; to the dealer his discard, too)
# and the suits of which the others have shown to have none. Nothing else of the other hands is read here, so that a
# playout in which all follow these rules is one that the players could have played.
#
# Most tricks: lead trumps while he has the better of them, then winners, then a lone card to ruff with, then top of a
# sequence that forces out the last higher card, then low from length. Second: win if that is sure, else low. Last: win
# as cheaply as can be. Ruff low. Throw low cards away, keep guards and winners.
# Fewest tricks: lead a low card below many others; stay below the card to beat with the highest card that does; throw
# away what is most likely to win.
#
# One card follows from a situation, there is no chance in it. Ties go to the suit that comes first in S H D C.
from libc.stdint cimport uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_highest, tierce_lowest

#
# These are the rules of three hands; contract_policy.pxd has those of four, on the same table.
cdef enum:
    NO_TRUMP = 4
    SEATS = 4               # at most


cdef struct Table:
    uint64_t hands[SEATS]   # what each seat holds now, cards on the table not among it
    uint64_t pack
    uint64_t gone           # cards that all know to be in no hand
    uint64_t discard        # known to the dealer, seat 0, alone
    int seats               # 3 or 4
    int friends[SEATS]      # of four seats: those of the same side, bit 1 << seat, itself among them
    int declarer            # of four seats: who declares, or the first of two
    bint open               # of four seats: the declarer's hand lies open after the first trick
    int voids[SEATS]        # bit 1 << suit: the seat has shown to have none
    int trump               # 0 to 3, NO_TRUMP
    bint few                # are tricks bad?
    int leader              # of the trick on the table
    int n                   # cards on the table, fewer than seats
    int cards[SEATS]        # they, in the order played
    int best                # place of the one that wins so far


cdef inline uint64_t lane(int suit) noexcept nogil:
    return <uint64_t>0x1FFF << (16 * suit)


cdef inline uint64_t above(int card) noexcept nogil:
    """All cards of its suit that are higher."""
    return lane(card >> 4) & ~((<uint64_t>2 << card) - 1)


cdef inline uint64_t below(int card) noexcept nogil:
    """All cards of its suit that are lower."""
    return lane(card >> 4) & ((<uint64_t>1 << card) - 1)


cdef inline bint wins(int card, int other, int trump) noexcept nogil:
    """Does a card beat one that was played before it?"""
    if card >> 4 == other >> 4:
        return card > other
    return card >> 4 == trump


cdef inline int seat_at(const Table* t, int place) noexcept nogil:
    """Who plays the card at a place of the trick."""
    cdef int seat = t.leader + place
    return seat if seat < t.seats else seat - t.seats


cdef inline uint64_t playable(const Table* t, int seat) noexcept nogil:
    cdef uint64_t hand = t.hands[seat]
    cdef uint64_t follow
    if t.n == 0:
        return hand
    follow = hand & lane(t.cards[0] >> 4)
    return follow if follow else hand


cdef inline uint64_t unseen_by(const Table* t, int seat) noexcept nogil:
    """The cards that may be in another hand, for all this seat knows."""
    cdef uint64_t out = t.pack & ~t.gone & ~t.hands[seat]
    if seat == 0:
        out &= ~t.discard
    return out


cdef inline bint may_ruff(const Table* t, int seat, uint64_t out) noexcept nogil:
    """Can a seat have a trump?"""
    return t.trump != NO_TRUMP and (out & lane(t.trump)) != 0 and not (t.voids[seat] >> t.trump & 1)


# ---- leading ---------------------------------------------------------------------------------------------------------


cdef inline int lead_most(const Table* t, int seat) noexcept nogil:
    cdef uint64_t hand = t.hands[seat]
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t trumps = hand & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef uint64_t out_trumps = out & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef int after = (seat + 1) % 3
    cdef int last = (seat + 2) % 3
    cdef bint after_ruffs = may_ruff(t, after, out)
    cdef bint last_ruffs = may_ruff(t, last, out)
    cdef bint others_ruff = after_ruffs or last_ruffs
    cdef uint64_t mine, others
    cdef int suit, score, most, found, count

    if trumps and others_ruff:
        count = tierce_count(trumps)
        if trumps > out_trumps and 2 * count >= tierce_count(out_trumps):
            return tierce_highest(trumps)
        if count > tierce_count(out_trumps):
            return tierce_highest(trumps)

    most, found = -1000, -1
    for suit in range(4):
        mine = hand & lane(suit)
        others = out & lane(suit)
        if not mine or suit == t.trump or mine < others:
            continue
        if others_ruff:
            score = tierce_count(others)
            if (after_ruffs and t.voids[after] >> suit & 1) or (last_ruffs and t.voids[last] >> suit & 1):
                score -= 100
        else:
            score = tierce_count(mine)
        if score > most:
            most, found = score, tierce_highest(mine)
    if most > -50:
        return found

    if trumps:
        for suit in range(4):
            mine = hand & lane(suit)
            if suit != t.trump and tierce_count(mine) == 1 and (tierce_highest(mine) & 15) < 10:
                return tierce_highest(mine)

    most, found = -1000, -1
    for suit in range(4):
        mine = hand & lane(suit)
        others = out & lane(suit)
        if not mine or suit == t.trump:
            continue
        score = 4 * tierce_count(mine)
        if (after_ruffs and t.voids[after] >> suit & 1) or (last_ruffs and t.voids[last] >> suit & 1):
            score -= 20
        if forces(mine, others):
            score += 10
        if score > most:
            most = score
            found = tierce_highest(mine) if forces(mine, others) else tierce_lowest(mine)
    return found if found >= 0 else tierce_lowest(hand)


cdef inline bint forces(uint64_t mine, uint64_t others) noexcept nogil:
    """Two touching cards under one that is higher: leading them makes a winner."""
    cdef int top, second
    cdef uint64_t rest
    if not mine or not others:
        return False
    top = tierce_highest(mine)
    rest = mine & ~(<uint64_t>1 << top)
    if not rest or tierce_count(others & above(top)) != 1:
        return False
    second = tierce_highest(rest)
    return not (others & above(second) & below(top))


cdef inline int lead_few(const Table* t, int seat) noexcept nogil:
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t mine, others
    cdef int suit, score, card, higher, most = -100000, found = -1
    for suit in range(4):
        mine = t.hands[seat] & lane(suit)
        if not mine:
            continue
        others = out & lane(suit)
        card = tierce_lowest(mine)
        higher = tierce_count(others & above(card))
        score = 2 * higher - 3 * tierce_count(others & below(card))
        if not higher:
            score -= 1000
        if score > most:
            most, found = score, card
    return found


# ---- following -------------------------------------------------------------------------------------------------------


cdef inline int follow_most(const Table* t, int seat, uint64_t mine) noexcept nogil:
    """A card of the suit that was led."""
    cdef int best = t.cards[t.best]
    cdef int led = t.cards[0] >> 4
    cdef uint64_t over = mine & above(best) if best >> 4 == led else 0
    cdef uint64_t out, others
    cdef int third, top
    if not over:
        return tierce_lowest(mine)
    if t.n == 2:
        return tierce_lowest(over)
    third = (seat + 1) % 3
    out = unseen_by(t, seat)
    others = out & lane(led)
    if t.voids[third] >> led & 1:       # he cannot follow: what beats the lead wins, or he ruffs
        return tierce_lowest(over) if not may_ruff(t, third, out) else tierce_lowest(mine)
    top = tierce_highest(over)
    if not others & above(top):
        if others:
            over &= above(tierce_highest(others)) if tierce_highest(others) > best else over
        return tierce_lowest(over)
    if forces(mine, others):
        return top
    return tierce_lowest(mine)


cdef inline int follow_few(const Table* t, uint64_t mine) noexcept nogil:
    cdef int best = t.cards[t.best]
    cdef uint64_t under = mine & below(best) if best >> 4 == t.cards[0] >> 4 else mine
    if under:
        return tierce_highest(under)
    return tierce_highest(mine) if t.n == 2 else tierce_lowest(mine)


# ---- a suit he has none of -------------------------------------------------------------------------------------------


cdef inline int ruff_or_throw(const Table* t, int seat) noexcept nogil:
    cdef uint64_t trumps = t.hands[seat] & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef int best = t.cards[t.best]
    cdef uint64_t over = trumps & above(best) if best >> 4 == t.trump else trumps
    if over:
        return tierce_lowest(over)
    return throw_most(t, seat, trumps)


cdef inline int throw_most(const Table* t, int seat, uint64_t trumps) noexcept nogil:
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t mine, others
    cdef int suit, card, count, top, cost, least = 100000, found = -1
    for suit in range(4):
        mine = t.hands[seat] & lane(suit)
        if not mine or suit == t.trump:
            continue
        others = out & lane(suit)
        card = tierce_lowest(mine)
        top = tierce_highest(mine)
        count = tierce_count(mine)
        cost = 2 * (card & 15)
        if not others:
            cost += 40
        elif count == 1 and mine > others:
            cost += 30
        elif count == 1 and trumps:
            cost -= 6
        elif tierce_count(others & above(top)) == count - 1 and count > 1:
            cost += 8                   # the last guard
        if cost < least:
            least, found = cost, card
    return found if found >= 0 else tierce_lowest(t.hands[seat])


cdef inline int throw_few(const Table* t, int seat) noexcept nogil:
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t mine, others
    cdef int suit, card, score, most = -100000, found = -1
    for suit in range(4):
        mine = t.hands[seat] & lane(suit)
        if not mine:
            continue
        others = out & lane(suit)
        card = tierce_highest(mine)
        score = 2 * tierce_count(others & below(card)) - tierce_count(mine & below(card))
        score += 3 * (tierce_lowest(mine) & 15) // 4
        if not others:
            score = -50                 # it wins no trick unless it is led
        if score > most:
            most, found = score, card
    return found


cdef inline int choose(const Table* t, int seat) noexcept nogil:
    """The card that the rules of thumb play."""
    cdef uint64_t mine
    if t.n == 0:
        return lead_few(t, seat) if t.few else lead_most(t, seat)
    mine = t.hands[seat] & lane(t.cards[0] >> 4)
    if mine:
        return follow_few(t, mine) if t.few else follow_most(t, seat, mine)
    return throw_few(t, seat) if t.few else ruff_or_throw(t, seat)


# ---- the rules of play -----------------------------------------------------------------------------------------------


cdef inline int put(Table* t, int seat, int card) noexcept nogil:
    """Play a card. Returns the winner's seat if it ends the trick, else -1."""
    cdef int winner
    t.hands[seat] &= ~(<uint64_t>1 << card)
    t.gone |= <uint64_t>1 << card
    if t.n == 0:
        t.best = 0
    else:
        if card >> 4 != t.cards[0] >> 4:
            t.voids[seat] |= 1 << (t.cards[0] >> 4)
        if wins(card, t.cards[t.best], t.trump):
            t.best = t.n
    t.cards[t.n] = card
    t.n += 1
    if t.n < t.seats:
        return -1
    winner = seat_at(t, t.best)
    t.leader = winner
    t.n = 0
    return winner
