# The exact expectation over all orders of the piles, with the declarer's best play, once few tricks are left.
#
# From the last trick to the first: for every hand that may be left, every set of cards that may still lie face down,
# every trump, leader and number of tricks taken since the scene. All face down are told apart; which cards are known
# to be in which pile follows from the set. Two levels are kept: of k cards in hand, and of k - 1.
#
# Cards face down have places, too: bits of `down`, in the order of `lies`.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from tierce.solver.piles.judging cimport winner
from tierce.solver.piles.scene cimport Scene, TRUMPS, has_marriage, playable
from tierce.solver.piles.trumps cimport (
    Sets, Trumps, by_steps, gain, list_sets, list_trumps, many, possible,
)
from tierce.solver.search.bits cimport tierce_count, tierce_lowest

cdef enum:
    EXACT = 9               # most cards in hand
    DOWN = 18               # most face down
    OPTIONS = 26            # ways to play a card: 18, and 8 with a marriage
    STEPS = EXACT + 2
    DONE = 0
    STOPPED = 1
    TOO_LARGE = 2


cdef struct Values:
    int count               # ways to play, 0 before the piles have turned their cards
    int place[OPTIONS]
    int suit[OPTIONS]       # declared, or -1
    double value[OPTIONS]
    double best             # of the scene


cdef struct Exact:
    const Scene* s
    Trumps trumps
    Sets hands
    Sets downs
    int lies[DOWN]          # cards face down
    int size                # how many
    uint32_t known[3]       # of them: free, in pile 1, in pile 2
    bint steps              # does the number of tricks count?
    double gain             # of a trick, if not
    uint8_t won[TRUMPS][DOWN][DOWN][EXACT][3]   # by trump, pile 1's card, pile 2's, own, leader: the winner
    double* old
    double* new
    volatile int* stop


cdef inline size_t at_old(const Exact* e, int k, int state, uint32_t hand, uint32_t down) noexcept nogil:
    """Where the values after a trick that k cards were held for begin: of leader 0; those of 1 and 2 follow."""
    cdef size_t step = 3 * (e.s.n - k + 2 if e.steps else 1)
    return (
        (<size_t>state * many(&e.hands, k - 1) + e.hands.number[hand]) * many(&e.downs, 2 * k - 2)
        + e.downs.number[down]
    ) * step


cdef inline void state_of(
    const Exact* e, int k, int state, uint32_t hand, uint32_t down, double* to, Values* ways
) noexcept nogil:
    """The values of one state before any card of its trick is turned, by leader and tricks; to[3][J]."""
    cdef const Scene* s = e.s
    cdef int many_steps = s.n - k + 1 if e.steps else 1
    cdef int old_steps = many_steps + 1 if e.steps else 1
    cdef int win = 1 if e.steps else 0
    cdef double each = 0.0 if e.steps else e.gain
    cdef double lead[OPTIONS][STEPS]
    cdef double second[EXACT][STEPS]
    cdef double best[STEPS]
    cdef const double* led_to[OPTIONS]
    cdef const double* from_[EXACT]
    cdef int place[OPTIONS]
    cdef int trump_of[OPTIONS]
    cdef int suit_of[OPTIONS]
    cdef int cards[EXACT]
    cdef int n = 0, options = 0, i, j, x, y, card, suit, then, w, trump = e.trumps.trump[state]
    cdef uint32_t left = hand, xs, ys, second_cards, last_cards
    cdef int in_one = tierce_count(down & e.known[1]), in_two = tierce_count(down & e.known[2])
    cdef int in_free = tierce_count(down & e.known[0])
    cdef double py, px, p, value, add
    cdef size_t here
    cdef const double* values
    while left:
        card = tierce_lowest(left)
        left &= left - 1
        cards[n] = card
        from_[n] = e.old + at_old(e, k, state, hand & ~(<uint32_t>1 << card), 0)
        n += 1
    for i in range(n):
        place[i], suit_of[i], trump_of[i], led_to[i] = cards[i], -1, trump, from_[i]
    options = n
    if not (s.first and k == s.n):
        for suit in range(4):
            if has_marriage(s, hand, suit) and e.trumps.then[state][suit] >= 0:
                then = e.trumps.then[state][suit]
                for i in range(2):
                    card = s.queens[suit] if i else s.kings[suit]
                    place[options], suit_of[options], trump_of[options] = card, suit, suit
                    led_to[options] = e.old + at_old(e, k, then, hand & ~(<uint32_t>1 << card), 0)
                    options += 1
    memset(to, 0, 3 * many_steps * sizeof(double))
    memset(lead, 0, sizeof(lead))
    ys = down
    while ys:
        y = tierce_lowest(ys)
        ys &= ys - 1
        if e.known[2] >> y & 1:
            py = 1.0 / k
        elif e.known[1] >> y & 1 or k == in_two:
            continue
        else:
            py = (k - in_two) / (<double>k * in_free)
        second_cards = playable(s, hand, 2, -1, e.lies[y])
        memset(second, 0, sizeof(second))
        xs = down & ~(<uint32_t>1 << y)
        while xs:
            x = tierce_lowest(xs)
            xs &= xs - 1
            if e.known[1] >> x & 1:
                px = 1.0 / k
            elif e.known[2] >> x & 1 or k == in_one:
                continue
            else:
                px = (k - in_one) / (<double>k * (in_free - (e.known[0] >> y & 1)))
            p = px * py
            here = <size_t>e.downs.number[down ^ <uint32_t>1 << x ^ <uint32_t>1 << y] * 3 * old_steps
            last_cards = playable(s, hand, 1, e.lies[x], e.lies[y])
            for j in range(many_steps):
                best[j] = -1e300
            for i in range(n):
                card = cards[i]
                if last_cards >> card & 1:
                    w = e.won[trump][x][y][card][1]
                    values = from_[i] + here + w * old_steps + (0 if w else win)
                    add = 0.0 if w else each
                    for j in range(many_steps):
                        value = values[j] + add
                        best[j] = value if value > best[j] else best[j]
                if second_cards >> card & 1:
                    w = e.won[trump][x][y][card][2]
                    values = from_[i] + here + w * old_steps + (0 if w else win)
                    add = 0.0 if w else each
                    for j in range(many_steps):
                        second[i][j] += px * (values[j] + add)
            for i in range(options):
                w = e.won[trump_of[i]][x][y][place[i]][0]
                values = led_to[i] + here + w * old_steps + (0 if w else win)
                add = 0.0 if w else each
                for j in range(many_steps):
                    lead[i][j] += p * (values[j] + add)
            for j in range(many_steps):
                to[many_steps + j] += p * best[j]
        for j in range(many_steps):
            best[j] = -1e300
        for i in range(n):
            if second_cards >> cards[i] & 1:
                for j in range(many_steps):
                    best[j] = second[i][j] if second[i][j] > best[j] else best[j]
        for j in range(many_steps):
            to[2 * many_steps + j] += py * best[j]
    for j in range(many_steps):
        to[j] = -1e300
        for i in range(options):
            to[j] = lead[i][j] if lead[i][j] > to[j] else to[j]
    if ways != NULL:
        ways.count = options
        for i in range(options):
            ways.place[i], ways.suit[i], ways.value[i] = place[i], suit_of[i], lead[i][0]


cdef inline int level(Exact* e, int k) noexcept nogil:
    """All states with k cards in hand."""
    cdef const Scene* s = e.s
    cdef int state
    cdef uint32_t i, j, hand, down
    cdef size_t step = 3 * (s.n - k + 1 if e.steps else 1)
    cdef double* to = e.new
    for state in range(e.trumps.count):
        for i in range(many(&e.hands, k)):
            hand = e.hands.sets[e.hands.start[k] + i]
            if not possible(s, &e.trumps, state, hand):
                to += step * many(&e.downs, 2 * k)
                continue
            for j in range(many(&e.downs, 2 * k)):
                if not j & 63 and e.stop[0]:
                    return STOPPED
                down = e.downs.sets[e.downs.start[2 * k] + j]
                if tierce_count(down & e.known[1]) <= k and tierce_count(down & e.known[2]) <= k:
                    state_of(e, k, state, hand, down, to, NULL)
                to += step
    return DONE


cdef inline void root(Exact* e, Values* out) noexcept nogil:
    """The scene itself: by his ways to play where it is his turn, else before the piles have turned their cards."""
    cdef const Scene* s = e.s
    cdef double to[3 * STEPS]
    cdef uint32_t hand = (<uint32_t>1 << s.n) - 1, down = (<uint32_t>1 << e.size) - 1, cards, xs
    cdef int x, card, w, win = 1 if e.steps else 0, width = 2 if e.steps else 1, in_one = tierce_count(e.known[1])
    cdef double p, add = 0.0 if e.steps else e.gain, value
    out.count = 0
    if s.turned[2] < 0:
        state_of(e, s.n, 0, hand, down, to, out if s.leader == 0 else NULL)
        out.best = to[s.leader]     # one step at the first level
        return
    out.best = -1e300
    cards = playable(s, hand, s.leader, s.turned[1], s.turned[2])
    while cards:
        card = tierce_lowest(cards)
        cards &= cards - 1
        value = 0.0
        if s.leader == 1:
            w = winner(s.rules.resolution, 1, s.own[card], s.turned[1], s.turned[2], s.trump)
            value = e.old[at_old(e, s.n, 0, hand ^ <uint32_t>1 << card, down) + w * width + (0 if w else win)]
            value += 0.0 if w else add
        else:
            xs = down & ~e.known[2]
            while xs:
                x = tierce_lowest(xs)
                xs &= xs - 1
                p = 1.0 / s.n
                if e.known[0] >> x & 1:
                    p *= (s.n - in_one) / <double>tierce_count(e.known[0])
                if p <= 0.0:
                    continue
                w = winner(s.rules.resolution, 2, s.own[card], e.lies[x], s.turned[2], s.trump)
                value += p * (
                    e.old[
                        at_old(e, s.n, 0, hand ^ <uint32_t>1 << card, down ^ <uint32_t>1 << x)
                        + w * width + (0 if w else win)
                    ]
                    + (0.0 if w else add)
                )
        out.place[out.count], out.suit[out.count], out.value[out.count] = card, -1, value
        out.count += 1
        out.best = value if value > out.best else out.best


cdef inline void judge_all(Exact* e) noexcept nogil:
    cdef const Scene* s = e.s
    cdef int trump, x, y, i, leader
    for trump in range(TRUMPS):
        for x in range(e.size):
            for y in range(e.size):
                for i in range(s.n):
                    for leader in range(3):
                        e.won[trump][x][y][i][leader] = <uint8_t>(
                            winner(s.rules.resolution, leader, s.own[i], e.lies[x], e.lies[y], trump) if x != y else 0
                        )


cdef inline size_t room(const Exact* e, int k) noexcept nogil:
    """Doubles of a level."""
    return <size_t>e.trumps.count * many(&e.hands, k) * many(&e.downs, 2 * k) * 3 * (e.s.n - k + 1 if e.steps else 1)


cdef inline int levels(Exact* e, Values* out, size_t most) noexcept nogil:
    """Level by level; e.old and e.new are the caller's to free."""
    cdef const Scene* s = e.s
    cdef size_t need = 0
    cdef int k, state, j, leader, width = s.n + 1 if e.steps else 1
    for k in range(1, s.n):
        need = room(e, k) + room(e, k - 1) if room(e, k) + room(e, k - 1) > need else need
    if need * sizeof(double) > most:
        return TOO_LARGE
    e.old = <double*>malloc(room(e, 0) * sizeof(double))
    if e.old == NULL:
        return TOO_LARGE
    for state in range(e.trumps.count):
        for leader in range(3):
            for j in range(width):
                e.old[(state * 3 + leader) * width + j] = (
                    s.worth[s.tricks + j][s.declared | e.trumps.made[state]][e.trumps.trump[state]] if e.steps else 0.0
                )
    for k in range(1, s.n):
        e.new = <double*>malloc(room(e, k) * sizeof(double))
        if e.new == NULL:
            return TOO_LARGE
        if level(e, k) == STOPPED:
            return STOPPED
        free(e.old)
        e.old = e.new
        e.new = NULL
    root(e, out)
    return DONE


cdef inline int expectation(const Scene* s, Values* out, size_t most, volatile int* stop) noexcept nogil:
    """DONE, STOPPED, or TOO_LARGE: more than EXACT cards or more memory than `most` bytes."""
    cdef Exact* e
    cdef uint64_t left
    cdef int pile, i, found = TOO_LARGE
    if s.n > EXACT:
        return TOO_LARGE
    e = <Exact*>malloc(sizeof(Exact))
    if e == NULL:
        return TOO_LARGE
    memset(e, 0, sizeof(Exact))
    e.s = s
    e.stop = stop
    e.steps = by_steps(s)
    e.gain = gain(s, s.tricks)
    for pile in range(3):
        left = s.sets[pile]
        while left:
            e.known[pile] |= <uint32_t>1 << e.size
            e.lies[e.size] = tierce_lowest(left)
            left &= left - 1
            e.size += 1
    list_trumps(s, &e.trumps)
    judge_all(e)
    if list_sets(&e.hands, s.n) and list_sets(&e.downs, e.size):
        found = levels(e, out, most)
    if found == DONE and not e.steps:
        for i in range(out.count):
            out.value[i] += s.worth[s.tricks][s.declared][s.trump]
        out.best += s.worth[s.tricks][s.declared][s.trump]
    free(e.old)
    free(e.new)
    free(e.hands.number)
    free(e.hands.sets)
    free(e.downs.number)
    free(e.downs.sets)
    free(e)
    return found
