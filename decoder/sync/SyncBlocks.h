// Collects the warps of each block with their waits and signals, so that one can tell who waited for whom.
#ifndef KPERF_DECODER_SYNC_BLOCKS_H
#define KPERF_DECODER_SYNC_BLOCKS_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"
#include "decoder/span/WarpGroupKey.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kperf::decoder {

/// Why something about waits is not known.
enum class UnknownReason : std::uint8_t {
  None,
  Dropped,       ///< records were dropped
  Damaged,       ///< records were damaged
  Unfinished,    ///< a warp did not finish
  Missing,       ///< warps of the block were not recorded
  Split,         ///< the block's warps stand too far from each other in the trace
  Object,        ///< what was waited for has no name that kperf knows
  NoArrival,     ///< nothing came that could have let the warp go on
  Counts,        ///< arrivals of the warps do not make phases
  Contradiction, ///< by their times two warps let each other go on
};

/// One warp of a block: a copy of its records.
struct SyncWarp {
  std::uint32_t index; ///< in the block
  std::uint64_t begin, end;
  std::uint64_t completeFrom, completeTo; ///< everything between was recorded; 0 and ~0 where nothing is missing
  UnknownReason why;                      ///< what is missing outside of that
  std::vector<Span> spans;                ///< by begin, then longer first
  std::vector<Mark> signals;              ///< by time
  std::vector<Span> open = {};            ///< regions that it was in when it was last seen, by begin
  bool isFinished = true;
};

struct SyncBlock {
  std::uint64_t gridId, block;
  std::uint32_t device, kernel; ///< as the caller numbers them
  std::vector<SyncWarp> warps;  ///< by index
  UnknownReason why;            ///< Missing or Split where not all warps are there
  bool isFinished;              ///< else `end` is the last clock that was seen
  std::uint64_t begin, end;     ///< from the first warp's begin to the last one's end

  std::uint64_t cycles() const { return end - begin; }
};

/// Collects warps by block and gives each block away when all its warps are there, when memory runs short, or at the
/// end.
class SyncBlocks {
public:
  /// Spans and signals held at once, 24 bytes each.
  static constexpr std::size_t kMaxHeld = std::size_t{1} << 20;
  using Look = std::function<void(const SyncBlock &)>;

  SyncBlocks(const RegionSet &regions, Look look, std::size_t maxHeld = kMaxHeld);

  /// Whether any region is a wait; without one there is nothing to add.
  bool areNeeded() const { return hasWaits; }
  /// Adds a warp. `expected`: warps of the block; 0 when that is not known.
  void add(std::uint32_t device, std::uint32_t kernel, std::uint64_t expected, const WarpSpans &warp);
  /// Gives away all blocks that are left; call it after each trace.
  void finish();

private:
  struct Open {
    SyncBlock block;
    std::uint64_t expected = 0, touched = 0;
    std::size_t held = 0;
  };
  void give(Open &open, UnknownReason why);
  void makeRoom();

  const RegionSet &regions;
  Look look;
  bool hasWaits;
  std::size_t maxHeld, held = 0;
  std::uint64_t clock = 0;
  std::unordered_map<WarpGroupKey, Open, WarpGroupKey::Hash> open;
  std::unordered_set<WarpGroupKey, WarpGroupKey::Hash> split;
};

/// "records were dropped", …
std::string text(UnknownReason why, const VendorTerms &terms);

} // namespace kperf::decoder

#endif
