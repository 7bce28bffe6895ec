// Looks each kernel's regions up once, then asks of each warp only whether it enters one with products.
#include "decoder/explain/TensorFeeders.h"

#include <algorithm>

namespace kperf::decoder {
TensorFeeders::Entry &TensorFeeders::entryOf(std::uint32_t index, std::string_view name) {
  if (index >= entries.size())
    entries.resize(index + 1);
  Entry &entry = entries[index];
  if (entry.isKnown)
    return entry;
  entry.isKnown = true;
  entry.has.resize(regions.size());
  entry.kernel.isWhole =
      std::ranges::all_of(placedRows(rows, name, 0), [](const PlacedInstructions *row) { return row->products.has_value(); });
  for (std::uint32_t region = 0; region < regions.size(); ++region) {
    const std::vector<const PlacedInstructions *> found = placedRows(rows, name, regions[region].id);
    if (found.empty())
      continue;
    const std::optional<TensorProducts> products = entryOf<TensorProducts>(found, &PlacedInstructions::products);
    entry.has[region] = !products || products->operations > 0;
    if (products && products->operations > 0)
      entry.kernel.products.emplace(region, *products);
  }
  return entry;
}

void TensorFeeders::add(std::uint32_t kernel, std::string_view name, const WarpSpans &warp) {
  if (rows.empty())
    return;
  Entry &entry = entryOf(kernel, name);
  Kernel &sums = entry.kernel;
  sums.allLives += static_cast<double>(warp.cycles());
  std::set<std::uint32_t> entered;
  std::uint32_t last = RegionSet::kNone;
  const auto see = [&](std::uint32_t region) {
    if (region != last)
      entered.insert(region);
    last = region;
  };
  for (const Span &span : warp.spans)
    see(span.region);
  for (const RegionSum &sum : warp.sums)
    see(sum.region);
  const auto has = [&](std::uint32_t region) { return region < entry.has.size() && entry.has[region]; };
  if (std::ranges::none_of(entered, has))
    return;
  ++sums.warps;
  sums.life += static_cast<double>(warp.cycles());
  for (const std::uint32_t region : entered)
    sums.isWhole = sums.isWhole && (!has(region) || sums.products.contains(region));
  sums.entered.merge(entered);
}

const TensorFeeders::Kernel *TensorFeeders::kernel(std::uint32_t index) const {
  const bool has = index < entries.size() && std::ranges::find(entries[index].has, 1) != entries[index].has.end();
  return has && entries[index].kernel.warps > 0 ? &entries[index].kernel : nullptr;
}

} // namespace kperf::decoder
