// Why: 128 threads - 90 elements = 38 threads past the end.
// On an H200: no error on the GPU; memcheck: 38 threads, first (90,0,0) (it stops a thread at its read)
// Asked at https://github.com/risc0/risc0/issues/3803
// LAUNCH scale grid 1 block 128
// ARG inout:f32[90]=const:1
// EXPECT status finished
// EXPECT findings 2
// EXPECT finding out-of-bounds-global read count 38 thread 90 offset 360
// EXPECT finding out-of-bounds-global write count 38 thread 90 offset 360
// EXPECT output 0 all 2
__global__ void scale(float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] *= 2.0f;                       // no "if (i < n)"
}
