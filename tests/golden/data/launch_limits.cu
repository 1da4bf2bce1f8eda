// Why: Limits: 1024 threads/block; block (1024,1024,64); grid (2^31-1, 65535, 65535); no zero dimension.
// On an H200: CUDA 13.0: a, b, c, e, f fail with code 1 (cudaErrorInvalidValue), not 9; d, g run
// Asked at https://github.com/ml-explore/mlx/issues/2267
// Asked at https://github.com/NVIDIA/cuCollections/issues/75
// Asked at https://github.com/chelsea0x3b/cudarc/pull/41
// Asked at https://forums.developer.nvidia.com/t/invalid-configuration-argument/68576
// LAUNCH mark grid 1 block 1025
// ARG out:i32[1]
// EXPECT status rejected
// EXPECT output 0 [0] 0
// LAUNCH mark grid 1 block 32,33
// ARG out:i32[1]
// EXPECT status rejected
// EXPECT output 0 [0] 0
// LAUNCH mark grid 1,65536 block 32
// ARG out:i32[1]
// EXPECT status rejected
// EXPECT output 0 [0] 0
// LAUNCH mark grid 65536 block 32
// ARG out:i32[1]
// EXPECT clean
// EXPECT output 0 [0] 1
// LAUNCH mark grid 0 block 32
// ARG out:i32[1]
// EXPECT status rejected
// EXPECT output 0 [0] 0
// LAUNCH mark grid 1 block 1,1,65
// ARG out:i32[1]
// EXPECT status rejected
// EXPECT output 0 [0] 0
// LAUNCH mark grid 1 block 1024
// ARG out:i32[1]
// EXPECT clean
// EXPECT output 0 [0] 1
__global__ void mark(int* out) {
  if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y + threadIdx.z == 0) out[0] = 1;
}
