# What one search works on: the hands, who wants what, counters and limits.
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tierce.solver.search.table cimport Head, Table

cdef enum:
    MAX_HANDS = 4
    MAX_CARDS = 18
    NO_TRUMP = 4
    CUTOFF_BITS = 16
    SLOTS = 20              # a hand's cards, padded to whole words
    SIGNALS_NS = 20_000_000     # how often a search in the main thread looks for signals
    COUNTS = 48             # 3 x 13 (four hands) or 2 x 18 (three) counts, padded

cdef enum StopReason:
    RUNNING = 0
    BY_NODES = 1
    BY_TIME = 2
    BY_CANCEL = 3

cdef struct Proof:
    # One decided node, for tests of the relevant sets (see `trace` in the extension).
    uint64_t hand[4]
    uint64_t on_table[4]
    int leader
    int n_on_table
    int need
    int answer
    uint64_t relevant

cdef struct Pairs:
    # Of each card p of the counted seat: the ranks (bits of a lane) of the cards o it is compared with.
    uint16_t ranks[SLOTS]

cdef struct Entry:
    uint64_t key
    uint32_t next
    uint8_t caught
    uint8_t pad[3]
    uint8_t counts[COUNTS]

cdef struct EscapeTable:
    # See escape_table.pxd.
    Entry* entries
    Head* heads
    uint32_t n_entries
    uint32_t used
    uint32_t generation
    int shift               # 64 - log2(number of heads)

cdef struct Search:
    uint64_t hand[4]        # cards held now; cards on the table are in no hand
    uint64_t shape          # cards of each suit in each hand: nibble 4 * hand + suit
    uint64_t trumps         # the trump suit's lane, 0 at no trump
    int n                   # hands: 3 or 4
    int trump               # 0..3, NO_TRUMP
    int maxers              # seats (bits) that want the counted tricks to be many
    int counted             # seats (bits) whose tricks count
    bint alone[4]           # has this seat no partner?
    int loner               # the counted seat if it is one alone, else -1
    int single              # of three hands the one without a partner, else -1
    bint natural            # counted == maxers: each side wants tricks for itself
    const int16_t* weights  # of the move ordering
    uint64_t loner_hand     # that seat's hand when the search began
    Table* table
    EscapeTable* escapes    # of searches for fewest tricks
    uint8_t* cutoffs        # 1 << CUTOFF_BITS entries: the lead that last succeeded, by hash of the leader's hand
    uint64_t nodes
    uint64_t max_nodes
    uint64_t next_check     # node count at which the clock and the cancel flag are read again
    int64_t deadline        # ns on the monotonic clock, 0 for none
    int64_t next_signals    # when signals are to be looked for, 0 for never
    int* cancel
    bint* interrupted       # a signal handler has raised
    int stop
    Proof* trace
    uint64_t n_trace
    uint64_t max_trace

cdef struct Move:
    uint8_t card
    uint8_t low             # lowest card of the touching group that `card` heads
    int16_t score

cdef struct Trick:
    uint64_t all            # cards in play when the trick began, those now on the table included
    uint64_t led            # lane of the suit led
    uint64_t on_table[4]
    int leader


cdef inline uint64_t lane(int suit) noexcept nogil:
    return <uint64_t>0x1FFF << (16 * suit)


cdef inline int after(const Search* s, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < s.n else 0


cdef inline int before(const Search* s, int seat) noexcept nogil:
    return seat - 1 if seat else s.n - 1
