// Implements kperf_gpu_api over NVIDIA's driver, as gpu/launch/VendorApi.h does over the CUDA runtime.
#include "runtime/driver/GpuApi.h"

#include "runtime/driver/Driver.h"

#include <kperf/format.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>

namespace kperf::driver {
namespace {

// Values of CUdevice_attribute and CUfunction_attribute.
enum DeviceAttribute {
  kWarpLanes = 10,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kResidentThreads = 39,
  kMajor = 75,
  kMinor = 76
};
enum FunctionAttribute { kMaxThreads = 0, kSharedBytes = 1, kLocalBytes = 3, kRegisters = 4, kMaxDynamicSharedBytes = 8 };

std::atomic<Reclaimer *> reclaimer{nullptr};

/// The context in which each device was met first: what is allocated there is no other context's.
class Contexts {
public:
  void note(int device, void *context) {
    const std::lock_guard lock(mutex);
    byDevice.emplace(device, context);
  }
  void *of(int device) {
    const std::lock_guard lock(mutex);
    const auto found = byDevice.find(device);
    return found == byDevice.end() ? nullptr : found->second;
  }

private:
  std::mutex mutex;
  std::map<int, void *> byDevice;
};

Contexts &contexts() {
  static auto *const all = new Contexts; // exit handlers may come here
  return *all;
}

int currentDevice(int *ordinal) {
  void *context = nullptr;
  if (const int status = driver().ctxGetDevice(ordinal); status != kSuccess)
    return status;
  if (driver().ctxGetCurrent(&context) == kSuccess && context)
    contexts().note(*ordinal, context);
  return kSuccess;
}

int selectDevice(int ordinal) {
  void *context = contexts().of(ordinal);
  return context ? driver().ctxSetCurrent(context) : kInvalidValue;
}

std::uint32_t attribute(DeviceAttribute which, int device) {
  int value = 0;
  driver().deviceGetAttribute(&value, which, device);
  return static_cast<std::uint32_t>(value);
}

int deviceInfo(int ordinal, kperf_device_info *out) {
  *out = {};
  if (const int status = driver().deviceGetName(out->name, sizeof(out->name), ordinal); status != kSuccess)
    return status;
  const std::uint32_t major = attribute(kMajor, ordinal);
  int version = 0;
  std::size_t freeBytes = 0, totalBytes = 0;
  driver().driverGetVersion(&version);
  driver().memGetInfo(&freeBytes, &totalBytes);
  std::snprintf(out->architecture, sizeof(out->architecture), "sm_%u%u", major, attribute(kMinor, ordinal));
  std::snprintf(out->driver, sizeof(out->driver), "CUDA %d.%d", version / 1000, version % 1000 / 10);
  out->multiprocessors = attribute(kMultiprocessors, ordinal);
  out->warp_lanes = attribute(kWarpLanes, ordinal);
  out->clock_khz = attribute(kClockKhz, ordinal);
  out->timer_tick_ns = major >= 9 ? 32 : 0; // as in kperf/cuda/DeviceInfo.h
  out->memory_bytes = totalBytes;
  out->free_bytes = freeBytes;
  driver().deviceGetUuid(out->uuid, ordinal);
  out->memory_bytes_per_second = kperf_memory_bytes_per_second(attribute(kMemoryClockKhz, ordinal), attribute(kMemoryBusBits, ordinal));
  out->l2_bytes = attribute(kL2Bytes, ordinal);
  out->resident_warps = attribute(kResidentThreads, ordinal) / std::max(out->warp_lanes, 1u);
  return kSuccess;
}

int clearMemory(std::uint64_t address, std::size_t bytes) {
  return onOwnStream([=](void *stream) { return driver().memsetD8Async(address, 0, bytes, stream); });
}

int allocateMemory(void **address, std::size_t bytes) {
  const RelaxedCapture relaxed;
  std::uint64_t made = 0;
  const int status = driver().memAlloc(&made, bytes);
  if (status != kSuccess)
    return status;
  *address = reinterpret_cast<void *>(made);
  return clearMemory(made, bytes);
}

int releaseMemory(void *address) { return driver().memFree(reinterpret_cast<std::uint64_t>(address)); }

int copyBack(void *host, std::uint64_t address, std::size_t bytes) {
  return onOwnStream([=](void *stream) { return driver().memcpyDtoHAsync(host, address, bytes, stream); });
}

int copyTo(std::uint64_t address, const void *host, std::size_t bytes) {
  return onOwnStream([=](void *stream) { return driver().memcpyHtoDAsync(address, host, bytes, stream); });
}

int synchronizeDevice() {
  const RelaxedCapture relaxed;
  return driver().ctxSynchronize();
}

const char *errorText(int code) {
  const char *text = nullptr;
  return driver().getErrorString(code, &text) == kSuccess && text ? text : "an unknown error of the driver";
}

int kernelNeeds(const void *kernel, std::uint32_t threads, std::uint32_t dynamicSharedBytes, kperf_kernel_needs *out) {
  const RelaxedCapture relaxed;
  auto *function = const_cast<void *>(kernel);
  const auto needs = [&](FunctionAttribute which) {
    int value = 0;
    driver().funcGetAttribute(&value, which, function);
    return static_cast<std::uint32_t>(value);
  };
  int blocks = 0;
  if (const int status = driver().occupancy(&blocks, function, static_cast<int>(threads), dynamicSharedBytes); status != kSuccess)
    return status;
  if (blocks == 0 && dynamicSharedBytes > needs(kMaxDynamicSharedBytes) + needs(kSharedBytes)) // the program's own fault
    return kInvalidValue;
  *out = {needs(kRegisters), needs(kLocalBytes), needs(kSharedBytes), needs(kMaxThreads), static_cast<std::uint32_t>(blocks)};
  return kSuccess;
}

int markTime(std::uint64_t stream, void **event) {
  const RelaxedCapture relaxed;
  void *made = nullptr;
  int status = driver().eventCreate(&made, 0);
  if (status == kSuccess && (status = driver().eventRecord(made, reinterpret_cast<void *>(stream))) != kSuccess)
    driver().eventDestroy(made);
  if (status == kSuccess)
    *event = made;
  return status;
}

int timeBetween(void *first, void *last, bool isToWait, std::uint64_t *ns) {
  const RelaxedCapture relaxed;
  float milliseconds = 0;
  int status = isToWait ? driver().eventSynchronize(last) : driver().eventQuery(last);
  if (status == kNotReady)
    return status;
  if (status == kSuccess)
    status = driver().eventElapsedTime(&milliseconds, first, last);
  *ns = static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6 + 0.5);
  driver().eventDestroy(first);
  driver().eventDestroy(last);
  return status;
}

int reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen, std::uint32_t count) {
  Reclaimer *const by = reclaimer.load();
  return by ? by->reclaim(arena, partBytes, parts, seen, count) : kNotSupported;
}

} // namespace

void setReclaimer(Reclaimer *by) { reclaimer = by; }

const kperf_gpu_api *gpuApi() {
  static const kperf_gpu_api api = {static_cast<std::uint32_t>(format::Target::Cuda),
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

} // namespace kperf::driver
