# The transposition table: classes of positions with proved bounds.
#
# Contract. An entry says: in every position of this shape (cards of each suit in each hand, and the leader) in which
# the relevant cards have these owners, the counted side takes at least `lo` and at most `hi` of the tricks left.
# Owners are two bit planes over the cards in play, packed: bit i of plane a is set if the i-th card belongs to hand
# 1 or 3, of plane b if to hand 2 or 3. Equal shape means equal suit lengths, so bit i is the same relative card in
# every position of one shape, and one comparison under the entry's mask decides membership.
#
# Layout. Blocks of eight entries hang in chains, one chain per hash of key and tag, newest block first. Blocks are
# handed out in ring order; when the ring comes round, the oldest block is taken off the tail of its chain. Memory is
# thus bounded, and what is lost is the oldest. `probe` copies out: nobody holds a pointer into the table.
#
# Tags. A shape with few entries has one chain (tag 0). Long searches come to hundreds of entries a shape, and then
# walking is most of the work: a shape with more than CROWDED full blocks has its new entries sorted by which suits' top
# cards they rest on (the pattern) and who owns these, and a look-up walks that chain and one short one for each pattern
# that the shape has. `order` of a block says how many of its shape came before it in the chain, so that a look-up knows
# from the blocks it walks whether there are sorted ones. When the ring has taken the shape's last crowded block, its
# sorted entries are no longer looked for: that loses entries and is never wrong. Figures: benchmarks/NOTES.md.
#
#   Block, 256 bytes (4 cache lines)
#   | a[8] 64 | b[8] 64 | mask[8] 64 | key 8 | next 4 | slot 4 | lo[8] 8 | hi[8] 8 | tag 2 | count 1 | order 1 | pad |
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_lowest, tierce_match8, tierce_prefetch

cdef enum:
    BLOCK_ENTRIES = 8
    NO_BLOCK = 0xFFFFFFFF
    PATTERN_BITS = 16       # at most: of the hash under which patterns are noted
    CROWDED = 8             # blocks of a shape after which its new entries are sorted

cdef struct Block:
    uint64_t a[8]
    uint64_t b[8]
    uint64_t mask[8]
    uint64_t key
    uint32_t next
    uint32_t slot
    int8_t lo[8]
    int8_t hi[8]
    uint16_t tag
    uint8_t count
    uint8_t order
    uint8_t pad[20]

cdef struct Head:
    uint32_t generation     # the chain is empty unless this is the table's generation
    uint32_t block

cdef struct Table:
    Block* blocks
    Head* heads
    Head* patterns          # by hash of the key: `block` has a bit for each pattern met, of any key with this hash
    uint32_t n_blocks
    uint32_t n_used         # blocks handed out since the last clearing, at most n_blocks
    uint32_t ring           # next block to hand out
    uint32_t generation
    int shift               # 64 - log2(number of heads)
    int patterns_shift
    uint64_t entries


cdef inline uint32_t table_slot(Table* table, uint64_t key, unsigned int tag) noexcept nogil:
    key += tag * <uint64_t>0xD6E8FEB86659FD93
    return <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift)


cdef inline uint32_t table_first(Table* table, uint32_t slot) noexcept nogil:
    if table.heads[slot].generation != table.generation:
        return NO_BLOCK
    return table.heads[slot].block


cdef inline uint32_t table_prefetch(Table* table, uint64_t key) noexcept nogil:
    # The head of the key's chain, its first block on its way to the cache. Heads are few enough to stay in the second
    # cache; blocks are not.
    cdef uint32_t at = table_first(table, table_slot(table, key, 0))
    cdef char* block
    if at != NO_BLOCK:
        block = <char*>&table.blocks[at]
        tierce_prefetch(block)
        tierce_prefetch(block + 64)
        tierce_prefetch(block + 128)
        tierce_prefetch(block + 192)
    return at


cdef inline int table_walk(Table* table, uint32_t at, uint64_t key, unsigned int tag, uint64_t a, uint64_t b, int need,
                           uint64_t* mask, int* order) noexcept nogil:
    # 1: at least `need` proved; 0: less than `need` proved; -1: not known. `mask` is the deciding entry's. Of several
    # in one block the one with the fewest relevant cards: it keeps the proofs above it general (6 to 9 % fewer nodes
    # than the first). Looking on into older blocks saves 1.5 % more nodes and costs 12 to 40 % of the time.
    cdef Block* block
    cdef unsigned int found
    cdef int i, size, answer = -1, best = 64
    while at != NO_BLOCK:
        block = &table.blocks[at]
        if block.key == key and block.tag == tag:
            if block.order > order[0]:
                order[0] = block.order
            found = tierce_match8(block.a, block.b, block.mask, a, b) & ((<unsigned int>1 << block.count) - 1)
            while found:
                i = tierce_lowest(found)
                found &= found - 1
                if block.lo[i] >= need:
                    answer = 1
                elif block.hi[i] < need:
                    answer = 0
                else:
                    continue
                size = tierce_count(block.mask[i])
                if size < best:
                    best = size
                    mask[0] = block.mask[i]
            if answer >= 0:
                return answer
        at = block.next
    return answer


cdef inline Head* table_patterns(Table* table, uint64_t key) noexcept nogil:
    return &table.patterns[(key * <uint64_t>0x9E3779B97F4A7C15) >> table.patterns_shift]


cdef inline void find_tops(uint64_t all, uint64_t* tops) noexcept nogil:
    # The packed bit of the highest card in play of each suit, 0 for a suit that is gone.
    cdef int suit, at = 0, count
    for suit in range(4):
        count = tierce_count(all & <uint64_t>0x1FFF << 16 * suit)
        at += count
        tops[suit] = <uint64_t>1 << (at - 1) if count else 0


cdef inline unsigned int tag_of(unsigned int pattern, uint64_t a, uint64_t b, const uint64_t* tops) noexcept nogil:
    # Never 0: bit 12, the pattern's four bits, and two bits for the owner of each top card that is in it.
    cdef unsigned int tag = 1 << 12 | pattern << 8
    cdef int suit
    for suit in range(4):
        if pattern >> suit & 1:
            tag |= (<unsigned int>(a & tops[suit] != 0) | <unsigned int>(b & tops[suit] != 0) << 1) << 2 * suit
    return tag


cdef inline int table_probe(Table* table, uint32_t at, uint64_t key, uint64_t a, uint64_t b, uint64_t all, int need,
                            uint64_t* mask) noexcept nogil:
    # As `table_walk`, over all chains of the shape; `at` comes from `table_prefetch`.
    cdef int order = 0
    cdef int found = table_walk(table, at, key, 0, a, b, need, mask, &order)
    cdef uint64_t tops[4]
    cdef unsigned int patterns, tag
    if found >= 0 or order < CROWDED or table_patterns(table, key).generation != table.generation:
        return found
    patterns = table_patterns(table, key).block
    find_tops(all, tops)
    while patterns:
        tag = tag_of(tierce_lowest(patterns), a, b, tops)
        patterns &= patterns - 1
        found = table_walk(table, table_first(table, table_slot(table, key, tag)), key, tag, a, b, need, mask, &order)
        if found >= 0:
            return found
    return -1


cdef inline unsigned int table_tag(Table* table, uint64_t key, uint64_t a, uint64_t b, uint64_t mask,
                                   uint64_t all) noexcept nogil:
    # The tag of a new entry, its pattern noted.
    cdef Head* head = table_patterns(table, key)
    cdef unsigned int pattern = 0
    cdef uint64_t tops[4]
    cdef int suit
    find_tops(all, tops)
    for suit in range(4):
        if mask & tops[suit]:
            pattern |= 1 << suit
    if head.generation != table.generation:
        head.generation = table.generation
        head.block = 0
    head.block |= 1 << pattern
    return tag_of(pattern, a, b, tops)


cdef inline uint32_t table_take_block(Table* table) noexcept nogil:
    # The next block of the ring, off its old chain if it was in use. The oldest block of all is the oldest of its
    # chain, and chains run from new to old: it is the tail.
    cdef uint32_t at = table.ring
    cdef uint32_t walk
    cdef Block* block = &table.blocks[at]
    table.ring = at + 1 if at + 1 < table.n_blocks else 0
    if table.n_used < table.n_blocks:
        table.n_used += 1
        return at
    table.entries -= block.count
    walk = table.heads[block.slot].block
    if walk == at:
        table.heads[block.slot].block = NO_BLOCK
    else:
        while table.blocks[walk].next != at:
            walk = table.blocks[walk].next
        table.blocks[walk].next = NO_BLOCK
    return at


cdef inline uint32_t table_block(Table* table, uint32_t slot, uint64_t key, unsigned int tag) noexcept nogil:
    # The newest block of this key and tag.
    cdef uint32_t at = table_first(table, slot)
    while at != NO_BLOCK:
        if table.blocks[at].key == key and table.blocks[at].tag == tag:
            break
        at = table.blocks[at].next
    return at


cdef inline void table_store(Table* table, uint64_t key, uint64_t a, uint64_t b, uint64_t mask, uint64_t all,
                             int lo, int hi) noexcept nogil:
    cdef unsigned int tag = 0
    cdef uint32_t slot = table_slot(table, key, 0)
    cdef uint32_t at = table_block(table, slot, key, 0)
    cdef Block* block
    cdef int i, order = 0
    if at != NO_BLOCK and table.blocks[at].count == BLOCK_ENTRIES:
        order = table.blocks[at].order + 1
        if order > CROWDED:
            order = 0
            tag = table_tag(table, key, a, b, mask, all)
            slot = table_slot(table, key, tag)
            at = table_block(table, slot, key, tag)
    if at == NO_BLOCK or table.blocks[at].count == BLOCK_ENTRIES:
        at = table_take_block(table)
        block = &table.blocks[at]
        block.key = key
        block.tag = <uint16_t>tag
        block.slot = slot
        block.count = 0
        block.order = <uint8_t>order
        block.next = table_first(table, slot)   # read anew: taking a block may have emptied this very chain
        table.heads[slot].generation = table.generation
        table.heads[slot].block = at
    block = &table.blocks[at]
    i = block.count
    block.a[i] = a
    block.b[i] = b
    block.mask[i] = mask
    block.lo[i] = <int8_t>lo
    block.hi[i] = <int8_t>hi
    block.count = <uint8_t>(i + 1)
    table.entries += 1
