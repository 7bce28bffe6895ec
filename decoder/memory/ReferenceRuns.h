// The references to cache lines in traces, restricted to those classes of lines that are complete.
#ifndef KPERF_DECODER_REFERENCE_RUNS_H
#define KPERF_DECODER_REFERENCE_RUNS_H

#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// One instruction of a warp that touched one line.
struct Reference {
  std::uint64_t line; ///< address / kLineBytes
  std::uint32_t order, site;
  std::int32_t iteration;
  std::uint16_t multiprocessor;
  std::uint8_t sectors, lineClass;
  bool isUpdate; ///< a load, as described, and a store behind it
  bool isShown;  ///< of a site that was asked for
};

/// What one process did on one device: all its references to a share of the lines, in their order.
struct ReferenceRun {
  std::uint32_t incomplete = 0; ///< bit c: class c is left out
  std::uint32_t sampled = 1;    ///< one in this many blocks was looked at
  std::vector<Reference> references;

  /// The share of all lines, from 0 to 1.
  double rate() const;
};

class ReferenceRuns final : private TraceVisitor {
public:
  /// `functions`: shell pattern of the functions whose sites are asked for. The references of all others stand between theirs.
  static Expected<ReferenceRuns> read(std::span<const Trace> traces, const std::string &functions);

  /// Those of which a class is complete.
  std::span<const ReferenceRun> runs() const { return list; }
  /// Runs that counted accesses of which there is nothing to tell: those whose lines found no room, and those that kept none.
  std::uint64_t unusable() const { return unusableCount + notKeptCount; }
  std::uint64_t withoutRoom() const { return unusableCount; }
  /// References of the sites that were asked for in all runs together, usable or not, by the counters of the sites.
  double counted() const { return countedReferences; }
  bool isEmpty() const { return list.empty(); }

private:
  Status readTrace(const Trace &trace, const std::string &functions);
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;
  void references(const format::ReferencesHeader &head) override;
  void references(std::span<const format::ReferenceRecord> rows) override;

  std::vector<ReferenceRun> list;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ReferenceRun> open; ///< of one trace, by device and run
  ReferenceRun *current = nullptr;
  std::unordered_map<std::uint32_t, bool> isUpdate; ///< by site that was asked for
  bool hasCounters = false;                         ///< of the trace
  std::uint64_t unusableCount = 0, notKeptCount = 0;
  double countedReferences = 0;
};

} // namespace kperf::decoder

#endif
