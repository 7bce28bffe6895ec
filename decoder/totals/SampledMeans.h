// Means over all launches of a kernel in one trace, and how far off they may be where not all blocks were recorded.
#ifndef KPERF_DECODER_SAMPLED_MEANS_H
#define KPERF_DECODER_SAMPLED_MEANS_H

#include "decoder/totals/LaunchLedger.h"
#include "decoder/totals/SampledSums.h"

#include <cstdint>
#include <vector>

namespace kperf::decoder {

class SampledMeans {
public:
  /// Of a region: what is summed up, and over how many.
  struct Sum {
    double whole = 0, wholeCount = 0; ///< in launches of which all blocks were to be recorded
    std::vector<SampledRow> sampled;  ///< in others; by stratum
  };

  /// The next warp of the kernel, to which the sums that follow belong.
  void addWarp(const format::WarpHeader &warp, std::uint64_t warpsOfBlock);
  void addTo(Sum &sum, std::uint64_t count, std::uint64_t cycles) const;
  /// Once, when all launches are closed.
  void finish(const LaunchLedger::Group &launches);

  /// Whether some blocks that were launched are missing.
  bool arePartial() const { return !strata.empty() || isCut; }
  /// Of an entry, or of a warp of the kernel. Its error is 0 where all blocks were recorded.
  Estimate meanOf(const Sum &sum, bool isPerWarp) const;

private:
  static constexpr std::size_t kWhole = ~std::size_t{0};

  std::vector<SampleStratum> strata;
  std::vector<BySampleGroup> warps; ///< by stratum
  double wholeWarps = 0;
  std::size_t stratum = kWhole, group = 0; ///< of the last warp
  bool isCut = false;                      ///< what was to be recorded is not all there
};

} // namespace kperf::decoder

#endif
