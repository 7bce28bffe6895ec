// The launches made since the trace was last written, and their kernels' names.
#ifndef KPERF_RUNTIME_LAUNCHLIST_H
#define KPERF_RUNTIME_LAUNCHLIST_H

#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace kperf::runtime {

class LaunchList {
public:
  /// The index of the kernel's name in names().
  std::uint32_t nameOf(const kperf_launch &launch);
  /// `flags` are added to the launch's own; `name` is what nameOf() says.
  void add(const kperf_launch &launch, int device, std::uint32_t name, std::uint32_t flags);
  /// Writes the rows and forgets them; how many found no room is added to `losses`.
  bool write(TraceFile &file, std::vector<format::LossRecord> &losses);
  /// Of all kernels that were launched, demangled.
  const std::vector<std::string> &names() const { return texts; }
  /// At the addresses of names others may stand soon.
  void forgetAddresses() { byAddress.clear(); }

private:
  std::vector<format::LaunchRecord> rows; ///< `kernel` is an index into texts
  std::uint64_t unlisted = 0;
  std::unordered_map<const char *, std::uint32_t> byAddress;
  std::vector<std::string> texts;
};

} // namespace kperf::runtime

#endif
