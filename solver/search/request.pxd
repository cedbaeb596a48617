# Packed requests and results, as the extension takes and gives them, and the check that a request cannot take the
# search out of its arrays. tierce.solver.search has the same layouts for Python's struct.
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from tierce.solver.search.bits cimport TIERCE_LANES, tierce_count
from tierce.solver.search.types cimport MAX_CARDS, NO_TRUMP


cdef packed struct Request:
    uint64_t hand[4]
    uint8_t trick[4]        # cards on the table, in order; 255 for none
    uint8_t n
    uint8_t trump
    uint8_t leader
    uint8_t maxers
    uint8_t counted
    int8_t low
    int8_t high
    int8_t guess            # the first question; -1: the engine's choice
    uint8_t joined          # 1: the limits go on counting from the request before
    uint8_t reserved[3]
    uint64_t max_nodes      # 0 for no limit
    int64_t timeout         # ns, 0 for no limit


cdef packed struct Result:
    int8_t low
    int8_t high
    uint8_t stop
    uint8_t reserved[5]
    uint64_t relevant
    uint64_t nodes
    int64_t nanoseconds


cdef inline const char* fault(const Request* r) noexcept nogil:
    """What is wrong with a request, or NULL. Whatever passes cannot take the search out of its arrays."""
    cdef uint64_t seen = 0, bit
    cdef int h, k = 0, size, most = 0, seat
    if r.n != 3 and r.n != 4:
        return "expected 3 or 4 hands"
    if r.trump > NO_TRUMP:
        return "expected a trump from 0 to 4"
    if r.leader >= r.n:
        return "expected a leader below the number of hands"
    if r.maxers >> r.n or r.counted >> r.n:
        return "expected sides of seats below the number of hands"
    if r.maxers != r.counted and r.maxers != ((1 << r.n) - 1) ^ r.counted:
        return "expected maxers to be the counted seats or all the others"
    while k < r.n - 1 and r.trick[k] != 255:
        if r.trick[k] > 63 or not (<uint64_t>1 << r.trick[k]) & TIERCE_LANES:
            return "expected cards of the trick to be 16 * suit + rank"
        bit = <uint64_t>1 << r.trick[k]
        if seen & bit:
            return "expected all cards to be distinct"
        seen |= bit
        k += 1
    for h in range(k, 4):
        if r.trick[h] != 255:
            return "expected fewer cards on the table than hands"
    for h in range(4):
        if h >= r.n:
            if r.hand[h]:
                return "expected no cards in a hand that does not play"
            continue
        if r.hand[h] & ~TIERCE_LANES:
            return "expected hands of cards 16 * suit + rank"
        if seen & r.hand[h]:
            return "expected all cards to be distinct"
        seen |= r.hand[h]
        seat = h - r.leader if h >= r.leader else h - r.leader + r.n
        size = tierce_count(r.hand[h]) + (1 if seat < k else 0)
        if h == 0:
            most = size
        if size != most:
            return "expected hands of equal size at the start of the trick"
    if most < 1 or most > MAX_CARDS:
        return "expected 1 to 18 cards a hand"
    if r.timeout < 0:
        return "expected a time limit of 0 or more"
    if r.low < 0 or r.high > most or r.low > r.high:
        return "expected 0 <= low <= high <= tricks left"
    return NULL
