// Formats numbers for people.
#include "decoder/table/NumberFormat.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace kperf::decoder {
namespace {

struct Scale {
  double divisor;
  const char *unit;
};

constexpr Scale kTimes[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};
constexpr Scale kCycles[] = {{1, "cycles"}, {1e3, "kcycles"}, {1e6, "Mcycles"}, {1e9, "Gcycles"}};
constexpr Scale kBytes[] = {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}};
constexpr Scale kFrequencies[] = {{1, "kHz"}, {1e3, "MHz"}, {1e6, "GHz"}};
constexpr Scale kPercent[] = {{1, "%"}};
constexpr Scale kPlain[] = {{1, ""}};

/// Scales of a unit, and the number from which the next one is used.
std::span<const Scale> scalesOf(Unit unit) {
  switch (unit) {
  case Unit::Nanoseconds:
    return kTimes;
  case Unit::Cycles:
    return kCycles;
  case Unit::Bytes:
    return kBytes;
  case Unit::Kilohertz:
    return kFrequencies;
  case Unit::Percent:
    return kPercent;
  case Unit::None:
  case Unit::Ratio:
    break;
  }
  return kPlain;
}

} // namespace

double divisorFor(Unit unit, double least, double most) {
  constexpr double kMost = 1e6;
  double divisor = 1;
  for (const Scale &next : scalesOf(unit))
    if (least / divisor >= (unit == Unit::Cycles && divisor == 1 ? kMost : 1e4) || most / divisor >= kMost)
      divisor = next.divisor;
  return divisor;
}

NumberFormat formatFor(Unit unit, double most, bool isWhole) { return formatIn(unit, divisorFor(unit, most, most), most, isWhole); }

NumberFormat formatIn(Unit unit, double divisor, double most, bool isWhole) {
  const Scale scale = *std::ranges::find(scalesOf(unit), divisor, &Scale::divisor);
  const double shown = most / scale.divisor;
  unsigned decimals = shown < 10 ? 3 : shown < 100 ? 2 : 1;
  if (unit == Unit::Percent)
    decimals = 1;
  if (unit == Unit::Ratio)
    decimals = 2;
  if (scale.divisor == 1 && isWhole)
    decimals = 0;
  return {scale.divisor, scale.unit, decimals};
}

std::string formatted(double value, const NumberFormat &format) {
  const double scaled = value / format.divisor;
  unsigned decimals = format.decimals;
  const double size = std::abs(scaled);
  if (size > 0 && size < 1 && decimals > 0)
    while (decimals < 6 && size * std::pow(10, decimals) < 1)
      ++decimals;
  return fmt::format("{:.{}f}", scaled, decimals);
}

std::string formatted(double value, Unit unit, bool isWhole) {
  const NumberFormat format = formatFor(unit, value, isWhole);
  return formatted(value, format) + (format.unit.empty() ? "" : " ") + format.unit;
}

} // namespace kperf::decoder
