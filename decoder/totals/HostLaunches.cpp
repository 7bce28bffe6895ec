// Sums up the list of launches.
#include "decoder/totals/HostLaunches.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)", kAnonymousOfGcc = "{anonymous}";

} // namespace

std::string qualifiedNameOf(std::string_view demangled) {
  std::string name;
  for (std::size_t at = 0, depth = 0; at < demangled.size(); ++at) {
    const char letter = demangled[at];
    const bool isOfGcc = demangled.substr(at).starts_with(kAnonymousOfGcc);
    if (isOfGcc || demangled.substr(at).starts_with(kAnonymous)) {
      at += (isOfGcc ? kAnonymousOfGcc : kAnonymous).size() - 1;
      name += depth == 0 ? kAnonymous : std::string_view();
    } else if (letter == '<') {
      ++depth;
    } else if (letter == '>') {
      depth -= depth > 0;
    } else if (depth == 0 && letter == '(') {
      break;
    } else if (depth == 0) {
      // What came before a blank was the type, but for the blank in the anonymous namespace.
      letter == ' ' ? name.clear() : name.push_back(letter);
    }
  }
  return name;
}

std::set<std::string> recordedKernels(const Trace &trace) {
  std::set<std::string> names;
  for (const format::RegionRecord &region : trace.regions())
    if (region.kind == format::RegionKind::Kernel && region.id >= format::kFirstFreeId)
      names.insert(qualifiedNameOf(trace.string(region.name)));
  return names;
}

Status HostLaunches::add(const Trace &next) {
  trace = &next;
  recorded = recordedKernels(next);
  everRecorded.insert(recorded.begin(), recorded.end());
  summaries.clear();
  using enum format::SectionKind;
  for (const Section &section : next.sections())
    if (section.kind == Launches || section.kind == Losses || section.kind == Summaries || section.kind == SampledLaunches)
      if (Status status = next.visitSection(section, *this); !status)
        return status;
  return {};
}

void HostLaunches::launches(std::span<const format::LaunchRecord> rows) {
  for (const format::LaunchRecord &row : rows) {
    const std::string_view name = trace->string(row.kernel);
    if (row.flags & (format::kLaunchCaptured | format::kLaunchUnrecorded))
      continue;
    auto chosen = choices.find(name);
    if (chosen == choices.end())
      chosen = choices.emplace(name, Choices{}).first;
    const bool isPlain = (row.flags & format::kLaunchPlain) != 0;
    ++(isPlain ? chosen->second.plain : chosen->second.probed);
    chosen->second.intervals.add(row.flags >> format::kLaunchOneInShift);
    const std::string kernel = qualifiedNameOf(name);
    if (isPlain || recorded.empty())
      continue;
    if (!kernel.empty() && !recorded.contains(kernel)) {
      ++others[kernel];
      continue;
    }
    const format::DeviceRecord *const device = trace->device(row.device);
    const std::uint64_t lanes = std::max(device ? device->warpLanes : 32, 1u);
    if (std::set<std::string, std::less<>> &known = instances[kernel]; !known.contains(name))
      known.emplace(name);
    const std::uint64_t threads = std::uint64_t{row.block[0]} * row.block[1] * row.block[2];
    const Shape shape = {row.grid[0], row.grid[1], row.grid[2], row.block[0], row.block[1], row.block[2]};
    Sum &sum = name.empty() ? unnamed[{row.device, shape}] : sums[{row.device, kernel}];
    ++sum.launches;
    sum.warps += (threads + lanes - 1) / lanes * row.grid[0] * row.grid[1] * row.grid[2];
  }
}

void HostLaunches::losses(std::span<const format::LossRecord> rows) {
  for (const format::LossRecord &row : rows)
    if (row.kind == format::LossKind::WarpsWithoutBuffer)
      lostWarps += row.count;
    else if (row.kind == format::LossKind::SwitchedOff)
      hasSwitchedOff = true;
}

void HostLaunches::summary(const format::SummaryRecord &record) {
  auto &[kernel, launches] = summaries.emplace_back();
  if ((record.flags & format::kSummaryByRegion) == 0)
    return;
  const auto region = std::ranges::find(trace->regions(), record.kernel, &format::RegionRecord::id);
  kernel = trace->string(record.name != 0 || region == trace->regions().end() ? record.name : region->name);
  launches = record.counts[format::kSummaryLaunches];
  choices[kernel].probed += launches;
}

/// Those that were recorded; the summary has the others too.
void HostLaunches::sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) {
  for (const format::SampledLaunchesRecord &row : rows) {
    if (row.summary == 0 || row.summary > summaries.size() || summaries[row.summary - 1].second < row.launches)
      continue; // addSummaries() refuses it
    const auto &[kernel, launches] = summaries[row.summary - 1];
    if (launches == 0)
      continue;
    Choices &chosen = choices[kernel];
    chosen.plain += launches - row.launches;
    chosen.probed -= std::min(chosen.probed, launches - row.launches);
    chosen.isOfSummaries = true;
    chosen.intervals.add(row.least);
    chosen.intervals.add(row.most);
  }
}

std::size_t HostLaunches::instancesOf(std::string_view kernel) const {
  const auto known = instances.find(kernel);
  const auto hasArguments = [prefix = std::string(kernel) + "<"](std::string_view name) { return name.contains(prefix); };
  return known == instances.end() || !std::ranges::all_of(known->second, hasArguments) ? 0 : known->second.size();
}

HostLaunches::Choices HostLaunches::all() const {
  Choices sum;
  for (const auto &[name, each] : choices) {
    sum.probed += each.probed;
    sum.plain += each.plain;
    sum.intervals.add(each.intervals.least);
    sum.intervals.add(each.intervals.most);
    sum.isOfSummaries |= each.isOfSummaries;
  }
  return sum;
}

std::map<std::string, HostLaunches::Choices> HostLaunches::withoutProbes() const {
  std::map<std::string, Choices> out;
  for (const auto &[name, counts] : choices)
    if (counts.plain > 0)
      out.emplace(name, counts);
  return out;
}

std::map<std::string, std::uint64_t> HostLaunches::untimed() const {
  std::map<std::string, std::uint64_t> out = others;
  for (const std::string &name : everRecorded) {
    out.erase(name);
    if (const std::size_t scope = name.rfind("::"); scope != std::string::npos)
      out.erase(name.substr(scope + 2)); // a namespace is no part of an extern "C" kernel's name on a GPU
  }
  return out;
}

HostLaunches::Sum HostLaunches::of(std::uint32_t ordinal, std::string_view kernel) const {
  const auto known = sums.find({ordinal, std::string(kernel)});
  return known == sums.end() ? Sum{} : known->second;
}

HostLaunches::Sum HostLaunches::ofUnnamed(std::uint32_t ordinal, const Shape &shape) const {
  const auto known = unnamed.find({ordinal, shape});
  return known == unnamed.end() ? Sum{} : known->second;
}

} // namespace kperf::decoder
