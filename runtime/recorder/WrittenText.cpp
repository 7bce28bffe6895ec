// Says where the trace is, what it holds, and which command shows it.
#include "runtime/recorder/WrittenText.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

namespace kperf::runtime {
namespace {

std::string counted(std::uint64_t count, const char *what) { return std::to_string(count) + " " + what + (count == 1 ? "" : "s"); }

/// Whether all warps find room where each has it for `needed` records, at most.
bool isEnough(std::uint32_t needed, const Shortage &shortage, std::uint64_t kept) {
  const auto slotBytes = [](std::uint64_t records) { return sizeof(format::WarpHeader) + records * sizeof(format::Record); };
  return needed < shortage.mostRoom && (kept + shortage.warps) * slotBytes(needed) <= kept * slotBytes(shortage.mostRoom);
}

/// "": all had room. `kept`: warps that had.
std::string shortageText(const Shortage &shortage, std::uint32_t recordsPerWarp, std::uint64_t kept) {
  constexpr std::uint32_t kMostRecords = 1u << 20; // docs/reference/environment.md
  const std::uint32_t needed = std::bit_ceil(std::clamp(shortage.mostRecords, 1u, kMostRecords));
  std::string text;
  if (shortage.warps > 0)
    text += "; " + std::to_string(shortage.warps) + " more found the device buffer full: raise KPERF_BUFFER_MB";
  if (shortage.warps > 0 && isEnough(needed, shortage, kept))
    text += ", or set KPERF_RECORDS=" + std::to_string(needed) + " in place of " + std::to_string(recordsPerWarp) +
            ": none of those that were kept made more than " + counted(shortage.mostRecords, "record");
  if (shortage.records > 0)
    text += "; " + counted(shortage.records, "record") + " found no room in the slots of their warps: " +
            (needed > recordsPerWarp ? "set KPERF_RECORDS=" + std::to_string(needed) : "kperf report says of which kernels");
  return text;
}

} // namespace

std::string writtenText(const TraceFile &file, std::size_t places, std::uint32_t recordsPerWarp) {
  std::array<char, 32> megabytes;
  std::snprintf(megabytes.data(), megabytes.size(), "%.1f MB", static_cast<double>(file.bytesWritten()) / 1e6);
  const std::string size = megabytes.data(), warps = counted(file.warpsWritten(), "warp"),
                    accesses = std::to_string(places) + (places == 1 ? " memory access" : " memory accesses") + " of the source";
  const std::string start = "wrote " + file.name() + " (";
  const std::string shortage = shortageText(file.shortage(), recordsPerWarp, file.warpsWritten());
  if (file.warpsWritten() == 0)
    return (places == 0 ? start + "no warp was timed, " + size + "): kperf info says what it holds"
                        : start + accesses + ", " + size + "): kperf memory shows them") +
           shortage;
  return start + warps + ", " + (places == 0 ? "" : accesses + ", ") + size + ")" + shortage;
}

std::string unwrittenText(bool hasModules, bool wasNeverStarted, const std::string &deviceError) {
  if (!hasModules)
    return "nothing in this program is instrumented, annotate it or build it with --auto=kernels (kperf-cc warns of kernels that this "
           "leaves out)";
  if (wasNeverStarted)
    return "recording was never started (KPERF_START, KPERF_CONTROL)";
  return deviceError.empty() ? "no kernel was launched on a device that is recorded" : deviceError;
}

} // namespace kperf::runtime
