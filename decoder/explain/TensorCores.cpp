// Multiplies entries of regions by what each asks of the tensor cores.
#include "decoder/explain/TensorCores.h"
#include "decoder/table/NumberFormat.h"

#include <algorithm>
#include <fmt/format.h>

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
  constexpr double kMinKept = 99.5;
  const RecordedProducts sum = recorded(kernel, feeders);
  if (sum.operations <= 0 || totals.warps == 0 || totals.cycles == 0 || launches.timedLaunches == 0 || launches.durationNs <= 0 ||
      kernel.balance.blocks == 0 || kernel.recording.recordsKept < kMinKept)
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

std::optional<TensorUse> tensorUseOf(const KernelFacts &kernel) {
  if (!kernel.tensor)
    return {};
  TensorUse out{.isWhole = kernel.tensor->isWhole,
                .isEstimated = kernel.recording.samplingInterval > 1,
                .operationsPerNs = kernel.tensor->operationsPerNs,
                .busy = kernel.tensor->busy};
  if (const auto &traffic = kernel.accesses.traffic; traffic && traffic->bytes > 0)
    out.perByte = kernel.tensor->operationsPerNs * kernel.launches.durationNs / traffic->bytes;
  return out;
}

std::string tensorText(const TensorUse &use) {
  const std::string least = fmt::format("{}{}", use.isWhole ? "" : "at least ", use.isEstimated ? "about " : "");
  std::string out = fmt::format("{}{} TFLOP/s", least, formatted(use.operationsPerNs / 1000, Unit::None, false));
  if (use.busy)
    out += fmt::format(", busy for {}{} of the time at their peak", least, formatted(*use.busy, Unit::Percent, false));
  if (use.perByte)
    out += fmt::format("; {} operations for each byte of its sectors", formatted(*use.perByte, Unit::None, false));
  return out;
}

} // namespace kperf::decoder
