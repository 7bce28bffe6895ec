// Everything that the finders read: what the traces say of a program and of each of its kernels, read once.
#ifndef KPERF_DECODER_FACTS_H
#define KPERF_DECODER_FACTS_H

#include "decoder/explain/BlockBalance.h"
#include "decoder/explain/LaunchTimeline.h"
#include "decoder/memory/MemoryFindings.h"
#include "decoder/sync/SyncTotals.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/view/PlacedInstructions.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kperf::decoder {

/// One region of a kernel. Percent are of the kernel's warp-time.
struct RegionFacts {
  std::uint32_t region; ///< index in the RegionSet
  std::string name;
  std::string place; ///< "src/file.cu:12", the path as the compiler had it; "" when unknown
  format::RegionKind kind;
  std::uint64_t count = 0;
  double share = 0;                  ///< of self time
  std::optional<double> probeShare;  ///< what its own probes may have added to that; nothing where no calibration knows it
  double p50 = 0, p99 = 0, mean = 0; ///< cycles; 0 where the entries were summed up
  double beyondMedian = 0;           ///< percent: what its entries of twice the median or more took beyond the median
  double lanes = 0;                  ///< mean of active lanes, by time; 0 where not known
  /// Whether warps enter it that issue wgmma, as far as that is known: its time tells what other warps leave them, of tensor cores and of
  /// the scheduler.
  bool isBesideWgmma = false;
};

/// What is wrong with an access site, or with several of one array, with what it means for the kernel.
struct SiteFacts {
  MemoryFinding fault;
  std::string access, place, function;
  std::uint32_t region = RegionSet::kNone;
  bool isGuess = false;    ///< that it is this kernel's: it stands in a function that several may call, and took longest
  std::size_t kernels = 1; ///< that its numbers are of together: instances of the kernel, or those that enter its region
  double ofTraffic = 0;    ///< percent of the kernel's passes (sectors, wavefronts and turns) that the fix would save
  double ofUnit = 0;       ///< percent of those of its unit only
  double elsewhere = 0;    ///< percent of the kernel's warp-time that other regions work
  double unitTime = 0;     ///< ns of all launches that the saved passes take at the rate of a multiprocessor; 0 where not known
  double memoryTime = 0;   ///< the same at the rate of device memory, of sectors that lie apart; 0 where not known, or if caches hold them
};

/// What a kernel's accesses of global memory come to in all of its timed launches, as far as they were counted.
struct TrafficFacts {
  double reads = 0;                        ///< instructions of warps that read: loads, updates and atomics
  double shared = 0;                       ///< those that access shared memory
  double bytes = 0;                        ///< of the sectors that they and the stores touch, caches' hits included
  std::uint32_t region = RegionSet::kNone; ///< that moves most of it
  double ofRegion = 0;                     ///< bytes
  double footprint = 0;                    ///< bytes of the lines touched, of the run that touched most; 0: not known
  std::optional<double> reuse;             ///< bytes of other lines between two uses of a line: the median
};

/// What tensor cores do in a kernel, as far as the program's machine code says.
struct TensorFacts {
  bool isWhole = false;                    ///< else it is what some of its regions ask for, at least
  bool isAsynchronous = false;             ///< wgmma: warps go on while they multiply
  double operationsPerNs = 0;              ///< multiplications and additions, over the launches' duration
  std::optional<double> busy;              ///< percent of that in which the tensor cores of all multiprocessors are busy at their peak rate
  double warpsOfBlock = 0;                 ///< that enter regions with products
  double life = 0;                         ///< of those warps; this and the following are percent of the kernel's warp-time
  double inProducts = 0;                   ///< regions with products
  double alone = 0;                        ///< what those products would take if those of no other warp came between; 0: not known
  std::uint32_t region = RegionSet::kNone; ///< of those with products, that with most time
  double regionAlone = 0;                  ///< cycles that one entry's products would take so; 0: not known
  std::uint32_t other = RegionSet::kNone;  ///< of those that the same warps are in without
};

/// What the floating-point units beside the tensor cores do in a kernel, as far as the program's machine code says. In as many
/// lanes as are on in a region on average of its time, where that is known, else in all.
struct FloatFacts {
  bool isWhole = false;                     ///< else it is what some of its regions ask for, at least
  double operationsPerNs = 0;               ///< multiplications and additions, over the launches' duration
  std::optional<double> busy;               ///< percent of that in which the units of all multiprocessors are busy at their peak rate
  std::optional<double> peak;               ///< operations per ns, all lanes being on
  std::map<std::uint32_t, double> ofRegion; ///< operations of all timed launches, without regions inside
};

/// All that were recorded, or should have been; where some were chosen by chance, estimates for all of those that there were.
struct LaunchFacts {
  std::uint64_t count = 0, warpsLaunched = 0;
  std::uint64_t recorded = 0;       ///< of `count`
  std::uint64_t warps = 0;          ///< recorded
  std::uint64_t warpsNotChosen = 0; ///< of `warpsLaunched`, about: those of launches for which recorded ones stand
  double timedShare = 1;            ///< of `count`: the others left no warp that ended, for want of room
  std::uint32_t grid[3] = {}, block[3] = {};
  bool gridVaries = false;
  double durationNs = 0;      ///< of those that were timed
  double timesAsRecorded = 1; ///< that, as what those took that were recorded
  double nsPerCycle = 0;

  std::uint64_t warpsChosen() const { return warpsLaunched - std::min(warpsLaunched, warpsNotChosen); }
};

/// The GPU that a kernel ran on.
struct DeviceFacts {
  std::string name, architecture; ///< "NVIDIA H100", "sm_90"
  std::uint32_t sms = 0, warpLanes = 32;
  double memoryBytesPerNs = 0; ///< that its memory moves at most; 0: not known
  format::DeviceLimitsRecord limits{};
};

/// How a kernel was recorded, and what that cost.
struct RecordingFacts {
  std::optional<double> probeCost;            ///< percent of warp-time; nothing where no calibration knows it
  double probedShare = 1;                     ///< probedShare()
  bool hasCostlyAtomics = false;              ///< hasCostlyAtomics()
  double recordsKept = 100;                   ///< percent of those of recorded warps
  std::optional<std::uint64_t> recordsNeeded; ///< KernelTotals::recordsNeeded()
  /// Percent of the warps that were chosen to be recorded, where blocks were sampled and there was not room for all; else nothing.
  std::optional<double> roomFound;
  std::uint64_t unfinished = 0;                 ///< warps that had not finished when they were last seen
  std::map<std::uint32_t, std::uint64_t> stuck; ///< by region, a wait: those of them that were in it
  bool isSummed = false;                        ///< entries were summed up on the device
  std::uint32_t samplingInterval = 1;           ///< of blocks

  /// Whether so few records were lost that counts are those of the kernel.
  bool hasNearlyAll() const { return recordsKept >= 99.5; }
};

/// Memory accesses, where these were counted.
struct AccessFacts {
  std::vector<SiteFacts> sites; ///< those that would save most first
  bool hasCounters = false;
  std::size_t uncounted = 0; ///< places of its source whose accesses are not counted
  std::size_t kernels = 1;   ///< that its counters are of together, at most
  /// What the counters have to be multiplied by to be those of the timed launches; nothing where these differ in more than number from
  /// those that were counted.
  std::optional<double> scale;
  std::optional<TrafficFacts> traffic; ///< nothing where `scale` is nothing, or nothing was counted
};

struct KernelFacts {
  std::string name;
  LaunchFacts launches;
  DeviceFacts device;
  RecordingFacts recording;
  double outside = 0;               ///< percent of warp-time in no region, as kperf report has it
  double unattributed = 0;          ///< the same without what probes take there, where that is known
  std::vector<RegionFacts> regions; ///< those of most self time first
  const KernelSync *sync = nullptr; ///< null without waits
  BlockBalance::Kernel balance;
  LaunchTimeline::Kernel timeline;
  AccessFacts accesses;
  std::optional<TensorFacts> tensor;              ///< where kperf verify's table was given, and names products in its regions
  std::optional<FloatFacts> floats;               ///< likewise, and names floating-point instructions
  std::optional<format::KernelRecord> needs;      ///< as it was timed, with its probes
  std::optional<format::KernelRecord> plainNeeds; ///< of the build without probes, where there is a trace of that

  /// Warps never came out of a wait, or none finished: how long the kernel takes is not known, nor what would make it shorter.
  bool neverEnds() const { return !recording.stuck.empty() || (recording.unfinished > 0 && recording.unfinished >= launches.warps); }
  /// Percent of the paths of the kernel's blocks that would be saved if a step took no time; nothing where that is not known.
  std::optional<double> gainOf(PathStep::Kind kind, std::uint32_t region) const;
  const RegionFacts *region(std::uint32_t index) const;
  /// What probes take of `percent` of the kernel's duration if they are spread evenly, in percent of the duration; nothing where their cost
  /// is not known.
  std::optional<double> probesIn(double percent) const;
  /// The same of a region's own probes; of what is no region of this kernel 0, where the cost of probes is known.
  std::optional<double> probesOf(std::uint32_t region) const;
};

/// Of which builds the times are, and which of them are not shown.
struct BuildFacts {
  std::string mixed;           ///< whose times are added up all the same, where there are several (SameBuild.h)
  std::size_t unusedTimes = 0; ///< traces of a build without waits, beside others with waits
  bool hasPlacement = false;   ///< kperf verify's table of the program was given
  std::string uncounted;       ///< uncountedNote() of those that count accesses
  double leftOutNs = 0;        ///< all launches of the kernels that the pattern left out
};

struct ProgramFacts {
  std::string program, device, clock; ///< clock: "virtual clock", "wall clock" or "GPU clock"
  std::uint64_t buildId = 0;
  bool areSmsInvented = false; ///< on the host target, by nobody who knows a GPU
  bool isHost = false, isVirtual = false, hasWaits = false, hasSites = false, isReduced = false, hasSitesInTimes = false;
  std::vector<std::string> traces, losses;
  UnseenSum unseen; ///< launches without a warp
  BuildFacts builds;
  std::shared_ptr<RegionSet> regions;    ///< that regions are indices in
  std::shared_ptr<SyncTotals> sync;      ///< that KernelFacts::sync points into
  std::vector<KernelFacts> kernels;      ///< those of most time first
  std::optional<double> measuredPercent; ///< by how much probes were measured to slow it down
  bool isMeasuredByLaunches = false;     ///< by launches that the traces have with probes and without

  /// Whether times hold what counting memory accesses takes, which may be many times what the kernel does. The host target's clock stands
  /// still meanwhile, or is no measure of a GPU anyway.
  bool areTimesCounted() const { return hasSitesInTimes && !isHost; }
  /// Whether there are warps that found no room, or, not by the user's wish, kernels without any: shares of the time are of what was kept.
  bool isCut() const { return unseen.warpsWithoutBuffer > 0 || (!unseen.areSomeOff && !unseen.kernels.empty()); }
  /// Whether what memory accesses waste can be held against the kernel's time.
  bool isMemoryTimed() const { return !hasSitesInTimes && !isHost; }
  std::string warp() const { return std::string(regions->terms().warp); }
  std::string block() const { return std::string(regions->terms().block); }
  std::string sm() const { return std::string(regions->terms().sm); }
};

/// Reads traces of one build. Times are those of the traces without counters of memory accesses, if there are some: counting costs
/// time that no calibration knows; of those with waits, if there are some, for runs of two builds are not added up. Of traces of the
/// program without probes (--probes=launches), where there are others, only what its kernels need counts. `kernel`: shell pattern. The
/// traces, at least one, are put into another order, and live longer than the result. `placed`: of their program; none: nothing is known of
/// what it adds and multiplies.
Expected<ProgramFacts> readFacts(std::span<Trace> traces, const std::string &kernel, std::span<const PlacedInstructions> placed = {});

} // namespace kperf::decoder

#endif
