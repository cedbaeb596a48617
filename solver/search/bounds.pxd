# Static bounds at the start of a trick, for searches in which each side wants tricks for itself.
from libc.stdint cimport uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_highest, tierce_lowest
from tierce.solver.search.trump_game cimport lone_trumps_of
from tierce.solver.search.types cimport NO_TRUMP, Search, after, before, lane


cdef inline int imin(int x, int y) noexcept nogil:
    return x if x < y else y


cdef inline int imax(int x, int y) noexcept nogil:
    return x if x > y else y


cdef inline int trump_winners(uint64_t own, uint64_t enemy, int want, uint64_t* relevant) noexcept nogil:
    # Tricks that the trumps `own` of one hand are sure of, whoever leads: every trump is played once and loses only
    # under a higher enemy trump, each of which beats one. Matching from the top is best for the enemy. Stops at
    # `want`: what lies lower cannot take back a trick counted. Less than `want` is not told exactly.
    cdef int wins = 0, spare = 0
    cdef uint64_t both = own | enemy
    cdef uint64_t bit
    cdef int held = tierce_count(own)
    if held < want:
        return 0        # callers want a yes or no
    if held - tierce_count(enemy) >= want:
        return want
    while both:
        bit = <uint64_t>1 << tierce_highest(both)
        both ^= bit
        if enemy & bit:
            spare += 1
        elif spare:
            spare -= 1
        else:
            wins += 1
            if wins == want:
                relevant[0] |= bit
                return wins
    return wins


cdef inline bint single_trumps(Search* s, bint lead, uint64_t all, int want, uint64_t* relevant) noexcept nogil:
    """Are the trumps of the seat that has no partner, of three, sure of `want` tricks? `relevant`: its lowest trump
    whose rank is needed, if any."""
    cdef uint64_t trumps = all & s.trumps, own = s.hand[s.single] & trumps, high = 0
    cdef uint64_t e = s.hand[after(s, s.single)] & trumps, m = s.hand[before(s, s.single)] & trumps
    cdef int count = tierce_count(own)
    if count < want or not lone_trumps_of(own, 0, e, m, lead, want):
        return False
    # Its lowest trumps put below all others: a higher trump is never worse in the game of trumps (trump_game.pxd), so
    # what holds then holds wherever they are.
    while not lone_trumps_of(high, count, e, m, lead, want):
        count -= 1
        high |= <uint64_t>1 << tierce_highest(own & ~high)
    relevant[0] = high & -high
    return True


cdef inline int leader_tricks(Search* s, int leader, uint64_t all, int want, uint64_t* relevant) noexcept nogil:
    # Tricks the leader can cash himself, one after the other, before anyone else gains the lead, plus what his trumps
    # are sure of afterwards. `relevant` is filled with the cards counted; at most `want` are counted.
    cdef uint64_t own = s.hand[leader]
    cdef uint64_t rel = 0
    cdef uint64_t enemy_trumps = 0
    cdef uint64_t suit, mine, others, top
    cdef int side = s.maxers if s.maxers >> leader & 1 else ~s.maxers
    cdef int total = 0
    cdef int h, t, wins, longest, rounds, size, count
    cdef int plain = 18
    cdef bint ruffs = False
    if s.trumps & all:
        for h in range(s.n):
            if not side >> h & 1:
                enemy_trumps |= s.hand[h] & s.trumps
        mine = own & s.trumps
        ruffs = enemy_trumps != 0
        others = (all & s.trumps) & ~mine
        if ruffs and mine > others:
            longest = 0
            size = 0
            for h in range(s.n):
                if h != leader:
                    count = tierce_count(s.hand[h] & s.trumps)
                    longest = imax(longest, count)
                    if not side >> h & 1:
                        size = imax(size, count)
            # draw them all?
            top = mine & ~((<uint64_t>2 << tierce_highest(others)) - 1)
            wins = tierce_count(top)
            if wins >= size:
                # `size` rounds draw every enemy trump
                ruffs = False
                count = tierce_count(mine) if wins >= longest else wins
                if count > 0:
                    # the top `size` decide that the enemies have none left; further ones count by rank only if held
                    # by someone else in between
                    h = imin(longest, wins) if wins >= longest else imin(wins, imax(size, want))
                    while tierce_count(top) > h:
                        top &= top - 1
                    if top:
                        rel |= <uint64_t>1 << tierce_lowest(top)
                    total += count
                    if total >= want:
                        relevant[0] |= rel
                        return total
        elif not ruffs:
            total += tierce_count(mine)
            if total >= want:
                relevant[0] |= rel
                return total
    if ruffs:
        # A partner who has nothing but trumps left would have to ruff and so take the lead: no more rounds than the
        # plain cards of each partner.
        for h in range(s.n):
            if h != leader and side >> h & 1 and s.hand[h] & s.trumps:
                plain = imin(plain, tierce_count(s.hand[h] & ~s.trumps))
    for t in range(4):
        if t == s.trump:
            continue
        suit = lane(t)
        mine = own & suit
        others = (all & suit) & ~mine
        if mine <= others:      # no card, or somebody else has the highest
            continue
        top = mine & ~((<uint64_t>2 << tierce_highest(others)) - 1) if others else mine
        wins = tierce_count(top)
        longest = 0
        rounds = 16
        for h in range(s.n):
            if h == leader:
                continue
            size = tierce_count(s.hand[h] & suit)
            longest = imax(longest, size)
            if ruffs and not side >> h & 1 and s.hand[h] & s.trumps:
                rounds = imin(rounds, size)
        if wins >= longest:
            count = tierce_count(mine)
            size = longest      # ranks that matter
        else:
            count = wins
            size = wins
        if count > rounds:
            count = rounds
        count = imin(imin(count, plain), want - total)
        if count <= 0:
            continue
        size = imin(size, count)
        if size > 0:
            while tierce_count(top) > size:
                top &= top - 1
            rel |= <uint64_t>1 << tierce_lowest(top)
        total += count
        plain -= count
        if total >= want:
            relevant[0] |= rel
            return total
    if ruffs:
        if leader != s.single:
            total += trump_winners(own & s.trumps, enemy_trumps, want - total, &rel)
        elif single_trumps(s, True, all, want - total, &suit):
            rel |= suit
            total = want
    relevant[0] |= rel
    return total


cdef inline int crossing_tricks(Search* s, int leader, int partner, uint64_t all, int want,
                                uint64_t* relevant) noexcept nogil:
    # The same for two hands of one side: the leader cashes his winners, crosses to a winner of `partner`'s, who cashes
    # his; then the trumps of either. A round of a suit takes one card of it from each hand that has one, so partner
    # keeps his winners in a suit through the leader's rounds as long as he has small cards for them.
    cdef int side = s.maxers if s.maxers >> leader & 1 else ~s.maxers
    cdef uint64_t enemy_trumps = 0, own = s.hand[leader], his = s.hand[partner], rel = 0
    cdef uint64_t suit, mine, theirs, others, high, low, rank_rel
    cdef int h, t, size, mine_wins, his_wins, his_len, my_len, longest, rounds, count, total = 0
    cdef int plain = 18
    cdef bint entry = False, ruffs
    cdef uint64_t rel_his = 0
    cdef int his_total = 0
    for h in range(s.n):
        if not side >> h & 1:
            enemy_trumps |= s.hand[h] & s.trumps
        elif s.hand[h] & s.trumps:
            plain = imin(plain, tierce_count(s.hand[h] & ~s.trumps))
    ruffs = enemy_trumps != 0
    if not ruffs:
        plain = 18
    for t in range(4):
        if t == s.trump:
            continue
        suit = lane(t)
        mine = own & suit
        theirs = his & suit
        if not (mine | theirs):
            continue
        my_len = tierce_count(mine)
        his_len = tierce_count(theirs)
        longest = 0
        rounds = 16
        for h in range(s.n):
            if h == partner or h == leader:
                continue
            size = tierce_count(s.hand[h] & suit)
            longest = imax(longest, size)
            if ruffs and not side >> h & 1 and s.hand[h] & s.trumps:
                rounds = imin(rounds, size)
        rounds = imin(rounds, plain)
        others = (all & suit) & ~mine
        high = mine & ~((<uint64_t>2 << tierce_highest(others)) - 1) if others else mine
        mine_wins = tierce_count(high)
        others = (all & suit) & ~(mine | theirs)
        # partner's winners below the leader's
        low = theirs
        rank_rel = (all & suit) & ~theirs & ~high
        if rank_rel:
            low = theirs & ~((<uint64_t>2 << tierce_highest(rank_rel)) - 1)
        his_wins = tierce_count(low)
        # the leader's part
        count = mine_wins
        size = mine_wins
        if mine_wins >= imax(longest, his_len):
            count = my_len
            size = imax(longest, his_len)
        count = imin(count, rounds)
        size = imin(size, count)
        if size > 0:
            while tierce_count(high) > size:
                high &= high - 1
            rel |= <uint64_t>1 << tierce_lowest(high)
        total += count
        plain -= count
        if mine_wins >= imax(longest, his_len):
            continue
        # partner's part, after `count` rounds
        his_wins = imin(his_wins, his_len - count)
        if his_wins <= 0 or count < mine_wins or rounds <= count:
            continue
        if mine_wins + his_wins >= imax(longest, my_len):
            size = imin(his_wins, imax(longest, my_len) - mine_wins)
            h = his_len - count
        else:
            size = his_wins
            h = his_wins
        h = imin(h, rounds - count)
        size = imin(size, h)
        while tierce_count(low) > size:
            low &= low - 1
        if low:
            rel_his |= <uint64_t>1 << tierce_lowest(low)
        his_total += h
        plain -= h
        if my_len > mine_wins:
            entry = True
    if not entry:
        return 0
    total += his_total
    rel |= rel_his
    if total < want and s.trumps & all:
        mine = own & s.trumps
        theirs = his & s.trumps
        rank_rel = 0
        low = 0
        count = trump_winners(mine, enemy_trumps, want - total, &rank_rel)
        if count < want - total:
            size = trump_winners(theirs, enemy_trumps, want - total, &low)
            if size > count:
                count = size
                rank_rel = low
        total += count
        rel |= rank_rel
    if total >= want:
        relevant[0] |= rel
    return total


cdef inline int side_trumps(Search* s, int side, int want, uint64_t* relevant) noexcept nogil:
    # The best single hand of a side by its sure trumps alone.
    cdef uint64_t enemy = 0
    cdef uint64_t rel
    cdef int h, wins, best = 0
    for h in range(s.n):
        if not side >> h & 1:
            enemy |= s.hand[h] & s.trumps
    for h in range(s.n):
        if side >> h & 1:
            rel = 0
            wins = trump_winners(s.hand[h] & s.trumps, enemy, want, &rel)
            if wins >= want:
                relevant[0] |= rel
                return wins
            best = imax(best, wins)
    return best


cdef inline bint never_wins(Search* s, int seat, uint64_t all, uint64_t* relevant) noexcept nogil:
    # Fewest tricks: can `seat`, not on lead and without trumps, avoid every trick? Yes, if in each suit his i-th lowest
    # card lies below the i-th lowest card of the others: whatever is led, he plays his highest card below it, and the
    # same holds of what is left (cards the others throw only raise their list). Never winning, he never leads.
    # The cut is the others' lowest card in each suit he holds: below it are only his.
    cdef uint64_t own = s.hand[seat]
    cdef uint64_t mine, others, rel = 0
    cdef int suit
    if own & s.trumps:
        return False
    for suit in range(4):
        mine = own & lane(suit)
        if not mine:
            continue
        others = all & lane(suit) & ~mine
        if tierce_count(others) < tierce_count(mine):
            return False
        rel |= others & -others
        while mine:
            if (mine & -mine) > (others & -others):
                return False
            mine &= mine - 1
            others &= others - 1
    relevant[0] = rel
    return True
