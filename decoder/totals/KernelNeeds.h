// What kernels need and how long their launches took, as the runtime noted it (KernelRecord), from one run or several.
#ifndef KPERF_DECODER_KERNEL_NEEDS_H
#define KPERF_DECODER_KERNEL_NEEDS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kperf::decoder {

/// Of one kernel, in blocks of one size with one amount of dynamic shared memory.
struct KernelNeeds {
  std::string name;
  format::KernelRecord record{}; ///< its strings and device mean nothing
};

/// Adds up the rows of traces.
class KernelNeedsTable final : public TraceVisitor {
public:
  /// Adds what a trace has.
  Status add(const Trace &trace);
  void kernels(std::span<const format::KernelRecord> rows) override;

  /// By name, block size, dynamic shared memory and the device's architecture. Times of several rows: the least of all, the sum, and of the
  /// medians the one in the middle of all launches.
  std::vector<KernelNeeds> all() const;

private:
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>; ///< the last is the device's architecture
  struct Entry {
    format::KernelRecord sum{};
    std::vector<std::pair<std::uint64_t, std::uint32_t>> medians; ///< with how many launches each is of
  };

  const Trace *trace = nullptr;
  std::map<Key, Entry> entries;
};

} // namespace kperf::decoder

#endif
