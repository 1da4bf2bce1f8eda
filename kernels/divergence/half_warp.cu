// The lower half of each warp takes one path, the upper half the other.
__global__ void half_warp(unsigned* out, const unsigned* in, int work) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i];
    if (threadIdx.x % 32 < 16) {
        for (int k = 0; k < work; ++k) x = x * 3 + 1;
    } else {
        for (int k = 0; k < work; ++k) x = x * 5 + 7;
    }
    out[i] = x;
}
