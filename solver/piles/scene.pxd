# A moment of the play as the declarer knows it, what may happen in it, and piles drawn at random that fit.
#
# His cards have places 0 ... n - 1, and a hand is a set of places. What lies face down is known to be in pile 1, known
# to be in pile 2, or free: one of the rest, of which each pile has as many as it needs. `sets[1]`, `sets[2]` and
# `sets[0]` are these, as masks of cards. Nothing he plays changes the piles.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from tierce.solver.piles.judging cimport NO_TRUMP, Rules, beats, bit, is_joker, suit_to_follow, winner
from tierce.solver.search.bits cimport tierce_count, tierce_lowest

cdef enum:
    MOST = 18               # tricks of a deal
    DECLARED = 16           # sets of suits
    TRUMPS = 5
    LAST = 19               # numbers of tricks: 0 to 18


cdef struct Scene:
    int n                   # cards in his hand: tricks that are not over
    int own[MOST]
    uint64_t sets[3]        # face down: free, known to be in pile 1, in pile 2
    int turned[3]           # [1], [2]: the card that a pile has on the table, -1 for none
    int leader              # of the trick on the table
    int trump               # 0 to 3, NO_TRUMP
    int declared            # suits, as bits
    int tricks              # his, so far
    bint first              # the trick on the table is the first of the deal: no marriage
    bint marriages          # may suits be declared at all?
    Rules rules
    double worth[LAST][DECLARED][TRUMPS]    # of a deal, by his tricks, the suits he declared, and the last of them
    uint32_t suits[TRUMPS]  # his places by suit, the last for jokers
    int kings[4]            # places of king and queen where he has both, else -1
    int queens[4]
    uint64_t beaters[TRUMPS][MOST]  # by trump and place: the cards that beat his if they come later
    uint64_t beaten[TRUMPS][MOST]   # ... the cards that his beats if they are led


cdef struct Now:
    uint32_t hand           # places
    uint64_t sets[3]
    int down[3]             # cards face down in each pile
    int leader
    int trump
    int declared
    int tricks
    int trick               # tricks over since the scene


cdef inline void prepare(Scene* s) noexcept nogil:
    """All that follows from the cards."""
    cdef int i, suit, trump, card
    for suit in range(TRUMPS):
        s.suits[suit] = 0
    for suit in range(4):
        s.kings[suit] = -1
        s.queens[suit] = -1
    for i in range(s.n):
        card = s.own[i]
        s.suits[4 if is_joker(card) else card >> 4] |= <uint32_t>1 << i
        if not is_joker(card) and card & 15 == 11:
            s.kings[card >> 4] = i
        if not is_joker(card) and card & 15 == 10:
            s.queens[card >> 4] = i
        for trump in range(TRUMPS):
            s.beaters[trump][i] = 0
            s.beaten[trump][i] = 0
    for suit in range(4):
        if s.kings[suit] < 0 or s.queens[suit] < 0 or not s.marriages:
            s.kings[suit] = -1
            s.queens[suit] = -1
    for trump in range(TRUMPS):
        for i in range(s.n):
            for card in range(63):
                if card & 15 > 12 and not is_joker(card):
                    continue
                if beats(s.rules.resolution, card, s.own[i], trump):
                    s.beaters[trump][i] |= bit(card)
                if beats(s.rules.resolution, s.own[i], card, trump):
                    s.beaten[trump][i] |= bit(card)


cdef inline void begin(const Scene* s, Now* now) noexcept nogil:
    cdef int i
    now.hand = (<uint32_t>1 << s.n) - 1
    for i in range(3):
        now.sets[i] = s.sets[i]
    now.down[1] = s.n - (s.turned[1] >= 0)
    now.down[2] = s.n - (s.turned[2] >= 0)
    now.leader = s.leader
    now.trump = s.trump
    now.declared = s.declared
    now.tricks = s.tricks
    now.trick = 0


cdef inline void turn(Now* now, int card) noexcept nogil:
    """A card lies face up."""
    cdef uint64_t rest = ~bit(card)
    now.sets[0] &= rest
    now.sets[1] &= rest
    now.sets[2] &= rest


cdef inline void settle(Now* now, int seat) noexcept nogil:
    """A trick is over, both piles have turned their cards."""
    now.tricks += seat == 0
    now.leader = seat
    now.trick += 1


cdef inline uint32_t playable(const Scene* s, uint32_t hand, int leader, int one, int two) noexcept nogil:
    cdef int suit = suit_to_follow(&s.rules, leader, one, two)
    cdef uint32_t follow
    if suit < 0:
        return hand
    follow = hand & s.suits[suit]
    if not follow:
        return hand
    return follow | (hand & s.suits[4]) if s.rules.free else follow


cdef inline bint has_marriage(const Scene* s, uint32_t hand, int suit) noexcept nogil:
    return s.kings[suit] >= 0 and (hand >> s.kings[suit] & 1) and (hand >> s.queens[suit] & 1)


# ---- chance ----------------------------------------------------------------------------------------------------------


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """A number that looks like chance: the finish of splitmix64."""
    x ^= x >> 30
    x *= <uint64_t>0xBF58476D1CE4E5B9
    x ^= x >> 27
    x *= <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline int below(uint64_t* state, int limit) noexcept nogil:
    """A number from 0 to limit - 1; none is favoured by more than one part in a hundred millions."""
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return <int>(((mixed(state[0]) >> 32) * <uint64_t>limit) >> 32)


cdef inline void shuffle(int32_t* cards, int count, uint64_t* state) noexcept nogil:
    cdef int i, j
    cdef int32_t card
    for i in range(count - 1, 0, -1):
        j = below(state, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


cdef inline void draw(const Scene* s, uint64_t seed, int32_t* one, int32_t* two) noexcept nogil:
    """An order of both piles that fits, each equally likely; what lies on the table comes first."""
    cdef int32_t free[64]
    cdef int32_t* piles[3]
    cdef uint64_t left = s.sets[0], known
    cdef uint64_t state = mixed(seed + <uint64_t>0x9E3779B97F4A7C15)
    cdef int count = 0, pile, n, start
    piles[1] = one
    piles[2] = two
    while left:
        free[count] = tierce_lowest(left)
        left &= left - 1
        count += 1
    shuffle(free, count, &state)
    for pile in range(1, 3):
        n = 0
        if s.turned[pile] >= 0:
            piles[pile][0] = s.turned[pile]
            n = 1
        start = n
        known = s.sets[pile]
        while known:
            piles[pile][n] = tierce_lowest(known)
            known &= known - 1
            n += 1
        while n < s.n:
            count -= 1
            piles[pile][n] = free[count]
            n += 1
        shuffle(piles[pile] + start, n - start, &state)


cdef inline double chance(const Now* now, int pile, uint64_t cards) noexcept nogil:
    """How likely the next card face down of a pile is one of these."""
    cdef int known = tierce_count(now.sets[pile])
    cdef double found = tierce_count(now.sets[pile] & cards) if known else 0.0
    cdef int free
    if known < now.down[pile]:
        free = tierce_count(now.sets[0])
        found += (now.down[pile] - known) * <double>tierce_count(now.sets[0] & cards) / free
    return found / now.down[pile]


cdef inline double share(const Now* now, uint64_t cards) noexcept nogil:
    """The part of the cards face down that are among these."""
    cdef uint64_t down = now.sets[0] | now.sets[1] | now.sets[2]
    return tierce_count(down & cards) / <double>tierce_count(down) if down else 0.0


cdef inline double stands(const Now* now, uint64_t beaters) noexcept nogil:
    """How likely neither of the next two cards, one of each pile, is among these."""
    cdef int known_one = tierce_count(now.sets[1]), known_two = tierce_count(now.sets[2])
    cdef int free = tierce_count(now.sets[0])
    cdef int good = tierce_count(now.sets[0] & ~beaters)
    cdef int one = now.down[1], two = now.down[2]
    cdef double sure = tierce_count(now.sets[2] & ~beaters) / <double>two
    cdef double share = (two - known_two) / <double>two
    cdef double found = 0.0
    if known_one:
        found += tierce_count(now.sets[1] & ~beaters) / <double>one * (sure + (share * good / free if free else 0.0))
    if known_one < one and good:
        found += (one - known_one) * <double>good / (<double>one * free) * (
            sure + (share * (good - 1) / (free - 1) if free > 1 else 0.0)
        )
    return found
