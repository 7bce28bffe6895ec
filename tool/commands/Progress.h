// Shows the progress of a long read on a terminal.
#ifndef KPERF_TOOL_PROGRESS_H
#define KPERF_TOOL_PROGRESS_H

#include "decoder/trace/Trace.h"

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

namespace kperf::tool {

/// From its making to stop(), when stderr is a terminal and after half a second: a line that is written over, and
/// disappears at the end.
class Progress {
public:
  explicit Progress(std::span<const decoder::Trace> traces);
  ~Progress() { stop(); }
  void stop();

private:
  void run(std::uint64_t total, std::uint64_t before);

  std::mutex mutex;
  std::condition_variable ended;
  bool isEnded = false;
  std::thread thread;
};

} // namespace kperf::tool

#endif
