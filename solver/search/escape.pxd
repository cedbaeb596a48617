# Fewest tricks: can the counted seat, alone, not on lead and with no trumps in play, be made to take any trick?
#
# Contract. `caught` answers for a freer play, in which the other hands choose before each trick who of them leads. So
# "escapes" holds for the real play, whoever leads; "caught" says nothing about it. The bound is close: over 100 random
# deals in which a four-hand seat holds only ranks 2 to 9, it answers for 10 of the 11 that escape, some 300 times
# faster than the search without it.
#
# Why so few plays are enough. Nothing here depends on two cards of the other hands, only on each against the seat's.
# To exchange a card of the seat's for the next lower card of another hand can only help it: it follows its old plan
# with the new card. Hence
# - the seat following suit plays its highest card that is sure to be beaten: by the card led, or by the lowest card of
#   a hand still to play. If there is none it is caught: those still to play all stay below. Void, it throws the highest
#   card of a suit.
# - whoever else follows suit plays his highest: the seat has been beaten, and low cards are worth keeping. Void, he
#   throws the highest card of a suit.
# - a suit is led by the holder who sits nearest before the seat, who then chooses before every other holder. Of his
#   cards that draw the same answer from the seat he leads the highest.
# Evidence: 200,000 random deals of 2 to 8 cards against a search that tries every leader and card, and the tests.
from libc.stdint cimport uint64_t

from tierce.solver.search.bits cimport tierce_highest, tierce_lowest
from tierce.solver.search.bounds cimport never_wins
from tierce.solver.search.escape_table cimport (
    add_pair, add_pairs, escapes_probe, escapes_store, no_pairs,
)
from tierce.solver.search.limits cimport stopped_here
from tierce.solver.search.types cimport Pairs, Search, after, before, lane


cdef inline void take(Search* s, int seat, uint64_t card) noexcept nogil:
    s.hand[seat] ^= card
    s.shape -= <uint64_t>1 << (16 * seat + 4 * (tierce_lowest(card) >> 4))


cdef inline void give_back(Search* s, int seat, uint64_t card) noexcept nogil:
    s.hand[seat] ^= card
    s.shape += <uint64_t>1 << (16 * seat + 4 * (tierce_lowest(card) >> 4))


cdef inline bint caught_at_once(Search* s, Pairs* pairs) noexcept nogil:
    # Some suit in which everyone else can stay below the seat's lowest card.
    cdef uint64_t lowest, held
    cdef int suit, h
    cdef bint led, below
    for suit in range(4):
        lowest = s.hand[s.loner] & lane(suit)
        lowest &= -lowest
        if not lowest:
            continue
        led = False
        below = True
        for h in range(s.n):
            held = s.hand[h] & lane(suit)
            if h != s.loner and held:
                led = True
                if held & -held > lowest:
                    below = False
                    break
        if led and below:
            no_pairs(pairs)
            for h in range(s.n):
                held = s.hand[h] & lane(suit)
                if h != s.loner and held:
                    add_pair(s, pairs, held & -held, lowest, suit)
            return True
    return False


cdef inline bint escapes_at_once(Search* s, Pairs* pairs) noexcept nogil:
    # The bound of bounds.pxd; it rests on every card that lies above one of the seat's.
    cdef uint64_t mine, p, above, unused
    cdef int suit, h
    if not never_wins(s, s.loner, s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3], &unused):
        return False
    no_pairs(pairs)
    for suit in range(4):
        mine = s.hand[s.loner] & lane(suit)
        while mine:
            p = mine & -mine
            mine ^= p
            for h in range(s.n):
                above = s.hand[h] & lane(suit) & ~(p - 1)
                if h != s.loner and above:
                    add_pair(s, pairs, above & -above, p, suit)
    return True


cdef inline uint64_t sure_to_beat(Search* s, int leader, int suit) noexcept nogil:
    # The highest of the lowest cards of those who play after the seat; 0 if they are all void.
    cdef int h = after(s, s.loner)
    cdef uint64_t held, most = 0
    while h != leader:
        held = s.hand[h] & lane(suit)
        held &= -held
        if held > most:
            most = held
        h = after(s, h)
    return most


cdef inline bint caught(Search* s, Pairs* pairs) noexcept nogil:
    """At the start of a trick: is the seat made to take this one or a later one? `pairs`: the proof."""
    cdef uint64_t key, mine, held, most, answer, try_below
    cdef int suit, leader, found
    cdef Pairs part, all_parts
    no_pairs(pairs)
    if not s.hand[s.loner] or stopped_here(s):
        return False
    if caught_at_once(s, pairs):
        return True
    if escapes_at_once(s, pairs):
        return False
    key = s.shape
    found = escapes_probe(s, key, pairs)
    if found >= 0:
        return found
    no_pairs(&all_parts)
    for suit in range(4):
        leader = before(s, s.loner)
        while leader != s.loner and not s.hand[leader] & lane(suit):
            leader = before(s, leader)
        if leader == s.loner:
            continue
        mine = s.hand[s.loner] & lane(suit)
        held = s.hand[leader] & lane(suit)
        most = sure_to_beat(s, leader, suit)
        # `answer`: the lowest card of the seat's that is not sure to be beaten by what is led below it
        mine &= ~(most | (most - 1)) if most else ~<uint64_t>0
        while True:
            answer = mine & -mine
            try_below = held & (answer - 1) if answer else held
            if try_below:
                if caught_by(s, leader, <uint64_t>1 << tierce_highest(try_below), suit, &part):
                    pairs[0] = part
                    escapes_store(s, key, True, pairs)
                    return True
                if s.stop:
                    return False
                add_pairs(&all_parts, &part)
            if not answer:
                break
            held &= ~(answer - 1)       # what is led below it draws the same answer or a lower one
            mine ^= answer
    pairs[0] = all_parts
    escapes_store(s, key, False, pairs)
    return False


cdef inline bint caught_by(Search* s, int leader, uint64_t led, int suit, Pairs* pairs) noexcept nogil:
    """Is the seat caught after this lead?"""
    cdef bint answer
    take(s, leader, led)
    answer = caught_in(s, after(s, leader), leader, led, suit, pairs)
    give_back(s, leader, led)
    return answer


cdef inline bint caught_in(Search* s, int seat, int leader, uint64_t led, int suit, Pairs* pairs) noexcept nogil:
    """Is the seat caught, with `seat` to play to the trick?"""
    cdef uint64_t mine, card
    cdef bint answer, wish = seat != s.loner
    cdef int other
    cdef Pairs part, all_parts
    if seat == leader:
        return caught(s, pairs)
    mine = s.hand[seat] & lane(suit)
    if mine and seat == s.loner:
        return caught_following(s, leader, led, suit, pairs)
    if mine:
        card = <uint64_t>1 << tierce_highest(mine)
        take(s, seat, card)
        answer = caught_in(s, after(s, seat), leader, led, suit, pairs)
        give_back(s, seat, card)
        return answer
    no_pairs(&all_parts)
    for other in range(4):
        mine = s.hand[seat] & lane(other)
        if not mine:
            continue
        card = <uint64_t>1 << tierce_highest(mine)
        take(s, seat, card)
        answer = caught_in(s, after(s, seat), leader, led, suit, &part)
        give_back(s, seat, card)
        if s.stop:
            return False
        if answer == wish:
            pairs[0] = part
            return answer
        add_pairs(&all_parts, &part)
    pairs[0] = all_parts
    return not wish


cdef inline bint caught_following(Search* s, int leader, uint64_t led, int suit, Pairs* pairs) noexcept nogil:
    """Is the seat caught, now to follow suit? It has a card that is sure to be beaten: see `caught_at_once`."""
    cdef uint64_t mine = s.hand[s.loner] & lane(suit)
    cdef uint64_t most = sure_to_beat(s, leader, suit)
    cdef uint64_t beaten_by = led if led > most else most
    cdef uint64_t card = <uint64_t>1 << tierce_highest(mine & (beaten_by - 1))
    cdef uint64_t higher = mine & ~(beaten_by | (beaten_by - 1))
    cdef uint64_t held
    cdef int h = after(s, s.loner)
    cdef bint answer
    take(s, s.loner, card)
    answer = caught_in(s, h, leader, led, suit, pairs)
    give_back(s, s.loner, card)
    if answer:
        # Its higher cards take this trick, because all others can stay below the lowest of them; lower ones than
        # `card` leave it worse off.
        higher &= -higher
        if higher:
            add_pair(s, pairs, led, higher, suit)
            while h != leader:
                held = s.hand[h] & lane(suit)
                if held:
                    add_pair(s, pairs, held & -held, higher, suit)
                h = after(s, h)
    elif most > card:
        add_pair(s, pairs, most, card, suit)
    else:
        # Nobody later is sure to beat it: the leader's cards do, all those above it that draw this answer.
        held = (s.hand[leader] & lane(suit) | led) & ~(card | (card - 1))
        add_pair(s, pairs, held & -held, card, suit)
    return answer
