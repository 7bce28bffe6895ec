// Says in tables of memory accesses where the truth lies, of numbers that are estimates from a sample.
#include "decoder/memory/SampledBounds.h"

#include <algorithm>
#include <span>

namespace kperf::decoder {
namespace {

using format::SiteCounter;

/// A column: a counter, `scale` times, by another one where that differs.
struct EstimatedColumn {
  const char *name;
  SiteCounter counter, base;
  double scale = 1;
  bool isOfAll = false; ///< the base is that of all rows together

  bool isSum() const { return counter == base && !isOfAll; }
};

constexpr EstimatedColumn sumColumn(const char *name, SiteCounter counter, double scale = 1) { return {name, counter, counter, scale}; }
constexpr EstimatedColumn shareColumn(const char *name, SiteCounter counter) { return {name, counter, counter, 100, true}; }

constexpr EstimatedColumn kGlobalColumns[] = {
    shareColumn("share", format::kSectors),
    {"efficiency", format::kMinSectors, format::kSectors, 100},
    sumColumn("sectors", format::kSectors),
    sumColumn("min-sectors", format::kMinSectors),
    sumColumn("accesses", format::kAccesses),
    {"lanes", format::kLanes, format::kAccesses},
    sumColumn("bytes", format::kBytes),
    sumColumn("distinct-bytes", format::kDistinctBytes),
    sumColumn("traffic", format::kSectors, format::kSectorBytes),
    sumColumn("lines", format::kLines),
    sumColumn("min-lines", format::kMinLines),
    {"bytes-per-line", format::kDistinctBytes, format::kLines},
    sumColumn("misaligned", format::kMisaligned),
    {"same-address", format::kSerialLanes, format::kAccesses},
};

constexpr EstimatedColumn kSharedColumns[] = {
    shareColumn("share", format::kWavefronts),
    {"conflict-ways", format::kWavefronts, format::kMinWavefronts},
    sumColumn("wavefronts", format::kWavefronts),
    sumColumn("min-wavefronts", format::kMinWavefronts),
    sumColumn("accesses", format::kSharedAccesses),
    {"stride", format::kSharedStrideBytes, format::kSharedStrided},
    {"lanes", format::kSharedLanes, format::kSharedAccesses},
    sumColumn("bytes", format::kSharedBytes),
    {"same-address", format::kSharedSerialLanes, format::kSharedAccesses},
};

std::optional<double> errorOfRatio(const SampledSum &row, SiteCounter counter, const SampledSum &of, SiteCounter base) {
  const auto whole = static_cast<double>(of.sum[base]);
  const std::optional<double> own = row.errorOf(counter), all = of.errorOf(base);
  if (!own || !all)
    return std::nullopt;
  return row.sampled[counter].errorOfRatio(of.sampled[base], static_cast<double>(row.sum[counter]) / whole, whole);
}

} // namespace

std::optional<double> SampledSum::errorOf(SiteCounter counter) const {
  if (sum[counter] > 0)
    return sampled[counter].error();
  const bool isKnown = sampled[format::kAccesses].error() && sampled[format::kSharedAccesses].error();
  return isKnown ? std::optional(0.0) : std::nullopt;
}

void addBounds(Table &table, const SampledSum &row, const SampledSum &all, bool isShared) {
  static constexpr const char *kRemedy = "count all: KPERF_SAMPLE=1, and with nvcc kperf-cc --exact";
  for (const EstimatedColumn &each : isShared ? std::span<const EstimatedColumn>(kSharedColumns) : kGlobalColumns) {
    const SampledSum &of = each.isOfAll ? all : row;
    if (!each.isSum() && of.sum[each.base] == 0)
      continue; // an empty cell, or a 0 for "none"
    const std::optional<double> error = each.isSum() ? row.errorOf(each.counter) : errorOfRatio(row, each.counter, of, each.base);
    const std::pair key(table.rows.size(), keyOf(*std::ranges::find(table.columns, std::string_view(each.name), &Column::name)));
    const double value =
        each.scale * static_cast<double>(row.sum[each.counter]) / (each.isSum() ? 1 : static_cast<double>(of.sum[each.base]));
    if (!error)
      table.remedies[key] = kRemedy;
    else if (*error > 0)
      table.bounds[key] = {std::max(0.0, value - each.scale * *error), value + each.scale * *error, kRemedy};
  }
}

} // namespace kperf::decoder
