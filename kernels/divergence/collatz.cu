// How many steps from each number to 1: halve it when it is even, else triple it and add one.
__global__ void collatz(unsigned* out, const unsigned* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i] + 1;
    unsigned steps = 0;
    while (v != 1 && steps < 1000) {
        if (v % 2 == 0) {
            v = v / 2;
        } else {
            v = 3 * v + 1;
        }
        ++steps;
    }
    out[i] = steps;
}
