// What `kperf selftest` builds and runs: kernels whose answers, regions, accesses and times are known on paper. In HIP's spelling,
// which every target takes.
//
// Prints "selftest NAME VALUE" for what is known here; decoder/compare/SelfTest.cpp holds the trace against it.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>
#include <kperf/annotate.h>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (const hipError_t status = (call); status != hipSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status));                                              \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (false)

namespace {

constexpr int kThreads = 128, kBlocks = 4, kSteps = 10, kRow = 32;
constexpr double kUnitMs = 0.5, kLateMs = 1;
#if defined(KPERF_HOST_TARGET) // where threads of other programs come in between
constexpr double kLongMs = 20, kMaxLaunchMs = 20, kMaxWakingMs = 50;
#else
constexpr double kLongMs = 100, kMaxLaunchMs = 2, kMaxWakingMs = 0.1;
#endif

int launches = 0, wrong = 0;

void say(const char *name, double value) { std::printf("selftest %s %.17g\n", name, value); }

/// Nanoseconds between two steps of wallClock().
double wallTickNs() {
#if defined(__HIP_PLATFORM_AMD__) && !defined(KPERF_HOST_TARGET)
#if HIP_VERSION >= 50600000
  int khz = 0;
  if (hipDeviceGetAttribute(&khz, hipDeviceAttributeWallClockRate, 0) == hipSuccess && khz > 0)
    return 1e6 / khz;
#endif
  return 10;
#else
  return 1;
#endif
}

long long ticksOf(double milliseconds) { return static_cast<long long>(milliseconds * 1e6 / wallTickNs()); }

/// Waits for the launch before it; gives how long the host waited since `begin`.
double finished(std::chrono::steady_clock::time_point begin) {
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());
  ++launches;
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

template <typename T> std::vector<T> download(const T *from, std::size_t count) {
  std::vector<T> out(count);
  CHECK(hipMemcpy(out.data(), from, count * sizeof(T), hipMemcpyDeviceToHost));
  return out;
}

} // namespace

__device__ int twice(int x) {
  KPERF_SCOPE("in a function");
  return 2 * x;
}

__global__ void __launch_bounds__(kThreads) count(int *out) {
  int sum = static_cast<int>(threadIdx.x);
  for (int step = 0; step < kSteps; ++step) {
    KPERF_BEGIN("range");
    {
      KPERF_SCOPE("step");
      sum = sum * 3 + step;
    }
    sum += twice(step);
    KPERF_END("range");
  }
  if (threadIdx.x % 2 == 1) {
    KPERF_SCOPE("odd lanes");
    sum += 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lanes(unsigned long long *out) {
  const auto lane = static_cast<int>(threadIdx.x) % warpSize;
  const unsigned long long all = __ballot(1), low = __ballot(lane < warpSize / 2);
  const int next = __shfl(lane, (lane + 1) % warpSize);
  out[threadIdx.x * 4] = static_cast<unsigned long long>(warpSize);
  out[threadIdx.x * 4 + 1] = static_cast<unsigned long long>(__popcll(all));
  out[threadIdx.x * 4 + 2] = static_cast<unsigned long long>(__popcll(low));
  out[threadIdx.x * 4 + 3] = static_cast<unsigned long long>(next);
}

__device__ long long wallClock() {
#if defined(__HIP_PLATFORM_AMD__) && !defined(KPERF_HOST_TARGET) && HIP_VERSION < 50600000 // has no wall_clock64
  return static_cast<long long>(__builtin_amdgcn_s_memrealtime());
#else
  return wall_clock64();
#endif
}

/// One thread a block, so that the host target's fibers do not spin one after another.
__device__ long long spinFor(long long ticks) {
  const long long begin = wallClock();
  long long now = begin;
  while (now - begin < ticks)
    now = wallClock();
  return now - begin;
}
__global__ void spinLong(long long ticks, long long *spun) {
  KPERF_SCOPE("long spin");
  *spun = spinFor(ticks);
}
__global__ void spinOnUnits(long long ticks, long long *spun) {
  HIP_DYNAMIC_SHARED(long long, room)
  KPERF_SCOPE("spin");
  room[0] = spinFor(ticks);
  spun[blockIdx.x] = room[0];
}

__global__ void late(long long ticks, long long *spun) {
  if (threadIdx.x == kThreads - 1)
    *spun = spinFor(ticks);
  __syncthreads();
}

__global__ void touch(const float *in, float *out) {
  __shared__ float tile[kThreads * kRow];
  const unsigned i = threadIdx.x;
  tile[i * kRow] = in[i];
  out[i] = tile[i * kRow] + in[i * kRow];
}

namespace {

void runCount() {
  int *out = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&out), kBlocks * kThreads * sizeof(int)));
  const auto begin = std::chrono::steady_clock::now();
  hipLaunchKernelGGL(count, dim3(kBlocks), dim3(kThreads), 0, 0, out);
  finished(begin);
  const std::vector<int> answers = download(out, kBlocks * kThreads);
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    int sum = i % kThreads;
    for (int step = 0; step < kSteps; ++step)
      sum = sum * 3 + 3 * step;
    wrong += answers[i] != sum + i % 2;
  }
  say("threads", kThreads);
  say("blocks", kBlocks);
  say("entries.step", kSteps);
  say("entries.range", kSteps);
  say("entries.in a function", kSteps);
  say("entries.odd lanes", 1);
  CHECK(hipFree(out));
}

void runLanes() {
  unsigned long long *out = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&out), kThreads * 4 * sizeof(*out)));
  const auto begin = std::chrono::steady_clock::now();
  hipLaunchKernelGGL(lanes, dim3(1), dim3(kThreads), 0, 0, out);
  finished(begin);
  const std::vector<unsigned long long> seen = download(out, kThreads * 4);
  const unsigned long long width = seen[0];
  int odd = 0;
  for (unsigned i = 0; i < kThreads; ++i)
    odd += seen[i * 4 + 1] != width || seen[i * 4 + 2] != width / 2 || seen[i * 4 + 3] != (i + 1) % width;
  say("lanes", static_cast<double>(width));
  say("votes-wrong", odd);
  CHECK(hipFree(out));
}

/// The best of three: where the host waited least beyond what the kernel spun.
void runSpinLong() {
  long long *spun = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&spun), sizeof(*spun)));
  double bestSpun = 0, bestWaited = 1e18;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    hipLaunchKernelGGL(spinLong, dim3(1), dim3(1), 0, 0, ticksOf(kLongMs), spun);
    const double waited = finished(begin), ns = static_cast<double>(download(spun, 1)[0]) * wallTickNs();
    if (waited - ns < bestWaited - bestSpun) {
      bestWaited = waited;
      bestSpun = ns;
    }
    char name[32];
    std::snprintf(name, sizeof(name), "spun-ns.%d", i);
    say(name, ns);
  }
  say("spun-ns", bestSpun);
  say("waited-ns", bestWaited);
  say("launch-ns", kMaxLaunchMs * 1e6);
  CHECK(hipFree(spun));
}

/// Two blocks for each unit, of which only one at once finds room there: it takes more than half of the shared memory.
void runSpinOnUnits() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  const int blocks = 2 * properties.multiProcessorCount;
  int room = static_cast<int>(properties.sharedMemPerBlock) - 1024, atOnce = 1, least = properties.multiProcessorCount / 2;
#if defined(__HIP_PLATFORM_NVIDIA__)
  room = properties.maxSharedMemoryPerMultiProcessor / 2 + 1024;
  CHECK(hipFuncSetAttribute(reinterpret_cast<const void *>(spinOnUnits), hipFuncAttributeMaxDynamicSharedMemorySize, room));
#elif defined(KPERF_HOST_TARGET)
  least = 1; // a thread may have run them all before another one was started
#else
  // From gfx10 on two units share their memory, and two blocks of 64 KiB may be on one of them.
  atOnce = properties.major >= 10 ? 2 : 1;
#endif
  long long *spun = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&spun), blocks * sizeof(*spun)));
  const auto begin = std::chrono::steady_clock::now();
  hipLaunchKernelGGL(spinOnUnits, dim3(blocks), dim3(1), room, 0, ticksOf(kUnitMs), spun);
  say("units-waited-ns", finished(begin));
  say("units-blocks", blocks);
  say("units-at-once", atOnce);
  say("units-least", least);
  say("units-most", atOnce * properties.multiProcessorCount);
  CHECK(hipFree(spun));
}

void runLate() {
  long long *spun = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&spun), sizeof(*spun)));
  const auto begin = std::chrono::steady_clock::now();
  hipLaunchKernelGGL(late, dim3(1), dim3(kThreads), 0, 0, ticksOf(kLateMs), spun);
  finished(begin);
  say("late-ns", static_cast<double>(download(spun, 1)[0]) * wallTickNs());
  say("waking-ns", kMaxWakingMs * 1e6);
  CHECK(hipFree(spun));
}

void runTouch() {
  std::vector<float> numbers(kThreads * kRow);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i);
  float *in = nullptr, *out = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void **>(&in), numbers.size() * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&out), kThreads * sizeof(float)));
  CHECK(hipMemcpy(in, numbers.data(), numbers.size() * sizeof(float), hipMemcpyHostToDevice));
  const auto begin = std::chrono::steady_clock::now();
  hipLaunchKernelGGL(touch, dim3(1), dim3(kThreads), 0, 0, in, out);
  finished(begin);
  const std::vector<float> answers = download(out, kThreads);
  for (int i = 0; i < kThreads; ++i)
    wrong += answers[i] != static_cast<float>(i + i * kRow);
  say("sectors.in[i]", kThreads * sizeof(float) / 32);
  say("sectors.in[i * kRow]", kThreads);
  say("sectors.out[i]", kThreads * sizeof(float) / 32);
  CHECK(hipFree(in));
  CHECK(hipFree(out));
}

} // namespace

int main() {
  runCount();
  runLanes();
  runSpinLong();
  runSpinOnUnits();
  runLate();
  runTouch();
  say("wrong", wrong);
  say("launches", launches);
}
