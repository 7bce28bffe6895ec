// How busy a kernel keeps the tensor cores, and the warps that feed them.
#ifndef KPERF_DECODER_TENSOR_CORES_H
#define KPERF_DECODER_TENSOR_CORES_H

#include "decoder/explain/Facts.h"
#include "decoder/explain/TensorFeeders.h"

#include <string>

namespace kperf::decoder {

/// Of a kernel that has its launches, device and regions already. Its `tensor` stays empty where records were lost, or launches were not
/// timed.
void addTensorFacts(KernelFacts &kernel, const TensorFeeders::Kernel &feeders, const KernelTotals &totals,
                    const LaunchLedger::Group &launches);

/// "592 TFLOP/s, busy for 65.1 % of the time at their peak; 110 operations for each byte in sectors".
std::string tensorText(const KernelFacts &kernel);

} // namespace kperf::decoder

#endif
