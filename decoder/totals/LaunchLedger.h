// Derives from each launch's warps how many there were, how long it took, and how its clocks ran.
#ifndef KPERF_DECODER_LAUNCH_LEDGER_H
#define KPERF_DECODER_LAUNCH_LEDGER_H

#include "decoder/span/ClockFit.h"

#include <kperf/format.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// What the ledger must know of a device. The caller numbers devices.
struct DeviceTraits {
  std::uint32_t timerTickNs = 0;
  std::uint32_t warpLanes = 32;
};

/// Launches are closed when many are open: memory is bounded, and a launch whose warps come back after that counts
/// twice.
class LaunchLedger {
public:
  /// Sums over the launches of a group (a kernel, as the caller numbers them).
  struct Group {
    std::uint64_t launches = 0;
    std::uint64_t warpsLaunched = 0; ///< by grid and block
    std::uint64_t warpsRecorded = 0;
    double warpsChosen = 0;          ///< that were to be recorded: where blocks were sampled, how many that is to be expected
    std::uint64_t timedLaunches = 0; ///< with a finished warp
    double durationNs = 0;           ///< of those: latest end − earliest start
    double unseenLaunches = 0, unseenWarps = 0, unseenTimed = 0; ///< for which recorded ones stand
    double unseenNs = 0;                                         ///< how long those took, which is in durationNs
    /// Of launches, warpsLaunched and durationNs, once all are counted: of those for which recorded ones stand.
    std::uint64_t estimatedLaunches = 0, estimatedWarps = 0;
    double estimatedNs = 0;
    std::uint32_t grid[3] = {}, block[3] = {}; ///< of the first launch
    bool gridVaries = false, blockVaries = false;
    RateSums clock;
    /// Blocks of the launches that are certain to have a recorded one (SampledBlocks.h), by how many blocks one was recorded of.
    std::vector<std::pair<std::uint32_t, double>> certainBlocks;
  };
  /// How to place the cycles of one launch in time.
  struct Placement {
    RateSums clock;
    std::vector<ClockOrigin> origins;
  };

  explicit LaunchLedger(bool keepsPlacements = false) : keepsPlacements(keepsPlacements) {}

  void setDevice(std::uint32_t device, const DeviceTraits &traits);
  /// Adds one warp, all its parts together. `weight`: how many launches its launch stands for.
  void add(std::uint32_t device, std::uint32_t group, const format::WarpHeader &warp, bool isFinished, double weight = 1);
  /// Adds what a reduced trace says of all launches of a group.
  void add(std::uint32_t device, std::uint32_t group, const Group &summed);
  /// Adds launches of a group of which no warp came, once all others were closed. One in `oneIn` of their blocks was to be recorded.
  void addUnseen(std::uint32_t group, std::uint64_t launches, std::uint64_t warps, std::uint32_t oneIn) {
    groups[group].launches += launches;
    groups[group].warpsLaunched += warps;
    groups[group].warpsChosen += static_cast<double>(warps) / oneIn;
  }
  /// Says what of a group's sums a reduced trace only estimated.
  void addEstimated(std::uint32_t group, std::uint64_t launches, std::uint64_t warps, double ns) {
    groups[group].estimatedLaunches += launches;
    groups[group].estimatedWarps += warps;
    groups[group].estimatedNs += ns;
  }
  /// From now on the group has the launches, too, for which recorded ones stand.
  void countAllLaunches(std::uint32_t group);
  /// How many warps a block of the warp's launch has.
  std::uint64_t warpsOfBlock(std::uint32_t device, const format::WarpHeader &warp) const;
  /// Closes every launch; call it after each trace.
  void finish();

  const Group &group(std::uint32_t index) const { return index < groups.size() ? groups[index] : nothing; }
  /// Clock sums of all launches of a device.
  RateSums deviceClock(std::uint32_t device) const { return device < deviceClocks.size() ? deviceClocks[device] : RateSums(); }
  const Placement *placement(std::uint32_t device, std::uint64_t gridId) const;
  /// Earliest start of any warp, as the device's timer has it; nothing without warps.
  std::optional<std::uint64_t> earliestNs() const { return earliest; }

private:
  static constexpr std::size_t kMaxOpen = 4096, kLeftOpen = 256, kMaxPairs = 1u << 18, kMaxPairsOfLaunch = 8192;
  static constexpr std::size_t kMaxOrigins = 1u << 20;

  struct Key {
    std::uint64_t gridId;
    std::uint32_t device;
    bool operator==(const Key &) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key &key) const { return (key.gridId + key.device) * 0x9e3779b97f4a7c15; }
  };
  struct Launch {
    std::uint32_t group;
    std::uint64_t startNs = ~std::uint64_t{0}, endNs = 0;
    std::uint64_t launched = 0, recorded = 0, finished = 0;
    std::uint32_t oneIn = 1;        ///< of its blocks
    std::uint32_t certainOneIn = 0; ///< where it is certain to have a recorded block and not all are; else 0
    std::uint32_t grid[3], block[3];
    double weight = 1;
    std::vector<ClockPair> pairs; ///< of every `stride`-th finished warp
    std::uint32_t stride = 1;
  };

  Launch &launchOf(const Key &key, std::uint32_t group, const format::WarpHeader &warp);
  void addPair(Launch &launch, const format::WarpHeader &warp);
  void closeOldest(std::size_t left);
  void close(const Key &key, Launch &launch);

  bool keepsPlacements;
  std::vector<DeviceTraits> devices;
  std::vector<RateSums> deviceClocks;
  std::vector<Group> groups;
  Group nothing;
  std::unordered_map<Key, Launch, KeyHash> open;
  Key lastKey{};
  Launch *last = nullptr;
  std::size_t pairCount = 0, originCount = 0;
  std::unordered_map<Key, Placement, KeyHash> placements;
  std::optional<std::uint64_t> earliest;
};

/// The rate by which cycles become ns: 1 on the host target; the fit over `own` launches where they are long enough;
/// else over the device's; else the nominal clock; else none.
ClockRate chooseRate(format::Target target, const RateSums &own, const RateSums &device, std::uint32_t timerTickNs, std::uint32_t clockKhz);

} // namespace kperf::decoder

#endif
