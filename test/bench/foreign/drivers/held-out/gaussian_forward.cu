// 3D Gaussian splatting, the forward pass.
#include "gaussian_scene.h"

#undef main

int main() {
  Scene s;
  float *last = driver::zeros<float>(s.pixels), *image = driver::zeros<float>(s.pixels * 3);
  uint32_t *contributors = driver::zeros<uint32_t>(s.pixels);
  auto launch = [&] {
    FORWARD::render(dim3(s.across, s.down), dim3(BLOCK_X, BLOCK_Y), s.ranges, s.list, s.width, s.height, s.places, s.colours, s.conics, last, contributors,
                    s.ground, image);
  };
  return driver::measure(launch, {{image, s.pixels * 12}, {contributors, s.pixels * 4}});
}
