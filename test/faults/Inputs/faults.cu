// A library whose host program dies in many ways; each way is a word. Its own words on stdout and its end are the same with and
// without kperf.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kperf/annotate.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void work(unsigned *sum, unsigned turns) {
  for (unsigned turn = 0; turn < turns; ++turn) {
    KPERF_SCOPE("turn");
    atomicAdd(sum, 1u);
    KPERF_MARK("mark", turn);
  }
}
__global__ void trap() {
  KPERF_SCOPE("trap");
  __trap();
}
__global__ void endless(volatile int *go) {
  KPERF_MARK("begun", 1);
  KPERF_SCOPE("endless");
  while (*go)
    ;
}

static unsigned launch(unsigned blocks, unsigned threads, unsigned turns) {
  unsigned *sum = nullptr;
  if (cudaMallocManaged(&sum, sizeof(unsigned)) != cudaSuccess)
    return 0;
  *sum = 0;
  work<<<blocks, threads>>>(sum, turns);
  cudaDeviceSynchronize();
  const unsigned result = *sum;
  cudaFree(sum);
  return result;
}

static void say(const char *what, unsigned number) {
  std::printf("%s %u\n", what, number);
  std::fflush(stdout);
}

static void flush() {
#ifdef KPERF_INSTRUMENTED
  kperf::flush();
#endif
}

static void launchFromThreads(unsigned threads, unsigned times) {
  std::vector<std::thread> all;
  for (unsigned thread = 0; thread < threads; ++thread)
    all.emplace_back([=] {
      for (unsigned time = 0; time < times; ++time)
        launch(2, 32, 1);
    });
  for (std::thread &each : all)
    each.join();
}

__global__ void wild(int *nowhere) {
  { KPERF_SCOPE("before"); }
  KPERF_SCOPE("wild");
  nowhere[threadIdx.x] = 1;
}
__device__ int deep(int n, volatile int *from) {
  volatile char room[256];
  room[n % 256] = static_cast<char>(*from);
  return n + deep(n + 1, from) + room[(n + 1) % 256];
}
__global__ void overflow(volatile int *from, int *to) {
  { KPERF_SCOPE("before"); }
  *to = deep(0, from);
}

/// Nothing was written so far when the signal comes.
static void endBy(int signal) {
  say("sum", launch(2, 64, 3));
  raise(signal);
  say("not reached", 0);
}

static void dieBy(int signal) {
  say("sum", launch(2, 64, 3));
  flush();
  say("sum", launch(2, 64, 3));
  std::signal(signal, SIG_DFL); // background jobs inherit that an interrupt is ignored
  raise(signal);
}

static int forkOnce() {
  say("sum", launch(1, 32, 2));
  const pid_t child = fork();
  if (child == 0)
    std::exit(launch(1, 32, 2) == 64 ? 5 : 6);
  int status = 0;
  waitpid(child, &status, 0);
  say("child", WEXITSTATUS(status));
  return launch(1, 32, 2) == 64 ? 0 : 1;
}

/// The child has no thread that could write, and nothing to write.
static void forkAndAbort() {
  say("sum", launch(2, 64, 3));
  const pid_t child = fork();
  if (child == 0)
    std::abort();
  int status = 0;
  waitpid(child, &status, 0);
  say("child", WTERMSIG(status));
}

/// A program's own handler comes first, whether it was set before the first launch or behind it.
static void handle() {
  std::signal(SIGTERM, [](int) { say("handled", 1); });
  say("sum", launch(2, 64, 3));
  std::signal(SIGINT, [](int) { say("handled", 2); });
  raise(SIGTERM);
  raise(SIGINT);
}

static void exitFromThread() {
  std::thread([] {
    say("sum", launch(1, 32, 2));
    std::exit(7);
  }).join();
}

static void hang(unsigned milliseconds) {
  static volatile int go = 1;
  say("sum", launch(1, 32, 2));
  flush();
  const itimerval once{{}, {milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000 * 1000)}};
  setitimer(ITIMER_REAL, &once, nullptr);
  endless<<<1, 1>>>(&go);
  cudaDeviceSynchronize();
}

extern "C" int dieOf(const char *way) {
  const auto is = [&](const char *word) { return std::strcmp(way, word) == 0; };
  if (is("nothing"))
    say("sum", launch(2, 64, 3));
  else if (is("many"))
    say("sum", launch(40, 256, 25));
  else if (is("kill"))
    dieBy(SIGKILL);
  else if (is("interrupt"))
    dieBy(SIGINT);
  else if (is("wild"))
    wild<<<1, 32>>>(reinterpret_cast<int *>(8)), cudaDeviceSynchronize();
  else if (is("overflow"))
    overflow<<<1, 32>>>(new int(0), new int), cudaDeviceSynchronize();
  else if (is("abort"))
    say("sum", launch(2, 64, 3)), std::abort();
  else if (is("end-int"))
    endBy(SIGINT);
  else if (is("end-term"))
    endBy(SIGTERM);
  else if (is("end-hup"))
    endBy(SIGHUP);
  else if (is("handled"))
    handle();
  else if (is("wait"))
    say("sum", launch(2, 64, 3)), pause(), say("not reached", 0);
  else if (is("endless"))
    hang(20000);
  else if (is("busy"))
    for (;;)
      launch(2, 64, 3);
  else if (is("fork-abort"))
    forkAndAbort();
  else if (is("fork"))
    return forkOnce();
  else if (is("exit-in-thread"))
    exitFromThread();
  else if (is("hang"))
    hang(200);
  else if (is("hang-for-long"))
    hang(1600);
  else if (is("threads"))
    launchFromThreads(16, 8);
  else if (is("reset")) {
    say("sum", launch(2, 64, 3));
    cudaDeviceReset();
  } else if (is("trap")) {
    say("sum", launch(2, 64, 3));
    trap<<<1, 32>>>();
    say("status", cudaDeviceSynchronize() != cudaSuccess);
  } else
    return 99;
  return 0;
}
