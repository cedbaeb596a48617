# An upper bound of what any player can expect: the best he could do if he saw the order of the piles, less a penalty
# whose mean is nothing for everyone who does not see it (information relaxation, Brown, Smith and Sun 2010).
#
# The penalty of a trick is weight x (win x (1[won] - P(won)) + stand x (sum of the changes in his cards' chances to
# stand)). P is taken when he plays his card, from what he knows then. A card's chance to stand is how likely it would
# not be beaten if it were led to the next trick; as the tricks to come are all alike to him, it is a martingale, also
# where cards are known to be in a pile. Changes that he sees before he plays are summed over his whole hand, those that
# come after it over the cards he keeps, so that his choice is never made with knowledge of what is counted. The weight,
# what a trick is worth in the middle of what may come, depends on tricks left, tricks taken and suits declared alone.
# With no weights it is what one who sees everything reaches (and `known.pxd` is quicker).
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from tierce.solver.piles.penalty cimport (
    Bound, Penalty, Sums, hope_last, hope_second, list_groups, mean_hope, sum_trick,
)
from tierce.solver.piles.scene cimport LAST, MOST, Now, Scene, TRUMPS, begin, has_marriage, playable, turn
from tierce.solver.piles.trumps cimport STATES, by_steps, gain, list_sets, list_trumps, many, possible
from tierce.solver.search.bits cimport tierce_lowest


cdef inline void better(
    float* to, const float* values, const float* weight, float add, float z, int count
) noexcept nogil:
    """to[j] = max(to[j], values[j] + add - weight[j] z)."""
    cdef int j
    cdef float value
    for j in range(count):
        value = values[j] + add - weight[j] * z
        to[j] = value if value > to[j] else to[j]


cdef inline const float* after_trick(
    const Bound* b, int k, int state, uint32_t hand, int seat
) noexcept nogil:
    """Values after a trick that k cards were held for, by tricks since the scene; a win moves on by one."""
    cdef int width = b.s.n - k + 2 if b.steps else 1
    return b.old + (
        (<size_t>state * many(&b.hands, k - 1) + b.hands.number[hand]) * 3 + seat
    ) * width + (1 if b.steps and seat == 0 else 0)


cdef inline void bound_hand(Bound* b, int k, int state, uint32_t hand, uint32_t second, uint32_t last,
                            int one, int two, const float* weights, float* to) noexcept nogil:
    """The three leaders' values of a hand; weights: [state][j]."""
    cdef const Scene* s = b.s
    cdef int count = s.n - k + 1 if b.steps else 1
    cdef int suit, place, seat, i, then
    cdef const Sums* f = &b.sums[b.trumps.trump[state]]
    cdef const Sums* g
    cdef const float* weight = weights + LAST * state
    cdef float each = 0.0 if b.steps else <float>b.gain
    cdef float all_ = f.of_all[0][hand & 511] + f.of_all[1][hand >> 9]
    cdef float before = f.of_before[0][hand & 511] + f.of_before[1][hand >> 9]
    cdef float later = f.of_after[0][hand & 511] + f.of_after[1][hand >> 9]
    cdef float z, reach = <float>b.penalty.reach[k], last_hope = 0.0, second_hope = 0.0
    cdef int trump = b.trumps.trump[state]
    cdef uint32_t left = hand
    if reach != 0.0 and (k < s.n or s.turned[2] < 0):
        last_hope = reach * (hope_last(b, f, trump, hand, one) - mean_hope(b, f, trump, hand, 0))
        second_hope = reach * (hope_second(b, f, trump, hand, two) - mean_hope(b, f, trump, hand, 1))
    for i in range(3 * count):
        to[i] = -1e30
    while left:
        place = tierce_lowest(left)
        left &= left - 1
        seat = f.seat[0][place]
        z = f.won[0][place] + all_ - f.all_[place]
        better(to, after_trick(b, k, state, hand & ~(<uint32_t>1 << place), seat), weight,
               each if seat == 0 else 0.0, z, count)
        if last >> place & 1:
            seat = f.seat[1][place]
            better(to + count, after_trick(b, k, state, hand & ~(<uint32_t>1 << place), seat), weight,
                   each if seat == 0 else 0.0, all_ + last_hope, count)
        if second >> place & 1:
            seat = f.seat[2][place]
            z = f.won[2][place] + before + later - f.after[place] + second_hope
            better(to + 2 * count, after_trick(b, k, state, hand & ~(<uint32_t>1 << place), seat), weight,
                   each if seat == 0 else 0.0, z, count)
    if s.first and k == s.n:
        return
    for suit in range(4):
        then = b.trumps.then[state][suit]
        if then < 0 or not has_marriage(s, hand, suit):
            continue
        g = &b.sums[suit]
        all_ = g.of_all[0][hand & 511] + g.of_all[1][hand >> 9]
        for i in range(2):
            place = s.queens[suit] if i else s.kings[suit]
            seat = g.seat[0][place]
            z = g.won[0][place] + all_ - g.all_[place]
            better(to, after_trick(b, k, then, hand & ~(<uint32_t>1 << place), seat), weights + LAST * then,
                   each if seat == 0 else 0.0, z, count)


cdef inline bint bound_level(Bound* b, int k, int x, int y) noexcept nogil:
    """All hands of k cards, in every state; False: stopped."""
    cdef const Scene* s = b.s
    cdef int count = s.n - k + 1 if b.steps else 1
    cdef uint32_t i, hand, number = many(&b.hands, k)
    cdef int state, j
    cdef float weights[STATES][LAST]
    for state in range(b.trumps.count):
        for j in range(LAST):
            weights[state][j] = b.weight[k - 1][j][state]
    for state in range(b.trumps.count):
        for i in range(number):
            if not i & 255 and b.stop[0]:
                return False
            hand = b.hands.sets[b.hands.start[k] + i]
            if possible(s, &b.trumps, state, hand):
                bound_hand(b, k, state, hand, playable(s, hand, 2, -1, y), playable(s, hand, 1, x, y), x, y,
                           &weights[0][0], b.new + (<size_t>state * number + i) * 3 * count)
    return True


cdef inline bint bound_order(Bound* b, const int32_t* one, const int32_t* two, double* found) noexcept nogil:
    """The penalised best in one order of the piles; False: stopped."""
    cdef const Scene* s = b.s
    cdef Now before[MOST + 1]
    cdef int k, state, leader, j, t, width = s.n + 1 if b.steps else 1
    cdef float* other
    begin(s, &before[0])
    for t in range(s.n):
        before[t].trick = t
        before[t + 1] = before[t]
        turn(&before[t + 1], one[t])
        turn(&before[t + 1], two[t])
        before[t + 1].down[1] = before[t + 1].down[2] = s.n - t - 1
    for state in range(b.trumps.count):
        for leader in range(3):
            for j in range(width):
                b.old[(state * 3 + leader) * width + j] = <float>(
                    s.worth[s.tricks + j][s.declared | b.trumps.made[state]][b.trumps.trump[state]] if b.steps else 0.0
                )
    for k in range(1, s.n + 1):
        t = s.n - k
        for j in range(TRUMPS):
            if b.used[j]:
                sum_trick(b, &b.sums[j], &before[t], j, one[t], two[t])
        if not bound_level(b, k, one[t], two[t]):
            return False
        other = b.old
        b.old = b.new
        b.new = other
    found[0] = b.old[s.leader]      # state 0, the whole hand, no trick yet
    if not b.steps:
        found[0] += s.worth[s.tricks][s.declared][s.trump]
    return True


cdef inline Bound* new_bound(const Scene* s, const Penalty* penalty, volatile int* stop) noexcept nogil:
    """Ready for orders; NULL if there is no memory. The weights are the caller's to fill in."""
    cdef Bound* b = <Bound*>malloc(sizeof(Bound))
    cdef size_t need = 0, here
    cdef int k, state
    if b == NULL:
        return NULL
    memset(b, 0, sizeof(Bound))
    b.s = s
    b.penalty = penalty[0]
    b.stop = stop
    b.steps = by_steps(s)
    b.gain = gain(s, s.tricks)
    list_trumps(s, &b.trumps)
    list_groups(b)
    for state in range(b.trumps.count):
        b.used[b.trumps.trump[state]] = True
    if list_sets(&b.hands, s.n):
        for k in range(s.n + 1):
            here = <size_t>b.trumps.count * many(&b.hands, k) * 3 * (s.n - k + 1 if b.steps else 1)
            need = here if here > need else need
        b.old = <float*>malloc(need * sizeof(float))
        b.new = <float*>malloc(need * sizeof(float))
    if b.old == NULL or b.new == NULL:
        free_bound(b)
        return NULL
    return b


cdef inline void free_bound(Bound* b) noexcept nogil:
    if b == NULL:
        return
    free(b.old)
    free(b.new)
    free(b.hands.number)
    free(b.hands.sets)
    free(b)


cdef inline double weight_of(const Scene* s, int left, int taken, int suits, int trump) noexcept nogil:
    """What one more trick is worth, where `left` later ones are won or lost by the toss of a coin."""
    cdef double chance_ = 1.0, found = 0.0
    cdef int i, _
    for _ in range(left):
        chance_ /= 2
    for i in range(left + 1):
        found += chance_ * (
            s.worth[s.tricks + taken + i + 1][s.declared | suits][trump]
            - s.worth[s.tricks + taken + i][s.declared | suits][trump]
        )
        chance_ = chance_ * (left - i) / (i + 1)
    return found


cdef inline void fill_weights(Bound* b) noexcept nogil:
    cdef const Scene* s = b.s
    cdef int left, taken, state
    for state in range(b.trumps.count):
        for left in range(s.n):
            for taken in range(s.n - left):
                b.weight[left][taken][state] = <float>(
                    weight_of(s, left, taken, b.trumps.made[state], b.trumps.trump[state]) if b.steps else b.gain
                )
