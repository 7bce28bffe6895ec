// A ring between warps whose consumers wait for the producer.
//
// A wait is a consumer's where something had to come before each of its entries: those of a producer pass for each slot's first use. (A
// producer that waits for its consumers is no defect: they are what the kernel is for.)
// Model: the region that lets such waits go on is exposed for as long as it is on the critical path. If it took no time the path would be
// shorter by its gain (replay of the block): that is the most. Where only the consumers wait the producer is too slow (late-producer); where
// producers wait too, there are too few slots to run ahead (shallow-ring). How far it can be shortened is not in the trace: likely half.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

bool isRingWait(const Region &wait) {
  using format::SyncObject;
  return wait.operation == format::SyncOperation::Await &&
         (wait.object == SyncObject::SharedBarrier || wait.object == SyncObject::Pipeline || wait.object == SyncObject::PipelineStage);
}

bool isProducers(const Region &wait, const WaitSum &sum) {
  return wait.object == format::SyncObject::PipelineStage || sum.unneeded > 0;
}

/// The region whose warps let most waits go on; nothing where asynchronous work did, or nobody.
std::optional<Releaser> mainReleaser(const WaitSum &sum) {
  if (sum.releasedBy.empty())
    return {};
  const auto most = std::ranges::max_element(sum.releasedBy, {}, [](const auto &entry) { return entry.second; });
  return most->first;
}

} // namespace

void findLateProducer(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  if (!kernel.sync)
    return;
  std::size_t waiting = 0; // places at which producers waited in earnest
  for (const auto &[region, sum] : kernel.sync->waits)
    waiting += isRingWait((*program.regions)[region]) && isProducers((*program.regions)[region], sum) && 4 * sum.waited >= sum.count;
  for (const auto &[region, sum] : kernel.sync->waits) {
    const std::optional<Releaser> by = mainReleaser(sum);
    if (!isRingWait((*program.regions)[region]) || isProducers((*program.regions)[region], sum) || !by || by->isFlight || 4 * sum.waited < sum.count)
      continue;
    const auto kind = by->region == RegionSet::kNone ? PathStep::Kind::NoRegion : PathStep::Kind::Region;
    const double most = kernel.gainOf(kind, by->region).value_or(0);
    if (most < kLeastEvidence)
      continue;
    const bool isShallow = waiting > 0;
    const std::string producer = by->region == RegionSet::kNone ? "code outside of all regions" : regionText(program, by->region);
    Explained found{.rule = isShallow ? "shallow-ring" : "late-producer",
                    .what = isShallow ? fmt::format("both sides of a ring wait in turn: {} for {}", regionText(program, region), producer)
                                      : fmt::format("{} waits for {}", regionText(program, region), producer)};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{} of {} entries waited, {:.4g} cycles each; {} is {:.1f} % of the critical path", sum.waited, sum.count,
                                 static_cast<double>(sum.cycles) / static_cast<double>(sum.count), producer, most);
    found.command = "overlap";
    found.why = isShallow ? "a stage is free only when the other side has finished the one before: nothing runs ahead"
                          : "the producer never waits: it alone sets the pace";
    found.remedy = isShallow ? "more stages, so that the producer runs ahead; the consumer releases each as early as it can"
                             : fmt::format("make {} shorter, start it earlier, or give it more {}s", producer, program.warp());
    found.confirm = "waited and mean of that wait in kperf overlap";
    const RegionFacts *facts = kernel.region(by->region);
    found.noise = facts ? facts->probeShare : 0;
    found.gain = {0, most / 2, std::min(100.0, most + 2)};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
