// C = A·B in fp32: 128×128×8 tiles in shared memory, 8×8 results a thread, the next tile on its way while this one is
// used.
#include "../trial.h"

#include <kperf/annotate.h>

constexpr int tileM = 128, tileN = 128, tileK = 8;
constexpr int threadsPerBlock = 256;
/// The transposed tile of A is written by column: four words of padding keep a warp's 32 stores in 32 banks.
constexpr int pitchA = tileM + 4;

/// Four consecutive elements of a row, zeros beyond the matrix. `Whole` promises that all four exist and are aligned.
template <bool Whole> __device__ float4 loadFour(const float *matrix, int row, int column, int rows, int columns) {
  const float *source = matrix + size_t(row) * columns + column;
  if (Whole)
    return *reinterpret_cast<const float4 *>(source);
  float4 four = make_float4(0, 0, 0, 0);
  if (row < rows) {
    four.x = column + 0 < columns ? source[0] : 0;
    four.y = column + 1 < columns ? source[1] : 0;
    four.z = column + 2 < columns ? source[2] : 0;
    four.w = column + 3 < columns ? source[3] : 0;
  }
  return four;
}

template <bool Whole>
__device__ void storeFour(float *matrix, int row, int column, int rows, int columns, float4 four) {
  float *target = matrix + size_t(row) * columns + column;
  if (Whole) {
    *reinterpret_cast<float4 *>(target) = four;
  } else if (row < rows) {
    const float values[4] = {four.x, four.y, four.z, four.w};
    for (int i = 0; i < 4; ++i)
      if (column + i < columns)
        target[i] = values[i];
  }
}

/// A is m×k, B is k×n, C is m×n, all row-major. `Whole`: m, n and k are multiples of the tile.
template <bool Whole>
__global__ void __launch_bounds__(threadsPerBlock, 2) // two blocks an SM, also when probes want registers
    sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __align__(16) float tileA[2][tileK][pitchA];
  __shared__ __align__(16) float tileB[2][tileK][tileN];

  const int thread = threadIdx.x;
  const int firstRow = blockIdx.y * tileM, firstColumn = blockIdx.x * tileN;
  const int rowA = thread / 2, columnA = thread % 2 * 4; // what this thread carries of each tile
  const int rowB = thread / 32, columnB = thread % 32 * 4;
  const int threadRow = thread / 16 * 4, threadColumn = thread % 16 * 4; // and what it computes, in four 4×4 quarters

  float4 carriedA = loadFour<Whole>(a, firstRow + rowA, columnA, m, k);
  float4 carriedB = loadFour<Whole>(b, rowB, firstColumn + columnB, k, n);
  float sums[8][8] = {};

  const int tiles = (k + tileK - 1) / tileK;
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % 2;
    {
      KPERF_SCOPE("fill shared");
      tileA[stage][columnA + 0][rowA] = carriedA.x;
      tileA[stage][columnA + 1][rowA] = carriedA.y;
      tileA[stage][columnA + 2][rowA] = carriedA.z;
      tileA[stage][columnA + 3][rowA] = carriedA.w;
      *reinterpret_cast<float4 *>(&tileB[stage][rowB][columnB]) = carriedB;
    }
    {
      KPERF_SCOPE("barrier"); // the only one: the other stage was last read before the barrier of the tile before
      __syncthreads();
    }
    if (tile + 1 < tiles) {
      KPERF_SCOPE("load tile"); // issued here, waited for in the next "fill shared"
      const int nextK = (tile + 1) * tileK;
      carriedA = loadFour<Whole>(a, firstRow + rowA, nextK + columnA, m, k);
      carriedB = loadFour<Whole>(b, nextK + rowB, firstColumn + columnB, k, n);
    }
    {
      KPERF_SCOPE("compute");
#pragma unroll
      for (int kk = 0; kk < tileK; ++kk) {
        const float4 a0 = *reinterpret_cast<const float4 *>(&tileA[stage][kk][threadRow]);
        const float4 a1 = *reinterpret_cast<const float4 *>(&tileA[stage][kk][threadRow + tileM / 2]);
        const float4 b0 = *reinterpret_cast<const float4 *>(&tileB[stage][kk][threadColumn]);
        const float4 b1 = *reinterpret_cast<const float4 *>(&tileB[stage][kk][threadColumn + tileN / 2]);
        const float left[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
        const float right[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
        for (int i = 0; i < 8; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j)
            sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
      }
    }
  }

  KPERF_SCOPE("store");
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = firstRow + threadRow + i % 4 + i / 4 * (tileM / 2);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float *four = &sums[i][half * 4];
      storeFour<Whole>(c, row, firstColumn + threadColumn + half * (tileN / 2), m, n,
                       make_float4(four[0], four[1], four[2], four[3]));
    }
  }
}

namespace {

#ifdef KPERF_HOST_TARGET
constexpr long defaultSize = 144;
#else
constexpr long defaultSize = 1024;
#endif

void launch(const float *a, const float *b, float *c, int m, int n, int k) {
  const dim3 grid((n + tileN - 1) / tileN, (m + tileM - 1) / tileM);
  if (m % tileM == 0 && n % tileN == 0 && k % tileK == 0)
    sgemm<true><<<grid, threadsPerBlock>>>(a, b, c, m, n, k);
  else
    sgemm<false><<<grid, threadsPerBlock>>>(a, b, c, m, n, k);
}

/// One row of A·B in float64.
std::vector<double> referenceRow(const std::vector<float> &a, const std::vector<float> &b, size_t row, size_t n,
                                 size_t k) {
  std::vector<double> sums(n);
  for (size_t i = 0; i < k; ++i)
    for (size_t column = 0; column < n; ++column)
      sums[column] += double(a[row * k + i]) * double(b[i * n + column]);
  return sums;
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const long size = options.integer("size", defaultSize, 1, "rows and columns of all three matrices");
  const int m = static_cast<int>(options.integer("m", size, 1, "rows of A and C"));
  const int n = static_cast<int>(options.integer("n", size, 1, "columns of B and C"));
  const int k = static_cast<int>(options.integer("k", size, 1, "columns of A, rows of B"));
  const int repeat = static_cast<int>(options.integer("repeat", 5, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();

  const std::vector<float> a = trial::randomArray<float>(size_t(m) * k, seed);
  const std::vector<float> b = trial::randomArray<float>(size_t(k) * n, seed + 1);
  const trial::DeviceArray<float> deviceA(a), deviceB(b);
  const trial::DeviceArray<float> deviceC(size_t(m) * n);

  const float milliseconds =
      trial::medianMilliseconds(repeat, [&](int) { launch(deviceA.data(), deviceB.data(), deviceC.data(), m, n, k); });
  trial::printTime(milliseconds, 2.0 * m * n * k * 1e-9, "TFLOP/s");

  const std::vector<float> c = deviceC.download();
  trial::Comparison comparison;
  for (const size_t row : trial::sampleRows(m, 256, seed)) {
    const std::vector<double> expected = referenceRow(a, b, row, n, k);
    for (int column = 0; column < n; ++column)
      comparison.add(c[row * n + column], expected[column]);
  }
  return trial::verdict(comparison, 2e-7 * std::sqrt(double(k)), trial::checksum(c));
}
