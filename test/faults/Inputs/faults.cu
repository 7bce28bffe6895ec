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

/// A way in which the program says its words, and which ends it. Where that returns, the program goes on.
struct Way {
  const char *name;
  int (*end)();
};

static void launchForEver() {
  for (;;)
    launch(2, 64, 3);
}

static void launchAndWait() {
  say("sum", launch(2, 64, 3));
  pause();
  say("not reached", 0);
}

static void abortBehindLaunch() {
  say("sum", launch(2, 64, 3));
  std::abort();
}

static void resetBehindLaunch() {
  say("sum", launch(2, 64, 3));
  cudaDeviceReset();
}

static void writeWildly() {
  wild<<<1, 32>>>(reinterpret_cast<int *>(8));
  cudaDeviceSynchronize();
}

static void overflowStack() {
  overflow<<<1, 32>>>(new int(0), new int);
  cudaDeviceSynchronize();
}

static void trapBehindLaunch() {
  say("sum", launch(2, 64, 3));
  trap<<<1, 32>>>();
  say("status", cudaDeviceSynchronize() != cudaSuccess);
}

#define WAY(name, action) {name, [] { return action, 0; }}
static const Way ways[] = {
    WAY("nothing", say("sum", launch(2, 64, 3))),
    WAY("many", say("sum", launch(40, 256, 25))),
    WAY("kill", dieBy(SIGKILL)),
    WAY("interrupt", dieBy(SIGINT)),
    WAY("wild", writeWildly()),
    WAY("overflow", overflowStack()),
    WAY("abort", abortBehindLaunch()),
    WAY("end-int", endBy(SIGINT)),
    WAY("end-term", endBy(SIGTERM)),
    WAY("end-hup", endBy(SIGHUP)),
    WAY("handled", handle()),
    WAY("wait", launchAndWait()),
    WAY("endless", hang(20000)),
    WAY("busy", launchForEver()),
    WAY("fork-abort", forkAndAbort()),
    {"fork", forkOnce},
    WAY("exit-in-thread", exitFromThread()),
    WAY("hang", hang(200)),
    WAY("hang-for-long", hang(1600)),
    WAY("threads", launchFromThreads(16, 8)),
    WAY("reset", resetBehindLaunch()),
    WAY("trap", trapBehindLaunch()),
};
#undef WAY

extern "C" int dieOf(const char *name) {
  for (const Way &way : ways)
    if (std::strcmp(way.name, name) == 0)
      return way.end();
  return 99;
}
