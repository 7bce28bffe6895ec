// Measures how evenly the warps of each block share the work: how much longer the longest warp of each region takes than the mean of those
// that enter the same regions. Where warps have roles (loading, multiplying, going home), those of other roles say nothing of its share.
#ifndef KPERF_DECODER_BLOCK_BALANCE_H
#define KPERF_DECODER_BLOCK_BALANCE_H

#include "decoder/span/Nesting.h"
#include "decoder/span/WarpGroupKey.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// Collects warps by block, with bounded memory: blocks of which too many are open at once are left out, and counted.
class BlockBalance {
public:
  static constexpr std::size_t kMaxOpen = std::size_t{1} << 18; ///< rows of open blocks, 24 bytes each
  static constexpr std::uint32_t kWholeLife = RegionSet::kNone; ///< in place of a region: all of a warp's life

  /// One region in all blocks of a kernel; cycles of self time.
  struct Row {
    double excess = 0;                            ///< sum over the blocks: the longest warp's less the mean of its role's
    double alone = 0;                             ///< sum over the blocks in which one warp of several entered: that warp's
    double longest = 0, mean = 0;                 ///< sums over the blocks
    std::map<std::uint32_t, std::uint64_t> worst; ///< by index in the block: in how many blocks it was the longest
    double laneCycles = 0, cycles = 0;            ///< self time, weighted by active lanes and not
  };
  /// Self cycles of all warps, by region, in the block that lived longest.
  struct LongestBlock {
    std::uint64_t life = 0;
    std::map<std::uint32_t, double> cycles;
  };
  struct Kernel {
    double life = 0; ///< cycles from a block's first warp to its last
    std::uint64_t blocks = 0, leftOut = 0, warpsOfBlock = 0;
    std::map<std::uint32_t, Row> rows; ///< by region
    LongestBlock longest;

    /// By how many cycles the block that lived longest has more of a region than blocks have on average.
    double excessOfLongest(std::uint32_t region) const;
  };

  explicit BlockBalance(const RegionSet &regions) : regions(regions) {}

  /// Adds a warp of a kernel, as the caller numbers them. `expected`: warps of its block.
  void add(std::uint32_t device, std::uint32_t kernel, std::uint64_t expected, const WarpSpans &warp);
  /// Leaves out the blocks of which warps are missing; call it after each trace.
  void finish();
  const Kernel &kernel(std::uint32_t index) const;

private:
  struct Self {
    std::uint32_t region, warp;
    std::uint64_t cycles;
    std::uint64_t role; ///< a hash of the regions that the warp entered
  };
  struct Block {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0, warps = 0;
    std::vector<Self> selves;
  };

  void addSelves(Block &block, Kernel &kernel, const WarpSpans &warp);
  static void close(Block &block, Kernel &kernel);
  static void noteLongest(const Block &block, Kernel &kernel);
  static void addRow(Kernel &kernel, std::span<const Self> selves, std::uint64_t warps);

  const RegionSet &regions;
  Nesting nesting;
  std::vector<Kernel> kernels;
  std::unordered_map<WarpGroupKey, Block, WarpGroupKey::Hash> open;
  std::size_t held = 0;
  std::vector<std::pair<std::uint64_t, double>> inWarp; ///< by region: self cycles, and those times active lanes
  std::vector<std::uint32_t> touched;
};

} // namespace kperf::decoder

#endif
