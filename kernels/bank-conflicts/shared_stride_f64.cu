// As shared_stride.cu with doubles: an element covers two banks.
__global__ void shared_stride_f64(double* out, int stride) {
    __shared__ double tile[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        tile[k] = k;
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}
