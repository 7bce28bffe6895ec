// How busy a kernel keeps the tensor cores, and the warps that feed them.
#ifndef KPERF_DECODER_TENSOR_CORES_H
#define KPERF_DECODER_TENSOR_CORES_H

#include "decoder/explain/Facts.h"
#include "decoder/explain/TensorFeeders.h"

#include <optional>
#include <string>

namespace kperf::decoder {

/// Of a kernel that has its launches, device and regions already. Its `tensor` stays empty where records were lost, or launches were not
/// timed.
void addTensorFacts(KernelFacts &kernel, const TensorFeeders::Kernel &feeders, const KernelTotals &totals,
                    const LaunchLedger::Group &launches);

/// What is said of them.
struct TensorUse {
  bool isWhole = false;          ///< else the numbers are the least
  bool isEstimated = false;      ///< from some of the blocks, which may have more to do than others
  double operationsPerNs = 0;    ///< GFLOP/s
  std::optional<double> busy;    ///< TensorFacts::busy
  std::optional<double> perByte; ///< operations for each byte of the sectors of global memory; nothing where these were not counted
};

/// Nothing where nothing is known of them. `kernel` has its accesses already.
std::optional<TensorUse> tensorUseOf(const KernelFacts &kernel);

/// "about 599.0 TFLOP/s, busy for about 63.2 % of the time at their peak; 110.0 operations for each byte of its sectors".
std::string tensorText(const TensorUse &use);

} // namespace kperf::decoder

#endif
