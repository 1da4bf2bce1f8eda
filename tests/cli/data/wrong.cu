__global__ void wrong(int* out) {
    out[0] = undeclared;
}
