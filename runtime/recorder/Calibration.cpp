// Measures devices by kernels that modules bring.
#include "runtime/recorder/Calibration.h"

#include "posix/BootId.h"
#include "runtime/settings/Log.h"

#include <algorithm>

namespace kperf::runtime {
namespace {

/// Readings are no closer to each other: a program that flushes often is not to wait for one each time.
constexpr auto kMoment = std::chrono::milliseconds(20);

} // namespace

bool Calibration::run(kperf_module &module, int device) {
  if (!module.calibrate || !calibrated.insert(device).second)
    return false;
  if (const int status = module.calibrate(&module); status != 0) {
    log("the probes are not calibrated on device %d, times are raw: %s", device, module.gpu->error_text(status));
    return false;
  }
  return true;
}

void Calibration::compareClocks(std::span<kperf_module *const> modules, int device, bool isIdle) {
  const auto able = std::ranges::find_if(modules, [](const kperf_module *each) { return each->read_clock != nullptr; });
  const auto now = std::chrono::steady_clock::now();
  const auto before = compared.find(device);
  if (able == modules.end() || (before != compared.end() && now - before->second < kMoment))
    return;
  compared[device] = now;
  kperf_clock_reading reading{};
  if ((*able)->read_clock(*able, isIdle, &reading) != 0)
    return; // what stands on the host's clock is not shown beside kernels then
  format::ClockRecord row{reading.device_ns, reading.host_from_ns, reading.host_to_ns, {}, static_cast<std::uint32_t>(device), 0};
  static const std::array<unsigned char, 16> boot = posix::bootId();
  std::ranges::copy(boot, row.boot);
  readings.push_back(row);
}

bool Calibration::write(TraceFile &file) {
  const bool isWritten = file.write(format::SectionKind::Clocks, std::span<const format::ClockRecord>(readings));
  readings.clear();
  return isWritten;
}

} // namespace kperf::runtime
