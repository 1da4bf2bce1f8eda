// Neighbouring threads read floats that are `stride` apart and write neighbouring ones.
__global__ void load_stride(float* out, const float* in, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride];
    }
}
