"""Play against two blind piles, natively and without the GIL: playouts, the piles known, exact expectation, bounds.

A `Table` is a moment of the play as the declarer knows it (scene.pxd) and what a deal is worth by tricks and suits
declared. Nothing here checks that its cards fit together: Python does. Cards are numbers, 16 * suit + rank, jokers 61
and 62; suits of a marriage are 0 to 3, -1 for none; sets of suits are bits. Orders of piles are bytes, 2 n of them for
each: pile 1 from the top, then pile 2, what lies on the table first.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from tierce.solver.piles.bound cimport bound_order, fill_weights, free_bound, new_bound
from tierce.solver.piles.exact cimport STOPPED, TOO_LARGE, Values, expectation
from tierce.solver.piles.greedy cimport Policy, finish
from tierce.solver.piles.improve cimport Scores, list_ways, play_well, try_all
from tierce.solver.piles.judging cimport winner
from tierce.solver.piles.known cimport Known, NEVER, free_known, new_known, solve_known
from tierce.solver.piles.penalty cimport Bound, Penalty
from tierce.solver.piles.scene cimport DECLARED, LAST, MOST, Now, Scene, TRUMPS, begin, draw, mixed, prepare
from tierce.solver.piles.trumps cimport by_suits


@cython.final
cdef class Stop:
    """A flag that ends what runs; any thread may set it at any time."""
    cdef int on

    def set(self):
        """End it, and all that begins later with this flag."""
        self.on = 1

    @property
    def is_set(self):
        """Has it been set?"""
        return self.on != 0


def trick_winner(int resolution, int leader, int own, int one, int two, int trump):
    """The seat that wins a trick: 0 the declarer, 1 and 2 the piles."""
    return winner(resolution, leader, own, one, two, trump)


cdef inline uint64_t seed_of(uint64_t seed, uint64_t index) noexcept nogil:
    return mixed(seed) + index * <uint64_t>0xA0761D6478BD642F


cdef void from_bytes(const uint8_t* order, int n, int32_t* one, int32_t* two) noexcept nogil:
    cdef int i
    for i in range(n):
        one[i] = order[i]
        two[i] = order[n + i]


@cython.final
cdef class Table:
    """A moment of the play.

    own        the declarer's cards: suits one after the other, each from low to high, then jokers
    sets       cards face down, masks: free, known to be in pile 1, known to be in pile 2
    turned     the cards that piles 1 and 2 have on the table, -1 for none
    leader     of the trick on the table; trump 0 to 3, 4 for none; declared: suits; tricks: the declarer's
    first      is this the first trick of the deal? marriages: may suits be declared?
    rules      (procedure for jokers 0 to 3, does a led joker leave the suit to the next card, may jokers be played by
               one who could follow)
    worth      19 x 16 x 5 numbers, by tricks of the deal, suits declared, and the last of them (the trump)
    policy     eight numbers (greedy.pxd)
    """
    cdef Scene s
    cdef Policy policy

    def __init__(
        self, own, sets, turned, int leader, int trump, int declared, int tricks, bint first, bint marriages, rules,
        worth, policy,
    ):
        cdef int i
        self.s.n = len(own)
        for i in range(self.s.n):
            self.s.own[i] = own[i]
        for i in range(3):
            self.s.sets[i] = sets[i]
        self.s.turned[0] = -1
        self.s.turned[1], self.s.turned[2] = turned
        self.s.leader = leader
        self.s.trump = trump
        self.s.declared = declared
        self.s.tricks = tricks
        self.s.first = first
        self.s.marriages = marriages
        self.s.rules.resolution, self.s.rules.next_suit, self.s.rules.free = rules
        for i in range(LAST * DECLARED * TRUMPS):
            self.s.worth[i // (DECLARED * TRUMPS)][i // TRUMPS % DECLARED][i % TRUMPS] = worth[i]
        self.policy.second, self.policy.last, self.policy.save_led, self.policy.save = policy[:4]
        self.policy.part, self.policy.hold, self.policy.late, self.policy.sign = policy[4:]
        prepare(&self.s)

    def orders(self, uint64_t seed, Py_ssize_t start, Py_ssize_t count):
        """Orders of the piles that fit, each equally likely; the same for a seed and a number on any machine."""
        cdef int n = self.s.n, j
        cdef int32_t one[MOST]
        cdef int32_t two[MOST]
        cdef bytes out = PyBytes_FromStringAndSize(NULL, 2 * n * count)
        cdef uint8_t* to = <uint8_t*>PyBytes_AS_STRING(out)
        cdef Py_ssize_t i
        with nogil:
            for i in range(count):
                draw(&self.s, seed_of(seed, start + i), one, two)
                for j in range(n):
                    to[2 * n * i + j] = <uint8_t>one[j]
                    to[2 * n * i + n + j] = <uint8_t>two[j]
        return out

    def ways(self):
        """(card, suit declared or -1) of every way to play now. The piles whose turn it was have turned their cards."""
        cdef Scores f
        list_ways(&self.s, &f)
        return [(self.s.own[f.place[i]], f.suit[i]) for i in range(f.count)]

    def playouts(self, bytes orders, Stop stop):
        """Play by rules of thumb to the end: tricks of the deal, suits declared and the trump, three bytes an order.

        None: stopped
        """
        cdef int n = self.s.n
        cdef Py_ssize_t count = len(orders) // (2 * n), i
        cdef bytes out = PyBytes_FromStringAndSize(NULL, 3 * count)
        cdef uint8_t* to = <uint8_t*>PyBytes_AS_STRING(out)
        cdef const uint8_t* order = <const uint8_t*>PyBytes_AS_STRING(orders)
        cdef int32_t one[MOST]
        cdef int32_t two[MOST]
        cdef Now now
        with nogil:
            for i in range(count):
                if (<volatile int*>&stop.on)[0]:
                    break
                from_bytes(order + 2 * n * i, n, one, two)
                begin(&self.s, &now)
                finish(&self.s, &self.policy, &now, one, two)
                to[3 * i] = <uint8_t>now.tricks
                to[3 * i + 1] = <uint8_t>now.declared
                to[3 * i + 2] = <uint8_t>now.trump
        return None if stop.on else out

    def plays(self, bytes orders, uint64_t seed, Py_ssize_t start, int samples, int exact, Stop stop):
        """The same, with every card chosen by `samples` playouts of each way, or exactly from `exact` cards on.

        start   the number of the first order, for the chance in it
        """
        cdef int n = self.s.n
        cdef Py_ssize_t count = len(orders) // (2 * n), i
        cdef bytes out = PyBytes_FromStringAndSize(NULL, 3 * count)
        cdef uint8_t* to = <uint8_t*>PyBytes_AS_STRING(out)
        cdef const uint8_t* order = <const uint8_t*>PyBytes_AS_STRING(orders)
        cdef int32_t one[MOST]
        cdef int32_t two[MOST]
        cdef Now now
        with nogil:
            for i in range(count):
                from_bytes(order + 2 * n * i, n, one, two)
                if not play_well(
                    &self.s, &self.policy, samples, exact, seed_of(seed, start + i), one, two, &now, &stop.on
                ):
                    break
                to[3 * i] = <uint8_t>now.tricks
                to[3 * i + 1] = <uint8_t>now.declared
                to[3 * i + 2] = <uint8_t>now.trump
        return None if stop.on else out

    def rollouts(self, uint64_t seed, Py_ssize_t start, int count, out, Stop stop):
        """Every way to play in the same orders, played on by rules of thumb: (orders, sums, sums of products).

        out   a flag for each way of `ways`: is it left out?
        """
        cdef Scores f
        cdef int i, j
        list_ways(&self.s, &f)
        for i in range(f.count):
            f.out[i] = out[i]
        with nogil:
            try_all(&self.s, &self.policy, mixed(seed), <int>start, count, &f, &stop.on)
        return (
            f.samples,
            [f.sum_[i] for i in range(f.count)],
            [[f.cross[i][j] if i >= j else f.cross[j][i] for j in range(f.count)] for i in range(f.count)],
        )

    def expectation(self, size_t most, Stop stop):
        """(value, [(card, suit or -1, value)]) over all orders with best play; the list is empty if it is no turn yet.

        None if stopped; False if there are too many cards, or it takes more than `most` bytes
        """
        cdef Values values
        cdef int found
        with nogil:
            found = expectation(&self.s, &values, most, &stop.on)
        if found == STOPPED:
            return None
        if found == TOO_LARGE:
            return False
        ways = [(self.s.own[values.place[i]], values.suit[i], values.value[i]) for i in range(values.count)]
        return values.best, ways

    def bound(self, bytes orders, weights, Stop stop):
        """The penalised best of each order (bound.pxd), a list; None if stopped.

        weights   win, second, stand and reach, by tricks left, 19 numbers each
        """
        cdef int n = self.s.n
        cdef Py_ssize_t count = len(orders) // (2 * n), i
        cdef const uint8_t* order = <const uint8_t*>PyBytes_AS_STRING(orders)
        cdef int32_t one[MOST]
        cdef int32_t two[MOST]
        cdef Penalty penalty
        cdef Bound* b
        cdef bint going = True
        cdef double value
        for i in range(LAST):
            penalty.win[i], penalty.second[i] = weights[0][i], weights[1][i]
            penalty.stand[i], penalty.reach[i] = weights[2][i], weights[3][i]
        b = new_bound(&self.s, &penalty, &stop.on)
        if b == NULL:
            raise MemoryError("a bound")
        found = []
        try:
            fill_weights(b)
            for i in range(count):
                from_bytes(order + 2 * n * i, n, one, two)
                with nogil:
                    going = bound_order(b, one, two, &value)
                if not going:
                    return None
                found.append(value)
        finally:
            free_bound(b)
        return found


@cython.final
cdef class Seen:
    """Both piles known: the most or the fewest tricks, by every set of suits that may still be declared.

    few   fewest tricks
    """
    cdef Table table
    cdef Known* known

    def __cinit__(self):
        self.known = NULL

    def __init__(self, Table table, bint few):
        self.table = table
        self.known = new_known(&table.s, by_suits(&table.s), -1 if few else 1, NULL)
        if self.known == NULL:
            raise MemoryError("sets of cards")

    def __dealloc__(self):
        free_known(self.known)

    def solve(self, bytes order, Stop stop):
        """Work it out for an order; False if stopped."""
        cdef bint done
        from_bytes(<const uint8_t*>PyBytes_AS_STRING(order), self.table.s.n, self.known.one, self.known.two)
        self.known.stop = &stop.on
        with nogil:
            done = solve_known(self.known)
        return done

    def lanes(self):
        """(lane, suits to be declared, -1 for any, the last of them or -1) of all that begin at the table."""
        return [(i, self.known.lanes[i].suits, self.known.lanes[i].last) for i in range(self.known.starts)]

    def then(self, int lane, int suit):
        """The lane after a suit is declared, -1 for none."""
        return self.known.lanes[lane].then[suit]

    def trump(self, int lane):
        """What is trump in a lane."""
        return self.known.lanes[lane].trump

    def tricks(self, int lane, uint32_t hand, int leader):
        """Tricks from a set of places on, in a lane; None: it cannot be done."""
        cdef int found = self.known.values[lane][4 * hand + leader]
        return None if found < NEVER // 2 else found * self.known.sign
