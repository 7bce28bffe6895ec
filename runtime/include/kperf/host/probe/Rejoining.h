// Lets lanes that went different ways meet again, on the host target: at the end of a loop's body, where a function returns, and
// behind a branch in whose calls others still are.
#ifndef KPERF_HOST_REJOINING_H
#define KPERF_HOST_REJOINING_H

#include <kperf/host/probe/MemoryProbe.h>

namespace kperf {
namespace host {

/// In keys of Block::converge.
inline constexpr std::uint64_t kIterating = 1ull << 60 | kAtEnd, kReturning = 1ull << 58 | kAtEnd;

/// Waits at the end of a body, whose last line is that of the place.
inline void rejoin(std::uint64_t key, const char *what, const Site &place) {
  if (currentRecorder() || isCounting(currentThread))
    currentThread->block->converge(key | place.line, 0, what, place);
}

} // namespace host

/// Stands in front of a statement that calls functions, and says its lines: a lane in such a call is behind those that passed it. And
/// in front of those that share a line, which their columns tell apart.
inline void calling(unsigned firstLine, unsigned lastLine, unsigned column = 0) {
  host::CudaThread *thread = host::currentThread;
  if (!thread)
    return;
  host::Activation &here = *thread->innermost;
  here.firstLine = firstLine;
  here.lastLine = lastLine;
  here.column = column;
}

/// Stands at the top of a function's body: where it returns, lanes that went different ways meet again. Line 0: there is one way.
class FunctionBody {
public:
  explicit FunctionBody(unsigned lastLine, host::Site place = host::Site::here()) : place(place) {
    this->place.line = lastLine;
    enter();
  }
  ~FunctionBody() {
    if (!mine.caller)
      return;
    if (place.line != 0)
      host::rejoin(host::kReturning, "the end of a function", place);
    host::currentThread->innermost = mine.caller;
  }
  FunctionBody(const FunctionBody &) = delete;
  FunctionBody &operator=(const FunctionBody &) = delete;

private:
  void enter() {
    host::CudaThread *thread = host::currentThread;
    if (!thread)
      return;
    host::Activation &caller = *thread->innermost;
    mine.caller = &caller;
    mine.depth = caller.depth + 1;
    mine.path = ((caller.path ^ caller.firstLine) * 0x9e3779b97f4a7c15ull + caller.lastLine + 1) * 31 + caller.column;
    thread->innermost = &mine;
  }

  host::Activation mine;
  host::Site place;
};

/// Stands at the top of a loop's body: its end is where lanes that went different ways meet again.
class Iteration {
public:
  explicit Iteration(unsigned lastLine, host::Site place = host::Site::here()) : place(place) { this->place.line = lastLine; }
  ~Iteration() {
    calling(place.line, place.line); // in what is asked before the next one
    host::rejoin(host::kIterating, "the end of an iteration", place);
  }
  Iteration(const Iteration &) = delete;
  Iteration &operator=(const Iteration &) = delete;

private:
  host::Site place;
};

} // namespace kperf

#endif
