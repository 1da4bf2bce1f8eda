__global__ void add_one(int* out, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;
}

__global__ void store_far_away(int* out) {
    out[1 << 30] = 1;
}
