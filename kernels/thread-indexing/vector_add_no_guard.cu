// c = a + b, one element per thread. Wrong: threads past the end of the arrays work too.
__global__ void vector_add(float* c, const float* a, const float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
