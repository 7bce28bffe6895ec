// A ring between warps whose consumers wait for the producer.
//
// A wait is a consumer's where something had to come before each of its entries: those of a producer pass for each slot's first use, or
// are not made for it and known by the ring that they are for (WarpRings.h). (A producer that waits for its consumers is no defect: they
// are what the kernel is for.) Model: a producer that hardly waits for slots, or a region that is busy for most of its block's life, is the
// pace of all (late-producer): if its region took no time the path would be shorter by its gain (replay of the block), which is the most;
// how far it can be shortened is not in the trace, so likely half, and at least nothing. Else the sides take turns for want of slots
// (shallow-ring): with enough of them the block takes as long as its busiest region does. At best all beyond that is saved, at least a
// quarter. How many slots are enough, and what they are likely to save (else three quarters), says a replay of the block; where that is
// next to nothing, the ring is not shallow.
#include "decoder/explain/Finder.h"
#include "decoder/sync/WarpRings.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace kperf::decoder {
namespace {

bool isRingWait(const Region &wait) { return wait.operation == format::SyncOperation::Await && isHandover(wait.object); }

bool isProducers(const KernelFacts &kernel, const RegionSet &regions, std::uint32_t wait, const WaitSum &sum) {
  const format::SyncObject object = regions[wait].object;
  return object == format::SyncObject::PipelineStage || object == format::SyncObject::PipelineSlot || sum.unneeded > 0 ||
         kernel.sync->rings.asks.contains(wait);
}

/// Whether it is the whole body of a kernel, as --auto=kernels times it: both sides of a ring are in it all the time.
bool isWholeKernel(const RegionSet &regions, std::uint32_t region) {
  const Region &whole = regions[region];
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    if (const Region &kernel = regions[i]; i != region && kernel.kind == format::RegionKind::Kernel && kernel.file == whole.file &&
                                           kernel.line == whole.line && kernel.endLine == whole.endLine && kernel.line > 0)
      return whole.kind == format::RegionKind::Automatic;
  return false;
}

/// Who releases waits, as findings call it.
std::string producerText(const ProgramFacts &program, std::uint32_t region, bool isWhole) {
  if (region == RegionSet::kNone)
    return "code outside of all regions";
  return isWhole ? "code in no region but that of the whole kernel" : regionText(program, region);
}

/// Percent of the blocks' lives that a warp is in one region: the most of all regions.
double busy(const KernelFacts &kernel, const RegionSet &regions) {
  double most = 0;
  for (const auto &[region, row] : kernel.balance.rows)
    if (region != BlockBalance::kWholeLife && regions[region].kind != format::RegionKind::Wait &&
        regions[region].kind != format::RegionKind::Kernel)
      most = std::max(most, row.longest);
  return kernel.balance.life > 0 ? 100 * most / kernel.balance.life : 100;
}

/// Percent of the blocks' lives that producers wait for free slots; nothing where none does.
std::optional<double> waitedForSlots(const KernelFacts &kernel, const RegionSet &regions) {
  std::optional<double> cycles;
  for (const auto &[region, sum] : kernel.sync->waits)
    if (isRingWait(regions[region]) && isProducers(kernel, regions, region, sum))
      cycles = cycles.value_or(0) + static_cast<double>(sum.cycles - std::min(sum.latency, sum.cycles));
  if (!cycles || kernel.sync->cycles == 0)
    return {};
  return 100 * *cycles / static_cast<double>(kernel.sync->cycles);
}

PathStep::Kind kindOf(const Releaser &releaser) {
  return releaser.region == RegionSet::kNone ? PathStep::Kind::NoRegion : PathStep::Kind::Region;
}

/// What released the most waits, a region's warps or asynchronous work; of several, the one that the kernel would gain most by. Nothing
/// where that is known of none.
std::optional<Releaser> mainReleaser(const KernelFacts &kernel, const WaitSum &sum) {
  if (sum.releasedBy.empty())
    return {};
  const auto weight = [&](const auto &entry) {
    return std::pair(entry.second, kernel.gainOf(kindOf(entry.first), entry.first.region).value_or(0));
  };
  return std::ranges::max_element(sum.releasedBy, {}, weight)->first;
}

std::string moreSlots(const RingSums &rings, std::uint32_t wait) {
  const auto slots = rings.slots.find(wait);
  if (slots == rings.slots.end())
    return "more slots, so that the producer runs ahead";
  return fmt::format("{} slots in place of {}{}, so that the producer runs ahead", slots->second.enough, slots->second.there,
                     rings.rings > 1 ? fmt::format(" (the block's {} rings together)", rings.rings) : "");
}

} // namespace

void findLateProducer(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  if (!kernel.sync)
    return;
  constexpr double kBusy = 85, kWaiting = 10; // percent: in its region, and in waits, a warp that never waits for long
  const std::optional<double> waiting = waitedForSlots(kernel, *program.regions);
  for (const auto &[region, sum] : kernel.sync->waits) {
    const std::optional<Releaser> by = mainReleaser(kernel, sum);
    if (!isRingWait((*program.regions)[region]) || isProducers(kernel, *program.regions, region, sum) || !by || by->isFlight ||
        4 * sum.waited < sum.count)
      continue;
    const double most = kernel.gainOf(kindOf(*by), by->region).value_or(0);
    if (most < kMinEvidence)
      continue;
    const double busiest = busy(kernel, *program.regions);
    const std::optional<double> saved = kernel.sync->rings.saved(region);
    const bool isShallow =
        busiest < kBusy && busiest > 0 && waiting.value_or(kWaiting) >= kWaiting && saved.value_or(kMinEvidence) >= kMinEvidence;
    const bool isWhole = by->region != RegionSet::kNone && isWholeKernel(*program.regions, by->region);
    const std::string producer = producerText(program, by->region, isWhole);
    Explained found{.rule = isShallow ? "shallow-ring" : "late-producer",
                    .what = isShallow ? fmt::format("both sides of a ring wait in turn: {} for {}", regionText(program, region), producer)
                                      : fmt::format("{} waits for {}", regionText(program, region), producer)};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{} of {} entries waited, {} each; {} is {:.1f} % of the critical path; the busiest "
                                 "region takes {:.0f} % of the {}'s life",
                                 sum.waited, sum.count, cyclesText(static_cast<double>(sum.cycles) / static_cast<double>(sum.count)),
                                 producer, most, busiest, program.block());
    found.command = "overlap";
    found.isOfWaits = true;
    found.why = isShallow ? "a slot is free only when the other side has finished the one before: nothing runs ahead"
                          : "that region is busy all the time: it alone sets the pace";
    found.remedy = isShallow ? moreSlots(kernel.sync->rings, region) + "; the consumer releases each as early as it can"
                   : isWhole ? fmt::format("put regions around what the producer does (KPERF_SCOPE, kperf-cc --auto=loops), and make the "
                                           "one that it is in longest shorter, start it earlier, or give it more {}s",
                                           program.warp())
                             : fmt::format("make {} shorter, start it earlier, or give it more {}s", producer, program.warp());
    found.confirm = "waited and mean of that wait in kperf overlap";
    found.noise = kernel.probesOf(by->region);
    const double turns = 100 - busiest; // what taking turns costs
    found.gain = isShallow ? Gain{turns / 4, saved ? std::clamp(*saved, turns / 4, turns) : 0.75 * turns, turns} : Gain{0, most / 2, most};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
