// As shared_stride.cu with four floats at once: an element covers four banks.
__global__ void shared_stride_f32x4(float4* out, int stride) {
    __shared__ float4 tile[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        tile[k] = make_float4(k, k, k, k);
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}
