# The first question: about how many tricks will the counted side take?
#
# Only speed depends on it: zero-window search walks from the guess to the value one trick at a time. Linear in the
# honours (of the four top cards in play of each suit, 4 3 2 1), the trumps and the lead; the coefficients, in
# thousandths, are least-squares fits over some 250 random deals of 8 to 15 cards each; the error left has a standard
# deviation of 0.9 to 1.4 tricks. Whole numbers, so that every processor guesses alike.
from libc.stdint cimport uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_highest
from tierce.solver.search.types cimport Search, lane


cdef inline int first_guess(Search* s, uint64_t all, int leader, int tricks) noexcept nogil:
    cdef int side = s.counted, seats = 0, suit, worth, honours = 0, honours_of_all = 0, h, sum_
    cdef int trumps = 0, trumps_of_all = 0
    cdef bint other = False
    cdef uint64_t own = 0, cards, bit
    for h in range(s.n):
        seats += side >> h & 1
    if not s.natural:
        return tricks // 3
    if 2 * seats > s.n:     # fitted for the smaller side
        other = True
        side = ~side
        seats = s.n - seats
    for h in range(s.n):
        if side >> h & 1:
            own |= s.hand[h]
    for suit in range(4):
        cards = all & lane(suit)
        for worth in range(4, 0, -1):
            if not cards:
                break
            bit = <uint64_t>1 << tierce_highest(cards)
            cards ^= bit
            honours_of_all += worth
            if own & bit:
                honours += worth
    trumps = tierce_count(own & s.trumps)
    trumps_of_all = tierce_count(all & s.trumps)
    h = 1 if side >> leader & 1 else 0
    sum_ = 500
    if trumps_of_all:
        if s.n == 3:
            sum_ += tricks * (-309 + 907 * honours // honours_of_all + 673 * trumps // trumps_of_all) + 263 * h
        elif seats == 2:
            sum_ += tricks * (-644 + 1197 * honours // honours_of_all + 1071 * trumps // trumps_of_all) + 441 * h
        else:
            sum_ += tricks * (-242 + 674 * honours // honours_of_all + 733 * trumps // trumps_of_all) + 485 * h
    elif s.n == 3:
        sum_ += tricks * (-226 + 1198 * honours // honours_of_all) + 924 * h
    elif seats == 2:
        sum_ += tricks * (-363 + 1617 * honours // honours_of_all) + 1102 * h
    else:
        sum_ += tricks * (-163 + 967 * honours // honours_of_all) + 1020 * h
    sum_ = sum_ // 1000 if sum_ > 0 else 0
    if sum_ > tricks:
        sum_ = tricks
    return tricks - sum_ if other else sum_
