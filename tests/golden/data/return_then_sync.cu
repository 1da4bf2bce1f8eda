// Why: From Volta on the barrier waits for all non-exited threads. Formally unsafe before.
// On an H200: confirmed; synccheck 0, racecheck 0
// Asked at https://github.com/m4rs-mt/ILGPU/issues/90
// LAUNCH guarded_rev grid 1 block 64
// ARG inout:i32[64]=iota
// ARG i32=40
// EXPECT status finished
// EXPECT no finding deadlock
// EXPECT no finding shared-race
// EXPECT output 0 [0] 39
// EXPECT output 0 [39] 0
// EXPECT output 0 [40] 40
// EXPECT output 0 [63] 63
__global__ void guarded_rev(int* a, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n) return;                 // lanes 8..31 of warp 1 exit
  s[t] = a[t];
  __syncthreads();
  a[t] = s[n - 1 - t];
}
