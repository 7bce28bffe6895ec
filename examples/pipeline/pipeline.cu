// A pipeline of warps. The first warp of a block loads tiles, the last one stores them, those in between multiply them by a
// matrix on the tensor cores; each hands its tiles to the next through a ring of slots in shared memory, guarded by two barriers
// a slot: "full" for who reads it, "empty" for who writes it. How long each stage takes is an option, so the schedule is known.
#include "../trial.h"

#include <kperf/annotate.h>

#if defined(__HIP_PLATFORM_AMD__) && !defined(KPERF_HOST_TARGET)
#define PIPELINE_POLLS // AMD's GPUs have no barrier objects
#endif
#ifdef PIPELINE_POLLS
#include "lds_barrier.h"
#else
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
using Barrier = __mbarrier_t;
#endif
#if !defined(PIPELINE_POLLS) && !defined(KPERF_HOST_TARGET)
#include <mma.h>
#endif

namespace {

constexpr int maxStages = 6, maxSlots = 8;
constexpr int tileSide = 16, tileElements = tileSide * tileSide; // of halves: 512 bytes, 16 for each of 32 lanes

struct Schedule {
  int stages, slots;
  int cycles[maxStages]; ///< of each stage's work on a tile, at least
};

/// A ring between two stages.
struct Ring {
  __half tiles[maxSlots][tileElements];
  Barrier full[maxSlots], empty[maxSlots];
};

/// Where a stage is in a ring: the slot of its next tile, and how often the ring has gone round, as the barriers count it.
struct Position {
  int slot = 0;
  bool parity = false;

  __device__ void advance(int slots) {
    if (++slot == slots) {
      slot = 0;
      parity = !parity;
    }
  }
};

__device__ void await(Barrier *barrier, bool parity) {
  while (!__mbarrier_try_wait_parity(barrier, parity, 1000)) {
  }
}

/// The clock that kperf's records show: the shader's, and from gfx11 on, where that has 20 bits, the one at a constant
/// rate.
__device__ long long now() {
#if defined(__GFX11__) || defined(__GFX12__)
  constexpr int getRealTime = 0x83; // s_sendmsg_rtn's message
  return static_cast<long long>(__builtin_amdgcn_s_sendmsg_rtnl(getRealTime));
#else
  return clock64();
#endif
}

/// Takes up the time that the schedule gives to a stage.
__device__ void spin(long long start, int cycles) {
  while (now() - start < cycles) {
  }
}

/// The lane's part of a tile.
__device__ void store(__half *to, const __half *tile) {
  const int part = tileElements / WARP_LANES, first = threadIdx.x % WARP_LANES * part;
  for (int i = 0; i < part; ++i)
    to[first + i] = tile[first + i];
}

/// Asynchronously where the GPU can: sixteen bytes a lane.
__device__ void load(__half *tile, const __half *from) {
#ifdef PIPELINE_POLLS
  store(tile, from);
#else
  constexpr int part = tileElements / WARP_LANES;
  const int first = threadIdx.x % WARP_LANES * part;
  __pipeline_memcpy_async(tile + first, from + first, part * sizeof(__half));
  __pipeline_commit();
  __pipeline_wait_prior(0);
#endif
}

/// tile · matrix, in one instruction of the tensor cores where there are any.
__device__ void multiply(__half *to, const __half *tile, const __half *matrix) {
#if defined(PIPELINE_POLLS) || defined(KPERF_HOST_TARGET)
  for (int element = threadIdx.x % WARP_LANES; element < tileElements; element += WARP_LANES) {
    float sum = 0;
    for (int k = 0; k < tileSide; ++k)
      sum += __half2float(tile[element / tileSide * tileSide + k]) * __half2float(matrix[k * tileSide + element % tileSide]);
    to[element] = __float2half(sum);
  }
#else
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, tileSide, tileSide, tileSide, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, tileSide, tileSide, tileSide, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, tileSide, tileSide, tileSide, __half> product;
  wmma::load_matrix_sync(left, tile, tileSide);
  wmma::load_matrix_sync(right, matrix, tileSide);
  wmma::fill_fragment(product, __float2half(0));
  wmma::mma_sync(product, left, right, product);
  wmma::store_matrix_sync(to, product, tileSide, wmma::mem_row_major);
#endif
}

} // namespace

/// `tiles` tiles for each block; its warps are the stages.
__global__ void pipeline(__half *out, const __half *in, const __half *matrix, int tiles,
                         const __grid_constant__ Schedule schedule) {
  __shared__ __align__(32) Ring rings[maxStages - 1];
  const int stage = threadIdx.x / WARP_LANES, last = schedule.stages - 1;
  const bool isFirstLane = threadIdx.x % WARP_LANES == 0;
  if (threadIdx.x < maxSlots)
    for (int ring = 0; ring < last; ++ring) {
      __mbarrier_init(&rings[ring].full[threadIdx.x], 1);
      __mbarrier_init(&rings[ring].empty[threadIdx.x], 1);
    }
  __syncthreads();

  Ring *const before = stage > 0 ? &rings[stage - 1] : nullptr;
  Ring *const after = stage < last ? &rings[stage] : nullptr;
  const size_t blockOffset = size_t(blockIdx.x) * tiles * tileElements;
  Position position;
  for (int tile = 0; tile < tiles; ++tile) {
    const int slot = position.slot;
    if (before)
      await(&before->full[slot], position.parity);
    if (after)
      await(&after->empty[slot], !position.parity);
    const long long start = now();
    if (!before) {
      KPERF_SCOPE("load");
      load(after->tiles[slot], in + blockOffset + tile * tileElements);
      spin(start, schedule.cycles[0]);
    } else if (after) {
      KPERF_SCOPE("multiply");
      multiply(after->tiles[slot], before->tiles[slot], matrix);
      spin(start, schedule.cycles[stage]);
    } else {
      KPERF_SCOPE("store");
      store(out + blockOffset + tile * tileElements, before->tiles[slot]);
      spin(start, schedule.cycles[stage]);
    }
    __syncwarp();
    if (before && isFirstLane)
      __mbarrier_arrive(&before->empty[slot]);
    if (after && isFirstLane)
      __mbarrier_arrive(&after->full[slot]);
    position.advance(schedule.slots);
  }
}

namespace {

/// What the schedule alone says: when the last tile leaves, if nothing but the stages' work takes time.
long long modelCycles(const Schedule &schedule, int tiles) {
  std::vector<std::vector<long long>> end(schedule.stages, std::vector<long long>(tiles));
  for (int tile = 0; tile < tiles; ++tile)
    for (int stage = 0; stage < schedule.stages; ++stage) {
      long long begin = tile > 0 ? end[stage][tile - 1] : 0;
      if (stage > 0)
        begin = std::max(begin, end[stage - 1][tile]);
      if (stage + 1 < schedule.stages && tile >= schedule.slots)
        begin = std::max(begin, end[stage + 1][tile - schedule.slots]);
      end[stage][tile] = begin + schedule.cycles[stage];
    }
  return end.back().back();
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  Schedule schedule{};
  schedule.stages = static_cast<int>(options.integer("stages", 3, 2, "warps of a block, at most 6"));
  schedule.slots = static_cast<int>(options.integer("slots", 2, 1, "of each ring, at most 8"));
  const char *const names[maxStages] = {"cycles0", "cycles1", "cycles2", "cycles3", "cycles4", "cycles5"};
  const int defaults[maxStages] = {2000, 3000, 1500, 1000, 1000, 1000};
  for (int stage = 0; stage < maxStages; ++stage)
    schedule.cycles[stage] =
        static_cast<int>(options.integer(names[stage], defaults[stage], 0, "of this stage's work on a tile, at least"));
  const int tiles = static_cast<int>(options.integer("tiles", 64, 1, "for each block"));
  const int blocks = static_cast<int>(options.integer("blocks", 4, 1, "of the launch"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();
  if (schedule.stages > maxStages || schedule.slots > maxSlots) {
    std::fprintf(stderr, "%s: at most %d stages and %d slots\n", argv[0], maxStages, maxSlots);
    return 2;
  }

  // The matrix moves each column of a tile one place to the right, so the answer is exact.
  std::vector<__half> matrix(tileElements, __float2half(0));
  for (int row = 0; row < tileSide; ++row)
    matrix[row * tileSide + (row + 1) % tileSide] = __float2half(1);
  const size_t elements = size_t(blocks) * tiles * tileElements;
  const std::vector<float> values = trial::randomArray<float>(elements, seed);
  std::vector<__half> in(elements);
  for (size_t i = 0; i < elements; ++i)
    in[i] = __float2half(values[i]);
  const trial::DeviceArray<__half> deviceIn(in), deviceMatrix(matrix), deviceOut(elements);

  int warpLanes = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&warpLanes, cudaDevAttrWarpSize, 0));
  pipeline<<<blocks, schedule.stages * warpLanes>>>(deviceOut.data(), deviceIn.data(), deviceMatrix.data(), tiles, schedule);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<__half> out = deviceOut.download();

  std::printf("model: %lld cycles for each block\n", modelCycles(schedule, tiles));
  trial::Comparison comparison;
  const int moved = schedule.stages - 2;
  for (size_t i = 0; i < elements; ++i) {
    const size_t row = i / tileSide * tileSide, column = i % tileSide;
    comparison.add(__half2float(out[row + (column + moved) % tileSide]), __half2float(in[i]));
  }
  return trial::verdict(comparison, 0, trial::checksum(out));
}
