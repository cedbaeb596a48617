/* The reference: what best play is worth, by plain memoised minimax.
 *
 * Nothing here is clever, on purpose. Every legal card of every hand is tried, the value of a position is the
 * best (or worst) of its successors, and positions at the start of a trick are remembered so that they are
 * worked out once. There are no bounds, no windows, no ordering, no equal cards. This file shares no line with
 * the engine it checks.
 *
 * Cards are 16 * suit + rank (suits S H D C = 0..3, rank 2 = 0 .. A = 12), hands are masks of 1 << card. Seats
 * are 0 .. seats-1 clockwise. Trump is a suit, or 4 for none.
 *
 * Thread safety: each call has its own memo; there is no global state.
 */
#include <stdint.h>
#include <stdlib.h>

#define MAX_SEATS 4
#define FIRST_MEMO_SIZE 1024 /* entries; a power of two */

typedef struct {
    uint64_t key; /* 0: free */
    int value;
} Entry;

typedef struct {
    int seats, trump;
    unsigned counted; /* seats whose tricks are counted */
    unsigned maxers;  /* seats that want many of them; the others want few */
    uint64_t hands[MAX_SEATS];
    int trick[MAX_SEATS]; /* the trick in progress, in the order played */
    Entry *memo;
    uint64_t memo_size, memo_used;
} Game;

static uint64_t bit(int card) { return (uint64_t)1 << card; }

static int suit_of(int card) { return card >> 4; }

static uint64_t suit_mask(int suit) { return (uint64_t)0xffff << (16 * suit); }

/* ---- memo ------------------------------------------------------------------------------------------------ */

/* Within one call every card has one owner for good, so the cards still held and the leader tell the position.
 * Bits 13 to 15 of a suit's lane are never cards: the leader goes to the top two bits of the mask. */
static uint64_t key_of(const Game *game, int leader)
{
    uint64_t held = 0;
    for (int seat = 0; seat < game->seats; seat++)
        held |= game->hands[seat];
    return held | (uint64_t)leader << 62;
}

/* The entry of `key`, or the free entry where it would go. */
static Entry *find(Entry *memo, uint64_t size, uint64_t key)
{
    uint64_t mixed = key;
    mixed ^= mixed >> 32;
    mixed *= 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
    uint64_t at = mixed & (size - 1);
    while (memo[at].key != 0 && memo[at].key != key)
        at = (at + 1) & (size - 1);
    return &memo[at];
}

/* Remembers a value. If there is no memory to grow, the value is dropped: slower, never wrong. */
static void remember(Game *game, uint64_t key, int value)
{
    if (2 * game->memo_used >= game->memo_size) {
        uint64_t size = 2 * game->memo_size;
        Entry *memo = calloc(size, sizeof(Entry));
        if (memo == NULL)
            return;
        for (uint64_t i = 0; i < game->memo_size; i++)
            if (game->memo[i].key != 0)
                *find(memo, size, game->memo[i].key) = game->memo[i];
        free(game->memo);
        game->memo = memo;
        game->memo_size = size;
    }
    Entry *entry = find(game->memo, game->memo_size, key);
    entry->key = key;
    entry->value = value;
    game->memo_used++;
}

/* ---- rules ----------------------------------------------------------------------------------------------- */

/* The seat that wins the full trick: highest trump, or without a trump the highest card of the suit led. */
static int winner_of_trick(const Game *game, int leader)
{
    int best = 0;
    for (int i = 1; i < game->seats; i++) {
        int card = game->trick[i], best_card = game->trick[best];
        if (suit_of(card) == suit_of(best_card) ? card > best_card : suit_of(card) == game->trump)
            best = i;
    }
    return (leader + best) % game->seats;
}

/* Follow suit if possible; otherwise, and on lead, any card. */
static uint64_t legal_cards(const Game *game, int seat, int on_table)
{
    uint64_t hand = game->hands[seat];
    if (on_table > 0) {
        uint64_t same_suit = hand & suit_mask(suit_of(game->trick[0]));
        if (same_suit != 0)
            return same_suit;
    }
    return hand;
}

/* ---- minimax --------------------------------------------------------------------------------------------- */

static int value_at_trick_start(Game *game, int leader);

/* Counted tricks from here on, with `on_table` cards of the trick played; the trick in progress included. */
static int value_in_trick(Game *game, int leader, int on_table)
{
    if (on_table == game->seats) {
        int winner = winner_of_trick(game, leader);
        int trick[MAX_SEATS]; /* the tricks below use game->trick: keep this one for our callers */
        for (int i = 0; i < MAX_SEATS; i++)
            trick[i] = game->trick[i];
        int value = (int)(game->counted >> winner & 1) + value_at_trick_start(game, winner);
        for (int i = 0; i < MAX_SEATS; i++)
            game->trick[i] = trick[i];
        return value;
    }
    int seat = (leader + on_table) % game->seats;
    int wants_many = game->maxers >> seat & 1;
    int best = -1;
    for (uint64_t left = legal_cards(game, seat, on_table); left != 0; left &= left - 1) {
        int card = __builtin_ctzll(left);
        game->trick[on_table] = card;
        game->hands[seat] ^= bit(card);
        int value = value_in_trick(game, leader, on_table + 1);
        game->hands[seat] ^= bit(card);
        if (best < 0 || (wants_many ? value > best : value < best))
            best = value;
    }
    return best;
}

static int value_at_trick_start(Game *game, int leader)
{
    if (game->hands[leader] == 0)
        return 0; /* all cards played */
    uint64_t key = key_of(game, leader);
    Entry *entry = find(game->memo, game->memo_size, key);
    if (entry->key == key)
        return entry->value;
    int value = value_in_trick(game, leader, 0);
    remember(game, key, value);
    return value;
}

/* The tricks the counted seats take from here with best play by all, the trick in progress included. `trick` is
 * the `on_table` cards (0 .. seats) already played to it, the first by `leader`; no hand holds them any more.
 * The caller has checked that the position is legal. -1: no memory. */
int brute_value(int seats, const uint64_t *hands, int trump, int leader, const int *trick, int on_table,
                unsigned counted, unsigned maxers)
{
    Game game = {.seats = seats, .trump = trump, .counted = counted, .maxers = maxers};
    for (int seat = 0; seat < seats; seat++)
        game.hands[seat] = hands[seat];
    for (int i = 0; i < on_table; i++)
        game.trick[i] = trick[i];
    game.memo_size = FIRST_MEMO_SIZE;
    game.memo = calloc(game.memo_size, sizeof(Entry));
    if (game.memo == NULL)
        return -1;
    int value = on_table == 0 ? value_at_trick_start(&game, leader) : value_in_trick(&game, leader, on_table);
    free(game.memo);
    return value;
}
