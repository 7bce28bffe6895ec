// Rodinia's particle filter, the likelihood: 262144 particles, 69 points each, in double precision.
#include "driver.h"

#undef main

int main() {
  const int particles = 262144, points = 69, side = 128, frames = 10;
  double *x = driver::zeros<double>(particles), *y = driver::zeros<double>(particles);
  double *xj = driver::numbers<double>(particles, 1, 20, 64), *yj = driver::numbers<double>(particles, 2, 20, 64);
  double *likelihood = driver::zeros<double>(particles), *weights = driver::zeros<double>(particles), *sums = driver::zeros<double>(particles);
  int *index = driver::zeros<int>(std::size_t(particles) * points), *shape = driver::numbers<int>(points * 2, 3, 5), *seeds = driver::numbers<int>(particles, 4, 30000, 40000);
  unsigned char *image = driver::numbers<unsigned char>(side * side * frames, 5, 100, 120);
  auto launch = [&] {
    likelihood_kernel<<<particles / threads_per_block, threads_per_block>>>(x, y, xj, yj, nullptr, index, shape, likelihood, image, nullptr, weights, particles,
                                                                           points, side * side * frames, 3, side, frames, seeds, sums);
  };
  return driver::measure(launch, {{weights, particles * 8}, {x, particles * 8}, {sums, particles / threads_per_block * 8}}, 16);
}
