# The trumps that may come: what is trump and which suits have been declared since a scene, as a numbered list.
#
# Where the worth of a deal does not ask which suits were declared, what is trump is all that counts, and the list is
# short. Also tables by sets of a given size: their numbers, and which set has which.
from libc.stdint cimport uint32_t
from libc.stdlib cimport malloc

from tierce.solver.piles.scene cimport DECLARED, Scene, has_marriage
from tierce.solver.search.bits cimport tierce_count, tierce_lowest

cdef enum:
    STATES = 33             # four marriages: none, or any set of suits with any of them last


cdef struct Trumps:
    int count
    int trump[STATES]
    int made[STATES]        # suits declared since the scene, as bits; what is trump alone where sets do not count
    int then[STATES][4]     # the state after a suit is declared


cdef struct Sets:
    int size                # of the whole
    uint32_t* number        # of a set among those of as many members
    uint32_t* sets          # all, by their sizes, in the order of their numbers
    uint32_t start[22]      # where those of a size begin


cdef inline bint by_suits(const Scene* s) noexcept nogil:
    """Does the worth of the deal depend on what is declared from here on?"""
    cdef int tricks, made, suits = 0, suit, last
    for suit in range(4):
        if has_marriage(s, <uint32_t>-1, suit):
            suits |= 1 << suit
    for tricks in range(s.tricks, s.tricks + s.n + 1):
        for made in range(1, DECLARED):
            for last in range(4):
                if not made & ~suits and made >> last & 1 and (
                    s.worth[tricks][s.declared | made][last] != s.worth[tricks][s.declared][s.trump]
                ):
                    return True
    return False


cdef inline bint by_last(const Scene* s) noexcept nogil:
    """Does it depend on which suit was declared last?"""
    cdef int tricks, made, last, low
    for tricks in range(s.tricks, s.tricks + s.n + 1):
        for made in range(1, DECLARED):
            low = tierce_lowest(made)
            for last in range(4):
                if made >> last & 1 and s.worth[tricks][made][last] != s.worth[tricks][made][low]:
                    return True
    return False


cdef inline bint by_steps(const Scene* s) noexcept nogil:
    """Is a trick worth more or less than another?"""
    cdef int tricks
    if by_suits(s):
        return True
    for tricks in range(s.tricks + 1, s.tricks + s.n):
        if gain(s, tricks) - gain(s, s.tricks) > 1e-12 or gain(s, s.tricks) - gain(s, tricks) > 1e-12:
            return True
    return False


cdef inline double gain(const Scene* s, int tricks) noexcept nogil:
    return s.worth[tricks + 1][s.declared][s.trump] - s.worth[tricks][s.declared][s.trump]


cdef inline void list_trumps(const Scene* s, Trumps* t) noexcept nogil:
    cdef bint sets = by_suits(s)
    cdef int suits = 0, suit, made, i, other
    for suit in range(4):
        if has_marriage(s, <uint32_t>-1, suit):
            suits |= 1 << suit
    t.count = 1
    t.trump[0] = s.trump
    t.made[0] = 0
    for made in range(1, DECLARED):
        if made & ~suits or (not sets and tierce_count(made) > 1):
            continue
        for suit in range(4):
            if made >> suit & 1:
                t.trump[t.count] = suit
                t.made[t.count] = made
                t.count += 1
    for i in range(t.count):
        for suit in range(4):
            t.then[i][suit] = -1
            for other in range(1, t.count):
                if t.trump[other] == suit and (not sets or t.made[other] == t.made[i] | 1 << suit):
                    t.then[i][suit] = other


cdef inline bint possible(const Scene* s, const Trumps* t, int state, uint32_t hand) noexcept nogil:
    """A suit that was declared has lost its king or queen."""
    cdef int suit
    for suit in range(4):
        if t.made[state] >> suit & 1 and has_marriage(s, hand, suit):
            return False
    return True


cdef inline bint list_sets(Sets* f, int size) noexcept nogil:
    """False: no memory. The caller frees `number` and `sets`."""
    cdef uint32_t i, all_ = <uint32_t>1 << size
    cdef uint32_t at[22]
    cdef int count
    f.size = size
    f.number = <uint32_t*>malloc(all_ * sizeof(uint32_t))
    f.sets = <uint32_t*>malloc(all_ * sizeof(uint32_t))
    if f.number == NULL or f.sets == NULL:
        return False
    for count in range(22):
        f.start[count] = 0
        at[count] = 0
    for i in range(all_):
        count = tierce_count(i)
        f.number[i] = at[count]
        at[count] += 1
    for count in range(1, 22):
        f.start[count] = f.start[count - 1] + at[count - 1]
    for i in range(all_):
        f.sets[f.start[tierce_count(i)] + f.number[i]] = i
    return True


cdef inline uint32_t many(const Sets* f, int count) noexcept nogil:
    """How many sets have so many members."""
    return f.start[count + 1] - f.start[count] if count >= 0 else 0
