// Computes the share of a kernel's time that its probes took, where the calibration knows it.
#ifndef KPERF_DECODER_PROBE_SHARE_H
#define KPERF_DECODER_PROBE_SHARE_H

#include "decoder/totals/KernelTotals.h"

#include <optional>

namespace kperf::decoder {

/// Whether atomics that no calibration holds took a twentieth of the kernel's time or more, at 500 cycles each (an H100: test/explain).
bool hasCostlyAtomics(const KernelTotals &kernel);

/// Percent of the warps' time that the probes added, at most 100. Nothing without a calibration, of sums, beside costly atomics, and where
/// more regions are a Begin and an End each than are not: these were not calibrated.
std::optional<double> probePercent(const KernelTotals &kernel, const ProbeCost &cost);

} // namespace kperf::decoder

#endif
