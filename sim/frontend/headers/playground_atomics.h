// CUDA's atomic functions (CUDA C++ Programming Guide, "Atomic Functions"). Relaxed ordering, as on the device; the
// suffix _block or _system is carried as the scope.
#ifndef PLAYGROUND_ATOMICS_H
#define PLAYGROUND_ATOMICS_H

#define PG_DEV static __device__ __inline__ __attribute__((always_inline))

#define PG_RMW_SCOPED(NAME, SUFFIX, SCOPE, BUILTIN, T)                                                                 \
    PG_DEV T NAME##SUFFIX(T* address, T value) { return BUILTIN(address, value, __ATOMIC_RELAXED, SCOPE); }
#define PG_RMW(NAME, BUILTIN, T)                                                                                       \
    PG_RMW_SCOPED(NAME, , __MEMORY_SCOPE_DEVICE, BUILTIN, T)                                                           \
    PG_RMW_SCOPED(NAME, _block, __MEMORY_SCOPE_WRKGRP, BUILTIN, T)                                                     \
    PG_RMW_SCOPED(NAME, _system, __MEMORY_SCOPE_SYSTEM, BUILTIN, T)

#define PG_INTEGERS(M, NAME, BUILTIN) M(NAME, BUILTIN, int) M(NAME, BUILTIN, unsigned int) M(NAME, BUILTIN, unsigned long long)
PG_INTEGERS(PG_RMW, atomicAdd, __scoped_atomic_fetch_add)
PG_RMW(atomicAdd, __scoped_atomic_fetch_add, float)
PG_RMW(atomicAdd, __scoped_atomic_fetch_add, double)
PG_RMW(atomicSub, __scoped_atomic_fetch_sub, int)
PG_RMW(atomicSub, __scoped_atomic_fetch_sub, unsigned int)
PG_INTEGERS(PG_RMW, atomicMin, __scoped_atomic_fetch_min)
PG_RMW(atomicMin, __scoped_atomic_fetch_min, long long)
PG_INTEGERS(PG_RMW, atomicMax, __scoped_atomic_fetch_max)
PG_RMW(atomicMax, __scoped_atomic_fetch_max, long long)
PG_INTEGERS(PG_RMW, atomicAnd, __scoped_atomic_fetch_and)
PG_INTEGERS(PG_RMW, atomicOr, __scoped_atomic_fetch_or)
PG_INTEGERS(PG_RMW, atomicXor, __scoped_atomic_fetch_xor)
PG_INTEGERS(PG_RMW, atomicExch, __scoped_atomic_exchange_n)

#define PG_EXCHANGE_FLOAT(SUFFIX, SCOPE)                                                                               \
    PG_DEV float atomicExch##SUFFIX(float* address, float value) {                                                     \
        return __builtin_bit_cast(                                                                                     \
            float, __scoped_atomic_exchange_n((unsigned int*)address, __builtin_bit_cast(unsigned int, value),         \
                                              __ATOMIC_RELAXED, SCOPE));                                               \
    }
PG_EXCHANGE_FLOAT(, __MEMORY_SCOPE_DEVICE)
PG_EXCHANGE_FLOAT(_block, __MEMORY_SCOPE_WRKGRP)
PG_EXCHANGE_FLOAT(_system, __MEMORY_SCOPE_SYSTEM)

#define PG_CAS(T, B, CODE)                                                                                             \
    PG_DEV T atomicCAS(T* address, T compare, T value) { return __nvvm_atom_cas_gen_##CODE((B*)address, compare, value); } \
    PG_DEV T atomicCAS_block(T* address, T compare, T value) { return __nvvm_atom_cta_cas_gen_##CODE((B*)address, compare, value); } \
    PG_DEV T atomicCAS_system(T* address, T compare, T value) { return __nvvm_atom_sys_cas_gen_##CODE((B*)address, compare, value); }
PG_CAS(int, int, i)
PG_CAS(unsigned int, int, i)
PG_CAS(unsigned long long, long long, ll)
PG_DEV unsigned short atomicCAS(unsigned short* address, unsigned short compare, unsigned short value) {
    return __sync_val_compare_and_swap(address, compare, value);
}

#define PG_WRAP(NAME, BUILTIN)                                                                                         \
    PG_DEV unsigned int NAME(unsigned int* address, unsigned int limit) { return BUILTIN(address, limit); }            \
    PG_DEV unsigned int NAME##_block(unsigned int* address, unsigned int limit) { return BUILTIN(address, limit); }    \
    PG_DEV unsigned int NAME##_system(unsigned int* address, unsigned int limit) { return BUILTIN(address, limit); }
PG_WRAP(atomicInc, __nvvm_atom_inc_gen_ui)
PG_WRAP(atomicDec, __nvvm_atom_dec_gen_ui)

#undef PG_RMW_SCOPED
#undef PG_RMW
#undef PG_INTEGERS
#undef PG_EXCHANGE_FLOAT
#undef PG_CAS
#undef PG_WRAP
#undef PG_DEV
#endif
