// The table of finders, what they ask of a kernel, and how they write regions, cycles and times.
#include "decoder/explain/Finder.h"
#include "decoder/table/NumberFormat.h"

#include <fmt/format.h>

namespace kperf::decoder {

std::span<const Finder> finders() {
  static constexpr Finder kFinders[] = {
#define KPERF_FINDER(name) {#name, find##name},
#include "decoder/explain/Finders.def"
#undef KPERF_FINDER
  };
  return kFinders;
}

std::optional<double> KernelFacts::gainOf(PathStep::Kind kind, std::uint32_t region) const {
  if (!sync || sync->cycles == 0 || sync->incomplete > 0)
    return {};
  const auto found = sync->steps.find({kind, region, UnknownReason::None});
  if (found == sync->steps.end())
    return 0.0; // not on any path: to shorten it gains nothing
  if (found->second.replayed == 0)
    return {};
  return 100 * static_cast<double>(found->second.gain) / static_cast<double>(sync->cycles);
}

const RegionFacts *KernelFacts::region(std::uint32_t index) const {
  const auto found = std::ranges::find(regions, index, &RegionFacts::region);
  return found == regions.end() ? nullptr : &*found;
}

std::optional<double> KernelFacts::probesIn(double percent) const {
  if (!recording.probeCost)
    return {};
  return percent * *recording.probeCost / 100;
}

std::optional<double> KernelFacts::probesOf(std::uint32_t index) const {
  const RegionFacts *const facts = region(index);
  return facts ? facts->probeShare : probesIn(0);
}

std::string cyclesText(double cycles) { return formatted(cycles, Unit::Cycles, true); }
std::string nsText(double ns) { return formatted(ns, Unit::Nanoseconds, true); }

std::string_view passUnitText(PassUnit unit) {
  switch (unit) {
  case PassUnit::Sectors:
    return "sectors";
  case PassUnit::SharedPasses:
    return "passes over shared memory";
  case PassUnit::AtomicTurns:
    return "turns of atomics";
  }
  return "";
}

std::string regionText(const ProgramFacts &program, std::uint32_t region) {
  if (region >= program.regions->size())
    return "the kernel";
  const Region &row = (*program.regions)[region];
  const char *kind = row.kind == format::RegionKind::Wait ? "wait" : row.kind == format::RegionKind::Kernel ? "kernel" : "region";
  return fmt::format("{} '{}'", kind, row.name);
}

std::string placeOf(const ProgramFacts &program, std::uint32_t region) {
  if (region >= program.regions->size())
    return "";
  return (*program.regions)[region].location();
}

std::string withoutFolders(const std::string &place) { return place.substr(place.rfind('/') + 1); }

} // namespace kperf::decoder
