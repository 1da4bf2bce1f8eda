// Why: Undefined by the programming guide unless the condition is uniform over the block.
// On an H200: the GPU ran through silently; synccheck: 16 x "divergent thread(s) in warp"
// Asked at https://github.com/tile-ai/tilelang/issues/1026
// Asked at https://codehunter.cc/a/c/cuda-syncthreads-inside-if-statements
// LAUNCH half_sync grid 1 block 32
// ARG inout:i32[32]=iota
// EXPECT finding divergent-barrier
__global__ void half_sync(int* a) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = a[t];
  if (t % 2 == 0) {
    s[t] += 1;
    __syncthreads();                  // only even lanes
  }
  a[t] = s[t];
}
