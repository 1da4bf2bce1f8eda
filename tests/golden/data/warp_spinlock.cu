// Why: The winner waits at reconvergence for losers that need its unlock.
// On an H200: confirmed, 32
// Asked at https://github.com/vortexgpgpu/vortex/issues/62
// Asked at https://github.com/NVIDIA/warp/pull/1958
// LAUNCH locked_inc grid 1 block 32
// ARG inout:i32[1]
// ARG inout:i32[1]
// EXPECT status finished
// EXPECT output 1 [0] 32
__global__ void locked_inc(int* lock, volatile int* count) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}
