// Why: A 512 B contiguous; B 32 x 4 B at 16 B steps spans 512 B; C at 8 B steps spans 256 B.
// On an H200: ncu: 16, 16, 8
// Asked at https://github.com/NVlabs/cuda-oxide/pull/575
// Asked at https://github.com/AdepojuJeremy/CUDA-120-DAYS--CHALLENGE/issues/4
// LAUNCH v4 grid 1 block 32
// ARG in:f32[128]=hash
// ARG out:f32[128]
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 16
// LAUNCH st4 grid 1 block 32
// ARG in:f32[128]=hash
// ARG out:f32[32]
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 16
// LAUNCH st2 grid 1 block 32
// ARG in:f32[128]=hash
// ARG out:f32[32]
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 8
__global__ void v4(const float4* in, float4* out4) { out4[threadIdx.x] = in[threadIdx.x]; }
__global__ void st4(const float* in, float* out)   { out[threadIdx.x] = in[threadIdx.x * 4]; }
__global__ void st2(const float* in, float* out)   { out[threadIdx.x] = in[threadIdx.x * 2]; }
