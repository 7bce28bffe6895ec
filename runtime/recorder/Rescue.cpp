// Handles signals by waking a thread that writes the trace, and waiting for it: a handler itself may do no more.
#include "runtime/recorder/Rescue.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace kperf::runtime::rescue {
namespace {

// A thread that made a fault can't go on. One that is asked to end may hold a lock that the writer needs: it goes on when it waited in
// vain.
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGPIPE};
constexpr int kRequests[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU};
constexpr int kFaultWaitMs = 5000, kRequestWaitMs = 500;

void (*write)(int signal);
int wake = -1, done = -1; ///< eventfds
pid_t owner = 0;
pthread_t thread;
std::atomic<int> pending{0}; ///< the signal that came first
bool isHandled[NSIG];

static_assert(std::atomic<int>::is_always_lock_free);

void add(int counter) {
  const std::uint64_t one = 1;
  while (::write(counter, &one, sizeof(one)) < 0 && errno == EINTR)
    ;
}

void restore(int signal) {
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
}

bool isFault(int signal) {
  for (const int each : kFaults)
    if (each == signal)
      return true;
  return false;
}

/// Whether the trace is written, or can't be.
bool waitDone(int milliseconds) {
  pollfd state{done, POLLIN, 0};
  int ready = 0;
  while ((ready = poll(&state, 1, milliseconds)) < 0 && errno == EINTR)
    ;
  return ready > 0;
}

void handle(int signal, siginfo_t *info, void *) {
  const int error = errno;
  int none = 0;
  const bool isMine = getpid() == owner; // a forked child has no thread that writes
  const bool isFirst = isMine && pending.compare_exchange_strong(none, signal);
  if (isFirst)
    add(wake);
  const bool isWritten = isMine && (isFirst || isFault(signal)) && waitDone(isFault(signal) ? kFaultWaitMs : kRequestWaitMs);
  if (!isFirst || isWritten || isFault(signal)) {
    restore(signal);
    if (info->si_code <= 0 || !isFault(signal) || signal == SIGPIPE) // else what made the fault is executed again
      raise(signal);
  }
  errno = error;
}

void *serve(void *) {
  std::uint64_t count = 0;
  while (read(wake, &count, sizeof(count)) < 0 && errno == EINTR)
    ;
  const int signal = pending.load();
  if (signal == 0)
    return nullptr;
  write(signal);
  add(done);
  if (isFault(signal)) // its thread ends the process
    for (;;)
      pause();
  restore(signal);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  return nullptr;
}

bool startThread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // a thread begins with its maker's mask
  const bool isStarted = pthread_create(&thread, nullptr, serve, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return isStarted;
}

void install(int signal) {
  struct sigaction before{};
  if (sigaction(signal, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
    return;
  struct sigaction own{};
  own.sa_sigaction = handle;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  isHandled[signal] = sigaction(signal, &own, nullptr) == 0;
}

} // namespace

void start(void (*writer)(int signal)) {
  write = writer;
  owner = getpid();
  wake = eventfd(0, EFD_CLOEXEC);
  done = eventfd(0, EFD_CLOEXEC);
  if (wake < 0 || done < 0 || !startThread()) {
    close(wake);
    close(done);
    owner = 0;
    return;
  }
  for (const int signal : kFaults)
    install(signal);
  for (const int signal : kRequests)
    install(signal);
}

void end() {
  if (owner == 0)
    return;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now{};
    if (isHandled[signal] && sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle)
      restore(signal);
  }
  if (owner != getpid())
    return;
  add(wake);
  pthread_join(thread, nullptr);
  owner = 0;
}

} // namespace kperf::runtime::rescue
