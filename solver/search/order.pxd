# Which cards to try, and in which order.
#
# Contract: `list_moves` writes one move for each touching group of legal cards, best first by `score`. Order decides
# speed only; the answer never depends on it.
from libc.stdint cimport int16_t, uint8_t, uint64_t

from tierce.solver.search.bits cimport tierce_count, tierce_highest, tierce_lowest
from tierce.solver.search.types cimport Move, Search, Trick, lane
from tierce.solver.search.weights cimport (
    LEAD_TRUMP, LEAD_TRUMP_OWN, LEAD_TRUMP_ENEMY, LEAD_OWN_LENGTH, LEAD_ENEMY_LENGTH, LEAD_FRIEND_LENGTH,
    LEAD_FRIEND_RUFFS, LEAD_BOTH_RUFF, LEAD_SINGLETON, LEAD_NEXT_RUFFS, LEAD_LATER_RUFFS, LEAD_TOP,
    LEAD_BEATS_ENEMIES, LEAD_ENEMIES_VOID, LEAD_TO_FRIEND, LEAD_TO_FRIEND_RANK, LEAD_LOSER, LEAD_LOSER_RANK,
    LEAD_THROUGH_NEXT, LEAD_THROUGH_SECOND, LEAD_LOSER_TOUCHING, LEAD_RUFFED_RANK, LEAD_ONE_ABOVE,
    LEAD_FROM_WINNER, LEAD_TRUMP_FRIEND, LEAD_TOP_FRIEND_VOID, LEAD_TOP_TOUCHING, LEAD_TOP_SHORT,
    LEAD_TO_FRIEND_THROUGH, LEAD_TO_FRIEND_SINGLETON, LEAD_FRIEND_VOID, LEAD_LOWEST, RUFFED_RANK,
    SAFE_OVERTAKE, SAFE_LOW, SAFE_RANK, LAST_OVERTAKE, LAST_WIN, LAST_WIN_RANK, SURE_OVER_FRIEND, SURE_WIN,
    SURE_WIN_FRIEND_CAN, SURE_WIN_RANK, MAY_BE_RUFFED, MAY_BE_RUFFED_RANK, UNSURE_OVER_FRIEND, UNSURE_WIN,
    UNSURE_WIN_FRIEND_CAN, UNSURE_WIN_RANK, UNDER_FRIEND_CAN, UNDER, UNDER_RANK, RUFF_SAFE_FRIEND,
    RUFF_USELESS_RANK, UNDERRUFF, RUFF_SURE_FRIEND_CAN, RUFF_SURE, RUFF_SURE_RANK, RUFF_UNSURE_FRIEND_CAN,
    RUFF_UNSURE, RUFF_UNSURE_RANK, DISCARD, DISCARD_RANK, DISCARD_LENGTH, DISCARD_WINNER,
    DISCARD_BESIDE_WINNER, DISCARD_SINGLETON_TO_RUFF, DISCARD_SINGLETON, DISCARD_BARES_SECOND, LAST_WIN_TOP,
    SURE_WIN_TOP, UNSURE_TOUCHING, UNDER_TOUCHING, DISCARD_ONLY_BEST_HOLDS, DISCARD_TOUCHING,
)


cdef inline int groups(uint64_t mine, uint64_t all, Move* moves, int n) noexcept nogil:
    # Appends the touching groups of `mine` (cards of one suit) to moves[n:], high to low; returns the new length.
    cdef uint64_t others = all & ~mine
    cdef uint64_t lower, rest
    cdef int top, cut
    while mine:
        top = tierce_highest(mine)
        lower = others & (((<uint64_t>1) << top) - 1)
        if lower:
            cut = tierce_highest(lower)
            rest = mine & (((<uint64_t>1) << cut) - 1)
        else:
            rest = 0
        moves[n].card = <uint8_t>top
        moves[n].low = <uint8_t>tierce_lowest(mine & ~rest)
        n += 1
        mine = rest
    return n


cdef inline bint beats(uint64_t card, uint64_t best, uint64_t trumps) noexcept nogil:
    # Does `card` beat the best card so far? Both are bits; a card of a suit neither led nor trump never does.
    if trumps & card:
        return not trumps & best or card > best
    return card > best and (card >> (tierce_highest(best) & 48)) < 0x2000


cdef inline int list_leads(Search* s, Trick* t, int seat, Move* moves) noexcept nogil:
    # Every suit by what it offers the side on lead (ruffs, lengths), then its cards by what becomes of them.
    cdef const int16_t* w = s.weights
    cdef int side = s.maxers if s.maxers >> seat & 1 else ~s.maxers
    cdef int n = 0, first, i, h, j, suit, score, base, rank, own_len, e_len, f_len
    cdef int e_ruffs        # 1: the next hand, an enemy, can ruff; 2 or more: a later one
    cdef int e_top          # how far round the table the enemies' best card of the suit sits
    cdef bint f_ruffs
    cdef uint64_t ln, bit, enemy, friend, mine, held
    for suit in range(4):
        ln = lane(suit)
        mine = s.hand[seat] & ln
        if not mine:
            continue
        enemy = friend = 0
        e_ruffs = e_top = e_len = f_len = 0
        f_ruffs = False
        own_len = tierce_count(mine)
        h = seat
        for j in range(1, s.n):
            h = h + 1 if h + 1 < s.n else 0
            held = s.hand[h] & ln
            if side >> h & 1:
                friend |= held
                f_len += tierce_count(held)
                if not held and s.hand[h] & s.trumps:
                    f_ruffs = True
            else:
                if held > enemy:
                    e_top = j
                enemy |= held
                e_len += tierce_count(held)
                if not held and s.hand[h] & s.trumps:
                    e_ruffs += 1 if j == 1 else 2
        if suit == s.trump:
            base = w[LEAD_TRUMP] + w[LEAD_TRUMP_OWN] * own_len + w[LEAD_TRUMP_ENEMY] * e_len
            base += w[LEAD_TRUMP_FRIEND] * f_len
        else:
            base = w[LEAD_OWN_LENGTH] * own_len + w[LEAD_ENEMY_LENGTH] * e_len + w[LEAD_FRIEND_LENGTH] * f_len
            if f_ruffs:
                base += w[LEAD_FRIEND_RUFFS] if e_ruffs == 0 else w[LEAD_BOTH_RUFF]
            if own_len == 1 and s.hand[seat] & s.trumps:
                base += w[LEAD_SINGLETON]
            if e_ruffs:
                base += w[LEAD_NEXT_RUFFS] if e_ruffs == 1 else w[LEAD_LATER_RUFFS]
        first = n
        n = groups(mine, t.all & ln, moves, n)
        for i in range(first, n):
            bit = <uint64_t>1 << moves[i].card
            rank = moves[i].card & 15
            if bit > enemy and not e_ruffs:
                score = base + (w[LEAD_TOP] if bit > friend else w[LEAD_BEATS_ENEMIES])
                if moves[i].low != moves[i].card:
                    score += w[LEAD_TOP_TOUCHING]
                if e_len > own_len:
                    score += w[LEAD_TOP_SHORT]
                if not enemy:
                    score += w[LEAD_ENEMIES_VOID]
                if f_ruffs:
                    score += w[LEAD_TOP_FRIEND_VOID]
            elif friend > enemy and not e_ruffs:
                score = base + w[LEAD_TO_FRIEND] - w[LEAD_TO_FRIEND_RANK] * rank
                if e_top == 1:
                    score += w[LEAD_TO_FRIEND_THROUGH]
                if own_len == 1:
                    score += w[LEAD_TO_FRIEND_SINGLETON]
            else:
                score = base + w[LEAD_LOSER] - w[LEAD_LOSER_RANK] * rank
                if e_top == 1:
                    score += w[LEAD_THROUGH_NEXT]
                elif e_top == 2:
                    score += w[LEAD_THROUGH_SECOND]
                if moves[i].low != moves[i].card:
                    score += w[LEAD_LOSER_TOUCHING]
                if e_ruffs:
                    score -= w[LEAD_RUFFED_RANK] * rank
                elif bit > (enemy & ~((<uint64_t>1) << tierce_highest(enemy)) if enemy else 0):
                    score += w[LEAD_ONE_ABOVE]      # only one enemy card beats it
                if mine > enemy and bit < enemy:
                    score += w[LEAD_FROM_WINNER]    # leads away from a winner
                if not friend:
                    score += w[LEAD_FRIEND_VOID]
                if enemy and bit < (enemy & -enemy):
                    score += w[LEAD_LOWEST]         # below every enemy card
            moves[i].score = <int16_t>score
    return n


cdef inline void score_follow(Search* s, Trick* t, int seat, int k, uint64_t best, int best_seat,
                              Move* moves, int n) noexcept nogil:
    cdef const int16_t* w = s.weights
    cdef int side = s.maxers if s.maxers >> seat & 1 else ~s.maxers
    cdef bint friend_best = side >> best_seat & 1
    cdef bint can, ruffable = False, sure, friend_sure, ruffed
    cdef uint64_t enemy = 0, friend = 0, enemy_trumps = 0, bit, led = t.led, left, held, rest
    cdef int i, h, _, rank, score, suit, size
    cdef bint follows = (s.hand[seat] & led) != 0
    cdef bint last = k + 1 == s.n
    # what the hands still to play can do
    h = seat
    for _ in range(k + 1, s.n):
        h += 1
        if h >= s.n:
            h -= s.n
        left = s.hand[h] & led
        if side >> h & 1:
            friend |= left
        else:
            enemy |= left
            if not left and s.hand[h] & s.trumps:
                ruffable = True
                enemy_trumps |= s.hand[h] & s.trumps
    ruffed = (best & s.trumps) != 0 and led != s.trumps
    if ruffed:
        sure = best > enemy_trumps
    else:
        sure = not ruffable and best > enemy
    # a friend still to play can take it whatever the enemies do
    friend_sure = not ruffed and not ruffable and friend > enemy and friend > best
    if follows:
        for i in range(n):
            bit = <uint64_t>1 << moves[i].card
            rank = moves[i].card & 15
            if ruffed:
                score = -w[RUFFED_RANK] * rank
            elif friend_best and sure:
                score = (w[SAFE_OVERTAKE] if bit > best else w[SAFE_LOW]) - w[SAFE_RANK] * rank
            elif bit > best:
                if last:
                    score = (w[LAST_OVERTAKE] if friend_best else w[LAST_WIN]) - w[LAST_WIN_RANK] * rank
                    if bit > (t.all & led & ~bit):
                        score += w[LAST_WIN_TOP]
                elif not ruffable and bit > enemy:
                    score = (w[SURE_OVER_FRIEND] if friend_best else w[SURE_WIN]) - w[SURE_WIN_RANK] * rank
                    if friend_sure:
                        score += w[SURE_WIN_FRIEND_CAN]
                    if bit > (t.all & led & ~bit):
                        score += w[SURE_WIN_TOP]
                elif ruffable:
                    score = w[MAY_BE_RUFFED] - w[MAY_BE_RUFFED_RANK] * rank
                else:
                    score = (w[UNSURE_OVER_FRIEND] if friend_best else w[UNSURE_WIN]) - w[UNSURE_WIN_RANK] * rank
                    if friend_sure:
                        score += w[UNSURE_WIN_FRIEND_CAN]
                    if moves[i].low != moves[i].card:
                        score += w[UNSURE_TOUCHING]
            else:
                score = (w[UNDER_FRIEND_CAN] if friend_sure else w[UNDER]) - w[UNDER_RANK] * rank
                if moves[i].low != moves[i].card:
                    score += w[UNDER_TOUCHING]
            moves[i].score = <int16_t>score
        return
    for i in range(n):
        bit = <uint64_t>1 << moves[i].card
        rank = moves[i].card & 15
        suit = moves[i].card >> 4
        if bit & s.trumps:
            can = not ruffed or bit > best
            if friend_best and sure:
                score = w[RUFF_SAFE_FRIEND] - w[RUFF_USELESS_RANK] * rank
            elif not can:
                score = w[UNDERRUFF] - w[RUFF_USELESS_RANK] * rank
            elif not ruffable or bit > enemy_trumps:
                score = w[RUFF_SURE_FRIEND_CAN] if friend_best or friend_sure else w[RUFF_SURE]
                score -= w[RUFF_SURE_RANK] * rank
            else:
                score = w[RUFF_UNSURE_FRIEND_CAN] if friend_best or friend_sure else w[RUFF_UNSURE]
                score -= w[RUFF_UNSURE_RANK] * rank
        else:
            held = s.hand[seat] & lane(suit)
            rest = (t.all & lane(suit)) & ~held
            size = tierce_count(held)
            score = w[DISCARD] - w[DISCARD_RANK] * rank + w[DISCARD_LENGTH] * size
            if not rest & ~(s.hand[best_seat]):
                score += w[DISCARD_ONLY_BEST_HOLDS]
            if moves[i].low != moves[i].card:
                score += w[DISCARD_TOUCHING]
            if bit > rest:
                score += w[DISCARD_WINNER]      # a winner
            elif held > rest:
                score += w[DISCARD_BESIDE_WINNER]      # small card beside a winner
            elif size == 1:
                score += w[DISCARD_SINGLETON_TO_RUFF] if s.trumps & s.hand[seat] else w[DISCARD_SINGLETON]
            elif size == 2 and tierce_count(rest & ~(((<uint64_t>1) << tierce_highest(held)) - 1)) == 1:
                score += w[DISCARD_BARES_SECOND]      # bares a guarded king
        moves[i].score = <int16_t>score


cdef inline uint64_t worth_ducking(uint64_t mine, uint64_t losers) noexcept nogil:
    # Of the cards that lose in any case the highest will do for a hand that must never win a trick: what it keeps is
    # lower, and with lower cards in the places of higher ones it could only win less.
    if losers:
        return (mine & ~losers) | <uint64_t>1 << tierce_highest(losers)
    return mine


cdef inline int list_moves(Search* s, Trick* t, int seat, int k, uint64_t best, int best_seat, bint duck,
                           Move* moves) noexcept nogil:
    # `duck`: the hand to move tries to take no trick at all.
    cdef int n = 0, suit
    cdef uint64_t mine
    if k == 0:
        return list_leads(s, t, seat, moves)
    mine = s.hand[seat] & t.led
    if mine:
        if duck:
            mine = worth_ducking(mine, mine & (best - 1) if best & t.led else mine)
        if not mine & (mine - 1):
            moves[0].card = <uint8_t>tierce_lowest(mine)
            moves[0].low = moves[0].card
            return 1
        n = groups(mine, t.all & t.led, moves, 0)
    else:
        for suit in range(4):
            mine = s.hand[seat] & lane(suit)
            if mine:
                if duck and suit != s.trump:
                    mine = worth_ducking(mine, mine)
                n = groups(mine, t.all & lane(suit), moves, n)
    if n > 1:
        score_follow(s, t, seat, k, best, best_seat, moves, n)
    return n
