// Numbers regions that share a key, in the order of the source: what stays of a region when lines move.
#ifndef KPERF_DECODER_REGION_ORDINALS_H
#define KPERF_DECODER_REGION_ORDINALS_H

#include "decoder/span/RegionSet.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace kperf::decoder {

/// By index in `regions`: the ordinal of each, from 0, among those of an equal `keyOf(region)`, by file, line and column.
template <typename KeyOf> std::vector<std::uint32_t> ordinalsOf(const RegionSet &regions, KeyOf keyOf) {
  std::vector<std::uint32_t> order(regions.size()), ordinals(regions.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return std::tie(regions[i].file, regions[i].line, regions[i].column); });
  std::map<decltype(keyOf(regions[0])), std::uint32_t> seen;
  for (const std::uint32_t i : order)
    ordinals[i] = seen[keyOf(regions[i])]++;
  return ordinals;
}

} // namespace kperf::decoder

#endif
