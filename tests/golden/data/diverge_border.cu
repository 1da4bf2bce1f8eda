// Why: A warp is one row of 32 pixels; 62 inner rows x 2 edge warps.
// On an H200: ncu: divergent branch targets 124
// Asked at https://amara.org/en/videos/PLQ9TNET9hTN/en/15318/
// Asked at https://github.com/Kobzol/hardware-effects-gpu/issues/1
// LAUNCH pix grid 8,8 block 32,8
// ARG inout:f32[16384]=hash
// ARG i32=256
// ARG i32=64
// EXPECT clean
// EXPECT output 0 [0] 0
__global__ void pix(float* img, int W, int H) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x == 0 || x == W - 1 || y == 0 || y == H - 1)
    img[y * W + x] = 0.0f;
  else
    img[y * W + x] = sqrtf(img[y * W + x]) * 3.0f;
}
