// Memory analytics on the host target: the calls of kperf/MemoryCalls.h, counted exactly.
//
// Lanes run one after another here, so each waits at an access until no lane of its warp can go on; those that then wait at
// the same place make the access together, and the place earliest in the source goes first. At the end of each pass through a
// loop's body (Iteration) lanes wait for those still inside. So lanes come together as they do on a GPU that reconverges
// behind branches and at the end of each iteration.
#ifndef KPERF_HOST_MEMORY_PROBE_H
#define KPERF_HOST_MEMORY_PROBE_H

#include "AccessCounts.h"
#include "MemorySpaces.h"

#include <kperf/AccessPieces.h>
#include <kperf/BlockSample.h>
#include <kperf/module.h>

namespace kperf {
namespace host {

/// Keys of Block::converge.
inline constexpr std::uint64_t kAccessing = 1ull << 61, kIterating = 1ull << 60;

/// Lanes of a warp at one access. Bytes 0: constant memory.
class WarpAccess {
public:
  WarpAccess(std::uint32_t lanes, const CudaThread &leader) : lanes(lanes), leader(leader) {}

  void count(std::uint64_t *row, detail::Pieces pieces) const {
    AccessCounts::Counts counts{};
    for (std::uint32_t piece = 0; piece < pieces.count; ++piece)
      addPiece(counts, piece * pieces.bytes, pieces.bytes);
    counts[format::kOtherAccesses] += pieces.bytes == 0;
    for (unsigned i = 0; i < format::kSiteCounters; ++i)
      if (counts[i])
        __atomic_fetch_add(row + i, counts[i], __ATOMIC_RELAXED);
  }

private:
  void addPiece(AccessCounts::Counts &counts, std::uint64_t offset, std::uint32_t bytes) const {
    std::uint64_t addresses[32];
    std::uint32_t inSpace[3] = {};
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      addresses[lane] = leader.warp->threads[lane].accessed + offset;
      inSpace[static_cast<int>(spaceOf(addresses[lane], leader.warp->threads[lane]))] |= 1u << lane;
    }
    if (const std::uint32_t global = inSpace[static_cast<int>(MemorySpace::Global)])
      AccessCounts(global, addresses, bytes).addGlobal(counts);
    if (const std::uint32_t shared = inSpace[static_cast<int>(MemorySpace::Shared)])
      AccessCounts(shared, addresses, bytes).addShared(counts);
    counts[format::kOtherAccesses] += inSpace[static_cast<int>(MemorySpace::Local)] != 0;
  }

  std::uint32_t lanes;
  const CudaThread &leader;
};

/// The site's counters; null where nothing is counted.
inline std::uint64_t *countersOf(std::uint32_t site, const CudaThread &thread) {
  const auto *table = reinterpret_cast<const kperf_site_entry *>(kperf_config.sites);
  std::uint32_t slot = site & kperf_config.site_mask;
  for (; table[slot].id != site; slot = (slot + 1) & kperf_config.site_mask)
    if (table[slot].id == 0)
      return nullptr;
  const std::uint64_t copy = thread.block->sm() & kperf_config.site_copy_mask;
  return reinterpret_cast<std::uint64_t *>(kperf_config.site_counters) +
         (copy * kperf_config.site_rows + table[slot].row) * format::kSiteCounters;
}

inline bool isCounting(const CudaThread *thread) {
  return thread && kperf_config.sites != 0 &&
         detail::isSampledBlock(blockIdx.x, blockIdx.y, blockIdx.z, kperf_config.site_sample);
}

inline void countPieces(std::uint32_t site, const volatile void *address, detail::Pieces pieces, const Site &place) {
  CudaThread *thread = currentThread;
  if (!isCounting(thread))
    return;
  thread->accessed = reinterpret_cast<std::uintptr_t>(address);
  const std::uint32_t group = thread->block->converge(kAccessing | site, 0, "a memory access", place);
  if ((group & (thread->bit() - 1)) == 0) // the lowest lane goes on first and speaks for all
    if (std::uint64_t *row = countersOf(site, *thread))
      WarpAccess(group, *thread).count(row, pieces);
}

} // namespace host

namespace detail {

struct CountByCall {
  static void access(std::uint32_t site, const volatile void *address, std::size_t bytes, std::size_t alignment,
                     const host::Site &place) {
    host::countPieces(site, address, piecesOf(bytes, alignment), place);
  }
  static void constant(std::uint32_t site, const host::Site &place) { host::countPieces(site, nullptr, {0, 0}, place); }
};
using CountInline = CountByCall;

} // namespace detail

/// Stands at the top of a loop's body: its end is where lanes that went different ways meet again.
class Iteration {
public:
  explicit Iteration(unsigned lastLine, host::Site place = host::Site::here()) : place(place) {
    this->place.line = lastLine;
  }
  ~Iteration() {
    if (host::isCounting(host::currentThread))
      host::currentThread->block->converge(host::kIterating | place.line, 0, "the end of an iteration", place);
  }
  Iteration(const Iteration &) = delete;
  Iteration &operator=(const Iteration &) = delete;

private:
  host::Site place;
};

} // namespace kperf

#define KPERF_PLACE_PARAMETER , host::Site place = host::Site::here()
#define KPERF_PLACE_ARGUMENT , place
#include <kperf/MemoryCalls.h>

#endif
