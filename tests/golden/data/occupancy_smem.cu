// Why: (33+1)*3 = 102 > 100; (56+1)*4 = 228; (57+1)*4 = 232 > 228.
// On an H200: occupancy API: 56 KB 4, 57 KB 3
// Asked at https://github.com/NVIDIA/Fuser/pull/4465
// Asked at https://github.com/NVlabs/curobo/pull/705
// LAUNCH tile grid 1 block 128 shared 33792
// ARG inout:f32[128]=iota
// EXPECT clean
// EXPECT output 0 [0] 127
__global__ void tile(float* a) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[127 - threadIdx.x];
}
