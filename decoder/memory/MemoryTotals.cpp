// Adds up the counters of a trace by site.
#include "decoder/memory/MemoryTotals.h"
#include "decoder/span/KernelName.h"
#include "decoder/trace/CompiledFunction.h"
#include "decoder/trace/Namesakes.h"
#include "decoder/trace/SiteUnion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace kperf::decoder {

void AccessSum::add(const format::SiteCounterRecord &row, std::uint64_t weight) {
  for (unsigned i = 0; i < format::kSiteCounters; ++i)
    counts[i] += weight * row.counts[i];
}

void AccessSum::add(const AccessSum &other) {
  for (unsigned i = 0; i < format::kSiteCounters; ++i)
    counts[i] += other.counts[i];
}

std::string AccessSum::shape() const {
  const auto prevails = [&](format::SiteCounter counter) { return 10 * counts[counter] >= 9 * globals(); };
  if (globals() == 0)
    return "";
  if (prevails(format::kUnit))
    return 10 * counts[format::kMisaligned] >= 9 * globals() ? "unit, misaligned" : "unit";
  if (prevails(format::kBroadcast))
    return "broadcast";
  if (prevails(format::kStrided))
    return fmt::format("{:.0f} B apart", stride());
  return prevails(format::kIrregular) ? "irregular" : "mixed";
}

void MemoryTotals::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  for (const format::SiteCounterRecord &row : rows) {
    const auto found = indices.find(row.site);
    if (found == indices.end()) {
      ++unknownCount;
      continue;
    }
    SiteTotals &totals = siteList[found->second];
    const std::uint32_t sampled = std::max(1u, row.sampled);
    const std::uint64_t accesses = totals.site.record->kind == format::SiteKind::Update ? 2 : 1;
    totals.sum.add(row, sampled * accesses);
    totals.sampled.add(row, accesses);
    maxSampled = std::max(maxSampled, sampled);
    const std::uint32_t executions = 1u << (row.groups >> format::kExecutionsShift);
    maxExecutionsSampled = std::max(maxExecutionsSampled, executions);
    if (executions > 1)
      minExecutionsSampled = std::min(minExecutionsSampled, executions);
  }
}

std::string TracedSite::place(bool withColumn) const {
  const std::string line = fmt::format("{}:{}", trace->string(record->file), record->line);
  return withColumn ? fmt::format("{}:{}", line, record->column) : line;
}

/// Functions of one name are others in another file, or compiled with other macros.
void MemoryTotals::nameFunctions() {
  std::vector<TracedSite *> all;
  for (SiteTotals &each : siteList)
    all.push_back(&each.site);
  for (TracedSite &each : unseenList)
    all.push_back(&each);
  using Kind = std::pair<std::string, std::string>; ///< file, and function with macros
  std::map<std::string, std::map<Kind, std::string>> labels;
  const auto kindOf = [](const TracedSite &site) { return Kind(site.text(site.record->file), site.text(site.record->function)); };
  const auto nameOf = [](const TracedSite &site) { return std::string(CompiledFunction(site.trace->string(site.record->function)).name); };
  for (const TracedSite *site : all)
    labels[nameOf(*site)].emplace(kindOf(*site), "");
  for (auto &[name, kinds] : labels) {
    std::vector<Namesake> namesakes;
    for (const auto &[kind, label] : kinds)
      namesakes.push_back({kind.first, 0, kind.second});
    const std::vector<std::string> found = labelsOf(namesakes);
    std::size_t i = 0;
    for (auto &[kind, label] : kinds)
      label = found[i++];
  }
  for (TracedSite *site : all)
    site->function = nameOf(*site) + labels[nameOf(*site)][kindOf(*site)];
}

void MemoryTotals::addMachineAccesses(const Trace &trace) {
  for (const format::MachineAccessRecord &row : trace.machineAccesses()) {
    const auto site = indices.find(row.site);
    if (site == indices.end() || siteList[site->second].machine.state != format::MachineState::Unknown)
      continue;
    ++machineRows;
    SiteTotals &totals = siteList[site->second];
    totals.machine = row;
    const auto leader = indices.find(row.leader);
    if (row.state == format::MachineState::Merged && leader != indices.end())
      siteList[leader->second].merged.push_back(totals.site);
  }
}

/// Leaves the sites that were reached, of the functions that were asked for.
void MemoryTotals::dropUncounted(const std::string &functions) {
  std::erase_if(siteList,
                [&](const SiteTotals &each) { return !isFunctionMeant(functions, each.site.trace->string(each.site.record->function)); });
  const auto isRemoved = [](const SiteTotals &each) { return each.sum.isEmpty() && each.machine.state == format::MachineState::Removed; };
  removedCount = std::erase_if(siteList, isRemoved);
  std::erase_if(siteList, [](const SiteTotals &each) { return each.sum.isEmpty() && each.machine.state == format::MachineState::Merged; });
  unreachedCount = std::erase_if(siteList, [](const SiteTotals &each) { return each.sum.isEmpty(); });
}

Expected<MemoryTotals> MemoryTotals::read(std::span<const Trace> traces, const std::string &functions) {
  MemoryTotals out;
  SiteUnion known;
  for (const Trace &trace : traces)
    for (const format::SiteRecord &site : trace.sites()) {
      if (!known.add(trace, site))
        continue;
      if (site.kind != format::SiteKind::Unseen && out.indices.try_emplace(site.id, out.siteList.size()).second)
        out.siteList.push_back({{&site, &trace}, {}, {}, {}, {}});
      else if (site.kind == format::SiteKind::Unseen && isFunctionMeant(functions, trace.string(site.function)))
        out.unseenList.push_back({&site, &trace});
    }
  for (const Trace &trace : traces)
    out.addMachineAccesses(trace);
  for (const Trace &trace : traces)
    for (const Section &section : trace.sections())
      if (section.kind == format::SectionKind::SiteCounters)
        if (Status status = trace.visitSection(section, out); !status)
          return failure(status.error());
  out.indices.clear();
  out.nameFunctions();
  out.dropUncounted(functions);
  for (const SiteTotals &each : out.siteList)
    out.total.add(each.sum);
  const auto place = [&](const TracedSite &site) {
    return std::tuple(site.trace->string(site.record->file), site.record->line, site.record->column, site.record->width);
  };
  std::ranges::stable_sort(out.siteList, {}, [&](const SiteTotals &each) { return place(each.site); });
  std::ranges::stable_sort(out.unseenList, {}, place);
  return out;
}

} // namespace kperf::decoder
