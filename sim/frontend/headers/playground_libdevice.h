// Device library functions that are made of simpler ones. Clang's headers declare them as part of libdevice; the
// simulator provides the simple ones itself.
#ifndef PLAYGROUND_LIBDEVICE_H
#define PLAYGROUND_LIBDEVICE_H

#define PG_LIB extern "C" __device__ __inline__ __attribute__((always_inline))

PG_LIB void __nv_sincosf(float x, float* s, float* c) { *s = __nv_sinf(x); *c = __nv_cosf(x); }
PG_LIB void __nv_sincos(double x, double* s, double* c) { *s = __nv_sin(x); *c = __nv_cos(x); }
PG_LIB void __nv_sincospif(float x, float* s, float* c) { *s = __nv_sinpif(x); *c = __nv_cospif(x); }
PG_LIB void __nv_sincospi(double x, double* s, double* c) { *s = __nv_sinpi(x); *c = __nv_cospi(x); }
PG_LIB void __nv_fast_sincosf(float x, float* s, float* c) { *s = __nv_fast_sinf(x); *c = __nv_fast_cosf(x); }
PG_LIB float __nv_modff(float x, float* whole) {
    *whole = __nv_truncf(x);
    return __nv_copysignf(__nv_isinff(x) ? 0.0f : x - *whole, x);
}
PG_LIB double __nv_modf(double x, double* whole) {
    *whole = __nv_trunc(x);
    return __nv_copysign(__nv_isinfd(x) ? 0.0 : x - *whole, x);
}
PG_LIB float __nv_frexpf(float x, int* exponent) {
    if (x == 0.0f || !__nv_finitef(x)) { *exponent = 0; return x; }
    *exponent = __nv_ilogbf(x) + 1;
    return __nv_ldexpf(x, -*exponent);
}
PG_LIB double __nv_frexp(double x, int* exponent) {
    if (x == 0.0 || !__nv_isfinited(x)) { *exponent = 0; return x; }
    *exponent = __nv_ilogb(x) + 1;
    return __nv_ldexp(x, -*exponent);
}
PG_LIB float __nv_remquof(float x, float y, int* quotient) {
    const float r = __nv_remainderf(x, y);
    *quotient = (int)__nv_llrint(((double)x - (double)r) / (double)y) & 7;
    return r;
}
PG_LIB double __nv_remquo(double x, double y, int* quotient) {
    const double r = __nv_remainder(x, y);
    *quotient = (int)__nv_llrint((x - r) / y) & 7;
    return r;
}
PG_LIB float __nv_norm4df(float a, float b, float c, float d) { return __nv_sqrtf(a * a + b * b + c * c + d * d); }
PG_LIB double __nv_norm4d(double a, double b, double c, double d) { return __nv_sqrt(a * a + b * b + c * c + d * d); }
PG_LIB float __nv_rnorm4df(float a, float b, float c, float d) { return 1.0f / __nv_norm4df(a, b, c, d); }
PG_LIB double __nv_rnorm4d(double a, double b, double c, double d) { return 1.0 / __nv_norm4d(a, b, c, d); }
PG_LIB float __nv_nanf(const signed char*) { return __builtin_nanf(""); }
PG_LIB double __nv_nan(const signed char*) { return __builtin_nan(""); }
PG_LIB int __nv_mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
PG_LIB unsigned int __nv_umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
PG_LIB int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
PG_LIB int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
PG_LIB int __nv_uhadd(unsigned int a, unsigned int b) { return (a & b) + ((a ^ b) >> 1); }
PG_LIB unsigned int __nv_urhadd(unsigned int a, unsigned int b) { return (a | b) - ((a ^ b) >> 1); }
PG_LIB unsigned int __nv_sad(int a, int b, unsigned int c) { return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c; }
PG_LIB unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }

// Bessel functions of order n, by the upward recurrence of Abramowitz and Stegun 9.1.27.
#define PG_BESSEL(NAME, T, F0, F1)                                                                                     \
    PG_LIB T NAME(int n, T x) {                                                                                        \
        if (n == 0) return F0(x);                                                                                      \
        T before = F0(x), here = F1(x);                                                                                \
        for (int k = 1; k < n; ++k) { const T next = (T)(2 * k) / x * here - before; before = here; here = next; }     \
        return here;                                                                                                   \
    }
PG_BESSEL(__nv_jnf, float, __nv_j0f, __nv_j1f)
PG_BESSEL(__nv_jn, double, __nv_j0, __nv_j1)
PG_BESSEL(__nv_ynf, float, __nv_y0f, __nv_y1f)
PG_BESSEL(__nv_yn, double, __nv_y0, __nv_y1)
#undef PG_BESSEL
#undef PG_LIB
#endif
