// y = W·x for one token: the fp16 matrix-vector product that LLM decoding spends its time in, bound by memory alone.
#include "../trial.h"

#include <kperf/annotate.h>

constexpr int warpLanes = 32, warpsPerBlock = 4;
constexpr int rowsPerWarp = 2;    // share the loads of x
constexpr int chunkHalves = 8;    // 16 bytes, the widest load there is
constexpr int chunksInFlight = 4; // a lane's loads per row before the first use: 4 KB a warp

/// Two fp16 values that arrived as one 32-bit word.
__device__ float2 unpack(unsigned word) {
  __half2 pair;
  memcpy(&pair, &word, sizeof(pair));
  return __half22float2(pair);
}

/// sum + Σ w·x over the eight fp16 values in each of two 16-byte chunks, in fp32.
__device__ float dotChunk(uint4 w, uint4 x, float sum) {
  const unsigned weights[4] = {w.x, w.y, w.z, w.w};
  const unsigned inputs[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 weight = unpack(weights[i]), input = unpack(inputs[i]);
    sum = fmaf(weight.x, input.x, sum);
    sum = fmaf(weight.y, input.y, sum);
  }
  return sum;
}

/// W is rows×columns, row-major; columns is a multiple of chunkHalves. Told that four blocks an SM are enough, the
/// compiler spends registers on loads in flight; left alone it keeps three.
__global__ void __launch_bounds__(warpLanes *warpsPerBlock, 4)
    gemv(const __half *__restrict__ w, const __half *__restrict__ x, __half *__restrict__ y, int rows, int columns) {
  const int lane = threadIdx.x % warpLanes;
  const int firstRow = (blockIdx.x * warpsPerBlock + threadIdx.x / warpLanes) * rowsPerWarp;
  if (firstRow >= rows)
    return;

  const int chunks = columns / chunkHalves;
  const uint4 *inputs = reinterpret_cast<const uint4 *>(x);
  const uint4 *weights[rowsPerWarp];
#pragma unroll
  for (int r = 0; r < rowsPerWarp; ++r)
    weights[r] = reinterpret_cast<const uint4 *>(w) + size_t(min(firstRow + r, rows - 1)) * chunks;

  float sums[rowsPerWarp] = {};
  for (int first = 0; first < chunks; first += warpLanes * chunksInFlight) {
    KPERF_SCOPE("load+fma");
    uint4 input[chunksInFlight], weight[rowsPerWarp][chunksInFlight];
#pragma unroll
    for (int i = 0; i < chunksInFlight; ++i) {
      const int chunk = first + i * warpLanes + lane;
      const bool exists = chunk < chunks;
      input[i] = exists ? inputs[chunk] : make_uint4(0, 0, 0, 0);
#pragma unroll
      for (int r = 0; r < rowsPerWarp; ++r)
        weight[r][i] = exists ? weights[r][chunk] : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int i = 0; i < chunksInFlight; ++i)
#pragma unroll
      for (int r = 0; r < rowsPerWarp; ++r)
        sums[r] = dotChunk(weight[r][i], input[i], sums[r]);
  }

  {
    KPERF_SCOPE("reduce");
#pragma unroll
    for (int distance = warpLanes / 2; distance > 0; distance /= 2)
#pragma unroll
      for (int r = 0; r < rowsPerWarp; ++r)
        sums[r] += __shfl_xor_sync(0xffffffffu, sums[r], distance);
  }

  KPERF_SCOPE("store");
  if (lane == 0)
    for (int r = 0; r < rowsPerWarp && firstRow + r < rows; ++r)
      y[firstRow + r] = __float2half(sums[r]);
}

namespace {

#ifdef KPERF_HOST_TARGET
constexpr long defaultRows = 250, defaultColumns = 1032, defaultLayers = 1;
#else
constexpr long defaultRows = 14336, defaultColumns = 4096, defaultLayers = 4;
#endif

/// The dot product of one row of W with x in float64.
double reference(const std::vector<__half> &w, const std::vector<__half> &x, size_t row) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += double(__half2float(w[row * x.size() + i])) * double(__half2float(x[i]));
  return sum;
}

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const int rows = static_cast<int>(options.integer("rows", defaultRows, 1, "rows of W"));
  const int columns = static_cast<int>(options.integer("size", defaultColumns, 8, "columns of W, a multiple of 8"));
  const int layers = static_cast<int>(
      options.integer("layers", defaultLayers, 1, "copies of W used in turn, so that none waits in the L2 cache"));
  const int repeat = static_cast<int>(options.integer("repeat", 24, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();
  if (columns % chunkHalves) {
    std::fprintf(stderr, "%s: --size needs a multiple of %d, found %d\n", argv[0], chunkHalves, columns);
    return 2;
  }

  const size_t weightCount = size_t(rows) * columns;
  const std::vector<__half> w = trial::randomArray<__half>(weightCount, seed);
  const std::vector<__half> x = trial::randomArray<__half>(columns, seed + 1);
  const trial::DeviceArray<__half> deviceW(weightCount * layers), deviceX(x), deviceY(rows);
  for (int layer = 0; layer < layers; ++layer)
    CUDA_CHECK(cudaMemcpy(deviceW.data() + weightCount * layer, w.data(), weightCount * sizeof(__half),
                          cudaMemcpyHostToDevice));

  const int rowsPerBlock = warpsPerBlock * rowsPerWarp;
  const int blocks = (rows + rowsPerBlock - 1) / rowsPerBlock;
  const float milliseconds = trial::medianMilliseconds(repeat, [&](int i) {
    gemv<<<blocks, warpLanes * warpsPerBlock>>>(deviceW.data() + weightCount * (i % layers), deviceX.data(),
                                                deviceY.data(), rows, columns);
  });
  trial::printTime(milliseconds, double(weightCount + rows + columns) * sizeof(__half) * 1e-6, "GB/s");

  const std::vector<__half> y = deviceY.download();
  trial::Comparison comparison;
  for (const size_t row : trial::sampleRows(rows, 4096, seed))
    comparison.add(__half2float(y[row]), reference(w, x, row));
  return trial::verdict(comparison, 5e-4, trial::checksum(y));
}
