# The search by whole tricks, zero window: can the counted side take at least so many of the tricks left?
#
# Contract. `search` answers at the start of a trick, `play` within one. Both fill `relevant`: the cards whose rank
# mattered. In every position with the same suit lengths in all hands in which the owners of these cards and of all
# higher ones of their suits are the same, the answer is the same (Ginsberg's partition search). Rules for that set:
# - a trick won by rank, another card of the winner's suit being on the table, makes the winning card relevant;
# - a success of the side to move needs the set of the successful card alone, a failure the sets of all cards tried;
# - a bound needs the cards it counted; an entry of the table brings its own;
# - of a touching group only the top is tried: if it fails and its rank mattered, the set reaches down to the group's
#   lowest; if its rank did not matter, all lower cards of that suit in that hand fail with it.
# A set too small gives wrong answers long after: tests/solver/test_class_members.py tries the sets themselves.
#
# Once `s.stop` is set answers mean nothing, and nothing is stored.
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tierce.solver.search.bits cimport (
    tierce_count, tierce_fill_up, tierce_lowest, tierce_pack, tierce_spread,
)
from tierce.solver.search.bounds cimport crossing_tricks, leader_tricks, never_wins, side_trumps, single_trumps
from tierce.solver.search.escape cimport caught
from tierce.solver.search.escape_table cimport cards_of
from tierce.solver.search.limits cimport record, stopped_here
from tierce.solver.search.order cimport beats, list_moves
from tierce.solver.search.table cimport table_prefetch, table_probe, table_store
from tierce.solver.search.types cimport CUTOFF_BITS, MAX_CARDS, Move, Pairs, Search, Trick, lane


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
        if s.single >= 0:
            want = need if s.maxers >> s.single & 1 else left - need + 1
            if single_trumps(s, leader == s.single, all, want, relevant):
                return s.maxers >> s.single & 1
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


cdef inline bint search(Search* s, int leader, int need, uint64_t* relevant) noexcept nogil:
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
    found = table_probe(s.table, chain, key, a, b, t.all, need, &mask)
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
        table_store(s.table, key, a, b, mask, t.all, need, left)
    else:
        table_store(s.table, key, a, b, mask, t.all, 0, need - 1)
    return answer


cdef inline bint play(Search* s, Trick* t, int k, int seat, uint64_t best, int best_seat, bint rivals, int need,
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
