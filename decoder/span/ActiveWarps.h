// Counts the active warps over time, in bounded memory.
#ifndef KPERF_DECODER_ACTIVE_WARPS_H
#define KPERF_DECODER_ACTIVE_WARPS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// Averages over equal steps of a stretch of time.
class ActiveWarps {
public:
  static constexpr std::uint64_t kSteps = 1024;

  /// `lengthNs`: of the stretch, which begins at 0.
  explicit ActiveWarps(std::uint64_t lengthNs) : step(lengthNs / kSteps + 1), whole(kSteps + 1), part(kSteps + 1) {}

  /// A warp's life; what lies beyond the stretch is left out.
  void add(std::uint64_t begin, std::uint64_t end) {
    end = std::min(end, step * kSteps);
    if (begin >= end)
      return;
    const std::uint64_t first = begin / step, last = end / step;
    if (first == last) {
      part[first] += static_cast<double>(end - begin);
      return;
    }
    part[first] += static_cast<double>((first + 1) * step - begin);
    part[last] += static_cast<double>(end - last * step);
    ++whole[first + 1];
    --whole[last];
  }

  std::uint64_t stepNs() const { return step; }
  /// Average number of active warps in each step.
  std::vector<double> averages() const {
    std::vector<double> out;
    std::int64_t covering = 0;
    for (std::uint64_t i = 0; i < kSteps; ++i) {
      covering += whole[i];
      out.push_back(static_cast<double>(covering) + part[i] / static_cast<double>(step));
    }
    return out;
  }
  /// Calls `take(ns, average)` where the average changes.
  template <typename Take> void forSteps(Take take) const {
    double before = 0;
    const std::vector<double> values = averages();
    for (std::uint64_t i = 0; i < kSteps; ++i) {
      if (values[i] != before)
        take(i * step, values[i]);
      before = values[i];
    }
    if (before != 0)
      take(kSteps * step, 0.0);
  }

private:
  std::uint64_t step;
  std::vector<std::int64_t> whole; ///< differences of how many warps cover the whole step
  std::vector<double> part;        ///< ns of warps that begin or end in it
};

} // namespace kperf::decoder

#endif
