# The penalty of a bound (bound.pxd states it): what it counts at one trick, for every card of the declarer's, and
# summed over sets of his cards, so that a hand's share is a few additions.
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from tierce.solver.piles.judging cimport is_joker, winner
from tierce.solver.piles.scene cimport LAST, MOST, Now, Scene, TRUMPS, stands, turn
from tierce.solver.piles.trumps cimport STATES, Sets, Trumps
from tierce.solver.search.bits cimport tierce_count, tierce_lowest

cdef enum:
    HALF = 512              # sets of half a hand
    LONG = 9                # cards of a suit, the highest, that are looked at together
    GROUP = 1 << (LONG + 2)     # sets of them and two jokers


cdef struct Penalty:
    double win[LAST]        # by tricks left, the one on the table among them
    double second[LAST]     # ... if pile 2 leads
    double stand[LAST]
    double reach[LAST]


cdef struct Sums:
    # Of one trick and trump: by place, and summed over sets of places (low and high nine).
    float won[3][MOST]          # his chance to win, at the moment he plays, led and second; nothing last
    int seat[3][MOST]           # who does win
    float all_[MOST]            # change of a chance to stand over the whole trick
    float before[MOST]          # ... if pile 2 leads: when it turns its card
    float after[MOST]           # ... when pile 1 does
    float of_all[2][HALF]
    float of_before[2][HALF]
    float of_after[2][HALF]
    # What he may hope for if a pile leads, by the suit led and a set of a group: following suit, or void in it.
    float follow[2][4][GROUP]   # its mean before the piles turn: [0] both have turned when he plays, [1] pile 2 only
    float void_[2][4][GROUP]
    float here[2][GROUP]        # of pile 2's very card: following, void
    uint32_t beat               # places that win if pile 1 leads


cdef struct Bound:
    const Scene* s
    Trumps trumps
    Sets hands
    Penalty penalty
    bint steps
    double gain
    float weight[LAST][LAST][STATES]    # by tricks left after this one, tricks taken since the scene, trump
    Sums sums[TRUMPS]
    bint used[TRUMPS]
    int low[TRUMPS]         # of a group, a suit's highest places: the first, and how many; jokers come last
    int wide[TRUMPS]
    int jokers              # the first joker's place
    float* old
    float* new
    volatile int* stop


cdef inline double stands_exactly(const Scene* s, const Now* now, int place, int trump) noexcept nogil:
    """How likely a card led to the next trick would win it, whatever the procedure for jokers."""
    cdef uint64_t xs, ys
    cdef int x, y, i, j
    cdef double px, py, found = 0.0
    cdef int free_ = tierce_count(now.sets[0]), in_one = tierce_count(now.sets[1]), in_two = tierce_count(now.sets[2])
    if s.rules.resolution == 0 or s.rules.resolution == 3:
        return stands(now, s.beaters[trump][place])
    for i in range(2):
        xs = now.sets[i]
        while xs:
            x = tierce_lowest(xs)
            xs &= xs - 1
            px = 1.0 / now.down[1] if i else (now.down[1] - in_one) / (<double>now.down[1] * free_)
            for j in range(0, 3, 2):
                ys = now.sets[j]
                while ys:
                    y = tierce_lowest(ys)
                    ys &= ys - 1
                    if x == y:
                        continue
                    py = 1.0 / now.down[2]
                    if not j:
                        py *= (now.down[2] - in_two) / <double>(free_ - (0 if i else 1))
                    if winner(s.rules.resolution, 0, s.own[place], x, y, trump) == 0:
                        found += px * py
    return found


cdef inline double wins_second(const Scene* s, const Now* now, int place, int trump, int two) noexcept nogil:
    """How likely a card wins that is played on pile 2's lead."""
    cdef uint64_t xs
    cdef int x, i, count = 0, free_ = tierce_count(now.sets[0])
    cdef double found = 0.0
    for i in range(2):
        xs = now.sets[i]
        count = 0
        while xs:
            x = tierce_lowest(xs)
            xs &= xs - 1
            count += winner(s.rules.resolution, 2, s.own[place], x, two, trump) == 0
        if count:
            found += <double>count / now.down[1] if i else (
                (now.down[1] - tierce_count(now.sets[1])) * <double>count / (<double>now.down[1] * free_)
            )
    return found


cdef inline void sum_halves(const float* each, int n, float* low, float* high) noexcept nogil:
    cdef int i, bit
    low[0] = 0.0
    high[0] = 0.0
    for i in range(1, HALF):
        bit = tierce_lowest(i)
        low[i] = low[i & (i - 1)] + (each[bit] if bit < n else 0.0)
        high[i] = high[i & (i - 1)] + (each[bit + 9] if bit + 9 < n else 0.0)


cdef inline void list_groups(Bound* b) noexcept nogil:
    """Places of a suit are next to each other, low to high, and jokers come last."""
    cdef int suit, count, first = 0
    for suit in range(4):
        count = tierce_count(b.s.suits[suit])
        b.wide[suit] = count if count < LONG else LONG
        b.low[suit] = first + count - b.wide[suit]
        first += count
    b.jokers = first
    b.low[4] = 0
    b.wide[4] = 0


cdef inline uint32_t of_group(const Bound* b, int group, uint32_t places) noexcept nogil:
    cdef uint32_t suit = places >> b.low[group] & ((<uint32_t>1 << b.wide[group]) - 1)
    return suit | places >> b.jokers << b.wide[group]


cdef inline uint32_t all_of(const Bound* b, int group) noexcept nogil:
    return (<uint32_t>1 << (b.wide[group] + b.s.n - b.jokers)) - 1


cdef inline void best_by_sets(const Bound* b, int group, const float* each, float weight, float* to) noexcept nogil:
    """Add to each set of a group the most of its members times a weight; `each`: by place."""
    cdef float most[GROUP]
    cdef uint32_t i, all_ = all_of(b, group)
    cdef int place
    cdef float value
    most[0] = 0.0
    for i in range(1, all_ + 1):
        place = tierce_lowest(i)
        place = b.low[group] + place if place < b.wide[group] else b.jokers + place - b.wide[group]
        value = most[i & (i - 1)]
        most[i] = each[place] if each[place] > value else value
        to[i] += weight * most[i]


cdef inline void meets_by_sets(const Bound* b, int group, float* f) noexcept nogil:
    """From weights by sets of winners to the weight of all that a set meets."""
    cdef uint32_t i, bit, all_ = all_of(b, group)
    cdef float low, high, total
    bit = 1
    while bit <= all_:
        for i in range(all_ + 1):
            if i & bit:
                f[i] += f[i ^ bit]
        bit <<= 1
    total = f[all_]
    if not all_:
        f[0] = 0.0      # no cards: it meets nothing
    for i in range((all_ + 1) // 2):
        low, high = f[i], f[all_ ^ i]
        f[i] = total - high
        f[all_ ^ i] = total - low


cdef inline void sum_hopes(Bound* b, Sums* f, const Now* now, int trump, int two) noexcept nogil:
    """The means of what he may hope for, over all the piles may turn."""
    cdef const Scene* s = b.s
    cdef int i, j, x, y, place, suit
    cdef float each[MOST]
    cdef double px, py, down_one = now.down[1], down_two = now.down[2]
    cdef int free_ = tierce_count(now.sets[0]), in_one = tierce_count(now.sets[1]), in_two = tierce_count(now.sets[2])
    cdef uint64_t xs, ys
    cdef uint32_t won
    for i in range(2):
        for suit in range(4):
            memset(f.follow[i][suit], 0, (all_of(b, suit) + 1) * sizeof(float))
            memset(f.void_[i][suit], 0, (all_of(b, trump) + 1) * sizeof(float))
    for j in range(0, 3, 2):
        ys = now.sets[j]
        while ys:
            y = tierce_lowest(ys)
            ys &= ys - 1
            py = 1.0 / down_two if j else (down_two - in_two) / (down_two * free_)
            if py <= 0.0:
                continue
            for place in range(s.n):
                each[place] = 0.0
            for i in range(2):
                xs = now.sets[i] & ~(<uint64_t>1 << y)
                while xs:
                    x = tierce_lowest(xs)
                    xs &= xs - 1
                    px = 1.0 / down_one if i else (down_one - in_one) / (down_one * (free_ - (0 if j else 1)))
                    if px <= 0.0:
                        continue
                    won = 0
                    for place in range(s.n):
                        if winner(s.rules.resolution, 2, s.own[place], x, y, trump) == 0:
                            each[place] += <float>px
                        if winner(s.rules.resolution, 1, s.own[place], x, y, trump) == 0:
                            won |= <uint32_t>1 << place
                    if not is_joker(x):
                        f.follow[0][x >> 4][of_group(b, x >> 4, won)] += <float>(px * py)
                        f.void_[0][x >> 4][of_group(b, trump, won)] += <float>(px * py)
            if not is_joker(y):
                best_by_sets(b, y >> 4, each, <float>py, f.follow[1][y >> 4])
                best_by_sets(b, trump, each, <float>py, f.void_[1][y >> 4])
    for suit in range(4):
        meets_by_sets(b, suit, f.follow[0][suit])
        meets_by_sets(b, trump, f.void_[0][suit])


cdef inline void hopes_here(Bound* b, Sums* f, const Now* middle, int trump, int one, int two) noexcept nogil:
    """What he may hope for with the cards the piles do turn."""
    cdef const Scene* s = b.s
    cdef float each[MOST]
    cdef int place
    f.beat = 0
    for place in range(s.n):
        each[place] = <float>wins_second(s, middle, place, trump, two)
        if winner(s.rules.resolution, 1, s.own[place], one, two, trump) == 0:
            f.beat |= <uint32_t>1 << place
    if not is_joker(two):
        memset(f.here, 0, sizeof(f.here))
        best_by_sets(b, two >> 4, each, 1.0, f.here[0])
        best_by_sets(b, trump, each, 1.0, f.here[1])


cdef inline float mean_hope(const Bound* b, const Sums* f, int trump, uint32_t hand, int which) noexcept nogil:
    cdef float found = 0.0
    cdef int suit
    cdef uint32_t void_ = of_group(b, trump, hand)
    for suit in range(4):
        if hand & b.s.suits[suit]:
            found += f.follow[which][suit][of_group(b, suit, hand)]
        else:
            found += f.void_[which][suit][void_]
    return found


cdef inline float hope_last(const Bound* b, const Sums* f, int trump, uint32_t hand, int one) noexcept nogil:
    """Can he win, pile 1 having led?"""
    cdef uint32_t cards
    if is_joker(one):
        return 0.0
    cards = hand & b.s.suits[one >> 4]
    if cards:
        return 1.0 if of_group(b, one >> 4, hand) & of_group(b, one >> 4, f.beat) else 0.0
    return 1.0 if of_group(b, trump, hand) & of_group(b, trump, f.beat) else 0.0


cdef inline float hope_second(const Bound* b, const Sums* f, int trump, uint32_t hand, int two) noexcept nogil:
    """His best chance to win, pile 2 having led."""
    if is_joker(two):
        return 0.0
    if hand & b.s.suits[two >> 4]:
        return f.here[0][of_group(b, two >> 4, hand)]
    return f.here[1][of_group(b, trump, hand)]


cdef inline void sum_trick(Bound* b, Sums* f, const Now* now, int trump, int x, int y) noexcept nogil:
    """All about a trick and a trump; `now`: before it, x and y: the piles' cards in it, turned or not."""
    cdef const Scene* s = b.s
    cdef int left = s.n - now.trick, i, leader
    cdef Now middle = now[0], over
    cdef double win = b.penalty.win[left], stand = b.penalty.stand[left]
    cdef double at, between
    turn(&middle, y)
    middle.down[2] = left - 1
    over = middle
    turn(&over, x)
    over.down[1] = left - 1
    for i in range(s.n):
        for leader in range(3):
            f.seat[leader][i] = winner(s.rules.resolution, leader, s.own[i], x, y, trump)
        at = stands_exactly(s, now, i, trump) if now.down[1] and now.down[2] else 0.0
        f.won[1][i] = 0.0
        f.won[0][i] = <float>(win * ((f.seat[0][i] == 0) - at))
        f.won[2][i] = 0.0
        if middle.down[1] == left:
            between = wins_second(s, &middle, i, trump, y)
            f.won[2][i] = <float>(b.penalty.second[left] * ((f.seat[2][i] == 0) - between))
        f.all_[i] = 0.0
        f.before[i] = 0.0
        f.after[i] = 0.0
        if left > 1:
            between = stands_exactly(s, &middle, i, trump)
            f.all_[i] = <float>(stand * (stands_exactly(s, &over, i, trump) - at))
            f.before[i] = <float>(stand * (between - at))
            f.after[i] = f.all_[i] - f.before[i]
    if b.penalty.reach[left] != 0.0 and now.down[1] == left and now.down[2] == left:
        sum_hopes(b, f, now, trump, y)
        hopes_here(b, f, &middle, trump, x, y)
    sum_halves(f.all_, s.n, f.of_all[0], f.of_all[1])
    sum_halves(f.before, s.n, f.of_before[0], f.of_before[1])
    sum_halves(f.after, s.n, f.of_after[0], f.of_after[1])
