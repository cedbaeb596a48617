# A player by rules of thumb in a contract of four hands: two against two, or one against three.
#
# As policy.pxd, and on its table, but the tricks of the whole side count: nobody beats a friend's card that stands, and
# what a friend can ruff is led. A player knows his own cards, those that are gone and the suits that others have shown
# to have none of; of a hand that lies open its cards. Nothing else of the other hands is read here.
#
# Tricks: lead trumps while the side has the better of them, winners, what a friend ruffs, a lone card, then through
# strength. Second: win if that is sure, else low. Third: high, but no higher than need be. Last: as cheaply as can be.
# No tricks, the bidder: low leads, and below the card to beat with the highest card that is.
# No tricks, the others: lead low in the suits in which the bidder may be caught, never in one he has shown to lack;
# under his card with the highest that is; where the trick cannot be his, away with high cards.
from libc.stdint cimport uint64_t

from tierce.solver.hints.policy cimport (
    NO_TRUMP, Table, above, below, forces, lane, lead_few, seat_at, throw_few, throw_most, unseen_by,
)
from tierce.solver.search.bits cimport tierce_count, tierce_highest, tierce_lowest


cdef inline bint friendly(const Table* t, int seat, int other) noexcept nogil:
    return t.friends[seat] >> other & 1


cdef inline bint can_trump(const Table* t, int seat, uint64_t out) noexcept nogil:
    """May a seat have a trump?"""
    return t.trump != NO_TRUMP and (out & lane(t.trump)) != 0 and not (t.voids[seat] >> t.trump & 1)


cdef inline bint enemies_ruff(const Table* t, int seat, uint64_t out) noexcept nogil:
    cdef int other
    for other in range(4):
        if not friendly(t, seat, other) and can_trump(t, other, out):
            return True
    return False


cdef inline bint enemies_to_play(const Table* t, int seat) noexcept nogil:
    """Does an enemy still play to this trick, after this seat?"""
    cdef int place
    for place in range(t.n + 1, 4):
        if not friendly(t, seat, seat_at(t, place)):
            return True
    return False


cdef inline bint stands(const Table* t, int seat, uint64_t out) noexcept nogil:
    """Can no enemy who still plays beat the best card, as far as is known?"""
    cdef int best = t.cards[t.best], led = t.cards[0] >> 4, place, other
    cdef uint64_t over = out & above(best)
    for place in range(t.n + 1, 4):
        other = seat_at(t, place)
        if friendly(t, seat, other):
            continue
        if over and not (t.voids[other] >> (best >> 4) & 1) and (best >> 4 == led or t.voids[other] >> led & 1):
            return False
        if best >> 4 != t.trump and t.voids[other] >> led & 1 and can_trump(t, other, out):
            return False
    return True


cdef inline int cheapest(uint64_t mine, int card, uint64_t out) noexcept nogil:
    """The lowest card of a sequence."""
    cdef uint64_t lower = mine & below(card)
    cdef int next_
    while lower:
        next_ = tierce_highest(lower)
        if out & below(card) & above(next_):
            break
        card = next_
        lower &= below(next_)
    return card


# ---- tricks ----------------------------------------------------------------------------------------------------------


cdef inline int lead_for_side(const Table* t, int seat) noexcept nogil:
    cdef uint64_t hand = t.hands[seat]
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t trumps = hand & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef uint64_t out_trumps = out & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef bint ruffs = enemies_ruff(t, seat, out)
    cdef bint declares = friendly(t, seat, t.declarer)
    cdef bint alone = t.friends[seat] == 1 << seat
    cdef uint64_t mine, others
    cdef int suit, score, other, most, found, count, top

    if trumps and ruffs and declares:
        count = tierce_count(trumps)
        if trumps > out_trumps and 2 * count >= tierce_count(out_trumps):
            return tierce_highest(trumps)
        if count > tierce_count(out_trumps):
            return tierce_highest(trumps)
        if not alone and count > 3:
            return tierce_highest(trumps) if forces(trumps, out_trumps) else tierce_lowest(trumps)

    most, found = -1000, -1
    for suit in range(4):
        mine = hand & lane(suit)
        others = out & lane(suit)
        if not mine or suit == t.trump or mine < others:
            continue
        score = tierce_count(others) if ruffs else tierce_count(mine)
        for other in range(4):
            if ruffs and t.voids[other] >> suit & 1 and not friendly(t, seat, other) and can_trump(t, other, out):
                score -= 100
        if score > most:
            most, found = score, tierce_highest(mine)
    if most > -50:
        return found

    most, found = -1000, -1
    for suit in range(4):
        mine = hand & lane(suit)
        others = out & lane(suit)
        if not mine or suit == t.trump:
            continue
        count = tierce_count(mine)
        top = tierce_highest(mine)
        score = 2 * count
        for other in range(4):
            if other == seat or not (t.voids[other] >> suit & 1):
                continue
            if friendly(t, seat, other):
                score += 16 if can_trump(t, other, out) else 0
            else:
                score -= 20 if can_trump(t, other, out) else 4
        if trumps and count == 1 and (top & 15) < 11:
            score += 9
        if forces(mine, others):
            score += 8
        elif count > 1 and not out & above(top) and others and not forces(mine, others):
            score -= 5              # an ace without its king keeps
        if score > most:
            most = score
            found = cheapest(mine, top, out) if forces(mine, others) else tierce_lowest(mine)
    return found if found >= 0 else tierce_lowest(hand)


cdef inline int follow_for_side(const Table* t, int seat, uint64_t mine) noexcept nogil:
    """A card of the suit that was led."""
    cdef int best = t.cards[t.best], led = t.cards[0] >> 4
    cdef bint ours = friendly(t, seat, seat_at(t, t.best))
    cdef uint64_t over = mine & above(best) if best >> 4 == led else 0
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t others = out & lane(led)
    cdef uint64_t sure
    if not over or (ours and stands(t, seat, out)):
        return tierce_lowest(mine)
    if not enemies_to_play(t, seat):
        return tierce_lowest(over)
    sure = over & above(tierce_highest(others)) if others else over
    if ours and (best & 15) > 8 and not sure:
        return tierce_lowest(mine)
    if sure:
        return tierce_lowest(sure)
    if t.n == 1:
        return cheapest(mine, tierce_highest(mine), out) if forces(mine, others) else tierce_lowest(mine)
    if ours and not others & above(best) & below(tierce_highest(over)):
        return tierce_lowest(mine)      # what would beat mine as well beats his
    return cheapest(over, tierce_highest(over), out)


cdef inline int ruff_for_side(const Table* t, int seat) noexcept nogil:
    """A card of another suit than was led."""
    cdef uint64_t trumps = t.hands[seat] & lane(t.trump) if t.trump != NO_TRUMP else 0
    cdef int best = t.cards[t.best]
    cdef uint64_t over = trumps & above(best) if best >> 4 == t.trump else trumps
    if over and not (friendly(t, seat, seat_at(t, t.best)) and stands(t, seat, unseen_by(t, seat))):
        return tierce_lowest(over)
    return throw_most(t, seat, trumps)


# ---- no tricks -------------------------------------------------------------------------------------------------------


cdef inline uint64_t open_hand(const Table* t) noexcept nogil:
    """The bidder's hand where it lies open, else nothing."""
    return t.hands[t.declarer] if t.open and tierce_count(t.gone) >= 4 else 0


cdef inline int lead_at_bidder(const Table* t, int seat) noexcept nogil:
    """A low card where the bidder may have nothing lower."""
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t shown = open_hand(t)
    cdef uint64_t mine, others, his
    cdef int suit, score, card, most = -100000, found = -1
    for suit in range(4):
        mine = t.hands[seat] & lane(suit)
        if not mine:
            continue
        others = out & lane(suit)
        card = tierce_lowest(mine)
        his = others & shown if shown else others
        if t.voids[t.declarer] >> suit & 1 or not his:
            score = -1000 - (card & 15)
        elif shown:
            others &= ~shown
            score = 40 if his > mine and card < tierce_lowest(his) else 0
            score += 4 * tierce_count(others & below(tierce_lowest(his)))
            score -= 3 * tierce_count(others & above(tierce_lowest(his))) + 2 * (tierce_count(his) - 1)
        else:
            score = 3 * tierce_count(others & above(card)) - 5 * tierce_count(others & below(card)) - tierce_count(mine)
        if score > most:
            most, found = score, card
    return found


cdef inline int follow_bidder(const Table* t, int seat, uint64_t mine) noexcept nogil:
    """Under the bidder's card, or, where the trick cannot be his any more, as high as can be."""
    cdef int best = t.cards[t.best]
    cdef uint64_t under = mine & below(best)
    cdef uint64_t out, his
    cdef int place
    cdef bint to_come = False
    for place in range(t.n + 1, 4):
        to_come = to_come or seat_at(t, place) == t.declarer
    if not to_come:
        if seat_at(t, t.best) != t.declarer:
            return tierce_highest(mine)
        return tierce_highest(under) if under else tierce_highest(mine)
    out = unseen_by(t, seat) & lane(best >> 4)
    his = out & open_hand(t) if open_hand(t) else out
    if t.voids[t.declarer] >> (best >> 4) & 1 or not his & above(best):
        return tierce_highest(mine)     # he gets below it whatever is played
    if under:
        return tierce_highest(under)
    return tierce_lowest(mine)


cdef inline int throw_at_bidder(const Table* t, int seat) noexcept nogil:
    """A high card that would save him, of a suit in which he may be caught."""
    cdef uint64_t out = unseen_by(t, seat)
    cdef uint64_t shown = open_hand(t)
    cdef uint64_t mine, others
    cdef int suit, card, score, most = -100000, found = -1
    for suit in range(4):
        mine = t.hands[seat] & lane(suit)
        if not mine:
            continue
        others = out & lane(suit)
        card = tierce_highest(mine)
        score = 2 * tierce_count(others & below(card)) + (card & 15)
        if t.voids[t.declarer] >> suit & 1 or not (others & shown if shown else others):
            score = (card & 15) - 15    # it does no harm
        if score > most:
            most, found = score, card
    return found


cdef inline int duck(const Table* t, uint64_t mine) noexcept nogil:
    """Below the card to beat with the highest that is; else over it with little, and last with much."""
    cdef uint64_t under = mine & below(t.cards[t.best])
    if under:
        return tierce_highest(under)
    return tierce_highest(mine) if t.n == 3 else tierce_lowest(mine)


cdef inline int choose_for_side(const Table* t, int seat) noexcept nogil:
    """The card that the rules of thumb play."""
    cdef uint64_t mine
    cdef bint bidder = seat == t.declarer
    if t.n == 0:
        if t.few:
            return lead_few(t, seat) if bidder else lead_at_bidder(t, seat)
        return lead_for_side(t, seat)
    mine = t.hands[seat] & lane(t.cards[0] >> 4)
    if not t.few:
        return follow_for_side(t, seat, mine) if mine else ruff_for_side(t, seat)
    if mine:
        return duck(t, mine) if bidder else follow_bidder(t, seat, mine)
    return throw_few(t, seat) if bidder else throw_at_bidder(t, seat)
