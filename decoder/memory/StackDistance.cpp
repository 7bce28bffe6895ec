// Computes stack distances with a tree of partial sums over the last uses of all lines.
#include "decoder/memory/StackDistance.h"

#include <unordered_map>

namespace kperf::decoder {
namespace {

/// Numbers at 0 … size - 1, all 0 at first, and sums over ranges of them.
class PartialSums {
public:
  explicit PartialSums(std::size_t size) : sums(size + 1) {}

  void add(std::size_t at, std::int32_t value) {
    for (std::size_t i = at + 1; i < sums.size(); i += i & -i)
      sums[i] += value;
  }
  /// Of [0, end).
  std::int64_t before(std::size_t end) const {
    std::int64_t sum = 0;
    for (std::size_t i = end; i > 0; i -= i & -i)
      sum += sums[i];
    return sum;
  }

private:
  std::vector<std::int32_t> sums;
};

} // namespace

std::vector<std::uint32_t> stackDistances(std::span<const std::uint64_t> lines) {
  PartialSums isLastUse(lines.size());
  std::unordered_map<std::uint64_t, std::size_t, LineHash> lastUse;
  std::vector<std::uint32_t> distances;
  distances.reserve(lines.size());
  for (std::size_t now = 0; now < lines.size(); ++now) {
    const auto [known, isNew] = lastUse.try_emplace(lines[now], now);
    distances.push_back(isNew ? kFirstUse : static_cast<std::uint32_t>(isLastUse.before(now) - isLastUse.before(known->second + 1)));
    if (!isNew)
      isLastUse.add(known->second, -1);
    known->second = now;
    isLastUse.add(now, 1);
  }
  return distances;
}

} // namespace kperf::decoder
