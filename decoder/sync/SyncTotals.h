// Sums the waits, asynchronous work and critical paths of a kernel's blocks.
#ifndef KPERF_DECODER_SYNC_TOTALS_H
#define KPERF_DECODER_SYNC_TOTALS_H

#include "decoder/sync/CriticalPath.h"
#include "decoder/sync/Replay.h"
#include "decoder/sync/SelfTime.h"
#include "decoder/sync/SyncGraph.h"
#include "decoder/totals/Quantiles.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kperf::decoder {

/// Who lets a wait go on: asynchronous work, by the region of its issue, or a warp, by the region that it was in.
struct Releaser {
  bool isFlight;
  std::uint32_t region; ///< RegionSet::kNone outside of all regions
  auto operator<=>(const Releaser &) const = default;
};

/// All waits at one place in the source.
struct WaitSum {
  std::uint64_t count = 0, waited = 0, otherBlocks = 0, notKnown = 0, inner = 0;
  std::uint64_t unneeded = 0; ///< that passed with nothing that had to come: a ring's slots before their first use
  std::uint64_t cycles = 0, max = 0;
  std::uint64_t latency = 0;                    ///< cycles after the release, of those that waited
  std::map<Releaser, std::uint64_t> releasedBy; ///< of those that waited
  std::map<UnknownReason, std::uint64_t> why;   ///< of those that are not known
};

/// All asynchronous work that was issued at one place in the source.
struct FlightSum {
  Quantiles lengths;
  std::uint64_t exposed = 0, bounds = 0;
};

/// The slots of a kernel's rings.
struct RingSums {
  struct Slots {
    std::uint32_t there = 0, enough = 0; ///< the most of all rings; enough: see RingDepth.h
  };
  std::map<std::uint32_t, Slots> slots; ///< by the regions of the drainers' waits, and of copies that fill slots
  std::set<std::uint32_t> asks;         ///< regions of waits for free slots
  std::size_t rings = 0;                ///< of a block, at most
  std::uint64_t cycles = 0, then = 0;   ///< that the blocks looked at took, and would take with enough slots

  /// Percent that they would take less; nothing where the region is no ring's.
  std::optional<double> saved(std::uint32_t region) const;
};

/// All steps of one kind on the paths.
struct StepSum {
  std::uint64_t cycles = 0, gain = 0;
  std::uint64_t blocks = 0;   ///< in whose path it is
  std::uint64_t replayed = 0; ///< of those, for how many the gain was computed
};

struct KernelSync {
  std::uint64_t blocks = 0, cycles = 0; ///< cycles: lives of the blocks, and the lengths of their paths
  std::uint64_t incomplete = 0, unfinished = 0;
  std::uint64_t contradictory = 0;            ///< of which no gain could be computed
  std::map<std::uint32_t, WaitSum> waits;     ///< by region
  std::map<std::uint32_t, FlightSum> flights; ///< by the region of the issue
  RingSums rings;                             ///< where depths were wanted
  std::map<PathStep, StepSum> steps;
};

/// Looks at one block after the other.
class SyncTotals {
public:
  /// Steps of a block's path whose gain is computed: each costs one run through the block's events.
  static constexpr std::size_t kMaxReplays = 16;
  /// Blocks of a kernel whose rings' depths are computed: each ring of them costs some ten such runs.
  static constexpr std::uint64_t kMaxRingBlocks = 16;

  /// `wantsDepths`: KernelSync::rings, too, which take about as long as all the rest of a block.
  explicit SyncTotals(const RegionSet &regions, bool wantsDepths = false)
      : regions(regions), wantsDepths(wantsDepths), graph(regions), path(regions), replay(regions) {}

  void add(const SyncBlock &block);
  /// Of a kernel as the blocks' caller numbers them; null when it has no waits.
  const KernelSync *kernel(std::uint32_t index) const;

  /// Of the block that was added last.
  const SyncGraph &lastGraph() const { return graph; }
  const CriticalPath &lastPath() const { return path; }
  /// Of a wait that an arrival let go on (`by`): the region that the warp which arrived was in for longest before, of its last 256
  /// stretches, since it last waited, or passed a barrier with the waiting warp, of its last 64 waits. RegionSet::kNone for none.
  std::uint32_t busyBefore(const SyncGraph::Wait &wait) const;

private:
  bool doMeet(std::uint32_t phase, std::uint32_t warp, std::uint32_t other) const;
  std::uint64_t freeSince(const SyncGraph::Wait &wait) const;
  void addWaits(KernelSync &sums);
  void addFlights(KernelSync &sums);
  void addRings(RingSums &sums, const SyncBlock &block);
  void addPath(KernelSync &sums, const SyncBlock &block);

  const RegionSet &regions;
  bool wantsDepths;
  SyncGraph graph;
  SelfTime own;
  CriticalPath path;
  Replay replay;
  std::vector<KernelSync> kernels;
  std::map<PathStep, std::uint64_t> steps; ///< of a block's path
};

} // namespace kperf::decoder

#endif
