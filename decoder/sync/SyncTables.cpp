// Makes the tables of who waited for whom.
#include "decoder/sync/SyncTables.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Kind = PathStep::Kind;

/// Rows of one block's path.
constexpr std::size_t kMaxListed = 10000;

const char *kindText(Kind kind) {
  constexpr const char *kWords[] = {"region", "wait", "in-flight", "other-blocks", "no-region", "start", "not-known"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string nameOf(const RegionSet &regions, std::uint32_t region) {
  return region == RegionSet::kNone ? "(no region)" : regions[region].name;
}

std::string nameOf(const RegionSet &regions, const PathStep &step) {
  const bool hasRegion = step.region != RegionSet::kNone;
  switch (step.kind) {
  case Kind::Flight:
    return "in flight: " + regions[step.region].work();
  case Kind::OtherBlocks:
    return nameOf(regions, step.region) + fmt::format(": other {}s", regions.terms().block);
  case Kind::Start:
    return fmt::format("(start of the {})", regions.terms().warp);
  case Kind::NotKnown:
    return fmt::format("(not known: {}{}{})", text(step.why, regions.terms()), hasRegion ? ", at " : "",
                       hasRegion ? regions[step.region].name : "");
  default:
    return nameOf(regions, step.region);
  }
}

std::string nameOf(const RegionSet &regions, const Releaser &releaser) {
  return releaser.isFlight ? "in flight: " + regions[releaser.region].work() : nameOf(regions, releaser.region);
}

Cell percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? Cell(100 * static_cast<double>(part) / static_cast<double>(whole)) : Cell();
}

Cell sourceOf(const RegionSet &regions, std::uint32_t region) {
  const std::string location = region == RegionSet::kNone ? "" : regions[region].location();
  return location.empty() ? Cell() : Cell(location.substr(location.rfind('/') + 1));
}

double mean(std::uint64_t sum, std::uint64_t count) { return count ? static_cast<double>(sum) / static_cast<double>(count) : 0; }

/// The pairs of a map, those of greatest weight first.
template <typename Map, typename Weight> auto byWeight(const Map &map, Weight weight) {
  std::vector<const typename Map::value_type *> out;
  for (const auto &entry : map)
    out.push_back(&entry);
  std::ranges::stable_sort(out, std::greater<>(), [&](const auto *entry) { return weight(entry->second); });
  return out;
}

} // namespace

ListedPath listPath(const SyncTotals &totals, const SyncBlock &block, const RegionSet &regions) {
  const SyncGraph &graph = totals.lastGraph();
  ListedPath out{block.kernel, block.gridId, block.block, block.cycles(), {}};
  for (const PathSegment &segment : totals.lastPath().segments()) {
    if (out.rows.size() >= kMaxListed) {
      ++out.leftOut;
      continue;
    }
    std::string by;
    if (segment.from != SyncGraph::kNone && segment.step.kind == Kind::Wait) {
      const SyncGraph::Wait &wait = graph.waits()[segment.from];
      const SyncGraph::Event &event = graph.events()[wait.by];
      by = wait.isByFlight
               ? nameOf(regions, Releaser{true, event.region})
               : fmt::format("{} {}: {}", regions.terms().warp, block.warps[event.warp].index, nameOf(regions, totals.busyBefore(wait)));
    }
    out.rows.push_back(
        {segment.step, segment.begin - block.begin, segment.end - block.begin, block.warps[segment.warp].index, std::move(by)});
  }
  return out;
}

void SyncTables::add(const std::string &kernel, const KernelSync &sync, const ClockRate &ofKernel) {
  rate = ofKernel;
  addWaits(kernel, sync);
  addSteps(kernel, sync);
  addFlights(kernel, sync);
  note(kernel, sync);
}

void SyncTables::addWaits(const std::string &kernel, const KernelSync &sync) {
  for (const auto *entry : byWeight(sync.waits, [](const WaitSum &sum) { return sum.cycles; })) {
    const auto &[region, sum] = *entry;
    const auto releasers = byWeight(sum.releasedBy, [](std::uint64_t count) { return count; });
    const auto reasons = byWeight(sum.why, [](std::uint64_t count) { return count; });
    const double each = mean(sum.cycles, sum.count);
    const bool isKnown = sum.otherBlocks + sum.notKnown < sum.count;
    waits.rows.push_back({kernel, regions[region].name, sourceOf(regions, region), sum.count, isKnown ? Cell(sum.waited) : Cell(),
                          sum.otherBlocks, sum.notKnown, ns(sum.cycles), ns(each), ns(sum.max),
                          isKnown ? ns(mean(sum.latency, sum.waited)) : Cell(),
                          releasers.empty() ? Cell() : Cell(nameOf(regions, releasers.front()->first)),
                          releasers.empty() ? Cell() : percent(releasers.front()->second, sum.waited),
                          reasons.empty() ? Cell() : Cell(text(reasons.front()->first, regions.terms())), sum.cycles, each});
  }
}

void SyncTables::addSteps(const std::string &kernel, const KernelSync &sync) {
  std::uint64_t covered = sync.cycles;
  for (const auto &[step, sum] : sync.steps)
    covered -= step.kind == Kind::NotKnown ? sum.cycles : 0;
  for (const auto *entry : byWeight(sync.steps, [](const StepSum &sum) { return sum.cycles; })) {
    const auto &[step, sum] = *entry;
    const bool hasGain = sum.replayed > 0;
    hasLaterSteps |= step.kind != Kind::NotKnown && sum.replayed + sync.contradictory < sum.blocks;
    steps.rows.push_back({kernel, sync.blocks, sync.cycles, percent(covered, sync.cycles), nameOf(regions, step),
                          std::string(kindText(step.kind)), ns(sum.cycles), percent(sum.cycles, sync.cycles),
                          hasGain ? ns(sum.gain) : Cell(), hasGain ? percent(sum.gain, sync.cycles) : Cell(), sum.blocks,
                          sourceOf(regions, step.region), sum.cycles, hasGain ? Cell(sum.gain) : Cell()});
  }
}

void SyncTables::addFlights(const std::string &kernel, const KernelSync &sync) {
  for (const auto *entry : byWeight(sync.flights, [](const FlightSum &sum) { return sum.lengths.sum(); })) {
    const auto &[region, sum] = *entry;
    const std::uint64_t total = sum.lengths.sum();
    hasBounds |= sum.bounds > 0;
    const format::SyncOperation operation = regions[region].operation;
    const bool isFromCommit = operation == format::SyncOperation::Commit || operation == format::SyncOperation::CommitAwait;
    hasCommits |= isFromCommit;
    flights.rows.push_back({kernel, regions[region].work(), sourceOf(regions, region), isFromCommit ? "commit" : "issue",
                            sum.lengths.count(), ns(sum.lengths.mean()), ns(sum.lengths.at(0.5)), ns(sum.lengths.at(0.95)), ns(sum.exposed),
                            percent(total - sum.exposed, total), sum.bounds, total, sum.lengths.mean(), sum.exposed});
  }
}

void SyncTables::note(const std::string &kernel, const KernelSync &sync) {
  const auto plural = [](std::uint64_t count) { return count == 1 ? "" : "s"; };
  if (sync.incomplete > 0)
    steps.notes.push_back(fmt::format("{}: the path of {} of {} {}{} breaks where it is not known who was waited for; what "
                                      "came before is not followed",
                                      kernel, sync.incomplete, sync.blocks, regions.terms().block, plural(sync.blocks)));
  if (std::ranges::any_of(sync.steps, [](const auto &entry) { return entry.first.why == UnknownReason::Dropped; }))
    steps.notes.push_back(fmt::format("{}: records were dropped: raise KPERF_RECORDS to see more of the path", kernel));
  if (sync.unfinished > 0)
    steps.notes.push_back(fmt::format("{}: {} of {} {}{} did not finish: the path begins at the last clock that was seen", kernel,
                                      sync.unfinished, sync.blocks, regions.terms().block, plural(sync.blocks)));
  if (sync.contradictory > 0)
    steps.notes.push_back(fmt::format("{}: the times of {} of {} {}{} contradict each other: no gain is computed there", kernel,
                                      sync.contradictory, sync.blocks, regions.terms().block, plural(sync.blocks)));
  std::uint64_t other = 0, inner = 0;
  for (const auto &[region, sum] : sync.waits) {
    other += sum.otherBlocks;
    inner += sum.inner;
  }
  if (other > 0)
    waits.notes.push_back(fmt::format("{}: {} wait{} for other {}s too: they are not followed there", kernel, other,
                                      other == 1 ? " is" : "s are", regions.terms().block));
  if (inner > 0)
    waits.notes.push_back(
        fmt::format("{}: {} wait{} inside another: the path takes no turn there", kernel, inner, inner == 1 ? " lies" : "s lie"));
}

void SyncTables::add(const std::string &kernel, const ListedPath &listed, const ClockRate &ofKernel) {
  rate = ofKernel;
  for (const ListedPath::Row &row : listed.rows)
    path.rows.push_back({kernel, listed.gridId, listed.block, listed.cycles, nameOf(regions, row.step),
                         std::string(kindText(row.step.kind)), std::uint64_t{row.warp}, ns(row.begin), ns(row.end - row.begin), row.begin,
                         row.end - row.begin, row.by.empty() ? Cell() : Cell(row.by)});
  if (listed.leftOut > 0)
    path.notes.push_back(fmt::format("{}: {} later segments are left out", kernel, listed.leftOut));
}

std::vector<Table> SyncTables::build() {
  if (!steps.rows.empty())
    steps.notes.push_back(fmt::format("gain: how much shorter the {}s would be if the segment took no time anywhere in them; what is "
                                      "next in the way stays",
                                      regions.terms().block));
  if (hasLaterSteps)
    steps.notes.push_back(fmt::format("gains are of the {} longest segments of each {}", SyncTotals::kMaxReplays, regions.terms().block));
  if (hasCommits)
    flights.notes.emplace_back("from commit: what was issued into the group is not in the trace; it took longer by what "
                               "lies between its issue and the commit");
  if (hasBounds)
    flights.notes.emplace_back("an upper bound is work that was complete before its wait began, or before that of later "
                               "work: from there it took at most that long");
  std::vector<Table> out;
  for (Table *table : {&waits, &steps, &flights, &path})
    if (!table->rows.empty())
      out.push_back(std::move(*table));
  return out;
}

} // namespace kperf::decoder
