// One clock's times by another clock: comparisons of the two, and a line from each to the next.
#ifndef KPERF_DECODER_CLOCK_LINE_H
#define KPERF_DECODER_CLOCK_LINE_H

#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// Both in ns. Between two comparisons the clocks are taken to run evenly; before the first and behind the last one their distance is that
/// one's.
class ClockLine {
public:
  /// When the one stood at `ownNs`, the other was between these two.
  void add(std::uint64_t ownNs, std::uint64_t otherFromNs, std::uint64_t otherToNs);
  /// Behind all of them.
  void finish();

  bool isEmpty() const { return readings.empty(); }
  /// Whether its comparisons are around both times of the one clock.
  bool spans(std::uint64_t fromNs, std::uint64_t toNs) const;
  /// What is to be added to a time of the one for that of the other.
  std::int64_t offsetAt(std::uint64_t ownNs) const;
  /// Half the width of the widest comparison, and more where one in the middle is not where its neighbours say.
  double errorNs() const { return maxErrorNs; }
  /// The longest time between two of them; 0 where there is one.
  std::uint64_t gapNs() const { return maxGapNs; }

private:
  struct Reading {
    std::uint64_t ownNs, otherNs;
    double errorNs;
    std::int64_t offset() const { return static_cast<std::int64_t>(otherNs - ownNs); }
  };
  static std::int64_t between(const Reading &before, const Reading &next, std::uint64_t ownNs);

  std::vector<Reading> readings; ///< behind finish() in the order of time
  double maxErrorNs = 0;
  std::uint64_t maxGapNs = 0;
};

} // namespace kperf::decoder

#endif
