// How much a kernel multiplies and adds, on tensor cores or beside them, and how that compares with the bytes that it moves.
#ifndef KPERF_DECODER_UNIT_USE_H
#define KPERF_DECODER_UNIT_USE_H

#include "decoder/explain/Facts.h"

#include <optional>
#include <string>

namespace kperf::decoder {

/// What is said of one kind of units.
struct UnitUse {
  bool isWhole = false;          ///< else the numbers are the least
  bool isEstimated = false;      ///< from some of the blocks, which may have more to do than others
  double operationsPerNs = 0;    ///< GFLOP/s
  std::optional<double> busy;    ///< percent of the launches' duration in which those of all multiprocessors are busy at their peak rate
  std::optional<double> perByte; ///< operations for each byte of the sectors of global memory; nothing where these were not counted
  std::optional<double>
      balanced; ///< as many a byte keep the units and the device's memory busy at their peaks; nothing where these are not known
};

/// Nothing where nothing is known of them. `kernel` has its accesses already.
std::optional<UnitUse> tensorUseOf(const KernelFacts &kernel);
std::optional<UnitUse> floatUseOf(const KernelFacts &kernel);

/// "about 599.0 TFLOP/s, busy for about 63.2 % of the time at their peak; 110.0 operations for each byte of its sectors (295.1 where both
/// peaks meet)".
std::string useText(const UnitUse &use);

} // namespace kperf::decoder

#endif
