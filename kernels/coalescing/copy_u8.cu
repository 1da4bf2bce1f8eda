// Each thread copies one byte.
__global__ void copy_u8(unsigned char* out, const unsigned char* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}
