// A program that dies in many ways; each way is a word. faults.py compares what it says, and how it ends, with and without kperf.
#include <kperf/annotate.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <cuda_runtime.h>

namespace {

__global__ void work(unsigned *sum, unsigned turns) {
  for (unsigned turn = 0; turn < turns; ++turn) {
    KPERF_SCOPE("turn");
    atomicAdd(sum, 1u);
    KPERF_MARK("mark", turn);
  }
}

/// One of its lanes does what it is not to.
__global__ void faulty(unsigned *sum, int way) {
  KPERF_SCOPE("fault");
  if (threadIdx.x == 5 && way == 0)
    __trap();
  if (way == 1)
    assert(threadIdx.x != 5);
  if (way == 2)
    sum[(threadIdx.x == 5 ? 1ull << 44 : 0) / sizeof(unsigned)] = 1;
}

/// Goes on for ever, as far as anybody wants to wait.
__global__ void endless(unsigned *sum, unsigned seconds) {
  KPERF_MARK("begun", seconds);
  KPERF_SCOPE("endless");
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < seconds * 1000000000ull);
  atomicAdd(sum, 1u);
}

void say(const char *what, unsigned number) {
  std::printf("%s %u\n", what, number);
  std::fflush(stdout);
}

unsigned launch(unsigned blocks, unsigned threads, unsigned turns) {
  unsigned *sum = nullptr, result = 0;
  if (cudaMalloc(&sum, sizeof(unsigned)) != cudaSuccess)
    return ~0u;
  cudaMemset(sum, 0, sizeof(unsigned));
  work<<<blocks, threads>>>(sum, turns);
  cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return result;
}

void flush() {
#ifdef KPERF_INSTRUMENTED
  kperf::flush();
#endif
}

void dieBy(int signal) {
  say("sum", launch(2, 64, 3));
  flush();
  say("sum", launch(2, 64, 3));
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void fault(int way) {
  say("sum", launch(2, 64, 3));
  unsigned *sum = nullptr;
  cudaMalloc(&sum, sizeof(unsigned));
  faulty<<<1, 64>>>(sum, way);
  say("status", cudaDeviceSynchronize());
  say("status of the next call", cudaMalloc(&sum, sizeof(unsigned)));
}

void startEndless(unsigned seconds) {
  say("sum", launch(1, 32, 2));
  unsigned *sum = nullptr;
  cudaMalloc(&sum, sizeof(unsigned));
  endless<<<1, 64>>>(sum, seconds);
}

void hang() {
  startEndless(20);
  const itimerval once{{}, {2, 300000}}; // the watchdog has written once by then, and does not again
  setitimer(ITIMER_REAL, &once, nullptr);
  cudaDeviceSynchronize();
}

/// Takes all memory but some MiB, in pieces.
void takeMemory(size_t left) {
  size_t free = 0, total = 0;
  void *piece = nullptr;
  cudaMemGetInfo(&free, &total);
  if (free > left << 20)
    cudaMalloc(&piece, free - (left << 20));
  while (cudaMemGetInfo(&free, &total) == cudaSuccess && free > (left + 4) << 20 && cudaMalloc(&piece, 2 << 20) == cudaSuccess)
    ;
  cudaGetLastError();
}

int forkOnce() {
  say("sum", launch(1, 32, 2));
  const pid_t child = fork();
  if (child == 0) { // no CUDA in a child: its calls fail, and say so
    launch(1, 32, 2);
    _exit(cudaGetLastError() != cudaSuccess ? 5 : 6);
  }
  int status = 0;
  waitpid(child, &status, 0);
  say("child", static_cast<unsigned>(WEXITSTATUS(status)));
  return launch(1, 32, 2) == 64 ? 0 : 1;
}

void launchFromThreads() {
  std::vector<std::thread> all;
  for (int thread = 0; thread < 16; ++thread)
    all.emplace_back([] {
      for (int time = 0; time < 8; ++time)
        launch(2, 32, 1);
    });
  for (std::thread &each : all)
    each.join();
}

int dieOf(const char *way) {
  const auto is = [&](const char *word) { return std::strcmp(way, word) == 0; };
  if (is("nothing"))
    say("sum", launch(2, 64, 3));
  else if (is("many"))
    say("sum", launch(40, 256, 25));
  else if (is("no-memory")) {
    takeMemory(128);
    say("sum", launch(2, 64, 3));
  } else if (is("kill"))
    dieBy(SIGKILL);
  else if (is("interrupt"))
    dieBy(SIGINT);
  else if (is("trap"))
    fault(0);
  else if (is("assert"))
    fault(1);
  else if (is("out-of-bounds"))
    fault(2);
  else if (is("hang"))
    hang();
  else if (is("hang-at-exit"))
    startEndless(6);
  else if (is("fork"))
    return forkOnce();
  else if (is("exit-in-thread"))
    std::thread([] {
      say("sum", launch(1, 32, 2));
      std::exit(7);
    }).join();
  else if (is("reset")) {
    say("sum", launch(2, 64, 3));
    cudaDeviceReset();
  } else if (is("threads"))
    launchFromThreads();
  else
    return 99;
  return 0;
}

} // namespace

int main(int count, char **words) { return count == 2 ? dieOf(words[1]) : 99; }
