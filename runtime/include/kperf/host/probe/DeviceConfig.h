// The configuration of the host target's probes, and which blocks and regions they record.
#ifndef KPERF_HOST_DEVICE_CONFIG_H
#define KPERF_HOST_DEVICE_CONFIG_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/Outlined.h>

#include <kperf/abi/module.h>
#include <kperf/rules/BlockSample.h>

/// One for all translation units of a program or library: kernels and device functions of headers are merged between
/// them.
inline kperf_device_config kperf_config = {};

namespace kperf::host {

/// Whether the thread's block is one of those whose accesses are counted.
KPERF_HOST_OUTLINED inline bool isCountedBlock(const CudaThread &thread) {
  return kperf_config.sample != 0 && detail::isSampledBlock(thread.block->grid().id, thread.block->index(), kperf_config.sample);
}

/// Whether it is one of those that are recorded.
KPERF_HOST_OUTLINED inline bool isSampled(const CudaThread &thread) {
  const Grid &grid = thread.block->grid();
  if (kperf_config.sample != 1)
    return isCountedBlock(thread);
  const std::uint64_t warps = grid.blockCount() * ((grid.threadCount() + 31) / 32);
  return detail::isSampledBlock(grid.id, thread.block->index(),
                                detail::widthInterval(static_cast<std::uint32_t>(warps), kperf_config.max_warps_log2));
}

/// Whether the user switched a kernel or a region off.
inline bool isSwitchedOff(std::uint32_t id) {
  const auto *words = reinterpret_cast<const std::uint32_t *>(kperf_config.switched_off);
  return words && (words[id % KPERF_SWITCHES / 32] >> id % 32 & 1) != 0;
}

} // namespace kperf::host

#endif
