// Four paths, eight lanes of each warp on each.
__global__ void nested(unsigned* out, const unsigned* in, int work) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    unsigned x = in[i];
    if (lane < 16) {
        if (lane < 8) {
            for (int k = 0; k < work; ++k) x = x * 3 + 1;
        } else {
            for (int k = 0; k < work; ++k) x = x * 5 + 7;
        }
    } else {
        if (lane < 24) {
            for (int k = 0; k < work; ++k) x = x * 7 + 3;
        } else {
            for (int k = 0; k < work; ++k) x = x * 9 + 5;
        }
    }
    out[i] = x;
}
