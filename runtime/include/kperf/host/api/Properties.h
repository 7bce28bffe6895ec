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

// Names and numbers as in driver_types.h; for each what the imitated device says.
#define KPERF_HOST_DEVICE_ATTRIBUTES(X)                                                                                                    \
  X(MaxThreadsPerBlock, 1, kMaxThreadsPerBlock)                                                                                            \
  X(MaxBlockDimX, 2, kMaxThreadsPerBlock)                                                                                                  \
  X(MaxBlockDimY, 3, kMaxThreadsPerBlock)                                                                                                  \
  X(MaxBlockDimZ, 4, kMaxBlockZ)                                                                                                           \
  X(MaxGridDimX, 5, kMaxGridX)                                                                                                             \
  X(MaxGridDimY, 6, kMaxGridYZ)                                                                                                            \
  X(MaxGridDimZ, 7, kMaxGridYZ)                                                                                                            \
  X(MaxSharedMemoryPerBlock, 8, device.sharedMemPerBlock)                                                                                  \
  X(TotalConstantMemory, 9, device.totalConstMem)                                                                                          \
  X(WarpSize, 10, device.warpSize)                                                                                                         \
  X(MaxPitch, 11, device.memPitch)                                                                                                         \
  X(MaxRegistersPerBlock, 12, device.regsPerBlock)                                                                                         \
  X(ClockRate, 13, device.clockRate)                                                                                                       \
  X(TextureAlignment, 14, device.textureAlignment)                                                                                         \
  X(GpuOverlap, 15, device.deviceOverlap)                                                                                                  \
  X(MultiProcessorCount, 16, device.multiProcessorCount)                                                                                   \
  X(KernelExecTimeout, 17, device.kernelExecTimeoutEnabled)                                                                                \
  X(Integrated, 18, device.integrated)                                                                                                     \
  X(CanMapHostMemory, 19, device.canMapHostMemory)                                                                                         \
  X(ComputeMode, 20, device.computeMode)                                                                                                   \
  X(MaxTexture1DWidth, 21, 0)                                                                                                              \
  X(MaxTexture2DWidth, 22, 0)                                                                                                              \
  X(MaxTexture2DHeight, 23, 0)                                                                                                             \
  X(MaxTexture3DWidth, 24, 0)                                                                                                              \
  X(MaxTexture3DHeight, 25, 0)                                                                                                             \
  X(MaxTexture3DDepth, 26, 0)                                                                                                              \
  X(MaxTexture2DLayeredWidth, 27, 0)                                                                                                       \
  X(MaxTexture2DLayeredHeight, 28, 0)                                                                                                      \
  X(MaxTexture2DLayeredLayers, 29, 0)                                                                                                      \
  X(SurfaceAlignment, 30, 0)                                                                                                               \
  X(ConcurrentKernels, 31, device.concurrentKernels)                                                                                       \
  X(EccEnabled, 32, device.ECCEnabled)                                                                                                     \
  X(PciBusId, 33, device.pciBusID)                                                                                                         \
  X(PciDeviceId, 34, device.pciDeviceID)                                                                                                   \
  X(TccDriver, 35, device.tccDriver)                                                                                                       \
  X(MemoryClockRate, 36, device.memoryClockRate)                                                                                           \
  X(GlobalMemoryBusWidth, 37, device.memoryBusWidth)                                                                                       \
  X(L2CacheSize, 38, device.l2CacheSize)                                                                                                   \
  X(MaxThreadsPerMultiProcessor, 39, device.maxThreadsPerMultiProcessor)                                                                   \
  X(AsyncEngineCount, 40, device.asyncEngineCount)                                                                                         \
  X(UnifiedAddressing, 41, device.unifiedAddressing)                                                                                       \
  X(MaxTexture1DLayeredWidth, 42, 0)                                                                                                       \
  X(MaxTexture1DLayeredLayers, 43, 0)                                                                                                      \
  X(MaxTexture2DGatherWidth, 45, 0)                                                                                                        \
  X(MaxTexture2DGatherHeight, 46, 0)                                                                                                       \
  X(MaxTexture3DWidthAlt, 47, 0)                                                                                                           \
  X(MaxTexture3DHeightAlt, 48, 0)                                                                                                          \
  X(MaxTexture3DDepthAlt, 49, 0)                                                                                                           \
  X(PciDomainId, 50, device.pciDomainID)                                                                                                   \
  X(TexturePitchAlignment, 51, device.texturePitchAlignment)                                                                               \
  X(MaxTextureCubemapWidth, 52, 0)                                                                                                         \
  X(MaxTextureCubemapLayeredWidth, 53, 0)                                                                                                  \
  X(MaxTextureCubemapLayeredLayers, 54, 0)                                                                                                 \
  X(MaxSurface1DWidth, 55, 0)                                                                                                              \
  X(MaxSurface2DWidth, 56, 0)                                                                                                              \
  X(MaxSurface2DHeight, 57, 0)                                                                                                             \
  X(MaxSurface3DWidth, 58, 0)                                                                                                              \
  X(MaxSurface3DHeight, 59, 0)                                                                                                             \
  X(MaxSurface3DDepth, 60, 0)                                                                                                              \
  X(MaxSurface1DLayeredWidth, 61, 0)                                                                                                       \
  X(MaxSurface1DLayeredLayers, 62, 0)                                                                                                      \
  X(MaxSurface2DLayeredWidth, 63, 0)                                                                                                       \
  X(MaxSurface2DLayeredHeight, 64, 0)                                                                                                      \
  X(MaxSurface2DLayeredLayers, 65, 0)                                                                                                      \
  X(MaxSurfaceCubemapWidth, 66, 0)                                                                                                         \
  X(MaxSurfaceCubemapLayeredWidth, 67, 0)                                                                                                  \
  X(MaxSurfaceCubemapLayeredLayers, 68, 0)                                                                                                 \
  X(MaxTexture1DLinearWidth, 69, 0)                                                                                                        \
  X(MaxTexture2DLinearWidth, 70, 0)                                                                                                        \
  X(MaxTexture2DLinearHeight, 71, 0)                                                                                                       \
  X(MaxTexture2DLinearPitch, 72, 0)                                                                                                        \
  X(MaxTexture2DMipmappedWidth, 73, 0)                                                                                                     \
  X(MaxTexture2DMipmappedHeight, 74, 0)                                                                                                    \
  X(ComputeCapabilityMajor, 75, device.major)                                                                                              \
  X(ComputeCapabilityMinor, 76, device.minor)                                                                                              \
  X(MaxTexture1DMipmappedWidth, 77, 0)                                                                                                     \
  X(StreamPrioritiesSupported, 78, device.streamPrioritiesSupported)                                                                       \
  X(GlobalL1CacheSupported, 79, device.globalL1CacheSupported)                                                                             \
  X(LocalL1CacheSupported, 80, device.localL1CacheSupported)                                                                               \
  X(MaxSharedMemoryPerMultiprocessor, 81, device.sharedMemPerMultiprocessor)                                                               \
  X(MaxRegistersPerMultiprocessor, 82, device.regsPerMultiprocessor)                                                                       \
  X(ManagedMemory, 83, device.managedMemory)                                                                                               \
  X(IsMultiGpuBoard, 84, device.isMultiGpuBoard)                                                                                           \
  X(MultiGpuBoardGroupID, 85, device.multiGpuBoardGroupID)                                                                                 \
  X(HostNativeAtomicSupported, 86, device.hostNativeAtomicSupported)                                                                       \
  X(SingleToDoublePrecisionPerfRatio, 87, device.singleToDoublePrecisionPerfRatio)                                                         \
  X(PageableMemoryAccess, 88, device.pageableMemoryAccess)                                                                                 \
  X(ConcurrentManagedAccess, 89, device.concurrentManagedAccess)                                                                           \
  X(ComputePreemptionSupported, 90, device.computePreemptionSupported)                                                                     \
  X(CanUseHostPointerForRegisteredMem, 91, device.canUseHostPointerForRegisteredMem)                                                       \
  X(CooperativeLaunch, 95, device.cooperativeLaunch)                                                                                       \
  X(MaxSharedMemoryPerBlockOptin, 97, device.sharedMemPerBlockOptin)                                                                       \
  X(CanFlushRemoteWrites, 98, 0)                                                                                                           \
  X(HostRegisterSupported, 99, device.hostRegisterSupported)                                                                               \
  X(PageableMemoryAccessUsesHostPageTables, 100, device.pageableMemoryAccessUsesHostPageTables)                                            \
  X(DirectManagedMemAccessFromHost, 101, device.directManagedMemAccessFromHost)                                                            \
  X(MaxBlocksPerMultiprocessor, 106, device.maxBlocksPerMultiProcessor)                                                                    \
  X(MaxPersistingL2CacheSize, 108, device.persistingL2CacheMaxSize)                                                                        \
  X(MaxAccessPolicyWindowSize, 109, device.accessPolicyMaxWindowSize)                                                                      \
  X(ReservedSharedMemoryPerBlock, 111, device.reservedSharedMemPerBlock)                                                                   \
  X(SparseCudaArraySupported, 112, device.sparseCudaArraySupported)                                                                        \
  X(HostRegisterReadOnlySupported, 113, 0)                                                                                                 \
  X(TimelineSemaphoreInteropSupported, 114, 0)                                                                                             \
  X(MemoryPoolsSupported, 115, device.memoryPoolsSupported)                                                                                \
  X(GPUDirectRDMASupported, 116, 0)                                                                                                        \
  X(GPUDirectRDMAFlushWritesOptions, 117, 0)                                                                                               \
  X(GPUDirectRDMAWritesOrdering, 118, 0)                                                                                                   \
  X(MemoryPoolSupportedHandleTypes, 119, 0)                                                                                                \
  X(ClusterLaunch, 120, device.clusterLaunch)                                                                                              \
  X(DeferredMappingCudaArraySupported, 121, 0)                                                                                             \
  X(IpcEventSupport, 125, 0)                                                                                                               \
  X(MemSyncDomainCount, 126, 0)                                                                                                            \
  X(NumaConfig, 130, 0)                                                                                                                    \
  X(NumaId, 131, 0)                                                                                                                        \
  X(MpsEnabled, 133, 0)                                                                                                                    \
  X(HostNumaId, 134, -1)                                                                                                                   \
  X(D3D12CigSupported, 135, 0)                                                                                                             \
  X(VulkanCigSupported, 138, 0)                                                                                                            \
  X(GpuPciDeviceId, 139, 0)

/// Of a fixed type, so that what a program makes of any number has a value, and is refused.
enum cudaDeviceAttr : int {
#define KPERF_HOST_ENUMERATOR(name, number, value) cudaDevAttr##name = number,
  KPERF_HOST_DEVICE_ATTRIBUTES(KPERF_HOST_ENUMERATOR)
#undef KPERF_HOST_ENUMERATOR
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
  device.major = kCapabilityMajor;
  device.minor = kCapabilityMinor;
  device.multiProcessorCount = static_cast<int>(settings().multiprocessors);
  device.integrated = device.canMapHostMemory = device.unifiedAddressing = device.managedMemory = 1;
  device.concurrentKernels = device.asyncEngineCount = device.streamPrioritiesSupported = 1;
  device.concurrentManagedAccess = device.pageableMemoryAccess = device.hostNativeAtomicSupported = 1;
  device.cooperativeLaunch = device.hostRegisterSupported = device.memoryPoolsSupported = 1;
  return device;
}

/// False for an attribute that the host target does not know.
KPERF_HOST_OUTLINED inline bool attributeOf(const cudaDeviceProp &device, cudaDeviceAttr attribute, int &value) {
  switch (attribute) {
#define KPERF_HOST_VALUE(name, number, of)                                                                                                 \
  case cudaDevAttr##name:                                                                                                                  \
    value = static_cast<int>(of);                                                                                                          \
    return true;
    KPERF_HOST_DEVICE_ATTRIBUTES(KPERF_HOST_VALUE)
#undef KPERF_HOST_VALUE
  }
  return false;
}

} // namespace kperf::host

#endif
