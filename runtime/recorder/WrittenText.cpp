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

std::uint64_t slotBytes(std::uint64_t records) { return sizeof(format::WarpHeader) + records * sizeof(format::Record); }

/// Whether all warps find room where each has it for `needed` records, at most.
bool isEnough(std::uint32_t needed, const Shortage &shortage, std::uint64_t kept) {
  return needed < shortage.mostRoom && (kept + shortage.warps) * slotBytes(needed) <= kept * slotBytes(shortage.mostRoom);
}

/// Half as much again, for warps that take more than others, and parts of the buffer that do not fill evenly. `growth`: of the slots.
std::string moreBufferText(std::uint64_t neededBytes, double growth) {
  constexpr double kMostMegabytes = 1u << 20; // docs/reference/environment.md
  const double megabytes = 1.5 * growth * static_cast<double>(neededBytes >> 10) / 1024;
  return neededBytes == 0 || megabytes + 1 > kMostMegabytes
             ? "raise KPERF_BUFFER_MB"
             : "set KPERF_BUFFER_MB=" + std::to_string(static_cast<std::uint64_t>(megabytes) + 1);
}

/// "": all had room. `kept`: warps that had.
std::string shortageText(const Shortage &shortage, std::uint32_t recordsPerWarp, std::uint64_t kept) {
  constexpr std::uint32_t kMostRecords = 1u << 20; // docs/reference/environment.md
  const std::uint32_t needed = std::bit_ceil(std::clamp(shortage.mostRecords, 1u, kMostRecords));
  const bool isMoreNeeded = shortage.records > 0 && needed > recordsPerWarp;
  const double growth = isMoreNeeded ? static_cast<double>(slotBytes(needed)) / static_cast<double>(slotBytes(recordsPerWarp)) : 1;
  std::string text;
  if (shortage.warps > 0)
    text += "; " + std::to_string(shortage.warps) + " more found the device buffer full: " + moreBufferText(shortage.bufferBytes, growth);
  if (shortage.warps > 0 && isEnough(needed, shortage, kept))
    text += ", or KPERF_RECORDS=" + std::to_string(needed) + " in place of " + std::to_string(recordsPerWarp) +
            ": none of those that were kept made more than " + counted(shortage.mostRecords, "record");
  if (shortage.records > 0)
    text += "; " + counted(shortage.records, "record") + " found no room in the slots of their warps: " +
            (isMoreNeeded ? "set KPERF_RECORDS=" + std::to_string(needed) : "kperf report says of which kernels");
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
