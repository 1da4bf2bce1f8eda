// Why: Offset 33 is odd; 33 + 8t stays 1 mod 8. Fix: offset 40.
// On an H200: error 716; memcheck: 32 misaligned shared writes
// Asked at https://github.com/kokkos/kokkos/issues/686
// Asked at https://github.com/alpaka-group/alpaka/issues/2277
// Asked at https://github.com/numba/numba/pull/3382
// LAUNCH carve grid 1 block 32 shared 289
// ARG out:f64[32]
// EXPECT finding misaligned write count 32
__global__ void carve(double* out) {
  extern __shared__ __align__(16) char buf[];
  char* tag = buf;                                  // 33 bytes
  double* d = reinterpret_cast<double*>(buf + 33);  // should be 40
  int t = threadIdx.x;
  tag[t] = 1;
  d[t] = t;
  out[t] = d[t] + tag[t];
}
