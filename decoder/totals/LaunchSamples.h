// A sample of each region from each launch of its kernel, by which traces are compared.
#ifndef KPERF_DECODER_LAUNCH_SAMPLES_H
#define KPERF_DECODER_LAUNCH_SAMPLES_H

#include "decoder/span/Nesting.h"
#include "decoder/span/Spans.h"
#include "decoder/totals/LaunchLedger.h"
#include "decoder/totals/SampledMeans.h"
#include "decoder/trace/Trace.h"

#include <map>
#include <string>
#include <vector>

namespace kperf::decoder {

/// Which time of a region a launch is represented by.
enum class Measure {
  Mean,  ///< of its spans
  Total, ///< per warp of the launch, recursion counted once
  Self,  ///< per warp of the launch, without the regions inside
};

/// One value for each launch, in order; neighbours are averaged when there are very many, so that memory is bounded.
class SampleList {
public:
  static constexpr std::size_t kMax = 256;

  void add(double value);
  std::vector<double> values() const { return list; }
  std::uint64_t launches() const { return count; }

private:
  std::vector<double> list;
  std::size_t perValue = 1, pending = 0;
  double sum = 0;
  std::uint64_t count = 0;
};

struct RegionSamples {
  SampleList cycles;        ///< by the measure
  std::uint64_t visits = 0; ///< entries, all launches together
  SampledMeans::Sum sum;    ///< the same of all launches together
};

struct KernelSamples {
  std::string name, plain;
  SampleList durationNs;                                                 ///< by the device's timer
  std::map<std::uint32_t, RegionSamples> regions;                        ///< by index in the RegionSet
  std::uint64_t launches = 0, warps = 0, warpsLaunched = 0, dropped = 0; ///< warpsLaunched: by grid and block
  SampledMeans means;
  std::uint64_t untimed = 0; ///< entries of unknown time; a launch with some is no sample of their region
  ClockRate rate;
};

/// Decodes one trace into samples.
class LaunchSamples final : public WarpSink {
public:
  LaunchSamples(const Trace &trace, const RegionSet &regions, std::string kernelPattern, Measure measure);

  /// One pass over the trace.
  Status run();
  std::span<const KernelSamples> kernels() const { return kernelList; }
  /// Names of kernels that the pattern left out.
  std::span<const std::string> others() const { return otherNames; }

  void warp(const WarpSpans &warp) override;

private:
  static constexpr std::size_t kMaxOpen = 256, kMaxKernels = 1024, kMaxRows = 16384;
  static constexpr std::uint32_t kUnselected = ~0u;
  struct RegionSum {
    std::uint64_t count = 0, cycles = 0, untimed = 0;
  };
  struct Launch {
    std::uint32_t kernel = 0;
    std::uint64_t startNs = ~std::uint64_t{0}, endNs = 0, warps = 0;
    std::map<std::uint32_t, RegionSum> regions;
  };
  std::uint32_t kernelOf(const format::WarpHeader &header);
  RegionSamples *samplesOf(KernelSamples &kernel, std::uint32_t region);
  void addSpans(Launch &launch, const WarpSpans &warp);
  void close(const Launch &launch);

  const Trace &trace;
  const RegionSet &regions;
  std::string kernelPattern;
  Measure measure;
  Nesting nesting;
  LaunchLedger ledger;
  std::vector<KernelSamples> kernelList;
  std::vector<std::uint32_t> deviceOfKernel; ///< index in the trace's table
  std::vector<RegionSum> inWarp;             ///< by region
  std::vector<std::uint32_t> touched;        ///< regions of the warp
  std::size_t rows = 0;
  std::vector<std::string> otherNames;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> kernelOfKey;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Launch> open; ///< by grid id and device: the oldest first
};

} // namespace kperf::decoder

#endif
