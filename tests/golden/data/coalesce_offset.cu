// Why: 128 B starting 24 B into a sector row touch 5 sectors of 32 B.
// On an H200: ncu: 5 and 4
// Asked at https://github.com/beehive-lab/TornadoVM/pull/1066
// Asked at https://forums.developer.nvidia.com/t/alignement-requirement/11145
// LAUNCH copyk grid 4 block 256
// ARG out:f32[1024]
// ARG in:f32[1032]@6=hash
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 5
// EXPECT metric global-store-sectors-per-request 4
// LAUNCH copyk grid 4 block 256
// ARG out:f32[1024]
// ARG in:f32[1032]@8=hash
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 4
// EXPECT metric global-store-sectors-per-request 4
__global__ void copyk(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
