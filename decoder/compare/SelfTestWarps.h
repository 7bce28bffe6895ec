// Every warp of the self-test's small trace: when it ran, its spans, and what became of its records.
#ifndef KPERF_DECODER_SELF_TEST_WARPS_H
#define KPERF_DECODER_SELF_TEST_WARPS_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/totals/ProbeCost.h"
#include "decoder/trace/Trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

struct SelfTestWarp {
  format::WarpHeader header;
  std::string kernel;       ///< the function's name
  std::uint64_t begin, end; ///< in cycles
  bool isFinished;
  std::vector<Span> spans;

  std::uint64_t ns() const { return header.endNs - header.startNs; }
  /// Nanoseconds of a number of cycles, by the warp's own clock pairs.
  double nsOf(std::uint64_t cycles) const {
    return end > begin ? static_cast<double>(cycles) * static_cast<double>(ns()) / static_cast<double>(end - begin) : 0;
  }
};

class SelfTestWarps final : private WarpSink {
public:
  static Expected<SelfTestWarps> read(const Trace &trace);

  const std::vector<SelfTestWarp> &all() const { return warps; }
  std::vector<const SelfTestWarp *> of(std::string_view kernel) const;
  /// Lengths of a region's entries, by the name that its annotation gives it, in nanoseconds.
  std::vector<double> lengths(std::string_view region) const;

  RecordCounts counts;
  ProbeCost probeCost;
  std::uint64_t backwards = 0; ///< warps whose clocks run back
  std::uint64_t launches = 0;  ///< that the host saw
  std::uint64_t lost = 0;      ///< warps, launches, bytes and sites

private:
  void warp(const WarpSpans &warp) override;
  void calibration(const WarpSpans &warp) override { samples.add(warp, regions); }
  void damagedWarp(const format::WarpHeader &, std::uint32_t) override { ++backwards; }

  RegionSet regions;
  ProbeCostSamples samples;
  std::vector<SelfTestWarp> warps;
};

} // namespace kperf::decoder

#endif
