// Holds operations against the time and the bytes of the same launches.
#include "decoder/explain/UnitUse.h"
#include "decoder/table/NumberFormat.h"

#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// `use` with what holds for all units; `peak`: operations per ns.
UnitUse compared(UnitUse use, const KernelFacts &kernel, const std::optional<double> &peak) {
  use.isEstimated = kernel.recording.samplingInterval > 1;
  if (const auto &traffic = kernel.accesses.traffic; traffic && traffic->bytes > 0)
    use.perByte = use.operationsPerNs * kernel.launches.durationNs / traffic->bytes;
  if (peak && kernel.device.memoryBytesPerNs > 0)
    use.balanced = *peak / kernel.device.memoryBytesPerNs;
  return use;
}

} // namespace

std::optional<UnitUse> tensorUseOf(const KernelFacts &kernel) {
  if (!kernel.tensor)
    return {};
  const TensorFacts &facts = *kernel.tensor;
  const auto peak = facts.busy && *facts.busy > 0 ? std::optional(100 * facts.operationsPerNs / *facts.busy) : std::nullopt;
  return compared({.isWhole = facts.isWhole, .operationsPerNs = facts.operationsPerNs, .busy = facts.busy}, kernel, peak);
}

std::optional<UnitUse> floatUseOf(const KernelFacts &kernel) {
  if (!kernel.floats)
    return {};
  const FloatFacts &facts = *kernel.floats;
  return compared({.isWhole = facts.isWhole, .operationsPerNs = facts.operationsPerNs, .busy = facts.busy}, kernel, facts.peak);
}

std::string useText(const UnitUse &use) {
  const std::string least = fmt::format("{}{}", use.isWhole ? "" : "at least ", use.isEstimated ? "about " : "");
  std::string out = fmt::format("{}{} TFLOP/s", least, formatted(use.operationsPerNs / 1000, Unit::None, false));
  if (use.busy)
    out += fmt::format(", busy for {}{} of the time at their peak", least, formatted(*use.busy, Unit::Percent, false));
  if (use.perByte)
    out += fmt::format("; {} operations for each byte of its sectors", formatted(*use.perByte, Unit::None, false));
  if (use.perByte && use.balanced)
    out += fmt::format(" (at {} both peaks meet)", formatted(*use.balanced, Unit::None, false));
  return out;
}

} // namespace kperf::decoder
