// Accesses in loops, each of which the kernels note as it is made: by which lanes, and where. What the notes add up to, by the plain
// statement of the rules, is printed for loops.py: "expect SITE COUNTER=VALUE …". The argument is a seed for how often loops run, how far
// they step, and which lanes leave them, and where.
#include "../../gpu/check.h"

#include <kperf/format.h>
#include <kperf/rules/AccessCounts.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

constexpr unsigned kRoom = 1u << 19;
constexpr unsigned kBytes = 1u << 22;
constexpr int kThreads = 96;

struct Note {
  std::uint64_t address[32];
  unsigned site, lanes, bytes;
  bool isAtomic, isLoad, isShared;
};
__device__ Note *notes;
__device__ unsigned used;

enum Kind { kLoad, kStore, kAdd };

/// Notes the access that follows.
template <int Site, Kind Which = kLoad, bool IsShared = false, typename T> __device__ T *noted(T *pointer) {
  const unsigned lanes = __activemask(), lowest = __ffs(lanes) - 1, lane = threadIdx.x % 32;
  const unsigned first = lane == lowest ? atomicAdd(&used, 1) : 0, at = __shfl_sync(lanes, first, lowest);
  if (at >= kRoom)
    return pointer;
  Note &note = notes[at];
  note.address[lane] = reinterpret_cast<std::uint64_t>(pointer);
  if (lane == lowest) {
    note.site = Site;
    note.lanes = lanes;
    note.bytes = sizeof(T);
    note.isAtomic = Which == kAdd;
    note.isLoad = Which == kLoad;
    note.isShared = IsShared;
  }
  return pointer;
}

struct Setting {
  int times, inner;     ///< iterations
  int first, lane, row; ///< elements: of the first lane's first access, from lane to lane, from row to row of `width` lanes
  int width;            ///< lanes in a row
  int step, innerStep;  ///< elements, from iteration to iteration
  unsigned in;          ///< lanes that come at all
  int leaves, leavesAt; ///< every so many-th lane leaves in that iteration
  int turns;            ///< the iteration in which the step changes its sign
};

__device__ int placeOf(const Setting &setting) {
  const int lane = threadIdx.x % 32;
  return setting.first + lane % setting.width * setting.lane + lane / setting.width * setting.row;
}
__device__ bool comes(const Setting &setting) { return (setting.in >> threadIdx.x % 32 & 1) != 0; }

template <typename T> __global__ void straight(const char *memory, T *out, Setting setting) {
  const T *data = reinterpret_cast<const T *>(memory) + placeOf(setting);
  T sum = T();
  if (comes(setting))
    for (int k = 0; k < setting.times; ++k)
      sum += *noted<sizeof(T)>(data + k * setting.step);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void nested(char *memory, float *out, Setting setting) {
  float *data = reinterpret_cast<float *>(memory) + placeOf(setting);
  float sum = 0;
  for (int row = 0; row < setting.times; ++row) {
    float *here = data + row * setting.step;
    for (int k = 0; k < setting.inner; ++k, here += setting.innerStep) {
      sum += *noted<20>(here);
      if (comes(setting))
        *noted<21, kStore>(here + 4096) = sum;
    }
    *noted<22, kStore>(here) = sum;
  }
  out[threadIdx.x] = sum;
}

__global__ void left(const char *memory, float *out, Setting setting) {
  const float *data = reinterpret_cast<const float *>(memory) + placeOf(setting);
  const bool leaves = threadIdx.x % setting.leaves == 0;
  float sum = 0;
  for (int k = 0; k < setting.times; ++k) {
    if (leaves && k == setting.leavesAt)
      break;
    sum += *noted<23>(data + k * setting.step);
    if (!leaves && k + 3 == setting.leavesAt)
      continue;
    sum += *noted<24>(data + k * setting.step + 64);
  }
  for (int k = 0; k < setting.inner; ++k) {
    if (leaves && k == setting.leavesAt / 2)
      return;
    sum -= *noted<25>(data + k * setting.innerStep);
  }
  out[threadIdx.x] = sum;
}

__global__ void turning(const char *memory, float *out, Setting setting) {
  const float *at = reinterpret_cast<const float *>(memory) + placeOf(setting) + 100000;
  float sum = 0;
  for (int k = 0; k < setting.times; ++k) {
    sum += *noted<26>(at);
    at += k < setting.turns ? setting.step : -setting.step;
    if (k % 7 == 3)
      sum += *noted<27>(at + (threadIdx.x * 37 + k) % 51); // spread, and now and then
  }
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += *noted<28>(at + k * 4);
  out[threadIdx.x] = sum;
}

__global__ void inShared(const char *, float *out, Setting setting) {
  __shared__ float words[4096];
  __shared__ unsigned char bytes[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x) {
    *noted<29, kStore, true>(words + k) = float(k);
    *noted<30, kStore, true>(bytes + k) = static_cast<unsigned char>(k);
  }
  __syncthreads();
  const int place = placeOf(setting) & 1023;
  float sum = 0;
  for (int k = 0; k < setting.times; ++k) {
    sum += *noted<31, kLoad, true>(words + ((place + k * setting.step) & 4095));
    sum += *noted<32, kLoad, true>(bytes + ((place + k * setting.innerStep) & 4095));
    if (threadIdx.x % 32 == 5)
      sum += *noted<33, kLoad, true>(words + (k & 4095));
    if (comes(setting))
      *noted<34, kStore, true>(words + ((place + k) & 4095)) = sum;
  }
  out[threadIdx.x] = sum;
}

__global__ void added(char *memory, float *out, Setting setting) {
  unsigned *data = reinterpret_cast<unsigned *>(memory) + placeOf(setting);
  unsigned sum = 0;
  for (int k = 0; k < setting.times; ++k) {
    sum += atomicAdd(noted<35, kAdd>(data + k * setting.step), 1u);
    if (threadIdx.x % 32 == 0)
      sum += atomicAdd(noted<36, kAdd>(data + k), 1u);
  }
  out[threadIdx.x] = static_cast<float>(sum);
}

__device__ float sumOf(const float *data, int count, int step) {
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    sum += *noted<37>(data);
    data += step;
  }
  return sum;
}
__global__ void calling(const char *memory, float *out, Setting setting) {
  const float *data = reinterpret_cast<const float *>(memory) + placeOf(setting);
  float sum = 0;
  for (int k = 0; k < setting.times; ++k)
    if (comes(setting) || k % 2)
      sum += sumOf(data + k * setting.step, setting.inner, setting.innerStep);
  while (setting.times-- > 0 && *noted<38>(data) >= 0) // the same again and again
    sum += 1;
  out[threadIdx.x] = sum;
}

__global__ void wide(const char *memory, float *out, Setting setting) {
  const float4 *data = reinterpret_cast<const float4 *>(memory) + placeOf(setting);
  float sum = 0;
  int k = 0;
  do {
    const float4 four = *noted<39>(data + k * setting.step);
    sum += four.x + four.y + four.z + four.w;
  } while (++k < setting.times);
  out[threadIdx.x] = sum;
}

namespace {

std::mt19937 random_;
int upTo(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most + 1)); }
template <std::size_t Count> int oneOf(const int (&values)[Count]) { return values[random_() % Count]; }

Setting drawn() {
  Setting setting = {};
  setting.times = oneOf({0, 1, 2, 3, 5, 8, 31, 40, 100, 200});
  setting.inner = oneOf({0, 1, 2, 3, 4, 7, 16, 33});
  setting.first = oneOf({0, 1, 7, 8, 32, 100}) + 20000;
  setting.lane = oneOf({0, 1, 1, 1, 2, 3, 8, 32, 33, -1});
  setting.width = oneOf({32, 32, 32, 16, 8, 5});
  setting.row = setting.width == 32 ? 0 : oneOf({0, 1, 16, 32, 100, 1024});
  setting.step = oneOf({0, 1, 1, 2, 4, 8, 17, 32, 64, 256, -1, -32});
  setting.innerStep = oneOf({0, 1, 1, 2, 32, 33, 128, -1});
  setting.in = oneOf({-1, -1, 1, 1 << 9, 0xffff, 0x55555555, 0});
  setting.leaves = oneOf({1, 2, 3, 17, 64});
  setting.leavesAt = upTo(40);
  setting.turns = upTo(60);
  return setting;
}

constexpr const char *kNames[] = {"accesses",
                                  "lanes",
                                  "bytes",
                                  "distinct-bytes",
                                  "sectors",
                                  "min-sectors",
                                  "lines",
                                  "min-lines",
                                  "broadcast",
                                  "unit",
                                  "strided",
                                  "irregular",
                                  "stride-bytes",
                                  "misaligned",
                                  "serial-lanes",
                                  "shared-accesses",
                                  "shared-lanes",
                                  "shared-bytes",
                                  "wavefronts",
                                  "min-wavefronts",
                                  "shared-strided",
                                  "shared-stride-bytes",
                                  "shared-serial-lanes"};

using Counts = kperf::host::AccessCounts::Counts;

void add(std::map<unsigned, Counts> &sites, const Note &note) {
  using kperf::detail::AccessKind;
  const AccessKind kind = note.isAtomic ? AccessKind::Atomic : note.isLoad ? AccessKind::Load : AccessKind::Store;
  const kperf::host::AccessCounts access(note.lanes, note.address, note.bytes);
  Counts &counts = sites[note.site];
  if (note.isShared)
    access.addShared(counts, kind);
  else
    access.addGlobal(counts, kind);
}

} // namespace

int main(int argc, char **argv) {
  random_.seed(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  char *memory = nullptr;
  float *out = nullptr;
  double *doubles = nullptr;
  Note *there = nullptr;
  CHECK(cudaMalloc(&memory, kBytes));
  CHECK(cudaMemset(memory, 0, kBytes));
  CHECK(cudaMalloc(&out, 4096 * sizeof(double)));
  doubles = reinterpret_cast<double *>(out);
  CHECK(cudaMalloc(&there, kRoom * sizeof(Note)));
  CHECK(cudaMemcpyToSymbol(notes, &there, sizeof(there)));
  std::map<unsigned, Counts> sites;
  std::vector<Note> kept(kRoom);
  for (int round = 0; round < 25; ++round) {
    const unsigned none = 0;
    CHECK(cudaMemcpyToSymbol(used, &none, sizeof(none)));
    straight<float><<<2, kThreads>>>(memory, out, drawn());
    straight<double><<<2, kThreads>>>(memory, doubles, drawn());
    straight<unsigned char><<<1, kThreads>>>(memory, reinterpret_cast<unsigned char *>(out), drawn());
    straight<short><<<1, kThreads>>>(memory, reinterpret_cast<short *>(out), drawn());
    nested<<<2, kThreads>>>(memory, out, drawn());
    left<<<2, kThreads>>>(memory, out, drawn());
    turning<<<1, kThreads>>>(memory, out, drawn());
    inShared<<<1, kThreads>>>(memory, out, drawn());
    added<<<2, kThreads>>>(memory, out, drawn());
    calling<<<1, kThreads>>>(memory, out, drawn());
    wide<<<2, kThreads>>>(memory, out, drawn());
    CHECK(cudaDeviceSynchronize());
    unsigned count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, used, sizeof(count)));
    if (count > kRoom) {
      std::fprintf(stderr, "%u notes have no room\n", count - kRoom);
      return 1;
    }
    CHECK(cudaMemcpy(kept.data(), there, count * sizeof(Note), cudaMemcpyDeviceToHost));
    for (unsigned index = 0; index < count; ++index)
      add(sites, kept[index]);
  }
  for (const auto &[site, counts] : sites) {
    std::printf("expect %u", site);
    for (std::size_t counter = 0; counter < std::size(kNames); ++counter)
      if (counts[counter] != 0)
        std::printf(" %s=%llu", kNames[counter], static_cast<unsigned long long>(counts[counter]));
    std::printf("\n");
  }
}
