// Neighbouring threads read neighbouring floats and write them `stride` apart.
__global__ void store_stride(float* out, const float* in, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i * stride] = in[i];
    }
}
