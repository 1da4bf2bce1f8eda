// The first thread reads the last float, and so on backwards.
__global__ void load_reversed(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[n - 1 - i];
    }
}
