// What `kperf selftest` builds and runs: everything that kperf's probes take for granted about a GPU, asked of the GPU itself.
//
// Prints a line for each question, "ok" or "FAIL" first. The names of its regions say how often each warp enters them, which
// `kperf selftest` then looks for in the trace. Builds as HIP for AMD and NVIDIA GPUs and for the CPU.
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>
#include <kperf/annotate.h>
#include <vector>

#if defined(KPERF_INSTRUMENTED) && !defined(KPERF_HOST_TARGET)
#define KPERF_SELFTEST_PROBES 1 // the probes' own functions are there to be asked
#endif

namespace {

int failures = 0;

void expect(bool isSo, const char *what) {
  std::printf("%s %s\n", isSo ? "ok  " : "FAIL", what);
  failures += !isSo;
}

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (const hipError_t status = (call); status != hipSuccess) {                                                      \
      std::printf("FAIL %s: %s\n", #call, hipGetErrorString(status));                                                  \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (false)

constexpr int kBlocks = 24, kThreads = 128;

__device__ float twice(float x) {
  KPERF_SCOPE("function, 3 a warp");
  return x * 2;
}

__global__ void regions(float *data, int n) {
  float x = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("whole warp, 5 a warp");
    x = x * 0.5f + 1;
  }
  KPERF_BEGIN("range, 1 a warp");
  if (threadIdx.x % 2 == 0) {
    KPERF_SCOPE("even lanes, 1 a warp");
    x += 1;
  }
  KPERF_END("range, 1 a warp");
  for (int i = 0; i < 3; ++i)
    x = twice(x);
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// What `regions` makes of a number, on the CPU.
float expected(float x, int thread) {
  for (int i = 0; i < 5; ++i)
    x = x * 0.5f + 1;
  if (thread % 2 == 0)
    x += 1;
  return x * 8;
}

__global__ void spin(int loads, volatile int *data) {
  KPERF_SCOPE("spinning, 1 a warp");
  for (int i = 0; i < loads; ++i)
    data[threadIdx.x] = data[threadIdx.x] + 1;
}

#if defined(KPERF_SELFTEST_PROBES)

struct Answers {
  unsigned long long isLaneWrong, isMaskWrong, leaders, isClockWrong, isBroadcastWrong, gridId, lanes, mostUnit;
  unsigned stored[64][4];
};

/// One block of one warp asks what probes rely on.
__global__ void ask(Answers *answers) {
#if defined(KPERF_DEVICE_CODE)
  using namespace kperf::detail;
  const unsigned lane = threadIdx.x;
  if (lane == 0) {
    answers->lanes = warpLanes();
    answers->gridId = gridId();
  }
  if (laneInWarp() != lane)
    atomicAdd(&answers->isLaneWrong, 1ull);
  if (lane % 3 == 1) { // lanes 1, 4, 7, …
    if (activeLanes() != (0x9249249249249249ull << 1 & lowLanes(warpLanes())))
      atomicAdd(&answers->isMaskWrong, 1ull);
    if (isLowest(activeLanes()))
      atomicAdd(&answers->leaders, 1ull + lane * 100);
  }
  unsigned before = settledClock();
  for (int i = 0; i < 100; ++i) {
    const unsigned now = settledClock();
    if (static_cast<int>(now - before) < 0)
      atomicAdd(&answers->isClockWrong, 1ull);
    before = now;
  }
  if (valueOfFirst(activeLanes(), 1000u + lane) != 1000u)
    atomicAdd(&answers->isBroadcastWrong, 1ull);
  // lane 5 alone stores, although all lanes name a place
  storeRecord(reinterpret_cast<uint64_t>(answers->stored), lane * 16, lane, 7, 8, 9, lane == 5);
  atomicMax(&answers->mostUnit, static_cast<unsigned long long>(smId()));
#else
  (void)answers;
#endif
}

int askProbes(int warpSize) {
  Answers *answers = nullptr, first, second;
  CHECK(hipMalloc(reinterpret_cast<void **>(&answers), sizeof(Answers)));
  for (Answers *each : {&first, &second}) {
    CHECK(hipMemset(answers, 0, sizeof(Answers)));
    ask<<<1, warpSize>>>(answers);
    CHECK(hipMemcpy(each, answers, sizeof(Answers), hipMemcpyDeviceToHost));
  }
  expect(first.lanes == static_cast<unsigned long long>(warpSize), "a warp has the lanes that the driver says");
  expect(first.isLaneWrong == 0, "lanes know their numbers");
  expect(first.isMaskWrong == 0, "the mask of active lanes is theirs where lanes parted");
  expect(first.leaders == 101, "one lane is the lowest active one");
  expect(first.isClockWrong == 0, "the clock does not run backwards");
  expect(first.isBroadcastWrong == 0, "the lowest lane's value reaches the others");
  expect(first.gridId != second.gridId, "two launches have two numbers");
  expect(first.mostUnit < 1024, "the multiprocessor's number is below 1024");
  unsigned others = 0;
  for (int lane = 0; lane < 64; ++lane)
    for (const unsigned word : first.stored[lane])
      others += lane != 5 && word != 0;
  const unsigned record[] = {5, 7, 8, 9};
  expect(std::memcmp(first.stored[5], record, sizeof(record)) == 0, "a record is stored");
  expect(others == 0, "by the one lane that is to");
  CHECK(hipFree(answers));
  return 0;
}

#endif

int runRegions() {
  std::vector<float> numbers(kBlocks * kThreads), results(kBlocks * kThreads);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i % 17);
  float *data = nullptr;
  const std::size_t bytes = numbers.size() * sizeof(float);
  CHECK(hipMalloc(reinterpret_cast<void **>(&data), bytes));
  CHECK(hipMemcpy(data, numbers.data(), bytes, hipMemcpyHostToDevice));
  regions<<<kBlocks, kThreads>>>(data, 5);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(results.data(), data, bytes, hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kBlocks * kThreads; ++i)
    wrong += results[i] != expected(numbers[i], i % kThreads);
  expect(wrong == 0, "a kernel with probes computes what it should");
  CHECK(hipFree(data));
  return 0;
}

/// Prints how long a kernel of some milliseconds took by the runtime's events: its trace has to agree.
int timeSpin(int loads, int warpSize) {
  int *data = nullptr;
  float milliseconds = 0;
  hipEvent_t begin, end;
  CHECK(hipMalloc(reinterpret_cast<void **>(&data), 256 * sizeof(int)));
  CHECK(hipMemset(data, 0, 256 * sizeof(int)));
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  spin<<<1, warpSize>>>(1, data); // loads the code
  CHECK(hipDeviceSynchronize());
  CHECK(hipEventRecord(begin, nullptr));
  spin<<<1, warpSize>>>(loads, data);
  CHECK(hipEventRecord(end, nullptr));
  CHECK(hipEventSynchronize(end));
  CHECK(hipEventElapsedTime(&milliseconds, begin, end));
  std::printf("spinning took %.0f ns\n", milliseconds * 1e6);
  CHECK(hipFree(data));
  return 0;
}

} // namespace

int main() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("     %s, warps of %d lanes\n", properties.name, properties.warpSize);
#if defined(KPERF_SELFTEST_PROBES)
  if (askProbes(properties.warpSize) != 0)
    return 1;
#endif
  if (runRegions() != 0)
    return 1;
#if defined(KPERF_HOST_TARGET)
  const int loads = 1000000;
#else
  const int loads = 20000;
#endif
  if (timeSpin(loads, properties.warpSize) != 0)
    return 1;
  return failures == 0 ? 0 : 1;
}
