# Who wins a trick of three cards, jokers and sevens among them, and which cards the declarer may play.
#
# A joker beats everything but a seven, a seven beats a joker, the later of two jokers wins: a cycle, which one of the
# procedures below resolves. The first card that is no joker sets the suit by which the rest is judged.
from libc.stdint cimport uint64_t

cdef enum:
    JOKER_ONE = 61          # and 62; a card is 16 * suit + rank otherwise
    SEVEN = 5               # the rank of a seven; no joker has it
    NO_TRUMP = 4
    SEQUENTIAL = 0          # a current winner is kept, each later card beats it or does not
    KILL = 1                # a seven in the trick makes its jokers powerless
    SEVEN_WINS = 2          # a joker and a seven: the last seven wins
    LOW = 3                 # jokers never win


cdef struct Rules:
    int resolution
    bint next_suit          # after a led joker the next card sets the suit to follow
    bint free               # a joker may be played by one who could follow


cdef inline bint is_joker(int card) noexcept nogil:
    return card >= JOKER_ONE


cdef inline bint is_seven(int card) noexcept nogil:
    return card & 15 == SEVEN


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline bint plainly_beats(int card, int best, int trump) noexcept nogil:
    """Two cards of the four suits, the later against the winner so far."""
    if card >> 4 == best >> 4:
        return card > best
    return card >> 4 == trump


cdef inline bint beats(int resolution, int card, int best, int trump) noexcept nogil:
    """Does a card beat the winner so far, if nothing but the two is looked at?"""
    if is_joker(card):
        return resolution != LOW and (not is_seven(best) or is_joker(best))
    if is_joker(best):
        return resolution == LOW or is_seven(card)
    return plainly_beats(card, best, trump)


cdef inline int plain_winner(const int* cards, int trump, bint jokers) noexcept nogil:
    """The place of the winner without the cycle: jokers win (the later of two), or never."""
    cdef int best = -1, i
    if jokers:
        for i in range(3):
            if is_joker(cards[2 - i]):
                return 2 - i
    for i in range(3):
        if not is_joker(cards[i]) and (best < 0 or plainly_beats(cards[i], cards[best], trump)):
            best = i
    return best


cdef inline int place_of_winner(int resolution, int first, int second, int third, int trump) noexcept nogil:
    """The place, 0 to 2, of the card that wins a trick."""
    cdef int cards[3]
    cdef int best = 0, i, sevens = -1
    cdef bint jokers = is_joker(first) or is_joker(second) or is_joker(third)
    cards[0] = first
    cards[1] = second
    cards[2] = third
    if not jokers or resolution == LOW:
        return plain_winner(cards, trump, False)
    if resolution == SEQUENTIAL:
        for i in range(1, 3):
            if beats(resolution, cards[i], cards[best], trump):
                best = i
        return best
    for i in range(3):
        if is_seven(cards[i]):
            sevens = i
    if sevens < 0:
        return plain_winner(cards, trump, True)
    return sevens if resolution == SEVEN_WINS else plain_winner(cards, trump, False)


cdef inline int winner(int resolution, int leader, int own, int one, int two, int trump) noexcept nogil:
    """The seat that wins: 0 the declarer with `own`, 1 and 2 the piles with `one` and `two`."""
    cdef int place
    if leader == 0:
        place = place_of_winner(resolution, own, one, two, trump)
    elif leader == 1:
        place = place_of_winner(resolution, one, two, own, trump)
    else:
        place = place_of_winner(resolution, two, own, one, trump)
    return (leader + place) % 3


cdef inline int suit_to_follow(const Rules* rules, int leader, int one, int two) noexcept nogil:
    """The suit the declarer must follow, -1 for none; `two` is on the table if a pile leads, `one` if pile 1 does."""
    cdef int led
    if leader == 0:
        return -1
    led = one if leader == 1 else two
    if is_joker(led):
        if not rules.next_suit or leader == 2 or is_joker(two):
            return -1
        led = two
    return led >> 4
