// Limits on memory and time, for what a fuzzer feeds to the decoder.
#ifndef KPERF_TEST_LIMITS_H
#define KPERF_TEST_LIMITS_H

#include <cstddef>

namespace kperf::test {

/// While it lives, allocations that are alive at the same time may take kTimesInput times the input and kConstant
/// bytes, and kMaxSeconds of processor time may pass (a machine that is busy is no hang); more ends the program. One
/// at a time.
class Limits {
public:
  static constexpr std::size_t kTimesInput = 16;
  /// For what has a size of its own, whatever the input: tables by step of time (16 KiB for each of at most 4096 SMs),
  /// by SM (8 KiB for each region) and of lengths (58 KiB for each region with more than 255 entries), pieces of output
  /// (128 KiB), the scripts of a page (40 KiB). An input of 16 KiB names at most some 150 warps, SMs or regions.
  static constexpr std::size_t kConstant = std::size_t{8} << 20;
  static constexpr double kMaxSeconds = 1;

  explicit Limits(std::size_t inputBytes);
  ~Limits();
  Limits(const Limits &) = delete;
  Limits &operator=(const Limits &) = delete;
};

} // namespace kperf::test

#endif
