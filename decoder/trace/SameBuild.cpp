// Compares the headers and tables of traces.
#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <string>

namespace kperf::decoder {

std::string_view hostClock(const Trace &trace) {
  return trace.header().target == format::Target::Host && !trace.devices().empty() ? trace.string(trace.devices().front().driver)
                                                                                   : std::string_view();
}

std::string originOf(const Trace &trace) {
  if (trace.header().target != format::Target::Host)
    return "";
  const std::string_view clock = hostClock(trace);
  if (clock.empty())
    return "host target: not GPU times";
  return fmt::format("host target, {}: not GPU times but what {}", clock,
                     clock == "virtual clock" ? "operations are said to take" : "a CPU took");
}

Status checkSameClock(const Trace &first, const Trace &other) {
  const std::string_view expected = hostClock(first), found = hostClock(other);
  if (expected.empty() || found.empty() || expected == found)
    return {};
  return failure({.message = fmt::format("its times are not of the clock of {}", first.name()),
                  .found = std::string(found),
                  .expected = std::string(expected),
                  .remedy = "run both with the same KPERF_HOST_CLOCK: the virtual one counts what a program does, the wall one what "
                            "this machine takes for it",
                  .file = other.name()});
}

namespace {

/// What a trace's tables say of one source file.
struct SourceFile {
  std::set<std::uint32_t> kernels, regions, waits, sites; ///< ids, which are made of the file's whole text
  std::map<std::uint32_t, std::string_view> lines;        ///< text by number
};

using SourceFiles = std::map<std::string_view, SourceFile>;

SourceFiles sourcesOf(const Trace &trace) {
  SourceFiles files;
  for (const format::RegionRecord &row : trace.regions())
    if (row.id >= format::kFirstFreeId) {
      SourceFile &file = files[trace.string(row.file)];
      const bool isWait = row.kind == format::RegionKind::Wait || row.kind == format::RegionKind::Signal;
      (row.kind == format::RegionKind::Kernel ? file.kernels : isWait ? file.waits : file.regions).insert(row.id);
      file.lines.emplace(row.line, trace.string(row.source));
    }
  for (const format::SiteRecord &row : trace.sites()) {
    SourceFile &file = files[trace.string(row.file)];
    if (row.id != 0)
      file.sites.insert(row.id);
    file.lines.emplace(row.line, trace.string(row.source));
  }
  files.erase(""); // which is none
  return files;
}

bool haveCommon(const std::set<std::uint32_t> &left, const std::set<std::uint32_t> &right) {
  return std::ranges::any_of(left, [&](std::uint32_t id) { return right.contains(id); });
}

/// Whether the same text can have made both. What both record of it has to be the same; which kernels need a row depends on what else is.
bool canBeSame(const SourceFile &left, const SourceFile &right) {
  for (const auto ids : {&SourceFile::regions, &SourceFile::waits, &SourceFile::sites})
    if (!(left.*ids).empty() && !(right.*ids).empty() && left.*ids != right.*ids)
      return false;
  if (!left.kernels.empty() && !right.kernels.empty() && !haveCommon(left.kernels, right.kernels))
    return false;
  return std::ranges::all_of(left.lines, [&](const auto &line) {
    const auto other = right.lines.find(line.first);
    return other == right.lines.end() || other->second == line.second;
  });
}

/// A description of the region or the site that has one id in both and is another one in each; "" when there is none.
std::string conflictOf(const Trace &first, const Trace &other) {
  std::map<std::uint32_t, const format::RegionRecord *> regions;
  std::map<std::uint32_t, const format::SiteRecord *> sites;
  for (const format::RegionRecord &row : first.regions())
    regions.emplace(row.id, &row);
  for (const format::SiteRecord &row : first.sites())
    sites.emplace(row.id, &row);
  for (const format::RegionRecord &row : other.regions())
    if (const auto known = regions.find(row.id);
        known != regions.end() && (known->second->kind != row.kind || known->second->line != row.line ||
                                   known->second->column != row.column || first.string(known->second->name) != other.string(row.name) ||
                                   first.string(known->second->function) != other.string(row.function) ||
                                   first.string(known->second->file) != other.string(row.file)))
      return fmt::format("region {:#x} is '{}' ({}:{})", row.id, other.string(row.name), other.string(row.file), row.line);
  for (const format::SiteRecord &row : other.sites())
    if (const auto known = sites.find(row.id);
        row.id != 0 && known != sites.end() &&
        (known->second->kind != row.kind || known->second->line != row.line || known->second->column != row.column ||
         first.string(known->second->function) != other.string(row.function) ||
         first.string(known->second->file) != other.string(row.file)))
      return fmt::format("access {:#x} is at {}:{}:{}", row.id, other.string(row.file), row.line, row.column);
  return "";
}

/// Nothing when the same source made both, whatever each records: an error says why it may not have.
Status checkSameSource(const Trace &first, const Trace &other) {
  const std::string remedy = "take traces of different builds one at a time";
  const std::string title = fmt::format("its regions are not those of {}", first.name());
  if (const std::string conflict = conflictOf(first, other); !conflict.empty())
    return failure(
        {.message = title, .found = conflict, .expected = "the same as in " + first.name(), .remedy = remedy, .file = other.name()});
  const SourceFiles left = sourcesOf(first), right = sourcesOf(other);
  std::size_t common = 0;
  for (const auto &[name, file] : left)
    if (const auto same = right.find(name); same != right.end()) {
      ++common;
      if (!canBeSame(file, same->second))
        return failure({.message = title,
                        .found = fmt::format("another '{}', and build id {:#x}", name, other.header().buildId),
                        .expected = fmt::format("{:#x}", first.header().buildId),
                        .remedy = remedy,
                        .file = other.name()});
    }
  if (common == 0)
    return failure({.message = title,
                    .found = fmt::format("build id {:#x}", other.header().buildId),
                    .expected = fmt::format("{:#x}", first.header().buildId),
                    .remedy = remedy,
                    .file = other.name()});
  return {};
}

} // namespace

Status checkSameBuild(std::span<const Trace> traces) {
  std::map<std::uint64_t, const Trace *> builds{{traces.front().header().buildId, &traces.front()}};
  for (const Trace &trace : traces.subspan(1)) {
    const format::FileHeader &first = traces.front().header(), &other = trace.header();
    if (first.target != other.target)
      return failure({.message = fmt::format("its target is not that of {}", traces.front().name()),
                      .remedy = "take traces of different targets one at a time",
                      .file = trace.name()});
    if (builds.emplace(other.buildId, &trace).second)
      for (const auto &[id, before] : builds)
        if (before != &trace)
          if (Status status = checkSameSource(*before, trace); !status)
            return status;
    if (Status status = checkSameClock(traces.front(), trace); !status)
      return status;
  }
  return {};
}

std::string probesOf(const Trace &trace) {
  bool hasRegions = false, hasWaits = false;
  for (const format::RegionRecord &row : trace.regions()) {
    const bool isWait = row.kind == format::RegionKind::Wait || row.kind == format::RegionKind::Signal;
    hasWaits |= isWait;
    hasRegions |= row.id >= format::kFirstFreeId && !isWait;
  }
  std::vector<std::string_view> out;
  if (hasRegions)
    out.emplace_back("regions");
  if (hasWaits)
    out.emplace_back("waits");
  if (!trace.sites().empty())
    out.emplace_back("memory accesses");
  return out.empty() ? "launches" : fmt::format("{}", fmt::join(out, ", "));
}

namespace {

bool hasSection(const Trace &trace, format::SectionKind kind) {
  return std::ranges::find(trace.sections(), kind, &Section::kind) != trace.sections().end();
}

} // namespace

bool hasSummands(const Trace &trace, Summands summands) {
  return summands == Summands::Accesses ? hasSection(trace, format::SectionKind::SiteCounters)
                                        : hasSection(trace, format::SectionKind::Warps) || trace.isReduced();
}

std::string mixedBuilds(std::span<const Trace> traces, Summands summands) {
  std::set<std::pair<std::uint64_t, bool>> builds;
  std::vector<std::string> named; // a trace of each
  for (const Trace &trace : traces)
    if (hasSummands(trace, summands) && builds.emplace(trace.header().buildId, !trace.sites().empty()).second)
      named.push_back(fmt::format("{} ({})", trace.name(), probesOf(trace)));
  return named.size() < 2 ? "" : fmt::format("{} builds, {}", named.size(), fmt::join(named, " and "));
}

std::string mixedBuildsNote(std::span<const Trace> traces, Summands summands) {
  const std::string builds = mixedBuilds(traces, summands);
  if (builds.empty())
    return "";
  return fmt::format("rows are sums over runs of {}: {}; give traces of one build at a time", builds,
                     summands == Summands::Accesses
                         ? "what each counted is added up"
                         : "launches and times of all are added up, shares are of that sum, and each build's probes cost other times");
}

} // namespace kperf::decoder
