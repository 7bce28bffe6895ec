// Says where the trace is, what it holds, and which command shows it.
#include "runtime/recorder/WrittenText.h"

#include <array>
#include <cstdio>

namespace kperf::runtime {

std::string writtenText(const TraceFile &file, std::size_t places) {
  std::array<char, 32> megabytes;
  std::snprintf(megabytes.data(), megabytes.size(), "%.1f MB", static_cast<double>(file.bytesWritten()) / 1e6);
  const std::string size = megabytes.data(), warps = std::to_string(file.warpsWritten()) + " warps",
                    accesses = std::to_string(places) + " memory accesses of the source";
  const std::string start = "wrote " + file.name() + " (";
  if (file.warpsWritten() == 0)
    return places == 0 ? start + "no warp was timed, " + size + "): kperf info says what it holds"
                       : start + accesses + ", " + size + "): kperf memory shows them";
  return start + warps + ", " + (places == 0 ? "" : accesses + ", ") + size + ")";
}

std::string unwrittenText(bool hasModules, bool wasNeverStarted, const std::string &deviceError) {
  if (!hasModules)
    return "nothing in this program is instrumented, annotate it or build it with --auto=kernels";
  if (wasNeverStarted)
    return "recording was never started (KPERF_START, KPERF_CONTROL)";
  return deviceError.empty() ? "no kernel was launched on a device that is recorded" : deviceError;
}

} // namespace kperf::runtime
