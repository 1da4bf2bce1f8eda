// Why: Lane l reads l+o for o = 8,4,2,1; count of l+o > 10 with l <= 10.
// On an H200: result 0 instead of -1; synccheck silent
// Asked at https://github.com/apache/tvm/issues/12274
// Asked at https://github.com/PaddlePaddle/CINN/pull/938
// Asked at https://github.com/NVIDIA/cuda-samples/issues/398
// LAUNCH max11 grid 1 block 11
// ARG in:f32[11]=file:-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11
// ARG out:f32[1]
// EXPECT finding absent-lane-read count 15
__global__ void max11(const float* a, float* out) {
  float v = a[threadIdx.x];
  for (int o = 8; o > 0; o >>= 1)
    v = fmaxf(v, __shfl_down_sync(0x7ffu, v, o));
  if (threadIdx.x == 0) out[0] = v;
}
