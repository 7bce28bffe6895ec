// Which faults of memory accesses belong to which kernel, and how much of its traffic each wastes.
#include "decoder/explain/SiteFacts.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace kperf::decoder {
namespace {

/// Whether a region of that kind is a part of its kernel that does something.
bool isWork(format::RegionKind kind) { return !isInstant(kind) && kind != format::RegionKind::Wait && kind != format::RegionKind::Kernel; }

/// Passes of one kind: what a kernel's accesses take of each unit.
struct Passes {
  double sectors = 0, wavefronts = 0, turns = 0;
};

class SiteKernels {
public:
  explicit SiteKernels(ProgramFacts &facts) : facts(facts), passes(facts.kernels.size()) {}

  void count(const MemoryTotals &totals);
  void add(const MemoryFinding &fault);

private:
  std::size_t kernelOf(const TracedSite &site) const;
  std::uint32_t regionOf(const TracedSite &site) const {
    return site.record->region ? facts.regions->find(site.record->region) : RegionSet::kNone;
  }

  ProgramFacts &facts;
  std::vector<Passes> passes; ///< by kernel
};

std::size_t SiteKernels::kernelOf(const TracedSite &site) const {
  const std::string function = site.text(site.record->function);
  const std::uint32_t region = regionOf(site);
  std::size_t most = 0;
  for (std::size_t i = 0; i < facts.kernels.size(); ++i) {
    const KernelFacts &kernel = facts.kernels[i];
    if (qualifiedNameOf(kernel.name) == function || kernel.name == function)
      return i;
    if (region != RegionSet::kNone && kernel.region(region))
      return i;
    if (kernel.durationNs > facts.kernels[most].durationNs)
      most = i;
  }
  return most;
}

void SiteKernels::count(const MemoryTotals &totals) {
  for (const SiteTotals &site : totals.sites()) {
    Passes &sum = passes[kernelOf(site.site)];
    sum.sectors += static_cast<double>(site.sum[format::kSectors]);
    sum.wavefronts += static_cast<double>(site.sum[format::kWavefronts]);
    if (site.site.record->kind == format::SiteKind::Atomic)
      sum.turns += static_cast<double>(site.sum[format::kSerialLanes] + site.sum[format::kSharedSerialLanes]);
  }
}

void SiteKernels::add(const MemoryFinding &fault) {
  const std::size_t index = kernelOf(fault.site);
  KernelFacts &kernel = facts.kernels[index];
  SiteFacts out{.fault = fault,
                .access = fault.site.text(fault.site.record->expression),
                .place = fault.site.place(false),
                .function = fault.site.text(fault.site.record->function)};
  out.place.erase(0, out.place.rfind('/') + 1);
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
  const double rate = isShared ? kPassesPerCycle : kSectorsPerCycle;
  if (!facts.isHost && kernel.sms > 0 && !isAtomic) {
    const double each = kernel.nsPerCycle / rate / kernel.sms, all = ofUnit * each;
    out.unitTime = fault.saved * each * std::min(1.0, all > 0 ? kernel.durationNs / all : 1); // no unit is busy for longer than that
  }
  const double moved = kernel.memoryBytesPerNs * kernel.durationNs; // at most, from device memory
  if (areApart(fault) && sum.sectors * format::kSectorBytes <= 1.1 * moved)
    out.memoryTime = fault.saved * format::kSectorBytes / kernel.memoryBytesPerNs;
  kernel.sites.push_back(std::move(out));
}

} // namespace

bool areApart(const MemoryFinding &fault) {
  const std::string_view rule = fault.rule;
  return rule == "strided-access" || rule == "irregular-access";
}

/// What stands for the kernels of which no warp was recorded, since they have no regions.
static KernelFacts unrecordedKernel(const MemoryTotals &totals) {
  KernelFacts out;
  for (const SiteTotals &site : totals.sites()) {
    const std::string function = site.site.text(site.site.record->function);
    out.name = out.name.empty() || out.name == function ? function : "(kernels without regions)";
  }
  return out;
}

Status addSites(ProgramFacts &facts, std::span<const Trace> traces) {
  if (!facts.hasSites)
    return {};
  const auto totals = MemoryTotals::read(traces, "");
  if (!totals)
    return failure(totals.error());
  if (facts.kernels.empty() && !totals->sites().empty())
    facts.kernels.push_back(unrecordedKernel(*totals));
  SiteKernels kernels(facts);
  kernels.count(*totals);
  for (const MemoryFinding &fault : diagnoseAccesses(*totals))
    kernels.add(fault);
  return {};
}

} // namespace kperf::decoder
