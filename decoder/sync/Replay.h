// Computes how long a block would take if something in it took no time, by replaying its waits, signals and own time.
#ifndef KPERF_DECODER_REPLAY_H
#define KPERF_DECODER_REPLAY_H

#include "decoder/sync/CriticalPath.h"
#include "decoder/sync/SelfTime.h"
#include "decoder/sync/SyncGraph.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// Warps do the same in the same order; a wait ends when its warp is there, its arrivals have come and its asynchronous
/// work is complete, and what it took after that stays. What is not known stays where it is.
class Replay {
public:
  explicit Replay(const RegionSet &regions) : regions(regions) {}

  /// False when the block's times contradict each other.
  bool build(const SyncBlock &block, const SyncGraph &graph, const SelfTime &own);

  /// Cycles from the block's begin to its end with nothing changed: the block's own.
  std::uint64_t cycles() const { return lengthWithout({PathStep::Kind::NotKnown}); }
  /// The same if everything of the kind that `step` says took no time.
  std::uint64_t lengthWithout(const PathStep &step) const { return length(step, {}); }
  /// Waits for a ring's slots, of each warp that does, by time (indices in SyncGraph::waits()), and how many slots the ring has more.
  struct Deeper {
    std::span<const std::vector<std::uint32_t>> asks;
    std::size_t more;
  };
  /// The same if nothing took less time, but rings had more slots: each wait for one needs what the one so many before it in its warp did.
  std::uint64_t lengthWith(std::span<const Deeper> rings) const;

private:
  using Kind = PathStep::Kind;
  static constexpr std::uint32_t kNone = SyncGraph::kNone;
  struct Share { ///< cycles of a node's own time
    PathStep step;
    std::uint64_t cycles;
  };
  struct Node {
    enum class Is : std::uint8_t { Begin, Event, WaitBegin, WaitEnd, End } is;
    std::uint32_t warp, previous; ///< the node before it in the warp; of a WaitEnd its WaitBegin
    std::uint64_t at;
    std::uint32_t what = kNone; ///< event or wait
    std::uint32_t firstShare = 0,
                  shares = 0; ///< own time since the previous node, or what is left of a wait after its release
  };

  void addNodes(std::uint32_t warp);
  void addShares(Node &node, std::uint64_t from);
  void addTail(Node &node, const SyncGraph::Wait &wait);
  using Needs = std::vector<std::uint32_t>; ///< by wait: that whose needs it has, or kNone; empty: each has its own
  std::uint64_t length(const PathStep &without, const Needs &needs) const;
  std::uint64_t rest(const Node &node, const PathStep &without) const;
  std::uint64_t waitEnd(const Node &node, const PathStep &without, const Needs &needs) const;
  bool needsPhase(const SyncGraph::Wait &wait) const;
  bool needsFlight(const SyncGraph::Wait &wait) const;
  bool order();
  bool isBlocked(const Node &node);
  void finish(std::uint32_t event);
  void linkPhases();

  const RegionSet &regions;
  const SyncBlock *block = nullptr;
  const SyncGraph *graph = nullptr;
  const SelfTime *own = nullptr;
  std::vector<Node> nodes; ///< by warp and time
  std::vector<Share> shareList;
  std::vector<std::uint32_t> warpFirst;                                ///< by warp: its first node; and the number of all
  std::vector<std::uint32_t> nodeOfEvent, sequence;                    ///< sequence: nodes, each after what it needs
  std::vector<std::uint32_t> phasesFirst, phasesOfEvent;               ///< by event: the phases that it is in
  std::vector<std::uint32_t> left, ready;                              ///< by phase: events to come; warps that can go on
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> blocked; ///< warps by phase, then by event
  std::vector<bool> isDone;                                            ///< by event
  mutable std::vector<std::uint64_t> times, phaseTimes;                ///< of a run
};

} // namespace kperf::decoder

#endif
