// One warp fills a tile, then lane k reads float k * stride of it.
__global__ void shared_stride(float* out, int stride) {
    __shared__ float tile[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        tile[k] = k;
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}
