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

/// Of the warps of launches that were recorded, the share that ran with probes: less than 1 where blocks that were not recorded had none.
double probedShare(const KernelTotals &kernel, const LaunchLedger::Group &launches);

/// Percent of what all blocks took that probes added: `percent` of the time of that share of them, and nothing to the others.
double percentOfAll(double percent, double share);

} // namespace kperf::decoder

#endif
