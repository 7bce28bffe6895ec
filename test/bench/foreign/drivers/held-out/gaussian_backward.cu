// 3D Gaussian splatting, the backward pass: atomics on the gradients of each gaussian, whose sums are compared to four digits.
#include "gaussian_scene.h"

#undef main

__global__ void total(const float *from, std::size_t count, double *to) {
  double sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x)
    sum += fabs(double(from[i]));
  atomicAdd(to, sum);
}

__global__ void rounded(const double *from, long long *to) {
  const double size = pow(10.0, floor(log10(from[threadIdx.x] + 1e-300)) - 3);
  to[threadIdx.x] = llround(from[threadIdx.x] / size);
}

int main() {
  Scene s;
  float *last = driver::numbers<float>(s.pixels, 3, 0.1F, 0.2F), *gradient = driver::numbers<float>(s.pixels * 3, 4);
  std::vector<uint32_t> contributors(s.pixels);
  for (std::size_t i = 0; i < s.pixels; ++i)
    contributors[i] = 100 + i % 300;
  const uint32_t *d_contributors = driver::copied(contributors);
  float3 *means = driver::zeros<float3>(s.points);
  float4 *conics = driver::zeros<float4>(s.points);
  float *opacities = driver::zeros<float>(s.points), *colours = driver::zeros<float>(s.points * 3);
  double *totals = driver::zeros<double>(4);
  long long *result = driver::zeros<long long>(4);
  auto launch = [&] {
    BACKWARD::render(dim3(s.across, s.down), dim3(BLOCK_X, BLOCK_Y), s.ranges, s.list, s.width, s.height, s.ground, s.places, s.conics, s.colours, last,
                     d_contributors, gradient, means, conics, opacities, colours);
  };
  auto finish = [&] {
    total<<<256, 256>>>(&means->x, s.points * 3, totals);
    total<<<256, 256>>>(&conics->x, s.points * 4, totals + 1);
    total<<<256, 256>>>(opacities, s.points, totals + 2);
    total<<<256, 256>>>(colours, s.points * 3, totals + 3);
    rounded<<<1, 4>>>(totals, result);
  };
  return driver::measure(launch, {{result, 32}}, 12, finish);
}
