// C = A·Bᵀ in fp16 with fp32 sums, at Hopper's own pace: one warpgroup fetches tiles by TMA, two multiply them by
// wgmma.
#include "../trial.h"

#ifdef KPERF_HOST_TARGET
#error "gemm_hopper needs TMA and wgmma (sm_90a); the host target has neither"
#endif

#include <kperf/annotate.h>

#include "../hopper_tiles.h"

using hopper::warpgroup;

constexpr int tileM = 128, tileK = 64;
constexpr int consumers = 2, threadsPerBlock = (1 + consumers) * warpgroup;

/// The two forms of the tile fill 192 KB of shared memory alike.
template <int TileN> struct Tile {
  static constexpr int bytesA = tileM * tileK * sizeof(__half);
  static constexpr int bytesB = TileN * tileK * sizeof(__half);
  static constexpr int slots = 192 * 1024 / (bytesA + bytesB);
  /// The swizzle repeats every 1024 bytes, so that a slot begins at a multiple of it.
  static constexpr int alignment = 1024;
  static constexpr int sharedBytes = slots * (bytesA + bytesB) + alignment;
};

/// The order in which the tiles of C are computed: bands of rows, so that what runs together shares its inputs in L2. A
/// cluster computes `Cluster` tiles of one column, one below the other.
template <int TileN, int Cluster> struct TileOrder {
  static constexpr int bandRows = 16 / Cluster;
  int rows, columns;

  __host__ __device__ TileOrder(int m, int n)
      : rows((m + tileM * Cluster - 1) / (tileM * Cluster)), columns((n + TileN - 1) / TileN) {}
  __host__ __device__ int count() const { return rows * columns; }
  __device__ int firstRow(int index) const {
    return (bandStart(index) + index % (bandRows * columns) % bandHeight(index)) * tileM * Cluster;
  }
  __device__ int firstColumn(int index) const { return index % (bandRows * columns) / bandHeight(index) * TileN; }

private:
  __device__ int bandStart(int index) const { return index / (bandRows * columns) * bandRows; }
  __device__ int bandHeight(int index) const { return min(bandRows, rows - bandStart(index)); }
};

/// A is m×k, B is n×k, C is m×n, all row-major; k and n are multiples of 8. One block runs on every multiprocessor and
/// computes one tile of C after the other; the blocks of a cluster fetch a share of B each, for all of them.
template <int TileN, int Cluster>
__global__ void __launch_bounds__(threadsPerBlock, 1)
    gemm(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, __half *c, int m, int n,
         int k) {
  using T = Tile<TileN>;
  extern __shared__ unsigned char shared[];
  __shared__ uint64_t full[T::slots], empty[T::slots];
  unsigned char *const tilesA = shared + -hopper::sharedAddress(shared) % T::alignment;
  unsigned char *const tilesB = tilesA + T::slots * T::bytesA;

  const TileOrder<TileN, Cluster> order(m, n);
  const int clusters = gridDim.x / Cluster, cluster = blockIdx.x / Cluster, rank = blockIdx.x % Cluster;
  const int steps = (k + tileK - 1) / tileK;

  if (threadIdx.x == 0) {
    for (int i = 0; i < T::slots; ++i) {
      hopper::initBarrier(&full[i], 1);
      hopper::initBarrier(&empty[i], consumers * Cluster);
    }
    hopper::publishBarriers();
  }
  hopper::clusterSync();

  hopper::Slot<T::slots> slot;
  if (threadIdx.x < warpgroup) {
    hopper::shrinkRegisters<40>();
    if (threadIdx.x == 0) {
      for (int index = cluster; index < order.count(); index += clusters) {
        const int row = order.firstRow(index) + rank * tileM;
        const int shareOfB = TileN / Cluster * rank;
        const int column = order.firstColumn(index) + shareOfB;
        for (int step = 0; step < steps; ++step, slot.advance()) {
          {
            KPERF_SCOPE("slot wait");
            hopper::wait(&empty[slot.index], slot.parity ^ 1);
          }
          {
            KPERF_SCOPE("refill");
            unsigned char *const a = tilesA + slot.index * T::bytesA;
            unsigned char *const b = tilesB + slot.index * T::bytesB + shareOfB * tileK * sizeof(__half);
            hopper::arriveExpectingBytes(&full[slot.index], T::bytesA + T::bytesB);
            hopper::copyBox(a, &mapA, &full[slot.index], step * tileK, row);
            if (Cluster == 1)
              hopper::copyBox(b, &mapB, &full[slot.index], step * tileK, column);
            else
              hopper::copyBoxToCluster(b, &mapB, &full[slot.index], step * tileK, column, (1 << Cluster) - 1);
          }
        }
      }
    }
  } else {
    hopper::growRegisters<232>();
    const int consumerRow = (threadIdx.x / warpgroup - 1) * (tileM / consumers);
    const unsigned thread = threadIdx.x % warpgroup;
    const uint64_t firstA = hopper::swizzledMatrix(tilesA + consumerRow * tileK * sizeof(__half));
    const uint64_t firstB = hopper::swizzledMatrix(tilesB);
    for (int index = cluster; index < order.count(); index += clusters) {
      float sums[TileN / 8][4] = {};
      int previous = 0;
      for (int step = 0; step < steps; ++step, slot.advance()) {
        {
          KPERF_SCOPE("TMA wait");
          hopper::wait(&full[slot.index], slot.parity);
        }
        {
          KPERF_SCOPE("MMA issue");
          const uint64_t a = firstA + slot.index * (T::bytesA / 16), b = firstB + slot.index * (T::bytesB / 16);
          hopper::beginMultiply();
#pragma unroll
          for (int i = 0; i < tileK / 16; ++i)
            hopper::multiply(sums, a + i * hopper::sixteenColumns, b + i * hopper::sixteenColumns);
          hopper::commitGroup();
        }
        {
          KPERF_SCOPE("MMA wait"); // for the step before: this one's products run on
          hopper::waitForGroups<1>();
        }
        {
          KPERF_SCOPE("release");
          if (step > 0 && thread < Cluster)
            hopper::arriveAt(&empty[previous], thread);
        }
        previous = slot.index;
      }
      {
        KPERF_SCOPE("drain");
        hopper::waitForGroups<0>();
        hopper::afterWait(sums);
        if (thread < Cluster)
          hopper::arriveAt(&empty[previous], thread);
      }
      KPERF_SCOPE("epilogue");
      hopper::storeSums<TileN>(sums, c, order.firstRow(index) + rank * tileM + consumerRow, order.firstColumn(index), m, n);
    }
  }
  hopper::clusterSync(); // nobody leaves while a neighbour may still write to its shared memory
}

namespace {

struct Problem {
  int m, n, k, tileN, cluster;
};

/// Milliseconds a launch.
template <int TileN, int Cluster>
float run(const Problem &problem, int repeat, const __half *a, const __half *b, __half *c) {
  const auto kernel = gemm<TileN, Cluster>;
  int device = 0, multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile<TileN>::sharedBytes));

  cudaLaunchAttribute clusterShape;
  clusterShape.id = cudaLaunchAttributeClusterDimension;
  clusterShape.val.clusterDim.x = Cluster;
  clusterShape.val.clusterDim.y = 1;
  clusterShape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  const int tiles = TileOrder<TileN, Cluster>(problem.m, problem.n).count();
  config.gridDim = dim3(Cluster * std::min(tiles, multiprocessors / Cluster));
  config.blockDim = dim3(threadsPerBlock);
  config.dynamicSmemBytes = Tile<TileN>::sharedBytes;
  config.attrs = &clusterShape;
  config.numAttrs = 1;

  const CUtensorMap mapA = hopper::tensorMap(a, {problem.k, problem.m}, {tileK, tileM});
  const CUtensorMap mapB = hopper::tensorMap(b, {problem.k, problem.n}, {tileK, TileN / Cluster});
  return trial::medianMilliseconds(repeat, [&](int) {
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, mapA, mapB, c, problem.m, problem.n, problem.k));
  });
}

/// The dot product of two rows in float64, in eight interleaved sums for the sake of speed.
double dot(const float *x, const float *y, int count) {
  double sums[8] = {};
  for (int i = 0; i < count; i += 8)
    for (int j = 0; j < 8; ++j)
      sums[j] += double(x[i + j]) * double(y[i + j]);
  return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const long size = options.integer("size", 4096, 8, "rows and columns of all three matrices");
  Problem problem;
  problem.m = static_cast<int>(options.integer("m", size, 1, "rows of A and C"));
  problem.n = static_cast<int>(options.integer("n", size, 8, "rows of B, columns of C, a multiple of 8"));
  problem.k = static_cast<int>(options.integer("k", size, 8, "columns of A and B, a multiple of 8"));
  problem.tileN = static_cast<int>(
      options.integer("tile-n", problem.n % 256 ? 128 : 256, 128, "columns of C that a block computes: 128 or 256"));
  problem.cluster = static_cast<int>(options.integer("cluster", 2, 1, "blocks that share their fetches of B: 1 or 2"));
  const int repeat = static_cast<int>(options.integer("repeat", 10, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();
  if (problem.n % 8 || problem.k % 8 || (problem.tileN != 128 && problem.tileN != 256) || problem.cluster > 2) {
    std::fprintf(stderr, "%s: see --help for what n, k, tile-n and cluster can be\n", argv[0]);
    return 2;
  }

  const size_t m = problem.m, n = problem.n, k = problem.k;
  const std::vector<__half> a = trial::randomArray<__half>(m * k, seed);
  const std::vector<__half> b = trial::randomArray<__half>(n * k, seed + 1);
  const trial::DeviceArray<__half> deviceA(a), deviceB(b);
  const trial::DeviceArray<__half> deviceC(m * n);
  const auto chosen = problem.tileN == 256 ? (problem.cluster == 2 ? run<256, 2> : run<256, 1>)
                                           : (problem.cluster == 2 ? run<128, 2> : run<128, 1>);
  const float milliseconds = chosen(problem, repeat, deviceA.data(), deviceB.data(), deviceC.data());
  trial::printTime(milliseconds, 2.0 * m * n * k * 1e-9, "TFLOP/s");

  const std::vector<__half> c = deviceC.download();
  const std::vector<float> wideB(b.begin(), b.end());
  trial::Comparison comparison;
  for (const size_t row : trial::sampleRows(m, 64, seed)) {
    const std::vector<float> rowOfA(a.begin() + row * k, a.begin() + (row + 1) * k);
    for (size_t column = 0; column < n; ++column)
      comparison.add(__half2float(c[row * n + column]), dot(rowOfA.data(), &wideB[column * k], problem.k));
  }
  return trial::verdict(comparison, 5e-4, trial::checksum(c));
}
