// One device's log of references to cache lines: its memory, and the sections written from it.
#ifndef KPERF_RUNTIME_REFERENCE_LOG_H
#define KPERF_RUNTIME_REFERENCE_LOG_H

#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>
#include <kperf/format_references.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kperf::runtime {

class ReferenceLog {
public:
  /// `run`: of ReferencesHeader; `room`: records of each class; 0 keeps none.
  ReferenceLog(const kperf_gpu_api &gpu, std::uint32_t device, std::uint32_t run, std::uint32_t room)
      : gpu(gpu), device(device), run(run), room(room) {}

  /// Takes device memory, once, and says in `config` where. False when there was none: why() then says so and no reference is kept.
  bool provide(kperf_device_config &config);
  const std::string &why() const { return reason; }

  /// Writes what came to complete classes since the last call that was to stay. The device must be current. `lost` counts records
  /// that could not be copied back. False when the file could not be written.
  bool collect(TraceFile &file, std::uint32_t sampled, std::uint64_t &lost, bool isToStay);

private:
  bool write(TraceFile &file, std::uint32_t sampled, std::uint64_t &lost);
  bool appendClass(std::vector<std::byte> &payload, unsigned lineClass, std::uint32_t used);

  const kperf_gpu_api &gpu;
  std::uint32_t device, run, room;
  std::uint64_t log = 0; ///< device address
  std::string reason;
  bool isMissing = false;                                         ///< memory that was asked for, which the file does not say yet
  std::array<std::uint32_t, format::kReferenceClasses> written{}; ///< records of each class that are in the file
  std::uint32_t incomplete = 0;                                   ///< as the file has it
};

} // namespace kperf::runtime

#endif
