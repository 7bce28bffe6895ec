// The GPU API that the recorder calls (kperf/abi/module.h), over NVIDIA's driver.
#ifndef KPERF_RUNTIME_DRIVER_GPUAPI_H
#define KPERF_RUNTIME_DRIVER_GPUAPI_H

#include <kperf/abi/module.h>

namespace kperf::driver {

const kperf_gpu_api *gpuApi();

/// Who empties parts of the arena on the current device: a module that has the kernel for it.
class Reclaimer {
public:
  virtual int reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen, std::uint32_t count) = 0;

protected:
  ~Reclaimer() = default;
};

/// Of all modules; null when there is none.
void setReclaimer(Reclaimer *reclaimer);

} // namespace kperf::driver

#endif
