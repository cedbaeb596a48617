# What a single seat's trumps are sure of against two: the tricks of a smaller game that only knows the trumps.
#
# Contract. `lone_trumps` is a lower bound of the tricks the single seat takes from the start of a trick on. Seats are
# told from it: E plays after it, M before it. Trumps are three sets over the places 0 (lowest) to n - 1 (highest).
#
# The game is the real one with all freedom about plain cards given to the two: whoever of them is to lead may lead a
# trump of either, or a plain suit in which the single seat is void; they ruff or not as they please, may throw trumps
# away at any time, and may give the single seat a trick and the lead. The single seat on its part throws no plain card
# where it could ruff, and leads trumps only. What it can force here it can force in the real game, trick by trick:
# where it has to follow to a plain suit its trumps stay as they are (a trump that somebody else plays is one thrown
# away, a trick that it wins is one given), and in every other trick the two have at least the choices they really have.
#
# Why it pays. Matching trumps from the top (bounds.pxd) takes each trump of the two to beat one. But M plays before the
# single seat on E's leads: its trumps beat nothing that is higher, and each round of trumps takes a card of both. Of
# the positions that matching did not settle and the search then proved, this settles 54 to 92 % (benchmarks/NOTES.md).
#
# A higher trump is never worse here (it may be in the real game). Let the single seat have the next higher trump in
# place of one of the others', and play as if it had not. Only a trick that holds both cards can turn out otherwise, and
# then it is won, not lost: one trick and the lead, which is what the two may give it anyway: no less for it.
#
# Answers are kept for the process, one byte each, 0 while unknown. Threads may fill them side by side: a byte has but
# one value it can get.
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_pack

cdef extern from "trump_game.h":
    enum: TIERCE_TRUMP_GAMES
    uint8_t tierce_trump_games[2][TIERCE_TRUMP_GAMES]
    uint32_t tierce_ternary(uint32_t mask) noexcept nogil
    uint32_t tierce_trump_games_before(int n) noexcept nogil


cdef inline int game_without(int n, uint32_t d, uint32_t e, uint32_t m, uint32_t gone, bint lead) noexcept nogil:
    # The game after the trumps `gone`; `lead`: the single seat has it.
    cdef uint32_t kept = ((<uint32_t>1 << n) - 1) & ~gone
    return lone_trumps(
        n - tierce_count(gone), <uint32_t>tierce_pack(d, kept), <uint32_t>tierce_pack(e, kept),
        <uint32_t>tierce_pack(m, kept), lead,
    )


cdef inline int after_trick(int n, uint32_t d, uint32_t e, uint32_t m, uint32_t own, uint32_t others) noexcept nogil:
    # Tricks from one on in which the single seat plays `own` and the two play `others` of the trumps.
    if own > others:
        return 1 + game_without(n, d, e, m, own | others, True)
    return game_without(n, d, e, m, own | others, False)


cdef inline int best_reply(int n, uint32_t d, uint32_t e, uint32_t m, uint32_t others) noexcept nogil:
    # The single seat plays last.
    cdef uint32_t left = d, own
    cdef int best = 0, value
    while left:
        own = left & -left
        left ^= own
        value = after_trick(n, d, e, m, own, others)
        if value > best:
            best = value
    return best


cdef inline int best_before(int n, uint32_t d, uint32_t e, uint32_t m, uint32_t led, uint32_t replies,
                            bint may_pass) noexcept nogil:
    # The single seat plays after `led`, and after it somebody one of `replies`, or no trump if he may or has none.
    cdef uint32_t left = d, own, rest, reply
    cdef int best = 0, worst, value
    while left:
        own = left & -left
        left ^= own
        worst = 99
        if may_pass or not replies:
            worst = after_trick(n, d, e, m, own, led)
        rest = replies
        while rest:
            reply = rest & -rest
            rest ^= reply
            value = after_trick(n, d, e, m, own, led | reply)
            if value < worst:
                worst = value
        if worst > best:
            best = worst
    return best


cdef inline int two_lead(int n, uint32_t d, uint32_t e, uint32_t m) noexcept nogil:
    # The least that the two can hold the single seat to, either of them on lead.
    cdef int least = 1 + lone_trumps(n, d, e, m, True)      # they give it a trick and the lead
    cdef int value
    cdef uint32_t left, one, rest, other
    # a trump thrown away
    left = e | m
    while left and least:
        one = left & -left
        left ^= one
        value = game_without(n, d, e, m, one, False)
        if value < least:
            least = value
    # E leads a plain suit; M ruffs, or not
    if least:
        value = best_reply(n, d, e, m, 0)
        if value < least:
            least = value
    left = m
    while left and least:
        one = left & -left
        left ^= one
        value = best_reply(n, d, e, m, one)
        if value < least:
            least = value
    # M leads a plain suit; E, who plays last, ruffs or not
    if least:
        value = best_before(n, d, e, m, 0, e, True)
        if value < least:
            least = value
    # E leads a trump, to which M follows
    left = e
    while left and least:
        one = left & -left
        left ^= one
        rest = m
        while True:
            other = rest & -rest
            value = best_reply(n, d, e, m, one | other)
            if value < least:
                least = value
            rest ^= other
            if not rest:
                break
    # M leads a trump, E follows
    left = m
    while left and least:
        one = left & -left
        left ^= one
        value = best_before(n, d, e, m, one, e, False)
        if value < least:
            least = value
    return least


cdef inline int one_leads(int n, uint32_t d, uint32_t e, uint32_t m) noexcept nogil:
    # The single seat leads a trump, both follow; or they throw one away first.
    cdef uint32_t left = d, own, of_e, of_m, rest_e, rest_m
    cdef int best = 0, worst, value
    while left:
        own = left & -left
        left ^= own
        worst = 99
        rest_e = e
        while True:
            of_e = rest_e & -rest_e
            rest_e ^= of_e
            rest_m = m
            while True:
                of_m = rest_m & -rest_m
                rest_m ^= of_m
                value = after_trick(n, d, e, m, own, of_e | of_m)
                if value < worst:
                    worst = value
                if not rest_m:
                    break
            if not rest_e:
                break
        if worst > best:
            best = worst
    left = e | m
    while left and best:
        own = left & -left
        left ^= own
        value = game_without(n, d, e, m, own, True)
        if value < best:
            best = value
    return best


cdef inline int lone_trumps(int n, uint32_t d, uint32_t e, uint32_t m, bint lead) noexcept nogil:
    """Tricks the trumps `d` are sure of, against `e` and `m`; `lead`: has the single seat the lead?"""
    cdef uint32_t at
    cdef int value
    if not d:
        return 0
    if not e | m:
        return n
    at = tierce_trump_games_before(n) + tierce_ternary(e) + 2 * tierce_ternary(m)
    value = tierce_trump_games[lead][at]
    if not value:
        value = 1 + (one_leads(n, d, e, m) if lead else two_lead(n, d, e, m))
        tierce_trump_games[lead][at] = <uint8_t>value
    return value - 1


cdef inline bint lone_trumps_of(uint64_t own, int low, uint64_t e, uint64_t m, bint lead, int want) noexcept nogil:
    """Are the trumps `own` and `low` more, which lie below all others, sure of `want` tricks? Sets of cards."""
    cdef uint64_t all = own | e | m
    cdef uint32_t d = (<uint32_t>tierce_pack(own, all) << low) | ((<uint32_t>1 << low) - 1)
    return lone_trumps(
        tierce_count(all) + low, d, <uint32_t>tierce_pack(e, all) << low, <uint32_t>tierce_pack(m, all) << low, lead
    ) >= want
