// Memory analytics on the host target: the calls of kperf/rules/MemoryCalls.h, counted exactly.
//
// Lanes run one after another here, so each waits at an access until no lane of its warp can go on; those that then
// wait at the same place make the access together, and the place earliest in the source goes first. At the end of each
// pass through a loop's body, and of functions, lanes wait for those still inside (Rejoining.h). So lanes come together as
// they do on a GPU that reconverges behind branches, at the end of each iteration and where functions return.
#ifndef KPERF_HOST_MEMORY_PROBE_H
#define KPERF_HOST_MEMORY_PROBE_H

#include <kperf/host/engine/Outlined.h>
#include <kperf/host/probe/DeviceConfig.h>
#include <kperf/host/probe/MemorySpaces.h>
#include <kperf/host/probe/ReferenceLog.h>
#include <kperf/rules/AccessCounts.h>

#include <kperf/abi/module.h>
#include <kperf/rules/AccessPieces.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/AtomicAddress.h>
#include <kperf/rules/MemoryCalls.h>
#include <kperf/rules/OpenPointer.h>

namespace kperf {
namespace host {

/// In keys of Block::converge.
inline constexpr std::uint64_t kAccessing = 1ull << 61;

/// Lanes of a warp at one access. Bytes 0: constant memory.
class WarpAccess {
public:
  WarpAccess(std::uint32_t lanes, const CudaThread &leader, SiteAt site, detail::AccessKind kind)
      : lanes(lanes), leader(leader), site(site), kind(kind) {}

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
    if (const std::uint32_t global = inSpace[static_cast<int>(MemorySpace::Global)]) {
      AccessCounts(global, addresses, bytes).addGlobal(counts, kind);
      keepReferences(global, addresses, site, *leader.block);
    }
    if (const std::uint32_t shared = inSpace[static_cast<int>(MemorySpace::Shared)])
      AccessCounts(shared, addresses, bytes).addShared(counts, kind);
    counts[format::kOtherAccesses] += inSpace[static_cast<int>(MemorySpace::Local)] != 0;
  }

  std::uint32_t lanes;
  const CudaThread &leader;
  SiteAt site;
  detail::AccessKind kind;
};

/// detail::accessHash of the next access of the thread's warp, by its number: the same in each run.
inline std::uint32_t hashOfAccess(std::uint32_t site, const CudaThread &thread) {
  const Block &block = *thread.block;
  const std::uint32_t warp = detail::blockGroup(block.grid().id, block.index()) + thread.linear / 32 * 0xc2b2ae35u;
  return detail::accessHash(detail::scrambled(warp + thread.warp->accesses++) ^ site);
}

/// At which of the rates executions of the site are sampled in this launch.
inline std::uint32_t rateOfAccess(SiteAt site, const CudaThread &thread) {
  if (!site.runsOnce())
    return 0;
  const Grid &grid = thread.block->grid();
  const auto warps = static_cast<std::uint32_t>(grid.blockCount() * ((grid.threadCount() + 31) / 32));
  return detail::accessRateOf(warps >> kperf_config.sample_log2, kperf_config.access_log2);
}

/// The site's counters at that rate; null where nothing is counted.
inline std::uint64_t *countersOf(SiteAt site, std::uint32_t rate, const CudaThread &thread, std::uint32_t hash) {
  const auto *table = reinterpret_cast<const kperf_site_entry *>(kperf_config.sites);
  std::uint32_t slot = site.id() & kperf_config.site_mask;
  for (; table[slot].id != site.id(); slot = (slot + 1) & kperf_config.site_mask)
    if (table[slot].id == 0)
      return nullptr;
  const Block &block = *thread.block;
  const std::uint32_t chosen = kperf_config.sample > 1            ? detail::blockGroup(block.grid().id, block.index())
                               : kperf_config.access_limit != ~0u ? detail::scrambled(hash)
                                                                  : block.sm();
  const std::uint64_t copy = chosen & kperf_config.site_copy_mask;
  return reinterpret_cast<kperf_site_row *>(kperf_config.site_counters)[copy * kperf_config.site_rows + table[slot].row + rate].counts;
}

/// Whether accesses of the calling thread are counted.
inline bool isCounting(const CudaThread *thread) { return thread && kperf_config.sites != 0 && isCountedBlock(*thread); }

KPERF_HOST_OUTLINED inline void countPieces(SiteAt site, const volatile void *address, detail::Pieces pieces, detail::AccessKind kind,
                                            const Site &place) {
  CudaThread *thread = currentThread;
  if (!isCounting(thread))
    return;
  thread->accessed = reinterpret_cast<std::uintptr_t>(address);
  const std::uint64_t key = kAccessing | (kind == detail::AccessKind::Load ? kBeforeCalls : 0) | site.id();
  const std::uint32_t group = thread->block->converge(key, 0, "a memory access", place);
  if ((group & (thread->bit() - 1)) != 0) // the lowest lane goes on first and speaks for all
    return;
  const std::uint32_t hash = hashOfAccess(site.id(), *thread), rate = rateOfAccess(site, *thread);
  if (hash < (rate == 0 ? kperf_config.access_limit : detail::accessLimit(detail::accessRateLog2(rate, kperf_config.access_log2))))
    if (std::uint64_t *row = countersOf(site, rate, *thread, hash))
      WarpAccess(group, *thread, site, kind).count(row, pieces);
}

} // namespace host

// What stands in a kernel that has an untouched copy on a GPU says first whether its block is recorded; here that is looked up.
// An rvalue, which only code that depends on template arguments can bring, is no access here: what made it was.
#define KPERF_KIND(name) detail::AccessKind(detail::kinds::name)
#define KPERF_LVALUE(name, address, pieces, kind)                                                                                          \
  template <typename T> T &name(SiteAt site, T &accessed, host::Site place = host::Site::here()) {                                         \
    host::countPieces(site, address, pieces, kind, place);                                                                                 \
    return accessed;                                                                                                                       \
  }                                                                                                                                        \
  template <typename T> T &name(bool, SiteAt site, T &accessed, host::Site place = host::Site::here()) {                                   \
    return name(site, accessed, place);                                                                                                    \
  }                                                                                                                                        \
  template <typename T> T name(SiteAt, T &&value) { return static_cast<T &&>(value); }                                                     \
  template <typename T> T name(bool, SiteAt, T &&value) { return static_cast<T &&>(value); }                                               \
  template <typename T> T &name(SiteAt, NotAccessed<T> element) { return element.object; }                                                 \
  template <typename T> T &name(bool, SiteAt, NotAccessed<T> element) { return element.object; }
#define KPERF_ACCESS(name) KPERF_LVALUE(name, __builtin_addressof(accessed), detail::piecesOf(sizeof(T), alignof(T)), KPERF_KIND(name))
#define KPERF_CONSTANT(name) KPERF_LVALUE(name, nullptr, detail::Pieces{}, detail::AccessKind::Load)
#define KPERF_ADDRESS(name)                                                                                                                \
  template <typename T> T *name(SiteAt site, T *address, host::Site place = host::Site::here()) {                                          \
    host::countPieces(site, address, detail::piecesOf(sizeof(T), alignof(T)), KPERF_KIND(name), place);                                    \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  template <typename T> T *name(bool, SiteAt site, T *address, host::Site place = host::Site::here()) { return name(site, address, place); }
#define KPERF_BYTES(name)                                                                                                                  \
  template <std::uint32_t Bytes, typename T> T *name(SiteAt site, T *address, host::Site place = host::Site::here()) {                     \
    host::countPieces(site, address, detail::piecesOf(Bytes, Bytes), KPERF_KIND(name), place);                                             \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  template <std::uint32_t Bytes, typename T> T *name(bool, SiteAt site, T *address, host::Site place = host::Site::here()) {               \
    return name<Bytes>(site, address, place);                                                                                              \
  }
// There is no PTX here.
#define KPERF_OPERAND(name)                                                                                                                \
  template <std::uint32_t Bytes, typename T> T name(SiteAt, T address) { return address; }                                                 \
  template <std::uint32_t Bytes, typename T> T name(bool, SiteAt, T address) { return address; }                                           \
  template <std::uint32_t Bytes, typename T> T name##If(SiteAt, T address, bool) { return address; }                                       \
  template <std::uint32_t Bytes, typename T> T name##If(bool, SiteAt, T address, bool) { return address; }
#define KPERF_SHARED(name) KPERF_OPERAND(name)
#define KPERF_OBJECT(name)                                                                                                                 \
  template <typename T> T &&name(SiteAt site, T &&object, host::Site place = host::Site::here()) {                                         \
    const auto *address = detail::atomicAddress(object, 0);                                                                                \
    host::countPieces(site, address, detail::piecesOf(sizeof(*address), sizeof(*address)), KPERF_KIND(name), place);                       \
    return static_cast<T &&>(object);                                                                                                      \
  }                                                                                                                                        \
  template <typename T> T &&name(bool, SiteAt site, T &&object, host::Site place = host::Site::here()) {                                   \
    return name(site, static_cast<T &&>(object), place);                                                                                   \
  }
#define KPERF_BULK(name)                                                                                                                   \
  template <typename T> T name(SiteAt, T address, std::uint32_t) { return address; }                                                       \
  template <typename T> T name(bool, SiteAt, T address, std::uint32_t) { return address; }                                                 \
  template <typename T> T name##If(SiteAt, T address, std::uint32_t, bool) { return address; }                                             \
  template <typename T> T name##If(bool, SiteAt, T address, std::uint32_t, bool) { return address; }

KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)

/// What must not be a call on a GPU is no different here.
namespace inlined {
KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)
}

#undef KPERF_KIND
#undef KPERF_LVALUE
#undef KPERF_ACCESS
#undef KPERF_CONSTANT
#undef KPERF_ADDRESS
#undef KPERF_BYTES
#undef KPERF_OPERAND
#undef KPERF_SHARED
#undef KPERF_OBJECT
#undef KPERF_BULK

} // namespace kperf

#endif
