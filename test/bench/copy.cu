// A copy, bound by memory: what memory probes cost where every access is counted and where one block in 32 is. By one thread for
// each element, or by as many blocks as run at once: then a block lives as long as the kernel, and a kernel as long as its
// slowest block.
#include "../../examples/trial.h"

#include <kperf/annotate.h>

/// out = in, `count` of them, a grid-stride loop.
__global__ void copy(float *out, const float *in, size_t count) {
  KPERF_SCOPE("copy");
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    out[i] = in[i];
}

int main(int argc, char **argv) {
  trial::Options options(argc, argv);
  const size_t count = options.integer("mebi", 64, 1, "elements, in units of 2^20") << 20;
  const bool isResident = options.flag("resident", "as many blocks as run at once on 132 multiprocessors");
  const int repeat = static_cast<int>(options.integer("repeat", 9, 1, "timed launches"));
  options.finish();
  const std::vector<float> values = trial::randomArray<float>(count, 1);
  const trial::DeviceArray<float> in(values), out(count);
  const unsigned blocks = isResident ? 132 * 8 : static_cast<unsigned>(count / 256);
  const float milliseconds =
      trial::medianMilliseconds(repeat, [&](int) { copy<<<blocks, 256>>>(out.data(), in.data(), count); });
  std::printf("time: %g ms a launch, %.4g GB/s\n", milliseconds, 2.0 * sizeof(float) * count / milliseconds * 1e-6);
  const std::vector<float> copied = out.download();
  trial::Comparison comparison;
  for (size_t i = 0; i < count; ++i)
    comparison.add(copied[i], values[i]);
  return trial::verdict(comparison, 0, trial::checksum(copied));
}
