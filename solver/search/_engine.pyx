"""The search: exact tricks by zero-window partition search."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from tierce.solver.search.bits cimport (
    tierce_alloc, tierce_count, tierce_cpu_supports_v3, tierce_fill_up, tierce_highest, tierce_lowest,
    tierce_now_ns, tierce_pack, tierce_spread,
)
from tierce.solver.search.bounds cimport crossing_tricks, imax, imin, leader_tricks, never_wins, side_trumps
from tierce.solver.search.escape cimport caught
from tierce.solver.search.escape_table cimport (
    cards_of, escapes_bytes, escapes_clear, escapes_close, escapes_open,
)
from tierce.solver.search.guess cimport first_guess
from tierce.solver.search.limits cimport check_limits, record, stopped_here
from tierce.solver.search.order cimport beats, list_moves
from tierce.solver.search.request cimport Request, Result, fault
from tierce.solver.search.table cimport (
    NO_BLOCK, Block, Head, Table, table_prefetch, table_probe, table_store,
)
from tierce.solver.search.weights cimport N_WEIGHTS, tierce_weights
from tierce.solver.search.types cimport (
    CUTOFF_BITS, MAX_CARDS, NO_TRUMP, EscapeTable, Move, Pairs, Proof, Search, Trick, lane,
)

cdef enum:
    ESCAPES_SHARE = 16      # one part in so many of a table's memory is for escapes


cdef inline uint64_t key_of(Search* s, int leader) noexcept nogil:
    # All hands are equally long at the start of a trick, so the last nibble follows from the others: room for the
    # leader.
    return (s.shape & <uint64_t>0x0FFFFFFFFFFFFFFF) | <uint64_t>leader << 60


cdef inline bint last_trick(Search* s, int leader, uint64_t* relevant) noexcept nogil:
    """Does the counted side win the last trick? Every hand has one card: nobody has a choice."""
    cdef uint64_t best = s.hand[leader], card
    cdef uint64_t suit = lane(tierce_lowest(best) >> 4)
    cdef int winner = leader, seat = leader, _
    cdef bint rivals = False
    for _ in range(1, s.n):
        seat = seat + 1 if seat + 1 < s.n else 0
        card = s.hand[seat]
        if card & suit:
            rivals = True
            if card > best:
                best = card
                winner = seat
        elif card & s.trumps:
            suit = s.trumps
            best = card
            winner = seat
            rivals = False
    relevant[0] = best if rivals else 0
    return s.counted >> winner & 1


cdef inline int other_bounds(Search* s, int leader, uint64_t all, int left, int need,
                             uint64_t* relevant) noexcept nogil:
    """The bounds that cost more than a look-up in the table. 1: at least `need`; 0: less; -1: they do not say."""
    cdef int partner
    cdef bint leader_max = s.maxers >> leader & 1
    cdef int want = need if leader_max else left - need + 1
    if s.n == 4 and not s.alone[leader]:     # with three hands it saves less than it costs
        for partner in range(s.n):
            if partner != leader and (s.maxers >> partner & 1) == leader_max:
                relevant[0] = 0
                if crossing_tricks(s, leader, partner, all, want, relevant) >= want:
                    return leader_max
    if s.trumps & all:
        relevant[0] = 0
        if side_trumps(s, s.maxers, need, relevant) >= need:
            return 1
        relevant[0] = 0
        if side_trumps(s, ~s.maxers, left - need + 1, relevant) >= left - need + 1:
            return 0
    return -1


cdef inline bint loner_escapes(Search* s, uint64_t all, uint64_t* relevant) noexcept nogil:
    """Can the counted seat, not on lead, be seen to take none of the tricks left?"""
    cdef Pairs pairs
    if s.trumps & all:
        return never_wins(s, s.loner, all, relevant)
    if caught(s, &pairs):
        return False
    relevant[0] = cards_of(s, &pairs)
    return True


cdef bint search(Search* s, int leader, int need, uint64_t* relevant) noexcept nogil:
    """At the start of a trick: does the counted side take at least `need` of the tricks left? `relevant`: proof."""
    cdef int left = tierce_count(s.hand[leader])
    cdef int want = 0, found
    cdef Trick t
    cdef uint64_t a, b, key, mask = 0, rel
    cdef bint answer, leader_max = s.maxers >> leader & 1
    cdef uint32_t chain
    relevant[0] = 0
    # 1. decided by the count alone
    if need <= 0:
        return True
    if need > left:
        return False
    # 2. limits
    if stopped_here(s):
        return False
    if left == 1:
        return last_trick(s, leader, relevant)
    t.all = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]
    t.leader = leader
    # 3. what the leader can cash, while the table's memory is on its way
    key = key_of(s, leader)
    chain = table_prefetch(s.table, key)
    if s.natural:
        want = need if leader_max else left - need + 1
        if leader_tricks(s, leader, t.all, want, relevant) >= want:
            if s.trace != NULL:
                record(s, &t, 0, need, leader_max, relevant[0])
            return leader_max
    elif need == 1 and s.loner >= 0 and s.loner != leader and loner_escapes(s, t.all, relevant):
        if s.stop:
            return False
        if s.trace != NULL:
            record(s, &t, 0, need, False, relevant[0])
        return False
    # 4. table
    a = tierce_pack(s.hand[1] | s.hand[3], t.all)
    b = tierce_pack(s.hand[2] | s.hand[3], t.all)
    found = table_probe(s.table, chain, key, a, b, need, &mask)
    if found >= 0:
        relevant[0] = tierce_spread(mask, t.all)
        return found
    # 5. the other bounds
    if s.natural:
        found = other_bounds(s, leader, t.all, left, need, &rel)
        if found >= 0:
            relevant[0] = rel
            if s.trace != NULL:
                record(s, &t, 0, need, found, rel)
            return found
    # 6. the cards
    answer = play(s, &t, 0, leader, 0, leader, False, need, &rel)
    if s.stop:
        return False
    relevant[0] = rel
    if s.trace != NULL:
        record(s, &t, 0, need, answer, rel)
    # 7. store
    mask = tierce_pack(tierce_fill_up(rel) & t.all, t.all)
    if answer:
        table_store(s.table, key, a, b, mask, need, left)
    else:
        table_store(s.table, key, a, b, mask, 0, need - 1)
    return answer


cdef bint play(Search* s, Trick* t, int k, int seat, uint64_t best, int best_seat, bint rivals, int need,
               uint64_t* relevant) noexcept nogil:
    """Within a trick, with k cards on the table: `seat` moves. `need` counts the trick in progress."""
    cdef Move moves[MAX_CARDS]
    cdef Move m
    cdef int n, i, j, top, suit, card, next_best_seat
    cdef bint want = s.maxers >> seat & 1
    cdef bint answer, next_rivals
    cdef uint64_t bit, rel, next_best, acc = 0, dead = 0, ln, in_lane
    cdef uint64_t one_shape
    cdef uint8_t* cutoff = NULL
    cdef int next_seat = seat + 1 if seat + 1 < s.n else 0
    n = list_moves(s, t, seat, k, best, best_seat, need == 1 and seat == s.loner and not s.natural, moves)
    if k == 0 and n > 1:
        cutoff = &s.cutoffs[(s.hand[seat] * <uint64_t>0x9E3779B97F4A7C15) >> (64 - CUTOFF_BITS)]
        for i in range(n):
            if moves[i].card == cutoff[0]:
                moves[i].score = 32000
    for i in range(n):
        # next best: selection sort, most nodes need one or two
        top = i
        for j in range(i + 1, n):
            if moves[j].score > moves[top].score:
                top = j
        m = moves[top]
        moves[top] = moves[i]
        card = m.card
        bit = <uint64_t>1 << card
        if dead & bit:
            continue
        suit = card >> 4
        ln = lane(suit)
        if k == 0:
            t.led = ln
            next_best = bit
            next_best_seat = seat
            next_rivals = False
        elif beats(bit, best, s.trumps):
            next_best = bit
            next_best_seat = seat
            next_rivals = (best & ln) != 0
        else:
            next_best = best
            next_best_seat = best_seat
            next_rivals = rivals or (best & ln) != 0
        s.hand[seat] ^= bit
        one_shape = <uint64_t>1 << (16 * seat + 4 * suit)
        s.shape -= one_shape
        t.on_table[k] = bit
        if k + 1 < s.n:
            answer = play(s, t, k + 1, next_seat, next_best, next_best_seat, next_rivals, need, &rel)
        else:
            answer = search(s, next_best_seat, need - (s.counted >> next_best_seat & 1), &rel)
            if next_rivals:
                rel |= next_best
        s.hand[seat] ^= bit
        s.shape += one_shape
        if s.stop:
            return False
        if answer == want:
            if cutoff != NULL:
                cutoff[0] = m.card
            relevant[0] = rel
            if s.trace != NULL and k:
                record(s, t, k, need, answer, rel)
            return answer
        acc |= rel
        in_lane = rel & ln
        if in_lane:
            in_lane &= -in_lane
            if in_lane <= bit:
                acc |= <uint64_t>1 << m.low
            else:
                dead |= (in_lane - 1) & ln
        else:
            dead |= ln
    relevant[0] = acc
    if s.trace != NULL and k:
        record(s, t, k, need, not want, acc)
    return not want


cdef class Engine:
    """One transposition table and the searches that use it, one at a time.

    Thread safety: `run` may be called from one thread at a time; `cancel` from any thread at any time.
    """
    cdef Table table
    cdef EscapeTable escapes
    cdef uint8_t* cutoffs
    cdef int cancelled
    cdef uint64_t spent_nodes       # of this request and those it is joined to
    cdef int64_t began              # when the first of them began
    cdef int context        # what the table's entries belong to: n, trump, maxers, counted; -1 while it is empty
    cdef size_t bytes_

    def __cinit__(self, size_t table_bytes):
        cdef uint32_t n
        cdef int bits = 4       # heads take 8 bytes for every 8 to 16 blocks
        cdef bint opened = escapes_open(&self.escapes, table_bytes // ESCAPES_SHARE)
        cdef size_t blocks = (table_bytes - table_bytes // ESCAPES_SHARE) // (sizeof(Block) + 1)
        if blocks < 64:
            blocks = 64
        if blocks > NO_BLOCK - 1:
            blocks = NO_BLOCK - 1
        n = <uint32_t>blocks
        while (<uint64_t>16 << bits) <= n:
            bits += 1
        self.table.n_blocks = n
        self.table.shift = 64 - bits
        self.bytes_ = n * sizeof(Block) + (sizeof(Head) << bits) + (1 << CUTOFF_BITS)
        self.bytes_ += escapes_bytes(&self.escapes, used=False)
        self.table.blocks = <Block*>tierce_alloc(n * sizeof(Block))
        self.table.heads = <Head*>calloc(<size_t>1 << bits, sizeof(Head))
        self.cutoffs = <uint8_t*>malloc(1 << CUTOFF_BITS)
        if not opened or self.table.blocks == NULL or self.table.heads == NULL or self.cutoffs == NULL:
            raise MemoryError(f"a table of {table_bytes} bytes")
        self.clear()

    def __dealloc__(self):
        free(self.table.blocks)
        free(self.table.heads)
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
        s.weights = tierce_weights[s.n - 3 + (0 if s.natural else 2)]
        s.loner_hand = r.hand[s.loner] if s.loner >= 0 else 0
        s.table = &self.table
        s.escapes = &self.escapes
        s.cutoffs = self.cutoffs
        s.max_nodes = ~<uint64_t>0
        if r.max_nodes:
            s.max_nodes = r.max_nodes - self.spent_nodes if r.max_nodes > self.spent_nodes else 0
        s.deadline = self.began + r.timeout if r.timeout else 0
        s.cancel = &self.cancelled
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
        """Answer packed requests in order; the GIL is released until all are done."""
        cdef const Request* r = self.checked(requests, cold)
        cdef Py_ssize_t n = requests.shape[0] // <Py_ssize_t>sizeof(Request)
        cdef Py_ssize_t i
        cdef bytes out = PyBytes_FromStringAndSize(NULL, n * <Py_ssize_t>sizeof(Result))
        cdef Result* results = <Result*>PyBytes_AS_STRING(out)
        with nogil:
            for i in range(n):
                if cold:
                    self.empty()
                self.answer(&r[i], &results[i], NULL, 0, NULL)
            if cold:
                self.empty()
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
        cdef size_t blocks = self.table.n_used * sizeof(Block) + self.table.n_used // 8 * sizeof(Head)
        return blocks + escapes_bytes(&self.escapes, used=True)

    @property
    def table_bytes(self):
        """Bytes the table may take."""
        return self.bytes_


def cpu_supports_v3():
    """Does this processor run code for x86-64-v3?"""
    return bool(tierce_cpu_supports_v3())


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
