// Allocates one device's log of references to cache lines, and writes it to the trace.
#include "runtime/device/ReferenceLog.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace kperf::runtime {

using format::kReferenceClasses;
using format::ReferenceRecord;

static_assert(sizeof(kperf_reference_log::used) == kReferenceClasses * sizeof(std::uint32_t));
static_assert(sizeof(kperf_reference_log) % alignof(ReferenceRecord) == 0);

bool ReferenceLog::provide(kperf_device_config &config) {
  if (room == 0 || log != 0)
    return true;
  const std::size_t bytes = sizeof(kperf_reference_log) + std::size_t{kReferenceClasses} * room * sizeof(ReferenceRecord);
  void *memory = nullptr;
  if (const int status = gpu.allocate(&memory, bytes); status != 0) {
    reason = "no " + std::to_string((bytes >> 20) + 1) + " MiB of device memory (" + gpu.error_text(status) + "); set KPERF_LINES to less";
    room = 0; // said once
    isMissing = true;
    return false;
  }
  log = reinterpret_cast<std::uint64_t>(memory);
  config.references = log;
  config.reference_room = room;
  return true;
}

bool ReferenceLog::collect(TraceFile &file, std::uint32_t sampled, std::uint64_t &lost, bool isToStay) {
  const auto writtenNow = written;
  const std::uint32_t incompleteNow = incomplete;
  const bool isMissingNow = isMissing;
  const bool isWritten = write(file, sampled, lost);
  if (!isToStay) {
    written = writtenNow;
    incomplete = incompleteNow;
    isMissing = isMissingNow;
  }
  return isWritten;
}

bool ReferenceLog::write(TraceFile &file, std::uint32_t sampled, std::uint64_t &lost) {
  if (std::exchange(isMissing, false)) {
    const format::ReferencesHeader none{device, (1u << kReferenceClasses) - 1, sampled, run};
    return file.write(format::SectionKind::References, std::span<const format::ReferencesHeader>(&none, 1));
  }
  kperf_reference_log state;
  if (log == 0)
    return true;
  if (gpu.copy_back(&state, log, sizeof(state)) != 0)
    return ++lost, true;
  const bool isNews = state.closed != incomplete;
  incomplete = state.closed;
  const format::ReferencesHeader header{device, incomplete, sampled, run};
  std::vector<std::byte> payload(sizeof(header));
  std::memcpy(payload.data(), &header, sizeof(header));
  for (unsigned lineClass = 0; lineClass < kReferenceClasses; ++lineClass)
    if (!(state.closed >> lineClass & 1) && !appendClass(payload, lineClass, std::min(state.used[lineClass], room)))
      lost += state.used[lineClass] - written[lineClass];
  if (payload.size() == sizeof(header) && !isNews)
    return true;
  return file.write(format::SectionKind::References, std::span<const std::byte>(payload));
}

/// What is new of a class. False when it could not be copied back.
bool ReferenceLog::appendClass(std::vector<std::byte> &payload, unsigned lineClass, std::uint32_t used) {
  std::vector<ReferenceRecord> rows(used - written[lineClass]);
  const std::uint64_t from =
      log + sizeof(kperf_reference_log) + (std::uint64_t{lineClass} * room + written[lineClass]) * sizeof(ReferenceRecord);
  if (!rows.empty() && gpu.copy_back(rows.data(), from, rows.size() * sizeof(ReferenceRecord)) != 0)
    return false;
  // What a running kernel is about to write is for the next time, with what came behind it.
  rows.erase(std::ranges::find(rows, 0u, &ReferenceRecord::tag), rows.end());
  const auto bytes = std::as_bytes(std::span(rows));
  payload.insert(payload.end(), bytes.begin(), bytes.end());
  written[lineClass] += static_cast<std::uint32_t>(rows.size());
  return true;
}

} // namespace kperf::runtime
