// Where the host target's probes record.
#ifndef KPERF_HOST_DEVICE_CONFIG_H
#define KPERF_HOST_DEVICE_CONFIG_H

#include "Block.h"

#include <kperf/BlockSample.h>
#include <kperf/module.h>

/// One for all translation units of a program or library: kernels and device functions of headers are merged between
/// them.
inline kperf_device_config kperf_config = {};

namespace kperf::host {

/// Whether the thread's block is one of those that are recorded.
inline bool isSampled(const CudaThread &thread) {
  return detail::isSampledBlock(thread.block->grid().id, thread.block->index(), kperf_config.sample);
}

} // namespace kperf::host

#endif
