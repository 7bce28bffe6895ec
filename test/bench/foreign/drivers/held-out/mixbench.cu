// mixbench: 16 multiply-adds for each of 64 million floats.
#include "driver.h"

#undef main

int main() {
  const long count = 1L << 26;
  float *data = driver::numbers<float>(count, 1);
  auto launch = [&] { benchmark_func<float, 256, ELEMENTS_PER_THREAD, FUSION_DEGREE, 16, false><<<count / ELEMENTS_PER_THREAD / FUSION_DEGREE / 256, 256>>>(0.25F, data); };
  return driver::measure(launch, {{data, std::size_t(count) * 4}});
}
