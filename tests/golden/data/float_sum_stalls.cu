// Why: Above 2^24 the float spacing is 2; 16777216 + 1 rounds to even, i.e. back.
// On an H200: confirmed
// Asked at https://github.com/CUDA-Tutorial/CodeSamples/issues/1
// Asked at https://github.com/ROCm/hip/issues/3711
// LAUNCH stall grid 1 block 32
// ARG inout:f32[1]=const:16777210
// ARG inout:f64[1]=const:16777210
// EXPECT clean
// EXPECT output 0 [0] 16777216
// EXPECT output 1 [0] 16777242
__global__ void stall(float* f, double* d) {
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);                  // needs cc >= 6.0
}
