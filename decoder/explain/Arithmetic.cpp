// Multiplies entries of regions by what each asks of the tensor cores and of the other floating-point units.
#include "decoder/explain/Arithmetic.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

/// A warp's own products keep one of the four tensor cores busy, its scheduler's, or are a quarter of its warpgroup's.
constexpr double kSharers = 4;

/// Of all entries that were recorded.
struct RecordedProducts {
  double operations = 0;
  std::optional<double> cycles = 0;
  bool isAsynchronous = true;
};

RecordedProducts recorded(const KernelFacts &kernel, const TensorFeeders::Kernel &feeders) {
  RecordedProducts sum;
  for (const RegionFacts &region : kernel.regions) {
    const auto found = feeders.products.find(region.region);
    if (found == feeders.products.end())
      continue;
    const TensorProducts &each = found->second;
    const auto count = static_cast<double>(region.count);
    sum.operations += count * each.operations;
    sum.cycles = sum.cycles && each.cycles ? std::optional(*sum.cycles + count * *each.cycles) : std::nullopt;
    sum.isAsynchronous &= each.isAsynchronous;
  }
  return sum;
}

std::optional<TensorFacts> tensorFacts(const KernelFacts &kernel, const TensorFeeders::Kernel &feeders, const KernelTotals &totals,
                                       const LaunchLedger::Group &launches) {
  const RecordedProducts sum = recorded(kernel, feeders);
  if (sum.operations <= 0 || totals.warps == 0 || totals.cycles == 0 || launches.timedLaunches == 0 || launches.durationNs <= 0 ||
      kernel.balance.blocks == 0 || !kernel.recording.hasNearlyAll())
    return {};
  // Of a launch: warps that were not recorded do what the others do.
  const double scale =
      static_cast<double>(launches.warpsLaunched) / static_cast<double>(totals.warps) / static_cast<double>(launches.launches);
  const double duration = launches.durationNs / static_cast<double>(launches.timedLaunches);
  const auto life = static_cast<double>(totals.cycles);
  TensorFacts out{.isWhole = feeders.isWhole, .isAsynchronous = sum.isAsynchronous, .operationsPerNs = sum.operations * scale / duration};
  out.warpsOfBlock = static_cast<double>(feeders.warps) / static_cast<double>(kernel.balance.blocks);
  out.life = 100 * feeders.life / feeders.allLives;
  if (sum.cycles && kernel.device.sms > 0 && kernel.launches.nsPerCycle > 0)
    out.busy = 100 * *sum.cycles * scale * kernel.launches.nsPerCycle / (duration * kernel.device.sms);
  out.alone = 100 * kSharers * sum.cycles.value_or(0) / life;
  for (const RegionFacts &region : kernel.regions) {
    const auto found = feeders.products.find(region.region);
    const bool has = found != feeders.products.end();
    out.inProducts += has ? region.share : 0;
    std::uint32_t &largest = has ? out.region : out.other; // those of most self time come first
    if (largest == RegionSet::kNone && (has || feeders.entered.contains(region.region)))
      largest = region.region;
    if (has && out.region == region.region)
      out.regionAlone = kSharers * found->second.cycles.value_or(0);
  }
  return out;
}

} // namespace

void addTensorFacts(KernelFacts &kernel, const TensorFeeders::Kernel &feeders, const KernelTotals &totals,
                    const LaunchLedger::Group &launches) {
  kernel.tensor = tensorFacts(kernel, feeders, totals, launches);
  for (RegionFacts &region : kernel.regions)
    region.isBesideWgmma = kernel.tensor && kernel.tensor->isAsynchronous && feeders.entered.contains(region.region);
}

void addFloatFacts(KernelFacts &kernel, std::span<const PlacedInstructions> rows, const RegionSet &regions, const KernelTotals &totals,
                   const LaunchLedger::Group &launches) {
  if (!kernel.recording.hasNearlyAll() || totals.warps == 0 || launches.timedLaunches == 0 || launches.durationNs <= 0)
    return;
  // Warps that were not recorded do what the others do, and launches that were not timed as well.
  const double scale = static_cast<double>(launches.warpsLaunched) / static_cast<double>(totals.warps) *
                       static_cast<double>(launches.timedLaunches) / static_cast<double>(launches.launches);
  const auto isKnown = [](const PlacedInstructions *row) { return row->floats.has_value(); };
  FloatFacts out{.isWhole = std::ranges::all_of(placedRows(rows, kernel.name, 0), isKnown)};
  std::optional<double> cycles = 0;
  double operations = 0, ofAllLanes = 0;
  for (const RegionFacts &region : kernel.regions) {
    const std::vector<const PlacedInstructions *> found = placedRows(rows, kernel.name, regions[region.region].id);
    const std::optional<FloatOperations> each = entryOf<FloatOperations>(found, &PlacedInstructions::floats);
    out.isWhole &= found.empty() || each;
    if (!each || each->operations <= 0)
      continue;
    const double count = scale * static_cast<double>(region.count);
    // Lanes that are off take the units' time, too.
    const double lanes = region.lanes > 0 ? region.lanes / kernel.device.warpLanes : 1;
    out.ofRegion[region.region] += count * each->operations * lanes;
    operations += count * each->operations * lanes;
    ofAllLanes += count * each->operations;
    cycles = cycles && each->cycles ? std::optional(*cycles + count * *each->cycles) : std::nullopt;
  }
  if (operations <= 0)
    return;
  out.operationsPerNs = operations / launches.durationNs;
  if (cycles && kernel.device.sms > 0 && kernel.launches.nsPerCycle > 0) {
    const double busyNs = *cycles * kernel.launches.nsPerCycle / kernel.device.sms;
    out.busy = 100 * busyNs / launches.durationNs;
    out.peak = ofAllLanes / busyNs;
  }
  kernel.floats = out;
}

} // namespace kperf::decoder
