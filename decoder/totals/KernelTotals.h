// Sums over the warps of each kernel, by region or by call path; what the report is made of.
#ifndef KPERF_DECODER_KERNEL_TOTALS_H
#define KPERF_DECODER_KERNEL_TOTALS_H

#include "decoder/span/KernelName.h"
#include "decoder/span/Nesting.h"
#include "decoder/span/PathTree.h"
#include "decoder/span/Spans.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/KernelSampling.h"
#include "decoder/totals/LaunchLedger.h"
#include "decoder/totals/LaunchWeights.h"
#include "decoder/totals/MarkProbes.h"
#include "decoder/totals/ProbeCost.h"
#include "decoder/totals/RowTotals.h"
#include "decoder/totals/SampledTotals.h"
#include "decoder/totals/UnseenLaunches.h"
#include "decoder/trace/Trace.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// Of a kernel's spans and marks.
struct KernelProbeCounts {
  ProbeCounts all;      ///< of spans
  ProbeCounts marks;    ///< and signals
  ProbeCounts topLevel; ///< of both, those that no span is around
  /// On a GPU: spans that lanes without lane 0 recorded in a kernel's own body. Each, of those in loops one in eight, waits for an atomic,
  /// as no calibrated one does.
  std::uint64_t withoutFirstLane = 0;
  std::uint64_t pairs = 0; ///< spans of a Begin and an End each, which no calibration holds either
};

struct KernelTotals {
  static constexpr std::uint64_t kNotKnown = ~std::uint64_t{0};
  static constexpr std::uint32_t kOverlap = 0x80000000; ///< set in a path's region: spans that cross others

  std::uint32_t device = 0;                ///< index in TotalsSink::devices()
  std::string name;                        ///< the instantiation's, else the kernel's
  std::uint32_t region = RegionSet::kNone; ///< the kernel's own row in the region table
  PathTree paths{0};
  std::vector<RowTotals> rows;             ///< by path node
  std::vector<std::uint32_t> nodeOfRegion; ///< where rows are by region; the root's: not asked for yet
  std::uint64_t warps = 0, unfinishedWarps = 0, damagedWarps = 0;
  std::uint64_t foreignWarps = 0; ///< of kernels without probes, seen from their first region to their last
  std::uint64_t cycles = 0, unattributed = 0, notRecorded = 0;
  std::uint32_t maxCapacity = 0; ///< records that one warp had room for
  std::uint64_t maxProduced = 0; ///< records that one warp made; kNotKnown where there are reduced traces, too
  bool keepsLast = false;
  std::map<std::uint32_t, std::uint64_t> stuck; ///< by region, a wait: warps that were last seen in it
  RecordCounts records;
  KernelProbeCounts probes;
  KernelSampling sampling;

  /// What KPERF_RECORDS has to be for each warp to have room for all that it made. Nothing where nobody knows, KPERF_RECORDS takes no such
  /// number, or warps had that room, and the buffer had not.
  std::optional<std::uint64_t> recordsNeeded() const;
  /// Cycles that all probes added; those of dropped records as if they had been like those of the others.
  double probeCycles(const ProbeCost &cost) const;
};

/// A device of the traces, as far as the report needs it.
struct TracedDevice {
  std::uint32_t ordinal;
  std::string name;
  std::uint32_t timerTickNs, clockKhz;
  bool isListed;
  ProbeCostSamples probes;
};

/// Percent of the records that the kernel's warps produced, those that were to be recorded and found no room included; nothing without
/// records.
std::optional<double> recordsKept(const KernelTotals &kernel, const LaunchLedger::Group &launches);

class TotalsSink final : public WarpSink {
public:
  /// Kernels and rows that are kept apart; what comes later is summed up as "(other …)".
  static constexpr std::size_t kMaxKernels = 4096;
  static constexpr std::uint32_t kMaxRows = 16384, kMaxSms = 1024;

  TotalsSink(const RegionSet &regions, std::string kernelPattern, bool byPath)
      : regions(regions), kernelPattern(std::move(kernelPattern)), byPath(byPath) {}

  /// Names what warps of `trace` refer to; call it before they come.
  void beginTrace(const Trace &trace);
  void endTrace() { ledger.finish(); }
  /// Adds the launches of which nothing was kept, as far as it is known whose they are (UnseenLaunches.h). Once, in front of
  /// estimateAllBlocks().
  void addUnseenLaunches(const HostLaunches &launches);
  /// Turns the sums over recorded blocks into estimates for all of them, where only one in N was recorded; once, at the end.
  void estimateAllBlocks();
  /// Counts what a launch of the current trace recorded as often as there are launches that it stands for. Null: once.
  void weighBy(const LaunchWeights *launches) { weights = launches; }
  /// Counts probes although no trace may say what they cost: others may, to which the sums are added.
  void alwaysCountProbes() { countsProbes = true; }

  void warp(const WarpSpans &warp) override;
  void calibration(const WarpSpans &warp) override;
  void damagedWarp(const format::WarpHeader &header, std::uint32_t device) override;

  /// The sums of a kernel of the current trace, to which those of a reduced trace are added; null when the pattern
  /// leaves it out. `kernel` and `name` as in a WarpHeader. The ledger gets what is known of its launches.
  KernelTotals *summed(std::uint32_t ordinal, std::uint32_t kernel, std::uint64_t name, const LaunchLedger::Group &launches);
  /// The sums of one of its nodes.
  RowTotals &summedRow(KernelTotals &kernel, std::uint32_t node);
  /// One that came from summed(), by its index in kernels().
  KernelTotals &summedKernel(std::size_t index) { return kernelList[index]; }
  LaunchLedger &summedLaunches() { return ledger; }
  bool isByPath() const { return byPath; }

  std::span<const KernelTotals> kernels() const { return kernelList; }
  const LaunchLedger &launches() const { return ledger; }
  std::span<const TracedDevice> devices() const { return deviceList; }
  /// By which the cycles of a kernel become ns.
  ClockRate rateOf(std::uint32_t kernel, format::Target target) const;
  const std::string &pattern() const { return kernelPattern; }
  /// Names of kernels that the pattern left out.
  std::span<const std::string> others() const { return otherNames; }
  /// Kernels that the pattern is meant for, and that were launched without a warp that was kept; of all traces that were added.
  const UnseenSum &unseen() const { return unseenSum; }

private:
  static constexpr std::uint32_t kUnselected = ~0u;

  std::uint32_t deviceOf(std::uint32_t ordinal);
  std::uint32_t kernelOf(std::uint32_t device, const format::WarpHeader &header);
  std::uint32_t newKernel(std::uint32_t device, const format::WarpHeader &header);
  std::string qualifiedName(std::uint32_t region) const {
    return region == RegionSet::kNone ? std::string() : qualifiedNameOf(regions[region].name);
  }
  void addRows(KernelTotals &kernel);
  WarpSums &inWarp(KernelTotals &kernel, std::uint32_t node);
  std::uint32_t nodeOf(KernelTotals &kernel, std::uint32_t region, std::int32_t parent);
  void addSpans(KernelTotals &kernel, const WarpSpans &warp);
  void countProbes(const WarpSpans &warp);
  void countUncalibrated(KernelTotals &kernel, const WarpSpans &warp, const Span &span) const;
  void addMarkProbes(KernelTotals &kernel);
  void addMarks(KernelTotals &kernel, const WarpSpans &warp);
  void addSums(KernelTotals &kernel, const WarpSpans &warp);

  const RegionSet &regions;
  std::string kernelPattern;
  bool byPath, countsProbes = false;
  const Trace *trace = nullptr;
  const LaunchWeights *weights = nullptr;
  LaunchLedger ledger;
  Nesting nesting;
  std::vector<TracedDevice> deviceList;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> deviceOfOrdinal; ///< of the current trace
  std::vector<KernelTotals> kernelList;
  std::vector<std::string> otherNames;
  std::map<std::pair<std::uint32_t, std::string>, SeenKernel> leftOut; ///< by the pattern; by device and name
  UnseenSum unseenSum;

  std::map<KernelKey, std::uint32_t> kernelOfKey; ///< of the current trace
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> kernelOfName;
  std::optional<KernelKey> lastKey;
  std::uint32_t lastKernel = 0;
  std::uint32_t rowCount = 0;
  std::vector<std::uint32_t> nodes;         ///< of the warp's spans
  std::vector<PackedProbes> probesBefore;   ///< the warp's spans, and its end
  std::vector<std::uint32_t> secondsBefore; ///< the same
  MarkProbes markProbes;                    ///< of the warp
  std::vector<WarpSums> warpSums;           ///< of the warp, by node
  std::vector<std::uint32_t> touched;       ///< nodes that have some
};

/// Adds the regions and all warps of `traces` to `regions` and `totals`, which refers to them. An error when no kernel
/// is selected although there are some. With `weights` launches that were chosen by chance stand for the others.
Status decodeTotals(std::span<const Trace> traces, RegionSet &regions, TotalsSink &totals, LaunchWeights *weights = nullptr);

} // namespace kperf::decoder

#endif
