// As transpose_tiled.cu; each row of the tile is stored in an order of its own.
__global__ void transpose_swizzled(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
    int x = threadIdx.x;
    int left = blockIdx.x * 32;
    int top = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32; y += 8) {
        if (top + y < n && left + x < n) {
            tile[y][x ^ y] = in[(top + y) * n + left + x];
        }
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        if (left + y < n && top + x < n) {
            out[(left + y) * n + top + x] = tile[x][y ^ x];
        }
    }
}
