// Why: Capacity in ints = bytes/4: 64, 16, 0.
// On an H200: A ok, B error 700 (memcheck 48, from thread 16)
// Asked at https://github.com/alicevision/popsift/pull/109
// Asked at https://github.com/esbmc/esbmc/issues/7765
// LAUNCH rev grid 1 block 64 shared 256
// ARG inout:i32[64]=iota
// EXPECT clean
// EXPECT output 0 [0] 63
// EXPECT output 0 [63] 0
// LAUNCH rev grid 1 block 64 shared 64
// ARG inout:i32[64]=iota
// EXPECT finding out-of-bounds-shared write count 48 thread 16
// EXPECT finding out-of-bounds-shared read count 48 thread 0
// LAUNCH rev grid 1 block 64
// ARG inout:i32[64]=iota
// EXPECT finding out-of-bounds-shared write count 64
// EXPECT finding out-of-bounds-shared read count 64
__global__ void rev(int* a) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  a[t] = s[63 - t];
}
