# Better play than the rules of thumb: every way to play is tried in many orders of the piles, the same for all, and
# played out by the rules; the best mean is chosen. Near the end the exact expectation chooses.
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.math cimport sqrt
from libc.string cimport memset

from tierce.solver.piles.exact cimport DONE, OPTIONS, Values, expectation
from tierce.solver.piles.greedy cimport Policy, after, finish
from tierce.solver.piles.judging cimport winner
from tierce.solver.piles.scene cimport (
    MOST, Now, Scene, TRUMPS, begin, draw, has_marriage, is_joker, mixed, playable,
)
from tierce.solver.search.bits cimport tierce_lowest

cdef enum:
    ROUNDS = 4              # of a decision; after each, ways that are clearly worse are left out
    BYTES = 1 << 26         # for an ending


cdef struct Scores:
    int count
    int samples
    int place[OPTIONS]
    int suit[OPTIONS]
    bint out[OPTIONS]       # no longer tried
    double sum_[OPTIONS]
    double cross[OPTIONS][OPTIONS]  # sums of products


cdef inline void list_ways(const Scene* s, Scores* f) noexcept nogil:
    """Ways to play at the scene: cards, and king or queen with the suit declared. Its piles have turned their cards."""
    cdef uint32_t hand = (<uint32_t>1 << s.n) - 1
    cdef uint32_t cards = playable(s, hand, s.leader, s.turned[1], s.turned[2])
    cdef int suit, i
    memset(f, 0, sizeof(Scores))
    while cards:
        f.place[f.count] = tierce_lowest(cards)
        f.suit[f.count] = -1
        cards &= cards - 1
        f.count += 1
    if s.leader or s.first:
        return
    for suit in range(4):
        if has_marriage(s, hand, suit):
            for i in range(2):
                f.place[f.count] = s.queens[suit] if i else s.kings[suit]
                f.suit[f.count] = suit
                f.count += 1


cdef inline void way(
    const Scene* s, Now* now, int place, int suit, const int32_t* one, const int32_t* two
) noexcept nogil:
    """Play one card and end the trick."""
    cdef int x = one[now.trick], y = two[now.trick]
    if suit >= 0:
        now.trump = suit
        now.declared |= 1 << suit
    after(s, now, place, x, y, winner(s.rules.resolution, now.leader, s.own[place], x, y, now.trump))


cdef inline void try_all(
    const Scene* s, const Policy* p, uint64_t seed, int start, int count, Scores* f, volatile int* stop
) noexcept nogil:
    """So many more orders; fewer if stopped."""
    cdef int32_t one[MOST]
    cdef int32_t two[MOST]
    cdef double value[OPTIONS]
    cdef Now fresh, now
    cdef int sample, i, j
    begin(s, &fresh)
    for sample in range(start, start + count):
        if stop[0]:
            return
        draw(s, seed + <uint64_t>sample * <uint64_t>0xD1342543DE82EF95, one, two)
        for i in range(f.count):
            value[i] = 0.0
            if f.out[i]:
                continue
            now = fresh
            way(s, &now, f.place[i], f.suit[i], one, two)
            finish(s, p, &now, one, two)
            value[i] = s.worth[now.tricks][now.declared][now.trump]
            f.sum_[i] += value[i]
        for i in range(f.count):
            for j in range(i + 1):
                f.cross[i][j] += value[i] * value[j]
        f.samples += 1


cdef inline int best_way(const Scores* f) noexcept nogil:
    cdef int i, best = -1
    for i in range(f.count):
        if not f.out[i] and (best < 0 or f.sum_[i] > f.sum_[best]):
            best = i
    return best


cdef inline int leave_out(Scores* f, double errors) noexcept nogil:
    """Leave out what is behind the best by so many standard errors of the difference; how many are left."""
    cdef int i, best = best_way(f), left = 0
    cdef double ahead, spread, n = f.samples
    for i in range(f.count):
        if f.out[i]:
            continue
        ahead = (f.sum_[best] - f.sum_[i]) / n
        spread = f.cross[i][i] + f.cross[best][best]
        spread -= 2 * (f.cross[i][best] if i > best else f.cross[best][i])
        spread = spread / n - ahead * ahead
        if i != best and ahead > errors * sqrt((spread if spread > 0 else 0.0) / n) and ahead > 0:
            f.out[i] = True
        else:
            left += 1
    return left


cdef inline void narrowed(const Scene* s, const Now* now, int one, int two, Scene* to) noexcept nogil:
    """The scene of a later moment; one, two: the cards on the table, -1 for none."""
    cdef uint32_t left = now.hand
    cdef int place, suit, trump
    to[0] = s[0]
    to.n = 0
    for suit in range(TRUMPS):
        to.suits[suit] = 0
    for suit in range(4):
        to.kings[suit] = -1
        to.queens[suit] = -1
    while left:
        place = tierce_lowest(left)
        left &= left - 1
        suit = 4 if is_joker(s.own[place]) else s.own[place] >> 4
        to.own[to.n] = s.own[place]
        to.suits[suit] |= <uint32_t>1 << to.n
        for trump in range(TRUMPS):
            to.beaters[trump][to.n] = s.beaters[trump][place]
            to.beaten[trump][to.n] = s.beaten[trump][place]
        if suit < 4 and has_marriage(s, now.hand, suit):
            if place == s.kings[suit]:
                to.kings[suit] = to.n
            if place == s.queens[suit]:
                to.queens[suit] = to.n
        to.n += 1
    for suit in range(3):
        to.sets[suit] = now.sets[suit]
    to.turned[1], to.turned[2] = one, two
    for suit in range(3):
        if one >= 0:
            to.sets[suit] &= ~(<uint64_t>1 << one)
        if two >= 0:
            to.sets[suit] &= ~(<uint64_t>1 << two)
    to.leader = now.leader
    to.trump = now.trump
    to.declared = now.declared
    to.tricks = now.tricks
    to.first = s.first and now.trick == 0


cdef inline int decide(
    const Scene* s, const Policy* p, int samples, int exact, uint64_t seed, Scores* f, volatile int* stop
) noexcept nogil:
    """The best way of a scene, as an index into `f`; -1: stopped."""
    cdef Values values
    cdef int i, best = 0, round_
    list_ways(s, f)
    if f.count == 1:
        return 0
    if s.n <= exact and expectation(s, &values, BYTES, stop) == DONE:
        for i in range(values.count):
            if values.value[i] > values.value[best] + 1e-12:
                best = i
        for i in range(f.count):
            if f.place[i] == values.place[best] and f.suit[i] == values.suit[best]:
                return i
    for round_ in range(ROUNDS):
        try_all(s, p, seed, f.samples, samples * (round_ + 1) // ROUNDS - f.samples, f, stop)
        if stop[0]:
            return -1
        if f.samples and leave_out(f, 3.0) == 1:
            break
    return best_way(f)


cdef inline bint play_well(
    const Scene* s, const Policy* p, int samples, int exact, uint64_t seed, const int32_t* one, const int32_t* two,
    Now* now, volatile int* stop
) noexcept nogil:
    """Play a whole order by the best way at each turn; False: stopped."""
    cdef Scene here
    cdef Scores f
    cdef int x, y, found, _
    cdef uint32_t places
    begin(s, now)
    while now.hand:
        x = one[now.trick] if now.leader == 1 else -1
        y = two[now.trick] if now.leader else -1
        narrowed(s, now, x, y, &here)
        found = decide(&here, p, samples, exact, mixed(seed + now.trick), &f, stop)
        if found < 0:
            return False
        places = now.hand
        for _ in range(f.place[found]):
            places &= places - 1
        way(s, now, tierce_lowest(places), f.suit[found], one, two)
    return True
