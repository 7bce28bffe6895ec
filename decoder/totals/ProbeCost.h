// Computes what a probe adds to the time it measures, from the runtime's kernel of empty regions (format.h).
#ifndef KPERF_DECODER_PROBE_COST_H
#define KPERF_DECODER_PROBE_COST_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"

#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// Numbers of probes by kind, each for its own sum of times.
struct ProbeCounts {
  std::uint64_t own = 0, shared = 0;

  ProbeCounts &operator+=(const ProbeCounts &other) {
    own += other.own;
    shared += other.shared;
    return *this;
  }
  std::uint64_t sum() const { return own + shared; }
  /// Sum of a cost over the probes.
  double times(const double (&cost)[2]) const { return static_cast<double>(own) * cost[0] + static_cast<double>(shared) * cost[1]; }
};

/// The same of one warp in one word, own below and shared above: sums and differences of such words are those of both.
using PackedProbes = std::uint64_t;
inline PackedProbes packedProbe(bool isMeasured, bool isShared) { return static_cast<PackedProbes>(isMeasured) << (isShared ? 32 : 0); }
inline ProbeCounts unpacked(PackedProbes probes) { return {probes & 0xffffffff, probes >> 32}; }

/// Cycles that the probe of one region adds: to that region itself, and to whatever is around it. Index 0: records of
/// the warp's own part, 1: of its shared, reserved part (format.h's WarpFlags).
struct ProbeCost {
  double inside[2] = {}, around[2] = {};
  double spread[2] = {}; ///< of `inside`: half of what holds the middle two thirds
  bool isKnown = false;

  /// What `probes` add around themselves beyond what they add to themselves. A mark or a signal, which reads one clock and not two, adds
  /// that.
  double beside(const ProbeCounts &probes) const;
};

/// Collects the calibration warps of one device.
class ProbeCostSamples {
public:
  void add(const WarpSpans &warp, const RegionSet &regions);
  /// Medians; unknown without a calibration.
  ProbeCost cost() const;

private:
  static constexpr std::size_t kMax = 4096;
  std::vector<double> empty[2], enclosing[2]; ///< lengths, of the first kMax each
  std::uint64_t empties[2] = {}, enclosings[2] = {};
};

} // namespace kperf::decoder

#endif
