# What is known about escapes (see escape.pxd): proofs as pairs of cards, and the table that keeps them as counts.
#
# Pairs. "Escapes" rests on comparisons o > p, "caught" on o < p: p a card of the seat, o one of another hand, both in
# one suit. A pair speaks of cards in the hands, so it stays true of the position a trick earlier as it is.
#
# Entries. A pair becomes a count in the table: of the cards of hand h, how many lie above the seat's i-th highest card
# of a suit. Cards of one suit in one hand are told apart by their place, so counts say all that matters. An escape
# needs counts at least as large as its entry's, a capture counts at most as large: an entry serves every position of
# its shape that is as good, not only its equals.
#
#   Entry, 64 bytes (a cache line)
#   | key 8 | next 4 | caught 1 | pad 3 | counts[48] |
#
# Memory. When the table is full it is emptied: entries are few beside those of the main table.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from tierce.solver.search.bits cimport tierce_all_at_least, tierce_count, tierce_highest
from tierce.solver.search.table cimport NO_BLOCK, Head
from tierce.solver.search.types cimport COUNTS, Entry, EscapeTable, Pairs, Search, SLOTS, lane


cdef inline bint escapes_open(EscapeTable* table, size_t table_bytes) noexcept nogil:
    """Memory for as many entries as fit; False if there is none."""
    cdef int bits = 4
    cdef size_t n = table_bytes // (sizeof(Entry) + sizeof(Head))
    if n < 64:
        n = 64
    if n > <size_t>1 << 31:
        n = <size_t>1 << 31
    while <size_t>2 << bits <= n:
        bits += 1
    table.n_entries = <uint32_t>n
    table.shift = 64 - bits
    table.generation = 1
    table.used = 0
    table.entries = <Entry*>malloc(n * sizeof(Entry))
    table.heads = <Head*>calloc(<size_t>1 << bits, sizeof(Head))
    return table.entries != NULL and table.heads != NULL


cdef inline void escapes_close(EscapeTable* table) noexcept nogil:
    free(table.entries)
    free(table.heads)


cdef inline void escapes_clear(EscapeTable* table) noexcept nogil:
    table.used = 0
    table.generation += 1
    if table.generation == 0:
        memset(table.heads, 0, sizeof(Head) << (64 - table.shift))
        table.generation = 1


cdef inline size_t escapes_bytes(const EscapeTable* table, bint used) noexcept nogil:
    if used:
        return table.used * (sizeof(Entry) + sizeof(Head))
    return table.n_entries * sizeof(Entry) + (sizeof(Head) << (64 - table.shift))


cdef inline int slot(Search* s, uint64_t p) noexcept nogil:
    # Where the pairs of card p stand: its place among the cards the seat had when the search began.
    return tierce_count(s.loner_hand & (p - 1))


cdef inline void no_pairs(Pairs* pairs) noexcept nogil:
    cdef int i
    for i in range(SLOTS):
        pairs.ranks[i] = 0


cdef inline void add_pairs(Pairs* pairs, const Pairs* more) noexcept nogil:
    cdef int i
    for i in range(SLOTS):
        pairs.ranks[i] |= more.ranks[i]


cdef inline void add_pair(Search* s, Pairs* pairs, uint64_t o, uint64_t p, int suit) noexcept nogil:
    pairs.ranks[slot(s, p)] |= <uint16_t>(o >> 16 * suit)


cdef inline uint64_t cards_of(Search* s, const Pairs* pairs) noexcept nogil:
    # All cards o of the pairs. Where the owners of these and of all higher cards are the same, so are the counts.
    cdef uint64_t cards = 0, mine = s.hand[s.loner], p
    while mine:
        p = mine & -mine
        mine ^= p
        cards |= <uint64_t>pairs.ranks[slot(s, p)] << (tierce_highest(p) & 48)
    return cards


cdef inline int counted_above(Search* s, int h, int suit, uint64_t p) noexcept nogil:
    return tierce_count(s.hand[h] & lane(suit) & ~((p - 1) | p))


cdef inline void position_counts(Search* s, uint8_t* counts) noexcept nogil:
    cdef int i = 0, suit, h
    cdef uint64_t mine, p
    memset(counts, 0, COUNTS)
    for suit in range(4):
        mine = s.hand[s.loner] & lane(suit)
        while mine:
            p = <uint64_t>1 << tierce_highest(mine)
            mine ^= p
            for h in range(s.n):
                if h != s.loner:
                    counts[i] = <uint8_t>counted_above(s, h, suit, p)
                    i += 1


cdef inline void pairs_of(Search* s, const Entry* e, Pairs* pairs) noexcept nogil:
    """An entry's counts, read as pairs of the present position."""
    cdef int i = 0, suit, h, above
    cdef uint64_t mine, p, held
    no_pairs(pairs)
    for suit in range(4):
        mine = s.hand[s.loner] & lane(suit)
        while mine:
            p = <uint64_t>1 << tierce_highest(mine)
            mine ^= p
            for h in range(s.n):
                if h == s.loner:
                    continue
                held = s.hand[h] & lane(suit)
                # escapes: the `above`-th highest card lies above p; caught: the one after it lies below
                above = e.counts[i] - (0 if e.caught else 1)
                i += 1
                if 0 <= above < tierce_count(held):
                    while above:
                        held ^= <uint64_t>1 << tierce_highest(held)
                        above -= 1
                    add_pair(s, pairs, <uint64_t>1 << tierce_highest(held), p, suit)


cdef inline uint32_t escapes_slot(const EscapeTable* table, uint64_t key) noexcept nogil:
    return <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift)


cdef inline uint32_t escapes_first(const EscapeTable* table, uint64_t key) noexcept nogil:
    cdef const Head* head = &table.heads[escapes_slot(table, key)]
    return head.block if head.generation == table.generation else NO_BLOCK


cdef inline int escapes_probe(Search* s, uint64_t key, Pairs* pairs) noexcept nogil:
    """1: caught; 0: escapes; -1: not known."""
    cdef EscapeTable* table = s.escapes
    cdef uint32_t at = escapes_first(table, key)
    cdef uint8_t counts[COUNTS]
    cdef const Entry* e
    if at == NO_BLOCK:
        return -1
    position_counts(s, counts)
    while at != NO_BLOCK:
        e = &table.entries[at]
        if e.key == key:
            if tierce_all_at_least(e.counts, counts) if e.caught else tierce_all_at_least(counts, e.counts):
                pairs_of(s, e, pairs)
                return e.caught
        at = e.next
    return -1


cdef inline void escapes_store(Search* s, uint64_t key, bint caught, const Pairs* pairs) noexcept nogil:
    cdef EscapeTable* table = s.escapes
    cdef Entry* e
    cdef Head* head
    cdef int i = 0, suit, h
    cdef uint64_t mine, p, cards, held
    if table.used == table.n_entries:
        escapes_clear(table)
    head = &table.heads[escapes_slot(table, key)]
    e = &table.entries[table.used]
    e.key = key
    e.caught = caught
    e.next = escapes_first(table, key)
    head.block = table.used
    head.generation = table.generation
    table.used += 1
    memset(e.counts, 255 if caught else 0, COUNTS)      # no pair: any count will do
    for suit in range(4):
        mine = s.hand[s.loner] & lane(suit)
        while mine:
            p = <uint64_t>1 << tierce_highest(mine)
            mine ^= p
            cards = <uint64_t>pairs.ranks[slot(s, p)] << (16 * suit)
            for h in range(s.n):
                if h == s.loner:
                    continue
                held = s.hand[h] & cards
                if held and caught:
                    e.counts[i] = <uint8_t>counted_above(s, h, suit, <uint64_t>1 << tierce_highest(held))
                elif held:
                    e.counts[i] = <uint8_t>(counted_above(s, h, suit, held & -held) + 1)
                i += 1
