// A timeline in the Trace Event Format that another tool wrote of the same run, as PyTorch's profiler does.
#ifndef KPERF_DECODER_OTHER_TIMELINE_H
#define KPERF_DECODER_OTHER_TIMELINE_H

#include "decoder/io/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// A kernel as somebody saw it run; ns on that one's clock.
struct KernelRun {
  std::string name;                             ///< demangled, with parameters or without
  std::uint32_t device = 0;                     ///< ordinal in the process
  std::array<std::uint32_t, 3> grid{}, block{}; ///< blocks and threads; 0 where they are not said
  std::int64_t beginNs = 0, endNs = 0;
};

class OtherTimeline {
public:
  /// The text of a JSON object with "traceEvents", or of an array, which may lack its end. Its kernels are the complete events of category
  /// "kernel". `name` is for messages.
  static Expected<OtherTimeline> read(std::string text, const std::string &name);

  /// As they stand in the file.
  const std::vector<KernelRun> &kernels() const { return runs; }
  /// The text up to its last event, as it was read, and all that follows: what is written in between is of the same list.
  std::string_view head() const { return std::string_view(text).substr(0, eventsEnd); }
  std::string_view tail() const { return std::string_view(text).substr(eventsEnd); }
  bool hasEvents() const { return isNotEmpty; }
  /// What the kernels' times are to be added to for ns of the Unix clock, where the file says so, as PyTorch's does.
  std::optional<std::int64_t> unixBaseNs() const;

private:
  std::string text;
  std::size_t eventsEnd = 0;
  bool isNotEmpty = false;
  std::vector<KernelRun> runs;
};

} // namespace kperf::decoder

#endif
