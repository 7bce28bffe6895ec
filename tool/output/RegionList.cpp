// Lists regions as compilers write places: FILE:LINE:COLUMN, then the kind and the name.
#include "tool/output/RegionList.h"

#include "tool/cc/Messages.h"

using namespace llvm;

namespace kperf {

static StringRef kindName(format::RegionKind kind) {
  switch (kind) {
  case format::RegionKind::Kernel:
    return "kernel";
  case format::RegionKind::Scope:
    return "scope";
  case format::RegionKind::Range:
    return "range";
  case format::RegionKind::Mark:
    return "mark";
  case format::RegionKind::Pragma:
    return "pragma";
  case format::RegionKind::Automatic:
    return "automatic";
  case format::RegionKind::Calibration:
    return "calibration";
  case format::RegionKind::Wait:
    return "wait";
  case format::RegionKind::Signal:
    return "signal";
  }
  return "unknown";
}

void printRegions(const RewriteResult &result, raw_ostream &out) {
  for (const Region &region : result.regions)
    out << cc::printable(region.file) << ':' << region.line << ':' << region.column << ": " << kindName(region.asked.value_or(region.kind))
        << " \"" << cc::printable(region.name) << "\" in " << region.function << (region.isSummed ? ", summed up" : "")
        << (region.asked ? ", a range: what it declares stays visible" : "") << '\n';
  for (const SkippedSite &site : result.skipped)
    out << cc::printable(site.file) << ':' << site.line << ':' << site.column << ": left out \"" << site.name << "\" in " << site.function
        << ": " << site.reason << '\n';
}

} // namespace kperf
