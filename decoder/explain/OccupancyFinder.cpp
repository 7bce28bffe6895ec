// Multiprocessors that hold few warps, which wait for memory while no other warp has work.
//
// Model: a warp waits at most for each of its reads in turn, some 600 cycles ("hundreds of clock cycles": CUDA C++ Programming Guide, 5.2.3
// Multiprocessor Level). The rest of its life keeps one of the multiprocessor's four schedulers (the same guide, compute capability 7.x and
// up) busy at most. Where the resident warps together leave these idle for a quarter of the time or more, more warps would fill it: at best
// the kernel takes the share of its time that these warps are of as many as the multiprocessor holds, or what its sectors take at the rate
// of the L2 or of the device's memory, whichever is longer. What else a warp does, and what more warps cost (registers, tiles), is not in
// the trace: at least nothing, likely half.
// Where reads can't have been waited for one at a time nothing is said: below 300 cycles each they overlap, or caches hold them; who reads
// shared memory four times as often computes on what is there, as a product of matrices does; copies in flight are ExposedCopyFinder's, for
// their waits were timed.
#include "decoder/explain/Finder.h"
#include "decoder/explain/SiteFacts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr unsigned kRegistersOfSm = 65536, kRegisterUnit = 256, kSchedulers = 4; // CUDA C++ Programming Guide, "Compute Capabilities"
constexpr std::uint64_t kMinSharedOfSm = 64 << 10, kSharedOfBlock = 1 << 10;     // of 7.5; what 8.0 and up keep of each block's
constexpr unsigned kMaxBlocks[] = {16, 24, 32};                                  // of a multiprocessor, by compute capability
constexpr double kReadCycles = 600, kMinCycles = 300, kMaxShared = 4;            // kMaxShared: accesses of shared memory for each read

struct Occupancy {
  unsigned warps, max; ///< that a multiprocessor holds; that it could
  bool isByRegisters = false;
  std::string limit, remedy;
};

/// What the driver said of a kernel on an NVIDIA GPU; nothing where it did not, or of the device.
std::optional<Occupancy> occupancyOf(const format::KernelRecord &needs, const KernelFacts &kernel) {
  if (needs.residentBlocks == 0 || kernel.device.limits.residentWarps == 0 || !kernel.device.architecture.starts_with("sm_"))
    return {};
  const unsigned ofBlock = (needs.blockThreads + 31) / 32;
  const unsigned ofWarp = (std::max(needs.registers, 1u) * 32 + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  const unsigned byRegisters = kRegistersOfSm / ofWarp / kSchedulers * kSchedulers / std::max(ofBlock, 1u);
  const std::uint64_t shared = std::uint64_t{needs.staticSharedBytes} + needs.dynamicSharedBytes;
  Occupancy out{.warps = needs.residentBlocks * ofBlock, .max = kernel.device.limits.residentWarps};
  if (byRegisters <= needs.residentBlocks) {
    out.isByRegisters = true;
    out.limit = fmt::format("{} registers a thread", needs.registers);
    out.remedy = "fewer values that live at once (smaller tiles of a thread), or __launch_bounds__ with the blocks that are to fit";
  } else if ((shared + kSharedOfBlock) * (needs.residentBlocks + 1) > kMinSharedOfSm) {
    out.limit = fmt::format("{} B of shared memory a block", shared);
    out.remedy = "smaller tiles or fewer stages, or more threads that share a block's tile";
  } else if (std::ranges::find(kMaxBlocks, needs.residentBlocks) != std::end(kMaxBlocks)) {
    out.limit = "as many blocks as one can hold";
    out.remedy = "larger blocks";
  } else {
    out.limit = "a reason that is not known";
    out.remedy = "ask cudaOccupancyMaxActiveBlocksPerMultiprocessor with other sizes and shared memory";
  }
  return out;
}

/// Percent of the time that a unit which all of the kernel's sectors go through is busy at least.
double busyOf(const KernelFacts &kernel) {
  const double bytesPerNs = kernel.accesses.traffic->bytes / kernel.launches.durationNs;
  const double ofL2 = bytesPerNs / format::kSectorBytes * kernel.launches.nsPerCycle / kSectorsPerCycle / kernel.device.sms;
  const double ofMemory = kernel.device.memoryBytesPerNs > 0 ? bytesPerNs / kernel.device.memoryBytesPerNs : 0;
  return std::min(1.0, std::max(ofL2, ofMemory <= 1 ? ofMemory : 0)); // what is over the memory's rate comes of caches
}

} // namespace

void findOccupancy(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const bool areCopiesTimed = kernel.sync && !kernel.sync->flights.empty();
  const auto life = kernel.balance.rows.find(BlockBalance::kWholeLife);
  if (!kernel.needs || !program.isMemoryTimed() || !kernel.accesses.traffic || areCopiesTimed || life == kernel.balance.rows.end() ||
      kernel.balance.blocks == 0 || kernel.launches.warpsLaunched == 0 || kernel.launches.durationNs <= 0 || kernel.device.sms == 0)
    return;
  const format::KernelRecord &needs = kernel.plainNeeds ? *kernel.plainNeeds : *kernel.needs;
  const std::optional<Occupancy> occupancy = occupancyOf(needs, kernel);
  const bool isFilled = kernel.timeline.maxBlocks > std::uint64_t{kernel.device.sms} * needs.residentBlocks;
  if (!occupancy || !isFilled || 2 * occupancy->warps >= occupancy->max)
    return;
  const double cycles = life->second.mean / static_cast<double>(kernel.balance.blocks); // of a warp
  const double reads = kernel.accesses.traffic->reads / (kernel.launches.timedShare * static_cast<double>(kernel.launches.warpsLaunched));
  if (cycles < kMinCycles * reads || kernel.accesses.traffic->shared > kMaxShared * kernel.accesses.traffic->reads)
    return;
  const double waits = std::min(1.0, reads * kReadCycles / std::max(cycles, 1.0));
  const double idle = 1 - std::min(1.0, (1 - waits) * occupancy->warps / kSchedulers);
  const double most = 100 * (1 - std::max(static_cast<double>(occupancy->warps) / occupancy->max, busyOf(kernel)));
  if (idle < 0.25 || most < kMinEvidence)
    return;
  const std::string warp = program.warp(), sm = program.sm();
  Explained found{
      .rule = "low-occupancy",
      .what = fmt::format("an {} holds {} {}s of at most {}, for {}", sm, occupancy->warps, warp, occupancy->max, occupancy->limit)};
  found.place = kernel.regions.empty() ? "" : placeOf(program, kernel.regions.front().region);
  found.evidence = fmt::format("{} block{} of {} threads, {} registers, {} B shared; a {} reads {:.0f} times in {}, of which waits may be "
                               "{:.0f} %; {:.0f} GB/s",
                               needs.residentBlocks, needs.residentBlocks == 1 ? "" : "s", needs.blockThreads, needs.registers,
                               std::uint64_t{needs.staticSharedBytes} + needs.dynamicSharedBytes, warp, reads, cyclesText(cycles),
                               100 * waits, kernel.accesses.traffic->bytes / kernel.launches.durationNs);
  found.command = "dump: needs, limits";
  found.why = fmt::format("while a {} waits for memory the {} has few others to run", warp, sm);
  found.remedy = occupancy->remedy;
  found.confirm = "resident of its needs in kperf dump; duration in kperf report";
  found.noise = kernel.probesIn(most);
  found.gain = {0, most / 2, most};
  if (occupancy->isByRegisters && !kernel.plainNeeds)
    found.doubt = "these registers are with probes; --build and --run ask without";
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
