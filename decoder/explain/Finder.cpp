// The table of finders, and how they write regions, cycles and times.
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
