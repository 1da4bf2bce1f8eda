// Why: Words 4l: lanes l, l+8, l+16, l+24 share a bank. Each block fills only 32 of its 256 words.
// On an H200: ncu: 6 conflicts, 8 load wavefronts; initcheck does not cover shared memory
// Asked at https://github.com/NVIDIA-developer-blog/code-samples/issues/48
// LAUNCH stride4 grid 2 block 32
// ARG in:f32[64]=iota
// ARG out:f32[64]
// EXPECT metric shared-load-wavefronts 8
// EXPECT metric shared-load-conflicts 6
// EXPECT metric shared-store-conflicts 0
__global__ void stride4(const float* in, float* out) {
  __shared__ float s[256];
  int i = blockIdx.x * 32 + threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  out[i] = s[i * 4];
}
