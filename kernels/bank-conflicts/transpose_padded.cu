// As transpose_tiled.cu; an unused column moves each row of the tile one bank further.
__global__ void transpose_padded(float* out, const float* in, int n) {
    __shared__ float tile[32][33];
    int x = threadIdx.x;
    int left = blockIdx.x * 32;
    int top = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32; y += 8) {
        if (top + y < n && left + x < n) {
            tile[y][x] = in[(top + y) * n + left + x];
        }
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        if (left + y < n && top + x < n) {
            out[(left + y) * n + top + x] = tile[x][y];
        }
    }
}
