// Why: Program exit is not a flush point.
// On an H200: A prints only "host"; B as stated
// Asked at https://github.com/numba/numba/issues/5421
// Asked at https://github.com/puttsk/cuda-tutorial/issues/3
// Asked at https://github.com/brucefan1983/CUDA-Programming/issues/47
// LAUNCH hello grid 2 block 2
// EXPECT clean
// EXPECT printed 4
#include <cstdio>
__global__ void hello() {
  printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}
