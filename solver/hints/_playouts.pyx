"""Playouts: hands played to the end by rules of thumb (policy.pxd, contract_policy.pxd), in many worlds at once,
without the GIL.

A world is four masks of 64 bits: the hands of dealer, eldest and middle as they are now, and the dealer's discard; in
games of four the hands of N, E, S, W. There a seat's tricks are those of its side.
Everything else is the same in all worlds and belongs to the `Scene`. Nothing here checks that a world fits the scene:
Python does, which makes both from one view.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from tierce.solver.hints.playing cimport (
    MOVES, WORLD, by_rule, distinct, finish, into, mixed, other_card, same, thought,
)
from tierce.solver.hints.policy cimport SEATS, Table, put, seat_at
from tierce.solver.search.bits cimport tierce_count, tierce_highest

cdef enum:
    TRICKS = 20             # more than any deal has
    NODES = 1 << 15         # of a tree; when they are used up it grows no more
    WEIGHTS = 14            # of the measure of a hand
    DISCARDS = 8            # cards of the largest discard
    UNSEEN = 6              # iterations at the root for each card before bounds decide


cdef struct Move:
    int card
    int32_t visits
    double points


cdef struct Node:
    uint64_t name           # of all that has been played since the root; 0: unused
    int32_t visits
    int n
    Move moves[MOVES]


@cython.final
cdef class Scene:
    """A moment of the play: all that is the same in every world.

    pack     its cards; gone: cards that all know to be in no hand, those on the table among them
    voids    by seat, suits as bits
    trump    0 to 3, 4 for none; few: are tricks bad?
    leader   of the trick on the table, and its cards
    seat     who asks; noise: in so many of 256 cases another player plays any card
    think    worlds in which another player tries his cards of the present trick, if that does not end with the one
             who asks; 0: he plays by the rules. Of three hands
    friends  of four seats: for each those of its side, as bits; none for three seats
    declarer of four seats, the first of two; open: his hand lies open after the first trick
    """
    cdef Table base
    cdef readonly int seat
    cdef int noise
    cdef int think
    cdef uint64_t seed

    def __init__(
        self, pack, gone, voids, int trump, bint few, int leader, trick, int seat, int noise=0, seed=0, int think=0,
        friends=(), int declarer=0, bint open=False
    ):
        cdef int i
        memset(&self.base, 0, sizeof(Table))
        self.base.pack = pack
        self.base.gone = gone
        self.base.trump = trump
        self.base.few = few
        self.base.leader = leader
        self.seat = seat
        self.noise = noise
        self.think = think
        self.seed = seed
        self.base.seats = len(friends) if friends else 3
        self.base.declarer = declarer
        self.base.open = open
        for i in range(self.base.seats):
            self.base.voids[i] = voids[i]
            self.base.friends[i] = friends[i] if friends else 1 << i
        for i, card in enumerate(trick):
            self.base.cards[i] = card
            if i and not self._below_best(i):
                self.base.best = i
        self.base.n = len(trick)

    cdef bint _below_best(self, int i):
        cdef int card = self.base.cards[i], best = self.base.cards[self.base.best]
        if card >> 4 == best >> 4:
            return card < best
        return card >> 4 != self.base.trump

    def choice(self, hand, discard=0):
        """The card that a player with this hand plays by the rules of thumb."""
        cdef Table t = self.base
        t.hands[self.seat] = hand
        t.discard = discard
        return by_rule(&t, self.seat)

    def cards(self, hand, discard=0):
        """The cards he may play, of those that come to the same only the highest, as a mask."""
        cdef Table t = self.base
        t.hands[self.seat] = hand
        t.discard = discard
        return distinct(&t, self.seat)

    def play(self, bytes worlds, bytes cards):
        """Tricks of the seat from here in each world after each card: a byte each, world by world.

        worlds   as the module says; cards: the first card, one byte each; 255: as the rules say
        """
        cdef Py_ssize_t n = len(worlds) // (8 * WORLD), m = len(cards), i, j
        cdef bytes out = PyBytes_FromStringAndSize(NULL, n * m)
        cdef uint8_t* to = <uint8_t*>PyBytes_AS_STRING(out)
        cdef const uint64_t* world = <const uint64_t*>PyBytes_AS_STRING(worlds)
        cdef const uint8_t* first = <const uint8_t*>PyBytes_AS_STRING(cards)
        with nogil:
            for i in range(n):
                for j in range(m):
                    to[i * m + j] = <uint8_t>self._one(world + WORLD * i, first[j])
        return out

    cdef int _one(self, const uint64_t* world, int card) noexcept nogil:
        cdef Table t
        cdef int taken[SEATS]
        cdef int winner
        cdef uint64_t state = mixed(self.seed ^ world[0] ^ (world[1] * 3))
        memset(taken, 0, sizeof(taken))
        into(&t, &self.base, world)
        if card < 64:
            winner = put(&t, self.seat, card)
            while self.think and winner < 0 and t.n:
                winner = put(&t, seat_at(&t, t.n), thought(&t, seat_at(&t, t.n), self.think, &state))
            if winner >= 0:
                taken[winner] += 1
        finish(&t, self.noise, self.seat, &state, taken)
        return self._counted(taken)

    cdef int _counted(self, const int* taken) noexcept nogil:
        """The tricks of the seat's side."""
        cdef int i, found = 0
        for i in range(self.base.seats):
            if self.base.friends[self.seat] >> i & 1:
                found += taken[i]
        return found

    def likelihoods(self, bytes worlds, bytes seats, bytes cards, uint64_t gone, double doubt):
        """The logarithm of how likely the others were to play as they did, a double for each world.

        seats, cards   all that has been played, in order
        gone           cards that were gone before the first lead
        doubt          the part of players that choose any card, each the same; the others follow the rules
        """
        cdef Py_ssize_t n = len(worlds) // (8 * WORLD), i
        cdef bytes out = PyBytes_FromStringAndSize(NULL, 8 * n)
        cdef double* to = <double*>PyBytes_AS_STRING(out)
        cdef const uint64_t* world = <const uint64_t*>PyBytes_AS_STRING(worlds)
        cdef const uint8_t* who = <const uint8_t*>PyBytes_AS_STRING(seats)
        cdef const uint8_t* what = <const uint8_t*>PyBytes_AS_STRING(cards)
        cdef int count = <int>len(cards)
        with nogil:
            for i in range(n):
                to[i] = self._likely(world + WORLD * i, who, what, count, gone, doubt)
        return out

    cdef double _likely(
        self, const uint64_t* world, const uint8_t* seats, const uint8_t* cards, int count, uint64_t gone, double doubt
    ) noexcept nogil:
        cdef Table t
        cdef uint64_t options
        cdef double found = 0.0
        cdef int i, seat, card, ways
        into(&t, &self.base, world)
        t.gone = gone
        t.n = 0
        for i in range(SEATS):
            t.voids[i] = 0
        for i in range(count):
            t.hands[seats[i]] |= <uint64_t>1 << cards[i]
        t.leader = seats[0] if count else 0
        for i in range(count):
            seat, card = seats[i], cards[i]
            if seat != self.seat:
                options = distinct(&t, seat)
                ways = tierce_count(options)
                if ways > 1:
                    if same(&t, seat, by_rule(&t, seat), card):
                        found += log(1 - doubt + doubt / ways)
                    else:
                        found += log(doubt / ways)
            put(&t, seat, card)
        return found


@cython.final
cdef class Thumb:
    """A measure of hands before the play (tierce.solver.advice.measure), and the discard by it, quickly.

    weights   those of that module, in the order of its `weights()`
    """
    cdef double w[WEIGHTS]

    def __init__(self, weights):
        cdef int i
        for i in range(WEIGHTS):
            self.w[i] = weights[i]

    def measure(self, uint64_t hand, int trump):
        """Tricks that a hand may take with a trump, up to a constant."""
        return self._measure(hand, trump)

    def discard(self, uint64_t hand, int trump, int count, uint64_t among):
        """The lowest cards of some suits, `count` of those in `among`, that leave the hand of the highest measure."""
        cdef uint64_t found
        with nogil:
            found = self._discard(hand, trump, count, among)
        return found

    cdef double _measure(self, uint64_t hand, int trump) noexcept nogil:
        """In the order in which Python adds, so that equal hands stay equal."""
        cdef double found = 0.0, honours
        cdef uint64_t cards
        cdef int suit, count, rank
        for suit in range(4):
            cards = hand >> (16 * suit) & 0x1FFF
            count = tierce_count(cards)
            honours = 0.0
            if suit == trump:
                for rank in range(5):
                    if cards >> (12 - rank) & 1:
                        honours += self.w[2 + rank]
                found += self.w[0] * count + self.w[1] * (count - 5 if count > 5 else 0) + honours
            else:
                for rank in range(4):
                    if cards >> (12 - rank) & 1:
                        honours += self.w[7 + rank]
                found += honours + (self.w[11 + count] if trump != 4 and count < 3 else 0.0)
        return found

    cdef uint64_t _discard(self, uint64_t hand, int trump, int count, uint64_t among) noexcept nogil:
        cdef uint64_t lows[4][DISCARDS + 1]
        cdef int most[4]
        cdef int suit, i, a, b, c, d
        cdef uint64_t left, cards, found = 0
        cdef double value, best = -1e300
        for suit in range(4):
            left = hand & among & (<uint64_t>0x1FFF << (16 * suit))
            lows[suit][0] = 0
            most[suit] = 0
            for i in range(1, count + 1):
                if not left:
                    break
                lows[suit][i] = lows[suit][i - 1] | (left & (~left + 1))
                left &= left - 1
                most[suit] = i
        for a in range(most[0] + 1):
            for b in range(most[1] + 1):
                for c in range(most[2] + 1):
                    d = count - a - b - c
                    if d < 0 or d > most[3]:
                        continue
                    cards = lows[0][a] | lows[1][b] | lows[2][c] | lows[3][d]
                    value = self._measure(hand & ~cards, trump)
                    if value > best or (value == best and cards < found):
                        best, found = value, cards
        return found


def sample(bytes worlds, bytes sums, Py_ssize_t count, double shift, Py_ssize_t stride):
    """Worlds by an even grid over the running sums of their weights (doubles), each `stride`-th place of it in turn."""
    cdef Py_ssize_t n = len(sums) // 8, i, place, low, high, middle
    cdef bytes out = PyBytes_FromStringAndSize(NULL, count * 8 * WORLD)
    cdef uint64_t* to = <uint64_t*>PyBytes_AS_STRING(out)
    cdef const uint64_t* world = <const uint64_t*>PyBytes_AS_STRING(worlds)
    cdef const double* sum_ = <const double*>PyBytes_AS_STRING(sums)
    cdef double step, wanted
    with nogil:
        step = sum_[n - 1] / count
        for i in range(count):
            place = i * stride % count
            wanted = (place + shift) * step
            low, high = 0, n - 1
            while low < high:
                middle = (low + high) // 2
                if sum_[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            memcpy(to + WORLD * i, world + WORLD * low, 8 * WORLD)
    return out


@cython.final
cdef class Tree:
    """A search over the own cards of a scene: others play by the rules, own later cards are chosen by what has been
    seen then, the same in all worlds that look alike. Upper confidence bounds say what is tried next.

    points   by the number of tricks taken from here on; made: is the quota made with so many?
    spread   how far apart the points are, as a rule, for the bounds
    """
    cdef Scene scene
    cdef Node* nodes
    cdef int used
    cdef double points[TRICKS]
    cdef bint made[TRICKS]
    cdef double root_tricks[MOVES]      # of the root's moves: tricks taken, and how often the quota was made
    cdef int32_t root_made[MOVES]
    cdef double spread
    cdef uint64_t turns

    def __cinit__(self):
        self.nodes = <Node*>calloc(NODES, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError("a tree of choices")

    def __init__(self, Scene scene, points, made, double spread):
        cdef int i
        self.scene = scene
        self.spread = spread
        self.used = 0
        self.turns = 0
        for i in range(TRICKS):
            self.points[i] = points[i] if i < len(points) else 0.0
            self.made[i] = made[i] if i < len(made) else False
        memset(self.root_tricks, 0, sizeof(self.root_tricks))
        memset(self.root_made, 0, sizeof(self.root_made))

    def __dealloc__(self):
        free(self.nodes)

    def run(self, bytes worlds):
        """One iteration in each of these worlds, in their order."""
        cdef Py_ssize_t n = len(worlds) // (8 * WORLD), i
        cdef const uint64_t* world = <const uint64_t*>PyBytes_AS_STRING(worlds)
        with nogil:
            for i in range(n):
                self._iterate(world + WORLD * i)

    def cards(self):
        """(card, visits, mean points, mean tricks, how often the quota was made) of the root's cards, by visits."""
        cdef Node* root = self._find(1)
        if root == NULL:
            return []
        found = []
        for i in range(root.n):
            move = root.moves[i]
            if move.visits:
                n = move.visits
                found.append((move.card, n, move.points / n, self.root_tricks[i] / n, <double>self.root_made[i] / n))
        return sorted(found, key=lambda each: (-each[1], -each[2]))

    cdef Node* _find(self, uint64_t name) noexcept nogil:
        """The node of a name, an unused one, or NULL when all are used."""
        cdef uint64_t at = mixed(name) & (NODES - 1)
        cdef int _step
        for _step in range(64):
            if self.nodes[at].name == name or self.nodes[at].name == 0:
                return &self.nodes[at]
            at = (at + 1) & (NODES - 1)
        return NULL

    cdef void _iterate(self, const uint64_t* world) noexcept nogil:
        cdef Table t
        cdef int taken[SEATS]
        cdef Node* path[MOVES]
        cdef int made[MOVES]
        cdef Node* node
        cdef int depth = 0, i, seat, card, move, winner, won
        cdef bint inside = True
        cdef uint64_t name = 1
        cdef uint64_t state
        cdef double points
        self.turns += 1
        state = mixed(self.scene.seed ^ self.turns)
        memset(taken, 0, sizeof(taken))
        into(&t, &self.scene.base, world)
        while t.n or t.hands[t.leader]:
            seat = seat_at(&t, t.n)
            if seat != self.scene.seat:
                card = other_card(&t, seat, self.scene.noise, &state)
            elif not inside:
                card = by_rule(&t, seat)
            else:
                node = self._find(name)
                if node == NULL:
                    inside = False
                    card = by_rule(&t, seat)
                else:
                    if node.name == 0:
                        self._grow(node, name, &t)
                        inside = name == 1
                    move = self._select(node, name == 1)
                    card = node.moves[move].card
                    path[depth] = node
                    made[depth] = move
                    depth += 1
            winner = put(&t, seat, card)
            name = mixed(name * 64 + card + 1)
            if winner >= 0:
                taken[winner] += 1
        won = self.scene._counted(taken)
        points = self.points[won]
        if depth:
            self.root_tricks[made[0]] += won
            self.root_made[made[0]] += self.made[won]
        for i in range(depth):
            path[i].visits += 1
            path[i].moves[made[i]].visits += 1
            path[i].moves[made[i]].points += points

    cdef void _grow(self, Node* node, uint64_t name, const Table* t) noexcept nogil:
        """A node with its moves, what the rules would play first."""
        cdef int seat = self.scene.seat
        cdef uint64_t left = distinct(t, seat)
        cdef int card, first = by_rule(t, seat)
        self.used += 1
        node.name = name
        node.visits = 0
        node.n = 0
        if not (left >> first & 1):     # the highest of those that come to the same
            card = first
            while not (left >> card & 1):
                card += 1
            first = card
        node.moves[0].card = first
        node.n = 1
        left &= ~(<uint64_t>1 << first)
        while left:
            card = tierce_highest(left)
            left &= ~(<uint64_t>1 << card)
            node.moves[node.n].card = card
            node.n += 1

    cdef int _select(self, Node* node, bint root) noexcept nogil:
        cdef int i, found = 0
        cdef double bound, most = -1e300, depth
        if root and node.visits < UNSEEN * node.n:
            return node.visits % node.n
        depth = log(<double>(node.visits + 1))
        for i in range(node.n):
            if not node.moves[i].visits:
                if i == 0 or node.visits >= 2 * i:
                    return i
                continue
            bound = node.moves[i].points / node.moves[i].visits + self.spread * sqrt(depth / node.moves[i].visits)
            if bound > most:
                most, found = bound, i
        return found
