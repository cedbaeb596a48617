# A hand played on from a table: what comes to the same, what others play, and to the end.
#
# All is settled by the table and by the state of a generator of random numbers, which is 64 bits of the caller's.
from libc.stdint cimport uint64_t
from libc.string cimport memset

from tierce.solver.hints.contract_policy cimport choose_for_side
from tierce.solver.hints.policy cimport (
    SEATS, Table, above, below, choose, lane, playable, put, seat_at, unseen_by,
)
from tierce.solver.search.bits cimport tierce_count, tierce_highest, tierce_lowest

cdef enum:
    WORLD = 4               # masks of a world: three hands and the discard, or four hands
    MOVES = 18              # cards of a hand


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x ^= x >> 30
    x *= <uint64_t>0xBF58476D1CE4E5B9
    x ^= x >> 27
    x *= <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline int by_rule(const Table* t, int seat) noexcept nogil:
    """The card that the rules of thumb play, of three hands or of four."""
    return choose(t, seat) if t.seats == 3 else choose_for_side(t, seat)


cdef inline uint64_t on_table(const Table* t) noexcept nogil:
    cdef uint64_t found = 0
    cdef int i
    for i in range(t.n):
        found |= <uint64_t>1 << t.cards[i]
    return found


cdef inline uint64_t distinct(const Table* t, int seat) noexcept nogil:
    """Of the cards a seat may play those that are not the same as a higher one: nothing that is still in play lies
    between them. Cards on the table do until the trick ends."""
    cdef uint64_t left = playable(t, seat), found = 0
    cdef uint64_t mine = left
    cdef uint64_t out = t.pack & ~(t.gone & ~on_table(t)) & ~t.hands[seat]
    cdef int card, last = -1
    if seat == 0:
        out &= ~t.discard
    while left:
        card = tierce_highest(left)
        left &= ~(<uint64_t>1 << card)
        if last < 0 or last >> 4 != card >> 4 or out & below(last) & above(card):
            found |= <uint64_t>1 << card
        last = card
    return found if found else mine


cdef inline int any_card(uint64_t cards, uint64_t* state) noexcept nogil:
    cdef int skip
    state[0] = mixed(state[0] + <uint64_t>0x9E3779B97F4A7C15)
    skip = <int>(state[0] % <uint64_t>tierce_count(cards))
    while skip:
        cards &= cards - 1
        skip -= 1
    return tierce_lowest(cards)


cdef inline int other_card(const Table* t, int seat, int noise, uint64_t* state) noexcept nogil:
    """What another player plays: by the rules, or in `noise` of 256 cases any card."""
    if noise:
        state[0] = mixed(state[0] + <uint64_t>0x9E3779B97F4A7C15)
        if <int>(state[0] & 255) < noise:
            return any_card(playable(t, seat), state)
    return by_rule(t, seat)


cdef inline void into(Table* t, const Table* base, const uint64_t* world) noexcept nogil:
    t[0] = base[0]
    t.hands[0] = world[0]
    t.hands[1] = world[1]
    t.hands[2] = world[2]
    if t.seats == 3:
        t.discard = world[3]
    else:
        t.hands[3] = world[3]


cdef inline void finish(Table* t, int noise, int own, uint64_t* state, int* taken) noexcept nogil:
    """Play to the end."""
    cdef int seat, winner, card
    while t.n or t.hands[t.leader]:
        seat = seat_at(t, t.n)
        card = by_rule(t, seat) if seat == own else other_card(t, seat, noise, state)
        winner = put(t, seat, card)
        if winner >= 0:
            taken[winner] += 1


cdef inline void dealt_anew(Table* t, int seat, uint64_t* state) noexcept nogil:
    """Of three hands: the other hands as they may be for all a seat knows from the play: cards it has not seen, at
    random, to those who have shown no void in their suit."""
    cdef int first = (seat + 1) % 3, second = (seat + 2) % 3
    cdef int sizes[SEATS]
    cdef uint64_t left = unseen_by(t, seat) & ~on_table(t)
    cdef uint64_t one, both = 0, only_first = 0, only_second = 0
    cdef int suit, to_first, to_second, card
    sizes[first] = tierce_count(t.hands[first])
    sizes[second] = tierce_count(t.hands[second])
    for suit in range(4):
        one = left & lane(suit)
        if t.voids[first] >> suit & 1:
            if not (t.voids[second] >> suit & 1):
                only_second |= one
        elif t.voids[second] >> suit & 1:
            only_first |= one
        else:
            both |= one
    t.hands[first] = 0
    t.hands[second] = 0
    # What is left in the end goes to nobody (kitty, discard). The larger hand draws first; should a void leave it no
    # card, it takes any, for hands must be of their sizes.
    to_first, to_second = sizes[first], sizes[second]
    while to_first + to_second:
        if to_second > to_first:
            left = only_second | both
            card = any_card(left if left else only_first, state)
            t.hands[second] |= <uint64_t>1 << card
            to_second -= 1
        else:
            left = only_first | both
            card = any_card(left if left else only_second, state)
            t.hands[first] |= <uint64_t>1 << card
            to_first -= 1
        both &= ~(<uint64_t>1 << card)
        only_first &= ~(<uint64_t>1 << card)
        only_second &= ~(<uint64_t>1 << card)


cdef inline int thought(const Table* base, int seat, int worlds, uint64_t* state) noexcept nogil:
    """The card of a player who tries each in a few worlds of his own, played out by the rules."""
    cdef uint64_t options = distinct(base, seat)
    cdef int totals[MOVES]
    cdef int cards[MOVES]
    cdef int taken[SEATS]
    cdef int n = 0, i, _world, best = 0, winner
    cdef int sign = -1 if base.few else 1
    cdef Table dealt, t
    while options:
        cards[n] = tierce_lowest(options)
        totals[n] = 0
        options &= options - 1
        n += 1
    if n == 1:
        return cards[0]
    for _world in range(worlds):
        dealt = base[0]
        dealt_anew(&dealt, seat, state)
        for i in range(n):
            t = dealt
            memset(taken, 0, sizeof(taken))
            winner = put(&t, seat, cards[i])
            if winner >= 0:
                taken[winner] += 1
            finish(&t, 0, seat, state, taken)
            totals[i] += taken[seat]
    for i in range(1, n):
        if sign * totals[i] > sign * totals[best]:
            best = i
    return cards[best]


cdef inline bint same(const Table* t, int seat, int one, int other) noexcept nogil:
    """Do two cards of a hand come to the same?"""
    cdef int high = one if one > other else other
    cdef int low = other if one > other else one
    cdef uint64_t out = t.pack & ~(t.gone & ~on_table(t)) & ~t.hands[seat]
    if one >> 4 != other >> 4:
        return False
    return not (out & below(high) & above(low))
