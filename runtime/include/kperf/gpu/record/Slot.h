// A warp's slot in the arena: taking it, describing it, storing records in it.
#ifndef KPERF_GPU_SLOT_H
#define KPERF_GPU_SLOT_H

#include <kperf/abi/ConfigSymbol.h>
#include <kperf/format.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/BlockSample.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Records that a part keeps of the `most` that it can produce.
__device__ __forceinline__ uint32_t capacityFor(uint32_t most) { return min(most, kperf_config.records_per_warp); }

/// The calling block's place in its grid, x fastest.
__device__ __forceinline__ uint64_t linearBlock() {
  return blockIdx.x + uint64_t{gridDim.x} * (blockIdx.y + uint64_t{gridDim.y} * blockIdx.z);
}

/// What stands for the calling block where a sample is chosen, times an odd `factor`: in grids of one dimension its place, in others what
/// is computed faster. Each index is multiplied once, for the warps of a block wait for each step that follows another.
__device__ __forceinline__ uint32_t hashedBlock(uint32_t factor = 1) {
  return blockIdx.x * factor + (blockIdx.y * (0x9e3779b1u * factor) + blockIdx.z * (0x85ebca6bu * factor));
}

/// Whether the calling block is one of a sample of one in `oneIn`.
__device__ __forceinline__ bool isSampledHere(uint32_t oneIn) { return isSampledPlace(gridId(), hashedBlock(kSampledBlock), oneIn); }

/// Whether the calling block is one of a sample of one in N; 0: none is. Every block asks: one question on the way to the hash,
/// not two.
__device__ __forceinline__ bool isOfSample(uint32_t oneIn) {
  if constexpr (kScalarRegistersAreFew) // by two fewer of them
    return oneIn == 1 || (oneIn != 0 && isSampledHere(oneIn));
  if (oneIn <= 1)
    return oneIn != 0;
  return isSampledHere(oneIn);
}

/// Whether the calling block is one of those that are recorded: none where recording is off. A warp that lives for a microsecond waits
/// for the answer, so all of it is arithmetic of 32 bits, and short: of BabelStream's copy, one of its instructions took 0.3 %.
__device__ __forceinline__ bool isSampled() {
  const uint32_t sample = kperf_config.sample;
  if (kScalarRegistersAreFew)
    return isOfSample(sample);
  if (sample == 0)
    return false;
  const uint32_t warps = (blockDim.x * blockDim.y * blockDim.z + warpLanes() - 1) / warpLanes();
  const uint32_t ofAll = widthInterval(gridDim.x * gridDim.y * gridDim.z * warps, kperf_config.max_warps_log2);
  return isSampledHere(sample * ofAll); // of the two intervals one is 1
}

/// Whether the user switched a kernel or a region off; `address` is kperf_device_config::switched_off.
__device__ __forceinline__ bool isSwitchedOff(uint64_t address, uint32_t id) {
  const auto *words = reinterpret_cast<const uint32_t *>(address);
  return words && (loadConstant(words + id % KPERF_SWITCHES / 32) >> id % 32 & 1) != 0;
}

/// Whether a region is recorded: a constant, unless the build is one that can be switched.
__device__ __forceinline__ bool isRegionOn([[maybe_unused]] uint32_t id) {
#ifdef KPERF_SWITCHABLE
  return !isSwitchedOff(kperf_config.switched_off, id);
#else
  return true;
#endif
}

/// Whether a kernel's warps can skip records. Not in every build: a count of records that does not begin at 0 is none that the
/// compiler can take from the kernel's own loop, and cost 31 cycles a region in test/bench/chain64.cu at 64 warps an SM.
#ifdef KPERF_SWITCHABLE
constexpr uint32_t kWindowFlag = format::kWarpWindow;
#else
constexpr uint32_t kWindowFlag = 0;
#endif

/// Records of a kernel's warps that are not kept although there is room, before those that are.
__device__ __forceinline__ uint32_t skippedRecords(uint32_t kernel) {
  return kWindowFlag && kernel != format::kCalibrationKernel ? kperf_config.skip : 0;
}

/// Whether the calling block's warps are to be recorded in that kernel: recording is on, the kernel is, and the block is of the sample, as
/// is known where `isChosen`.
__device__ __forceinline__ bool isRecorded(uint32_t kernel, bool isChosen = false) {
  // Volatile: AMD's compiler would read it with all the rest, and run out of scalar registers.
  const uint64_t switchedOff = *const_cast<const volatile uint64_t *>(&kperf_config.switched_off);
  const bool isLeftOut = (kernel != format::kCalibrationKernel && !isChosen && !isSampled()) || !KPERF_PER_LANE(kperf_config.arena) ||
                         (kernel != format::kCalibrationKernel && isSwitchedOff(switchedOff, kernel));
  return !KPERF_FOUND(isLeftOut);
}

/// Takes `bytes` of the arena for the calling warp of that kernel, which is to be recorded; 0 when the arena is full. A launch begins at a
/// part of its own, so that small kernels, which always run on the first multiprocessors, come to all parts in time. Called by `lanes`
/// together; only the `isMine` lane's result is meaningful. Together, because ptxas assumes that a warp has diverged after a
/// loop that some lanes run without the others, and makes more of the kernel's own shuffles: with such a loop here, examples/attention took
/// 37 registers more (head dimension 64; now 2).
__device__ inline uint64_t takeSlot(uint32_t bytes, uint32_t kernel, LaneMask lanes, bool isMine) {
  auto *parts = reinterpret_cast<kperf_arena_part *>(KPERF_PER_LANE(kperf_config.parts));
  // Not volatile: of a multiprocessor's blocks all but the first find it in their cache, and what was true a moment ago does.
  const bool isFull = !kScalarRegistersAreFew && parts->is_arena_full != 0;
  uint32_t part = (smId() + static_cast<uint32_t>(gridId()) * 29u) % KPERF_PER_LANE(kperf_config.part_count);
  for (uint32_t tries = isFull ? ~0u : 0; KPERF_FOUND(tries < KPERF_PER_LANE(kperf_config.part_count)); ++tries) {
    uint64_t offset = 0;
    if (isMine)
      offset = atomicAdd(reinterpret_cast<unsigned long long *>(&parts[part].used_bytes), static_cast<unsigned long long>(bytes));
    if (anyLane(lanes, isMine && offset + bytes <= KPERF_PER_LANE(kperf_config.part_bytes)))
      return KPERF_PER_LANE(kperf_config.arena) + part * KPERF_PER_LANE(kperf_config.part_bytes) + offset;
    if (anyLane(lanes, *const_cast<volatile uint64_t *>(&parts->is_arena_full) != 0))
      break;
    part = part + 1 == KPERF_PER_LANE(kperf_config.part_count) ? 0 : part + 1;
  }
  if (!isFull)
    *const_cast<volatile uint64_t *>(&parts->is_arena_full) = 1;
  if (isMine)
    atomicAdd(reinterpret_cast<unsigned long long *>(&parts[part].warps_refused), 1ull);
  return 0;
}

/// Which kernel a warp runs.
struct KernelName {
  uint32_t id;                         ///< region id
  const char *instantiation = nullptr; ///< null when not a template
  uint32_t bytes = 0;                  ///< of the instantiation's name, with its NUL
};

/// Everything of a part's header that is known at entry, but the clocks. A member that nobody stores is not computed.
__device__ __forceinline__ format::WarpHeader describePart(const KernelName &kernel, uint32_t capacity, uint32_t slotBytes,
                                                           uint32_t flags) {
  format::WarpHeader header{};
  header.gridId = KPERF_PER_LANE(gridId());
  header.block = KPERF_PER_LANE(linearBlock());
  header.nameAddress = reinterpret_cast<uint64_t>(kernel.instantiation);
  header.nameBytes = kernel.bytes;
  header.kernel = kernel.id;
  header.capacity = KPERF_PER_LANE(capacity);
  header.gridX = KPERF_PER_LANE(gridDim.x);
  header.gridY = static_cast<uint16_t>(KPERF_PER_LANE(gridDim.y));
  header.gridZ = static_cast<uint16_t>(KPERF_PER_LANE(gridDim.z));
  header.blockX = static_cast<uint16_t>(KPERF_PER_LANE(blockDim.x));
  header.blockY = static_cast<uint16_t>(KPERF_PER_LANE(blockDim.y));
  header.blockZ = static_cast<uint16_t>(KPERF_PER_LANE(blockDim.z));
  header.warp = static_cast<uint16_t>(KPERF_PER_LANE(warpInBlock()));
  header.sm = static_cast<uint16_t>(KPERF_PER_LANE(smId()));
  header.flags = static_cast<uint16_t>(flags);
  header.slotBytes = slotBytes;
  return header;
}

__device__ __forceinline__ Quad quadOf(uint64_t first, uint64_t second) {
  return Quad{static_cast<uint32_t>(first), static_cast<uint32_t>(first >> 32), static_cast<uint32_t>(second),
              static_cast<uint32_t>(second >> 32)};
}
__device__ __forceinline__ uint32_t pairOf(uint16_t first, uint16_t second) { return first | uint32_t{second} << 16; }

// A header is stored in two halves of three stores of 16 bytes, made of its members: a copy of the structure would go
// through memory in Clang 15. Between them the clocks are read, in front of which ptxas moves nothing: in one piece a
// header took more registers than many a kernel has (test/bench/chain64.cu 26 in all, in halves 22; and halves of other
// members up to 28).

/// What does not depend on the part: the warp's place in its grid. The last clocks are not known yet.
__device__ __forceinline__ void storeWarpPlace(uint64_t address, const format::WarpHeader &header) {
  storeQuad(address + 0, quadOf(header.gridId, header.block));
  storeQuad(address + 32, quadOf(header.endNs, header.endCycles));
  storeQuad(address + 64, Quad{header.gridX, pairOf(header.gridY, header.gridZ), pairOf(header.blockX, header.blockY),
                               pairOf(header.blockZ, header.warp)});
}

__device__ __forceinline__ void storePartHeader(uint64_t address, const format::WarpHeader &header) {
  storeQuad(address + 16, quadOf(header.startNs, header.startCycles));
  storeQuad(address + 48, quadOf(header.nameAddress, header.kernel | uint64_t{header.capacity} << 32));
  storeQuad(address + 80, Quad{header.produced, pairOf(header.sm, header.flags), header.slotBytes, header.nameBytes});
}
static_assert(offsetof(format::WarpHeader, startNs) == 16 && offsetof(format::WarpHeader, endNs) == 32 &&
                  offsetof(format::WarpHeader, nameAddress) == 48 && offsetof(format::WarpHeader, capacity) == 60 &&
                  offsetof(format::WarpHeader, gridY) == 68 && offsetof(format::WarpHeader, blockX) == 72 &&
                  offsetof(format::WarpHeader, warp) == 78 && offsetof(format::WarpHeader, sm) == 84 &&
                  offsetof(format::WarpHeader, slotBytes) == 88 && sizeof(format::WarpHeader) == 96,
              "both halves follow the format");

/// What a part's header gets when the warp leaves its kernel.
__device__ __forceinline__ void completePart(uint64_t header, uint64_t cycles, uint64_t ns, uint32_t flags) {
  storeQuad(header + offsetof(format::WarpHeader, endNs), quadOf(ns, cycles));
  storeWord(header + offsetof(format::WarpHeader, sm), smId() | (flags | format::kWarpFinished) << 16);
}

__device__ __forceinline__ void storeProduced(uint64_t header, uint32_t produced) {
  storeWord(header + offsetof(format::WarpHeader, produced), produced);
}

__device__ __forceinline__ constexpr uint32_t tagOf(format::RecordKind kind, uint32_t id) {
  return id | static_cast<uint32_t>(kind) << format::kKindShift;
}

} // namespace detail
} // namespace kperf

#endif
#endif
