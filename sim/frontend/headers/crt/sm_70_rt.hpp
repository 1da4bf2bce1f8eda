// __match_any_sync and __match_all_sync for every 32- and 64-bit type (CUDA C++ Programming Guide, "Warp Match
// Functions"), over Clang's fixed-width functions.
#ifndef PLAYGROUND_MATCH_H
#define PLAYGROUND_MATCH_H
#define PG_MATCH(T, WIDTH, BITS)                                                                                       \
    static inline __device__ __attribute__((always_inline)) unsigned int __match_any_sync(unsigned mask, T value) {    \
        return __match##WIDTH##_any_sync(mask, __builtin_bit_cast(BITS, value));                                       \
    }                                                                                                                  \
    static inline __device__ __attribute__((always_inline)) unsigned int __match_all_sync(unsigned mask, T value,      \
                                                                                          int* pred) {                 \
        return __match##WIDTH##_all_sync(mask, __builtin_bit_cast(BITS, value), pred);                                 \
    }
PG_MATCH(int, 32, unsigned int)
PG_MATCH(unsigned int, 32, unsigned int)
PG_MATCH(float, 32, unsigned int)
PG_MATCH(long, 64, unsigned long long)
PG_MATCH(unsigned long, 64, unsigned long long)
PG_MATCH(long long, 64, unsigned long long)
PG_MATCH(unsigned long long, 64, unsigned long long)
PG_MATCH(double, 64, unsigned long long)
#undef PG_MATCH
#endif
