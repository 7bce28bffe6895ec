// The summed counters of each memory access site of a trace.
#ifndef KPERF_DECODER_MEMORY_TOTALS_H
#define KPERF_DECODER_MEMORY_TOTALS_H

#include "decoder/memory/SampledAccesses.h"
#include "decoder/trace/Trace.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// Counters of one site or of several together. An update counts as the load and the store that it is; where one block
/// in N was counted, each counts for N.
class AccessSum {
public:
  std::uint64_t operator[](format::SiteCounter counter) const { return counts[counter]; }
  void add(const format::SiteCounterRecord &row, std::uint64_t weight);
  void add(const AccessSum &other);

  bool isEmpty() const { return globals() + shareds() + counts[format::kOtherAccesses] == 0; }
  std::uint64_t globals() const { return counts[format::kAccesses]; }
  std::uint64_t shareds() const { return counts[format::kSharedAccesses]; }
  /// Bytes between the caches and the SM: whole sectors.
  std::uint64_t trafficBytes() const { return 32 * counts[format::kSectors]; }
  /// Least over actual sectors, in percent.
  double efficiency() const { return percent(counts[format::kMinSectors], counts[format::kSectors]); }
  /// Actual over least wavefronts: the ways of the bank conflicts, 1 without any.
  double ways() const { return ratio(counts[format::kWavefronts], counts[format::kMinWavefronts]); }
  /// Mean distance between neighbouring lanes of the accesses that have a constant one, in bytes.
  double stride() const { return ratio(counts[format::kStrideBytes], counts[format::kStrided]); }
  double sharedStride() const { return ratio(counts[format::kSharedStrideBytes], counts[format::kSharedStrided]); }
  /// "unit", "128 B apart", "irregular", … when nine accesses in ten are; else "mixed".
  std::string shape() const;

  double perAccess(format::SiteCounter counter) const { return ratio(counts[counter], counts[format::kAccesses]); }
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
  static double percent(std::uint64_t part, std::uint64_t whole) { return 100 * ratio(part, whole); }

private:
  std::array<std::uint64_t, format::kSiteCounters> counts{};
};

/// A site and the trace that lists it, whose strings it refers to.
struct TracedSite {
  const format::SiteRecord *record;
  const Trace *trace;
  std::string function = {}; ///< that holds it, told apart from others of its name (Namesakes.h)

  std::string text(std::uint32_t offset) const { return std::string(trace->string(offset)); }
  /// "file:line", or "file:line:column".
  std::string place(bool withColumn) const;
};

struct SiteTotals {
  TracedSite site;
  AccessSum sum;
  SampledCounters sampled;               ///< how far those of `sum` may be off
  format::MachineAccessRecord machine{}; ///< what `sum` counts
  std::vector<TracedSite> merged = {};   ///< whose accesses this one's instructions make too
};

class MemoryTotals final : public TraceVisitor {
public:
  /// Of traces of one build, which live longer than the result; only sites in functions whose name matches the shell pattern.
  static Expected<MemoryTotals> read(std::span<const Trace> traces, const std::string &functions);

  const std::vector<SiteTotals> &sites() const { return siteList; } ///< that were reached, by file, line and column
  const std::vector<TracedSite> &unseen() const { return unseenList; }
  const AccessSum &all() const { return total; }
  /// Sites that no warp reached, and counters whose site the trace does not list.
  std::uint64_t unreached() const { return unreachedCount; }
  std::uint64_t unknown() const { return unknownCount; }
  /// Whether it is known of any site which instructions make its accesses.
  bool hasMachineCode() const { return machineRows > 0; }
  /// Sites that no instruction was made for.
  std::uint64_t removed() const { return removedCount; }
  /// N where one in N was counted, of blocks, of executions, or of both together; 1 when all were.
  std::uint32_t sampled() const { return maxSampled; }
  /// Of executions in the blocks that were counted, the greatest N, and the least that is not 1.
  std::uint32_t executionsSampled() const { return maxExecutionsSampled; }
  std::uint32_t leastExecutionsSampled() const { return std::min(minExecutionsSampled, maxExecutionsSampled); }

  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;

private:
  void nameFunctions();
  void addMachineAccesses(const Trace &trace);
  void dropUncounted(const std::string &functions);

  std::vector<SiteTotals> siteList;
  std::vector<TracedSite> unseenList;
  std::unordered_map<std::uint32_t, std::size_t> indices; ///< by id; only while reading
  AccessSum total;
  std::uint64_t unreachedCount = 0, unknownCount = 0, removedCount = 0, machineRows = 0;
  std::uint32_t maxSampled = 1, maxExecutionsSampled = 1;
  std::uint32_t minExecutionsSampled = ~0u;
};

} // namespace kperf::decoder

#endif
