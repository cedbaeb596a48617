# Both piles known: the most (or fewest) tricks by dynamic programming over the sets of cards left in hand.
#
# A lane holds a trump and the suits that are still to be declared, all of which must be: what a deal is worth is a
# function of tricks and suits, and for a given set of suits more tricks are never worth less, so the most tricks for
# each set are all that is needed. Where sets do not count, a lane is a trump, and anything may be declared. The cards
# of a trick follow from the number of cards left. Four bytes a set and lane: values for leader 0, 1, 2, and none.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc

from tierce.solver.piles.judging cimport winner
from tierce.solver.piles.scene cimport MOST, Scene, TRUMPS, has_marriage, playable
from tierce.solver.piles.trumps cimport by_last
from tierce.solver.search.bits cimport tierce_count, tierce_lowest

cdef enum:
    LANES = 85
    NEVER = -100            # no way to do it


cdef struct Lane:
    int trump
    int suits               # to be declared, all of them; -1: any or none
    int last                # the last of them; -1: none, or any
    uint32_t need           # places that a hand must have for it
    int then[4]             # the lane after a suit is declared, or -1


cdef struct Known:
    const Scene* s
    int32_t one[MOST]
    int32_t two[MOST]
    int sign                # 1: most tricks, -1: fewest
    int count
    int starts              # lanes of the present trump; they come first
    Lane lanes[LANES]
    int8_t* values[LANES]
    uint8_t won[TRUMPS][MOST + 1][MOST][3]      # by trump, cards left in hand, place and leader: the winner
    volatile int* stop


cdef inline void list_lanes(Known* w, bint sets) noexcept nogil:
    """Lane 0 is the present trump with nothing to declare, or with anything."""
    cdef const Scene* s = w.s
    cdef int suits = 0, trump, made, suit, i, j, last
    cdef bint ends = sets and by_last(s)
    for suit in range(4):
        if has_marriage(s, <uint32_t>-1, suit):
            suits |= 1 << suit
    w.count = 0
    for trump in range(-1, 4):
        if trump >= 0 and not suits >> trump & 1:
            continue
        for made in range(16):
            if made & ~suits or (trump >= 0 and made >> trump & 1) or (made and not sets):
                continue
            for last in range(-1, 4):
                if (last < 0) != (not ends or not made) or (last >= 0 and not made >> last & 1):
                    continue
                w.lanes[w.count].trump = s.trump if trump < 0 else trump
                w.lanes[w.count].suits = made if sets else -1
                w.lanes[w.count].last = last
                w.lanes[w.count].need = 0
                for suit in range(4):
                    if made >> suit & 1:
                        w.lanes[w.count].need |= <uint32_t>1 << s.kings[suit] | <uint32_t>1 << s.queens[suit]
                w.count += 1
        if trump < 0:
            w.starts = w.count
    for i in range(w.count):
        for suit in range(4):
            w.lanes[i].then[suit] = -1
            if not suits >> suit & 1 or (sets and not w.lanes[i].suits >> suit & 1):
                continue
            for j in range(w.count):
                if j >= w.starts and w.lanes[j].trump == suit and (
                    not sets or (
                        w.lanes[j].suits == w.lanes[i].suits & ~(1 << suit)
                        and (w.lanes[i].last == w.lanes[j].last or (w.lanes[i].last == suit and not w.lanes[j].suits))
                    )
                ):
                    w.lanes[i].then[suit] = j


cdef inline void judge_tricks(Known* w) noexcept nogil:
    cdef const Scene* s = w.s
    cdef int trump, left, i, leader
    for trump in range(TRUMPS):
        for left in range(1, s.n + 1):
            for i in range(s.n):
                for leader in range(3):
                    w.won[trump][left][i][leader] = <uint8_t>winner(
                        s.rules.resolution, leader, s.own[i], w.one[s.n - left], w.two[s.n - left], trump
                    )


cdef inline int best_of(const Known* w, const Lane* lane, const int8_t* values, uint32_t hand, int left,
                        uint32_t cards, int leader) noexcept nogil:
    """The best of some cards, nothing declared with them."""
    cdef int found = NEVER, value, seat, place
    cdef const int8_t* after
    while cards:
        place = tierce_lowest(cards)
        seat = w.won[lane.trump][left][place][leader]
        after = values + 4 * (hand & ~(<uint32_t>1 << place))
        value = after[seat] + (w.sign if seat == 0 else 0)
        found = value if value > found else found
        cards &= cards - 1
    return found


cdef inline int declared(const Known* w, const Lane* lane, uint32_t hand, int left, int suit, int place) noexcept nogil:
    """What king or queen of a suit brings that is declared with it."""
    cdef int then = lane.then[suit], seat
    cdef int8_t after
    seat = w.won[suit][left][place][0]
    after = w.values[then][4 * (hand & ~(<uint32_t>1 << place)) + seat]
    return after + (w.sign if seat == 0 else 0)


cdef inline bint may_declare(const Known* w, const Lane* lane, uint32_t hand, int left, int suit) noexcept nogil:
    return lane.then[suit] >= 0 and has_marriage(w.s, hand, suit) and not (w.s.first and left == w.s.n)


cdef inline void fill(Known* w, uint32_t hand, int left, const uint32_t* second, const uint32_t* last) noexcept nogil:
    """The values of a hand in every lane; `second`, `last`: what it may play if a pile leads."""
    cdef int i, suit, value, best, k
    cdef const Lane* lane
    cdef int8_t* values
    for i in range(w.count):
        lane = &w.lanes[i]
        values = w.values[i]
        if hand & lane.need != lane.need:
            values[4 * hand] = values[4 * hand + 1] = values[4 * hand + 2] = NEVER
            continue
        best = best_of(w, lane, values, hand, left, hand, 0)
        for suit in range(4):
            if may_declare(w, lane, hand, left, suit):
                for k in range(2):
                    value = declared(w, lane, hand, left, suit, w.s.queens[suit] if k else w.s.kings[suit])
                    best = value if value > best else best
        values[4 * hand] = <int8_t>(best if best > NEVER else NEVER)
        values[4 * hand + 1] = <int8_t>best_of(w, lane, values, hand, left, last[0], 1)
        values[4 * hand + 2] = <int8_t>best_of(w, lane, values, hand, left, second[0], 2)


cdef inline bint solve_known(Known* w) noexcept nogil:
    """False: stopped. Sets of fewer cards have lower numbers than those they are made from."""
    cdef const Scene* s = w.s
    cdef uint32_t hand, second, last
    cdef int left, i
    judge_tricks(w)
    for i in range(w.count):
        w.values[i][0] = w.values[i][1] = w.values[i][2] = 0 if w.lanes[i].suits <= 0 else NEVER
    for hand in range(1, <uint32_t>1 << s.n):
        if hand & 0xFFF == 1 and w.stop[0]:
            return False
        left = tierce_count(hand)
        last = playable(s, hand, 1, w.one[s.n - left], w.two[s.n - left])
        second = playable(s, hand, 2, -1, w.two[s.n - left])
        fill(w, hand, left, &second, &last)
    return True


cdef inline Known* new_known(const Scene* s, bint sets, int sign, volatile int* stop) noexcept nogil:
    """Memory for it, NULL if there is none; the piles are the caller's to fill in."""
    cdef Known* w = <Known*>calloc(1, sizeof(Known))
    cdef int i
    if w == NULL:
        return NULL
    w.s = s
    w.sign = sign
    w.stop = stop
    list_lanes(w, sets)
    for i in range(w.count):
        w.values[i] = <int8_t*>malloc(<size_t>4 << s.n)
        if w.values[i] == NULL:
            free_known(w)
            return NULL
    return w


cdef inline void free_known(Known* w) noexcept nogil:
    cdef int i
    if w == NULL:
        return
    for i in range(LANES):
        free(w.values[i])
    free(w)
