// Why: float4 needs 16 B alignment; 4*250 = 1000 < 1002 passes the guard.
// On an H200: A error 716; memcheck on B: one 16-byte write, thread (250,0,0)
// Asked at https://github.com/PaddlePaddle/Paddle/pull/23090
// Asked at https://github.com/xlite-dev/LeetCUDA/issues/367
// LAUNCH set4 grid 1 block 32
// ARG out:f32[256]@2
// ARG i32=128
// EXPECT finding misaligned write count 32
// LAUNCH set4 grid 1 block 256
// ARG out:f32[1002]
// ARG i32=1002
// EXPECT findings 1
// EXPECT finding out-of-bounds-global write count 1 thread 250 offset 4000
__global__ void set4(float* base, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) *reinterpret_cast<float4*>(base + i) = make_float4(1, 1, 1, 1);
}
