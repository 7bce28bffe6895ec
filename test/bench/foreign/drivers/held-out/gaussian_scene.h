// A scene for the rasterisers of 3D Gaussian splatting: 1920 × 1080, 512 gaussians a tile of 16 × 16.
#pragma once
#include "driver.h"

struct Scene {
  static constexpr int width = 1920, height = 1080, across = (width + 15) / 16, down = (height + 15) / 16, each = 512, points = 1 << 20;
  static constexpr std::size_t pixels = std::size_t(width) * height;
  const uint2 *ranges;
  const uint32_t *list;
  const float2 *places;
  const float4 *conics;
  float *colours = driver::numbers<float>(points * 3, 1, 0.5F, 0.5F), *ground = driver::numbers<float>(3, 2);
  Scene() {
    std::vector<uint2> h_ranges(across * down);
    std::vector<uint32_t> h_list(std::size_t(across) * down * each);
    std::vector<float2> h_places(points);
    std::vector<float4> h_conics(points);
    for (int i = 0; i < points; ++i) {
      unsigned hash = unsigned(i) * 2654435761U;
      hash = (hash ^ hash >> 15) * 2246822519U;
      const int tile = i % (across * down);
      h_places[i] = {float(tile % across * 16) + float(hash >> 24) / 16, float(tile / across * 16) + float(hash >> 16 & 255) / 16};
      h_conics[i] = {0.02F + (i % 7) * 0.02F, 0.01F, 0.03F + (i % 5) * 0.02F, 0.02F + (i % 11) * 0.01F};
    }
    for (int tile = 0; tile < across * down; ++tile) {
      h_ranges[tile] = {unsigned(tile) * each, unsigned(tile + 1) * each};
      for (int i = 0; i < each; ++i)
        h_list[std::size_t(tile) * each + i] = unsigned(tile + (i % 125) * across * down) % points;
    }
    ranges = driver::copied(h_ranges), list = driver::copied(h_list), places = driver::copied(h_places), conics = driver::copied(h_conics);
  }
};
