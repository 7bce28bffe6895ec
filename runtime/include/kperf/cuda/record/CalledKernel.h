// What stands at the top of a kernel that calls functions with streams (FunctionStream.h): it says when the kernel's warps ran. Emitted:
// kperf::CalledKernel, forgetStreams.
#ifndef KPERF_CUDA_CALLED_KERNEL_H
#define KPERF_CUDA_CALLED_KERNEL_H

#include <kperf/cuda/record/StreamRows.h>

namespace kperf {

/// At the top of a kernel that records nothing itself, and calls functions that have streams: says when its warps ran. Nothing of
/// it lives in registers.
class CalledKernel {
public:
  __host__ __device__ __forceinline__ explicit CalledKernel(uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    enter({id});
#else
    (void)id;
#endif
  }
  /// `instantiation` names the instance of a template.
  template <uint32_t NameBytes> __host__ __device__ __forceinline__ CalledKernel(uint32_t id, const char (&instantiation)[NameBytes]) {
#ifdef KPERF_DEVICE_CODE
    enter({id, instantiation, NameBytes});
#else
    (void)id, (void)instantiation;
#endif
  }
  __host__ __device__ __forceinline__ ~CalledKernel() {
#ifdef KPERF_DEVICE_CODE
    leave();
#endif
  }
  CalledKernel(const CalledKernel &) = delete;
  CalledKernel &operator=(const CalledKernel &) = delete;

#ifdef KPERF_DEVICE_CODE
private:
  __device__ __forceinline__ static void enter(const detail::KernelName &kernel) {
    if (!kperf_config.streams || !detail::isSampled())
      return detail::goOnWithoutProbes();
    const detail::LaneMask lanes = detail::activeLanes();
    const bool isFirst = detail::isLowest(lanes);
    const uint64_t slot = detail::valueOfFirst(lanes, detail::isRecorded(kernel.id, /*isChosen=*/true)
                                                          ? detail::takeSlot(sizeof(format::WarpHeader), kernel.id, lanes, isFirst)
                                                          : 0);
    const uint64_t offset = slot ? slot - kperf_config.arena + sizeof(format::WarpHeader) : 0;
    detail::openRows(lanes, detail::rowKey(0), offset >> 32 ? 0 : static_cast<uint32_t>(offset));
    if (slot) {
      format::WarpHeader header = detail::describePart(kernel, 0, sizeof(format::WarpHeader), flags());
      detail::readClocks(header.startCycles, header.startNs);
      detail::storeHeaders<false>(slot, lanes, [&](bool) { return header; });
    }
    detail::syncLanes(lanes);
  }

  __device__ __forceinline__ static uint32_t flags() { return detail::kWindowFlag | detail::othersPlainFlag(); }

  __device__ __forceinline__ static void leave() {
    if (!kperf_config.streams || !detail::isSampled())
      return;
    const uint64_t key = detail::rowKey(0);
    if (!detail::isLowest(detail::activeLanes()))
      return;
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    const detail::Quad row = detail::loadRow(detail::warpRows());
    if ((uint64_t{row.y} << 32 | row.x) == key && row.z)
      detail::completePart(kperf_config.arena + row.z - sizeof(format::WarpHeader), cycles, ns, flags());
  }
#endif
};

/// At the top of a kernel that has an object of its own (Kernel) and calls functions that have streams.
__host__ __device__ __forceinline__ void forgetStreams() {
#ifdef KPERF_DEVICE_CODE
  if (!kperf_config.streams)
    return;
  const detail::LaneMask lanes = detail::activeLanes();
  detail::openRows(lanes, 0, 0);
  detail::syncLanes(lanes);
#endif
}

} // namespace kperf

#endif
