// softmax(Q·Kᵀ/√d)·V for Hopper: one warpgroup fetches tiles by TMA, two multiply them by wgmma, in three schedules, each of which
// is faster than the one before (README.md).
#include "../trial.h"

#ifdef KPERF_HOST_TARGET
#error "attention_hopper needs TMA and wgmma (sm_90a); the host target has neither"
#endif

#include <kperf/annotate.h>

#include "query_rows.h"

using hopper::warpgroup;

constexpr int groups = 2, groupRows = 64, blockRows = groups * groupRows, keyRows = 160, slots = 2;
constexpr int threadsPerBlock = (1 + groups) * warpgroup;

enum class Schedule {
  serial, // each warpgroup: QK, softmax, PV, one after the other
  turns,  // PV and the next QK in one go, and the two warpgroups take turns at that: one multiplies while the other has its softmax
  overlap // the next QK before PV, so that a warpgroup's softmax runs beside its own PV too
};

/// The swizzle repeats every 1024 bytes, so that a tile begins at a multiple of it.
constexpr int alignment = 1024;
constexpr int sharedBytes = tileBytes<blockRows> + 2 * slots * tileBytes<keyRows> + alignment;

/// Which warpgroup may start products. With the schedule `serial` either may at any time.
template <Schedule S> struct Turn {
  int group;

  /// Called once by either warpgroup: the first turn is group 0's.
  __device__ void begin() const {
    if (S != Schedule::serial && group == 1)
      pass();
  }
  __device__ void await() const {
    if (S != Schedule::serial)
      hopper::syncNamed(1 + group, groups * warpgroup);
  }
  __device__ void pass() const {
    if (S != Schedule::serial)
      hopper::arriveNamed(2 - group, groups * warpgroup);
  }
};

/// Starts the copy of a tile of so many rows, from `row` of a head on; a barrier of one arrival counts its bytes.
template <int Rows> __device__ void startCopy(unsigned char *tile, const CUtensorMap *map, uint64_t *barrier, int row, int head) {
  hopper::arriveExpectingBytes(barrier, tileBytes<Rows>);
  hopper::copyBox(tile, map, barrier, 0, row, head);
  hopper::copyBox(tile + halfBytes<Rows>, map, barrier, headDim / 2, row, head);
}

/// All arrays are [heads][length][headDim]; scale is log2(e)/√headDim. One block runs on every multiprocessor and computes blockRows rows
/// of one head after the other.
template <Schedule S>
__global__ void __launch_bounds__(threadsPerBlock, 1)
    attention(const __grid_constant__ CUtensorMap mapQ, const __grid_constant__ CUtensorMap mapK, const __grid_constant__ CUtensorMap mapV,
              __half *out, int length, int heads, float scale) {
  extern __shared__ unsigned char shared[];
  __shared__ uint64_t fullQ, emptyQ, fullK[slots], emptyK[slots], fullV[slots], emptyV[slots];
  unsigned char *const query = shared + -hopper::sharedAddress(shared) % alignment;
  unsigned char *const keys = query + tileBytes<blockRows>;
  unsigned char *const values = keys + slots * tileBytes<keyRows>;

  const int blocksPerHead = (length + blockRows - 1) / blockRows, blocks = blocksPerHead * heads;
  const int tiles = (length + keyRows - 1) / keyRows;

  if (threadIdx.x == 0) {
    hopper::initBarrier(&fullQ, 1);
    hopper::initBarrier(&emptyQ, groups);
    for (int i = 0; i < slots; ++i) {
      hopper::initBarrier(&fullK[i], 1);
      hopper::initBarrier(&emptyK[i], groups);
      hopper::initBarrier(&fullV[i], 1);
      hopper::initBarrier(&emptyV[i], groups);
    }
    hopper::publishBarriers();
  }
  __syncthreads();

  hopper::Slot<1> round; // of Q
  hopper::Slot<slots> slotK, slotV;
  if (threadIdx.x < warpgroup) {
    hopper::shrinkRegisters<24>();
    if (threadIdx.x == 0) {
      for (int block = blockIdx.x; block < blocks; block += gridDim.x, round.advance()) {
        const int head = block / blocksPerHead;
        {
          KPERF_SCOPE("slot wait Q");
          hopper::wait(&emptyQ, round.parity ^ 1);
        }
        startCopy<blockRows>(query, &mapQ, &fullQ, block % blocksPerHead * blockRows, head);
        for (int i = 0; i <= tiles; ++i) { // the values follow the keys one tile behind
          if (i < tiles) {
            {
              KPERF_SCOPE("slot wait");
              hopper::wait(&emptyK[slotK.index], slotK.parity ^ 1);
            }
            KPERF_SCOPE("refill");
            startCopy<keyRows>(keys + slotK.index * tileBytes<keyRows>, &mapK, &fullK[slotK.index], i * keyRows, head);
            slotK.advance();
          }
          if (i > 0) {
            {
              KPERF_SCOPE("slot wait");
              hopper::wait(&emptyV[slotV.index], slotV.parity ^ 1);
            }
            KPERF_SCOPE("refill");
            startCopy<keyRows>(values + slotV.index * tileBytes<keyRows>, &mapV, &fullV[slotV.index], (i - 1) * keyRows, head);
            slotV.advance();
          }
        }
      }
    }
  } else {
    hopper::growRegisters<240>();
    const int group = threadIdx.x / warpgroup - 1;
    const bool leader = threadIdx.x % warpgroup == 0;
    const uint64_t matrixQ = hopper::swizzledMatrix(query + group * groupRows * 64 * sizeof(__half));
    const uint64_t firstK = hopper::swizzledMatrix(keys), firstV = hopper::swizzledTransposed(values, halfBytes<keyRows>);
    const auto matrixK = [&] { return firstK + slotK.index * (tileBytes<keyRows> / 16); };
    const auto matrixV = [&] { return firstV + slotV.index * (tileBytes<keyRows> / 16); };
    const Turn<S> turn{group};
    turn.begin();

    QueryRows<keyRows> rows;
    for (int block = blockIdx.x; block < blocks; block += gridDim.x, round.advance()) {
      rows.clear();
      {
        KPERF_SCOPE("wait Q");
        hopper::wait(&fullQ, round.parity);
      }
      if constexpr (S != Schedule::overlap) {
        constexpr bool inOneGo = S == Schedule::turns;
        int previousV = 0;
        for (int i = 0; i < tiles; ++i) {
          {
            KPERF_SCOPE("wait K");
            hopper::wait(&fullK[slotK.index], slotK.parity);
          }
          if (i == 0) {
            KPERF_SCOPE("turn");
            turn.await();
          }
          {
            KPERF_SCOPE("QK");
            rows.startQueryKey<blockRows>(matrixQ, matrixK());
            turn.pass();
            hopper::waitForGroups<0>();
            hopper::afterWait(rows.scores);
            if (inOneGo)
              hopper::afterWait(rows.sums);
          }
          if (leader) {
            hopper::arrive(&emptyK[slotK.index]);
            if (inOneGo && i > 0)
              hopper::arrive(&emptyV[previousV]);
            if (i + 1 == tiles)
              hopper::arrive(&emptyQ);
          }
          slotK.advance();
          {
            KPERF_SCOPE("softmax");
            if (i + 1 == tiles && length % keyRows)
              rows.mask(length % keyRows);
            rows.softmax(scale);
            rows.takeWeights();
          }
          {
            KPERF_SCOPE("wait V");
            hopper::wait(&fullV[slotV.index], slotV.parity);
          }
          {
            KPERF_SCOPE("turn");
            turn.await();
          }
          {
            KPERF_SCOPE("PV");
            rows.startWeightsValues(matrixV());
            if (!inOneGo) {
              hopper::waitForGroups<0>();
              hopper::afterWait(rows.sums);
            }
          }
          if (!inOneGo && leader)
            hopper::arrive(&emptyV[slotV.index]);
          previousV = slotV.index;
          slotV.advance();
        }
        turn.pass();
        if (inOneGo) {
          hopper::waitForGroups<0>();
          hopper::afterWait(rows.sums);
          if (leader)
            hopper::arrive(&emptyV[previousV]);
        }
      } else {
        {
          KPERF_SCOPE("wait K");
          hopper::wait(&fullK[slotK.index], slotK.parity);
        }
        {
          KPERF_SCOPE("turn");
          turn.await();
        }
        {
          KPERF_SCOPE("QK");
          rows.startQueryKey<blockRows>(matrixQ, matrixK());
          turn.pass();
          hopper::waitForGroups<0>();
          hopper::afterWait(rows.scores);
        }
        if (leader)
          hopper::arrive(&emptyK[slotK.index]);
        slotK.advance();
        {
          KPERF_SCOPE("softmax");
          if (tiles == 1 && length % keyRows)
            rows.mask(length % keyRows);
          rows.softmax(scale);
          rows.takeWeights();
        }
        for (int i = 1; i < tiles; ++i) {
          {
            KPERF_SCOPE("wait K");
            hopper::wait(&fullK[slotK.index], slotK.parity);
          }
          {
            KPERF_SCOPE("wait V");
            hopper::wait(&fullV[slotV.index], slotV.parity);
          }
          {
            KPERF_SCOPE("turn");
            turn.await();
          }
          {
            KPERF_SCOPE("QK");
            rows.startQueryKey<blockRows>(matrixQ, matrixK());
            rows.startWeightsValues(matrixV());
            turn.pass();
            hopper::waitForGroups<1>(); // for QK: PV runs on
            hopper::afterWait(rows.scores);
          }
          if (leader)
            hopper::arrive(&emptyK[slotK.index]);
          slotK.advance();
          {
            KPERF_SCOPE("softmax");
            if (i + 1 == tiles && length % keyRows)
              rows.mask(length % keyRows);
            rows.softmax(scale);
          }
          {
            KPERF_SCOPE("PV");
            hopper::waitForGroups<0>();
            hopper::afterWait(rows.sums);
          }
          if (leader)
            hopper::arrive(&emptyV[slotV.index]);
          slotV.advance();
          {
            KPERF_SCOPE("rescale");
            rows.takeWeights();
          }
        }
        if (leader)
          hopper::arrive(&emptyQ);
        {
          KPERF_SCOPE("wait V");
          hopper::wait(&fullV[slotV.index], slotV.parity);
        }
        {
          KPERF_SCOPE("turn");
          turn.await();
        }
        {
          KPERF_SCOPE("PV");
          rows.startWeightsValues(matrixV());
          turn.pass();
          hopper::waitForGroups<0>();
          hopper::afterWait(rows.sums);
        }
        if (leader)
          hopper::arrive(&emptyV[slotV.index]);
        slotV.advance();
      }
      KPERF_SCOPE("epilogue");
      rows.normalise();
      const int head = block / blocksPerHead, firstRow = block % blocksPerHead * blockRows + group * groupRows;
      hopper::storeSums<headDim>(rows.sums, out + size_t(head) * length * headDim, firstRow, 0, length, headDim);
    }
  }
}

namespace {

struct Problem {
  int length, heads;
  size_t elements() const { return size_t(heads) * length * headDim; }
  /// Multiplications and additions that the result needs.
  double operations() const { return 4.0 * elements() * length; }
};

/// Milliseconds a launch.
template <Schedule S> float run(const Problem &problem, int repeat, const __half *q, const __half *k, const __half *v, __half *out) {
  const float scale = 1.4426950408889634f / std::sqrt(float(headDim));
  int device = 0, multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaFuncSetAttribute(attention<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));

  const int blocks = (problem.length + blockRows - 1) / blockRows * problem.heads;
  const CUtensorMap mapQ = hopper::tensorMap(q, {headDim, problem.length, problem.heads}, {64, blockRows, 1});
  const CUtensorMap mapK = hopper::tensorMap(k, {headDim, problem.length, problem.heads}, {64, keyRows, 1});
  const CUtensorMap mapV = hopper::tensorMap(v, {headDim, problem.length, problem.heads}, {64, keyRows, 1});
  return trial::medianMilliseconds(repeat, [&](int) {
    attention<S>
        <<<std::min(blocks, multiprocessors), threadsPerBlock, sharedBytes>>>(mapQ, mapK, mapV, out, problem.length, problem.heads, scale);
  });
}

using Halves = std::vector<__half>;

/// One row of the output in float64; `row` counts through all heads.
std::vector<double> referenceRow(const Problem &problem, const Halves &q, const Halves &k, const Halves &v, size_t row) {
  const size_t head = row / problem.length * problem.length;
  std::vector<double> weights(problem.length), result(headDim);
  double highest = -INFINITY, sum = 0;
  for (int key = 0; key < problem.length; ++key) {
    double dot = 0;
    for (int d = 0; d < headDim; ++d)
      dot += double(__half2float(q[row * headDim + d])) * double(__half2float(k[(head + key) * headDim + d]));
    weights[key] = dot / std::sqrt(double(headDim));
    highest = std::max(highest, weights[key]);
  }
  for (int key = 0; key < problem.length; ++key) {
    weights[key] = std::exp(weights[key] - highest);
    sum += weights[key];
    for (int d = 0; d < headDim; ++d)
      result[d] += weights[key] * double(__half2float(v[(head + key) * headDim + d]));
  }
  for (double &element : result)
    element /= sum;
  return result;
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const long batch = options.integer("batch", 4, 1, "sequences");
  Problem problem;
  problem.heads = static_cast<int>(batch * options.integer("heads", 16, 1, "heads of each sequence"));
  problem.length = static_cast<int>(options.integer("length", 4096, 1, "queries and keys of each head"));
  const std::string schedule =
      options.word("schedule", "overlap", {"serial", "turns", "overlap"}, "how products and softmax follow each other");
  const int repeat = static_cast<int>(options.integer("repeat", 10, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();

  const float sharpen = 8; // widens the scores, so that the softmax has something to choose from
  const Halves q = trial::randomArray<__half>(problem.elements(), seed, sharpen);
  const Halves k = trial::randomArray<__half>(problem.elements(), seed + 1);
  const Halves v = trial::randomArray<__half>(problem.elements(), seed + 2);
  const trial::DeviceArray<__half> deviceQ(q), deviceK(k), deviceV(v);
  const trial::DeviceArray<__half> deviceOut(problem.elements());

  const auto chosen = schedule == "serial" ? run<Schedule::serial> : schedule == "turns" ? run<Schedule::turns> : run<Schedule::overlap>;
  const float milliseconds = chosen(problem, repeat, deviceQ.data(), deviceK.data(), deviceV.data(), deviceOut.data());
  trial::printTime(milliseconds, problem.operations() * 1e-9, "TFLOP/s");

  const Halves out = deviceOut.download();
  trial::Comparison comparison;
  for (const size_t row : trial::sampleRows(size_t(problem.heads) * problem.length, 512, seed)) {
    const std::vector<double> expected = referenceRow(problem, q, k, v, row);
    for (int d = 0; d < headDim; ++d)
      comparison.add(__half2float(out[row * headDim + d]), expected[d]);
  }
  return trial::verdict(comparison, 1e-3, trial::checksum(out));
}
