/* Bit operations of the search, in a fast and a portable form.
 *
 * A set of cards is a 64-bit mask: one lane of 16 bits per suit (S H D C from the low end), ranks 2..A in the low
 * 13 bits of the lane. Bits 13 to 15 of a lane are always zero; tierce_fill_up below relies on it.
 *
 * The extension is compiled twice from one source: once plainly, and on x86-64 once more for x86-64-v3, where the
 * compiler defines __BMI2__ and these functions become single instructions. Python picks one when it imports.
 * Both forms give equal results, so the search visits the same nodes whichever runs.
 */
#ifndef TIERCE_BITS_H
#define TIERCE_BITS_H

#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <sys/mman.h>
#ifdef __AVX2__
#include <immintrin.h>
#elif defined(__BMI2__)
#include <x86intrin.h>
#endif

#ifdef TIERCE_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define tierce_assert(condition)                                                          \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)
#else
#define tierce_assert(condition) ((void)0)
#endif

#define TIERCE_LANES UINT64_C(0x1FFF1FFF1FFF1FFF)
#define TIERCE_LANE_TOPS UINT64_C(0x8000800080008000)

static inline int tierce_count(uint64_t x) { return __builtin_popcountll(x); }
/* index of the lowest and of the highest card; x must not be empty */
static inline int tierce_lowest(uint64_t x) { return __builtin_ctzll(x); }
static inline int tierce_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
static inline void tierce_prefetch(const void *p) { __builtin_prefetch(p); }

/* All cards of each suit from the lowest one of x in that suit upwards. Per lane, 0x8000 - x has no borrow into the
 * next lane because x < 0x8000, and x | -x is the lowest bit of x and everything above it. */
static inline uint64_t tierce_fill_up(uint64_t x) { return (x | (TIERCE_LANE_TOPS - x)) & TIERCE_LANES; }

/* Bits of x that mask selects, packed to the low end (pext), and their inverse (pdep). */
#ifdef __BMI2__
static inline uint64_t tierce_pack(uint64_t x, uint64_t mask) { return _pext_u64(x, mask); }
static inline uint64_t tierce_spread(uint64_t x, uint64_t mask) { return _pdep_u64(x, mask); }
#else
/* Six steps of parallel suffix moves would need the steps' masks for each call; a walk over the runs of ones in the
 * mask is shorter, because cards still in play come in a few runs per suit. */
static inline uint64_t tierce_pack(uint64_t x, uint64_t mask)
{
    uint64_t out = 0;
    int at = 0;
    while (mask) {
        int low = __builtin_ctzll(mask);
        uint64_t rest = mask >> low;
        int run = ~rest ? __builtin_ctzll(~rest) : 64;
        uint64_t ones = (UINT64_C(1) << run) - 1; /* a run is at most 13 long */
        out |= ((x >> low) & ones) << at;
        at += run;
        mask &= ~(ones << low);
    }
    return out;
}
static inline uint64_t tierce_spread(uint64_t x, uint64_t mask)
{
    uint64_t out = 0;
    while (mask) {
        int low = __builtin_ctzll(mask);
        uint64_t rest = mask >> low;
        int run = ~rest ? __builtin_ctzll(~rest) : 64;
        uint64_t ones = (UINT64_C(1) << run) - 1;
        out |= (x & ones) << low;
        x >>= run;
        mask &= ~(ones << low);
    }
    return out;
}
#endif

/* Which of eight table entries hold for a position with owner planes a and b: bit i of the result is set if entry i
 * agrees with the position in every card under its mask. */
static inline unsigned tierce_match8(const uint64_t *ea, const uint64_t *eb, const uint64_t *em, uint64_t a, uint64_t b)
{
#ifdef __AVX2__
    const __m256i va = _mm256_set1_epi64x((long long)a), vb = _mm256_set1_epi64x((long long)b);
    const __m256i zero = _mm256_setzero_si256();
    unsigned out = 0;
    for (int i = 0; i < 8; i += 4) {
        __m256i da = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(ea + i)), va);
        __m256i db = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(eb + i)), vb);
        __m256i differ = _mm256_and_si256(_mm256_or_si256(da, db), _mm256_loadu_si256((const __m256i *)(em + i)));
        out |= (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(differ, zero))) << i;
    }
    return out;
#else
    unsigned out = 0;
    for (int i = 0; i < 8; i++)
        out |= (unsigned)((((ea[i] ^ a) | (eb[i] ^ b)) & em[i]) == 0) << i;
    return out;
#endif
}

/* Is each of 48 numbers of a at least its fellow of b? Written for the compiler to do sixteen or more at a time. */
static inline int tierce_all_at_least(const uint8_t *a, const uint8_t *b)
{
    uint8_t less = 0;
    for (int i = 0; i < 48; i++)
        less |= a[i] < b[i];
    return !less;
}

/* Memory for a table, on large pages where the system offers them: look-ups are random, and with small pages each one
 * would miss the address cache too. Free with free(). NULL if there is none. */
static inline void *tierce_alloc(size_t bytes)
{
    const size_t page = (size_t)2 << 20;
    if (bytes < page)
        return malloc(bytes);
    void *p = NULL;
    if (posix_memalign(&p, page, bytes))
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

/* Does the processor have what x86-64-v3 stands for, of which the search uses AVX2, BMI1, BMI2, LZCNT and POPCNT? */
static inline int tierce_cpu_supports_v3(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

static inline int64_t tierce_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
