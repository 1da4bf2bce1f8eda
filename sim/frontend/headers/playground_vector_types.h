// CUDA's built-in vector types (CUDA C++ Programming Guide, "Built-in Vector Types") and their make_ functions.
#ifndef PLAYGROUND_VECTOR_TYPES_H
#define PLAYGROUND_VECTOR_TYPES_H

#define PG_FN static __host__ __device__ __inline__ __attribute__((always_inline))
// Alignment of the 1-, 2-, 3- and 4-element type of a scalar of size S: 2 and 4 elements align to their whole
// size, at most 16 bytes, so that one instruction moves them.
#define PG_VECTOR(T, N, A2, A4)                                                                                        \
    struct N##1 { T x; };                                                                                              \
    struct __attribute__((aligned(A2))) N##2 { T x, y; };                                                              \
    struct N##3 { T x, y, z; };                                                                                        \
    struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                                                        \
    PG_FN N##1 make_##N##1(T x) { N##1 v; v.x = x; return v; }                                                         \
    PG_FN N##2 make_##N##2(T x, T y) { N##2 v; v.x = x; v.y = y; return v; }                                           \
    PG_FN N##3 make_##N##3(T x, T y, T z) { N##3 v; v.x = x; v.y = y; v.z = z; return v; }                             \
    PG_FN N##4 make_##N##4(T x, T y, T z, T w) { N##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }
PG_VECTOR(signed char, char, 2, 4)
PG_VECTOR(unsigned char, uchar, 2, 4)
PG_VECTOR(short, short, 4, 8)
PG_VECTOR(unsigned short, ushort, 4, 8)
PG_VECTOR(int, int, 8, 16)
PG_VECTOR(unsigned int, uint, 8, 16)
PG_VECTOR(long, long, 16, 16)
PG_VECTOR(unsigned long, ulong, 16, 16)
PG_VECTOR(long long, longlong, 16, 16)
PG_VECTOR(unsigned long long, ulonglong, 16, 16)
PG_VECTOR(float, float, 8, 16)
PG_VECTOR(double, double, 16, 16)
#undef PG_VECTOR

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
