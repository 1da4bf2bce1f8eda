// Why: Both cycle with period 5 (0..4); 12 mod 5 = 2; Inc: 0,1,2; Dec: 0,4,3.
// On an H200: confirmed
// Asked at https://github.com/eyalroz/cuda-kat/issues/16
// LAUNCH ring grid 1 block 12
// ARG inout:u32[2]
// EXPECT clean
// EXPECT output 0 [0] 2
// EXPECT output 0 [1] 3
__global__ void ring(unsigned* c) {
  atomicInc(&c[0], 4);
  atomicDec(&c[1], 4);
}
