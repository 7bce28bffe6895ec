// Assigns the faults of memory accesses to kernels, with the share of the kernel's traffic that each wastes.
#include "decoder/explain/SiteFacts.h"
#include "decoder/explain/CountedLaunches.h"
#include "decoder/explain/Reuse.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <string_view>

namespace kperf::decoder {
namespace {

/// Whether a region of that kind is a part of its kernel that does something.
bool isWork(format::RegionKind kind) { return !isInstant(kind) && kind != format::RegionKind::Wait && kind != format::RegionKind::Kernel; }

/// Passes of one kind: what a kernel's accesses take of each unit.
struct Passes {
  double sectors = 0, wavefronts = 0, turns = 0, reads = 0, shared = 0;
  std::map<std::uint32_t, double> ofRegions; ///< sectors, by region
};

/// By how much each kernel's counters have to be multiplied to be those of its timed launches. What was counted is of all instances of a
/// kernel: of one of several nobody knows its part.
Status addScales(ProgramFacts &facts, std::span<const Trace> times, const CountedLaunches &counted) {
  const auto timed = CountedLaunches::read(times);
  if (!timed)
    return failure(timed.error());
  for (KernelFacts &kernel : facts.kernels) {
    const std::string name = qualifiedNameOf(kernel.name);
    const LaunchCount own{kernel.launches.count, kernel.launches.warpsLaunched};
    if (facts.hasSitesInTimes)
      kernel.accesses.scale = 1;
    else if (timed->of(name).launches <= own.launches)
      kernel.accesses.scale = scaleOfCounters(own, counted.of(name));
  }
  return {};
}

class SiteKernels {
public:
  /// `hasWarps`: the kernels are those that have some; else one stands for all.
  SiteKernels(ProgramFacts &facts, bool hasWarps) : facts(facts), hasWarps(hasWarps), passes(facts.kernels.size()) {}

  void count(const MemoryTotals &totals);
  void add(const MemoryFinding &fault);
  /// What counts of accesses come to in the timed launches.
  void addTraffic();
  /// Which kernel each site is of, by the site's id.
  const std::unordered_map<std::uint32_t, std::size_t> &kernelOfSite() const { return kernelOfId; }

private:
  struct Owner {
    std::size_t kernel;
    bool isGuess;
  };
  static constexpr std::size_t kNobody = ~std::size_t{0};
  bool isLeftOut(const std::string &function) const;
  Owner kernelOf(const TracedSite &site) const;
  void addTimes(SiteFacts &out, const KernelFacts &kernel, const Passes &sum) const;
  std::uint32_t regionOf(const TracedSite &site) const {
    return site.record->region ? facts.regions->find(site.record->region) : RegionSet::kNone;
  }

  ProgramFacts &facts;
  bool hasWarps;
  std::vector<Passes> passes; ///< by kernel
  std::unordered_map<std::uint32_t, std::size_t> kernelOfId;
};

/// Whether it is a kernel that the facts are not of: one that was not asked for, or of which no warp was kept.
bool SiteKernels::isLeftOut(const std::string &function) const {
  for (std::uint32_t i = 0; hasWarps && i < facts.regions->size(); ++i)
    if (const Region &region = (*facts.regions)[i];
        region.kind == format::RegionKind::Kernel && region.id >= format::kFirstFreeId && qualifiedNameOf(region.name) == function)
      return true;
  return false;
}

/// Of a function that is no kernel, and has no region that one was in, the kernel that took longest.
SiteKernels::Owner SiteKernels::kernelOf(const TracedSite &site) const {
  const std::string function = site.text(site.record->function);
  const std::uint32_t region = regionOf(site);
  std::size_t most = 0;
  for (std::size_t i = 0; i < facts.kernels.size(); ++i) {
    const KernelFacts &kernel = facts.kernels[i];
    if (qualifiedNameOf(kernel.name) == function || kernel.name == function)
      return {i, false};
    if (region != RegionSet::kNone && kernel.region(region))
      return {i, false};
    if (kernel.launches.durationNs > facts.kernels[most].launches.durationNs)
      most = i;
  }
  return {facts.kernels.empty() || isLeftOut(function) ? kNobody : most, facts.kernels.size() > 1};
}

void SiteKernels::count(const MemoryTotals &totals) {
  for (const TracedSite &site : totals.unseen())
    if (const std::size_t index = kernelOf(site).kernel; index != kNobody)
      ++facts.kernels[index].accesses.uncounted;
  for (const SiteTotals &site : totals.sites()) {
    const std::size_t index = kernelOf(site.site).kernel;
    if (index == kNobody)
      continue;
    facts.kernels[index].accesses.hasCounters = true;
    kernelOfId.emplace(site.site.record->id, index);
    Passes &sum = passes[index];
    sum.ofRegions[regionOf(site.site)] += static_cast<double>(site.sum[format::kSectors]);
    sum.shared += static_cast<double>(site.sum[format::kSharedAccesses]);
    if (site.site.record->kind != format::SiteKind::Store)
      sum.reads += static_cast<double>(site.sum[format::kAccesses]) / (site.site.record->kind == format::SiteKind::Update ? 2 : 1);
    sum.sectors += static_cast<double>(site.sum[format::kSectors]);
    sum.wavefronts += static_cast<double>(site.sum[format::kWavefronts]);
    if (site.site.record->kind == format::SiteKind::Atomic)
      sum.turns += static_cast<double>(site.sum[format::kSerialLanes] + site.sum[format::kSharedSerialLanes]);
  }
}

void SiteKernels::add(const MemoryFinding &fault) {
  const auto [index, isGuess] = kernelOf(fault.site);
  if (index == kNobody)
    return;
  KernelFacts &kernel = facts.kernels[index];
  SiteFacts out{.fault = fault,
                .access = fault.site.text(fault.site.record->expression),
                .place = fault.site.place(false),
                .function = fault.site.text(fault.site.record->function),
                .isGuess = isGuess};
  const Passes &sum = passes[index];
  const double all = sum.sectors + sum.wavefronts + sum.turns;
  out.ofTraffic = all > 0 ? std::min(100.0, 100 * fault.saved / all) : 0;
  const bool isShared = std::string_view(fault.rule) == "bank-conflict", isAtomic = std::string_view(fault.rule) == "same-address";
  const double ofUnit = isShared ? sum.wavefronts : isAtomic ? sum.turns : sum.sectors;
  out.ofUnit = ofUnit > 0 ? std::min(100.0, 100 * fault.saved / ofUnit) : 0;
  out.region = regionOf(fault.site);
  if (out.region != RegionSet::kNone && kernel.region(out.region))
    for (const RegionFacts &other : kernel.regions)
      out.elsewhere += other.region != out.region && isWork(other.kind) ? other.share : 0;
  addTimes(out, kernel, sum);
  kernel.accesses.sites.push_back(std::move(out));
}

void SiteKernels::addTraffic() {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    KernelFacts &kernel = facts.kernels[i];
    if (!kernel.accesses.scale || passes[i].sectors == 0)
      continue;
    const auto most = std::ranges::max_element(passes[i].ofRegions, {}, [](const auto &entry) { return entry.second; });
    const double bytes = *kernel.accesses.scale * format::kSectorBytes;
    kernel.accesses.traffic = TrafficFacts{.reads = passes[i].reads * *kernel.accesses.scale,
                                           .shared = passes[i].shared * *kernel.accesses.scale,
                                           .bytes = passes[i].sectors * bytes,
                                           .region = most->first,
                                           .ofRegion = most->second * bytes};
  }
}

/// What the passes that the fix saves take at the hardware's rates, where it is known of how many launches they are.
void SiteKernels::addTimes(SiteFacts &out, const KernelFacts &kernel, const Passes &sum) const {
  if (!kernel.accesses.scale)
    return;
  const std::string_view rule = out.fault.rule;
  const bool isShared = rule == "bank-conflict", isAtomic = rule == "same-address";
  const double saved = out.fault.saved * *kernel.accesses.scale,
               ofUnit = (isShared ? sum.wavefronts : sum.sectors) * *kernel.accesses.scale;
  if (!facts.isHost && kernel.device.sms > 0 && !isAtomic) {
    const double each = kernel.launches.nsPerCycle / (isShared ? kPassesPerCycle : kSectorsPerCycle) / kernel.device.sms,
                 all = ofUnit * each;
    out.unitTime = saved * each * std::min(1.0, all > 0 ? kernel.launches.durationNs / all : 1); // no unit is busy for longer than that
  }
  const double moved = kernel.device.memoryBytesPerNs * kernel.launches.durationNs; // at most, from device memory
  if (areApart(out.fault) && sum.sectors * *kernel.accesses.scale * format::kSectorBytes <= 1.1 * moved)
    out.memoryTime = saved * format::kSectorBytes / kernel.device.memoryBytesPerNs;
}

} // namespace

bool areApart(const MemoryFinding &fault) {
  const std::string_view rule = fault.rule;
  return rule == "strided-access" || rule == "irregular-access";
}

/// What stands for the kernels of which no warp was recorded, since they have no regions. Where launches do not say which these are, the
/// functions whose accesses were counted do, of which some may be called by kernels.
static KernelFacts unrecordedKernel(const MemoryTotals &totals, const CountedLaunches &counted) {
  const std::vector<std::string> launched = counted.launchedKernels();
  if (launched.size() == 1)
    return {.name = launched.front()};
  std::set<std::string> functions;
  for (const SiteTotals &site : totals.sites())
    functions.insert(site.site.text(site.site.record->function));
  if (launched.empty() && functions.size() == 1)
    return {.name = *functions.begin()};
  return {.name = launched.empty() ? fmt::format("(unnamed: accesses in {})", fmt::join(functions, ", "))
                                   : fmt::format("({})", fmt::join(launched, ", "))};
}

/// After how much else each kernel comes back to what it touches.
static Status addReuse(ProgramFacts &facts, std::span<const Trace> traces, const std::unordered_map<std::uint32_t, std::size_t> &kernels) {
  const auto reuse = readReuse(traces, kernels, facts.kernels.size());
  if (!reuse)
    return failure(reuse.error());
  for (std::size_t i = 0; i < reuse->size(); ++i)
    if (std::optional<TrafficFacts> &traffic = facts.kernels[i].accesses.traffic) {
      traffic->footprint = (*reuse)[i].footprint;
      traffic->reuse = (*reuse)[i].distance;
    }
  return {};
}

Status addSites(ProgramFacts &facts, std::span<const Trace> traces) {
  if (!facts.hasSites)
    return {};
  const auto hasCounters = [](const Trace &trace) { return !trace.sites().empty(); };
  const auto first = std::ranges::find_if(traces, hasCounters); // those without come first
  const auto counted = CountedLaunches::read({first, traces.end()});
  if (!counted)
    return failure(counted.error());
  const auto totals = MemoryTotals::read(traces, "");
  if (!totals)
    return failure(totals.error());
  const bool hasWarps = !facts.kernels.empty();
  if (!hasWarps && !totals->sites().empty())
    facts.kernels.push_back(unrecordedKernel(*totals, *counted));
  const std::span<const Trace> withoutSites(traces.begin(), first);
  const std::span<const Trace> times = withoutSites.first(withoutSites.size() - std::min(facts.builds.unusedTimes, withoutSites.size()));
  if (Status status = addScales(facts, times, *counted); !status)
    return status;
  SiteKernels kernels(facts, hasWarps);
  kernels.count(*totals);
  for (const MemoryFinding &fault : diagnoseArrays(*totals))
    kernels.add(fault);
  kernels.addTraffic();
  return facts.isMemoryTimed() ? addReuse(facts, traces, kernels.kernelOfSite()) : Status();
}

} // namespace kperf::decoder
