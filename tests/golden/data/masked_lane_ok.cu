// Why: Both && operands guard the load; only executed accesses count.
// On an H200: clean in memcheck
// Asked at https://github.com/Deep-Learning-Profiling-Tools/triton-viz/issues/363
// Asked at https://github.com/Deep-Learning-Profiling-Tools/triton-viz/issues/150
// LAUNCH tile_sum grid 2 block 8,8
// ARG in:f32[120]=const:1
// ARG out:f32[2]
// ARG i32=10
// ARG i32=12
// EXPECT clean
// EXPECT output 1 all 1
__global__ void tile_sum(const float* a, float* out, int M, int N) {
  int r = blockIdx.x * 8 + threadIdx.y, c = threadIdx.x;
  const float* p = a + r * N + c;
  bool ok = (r < M) && (c < N);
  float v = ok ? *p : 0.0f;
  if (v != 0.0f && threadIdx.x == 0 && threadIdx.y == 0) out[blockIdx.x] = v;
}
