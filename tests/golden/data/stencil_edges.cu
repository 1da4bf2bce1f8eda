// Why: in[i-1] is bad for i=0 only, in[i+1] for i=255 only.
// On an H200: no error on the GPU; memcheck reports only the read at index 256: index -1 lands in the
// neighbouring live allocation, so per-pointer bounds beat an address-only check
// Asked at https://github.com/myurtoglu/cudaforengineers/issues/5
// Asked at https://github.com/myurtoglu/cudaforengineers/issues/1
// LAUNCH second_diff grid 4 block 64
// ARG out:f32[256]
// ARG in:f32[256]=iota
// ARG i32=256
// EXPECT findings 1
// EXPECT finding out-of-bounds-global read count 2 block 0 thread 0 offset -4
__global__ void second_diff(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i - 1] - 2.0f * in[i] + in[i + 1];
}
