// Computes what a probe adds to the time it measures.
#include "decoder/totals/ProbeCost.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

double quantile(std::vector<double> values, double q) {
  if (values.empty())
    return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

} // namespace

double ProbeCost::beside(const ProbeCounts &probes) const { return probes.times(around) - probes.times(inside); }

void ProbeCostSamples::add(const WarpSpans &warp, const RegionSet &regions) {
  for (const Span &span : warp.spans) {
    const auto cycles = static_cast<double>(span.cycles());
    const auto take = [&](std::vector<double> &samples, std::uint64_t &count) {
      if (count++ < kMax)
        samples.push_back(cycles);
    };
    switch (regions[span.region].id) {
    case format::kCalibrationOwnEmpty:
      take(empty[0], empties[0]);
      break;
    case format::kCalibrationSharedEmpty:
      take(empty[1], empties[1]);
      break;
    case format::kCalibrationOwnEnclosing:
      take(enclosing[0], enclosings[0]);
      break;
    case format::kCalibrationSharedEnclosing:
      take(enclosing[1], enclosings[1]);
      break;
    default:
      break;
    }
  }
}

ProbeCost ProbeCostSamples::cost() const {
  ProbeCost out;
  for (int kind = 0; kind < 2; ++kind) {
    out.inside[kind] = quantile(empty[kind], 0.5);
    // The enclosing region has its own probe inside, too. A region cannot add less around itself than inside.
    const bool isCalibrated = empties[kind] != 0 && enclosings[kind] != 0;
    const double inEach = isCalibrated ? static_cast<double>(empties[kind]) / static_cast<double>(enclosings[kind]) : 1;
    out.around[kind] = std::max((quantile(enclosing[kind], 0.5) - out.inside[kind]) / inEach, out.inside[kind]);
    out.spread[kind] = (quantile(empty[kind], 5.0 / 6) - quantile(empty[kind], 1.0 / 6)) / 2;
    out.isKnown |= isCalibrated;
  }
  return out;
}

} // namespace kperf::decoder
