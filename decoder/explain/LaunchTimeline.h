// Measures how well the blocks of each launch fill the device, and how long it idles between launches.
#ifndef KPERF_DECODER_LAUNCH_TIMELINE_H
#define KPERF_DECODER_LAUNCH_TIMELINE_H

#include "decoder/span/Spans.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace kperf::decoder {

class LaunchTimeline {
public:
  static constexpr std::size_t kMaxBlocks = std::size_t{1} << 20; ///< of a trace; what comes later is left out

  /// Sums over the launches of a kernel. Times in ns.
  struct Kernel {
    std::uint64_t launches = 0, blocks = 0, leftOut = 0;
    double duration = 0; ///< from a launch's first block to its last
    double even = 0;     ///< what it would be if the work of its end were shared evenly by as many blocks as ran at once before
    double blockTime = 0;
    double longest = 0; ///< of each launch the longest block
    std::uint64_t maxAtOnce = 0, maxBlocks = 0;
    std::uint64_t longestBlock = 0; ///< the block that was the longest in the launch where that took most
    double longestTime = 0;
    double gaps = 0; ///< before its launches, while nothing else ran on the device
    std::uint64_t gapCount = 0;
    /// Whether nothing is known to have run in those gaps: of every launch on the device, of any kernel, all blocks were recorded.
    bool areGapsIdle = true;
  };
  static constexpr std::uint32_t kOther = ~std::uint32_t{0}; ///< a kernel of which no sums are wanted: it only fills gaps

  /// Reads which launches a trace should have, of which add() gets the warps.
  Status begin(const Trace &trace);
  /// Adds a warp of a kernel, as the caller numbers them, or of kOther.
  void add(std::uint32_t device, std::uint32_t kernel, const format::WarpHeader &warp);
  /// Closes all launches; call it after each trace.
  void finish();
  const Kernel &kernel(std::uint32_t index) const;

private:
  struct Block {
    std::uint64_t begin, end;
  };
  struct Launch {
    std::uint32_t kernel = 0;
    std::uint64_t grid = 0;                ///< blocks
    bool isSampled = false;                ///< only a part of its blocks was to be recorded
    std::map<std::uint64_t, Block> blocks; ///< by number
  };

  void close(Launch &launch);
  void addGaps();

  std::map<std::pair<std::uint32_t, std::uint64_t>, Launch> open; ///< by device and grid id
  struct Stretch {
    std::uint32_t device;
    std::uint64_t begin, end;
    std::uint32_t kernel;
    bool isWhole; ///< all its blocks are known
  };
  bool areGapsIdle(std::span<const Stretch> ofDevice) const;
  void addGapsOf(std::span<const Stretch> ofDevice, bool areIdle);

  std::vector<Stretch> stretches;                ///< of the launches of a trace
  std::map<std::uint32_t, std::uint64_t> listed; ///< by device: launches of the trace that the host made
  std::set<std::uint32_t> cut;                   ///< devices of the trace with warps that were left out
  bool hasLosses = false, hasUnprobed = false;   ///< of the trace: of launches or warps; launches that ran without probes
  std::size_t held = 0;
  std::vector<Kernel> kernels;
};

} // namespace kperf::decoder

#endif
