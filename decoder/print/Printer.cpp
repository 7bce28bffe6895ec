// The table of printers, and the words for units.
#include "decoder/print/Printer.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

constexpr Printer kPrinters[] = {
#define KPERF_PRINTER(name, form, printsNotes, summary) {#name, Form::form, printsNotes, summary, name##Printer},
#include "decoder/print/Printers.def"
#undef KPERF_PRINTER
};

} // namespace

std::span<const Printer> printers() { return kPrinters; }

const Printer *findPrinter(std::string_view name) {
  const auto found = std::ranges::find(kPrinters, name, [](const Printer &printer) { return std::string_view(printer.name); });
  return found == std::end(kPrinters) ? nullptr : found;
}

std::vector<Finding> findingsOf(std::span<const Table> tables) {
  std::vector<Finding> out;
  for (const Table &table : tables)
    out.insert(out.end(), table.findings.begin(), table.findings.end());
  return out;
}

std::string keyOf(const Column &column) {
  const std::string unit = unitName(column.unit);
  return unit.empty() ? column.name : column.name + "_" + unit;
}

const char *unitName(Unit unit) {
  switch (unit) {
  case Unit::Cycles:
    return "cycles";
  case Unit::Nanoseconds:
    return "ns";
  case Unit::Bytes:
    return "bytes";
  case Unit::Percent:
    return "percent";
  case Unit::Kilohertz:
    return "khz";
  case Unit::None:
  case Unit::Ratio:
    break;
  }
  return "";
}

} // namespace kperf::decoder
