// Transposes an n x n matrix, 32 x 32 elements per block of 32 x 8 threads, without shared memory.
__global__ void transpose_naive(float* out, const float* in, int n) {
    int column = blockIdx.x * 32 + threadIdx.x;
    int firstRow = blockIdx.y * 32 + threadIdx.y;
    for (int row = firstRow; row < firstRow + 32; row += 8) {
        if (row < n && column < n) {
            out[column * n + row] = in[row * n + column];
        }
    }
}
