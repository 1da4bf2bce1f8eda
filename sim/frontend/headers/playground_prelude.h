// What nvcc makes available without any #include: built-in variables, vector types, device functions, the math
// library, atomics and the runtime's declarations. Parsed once and kept as a precompiled header.
#ifndef PLAYGROUND_PRELUDE_H
#define PLAYGROUND_PRELUDE_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __cluster_dims__(...)
#define __device_builtin__
#define CUDARTAPI
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

// Device overloads of the math library must be declared before the host's <cmath> uses them.
#include <__clang_cuda_math_forward_declares.h>
#ifndef __CUDACC__
#define __CUDACC__
#endif
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <climits>
#include <cfloat>
#include <cstdint>

#include "playground_vector_types.h"
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include "playground_libdevice.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "playground_host_api.h"

// Functions with C names that <math.h> does not have, in the overloads nvcc gives them.
#define PG_DEV static __device__ __inline__ __attribute__((always_inline))
PG_DEV float rsqrt(float x) { return rsqrtf(x); }
PG_DEV float rcbrt(float x) { return rcbrtf(x); }
PG_DEV float sinpi(float x) { return sinpif(x); }
PG_DEV float cospi(float x) { return cospif(x); }
PG_DEV float erfcinv(float x) { return erfcinvf(x); }
PG_DEV float erfinv(float x) { return erfinvf(x); }
PG_DEV float normcdf(float x) { return normcdff(x); }
PG_DEV float normcdfinv(float x) { return normcdfinvf(x); }
PG_DEV float erfcx(float x) { return erfcxf(x); }
// min and max of every pair of types nvcc accepts; mixed signs compare as unsigned, as the usual conversions do.
PG_DEV unsigned int min(unsigned int a, unsigned int b) { return __nv_umin(a, b); }
PG_DEV unsigned int max(unsigned int a, unsigned int b) { return __nv_umax(a, b); }
PG_DEV unsigned int min(int a, unsigned int b) { return __nv_umin((unsigned)a, b); }
PG_DEV unsigned int max(int a, unsigned int b) { return __nv_umax((unsigned)a, b); }
PG_DEV unsigned int min(unsigned int a, int b) { return __nv_umin(a, (unsigned)b); }
PG_DEV unsigned int max(unsigned int a, int b) { return __nv_umax(a, (unsigned)b); }
PG_DEV long long min(long long a, long long b) { return __nv_llmin(a, b); }
PG_DEV long long max(long long a, long long b) { return __nv_llmax(a, b); }
PG_DEV unsigned long long min(unsigned long long a, unsigned long long b) { return __nv_ullmin(a, b); }
PG_DEV unsigned long long max(unsigned long long a, unsigned long long b) { return __nv_ullmax(a, b); }
PG_DEV long min(long a, long b) { return __nv_llmin(a, b); }
PG_DEV long max(long a, long b) { return __nv_llmax(a, b); }
PG_DEV unsigned long min(unsigned long a, unsigned long b) { return __nv_ullmin(a, b); }
PG_DEV unsigned long max(unsigned long a, unsigned long b) { return __nv_ullmax(a, b); }
PG_DEV float min(float a, float b) { return __nv_fminf(a, b); }
PG_DEV float max(float a, float b) { return __nv_fmaxf(a, b); }
PG_DEV double min(double a, double b) { return __nv_fmin(a, b); }
PG_DEV double max(double a, double b) { return __nv_fmax(a, b); }
PG_DEV double min(float a, double b) { return __nv_fmin(a, b); }
PG_DEV double max(float a, double b) { return __nv_fmax(a, b); }
PG_DEV double min(double a, float b) { return __nv_fmin(a, b); }
PG_DEV double max(double a, float b) { return __nv_fmax(a, b); }

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void free(void*) __attribute((nothrow));
__device__ void* malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t charSize);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line, const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char*, ...);
}
namespace std {
PG_DEV void free(void* p) { ::free(p); }
PG_DEV void* malloc(size_t n) { return ::malloc(n); }
}

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include <__clang_cuda_cmath.h>
// Which memory space a generic pointer names, and the addresses inside it.
typedef unsigned int cuuint32_t;
PG_DEV unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
PG_DEV unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
PG_DEV unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
PG_DEV unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
PG_DEV size_t __cvta_generic_to_global(const void* p) { return (size_t)(const __attribute__((address_space(1))) void*)p; }
PG_DEV size_t __cvta_generic_to_shared(const void* p) { return (size_t)(const __attribute__((address_space(3))) void*)p; }
PG_DEV size_t __cvta_generic_to_constant(const void* p) { return (size_t)(const __attribute__((address_space(4))) void*)p; }
PG_DEV size_t __cvta_generic_to_local(const void* p) { return (size_t)(const __attribute__((address_space(5))) void*)p; }
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#include <new>
#include "playground_atomics.h"
#undef PG_DEV
#undef PG_FN
#endif
