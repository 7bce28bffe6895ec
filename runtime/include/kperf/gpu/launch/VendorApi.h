// The vendor's runtime API as kperf's runtime library uses it (module.h), compiled into the instrumented translation unit.
//
// HIP follows CUDA name by name, so this is written once; what a device says of itself differs (DeviceInfo.h of each vendor).
#ifndef KPERF_VENDOR_API_H
#define KPERF_VENDOR_API_H

#include <kperf/gpu/record/ArenaReclaim.h>
#include <kperf/gpu/record/Calibration.h>

#ifndef KPERF_DEVICE_CODE

#include <kperf/abi/ClockMailbox.h>
#include <kperf/abi/module.h>
#include <kperf/format.h>
#include <kperf/gpu/vendor/Vendor.h>

/// What the runtime library calls now and then: a host compiler takes a tenth less time for it where it need not be fast.
#define KPERF_RARELY __attribute__((cold))

namespace kperf {
namespace vendor {

using Error = KPERF_API(Error_t);
using Stream = KPERF_API(Stream_t);
constexpr Error kSuccess = KPERF_API(Success);

/// Lets the calling thread allocate and copy while a stream capture of the program is under way.
class RelaxedCapture {
public:
  RelaxedCapture() { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  void exchange() { static_cast<void>(KPERF_API(ThreadExchangeStreamCaptureMode)(&mode)); }

  KPERF_API(StreamCaptureMode) mode = KPERF_API(StreamCaptureModeRelaxed);
};

/// Forgets an error of ours, which is not the program's.
inline void forgetLastError() { static_cast<void>(KPERF_API(GetLastError)()); }

/// Runs `work(stream)` on a stream of its own, which waits for nothing the program does, and waits for it.
template <typename Work> KPERF_RARELY int onOwnStream(Work work) {
  const RelaxedCapture relaxed;
  Stream stream;
  Error status = KPERF_API(StreamCreateWithFlags)(&stream, KPERF_API(StreamNonBlocking));
  if (status != kSuccess)
    return status;
  status = work(stream);
  if (status == kSuccess)
    status = KPERF_API(StreamSynchronize)(stream);
  static_cast<void>(KPERF_API(StreamDestroy)(stream));
  return status;
}

KPERF_RARELY inline int currentDevice(int *ordinal) { return KPERF_API(GetDevice)(ordinal); }
KPERF_RARELY inline int selectDevice(int ordinal) { return KPERF_API(SetDevice)(ordinal); }
KPERF_RARELY inline int releaseMemory(void *address) { return KPERF_API(Free)(address); }
KPERF_RARELY inline const char *errorText(int code) { return KPERF_API(GetErrorString)(static_cast<Error>(code)); }

KPERF_RARELY inline int synchronizeDevice() {
  const RelaxedCapture relaxed;
  return KPERF_API(DeviceSynchronize)();
}

KPERF_RARELY inline int clearMemory(uint64_t address, size_t bytes) {
  return onOwnStream([=](Stream stream) { return KPERF_API(MemsetAsync)(reinterpret_cast<void *>(address), 0, bytes, stream); });
}

KPERF_RARELY inline int allocateMemory(void **address, size_t bytes) {
  const RelaxedCapture relaxed;
  const Error status = KPERF_API(Malloc)(address, bytes);
  if (status == kSuccess)
    return clearMemory(reinterpret_cast<uint64_t>(*address), bytes);
  forgetLastError();
  return status;
}

KPERF_RARELY inline int copyBack(void *host, uint64_t address, size_t bytes) {
  const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
  const int status = onOwnStream([=](Stream stream) {
    return KPERF_API(MemcpyAsync)(host, reinterpret_cast<void *>(address), bytes, KPERF_API(MemcpyDeviceToHost), stream);
  });
  if (clean)
    forgetLastError();
  return status;
}

KPERF_RARELY inline int copyTo(uint64_t address, const void *host, size_t bytes) {
  return onOwnStream([=](Stream stream) {
    return KPERF_API(MemcpyAsync)(reinterpret_cast<void *>(address), host, bytes, KPERF_API(MemcpyHostToDevice), stream);
  });
}

KPERF_RARELY inline int kernelNeeds(const void *kernel, uint32_t threads, uint32_t dynamicSharedBytes, kperf_kernel_needs *out) {
  const RelaxedCapture relaxed;
  KPERF_API(FuncAttributes) attributes;
  int blocks = 0;
  Error status = KPERF_API(FuncGetAttributes)(&attributes, kernel);
#ifdef KPERF_SHARED_BUFFER
  if (status == kSuccess)
    detail::makeRoom(kernel, attributes, dynamicSharedBytes);
#endif
  if (status == kSuccess)
    status = KPERF_API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, kernel, static_cast<int>(threads), dynamicSharedBytes);
  // More than the program allowed, even without what probes take: the launch fails by its own fault, of which it learns itself.
  if (status == kSuccess && blocks == 0 &&
      dynamicSharedBytes > static_cast<size_t>(attributes.maxDynamicSharedSizeBytes) + attributes.sharedSizeBytes)
    status = KPERF_API(ErrorInvalidValue);
  if (status == kSuccess)
    *out = {static_cast<uint32_t>(attributes.numRegs), static_cast<uint32_t>(attributes.localSizeBytes),
            static_cast<uint32_t>(attributes.sharedSizeBytes), static_cast<uint32_t>(attributes.maxThreadsPerBlock),
            static_cast<uint32_t>(blocks)};
  return status;
}

KPERF_RARELY inline int markTime(uint64_t stream, void **event) {
  const RelaxedCapture relaxed;
  const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
  KPERF_API(Event_t) made;
  Error status = KPERF_API(EventCreate)(&made);
  if (status == kSuccess && (status = KPERF_API(EventRecord)(made, reinterpret_cast<Stream>(stream))) != kSuccess)
    static_cast<void>(KPERF_API(EventDestroy)(made));
  if (status == kSuccess)
    *event = made;
  else if (clean)
    forgetLastError();
  return status;
}

KPERF_RARELY inline int timeBetween(void *first, void *last, bool isToWait, uint64_t *ns) {
  const RelaxedCapture relaxed;
  const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
  const auto from = static_cast<KPERF_API(Event_t)>(first), to = static_cast<KPERF_API(Event_t)>(last);
  float milliseconds = 0;
  Error status = isToWait ? KPERF_API(EventSynchronize)(to) : KPERF_API(EventQuery)(to);
  if (status == KPERF_API(ErrorNotReady)) {
    if (clean)
      forgetLastError();
    return status;
  }
  if (status == kSuccess)
    status = KPERF_API(EventElapsedTime)(&milliseconds, from, to);
  *ns = static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6 + 0.5);
  static_cast<void>(KPERF_API(EventDestroy)(from));
  static_cast<void>(KPERF_API(EventDestroy)(to));
  if (status != kSuccess && clean)
    forgetLastError();
  return status;
}

KPERF_RARELY inline int reclaim(uint64_t arena, uint64_t partBytes, uint64_t parts, uint64_t seen, uint32_t count) {
  if (const Error before = KPERF_API(PeekAtLastError)(); before != kSuccess)
    return before; // the program's, which would hide ours
  const int status = onOwnStream([=](Stream stream) {
    detail::reclaimKernel<<<count, KPERF_RECLAIM_THREADS, 0, stream>>>(arena, partBytes, reinterpret_cast<kperf_arena_part *>(parts),
                                                                       reinterpret_cast<unsigned long long *>(seen));
    return KPERF_API(PeekAtLastError)();
  });
  forgetLastError();
  return status;
}

KPERF_RARELY inline const kperf_gpu_api *gpuApi() {
  static const kperf_gpu_api api = {static_cast<uint32_t>(kTarget),
                                    currentDevice,
                                    deviceInfo,
                                    allocateMemory,
                                    releaseMemory,
                                    copyBack,
                                    clearMemory,
                                    synchronizeDevice,
                                    selectDevice,
                                    errorText,
                                    copyTo,
                                    kernelNeeds,
                                    markTime,
                                    timeBetween,
                                    reclaim};
  return &api;
}

} // namespace vendor

namespace detail {

KPERF_RARELY inline const kperf_gpu_api *moduleGpuApi() { return vendor::gpuApi(); }

/// Writes this translation unit's symbol on the current device.
KPERF_RARELY __attribute__((unused)) static int configureModule(kperf_module *, const kperf_device_config *config) {
  return vendor::onOwnStream([=](vendor::Stream stream) {
    return KPERF_API(MemcpyToSymbolAsync)(kperf_config, config, sizeof(*config), 0, KPERF_API(MemcpyHostToDevice), stream);
  });
}

template <void (*Kernel)()> KPERF_RARELY int calibrateModule(kperf_module *) {
  return vendor::onOwnStream([](vendor::Stream stream) {
    const vendor::Error before = KPERF_API(PeekAtLastError)(); // the program's, which it has not asked for yet
    Kernel<<<1, vendor::kMinWarpLanes, 0, stream>>>();
    const vendor::Error now = KPERF_API(PeekAtLastError)();
    return now == before ? vendor::kSuccess : now;
  });
}

template <void (*Kernel)(volatile ClockWord *)>
KPERF_RARELY int readModuleClock(kperf_module *, uint32_t isIdle, kperf_clock_reading *out) {
  if (const vendor::Error before = KPERF_API(PeekAtLastError)(); before != vendor::kSuccess)
    return before; // the program's, which would hide ours
  const vendor::RelaxedCapture relaxed;
  void *words = nullptr;
  int status = vendor::allocateShared(&words, kMailboxWords * sizeof(uint64_t));
  if (status == vendor::kSuccess) {
    ClockExchange exchange(static_cast<volatile ClockWord *>(words));
    status = vendor::onOwnStream([&](vendor::Stream stream) {
      Kernel<<<1, 1, 0, stream>>>(static_cast<volatile ClockWord *>(words));
      const vendor::Error launched = KPERF_API(PeekAtLastError)();
      if (launched == vendor::kSuccess)
        exchange.run();
      return launched;
    });
    if (status == vendor::kSuccess && !exchange.tightest(out))
      status = KPERF_API(ErrorNotReady);
    if (isIdle)
      static_cast<void>(vendor::releaseShared(words));
  }
  vendor::forgetLastError();
  return status;
}

} // namespace detail
} // namespace kperf

#undef KPERF_RARELY

#endif
#endif
