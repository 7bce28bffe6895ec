// Finds who waited for whom in one block: what released each wait, and the asynchronous work between issue and completion.
#ifndef KPERF_DECODER_SYNC_GRAPH_H
#define KPERF_DECODER_SYNC_GRAPH_H

#include "decoder/sync/SyncBlocks.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// Follows docs/reference/format.md, "Waits and signals". Nothing is guessed: where a record that matters may be missing, a wait is
/// not known.
class SyncGraph {
public:
  static constexpr std::uint32_t kNone = ~0u;
  /// What a wait may take that finds its asynchronous work complete, in cycles: a longer one waited for it. Nothing but
  /// the length of the wait says so. Chosen, not measured: above such a wait's instructions and its probe, below what
  /// memory takes.
  static constexpr std::uint64_t kPassCycles = 64;
  /// What a wait of which no arrival is in the trace, or no object known, may take and still be one that found nothing to wait for: longer,
  /// and something is missing. On an H200, with one warp a scheduler, a wait on an mbarrier whose phase was over took 71 with its probe
  /// (examples/pipeline).
  static constexpr std::uint64_t kReadyCycles = 128;

  /// An arrival (of a wait on a barrier, or a signal), an issue or a commit.
  struct Event {
    std::uint64_t at;
    std::uint32_t warp; ///< index in the block's warps
    std::uint32_t region;
  };
  enum class Verdict : std::uint8_t {
    NotWaited,   ///< what it waits for was there already, or it came last itself
    Released,    ///< by `by`, or by the completion of `flight`
    OtherBlocks, ///< by a block that may be another one; `released` and `by` are the last of this block to come
    NotKnown,
  };
  struct Wait {
    std::uint64_t begin, end;
    std::uint32_t warp, region, object;
    bool isOfCluster = false; ///< other blocks may take part
    bool isFirst = false;     ///< begins before anybody has passed a wait on the object since the block began
    bool isInner = false;     ///< begins inside another wait of the warp, as of a construct inside another: not followed
    Verdict verdict = Verdict::NotWaited;
    UnknownReason why = UnknownReason::None; ///< of NotKnown
    bool isByFlight = false;                 ///< of Released: by its flight
    std::uint64_t released = 0;
    std::uint32_t by = kNone;     ///< index in events(): the last arrival, or what issued the flight
    std::uint32_t phase = kNone;  ///< index in phases(): arrivals that it needs, whether it waited for them or not
    std::uint32_t flight = kNone; ///< index in flights(): work that it needs

    std::uint64_t cycles() const { return end - begin; }
  };
  /// Arrivals that let waits go on when the last of them has come.
  struct Phase {
    std::uint32_t first, count; ///< in phaseEvents()
    std::uint64_t released;     ///< when the last one came
    std::uint32_t by;           ///< that one
  };
  /// Asynchronous work from its issue to the first wait that saw it complete.
  struct Flight {
    std::uint32_t event;    ///< its first issue, or its commit
    std::uint64_t observed; ///< when it was seen to be complete
    std::uint64_t exposed;  ///< how long that wait waited while it was under way
    bool isBound;           ///< it was complete before: the observed length is an upper bound
    std::uint64_t assumed;  ///< its length, or the shortest seen of its kind where that is only bounded
  };

  explicit SyncGraph(const RegionSet &regions) : regions(regions) {}

  /// Looks at a block; what was found lives until the next call, and the block has to.
  void build(const SyncBlock &block);

  std::span<const Wait> waits() const { return waitList; }    ///< by warp, then begin
  std::span<const Event> events() const { return eventList; } ///< by warp
  std::span<const Phase> phases() const { return phaseList; }
  std::span<const std::uint32_t> phaseEvents() const { return phaseMembers; }
  std::span<const Flight> flights() const { return flightList; }

private:
  struct Object { ///< all that happened on one: indices, by time
    format::SyncObject kind;
    std::uint32_t value;
    std::vector<std::uint32_t> arrivals, issues; ///< arrivals: of waits and of signals
    std::vector<std::uint32_t> signals;          ///< those of signals alone
    std::vector<std::uint32_t> barriers, awaits;
    std::vector<std::vector<std::uint32_t>> arrivalsOf; ///< by warp
    std::vector<std::uint32_t> lanesOf;                 ///< by warp: that signalled last
    bool isDiverged = false;                            ///< lanes of a warp signalled that did not always
    std::vector<std::uint64_t> ends;                    ///< of awaits, ascending
  };
  struct Groups { ///< of one kind of asynchronous work of a warp
    struct Group {
      std::uint32_t event; ///< its first issue, else its commit
      bool hasIssue;
      bool isEmpty; ///< nothing was issued into it, for what is issued into groups that close there is in the trace
    };
    std::vector<Group> closed;
    std::uint32_t firstIssue = kNone; ///< of the group that is open
    bool hasIssues = false;           ///< of any group
    std::size_t done = 0;             ///< groups that were seen complete
  };
  static constexpr std::size_t kGroupKinds = 3;
  static bool isGroup(format::SyncObject kind);
  static std::size_t groupOf(format::SyncObject kind);

  void noteCommits(const SyncWarp &warp);
  void collect(std::uint32_t warp);
  void addWait(std::uint32_t warp, const Span &span, Groups (&groups)[kGroupKinds]);
  void addSignal(std::uint32_t warp, const Mark &mark, Groups (&groups)[kGroupKinds]);
  void nest(const Wait &wait);
  void awaitGroups(Wait &wait, Groups &groups);
  Object &objectOf(std::uint32_t region, std::uint32_t object);
  const Object *pipelineOf(const Object &stages) const;                     ///< null where none was committed to
  std::size_t arrivalsBefore(const Object &object, const Wait &wait) const; ///< of the wait's own warp
  void sortObject(Object &object);
  void resolveBarriers(Object &object);
  void takeSignals(const Object &object, std::uint64_t firstEnd);
  void resolveAwaits(Object &object);
  void resolvePipeline(Object &object);
  void resolveStages(Object &object);
  void findReleases(const Object &object, Wait &wait, std::size_t number);
  bool hasCountedArrivals(const Object &object, Wait &wait, std::size_t count);
  void findArrivals(const Object &object, Wait &wait);
  void findIssue(const Object &object, Wait &wait);
  std::uint32_t addPhase();
  std::uint32_t addFlight(std::uint32_t event);
  void settleFlights();
  void settle(Wait &wait);
  bool isLong(const Wait &wait) const;
  UnknownReason unknownBetween(std::uint64_t from, std::uint64_t to) const;
  static void giveUp(Wait &wait, UnknownReason why);

  const RegionSet &regions;
  const SyncBlock *block = nullptr;
  std::vector<Wait> waitList;
  std::vector<Event> eventList;
  std::vector<Phase> phaseList;
  std::vector<std::uint32_t> phaseMembers;
  std::vector<Flight> flightList;
  std::vector<Object> objects;
  std::unordered_map<std::uint64_t, std::uint32_t> objectIndex; ///< by kind and object
  std::uint64_t completeFrom = 0, completeTo = 0;               ///< everything that any warp did between was recorded
  UnknownReason whyFrom = UnknownReason::None, whyTo = UnknownReason::None;
  bool hasRemoteArrivals = false;     ///< other blocks may arrive at barriers of this one
  bool hasUnnumberedArrivals = false; ///< some are at barriers of the block of which the number is not known
  std::vector<bool> closesIssues;     ///< by region: it closed a group into which an issue is in the trace
  std::vector<Span> warpWaits;        ///< of the warp at hand
  std::uint32_t outer = kNone;        ///< the warp's last wait that is not inside another

  // Of the object at hand.
  std::vector<std::uint32_t> members;                           ///< of the phase at hand
  std::unordered_map<std::uint64_t, std::uint32_t> phaseIndex;  ///< by count, or by range of arrivals
  std::unordered_map<std::uint32_t, std::uint32_t> flightIndex; ///< by first issue
  std::vector<std::uint64_t> previousEnd, previousRelease;      ///< by warp: of its last wait
  std::uint64_t lastFirstEnd = 0, lastRelease = 0;              ///< of the phase before
  std::size_t nextSignal = 0;                                   ///< the first one after lastRelease
};

} // namespace kperf::decoder

#endif
