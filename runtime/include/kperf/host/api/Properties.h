// What the imitated device says of itself: cudaDeviceProp, attributes, limits.
#ifndef KPERF_HOST_PROPERTIES_H
#define KPERF_HOST_PROPERTIES_H

#include <kperf/host/engine/Engine.h>
#include <kperf/host/engine/Outlined.h>

#include <cstring>
#include <unistd.h>

struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid, cudaUUID_t;

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
  int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, memoryPoolsSupported, clusterLaunch;
};

// Values as in driver_types.h.
/// Of a fixed type, so that what a program makes of any number has a value, and is refused.
enum cudaDeviceAttr : int {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrReservedSharedMemoryPerBlock = 111,
  cudaDevAttrMemoryPoolsSupported = 115,
  cudaDevAttrClusterLaunch = 120,
};

namespace kperf::host {

inline constexpr int kClockKhz = 1000000; ///< one cycle is one nanosecond

inline std::size_t physicalBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

inline void describeLimits(cudaDeviceProp &device) {
  device.maxThreadsPerBlock = kMaxThreadsPerBlock;
  device.maxThreadsDim[0] = device.maxThreadsDim[1] = kMaxThreadsPerBlock;
  device.maxThreadsDim[2] = kMaxBlockZ;
  device.maxGridSize[0] = kMaxGridX;
  device.maxGridSize[1] = device.maxGridSize[2] = kMaxGridYZ;
  device.maxThreadsPerMultiProcessor = kMaxThreadsPerMultiprocessor;
  device.maxBlocksPerMultiProcessor = kMaxBlocksPerMultiprocessor;
  device.sharedMemPerBlock = kSharedBytesPerBlock;
  device.sharedMemPerBlockOptin = kMaxSharedBytesPerBlock;
  device.sharedMemPerMultiprocessor = kSharedBytesPerMultiprocessor;
  device.reservedSharedMemPerBlock = kSharedBytesReserved;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.totalConstMem = 65536;
  device.memPitch = 2147483647;
  device.textureAlignment = 512;
}

KPERF_HOST_OUTLINED inline cudaDeviceProp describeDevice() {
  cudaDeviceProp device;
  std::memset(&device, 0, sizeof(device));
  std::strncpy(device.name, "kperf host target", sizeof(device.name) - 1);
  std::memcpy(device.uuid.bytes, "kperf host target", sizeof(device.uuid.bytes));
  describeLimits(device);
  device.totalGlobalMem = physicalBytes();
  device.warpSize = 32;
  device.clockRate = device.memoryClockRate = kClockKhz;
  device.memoryBusWidth = 64;
  device.l2CacheSize = 1 << 20;
  // No tensor cores, cp.async or clusters: the newest capability that has none of them.
  device.major = 7;
  device.minor = 0;
  device.multiProcessorCount = static_cast<int>(settings().multiprocessors);
  device.integrated = device.canMapHostMemory = device.unifiedAddressing = device.managedMemory = 1;
  device.concurrentKernels = device.asyncEngineCount = device.streamPrioritiesSupported = 1;
  device.concurrentManagedAccess = device.pageableMemoryAccess = device.hostNativeAtomicSupported = 1;
  device.cooperativeLaunch = device.hostRegisterSupported = device.memoryPoolsSupported = 1;
  return device;
}

/// False for an attribute that the host target does not know.
KPERF_HOST_OUTLINED inline bool attributeOf(const cudaDeviceProp &device, cudaDeviceAttr attribute, int &value) {
  const struct {
    cudaDeviceAttr attribute;
    std::size_t value;
  } rows[] = {
      {cudaDevAttrMaxThreadsPerBlock, kMaxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, kMaxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimY, kMaxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimZ, kMaxBlockZ},
      {cudaDevAttrMaxGridDimX, kMaxGridX},
      {cudaDevAttrMaxGridDimY, kMaxGridYZ},
      {cudaDevAttrMaxGridDimZ, kMaxGridYZ},
      {cudaDevAttrMaxSharedMemoryPerBlock, device.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, device.totalConstMem},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxRegistersPerBlock, std::size_t(device.regsPerBlock)},
      {cudaDevAttrClockRate, kClockKhz},
      {cudaDevAttrMultiProcessorCount, std::size_t(device.multiProcessorCount)},
      {cudaDevAttrIntegrated, 1},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrMemoryClockRate, kClockKhz},
      {cudaDevAttrGlobalMemoryBusWidth, std::size_t(device.memoryBusWidth)},
      {cudaDevAttrL2CacheSize, std::size_t(device.l2CacheSize)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, kMaxThreadsPerMultiprocessor},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrComputeCapabilityMajor, std::size_t(device.major)},
      {cudaDevAttrComputeCapabilityMinor, std::size_t(device.minor)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, device.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, std::size_t(device.regsPerMultiprocessor)},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, device.sharedMemPerBlockOptin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, kMaxBlocksPerMultiprocessor},
      {cudaDevAttrReservedSharedMemoryPerBlock, kSharedBytesReserved},
      {cudaDevAttrMemoryPoolsSupported, 1},
      {cudaDevAttrClusterLaunch, 0},
  };
  for (const auto &row : rows)
    if (row.attribute == attribute) {
      value = static_cast<int>(row.value);
      return true;
    }
  return false;
}

} // namespace kperf::host

#endif
