// Random numbers of tests that draw millions of them. The standard library's distributions of real numbers take two logarithms of extended
// precision for each draw where the compiler does not fold these, which was two fifths of such a test's time.
#ifndef KPERF_TEST_RANDOM_H
#define KPERF_TEST_RANDOM_H

#include <algorithm>
#include <cmath>
#include <random>

namespace kperf::decoder {

/// Of [low, high).
inline double drawUniform(std::mt19937_64 &random, double low, double high) {
  const double part = std::min(static_cast<double>(random()) / 0x1p64, std::nextafter(1.0, 0.0));
  return part * (high - low) + low;
}

/// Of mean 0 and deviation 1, by the polar method.
inline double drawNormal(std::mt19937_64 &random) {
  for (;;) {
    const double x = drawUniform(random, -1, 1), y = drawUniform(random, -1, 1), square = x * x + y * y;
    if (square > 0 && square <= 1)
      return y * std::sqrt(-2 * std::log(square) / square);
  }
}

} // namespace kperf::decoder

#endif
