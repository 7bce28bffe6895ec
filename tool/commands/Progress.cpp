// Shows the progress of a long read on a terminal.
#include "tool/commands/Progress.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kperf::tool {

Progress::Progress(std::span<const decoder::Trace> traces) {
  std::uint64_t total = 0;
  for (const decoder::Trace &trace : traces)
    total += trace.fileBytes();
  if (total > 0 && isatty(STDERR_FILENO))
    thread = std::thread([this, total, before = decoder::ByteSource::bytesRead()] { run(total, before); });
}

void Progress::run(std::uint64_t total, std::uint64_t before) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex);
  bool isShown = false;
  for (auto wait = 500ms; !ended.wait_for(lock, wait, [this] { return isEnded; }); wait = 200ms) {
    const std::uint64_t bytes = decoder::ByteSource::bytesRead() - before, pass = bytes / total;
    fmt::print(stderr, "\rkperf: {:3.0f} % of {:.1f} GB read{}\x1b[K",
               100.0 * static_cast<double>(bytes % total) / static_cast<double>(total), static_cast<double>(total) / 1e9,
               pass > 0 ? fmt::format(", pass {}", pass + 1) : "");
    std::fflush(stderr);
    isShown = true;
  }
  if (isShown)
    fmt::print(stderr, "\r\x1b[K");
}

void Progress::stop() {
  {
    const std::lock_guard lock(mutex);
    isEnded = true;
  }
  ended.notify_all();
  if (thread.joinable())
    thread.join();
}

} // namespace kperf::tool
