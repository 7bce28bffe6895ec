// Lets lanes that diverged in a loop's body reconverge at its end, on the host target.
#ifndef KPERF_HOST_ITERATION_H
#define KPERF_HOST_ITERATION_H

#include <kperf/host/probe/MemoryProbe.h>

namespace kperf {

/// Stands at the top of a loop's body: its end is where lanes that went different ways meet again.
class Iteration {
public:
  explicit Iteration(unsigned lastLine, host::Site place = host::Site::here()) : place(place) { this->place.line = lastLine; }
  ~Iteration() {
    if (host::currentRecorder() || host::isCounting(host::currentThread))
      host::currentThread->block->converge(kIterating | place.line, 0, "the end of an iteration", place);
  }
  Iteration(const Iteration &) = delete;
  Iteration &operator=(const Iteration &) = delete;

private:
  static constexpr std::uint64_t kIterating = 1ull << 60; ///< in keys of Block::converge

  host::Site place;
};

} // namespace kperf

#endif
