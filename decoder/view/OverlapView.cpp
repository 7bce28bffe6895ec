// Shows by kernel how much of each region ran while others did, in each block or on each SM, and who waited for whom in each block.
#include "decoder/view/OverlapView.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/sync/Overlap.h"
#include "decoder/sync/StuckWaits.h"
#include "decoder/sync/SyncTables.h"
#include "decoder/totals/LaunchLedger.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kMaxKernels = 1024;
/// Cells of a row of the table `overlap`.
enum OverlapColumn { kRegionColumn = 4, kKindColumn = 5, kOverlappedPercent = 9 };

class OverlapSink final : public WarpSink {
public:
  struct Kernel {
    std::string name;
    std::uint32_t device; ///< index in the trace's table
    std::uint32_t tickNs, clockKhz;
  };

  OverlapSink(const RegionSet &regions, const ViewScope &scope, const OverlapOptions &options)
      : regions(regions), scope(scope), options(options), groups(regions), sync(regions), stuckWaits(regions),
        blocks(regions, [this](const SyncBlock &block) { look(block); }) {}

  void beginTrace(const Trace &next) {
    trace = &next;
    kernelOfKey.clear();
    for (std::uint32_t i = 0; i < next.devices().size(); ++i)
      ledger.setDevice(i, {next.devices()[i].timerTickNs, next.devices()[i].warpLanes});
  }
  void endTrace() {
    groups.finish();
    blocks.finish();
    ledger.finish();
  }
  void warp(const WarpSpans &warp) override;

  const std::vector<Kernel> &kernels() const { return kernelList; }
  const OverlapGroups::Kernel &overlapOf(std::uint32_t kernel) const { return groups.kernel(kernel); }
  ClockRate rateOf(std::uint32_t kernel, format::Target target) const {
    const Kernel &what = kernelList[kernel];
    return chooseRate(target, ledger.group(kernel).clock, ledger.deviceClock(what.device), what.tickNs, what.clockKhz);
  }
  const KernelSync *syncOf(std::uint32_t kernel) const { return sync.kernel(kernel); }
  StuckWaits &stuck() { return stuckWaits; }
  const std::vector<ListedPath> &listed() const { return listedPaths; }
  std::uint64_t leftOut() const { return leftOutWarps; }

private:
  static constexpr std::uint32_t kUnselected = ~0u;
  void look(const SyncBlock &block);
  std::uint32_t kernelOf(const WarpSpans &warp, std::uint32_t device);

  const RegionSet &regions;
  const ViewScope &scope;
  const OverlapOptions &options;
  const Trace *trace = nullptr;
  OverlapGroups groups;
  SyncTotals sync;
  StuckWaits stuckWaits;
  SyncBlocks blocks;
  std::vector<ListedPath> listedPaths; ///< one for each kernel that has the block
  LaunchLedger ledger;
  std::vector<Kernel> kernelList;
  std::map<KernelKey, std::uint32_t> kernelOfKey; ///< of the trace
  std::uint64_t leftOutWarps = 0;
};

std::uint32_t OverlapSink::kernelOf(const WarpSpans &warp, std::uint32_t device) {
  if (kernelOfKey.size() > 16 * kMaxKernels)
    kernelOfKey.clear();
  const auto [entry, isNew] = kernelOfKey.try_emplace({device, warp.header.kernel, warp.header.nameAddress}, kUnselected);
  if (!isNew)
    return entry->second;
  const KernelName name = kernelNameOf(*trace, regions, warp.header);
  if (!isMeant(scope.kernel, name.name, name.plain))
    return kUnselected;
  const auto known =
      std::ranges::find_if(kernelList, [&](const Kernel &kernel) { return kernel.name == name.name && kernel.device == device; });
  entry->second = static_cast<std::uint32_t>(known - kernelList.begin());
  if (known == kernelList.end() && kernelList.size() < kMaxKernels) {
    const format::DeviceRecord *row = trace->device(warp.device);
    kernelList.push_back({name.name, device, row ? row->timerTickNs : 0, row ? row->clockKhz : 0});
  } else if (known == kernelList.end()) {
    entry->second = kUnselected;
  }
  return entry->second;
}

void OverlapSink::warp(const WarpSpans &warp) {
  const std::uint32_t device = trace->deviceIndex(warp.device);
  const std::uint32_t kernel = kernelOf(warp, device);
  if (kernel == kUnselected) {
    ++leftOutWarps;
    return;
  }
  ledger.add(device, kernel, warp.header, warp.isFinished);
  const format::WarpHeader &header = warp.header;
  const format::DeviceRecord *row = trace->device(warp.device);
  const std::uint64_t lanes = std::max(row ? row->warpLanes : 32, 1u);
  const std::uint64_t threads = std::uint64_t{header.blockX} * header.blockY * header.blockZ;
  const bool isBySm = scope.by == By::Sm;
  const std::uint64_t warpsOfBlock = (threads + lanes - 1) / lanes;
  groups.add({header.gridId, isBySm ? header.sm : header.block, device, kernel}, isBySm ? 0 : warpsOfBlock, warp);
  if (blocks.areNeeded())
    blocks.add(device, kernel, warpsOfBlock, warp);
}

void OverlapSink::look(const SyncBlock &block) {
  sync.add(block);
  stuckWaits.add(block);
  const bool isListed = std::ranges::find(listedPaths, block.kernel, &ListedPath::kernel) != listedPaths.end();
  if (options.block == block.block && !isListed)
    listedPaths.push_back(listPath(sync, block, regions));
}

/// The tables in the making; a number of cycles becomes two cells where the clock is known.
class OverlapTables {
public:
  OverlapTables(OverlapSink &sink, const RegionSet &regions, format::Target target, bool isBySm)
      : sink(sink), regions(regions), target(target), what(isBySm ? regions.terms().sm : regions.terms().block), sync(regions) {}
  std::vector<Table> build();

private:
  void addKernel(std::uint32_t index);
  void addRegion(std::uint32_t index, std::uint32_t place);
  void noteKernel(std::uint32_t index);
  void noteRanges();
  Cell ns(std::uint64_t cycles) const { return rate.isKnown() ? Cell(static_cast<double>(cycles) * rate.nsPerCycle) : Cell(); }
  static Cell percent(std::uint64_t part, std::uint64_t whole) {
    return whole ? Cell(100 * static_cast<double>(part) / static_cast<double>(whole)) : Cell();
  }

  OverlapSink &sink;
  const RegionSet &regions;
  format::Target target;
  std::string_view what;
  SyncTables sync;
  ClockRate rate;
  std::vector<std::string> names; ///< of the kernel's regions, by place
  Table table{.name = "overlap",
              .columns = {{"kernel", Unit::None, Role::Group},
                          {"groups", Unit::None, Role::Group},
                          {"group-time", Unit::Cycles, Role::Group},
                          {"covered", Unit::Percent, Role::Group},
                          {"region", Unit::None, Role::Label},
                          {"kind", Unit::None, Role::Value, 8},
                          {"running", Unit::Nanoseconds, Role::Value, 90},
                          {"exposed", Unit::Nanoseconds, Role::Value, 99},
                          {"overlapped", Unit::Nanoseconds, Role::Value, 80},
                          {"overlapped", Unit::Percent, Role::Value, 97},
                          {"share", Unit::Percent, Role::Value, 60},
                          {"most-with", Unit::None, Role::Value, 70},
                          {"running", Unit::Cycles, Role::Value, 20},
                          {"exposed", Unit::Cycles, Role::Value, 30},
                          {"overlapped", Unit::Cycles, Role::Value, 20}}};
  Table pairs{.name = "overlap-pairs",
              .columns = {{"kernel", Unit::None, Role::Group},
                          {"region", Unit::None, Role::Label},
                          {"with", Unit::None, Role::Value, 98},
                          {"together", Unit::Nanoseconds, Role::Value, 90},
                          {"share", Unit::Percent, Role::Value, 95},
                          {"together", Unit::Cycles, Role::Value, 30}},
              .title = "what ran at the same time"};
};

void OverlapTables::addRegion(std::uint32_t index, std::uint32_t place) {
  const OverlapGroups::Kernel &sums = sink.overlapOf(index);
  const KernelOverlap &overlap = sums.overlap;
  const std::uint64_t groups = sums.groups, life = sums.life;
  const std::string &kernel = sink.kernels()[index].name;
  std::vector<std::uint32_t> others;
  for (std::uint32_t other = 0; other < overlap.size(); ++other)
    if (other != place && overlap.together(place, other) > 0)
      others.push_back(other);
  std::ranges::stable_sort(others, std::greater<>(), [&](std::uint32_t other) { return overlap.together(place, other); });
  const std::string &name = names[place];
  const std::uint32_t region = overlap.regionAt(place);
  const std::uint64_t total = overlap.total(place), exposed = overlap.exposed(place), overlapped = overlap.overlapped(place);
  table.rows.push_back({kernel, groups, life, percent(overlap.covered(), life), name,
                        region < regions.size() ? Cell(named(regions[region].kind)) : Cell(), ns(total), ns(exposed), ns(overlapped),
                        percent(overlapped, total), percent(total, life), others.empty() ? Cell() : Cell(names[others.front()]), total,
                        exposed, overlapped});
  for (const std::uint32_t other : others) {
    const std::uint64_t together = overlap.together(place, other);
    pairs.rows.push_back({kernel, name, names[other], ns(together), percent(together, total), together});
  }
}

void OverlapTables::noteKernel(std::uint32_t index) {
  const OverlapGroups::Kernel &kernel = sink.overlapOf(index);
  const std::string &name = sink.kernels()[index].name;
  if (kernel.dropped > 0)
    table.notes.push_back(fmt::format("{} of {} {} dropped: {} of its {}s' time, in which a region that was not recorded may "
                                      "have run, is left out; raise KPERF_RECORDS",
                                      counted(kernel.dropped, "record"), name, kernel.dropped == 1 ? "was" : "were",
                                      percentText(static_cast<double>(kernel.unknown), static_cast<double>(kernel.unknown + kernel.life)),
                                      what));
  if (kernel.summed > 0)
    table.notes.push_back(
        fmt::format("entries of {} were summed up on the device: when they ran is not known, and they overlap nothing", name));
  if (kernel.split > 0)
    table.notes.push_back(fmt::format("{} of {} came in parts too far from each other to be held: there is at least "
                                      "the overlap that is shown",
                                      kernel.split == 1 ? fmt::format("1 {}", what) : fmt::format("{} {}s", kernel.split, what), name));
  if (kernel.overlap.size() == KernelOverlap::kMax)
    table.notes.push_back(fmt::format("{} has more regions than the {} that are kept apart", name, KernelOverlap::kMax - 1));
}

void OverlapTables::addKernel(std::uint32_t index) {
  rate = sink.rateOf(index, target);
  const KernelOverlap &overlap = sink.overlapOf(index).overlap;
  std::vector<std::uint32_t> order(overlap.size()), indices(overlap.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    indices[i] = overlap.regionAt(i);
  }
  names = regions.distinctNames(indices, "(other regions)");
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t place) { return overlap.exposed(place); });
  for (const std::uint32_t place : order)
    addRegion(index, place);
  noteKernel(index);
  const std::string &name = sink.kernels()[index].name;
  sink.stuck().list(index, name);
  if (const KernelSync *const sums = sink.syncOf(index))
    sync.add(name, *sums, rate);
  for (const ListedPath &path : sink.listed())
    if (path.kernel == index)
      sync.add(name, path, rate);
}

/// Of plain code a range says what surprises: that it overlaps the region which it is a part of.
void OverlapTables::noteRanges() {
  std::string names;
  for (const std::vector<Cell> &row : table.rows)
    if (row[kKindColumn] == Cell(named(format::RegionKind::Range)) && row[kOverlappedPercent] > Cell(50.0) && names.size() < 60)
      names += (names.empty() ? "" : ", ") + std::get<std::string>(row[kRegionColumn]);
  if (!names.empty())
    table.notes.push_back(fmt::format("a range counts as running beside the code between its begin and its end, as a copy does: the region "
                                      "around it overlaps {}; use KPERF_SCOPE for a part of that region",
                                      names));
}

std::vector<Table> OverlapTables::build() {
  std::vector<std::uint32_t> order(sink.kernels().size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return sink.overlapOf(i).life; });
  for (const std::uint32_t kernel : order)
    addKernel(kernel);
  if (!table.rows.empty())
    table.notes.push_back(fmt::format("a region runs while at least one {} of the {} is in it and does not wait; it is exposed while no "
                                      "other region works (waiting is no work)",
                                      regions.terms().warp, what));
  noteRanges();
  std::vector<Table> out{std::move(table)};
  if (!pairs.rows.empty())
    out.push_back(std::move(pairs));
  if (!sink.stuck().isEmpty())
    out.push_back(sink.stuck().takeTable());
  std::ranges::move(sync.build(), std::back_inserter(out));
  return out;
}

} // namespace

std::vector<ViewOption> OverlapOptions::described() {
  return {{.name = "--block", .value = &block, .shown = "N", .help = "list the critical path of block N, step by step"}};
}

Expected<std::vector<Table>> overlapView(std::span<const Trace> traces, const ViewScope &scope, const OverlapOptions &options) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  RegionSet regions;
  for (const Trace &trace : traces)
    regions.add(trace);
  OverlapSink sink(regions, scope, options);
  SpanDecoder decoder(regions, sink);
  for (const Trace &trace : traces) {
    sink.beginTrace(trace);
    if (Status status = decoder.run(trace); !status)
      return failure(status.error());
    sink.endTrace();
  }
  std::vector<Table> tables = OverlapTables(sink, regions, traces.front().header().target, scope.by == By::Sm).build();
  for (const Trace &trace : traces)
    if (trace.isReduced())
      tables.front().notes.push_back(
          fmt::format("{} is reduced: what overlaps is seen in {}s only, and they are not in it", trace.name(), termsOf(trace).warp));
  if (Status status = addSampleNote(tables.front().notes, traces); !status)
    return failure(status.error());
  if (Status status = addLaunchSampleNote(tables.front().notes, traces); !status)
    return failure(status.error());
  tables.front().addLead(mixedBuildsNote(traces, Summands::Times));
  if (options.block && sink.listed().empty())
    tables.front().notes.push_back(fmt::format("no path of a {} {}: {}", regions.terms().block, *options.block,
                                               regions.hasWaits() ? fmt::format("no {} of it is there", regions.terms().warp)
                                                                  : "no wait was recorded: rewrite with --probes=region,sync"));
  if (tables.front().rows.empty() && sink.leftOut() > 0)
    tables.front().notes.push_back(fmt::format("no kernel matches '{}'", scope.kernel));
  else if (tables.front().rows.empty() && !std::ranges::all_of(traces, &Trace::isReduced)) // of those it was said
    tables.front().notes.push_back(sink.kernels().empty() ? noWarpsNote(traces) : "no region was entered");
  return tables;
}

} // namespace kperf::decoder
