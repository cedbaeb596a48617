/* The answers of trump_game.pxd: one byte for each way to give n trumps to three hands, for n up to 13.
 * A way is a number of n digits to the base 3; those of fewer trumps come before. */
#ifndef TIERCE_TRUMP_GAME_H
#define TIERCE_TRUMP_GAME_H

#include <stdint.h>

#define TIERCE_TRUMP_GAMES 2391484 /* (3^14 - 1) / 2 */

static uint8_t tierce_trump_games[2][TIERCE_TRUMP_GAMES];

/* A mask of bits read as digits 0 and 1 to the base 3; four bits at a time. */
static inline uint32_t tierce_ternary(uint32_t mask)
{
    static const uint32_t of[16] = {0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40};
    return of[mask & 15] + 81 * of[mask >> 4 & 15] + 6561 * of[mask >> 8 & 15] + 531441 * of[mask >> 12 & 15];
}

static inline uint32_t tierce_trump_games_before(int n)
{
    static const uint32_t before[14] = {0, 1, 4, 13, 40, 121, 364, 1093, 3280, 9841, 29524, 88573, 265720, 797161};
    return before[n];
}

#endif
