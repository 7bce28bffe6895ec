// Names one region of a source, so that it can be left out.
#ifndef KPERF_REWRITERS_REGIONPLACE_H
#define KPERF_REWRITERS_REGIONPLACE_H

#include "rewriters/plan/Region.h"

#include <compare>
#include <string>

namespace kperf {

/// Which region it is, whatever else is recorded.
struct RegionPlace {
  std::string file; ///< as the compiler was given it
  unsigned line = 0, column = 0;
  std::string name;

  auto operator<=>(const RegionPlace &) const = default;
};

inline RegionPlace placeOf(const Region &region) { return {region.file, region.line, region.column, region.name}; }

} // namespace kperf

#endif
