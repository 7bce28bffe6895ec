// What of a kernel stands for more than was recorded.
#ifndef KPERF_DECODER_KERNEL_SAMPLING_H
#define KPERF_DECODER_KERNEL_SAMPLING_H

#include "decoder/totals/LaunchIntervals.h"
#include "decoder/totals/ProbedEntries.h"
#include "decoder/totals/SampledBlocks.h"
#include "decoder/totals/SampledSums.h"

#include <vector>

namespace kperf::decoder {

struct KernelSampling {
  std::vector<SampleStratum> strata;
  std::vector<SampledLife> lives; ///< by stratum
  LifeErrors errors;
  LaunchIntervals launchIntervals; ///< of launches that stand for others
  std::uint32_t interval = 1;      ///< greatest number of blocks that a recorded one stands for, also in reduced traces
  /// Blocks were sampled, and for some that were chosen there was no room: those that were recorded are no sample of all.
  bool isCut = false;
  ProbedEntries probedWarps;
  bool areOthersPlain = true; ///< all warps say so (format::kWarpOthersPlain)
};

} // namespace kperf::decoder

#endif
