// Whole warps take one path or the other.
__global__ void by_warp(unsigned* out, const unsigned* in, int work) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i];
    if (threadIdx.x / 32 % 2 == 0) {
        for (int k = 0; k < work; ++k) x = x * 3 + 1;
    } else {
        for (int k = 0; k < work; ++k) x = x * 5 + 7;
    }
    out[i] = x;
}
