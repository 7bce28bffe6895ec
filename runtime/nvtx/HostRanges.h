// The ranges and marks that the program's threads made by NVTX since the trace was last written.
#ifndef KPERF_RUNTIME_HOST_RANGES_H
#define KPERF_RUNTIME_HOST_RANGES_H

#include "runtime/file/TraceFile.h"

#include <kperf/format.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kperf::runtime {

/// Any thread may call any member at any time. Each thread has rows of its own, behind a lock that nobody else takes but to write the
/// trace.
class HostRanges {
public:
  /// A text that was kept, or none: 0 is the empty one.
  using Text = std::uint32_t;
  static constexpr Text kNoRoom = ~Text{0};

  struct What {
    Text name, domain;
    std::uint32_t color;
  };

  /// The one list of the process; never destroyed, because static destructors may have ranges.
  static HostRanges &instance();

  /// What does not fit is kNoRoom, and ranges of that name are counted as lost.
  Text keep(std::string_view text);

  /// How many ranges of that domain the thread has open already.
  int push(const What &what);
  /// The same without the one that ends; -1 where there is none.
  int pop(Text domain);
  std::uint64_t start(const What &what);
  void end(std::uint64_t id);
  void mark(const What &what);

  /// From now on ranges that are open count as not ended, and nothing is added: at the last write, and in a forked child, which has no
  /// trace.
  void close() { isOn.store(false, std::memory_order_relaxed); }
  /// Writes the rows and forgets them; how many found no room is added to `losses`. Rows of a thread that keeps its lock are left for the
  /// next time: it may be the one that the process ends by.
  bool write(TraceFile &file, std::vector<format::LossRecord> &losses);

private:
  struct Thread {
    std::timed_mutex mutex;
    std::vector<format::HostRangeRecord> ended, open; ///< name and domain are Texts
    std::uint32_t id = 0;
    bool isOver = false; ///< the thread will not come again
  };
  class ThreadEnd;

  Thread *thread();
  /// Moves what the thread has to `out`; what it has open, too, where it will not end any more.
  void take(Thread &from, std::vector<format::HostRangeRecord> &out);
  format::HostRangeRecord rowOf(const What &what, format::HostRangeKind kind, std::uint32_t thread) const;
  void add(Thread &owner, const format::HostRangeRecord &row);
  bool takesRow();

  std::atomic<bool> isOn{true};
  std::atomic<std::uint32_t> rows{0}; ///< that are held
  std::atomic<std::uint64_t> unlisted{0};
  std::uint32_t process = 0;
  std::timed_mutex mutex; ///< of what is below
  std::list<Thread> threads;
  std::unordered_map<std::uint64_t, format::HostRangeRecord> started;
  std::uint64_t lastStarted = 0;
  std::deque<std::string> texts{""};
  std::unordered_map<std::string_view, Text> textIds{{"", 0}};
  std::size_t textBytes = 0;
};

} // namespace kperf::runtime

#endif
