// Assigns the faults of memory accesses to kernels, with the share of the kernel's traffic that each wastes.
#include "decoder/explain/SiteFacts.h"
#include "decoder/explain/CountedLaunches.h"
#include "decoder/explain/Reuse.h"
#include "decoder/trace/CompiledFunction.h"

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

/// By how much each kernel's counters have to be multiplied to be those of its timed launches. Of counters that are of several kernels
/// together nobody knows one's part.
void addScales(ProgramFacts &facts, const CountedLaunches &timed, const CountedLaunches &counted) {
  for (KernelFacts &kernel : facts.kernels) {
    const std::string name = qualifiedNameOf(kernel.name);
    const LaunchCount own{kernel.launches.count, kernel.launches.warpsLaunched};
    if (kernel.accesses.kernels > 1)
      continue;
    if (facts.hasSitesInTimes)
      kernel.accesses.scale = kernel.launches.timesAsRecorded;
    else if (timed.of(name).launches <= own.launches)
      kernel.accesses.scale = scaleOfCounters(own, counted.of(name));
    if (kernel.accesses.scale)
      *kernel.accesses.scale *= kernel.launches.timedShare;
  }
}

class SiteKernels {
public:
  /// `hasWarps`: the kernels are those that have some; else one stands for all.
  SiteKernels(ProgramFacts &facts, const CountedLaunches &timed, const CountedLaunches &counted, bool hasWarps)
      : facts(facts), timed(timed), counted(counted), hasWarps(hasWarps), passes(facts.kernels.size()) {}

  void count(const MemoryTotals &totals);
  void add(const MemoryFinding &fault);
  /// What counts of accesses come to in the timed launches.
  void addTraffic();
  /// Which kernel each site is of, by the site's id.
  const std::unordered_map<std::uint32_t, std::size_t> &kernelOfSite() const { return kernelOfId; }

private:
  struct Owners {
    std::vector<std::size_t> kernels;
    bool isGuess = false;
    std::size_t together = 1; ///< kernels that its counters are of, those that were not asked for too
  };
  bool isLeftOut(const std::string &function) const;
  std::vector<std::size_t> namedLike(const TracedSite &site) const;
  Owners ownersOf(const TracedSite &site) const;
  void count(const SiteTotals &site, std::size_t kernel);
  void add(const MemoryFinding &fault, const Owners &owners, std::size_t kernel);
  void addTimes(SiteFacts &out, const KernelFacts &kernel, const Passes &sum) const;
  std::uint32_t regionOf(const TracedSite &site) const {
    return site.record->region ? facts.regions->find(site.record->region) : RegionSet::kNone;
  }

  ProgramFacts &facts;
  const CountedLaunches &timed, &counted;
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

/// The kernels whose function holds the site: instances of one, and where several are of one name those of its file, if that tells.
std::vector<std::size_t> SiteKernels::namedLike(const TracedSite &site) const {
  const std::string function = site.text(site.record->function), plain(CompiledFunction(function).name);
  const std::string label = site.function.substr(std::min(plain.size(), site.function.size())); // as of " (file.cu)"
  std::vector<std::size_t> out, labelled;
  for (std::size_t i = 0; i < facts.kernels.size(); ++i) {
    const std::string &name = facts.kernels[i].name;
    if (qualifiedNameOf(name) == plain || name == plain || name == site.function)
      out.push_back(i);
    if (!out.empty() && out.back() == i && name.ends_with(label))
      labelled.push_back(i);
  }
  return labelled.empty() ? out : labelled;
}

/// Of a function that is no kernel those that were in its region, and where that is not known the kernel that took longest.
SiteKernels::Owners SiteKernels::ownersOf(const TracedSite &site) const {
  const std::string function = site.text(site.record->function);
  if (Owners named{.kernels = namedLike(site)}; !named.kernels.empty()) {
    const std::string plain(CompiledFunction(function).name);
    named.together = std::max({named.kernels.size(), counted.instancesOf(plain), timed.instancesOf(plain)});
    return named;
  }
  Owners out;
  const std::uint32_t region = regionOf(site);
  for (std::size_t i = 0; region != RegionSet::kNone && i < facts.kernels.size(); ++i)
    if (facts.kernels[i].region(region))
      out.kernels.push_back(i);
  out.together = std::max<std::size_t>(1, out.kernels.size());
  if (!out.kernels.empty() || facts.kernels.empty() || isLeftOut(function))
    return out;
  const auto durationOf = [](const KernelFacts &kernel) { return kernel.launches.durationNs; };
  out.kernels.push_back(static_cast<std::size_t>(std::ranges::max_element(facts.kernels, {}, durationOf) - facts.kernels.begin()));
  out.isGuess = facts.kernels.size() > 1;
  return out;
}

void SiteKernels::count(const MemoryTotals &totals) {
  for (const TracedSite &site : totals.unseen())
    for (const std::size_t index : ownersOf(site).kernels)
      ++facts.kernels[index].accesses.uncounted;
  for (const SiteTotals &site : totals.sites()) {
    const Owners owners = ownersOf(site.site);
    for (const std::size_t index : owners.kernels) {
      AccessFacts &accesses = facts.kernels[index].accesses;
      accesses.hasCounters = true;
      accesses.kernels = std::max(accesses.kernels, owners.together);
      count(site, index);
    }
  }
}

void SiteKernels::count(const SiteTotals &site, std::size_t kernel) {
  kernelOfId.emplace(site.site.record->id, kernel);
  Passes &sum = passes[kernel];
  sum.ofRegions[regionOf(site.site)] += static_cast<double>(site.sum[format::kSectors]);
  sum.shared += static_cast<double>(site.sum[format::kSharedAccesses]);
  if (site.site.record->kind != format::SiteKind::Store)
    sum.reads += static_cast<double>(site.sum[format::kAccesses]) / (site.site.record->kind == format::SiteKind::Update ? 2 : 1);
  sum.sectors += static_cast<double>(site.sum[format::kSectors]);
  sum.wavefronts += static_cast<double>(site.sum[format::kWavefronts]);
  if (site.site.record->kind == format::SiteKind::Atomic)
    sum.turns += static_cast<double>(site.sum[format::kSerialLanes] + site.sum[format::kSharedSerialLanes]);
}

void SiteKernels::add(const MemoryFinding &fault) {
  const Owners owners = ownersOf(fault.site);
  for (const std::size_t index : owners.kernels)
    add(fault, owners, index);
}

void SiteKernels::add(const MemoryFinding &fault, const Owners &owners, std::size_t index) {
  KernelFacts &kernel = facts.kernels[index];
  SiteFacts out{.fault = fault,
                .access = fault.site.text(fault.site.record->expression),
                .place = fault.site.place(false),
                .function = fault.site.text(fault.site.record->function),
                .isGuess = owners.isGuess,
                .kernels = owners.together};
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
  const auto timed = CountedLaunches::read(times);
  if (!timed)
    return failure(timed.error());
  SiteKernels kernels(facts, *timed, *counted, hasWarps);
  kernels.count(*totals);
  addScales(facts, *timed, *counted);
  for (const MemoryFinding &fault : diagnoseArrays(*totals))
    kernels.add(fault);
  kernels.addTraffic();
  return facts.isMemoryTimed() ? addReuse(facts, traces, kernels.kernelOfSite()) : Status();
}

} // namespace kperf::decoder
