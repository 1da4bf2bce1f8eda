// Why: Half-warp at stride 2: words 4l and 4l+1; lanes l and l+8 share banks.
// On an H200: ncu: 2 wavefronts, 0 conflicts; 4 wavefronts, 2 conflicts
// Asked at https://github.com/NVIDIA/cutlass/issues/328
// Asked at https://github.com/NervanaSystems/maxas/issues/8
// LAUNCH dbl<1> grid 1 block 32
// ARG out:f64[32]
// EXPECT clean
// EXPECT metric shared-load-wavefronts 2
// EXPECT metric shared-load-conflicts 0
// LAUNCH dbl<2> grid 1 block 32
// ARG out:f64[32]
// EXPECT clean
// EXPECT metric shared-load-wavefronts 4
// EXPECT metric shared-load-conflicts 2
template <int ST> __global__ void dbl(double* out) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = t; s[t + 32] = t;
  __syncthreads();
  out[t] = s[t * ST];
}
template __global__ void dbl<1>(double*);
template __global__ void dbl<2>(double*);
