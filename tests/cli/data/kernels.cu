__global__ void scale(float* a, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= k;
}
__global__ void overrun(int* out) {
    out[threadIdx.x] = threadIdx.x;
}
__global__ void forever(volatile int* flag) {
    while (*flag == 0) { }
}
