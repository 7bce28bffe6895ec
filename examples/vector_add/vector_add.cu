// sum = a + b, element by element, in a grid-stride loop: the smallest kernel with something to see inside it.
#include "../trial.h"

#include <kperf/annotate.h>

__global__ void vectorAdd(const float *a, const float *b, float *sum, size_t count) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    KPERF_MARK("element", i);

    KPERF_BEGIN("load");
    const float x = a[i];
    const float y = b[i];
    KPERF_END("load");

    KPERF_BEGIN("add");
    const float z = x + y;
    KPERF_END("add");

    KPERF_BEGIN("store");
    sum[i] = z;
    KPERF_END("store");
  }
}

namespace {

#ifdef KPERF_HOST_TARGET
constexpr long defaultSize = 100'000, defaultBlocks = 8;
#else
constexpr long defaultSize = 1 << 26, defaultBlocks = 132 * 8;
#endif
constexpr int threadsPerBlock = 256;

} // namespace

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const size_t size = options.integer("size", defaultSize, 1, "elements in each vector");
  const int blocks = static_cast<int>(options.integer("blocks", defaultBlocks, 1, "thread blocks in the grid"));
  const int repeat = static_cast<int>(options.integer("repeat", 10, 1, "timed launches"));
  const uint64_t seed = options.integer("seed", 1, 0, "seed of the inputs");
  options.finish();

  const std::vector<float> a = trial::randomArray<float>(size, seed);
  const std::vector<float> b = trial::randomArray<float>(size, seed + 1);
  const trial::DeviceArray<float> deviceA(a), deviceB(b);
  const trial::DeviceArray<float> deviceSum(size);

  const float milliseconds = trial::medianMilliseconds(repeat, [&](int) {
    vectorAdd<<<blocks, threadsPerBlock>>>(deviceA.data(), deviceB.data(), deviceSum.data(), size);
  });
  trial::printTime(milliseconds, 3.0 * sizeof(float) * size * 1e-6, "GB/s");

  const std::vector<float> sum = deviceSum.download();
  trial::Comparison comparison;
  for (size_t i = 0; i < size; ++i)
    comparison.add(sum[i], double(a[i]) + double(b[i]));
  return trial::verdict(comparison, 1e-7, trial::checksum(sum));
}
