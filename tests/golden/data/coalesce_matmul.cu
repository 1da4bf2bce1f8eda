// Why: One row per warp: a[row*n+k] is one address; b[k*n+col] is 128 aligned bytes = 4 sectors.
// On an H200: ncu: 2.5, 1, 4; store 4
// Asked at https://forums.developer.nvidia.com/t/profiling-coalesced-memory-accesses-
// LAUNCH mm<0> grid 2,4 block 32,16
// ARG in:i32[4096]=mod:7
// ARG in:i32[4096]=mod:5
// ARG out:i32[4096]
// ARG i32=64
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 2.5
// EXPECT metric global-store-sectors-per-request 4
// LAUNCH mm<1> grid 2,4 block 32,16
// ARG in:i32[4096]=mod:7
// ARG in:i32[4096]=mod:5
// ARG out:i32[4096]
// ARG i32=64
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 1
// EXPECT metric global-store-sectors-per-request 4
// LAUNCH mm<2> grid 2,4 block 32,16
// ARG in:i32[4096]=mod:7
// ARG in:i32[4096]=mod:5
// ARG out:i32[4096]
// ARG i32=64
// EXPECT clean
// EXPECT metric global-load-sectors-per-request 4
// EXPECT metric global-store-sectors-per-request 4
template <int P> __global__ void mm(const int* a, const int* b, int* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  for (int k = 0; k < n; k++)
    v += a[P == 2 ? k * n + col : row * n + k] * b[P == 1 ? row * n + k : k * n + col];
  c[row * n + col] = v;
}
template __global__ void mm<0>(const int*, const int*, int*, int);
template __global__ void mm<1>(const int*, const int*, int*, int);
template __global__ void mm<2>(const int*, const int*, int*, int);
