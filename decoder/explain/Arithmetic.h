// What a kernel asks of the tensor cores, with the warps that feed them, and of the other floating-point units.
#ifndef KPERF_DECODER_ARITHMETIC_H
#define KPERF_DECODER_ARITHMETIC_H

#include "decoder/explain/Facts.h"
#include "decoder/explain/TensorFeeders.h"

#include <span>

namespace kperf::decoder {

/// Of a kernel that has its launches, device and regions already. Its `tensor` stays empty where records were lost, or launches were not
/// timed.
void addTensorFacts(KernelFacts &kernel, const TensorFeeders::Kernel &feeders, const KernelTotals &totals,
                    const LaunchLedger::Group &launches);

/// Of the other floating-point units, likewise. `floats` stays empty where nothing is known of any region, too. `rows`: of the program that
/// wrote the traces.
void addFloatFacts(KernelFacts &kernel, std::span<const PlacedInstructions> rows, const RegionSet &regions, const KernelTotals &totals,
                   const LaunchLedger::Group &launches);

} // namespace kperf::decoder

#endif
