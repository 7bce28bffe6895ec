// Multiplications and additions, and how long the units that do them take.
#ifndef KPERF_TOOL_PLACEMENT_WORK_H
#define KPERF_TOOL_PLACEMENT_WORK_H

#include <optional>

namespace kperf::placement {

/// Of one warp; a warpgroup's product is a quarter each.
struct Work {
  double operations = 0;        ///< multiplications and additions
  std::optional<double> cycles; ///< that all such units of the multiprocessor take at their peak; nothing where that is not known

  Work &operator+=(const Work &other) {
    operations += other.operations;
    cycles = cycles && other.cycles ? std::optional(*cycles + *other.cycles) : std::nullopt;
    return *this;
  }
  friend bool operator==(const Work &, const Work &) = default;
};

} // namespace kperf::placement

#endif
