// Launches on 8 streams, from as many threads, for a given time, with a flush every so often. Prints the memory in use as it goes, and at
// the end what its kernels produced; soak.py judges. A rate is kept, because the trace grows with every warp.
#include "check.h"

#include <kperf/annotate.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kStreams = 8, kBlocks = 4, kThreads = 64, kTurns = 5;
constexpr int kWarps = kBlocks * kThreads / 32;

__global__ void work(unsigned *sum, unsigned turns) {
  for (unsigned turn = 0; turn < turns; ++turn) {
    KPERF_SCOPE("turn");
    atomicAdd(sum, turn);
  }
}

using Clock = std::chrono::steady_clock;

/// Launches into a stream of its own, so many times a second, until the time is over.
void drive(unsigned *sum, double perSecond, Clock::time_point end, std::atomic<unsigned long long> &launches) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const auto begin = Clock::now();
  for (unsigned long long count = 0; Clock::now() < end; ++count) {
    work<<<kBlocks, kThreads, 0, stream>>>(sum, kTurns);
    CHECK(cudaGetLastError());
    ++launches;
    std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(double(count + 1) / perSecond)));
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
}

long residentKiB() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void printMemory(double seconds, unsigned long long launches) {
  size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  std::printf("memory %.1f s: device %zu KiB, host %ld KiB, %llu launches\n", seconds, (total - free) / 1024, residentKiB(), launches);
  std::fflush(stdout);
}

} // namespace

int main(int count, char **words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: soak SECONDS LAUNCHES-A-SECOND SECONDS-BETWEEN-FLUSHES\n");
    return 2;
  }
  const double seconds = std::atof(words[1]), perSecond = std::atof(words[2]), betweenFlushes = std::atof(words[3]);
  unsigned *sum = nullptr;
  CHECK(cudaMalloc(&sum, sizeof(unsigned)));
  CHECK(cudaMemset(sum, 0, sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  const auto begin = Clock::now(), end = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::atomic<unsigned long long> launches{0};
  std::vector<std::thread> threads;
  for (int stream = 0; stream < kStreams; ++stream)
    threads.emplace_back([&] { drive(sum, perSecond / kStreams, end, launches); });
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const double betweenLines = std::max(1.0, seconds / 60);
  double nextLine = betweenLines;
  while (elapsed() < seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(betweenFlushes));
#ifdef KPERF_INSTRUMENTED
    kperf::flush();
#endif
    if (elapsed() >= nextLine) {
      printMemory(elapsed(), launches);
      nextLine = elapsed() + betweenLines;
    }
  }
  for (std::thread &thread : threads)
    thread.join();
  unsigned result = 0;
  CHECK(cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDeviceToHost));
  const unsigned expected = static_cast<unsigned>(launches * kBlocks * kThreads * (kTurns * (kTurns - 1) / 2));
  std::printf("made %llu launches, %llu warps, %llu entries of turn, sum %s\n", launches.load(), launches * kWarps,
              launches * kWarps * kTurns, result == expected ? "right" : "wrong");
  return result == expected ? 0 : 1;
}
