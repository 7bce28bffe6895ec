// Compares a kernel's traffic with the device's bandwidth, and its reuse distance with the size of the L2 cache.
#ifndef KPERF_DECODER_ROOFLINE_H
#define KPERF_DECODER_ROOFLINE_H

#include "decoder/explain/Facts.h"

#include <optional>
#include <string>

namespace kperf::decoder {

struct Roofline {
  double bytes = 0;          ///< of the sectors that all timed launches touch, caches' hits included: kperf memory's, times the launches
  double bytesPerNs = 0;     ///< over the launches' duration; GB/s
  double peakBytesPerNs = 0; ///< of the device's memory; 0: not known
  std::string region;        ///< that moves most; "" where sites are in none
  double ofBytes = 0;        ///< percent of `bytes` that it moves
  double ofTime = 0;         ///< percent of the warp-time that it takes
  std::optional<double> perByteOfRegion; ///< operations of floating-point units that it does for each of its bytes
  double footprint = 0;                  ///< bytes of the lines touched in a run; 0: not known
  std::optional<double> reuse;           ///< bytes of other lines between two uses of a line, the median
  double l2Bytes = 0;                    ///< 0: not known

  /// Of the region, over its share of the launches' duration; nothing where it takes none. GB/s.
  std::optional<double> bytesPerNsOfRegion() const;
  /// Percent of the peak; nothing where that is not known. Over 100: caches serve the rest.
  std::optional<double> ofPeak() const;
};

/// Nothing without times of the launches that were counted, or without accesses of global memory.
std::optional<Roofline> rooflineOf(const KernelFacts &kernel, const ProgramFacts &program);

/// "27.94 MiB in sectors, 293 GB/s, 8.7 % of device memory's 3352 GB/s; …". Brief: without region and reuse.
std::string rooflineText(const Roofline &roofline, bool isBrief);

} // namespace kperf::decoder

#endif
