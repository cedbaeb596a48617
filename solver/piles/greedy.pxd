# The declarer's play by rules of thumb, in a few comparisons, from what he knows and nothing else.
#
# Each card of his has a chance to stand if it were led now. He plays the card with the best chance to win the trick,
# less a part of the chance it would have as a lead: on lead that is the best card, last the cheapest that wins, and
# where none wins the one he will miss least. Cards that would win the lead back, for they beat many cards that the
# piles may lead, may cost more, so that others are led before them. He declares a marriage if what he expects to make
# is worth more then.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from tierce.solver.piles.judging cimport beats, winner
from tierce.solver.piles.scene cimport (
    Now, Scene, chance, has_marriage, playable, settle, share, stands, turn,
)
from tierce.solver.search.bits cimport tierce_count, tierce_lowest


cdef struct Policy:
    double second           # what a card costs that is played second, as a part of its chance to stand
    double last             # ... that is played last
    double save_led         # ... that is led, as a part of the cards face down that it beats if they are led
    double save             # ... that is played second or last
    double part             # tricks expected of cards whose chances to stand add up to 1
    double hold             # what king or queen of a marriage that may still be declared costs
    int late                # cards left from which on it is declared, though fewer tricks may follow
    double sign             # 1 for most tricks, -1 for fewest


cdef inline double expected(const Scene* s, const Now* now, int trump, double part) noexcept nogil:
    """Tricks by rule of thumb."""
    cdef double found = 0.0
    cdef uint32_t left = now.hand
    while left:
        found += stands(now, s.beaters[trump][tierce_lowest(left)])
        left &= left - 1
    return now.tricks + part * found


cdef inline double worth_of(const Scene* s, double tricks, int declared, int trump) noexcept nogil:
    """What a number of tricks is worth that need not be whole, with two more and two less in mind."""
    cdef int low = <int>tricks, i, at
    cdef double found = 0.0, part = tricks - low
    for i in range(-2, 4):
        at = low + i
        at = 0 if at < 0 else 18 if at > 18 else at
        found += s.worth[at][declared][trump] * (1.0 if -2 < i < 3 else 1.0 - part if i == -2 else part)
    return found / 5


cdef inline int declaration(const Scene* s, const Policy* p, const Now* now) noexcept nogil:
    """The suit to declare before this lead, -1 for none."""
    cdef int suit, found = -1
    cdef double value, best = 0.0, now_ = 0.0, then
    cdef bint asked = False
    if s.first and now.trick == 0:
        return -1
    for suit in range(4):
        if not has_marriage(s, now.hand, suit):
            continue
        if not asked:
            now_ = expected(s, now, now.trump, p.part)
            best = worth_of(s, now_, now.declared, now.trump)
            asked = True
        then = expected(s, now, suit, p.part)
        value = worth_of(s, then, now.declared | 1 << suit, suit)
        if value > best and (then >= now_ or tierce_count(now.hand) <= p.late):
            best = value
            found = suit
    return found


cdef inline uint32_t held(const Scene* s, const Policy* p, const Now* now) noexcept nogil:
    """Kings and queens to keep for a declaration."""
    cdef uint32_t found = 0
    cdef int suit
    if p.hold:
        for suit in range(4):
            if has_marriage(s, now.hand, suit):
                found |= <uint32_t>1 << s.kings[suit] | <uint32_t>1 << s.queens[suit]
    return found


cdef inline int led(const Scene* s, const Policy* p, const Now* now, uint32_t cards) noexcept nogil:
    cdef int place, found = -1
    cdef uint32_t keep = held(s, p, now)
    cdef double value, best = -1e9
    while cards:
        place = tierce_lowest(cards)
        cards &= cards - 1
        value = p.sign * stands(now, s.beaters[now.trump][place])
        if p.save_led:
            value -= p.save_led * share(now, s.beaten[now.trump][place])
        if keep >> place & 1:
            value -= p.hold
        if value > best:
            best = value
            found = place
    return found


cdef inline int followed(const Scene* s, const Policy* p, const Now* now, int one, int two) noexcept nogil:
    """`one` -1: pile 2 led, pile 1 is still to turn its card."""
    cdef uint32_t cards = playable(s, now.hand, now.leader, one, two)
    cdef uint64_t over
    cdef uint32_t keep = held(s, p, now)
    cdef int place, card, found = -1, resolution = s.rules.resolution
    cdef double value, best = -1e9
    if not cards & (cards - 1):
        return tierce_lowest(cards)
    while cards:
        place = tierce_lowest(cards)
        cards &= cards - 1
        card = s.own[place]
        if now.leader == 1:
            value = 1.0 if winner(resolution, 1, card, one, two, now.trump) == 0 else 0.0
            value -= p.last * stands(now, s.beaters[now.trump][place]) if now.down[1] else 0.0
        else:
            over = s.beaters[now.trump][place]
            value = 0.0
            if beats(resolution, card, two, now.trump):
                value = 1.0 - chance(now, 1, over)
            value -= p.second * (1.0 - chance(now, 1, over))
        value *= p.sign
        if p.save:
            value -= p.save * share(now, s.beaten[now.trump][place])
        if keep >> place & 1:
            value -= p.hold
        if value > best:
            best = value
            found = place
    return found


cdef inline void after(const Scene* s, Now* now, int place, int x, int y, int seat) noexcept nogil:
    """What is true when a trick is over."""
    now.hand &= ~(<uint32_t>1 << place)
    turn(now, x)
    turn(now, y)
    settle(now, seat)
    now.down[1] = s.n - now.trick
    now.down[2] = s.n - now.trick


cdef inline void finish(
    const Scene* s, const Policy* p, Now* now, const int32_t* one, const int32_t* two
) noexcept nogil:
    """Play on to the end of the piles."""
    cdef int place, suit, seat, x, y
    while now.hand:
        x = one[now.trick]
        y = two[now.trick]
        if now.leader == 0:
            suit = declaration(s, p, now)
            if suit >= 0:
                now.trump = suit
                now.declared |= 1 << suit
                place = s.kings[suit]
            else:
                place = led(s, p, now, now.hand)
        else:
            turn(now, y)
            now.down[2] = s.n - now.trick - 1
            if now.leader == 1:
                turn(now, x)
                now.down[1] = s.n - now.trick - 1
            place = followed(s, p, now, x if now.leader == 1 else -1, y)
        seat = winner(s.rules.resolution, now.leader, s.own[place], x, y, now.trump)
        after(s, now, place, x, y, seat)
