// Transposes by way of a tile: rows from global memory into it, columns of it back to rows.
__global__ void transpose_tiled(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
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
