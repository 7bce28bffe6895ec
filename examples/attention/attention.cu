// softmax(Q·Kᵀ/√d)·V tile by tile with a running maximum (FlashAttention's forward pass): fp16 in, fp32 sums, fp16 out.
#include "../trial.h"

#include <kperf/annotate.h>

#if defined(KPERF_HOST_TARGET) || defined(__HIP_PLATFORM_AMD__) || defined(ATTENTION_SCALAR)
#include "scalar_tile.h"
#else
#include "tensor_core_tile.h"
#endif

/// Q and one stage of K and V before the other, all [rows][HeadDim].
template <int HeadDim>
constexpr int sharedBytes = (queryRows + 2 * 2 * AttentionTile<HeadDim>::keyRows) * HeadDim *int(sizeof(__half));

/// All arrays are [heads][length][HeadDim]; scale is log2(e)/√HeadDim. A block computes queryRows rows of one head.
template <int HeadDim>
__global__ void __launch_bounds__(threadsPerBlock)
    attention(const __half *q, const __half *k, const __half *v, __half *out, int length, float scale, bool causal) {
  using Tile = AttentionTile<HeadDim>;
  constexpr int keyRows = Tile::keyRows;
  extern __shared__ __align__(128) unsigned char shared[];
  __half *const query = reinterpret_cast<__half *>(shared);
  __half *const stages = query + queryRows * HeadDim;

  const size_t head = size_t(blockIdx.y) * length * HeadDim;
  const int firstQuery = static_cast<int>(gridDim.x - 1 - blockIdx.x) * queryRows; // the longest causal rows go first
  const int keyEnd = causal ? min(length, firstQuery + queryRows) : length;
  const int tiles = (keyEnd + keyRows - 1) / keyRows;

  Tile::startCopy(query, q + head, firstQuery, queryRows, length);
  Tile::startCopy(stages, k + head, 0, keyRows, length);
  Tile::startCopy(stages + keyRows * HeadDim, v + head, 0, keyRows, length);

  Tile tile;
  for (int i = 0; i < tiles; ++i) {
    const int firstKey = i * keyRows;
    __half *const keys = stages + i % 2 * 2 * keyRows * HeadDim;
    __half *const values = keys + keyRows * HeadDim;
    {
      // Waits for this tile. After the barrier nobody reads the one before, so its stage takes the next.
      KPERF_SCOPE("load K/V");
      Tile::waitForCopies();
      __syncthreads();
      if (i + 1 < tiles) {
        __half *const next = stages + (i + 1) % 2 * 2 * keyRows * HeadDim;
        Tile::startCopy(next, k + head, firstKey + keyRows, keyRows, length);
        Tile::startCopy(next + keyRows * HeadDim, v + head, firstKey + keyRows, keyRows, length);
      }
    }
    {
      KPERF_SCOPE("QK");
      tile.multiplyQueryKey(query, keys);
    }
    {
      KPERF_SCOPE("softmax");
      if (firstKey + keyRows > (causal ? firstQuery : keyEnd))
        tile.mask(firstQuery, firstKey, keyEnd, causal);
      tile.softmax(scale);
    }
    {
      KPERF_SCOPE("PV");
      tile.multiplyScoresValues(values);
    }
  }

  KPERF_SCOPE("epilogue");
  tile.store(query, out + head, firstQuery, length);
}

namespace {

#ifdef KPERF_HOST_TARGET
constexpr long defaultLength = 160, defaultHeads = 2, defaultHeadDim = 64;
#elif defined(__HIP_PLATFORM_AMD__)
constexpr long defaultLength = 4096, defaultHeads = 32, defaultHeadDim = 64; // 48 KB of 64 KB local memory
#else
constexpr long defaultLength = 4096, defaultHeads = 32, defaultHeadDim = 128;
#endif

struct Problem {
  int length, heads, headDim;
  bool causal;
  size_t elements() const { return size_t(heads) * length * headDim; }
  /// Multiplications and additions that the result needs; half of the scores are masked away when causal.
  double operations() const { return 4.0 * elements() * length * (causal ? 0.5 : 1); }
};

/// Milliseconds a launch.
template <int HeadDim>
float run(const Problem &problem, int repeat, const __half *q, const __half *k, const __half *v, __half *out) {
  const float scale = 1.4426950408889634f / std::sqrt(float(HeadDim));
  const dim3 grid((problem.length + queryRows - 1) / queryRows, problem.heads);
  constexpr int bytes = sharedBytes<HeadDim>;
  CUDA_CHECK(cudaFuncSetAttribute(attention<HeadDim>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return trial::medianMilliseconds(repeat, [&](int) {
    attention<HeadDim><<<grid, threadsPerBlock, bytes>>>(q, k, v, out, problem.length, scale, problem.causal);
  });
}

using Halves = std::vector<__half>;

/// One row of the output in float64; `row` counts through all heads.
std::vector<double> referenceRow(const Problem &problem, const Halves &q, const Halves &k, const Halves &v,
                                 size_t row) {
  const size_t dim = problem.headDim, head = row / problem.length * problem.length;
  const size_t keys = problem.causal ? row - head + 1 : problem.length;
  std::vector<double> weights(keys), result(dim);
  double highest = -INFINITY, sum = 0;
  for (size_t key = 0; key < keys; ++key) {
    double dot = 0;
    for (size_t d = 0; d < dim; ++d)
      dot += double(__half2float(q[row * dim + d])) * double(__half2float(k[(head + key) * dim + d]));
    weights[key] = dot / std::sqrt(double(dim));
    highest = std::max(highest, weights[key]);
  }
  for (size_t key = 0; key < keys; ++key) {
    weights[key] = std::exp(weights[key] - highest);
    sum += weights[key];
    for (size_t d = 0; d < dim; ++d)
      result[d] += weights[key] * double(__half2float(v[(head + key) * dim + d]));
  }
  for (double &element : result)
    element /= sum;
  return result;
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  Problem problem;
  problem.length = static_cast<int>(options.integer("size", defaultLength, 1, "queries and keys of each head"));
  problem.heads = static_cast<int>(options.integer("heads", defaultHeads, 1, "heads, over the whole batch"));
  problem.headDim = static_cast<int>(options.integer("head-dim", defaultHeadDim, 64, "64 or 128"));
  problem.causal = options.flag("causal", "each query sees the keys up to its own position");
  const int repeat = static_cast<int>(options.integer("repeat", 5, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();
  if (problem.headDim != 64 && problem.headDim != 128) {
    std::fprintf(stderr, "%s: --head-dim needs 64 or 128, found %d\n", argv[0], problem.headDim);
    return 2;
  }

  const float sharpen = 8; // widens the scores, so that the softmax has something to choose from
  const Halves q = trial::randomArray<__half>(problem.elements(), seed, sharpen);
  const Halves k = trial::randomArray<__half>(problem.elements(), seed + 1);
  const Halves v = trial::randomArray<__half>(problem.elements(), seed + 2);
  const trial::DeviceArray<__half> deviceQ(q), deviceK(k), deviceV(v);
  const trial::DeviceArray<__half> deviceOut(problem.elements());

  const float milliseconds =
      (problem.headDim == 64 ? run<64> : run<128>)(problem, repeat, deviceQ.data(), deviceK.data(), deviceV.data(),
                                                   deviceOut.data());
  trial::printTime(milliseconds, problem.operations() * 1e-9, "TFLOP/s");

  const Halves out = deviceOut.download();
  trial::Comparison comparison;
  for (const size_t row : trial::sampleRows(size_t(problem.heads) * problem.length, 512, seed)) {
    const std::vector<double> expected = referenceRow(problem, q, k, v, row);
    for (int d = 0; d < problem.headDim; ++d)
      comparison.add(__half2float(out[row * problem.headDim + d]), expected[d]);
  }
  return trial::verdict(comparison, 1e-3, trial::checksum(out));
}
