# Declarations of bits.h: masks of cards, packing and spreading of bits, time.
from libc.stdint cimport int64_t, uint64_t

cdef extern from "bits.h" nogil:
    const uint64_t TIERCE_LANES
    void tierce_assert(bint condition) noexcept
    int tierce_count(uint64_t x) noexcept
    int tierce_lowest(uint64_t x) noexcept
    int tierce_highest(uint64_t x) noexcept
    void tierce_prefetch(const void* p) noexcept
    uint64_t tierce_fill_up(uint64_t x) noexcept
    uint64_t tierce_pack(uint64_t x, uint64_t mask) noexcept
    uint64_t tierce_spread(uint64_t x, uint64_t mask) noexcept
    unsigned int tierce_match8(const uint64_t* ea, const uint64_t* eb, const uint64_t* em,
                               uint64_t a, uint64_t b) noexcept
    bint tierce_all_at_least(const unsigned char* a, const unsigned char* b) noexcept
    void* tierce_alloc(size_t bytes) noexcept
    int tierce_cpu_supports_v3() noexcept
    int64_t tierce_now_ns() noexcept
