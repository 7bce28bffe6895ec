// Cooperative groups: the thread block, its tiles, coalesced threads, and the grid of a cooperative launch.
#ifndef KPERF_HOST_COOPERATIVE_GROUPS_H
#define KPERF_HOST_COOPERATIVE_GROUPS_H

#include <kperf/host/language/LaneGroups.h>

#include <type_traits>

namespace cooperative_groups {

class thread_block {
public:
  void sync(kperf::host::Site site = kperf::host::Site::here()) const { kperf::host::syncBlock(false, "thread_block::sync", site); }
  static unsigned int thread_rank() { return kperf::host::requireThread("thread_block").linear; }
  static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned int size() { return num_threads(); }
  static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

/// Shared memory by which a GPU's tiles of several warps wait for each other; here no tile has more threads than a warp.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {};
template <unsigned int MaxBlockSize> thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) { return {}; }

class grid_group {
public:
  /// Waits for all blocks. In a launch that is not cooperative the kernel fails, as on the device.
  void sync(kperf::host::Site site = kperf::host::Site::here()) const {
    kperf::host::Block &block = *kperf::host::requireThread("grid_group").block;
    if (!block.grid().barrier)
      block.fail("it syncs its grid without being launched by cudaLaunchCooperativeKernel or with "
                 "cudaLaunchAttributeCooperative");
    block.barrier(false, true, "grid_group::sync", site);
  }
  bool is_valid() const { return kperf::host::requireThread("grid_group").block->grid().barrier != nullptr; }
  static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() { return kperf::host::requireThread("grid_group").block->index(); }
  static unsigned long long thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

inline grid_group this_grid() { return {}; }

/// Lanes of one warp that are `Lanes` neighbours in their parent group.
template <unsigned int Lanes, typename Parent = void> class thread_block_tile : public lane_group {
  static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                "a tile of this many threads is not supported on kperf's host target: 1, 2, 4, 8, 16 and 32 are");

public:
  explicit thread_block_tile(std::uint32_t mask, unsigned int index, unsigned int count) : lane_group(mask), index(index), count(count) {}
  /// A tile forgets what it is a part of: `thread_block_tile<32> warp = tiled_partition<32>(block)`.
  template <typename Other, typename = std::enable_if_t<std::is_void_v<Parent> && !std::is_void_v<Other>>>
  thread_block_tile(const thread_block_tile<Lanes, Other> &tile)
      : thread_block_tile(tile.lanes(), tile.meta_group_rank(), tile.meta_group_size()) {}
  static constexpr unsigned int size() { return Lanes; }
  static constexpr unsigned int num_threads() { return Lanes; }
  unsigned int meta_group_rank() const { return index; }
  unsigned int meta_group_size() const { return count; }

private:
  unsigned int index, count;
};

template <unsigned int Lanes> thread_block_tile<Lanes, thread_block> tiled_partition(const thread_block &) {
  const unsigned int rank = thread_block::thread_rank(), first = rank % 32 / Lanes * Lanes;
  const std::uint32_t lanes = Lanes >= 32 ? ~0u : (1u << Lanes % 32) - 1;
  return thread_block_tile<Lanes, thread_block>(lanes << first, rank / Lanes, (thread_block::num_threads() + Lanes - 1) / Lanes);
}

template <unsigned int Lanes, unsigned int ParentLanes, typename Parent>
thread_block_tile<Lanes, thread_block_tile<ParentLanes, Parent>> tiled_partition(const thread_block_tile<ParentLanes, Parent> &parent) {
  static_assert(Lanes <= ParentLanes, "a tile has no more threads than what it is a part of");
  const unsigned int rank = parent.thread_rank();
  const std::uint32_t lanes = Lanes >= 32 ? ~0u : (1u << Lanes % 32) - 1;
  const unsigned int first = static_cast<unsigned int>(__builtin_ctz(parent.lanes())) + rank / Lanes * Lanes;
  return thread_block_tile<Lanes, thread_block_tile<ParentLanes, Parent>>(lanes << first, rank / Lanes, ParentLanes / Lanes);
}

/// Lanes that came here together.
class coalesced_group : public lane_group {
public:
  explicit coalesced_group(std::uint32_t mask) : lane_group(mask) {}
  unsigned int meta_group_rank() const { return 0; }
  unsigned int meta_group_size() const { return 1; }
};

inline coalesced_group coalesced_threads(kperf::host::Site site = kperf::host::Site::here()) {
  return coalesced_group(kperf::host::activeMask(site));
}

/// Any of the groups above; which one is known when the kernel runs.
class thread_group {
public:
  thread_group(const thread_block &) : kind(Kind::Block), part(0) {}
  thread_group(const grid_group &) : kind(Kind::Grid), part(0) {}
  thread_group(const lane_group &lanes) : kind(Kind::Lanes), part(lanes) {}

  void sync(kperf::host::Site site = kperf::host::Site::here()) const {
    kind == Kind::Lanes ? part.sync(site) : kind == Kind::Block ? thread_block().sync(site) : grid_group().sync(site);
  }
  unsigned long long thread_rank() const {
    return kind == Kind::Lanes ? part.thread_rank() : kind == Kind::Block ? thread_block::thread_rank() : grid_group::thread_rank();
  }
  unsigned long long num_threads() const {
    return kind == Kind::Lanes ? part.num_threads() : kind == Kind::Block ? thread_block::num_threads() : grid_group::num_threads();
  }
  unsigned long long size() const { return num_threads(); }

  /// Of a block or of lanes: the lanes of the caller's warp that are its neighbours, so many together.
  std::uint32_t neighbours(unsigned int lanes) const {
    kperf::host::Block &block = *kperf::host::requireThread("tiled_partition").block;
    if (lanes == 0 || lanes > 32 || (lanes & (lanes - 1)) != 0 || kind == Kind::Grid)
      block.fail("it asks for tiles that kperf's host target does not have: 1, 2, 4, 8, 16 and 32 threads of a block or of a "
                 "part of a warp are supported");
    const std::uint32_t all = kind == Kind::Lanes ? part.lanes() : ~0u;
    const unsigned int own = (kind == Kind::Lanes ? part.thread_rank() : thread_block::thread_rank() % 32) / lanes;
    std::uint32_t found = 0;
    unsigned int rank = 0;
    for (unsigned int lane = 0; lane < 32; ++lane)
      if (all >> lane & 1)
        found |= rank++ / lanes == own ? 1u << lane : 0;
    return found;
  }

private:
  enum class Kind { Block, Grid, Lanes } kind;
  lane_group part;
};

inline thread_group tiled_partition(const thread_group &parent, unsigned int lanes) { return lane_group(parent.neighbours(lanes)); }
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned int lanes) {
  return coalesced_group(thread_group(parent).neighbours(lanes));
}

/// The part of the group that agrees on the predicate with the calling thread.
template <typename Group> coalesced_group binary_partition(const Group &group, bool predicate) {
  const std::uint32_t votes = kperf::host::ballot(group.lanes(), predicate, "binary_partition", {});
  return coalesced_group(predicate ? votes : group.lanes() & ~votes);
}
template <typename Group, typename Label> coalesced_group labeled_partition(const Group &group, Label label) {
  std::uint32_t present = 0;
  return coalesced_group(kperf::host::matching(group.lanes(), static_cast<std::uint64_t>(label), present, "labeled_partition", {}));
}

template <typename Group> void sync(const Group &group, kperf::host::Site site = kperf::host::Site::here()) { group.sync(site); }

/// Each thread copies a part; wait makes all of it visible.
template <typename Group, typename To, typename From> void memcpy_async(const Group &group, To *to, const From *from, std::size_t bytes) {
  auto *target = reinterpret_cast<char *>(to);
  const auto *source = reinterpret_cast<const char *>(from);
  for (std::size_t at = group.thread_rank(); at < bytes; at += group.size())
    target[at] = source[at];
}
template <typename Group> void wait(const Group &group, kperf::host::Site site = kperf::host::Site::here()) { group.sync(site); }

} // namespace cooperative_groups

namespace cooperative_groups {
KPERF_HOST_UNSUPPORTED(this_cluster, KPERF_HOST_GUARD)
}

#endif
