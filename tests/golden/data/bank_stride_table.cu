// Why: Bank of lane l is st*l mod 32; with the XOR it is l.
// On an H200: ncu load wavefronts: 1 2 1 4 8 16 32 1 1; swizzled 1
// Asked at https://github.com/NVlabs/cuda-oxide/pull/544
// Asked at https://github.com/zxypro1/algolocal/pull/76
// Asked at https://github.com/siboehm/SGEMM_CUDA/issues/8
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=1
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 1
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=2
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 2
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=3
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 1
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=4
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 4
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=8
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 8
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=16
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 16
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=32
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 32
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=33
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 1
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=63
// ARG i32=0
// EXPECT clean
// EXPECT metric shared-load-wavefronts 1
// LAUNCH col grid 1 block 32
// ARG out:f32[32]
// ARG i32=32
// ARG i32=1
// EXPECT clean
// EXPECT metric shared-load-wavefronts 1
__global__ void col(float* out, int st, int sw) {
  __shared__ float s[2048];
  int t = threadIdx.x;
  for (int k = 0; k < 64; k++) s[k * 32 + t] = k;
  __syncthreads();
  out[t] = s[t * st + (sw ? t : 0)];  // sw: column 0 of row t sits at 0 ^ t
}
