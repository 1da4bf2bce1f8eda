// Why: 1000/256 is 3 in integers; 3*256 = 768.
// On an H200: out[767]=9, out[768]=0; initcheck: 29 cudaMemcpy source reports of 32 B = 928 B
// Asked at https://github.com/CMU-SAFARI/SneakySnake/pull/2
// Asked at https://github.com/RussWong/CUDATutorial/pull/12
// LAUNCH square grid 3 block 256
// ARG out:f32[1000]=uninit
// ARG in:f32[1000]=const:3
// ARG i32=1000
// EXPECT clean
// EXPECT output 0 [767] 9
__global__ void square(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
