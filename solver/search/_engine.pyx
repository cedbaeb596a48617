"""The engine as Python sees it: a table, and the searches that use it one at a time.

The search itself is in tricks.pxd; what it rests on is in the .pxd files that are imported here and there.
"""
import threading

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from tierce.solver.search.bits cimport (
    tierce_alloc, tierce_count, tierce_cpu_supports_v3, tierce_highest, tierce_lowest, tierce_now_ns,
)
from tierce.solver.search.bounds cimport imax, imin
from tierce.solver.search.escape_table cimport escapes_bytes, escapes_clear, escapes_close, escapes_open
from tierce.solver.search.guess cimport first_guess
from tierce.solver.search.limits cimport PyErr_Occurred, check_limits
from tierce.solver.search.order cimport beats
from tierce.solver.search.request cimport Request, Result, fault
from tierce.solver.search.table cimport NO_BLOCK, PATTERN_BITS, Block, Head, Table
from tierce.solver.search.tricks cimport play, search
from tierce.solver.search.trump_game cimport lone_trumps
from tierce.solver.search.types cimport CUTOFF_BITS, NO_TRUMP, SIGNALS_NS, EscapeTable, Proof, Search, Trick, lane
from tierce.solver.search.weights cimport N_WEIGHTS, tierce_weights

cdef enum:
    ESCAPES_SHARE = 16      # one part in so many of a table's memory is for escapes


cdef int raise_pending() except -1:
    """The exception that a signal handler raised during a search."""
    return -1 if PyErr_Occurred() != NULL else 0


cdef class Engine:
    """One transposition table and the searches that use it, one at a time.

    Thread safety: `run` may be called from one thread at a time; `cancel` from any thread at any time.
    """
    cdef Table table
    cdef EscapeTable escapes
    cdef uint8_t* cutoffs
    cdef int cancelled
    cdef bint main_thread           # is this the thread that runs Python's signal handlers?
    cdef bint interrupted
    cdef uint64_t spent_nodes       # of this request and those it is joined to
    cdef int64_t began              # when the first of them began
    cdef int context        # what the table's entries belong to: n, trump, maxers, counted; -1 while it is empty
    cdef size_t bytes_

    def __cinit__(self, size_t table_bytes):
        cdef uint32_t n
        cdef int bits = 4       # heads take 8 bytes for every 4 to 8 blocks
        cdef bint opened = escapes_open(&self.escapes, table_bytes // ESCAPES_SHARE)
        cdef size_t blocks = (table_bytes - table_bytes // ESCAPES_SHARE) // (sizeof(Block) + 2)
        if blocks < 64:
            blocks = 64
        if blocks > NO_BLOCK - 1:
            blocks = NO_BLOCK - 1
        n = <uint32_t>blocks
        while (<uint64_t>4 << bits) <= n:
            bits += 1
        self.table.n_blocks = n
        self.table.shift = 64 - bits
        self.table.patterns_shift = 64 - imin(bits, PATTERN_BITS)
        self.bytes_ = n * sizeof(Block) + (sizeof(Head) << bits) + (1 << CUTOFF_BITS)
        self.bytes_ += escapes_bytes(&self.escapes, used=False) + (sizeof(Head) << imin(bits, PATTERN_BITS))
        self.table.blocks = <Block*>tierce_alloc(n * sizeof(Block))
        self.table.heads = <Head*>calloc(<size_t>1 << bits, sizeof(Head))
        self.table.patterns = <Head*>calloc(<size_t>1 << imin(bits, PATTERN_BITS), sizeof(Head))
        self.cutoffs = <uint8_t*>malloc(1 << CUTOFF_BITS)
        if not (opened and self.table.blocks and self.table.heads and self.table.patterns and self.cutoffs):
            raise MemoryError(f"a table of {table_bytes} bytes")
        self.clear()

    def __dealloc__(self):
        free(self.table.blocks)
        free(self.table.heads)
        free(self.table.patterns)
        free(self.cutoffs)
        escapes_close(&self.escapes)

    cdef void empty(self) noexcept nogil:
        self.context = -1
        self.table.n_used = 0
        self.table.ring = 0
        self.table.entries = 0
        self.table.generation += 1
        if self.table.generation == 0:      # once in four thousand million times
            memset(self.table.heads, 0, sizeof(Head) << (64 - self.table.shift))
            memset(self.table.patterns, 0, sizeof(Head) << (64 - self.table.patterns_shift))
            self.table.generation = 1
        escapes_clear(&self.escapes)
        memset(self.cutoffs, 255, 1 << CUTOFF_BITS)

    cdef void answer(self, const Request* r, Result* out, Proof* trace, uint64_t max_trace,
                     uint64_t* n_trace) noexcept nogil:
        """One request, checked before, from the interval it gives down to a point or a limit."""
        cdef Search s
        cdef Trick t
        cdef int h, k, suit, seat, need = r.guess, later = 0, lo = r.low, hi = r.high
        cdef int best_seat = r.leader
        cdef uint64_t rel = 0, relevant = 0, bit, best = 0
        cdef bint rivals = False, answer
        cdef int64_t began = tierce_now_ns()
        if not r.joined:
            self.began = began
            self.spent_nodes = 0
        memset(&s, 0, sizeof(s))
        memset(&t, 0, sizeof(t))
        s.n = r.n
        s.trump = r.trump
        s.trumps = lane(r.trump) if r.trump < NO_TRUMP else 0
        s.maxers = r.maxers
        s.counted = r.counted
        s.natural = r.maxers == r.counted
        s.loner = tierce_lowest(r.counted) if r.counted and not r.counted & (r.counted - 1) else -1
        s.single = tierce_lowest(s.maxers if tierce_count(s.maxers) == 1 else ~s.maxers & 7) if s.n == 3 else -1
        s.weights = tierce_weights[s.n - 3 + (0 if s.natural else 2)]
        s.loner_hand = r.hand[s.loner] if s.loner >= 0 else 0
        s.table = &self.table
        s.escapes = &self.escapes
        s.cutoffs = self.cutoffs
        s.max_nodes = ~<uint64_t>0
        if r.max_nodes:
            s.max_nodes = r.max_nodes - self.spent_nodes if r.max_nodes > self.spent_nodes else 0
        s.deadline = self.began + r.timeout if r.timeout else 0
        s.next_signals = began + SIGNALS_NS if self.main_thread else 0
        s.cancel = &self.cancelled
        s.interrupted = &self.interrupted
        s.trace = trace
        s.max_trace = max_trace
        for h in range(s.n):
            s.hand[h] = r.hand[h]
            t.all |= s.hand[h]
            s.alone[h] = (r.maxers if r.maxers >> h & 1 else ~r.maxers & ((1 << s.n) - 1)) == 1 << h
            for suit in range(4):
                s.shape |= <uint64_t>tierce_count(s.hand[h] & lane(suit)) << (16 * h + 4 * suit)
        t.leader = r.leader
        seat = r.leader
        k = 0
        while k < 3 and r.trick[k] != 255:
            suit = r.trick[k] >> 4
            bit = <uint64_t>1 << r.trick[k]
            t.all |= bit
            t.on_table[k] = bit
            if k == 0:
                t.led = lane(suit)
                best = bit
            elif beats(bit, best, s.trumps):
                rivals = (best & lane(suit)) != 0
                best = bit
                best_seat = seat
            elif best & lane(suit):
                rivals = True
            k += 1
            seat = seat + 1 if seat + 1 < s.n else 0
        if need < 0:
            need = first_guess(&s, t.all, r.leader, r.high)
            if s.loner >= 0 and not s.natural:
                # none at all? That question is cheap, and if it is none the dear ones need not be asked.
                later = need
                need = 1
        check_limits(&s)
        while lo < hi and not s.stop:
            need = imin(imax(need, lo + 1), hi)
            if k == 0:
                answer = search(&s, r.leader, need, &rel)
            else:
                answer = play(&s, &t, k, seat, best, best_seat, rivals, need, &rel)
            if s.stop:
                break
            relevant |= rel
            if answer:
                lo = need
                need = imax(need + 1, later)
            else:
                hi = need - 1
                need -= 1
        memset(out, 0, sizeof(Result))
        out.low = <int8_t>lo
        out.high = <int8_t>hi
        out.stop = <uint8_t>(s.stop if lo < hi else 0)
        out.relevant = relevant
        out.nodes = s.nodes
        self.spent_nodes += s.nodes
        out.nanoseconds = tierce_now_ns() - began
        if n_trace != NULL:
            n_trace[0] = s.n_trace

    cdef const Request* checked(self, const uint8_t[::1] requests, bint cold) except NULL:
        cdef Py_ssize_t n = requests.shape[0] // <Py_ssize_t>sizeof(Request)
        cdef Py_ssize_t i
        cdef const Request* r
        cdef const char* wrong
        cdef int context
        if n == 0 or n * <Py_ssize_t>sizeof(Request) != requests.shape[0]:
            raise ValueError(f"expected requests of {sizeof(Request)} bytes each, found {requests.shape[0]} bytes")
        r = <const Request*>&requests[0]
        for i in range(n):
            wrong = fault(&r[i])
            if wrong != NULL:
                raise ValueError(f"request {i}: {wrong.decode()}")
            context = r[i].n | r[i].trump << 3 | r[i].maxers << 6 | r[i].counted << 10
            if not cold:
                if self.context >= 0 and self.context != context:
                    raise ValueError(f"request {i}: the table holds another number of hands, trump, split or objective")
                self.context = context
        return r

    def run(self, const uint8_t[::1] requests not None, *, bint cold):
        """Answer packed requests in order, without the GIL; what a signal handler raises comes through."""
        cdef const Request* r = self.checked(requests, cold)
        cdef Py_ssize_t n = requests.shape[0] // <Py_ssize_t>sizeof(Request)
        cdef Py_ssize_t i
        cdef bytes out = PyBytes_FromStringAndSize(NULL, n * <Py_ssize_t>sizeof(Result))
        cdef Result* results = <Result*>PyBytes_AS_STRING(out)
        self.main_thread = threading.get_ident() == threading.main_thread().ident
        self.interrupted = False
        with nogil:
            for i in range(n):
                if cold:
                    self.empty()
                self.answer(&r[i], &results[i], NULL, 0, NULL)
                if self.interrupted:
                    break
            if cold:
                self.empty()
        self.main_thread = False
        if self.interrupted:
            raise_pending()
        return out

    def trace(self, const uint8_t[::1] request not None, Py_ssize_t limit):
        """As `run` for one request, cold, with the first `limit` proofs of the search: for tests."""
        cdef const Request* r = self.checked(request, True)
        cdef Result result
        cdef uint64_t n = 0, i
        cdef int h
        cdef Proof* proofs = <Proof*>malloc(max(limit, 1) * sizeof(Proof))
        if proofs == NULL:
            raise MemoryError
        try:
            self.empty()
            with nogil:
                self.answer(r, &result, proofs, limit, &n)
            self.empty()
            found = [
                (
                    tuple([proofs[i].hand[h] for h in range(r.n)]),
                    proofs[i].leader,
                    tuple([tierce_highest(proofs[i].on_table[h]) for h in range(proofs[i].n_on_table)]),
                    proofs[i].need,
                    bool(proofs[i].answer),
                    proofs[i].relevant,
                )
                for i in range(n)
            ]
        finally:
            free(proofs)
        return PyBytes_FromStringAndSize(<char*>&result, sizeof(Result)), found

    def clear(self):
        """Forget everything in the table."""
        self.empty()

    def cancel(self):
        """Stop the search that is running and those to come, until `reset`. From any thread."""
        self.cancelled = 1

    def reset(self):
        """Forget a cancellation."""
        self.cancelled = 0

    @property
    def entries(self):
        """Entries in the table now."""
        return self.table.entries + self.escapes.used

    @property
    def used_bytes(self):
        """Bytes of the table in use now."""
        cdef size_t blocks = self.table.n_used * sizeof(Block) + self.table.n_used // 4 * sizeof(Head)
        return blocks + escapes_bytes(&self.escapes, used=True)

    @property
    def table_bytes(self):
        """Bytes the table may take."""
        return self.bytes_


def cpu_supports_v3():
    """Does this processor run code for x86-64-v3?"""
    return bool(tierce_cpu_supports_v3())


def sure_trumps(owners, bint lead):
    """Tricks that one seat's trumps are sure of against two, for tests: owners of the trumps, lowest first, 0 for that
    seat, 1 for the one after it, 2 for the one before; `lead`: is it to lead?"""
    cdef uint32_t held[3]
    cdef int i
    if len(owners) > 13 or not all(owner in (0, 1, 2) for owner in owners):
        raise ValueError(f"expected at most 13 owners 0, 1 or 2, found {owners!r}")
    held[0] = held[1] = held[2] = 0
    for i in range(len(owners)):
        held[<int>owners[i]] |= <uint32_t>1 << i
    return lone_trumps(len(owners), held[0], held[1], held[2], lead)


def set_weights(int kind, weights):
    """Replace one row of the move ordering's weights, for benchmarks/tune.py; answers do not depend on them."""
    cdef int i
    if kind < 0 or kind > 3 or len(weights) != N_WEIGHTS:
        raise ValueError(f"expected a kind from 0 to 3 and {N_WEIGHTS} weights, found {kind!r} and {len(weights)}")
    for i in range(N_WEIGHTS):
        tierce_weights[kind][i] = weights[i]


def get_weights(int kind):
    """One row of the move ordering's weights."""
    return [tierce_weights[kind][i] for i in range(N_WEIGHTS)]
