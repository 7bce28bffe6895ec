// Finds the warps that give tensor cores their work, and adds up what that is, from what kperf verify says of the program.
#ifndef KPERF_DECODER_TENSOR_FEEDERS_H
#define KPERF_DECODER_TENSOR_FEEDERS_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"
#include "decoder/view/PlacedInstructions.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace kperf::decoder {

class TensorFeeders {
public:
  /// Of one kernel, as far as it was recorded.
  struct Kernel {
    std::uint64_t warps = 0; ///< that entered a region with products
    double life = 0;         ///< of those, in cycles
    double allLives = 0;     ///< of all warps
    bool isWhole = true;     ///< all products are in regions, and known of each that was entered
    /// By region: what one entry asks for. Regions without products, and those of which it is not known, are not there.
    std::map<std::uint32_t, TensorProducts> products;
    std::set<std::uint32_t> entered; ///< regions that those warps entered
  };

  /// `rows`: of the program that wrote the traces; none: nothing is known of any kernel.
  TensorFeeders(const RegionSet &regions, std::span<const PlacedInstructions> rows) : regions(regions), rows(rows) {}

  /// Adds a warp of a kernel, as the caller numbers them.
  void add(std::uint32_t kernel, std::string_view name, const WarpSpans &warp);
  /// Null where it was not added, or none of its instructions uses tensor cores.
  const Kernel *kernel(std::uint32_t index) const;

private:
  struct Entry {
    Kernel kernel;
    std::vector<std::uint8_t> has; ///< by region: whether it has products
    bool isKnown = false;
  };

  Entry &entryOf(std::uint32_t kernel, std::string_view name);

  const RegionSet &regions;
  std::span<const PlacedInstructions> rows;
  std::vector<Entry> entries;
};

} // namespace kperf::decoder

#endif
