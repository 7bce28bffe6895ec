// Sums up the losses of a trace.
#include "decoder/view/LossNotes.h"

#include "decoder/trace/VendorTerms.h"
#include "decoder/view/ReportNotes.h"

#include <fmt/format.h>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace kperf::decoder {
namespace {

struct LossSum final : TraceVisitor {
  explicit LossSum(const Trace &trace) : trace(trace) {}
  void losses(std::span<const format::LossRecord> rows) override {
    for (const format::LossRecord &row : rows) {
      const std::string_view text = trace.string(row.reason);
      auto &[count, reason] = sums[{row.kind, row.kind == format::LossKind::LaunchesUnrecorded ? text : ""}];
      count += row.count;
      reason = text;
    }
  }

  const Trace &trace;
  /// By kind, and of launches by the reason: some are the user's wish.
  std::map<std::pair<format::LossKind, std::string_view>, std::pair<std::uint64_t, std::string_view>> sums;
};

std::string lossText(format::LossKind kind, std::uint64_t count, const VendorTerms &terms) {
  switch (kind) {
  case format::LossKind::WarpsWithoutBuffer:
    return counted(count, terms.warp) + " found the device buffer full: raise KPERF_BUFFER_MB or lower KPERF_RECORDS";
  case format::LossKind::LaunchesUnrecorded:
    return counted(count, "launch") + " ran while recording was off";
  case format::LossKind::Unreadable:
    return counted(count, "byte") + " of the device buffer could not be read back";
  case format::LossKind::LaunchesUnlisted:
    return counted(count, "launch") + " without a line in the launch list, which was full";
  case format::LossKind::RangesUnlisted:
    return counted(count, "NVTX event") + " without a line in the list of host ranges, which was full";
  case format::LossKind::SwitchedOff:
    return (count == 1 ? "1 kernel or region" : fmt::format("{} kernels or regions", count)) + " switched off by the user and not recorded";
  case format::LossKind::SitesUnreadable:
    return "the counters of " + counted(count, "memory access") + " could not be read back";
  case format::LossKind::ReferencesUnreadable:
    return counted(count, "use") + " of cache lines could not be read back";
  case format::LossKind::OtherLanes:
    return counted(count, "time") + " a lane came to a region of a function without the lane that records there: no record";
  }
  return counted(count, "thing") + " lost in a way that only a newer kperf knows";
}

template <typename Wanted> Expected<std::vector<std::string>> notesOf(const Trace &trace, Wanted isWanted) {
  std::vector<std::string> notes;
  LossSum losses(trace);
  for (const Section &section : trace.sections())
    if (section.kind == format::SectionKind::Losses)
      if (Status status = trace.visitSection(section, losses); !status)
        return failure(status.error());
  for (const auto &[key, sum] : losses.sums)
    if (isWanted(key.first))
      notes.push_back(lossText(key.first, sum.first, termsOf(trace)) + (sum.second.empty() ? "" : fmt::format(" ({})", sum.second)));
  return notes;
}

} // namespace

Expected<std::vector<std::string>> traceLosses(const Trace &trace) {
  return notesOf(trace, [](format::LossKind) { return true; });
}

Expected<std::vector<std::string>> memoryLosses(const Trace &trace) {
  using enum format::LossKind;
  return notesOf(
      trace, [](format::LossKind kind) { return kind == LaunchesUnrecorded || kind == SitesUnreadable || kind == ReferencesUnreadable; });
}

} // namespace kperf::decoder
