// Lane 0 goes round the loop 0 times, lane 31 goes round it 31 times.
__global__ void loop_by_lane(unsigned* out, const unsigned* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    unsigned x = in[i];
    for (int k = 0; k < lane; ++k) {
        x = x * 3 + 1;
    }
    out[i] = x;
}
