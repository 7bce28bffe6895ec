// CUDA's launch functions by pointer (Launch.h). A kernel has to be given with its type: `kernel`, not `(void
// *)kernel`.
#ifndef KPERF_HOST_LAUNCH_API_H
#define KPERF_HOST_LAUNCH_API_H

#include <kperf/host/api/Launch.h>

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute *attrs = nullptr;
  unsigned int numAttrs = 0;
};

namespace kperf::host {

/// What of the configuration the host target can do: everything but clusters of more than one block.
inline cudaError_t readConfiguration(const cudaLaunchConfig_t *from, Configuration &into) {
  if (!from)
    return cudaErrorInvalidValue;
  into.grid = from->gridDim;
  into.block = from->blockDim;
  into.sharedBytes = from->dynamicSmemBytes;
  into.stream = from->stream;
  for (unsigned i = 0; i < from->numAttrs; ++i) {
    const cudaLaunchAttribute &attribute = from->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative)
      into.isCooperative = attribute.val.cooperative != 0;
    const auto &cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
      return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

template <typename... Parameters> const void *addressOf(void (*kernel)(Parameters...)) { return reinterpret_cast<const void *>(kernel); }

template <typename Kernel> constexpr bool isTypedKernel = std::is_function_v<Kernel>;

} // namespace kperf::host

#define KPERF_HOST_ASK_FOR_TYPE(Kernel)                                                                                                    \
  static_assert(::kperf::host::isTypedKernel<Kernel>,                                                                                      \
                "a launch by void pointer is not supported on kperf's host target: pass the kernel itself, without a "                     \
                "cast, or use kernel<<<grid, block>>>(arguments)")

template <typename... Parameters>
static cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments, std::size_t sharedBytes = 0,
                                    cudaStream_t stream = nullptr, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::launchByAddress(kperf::host::launch(kernel, grid, block, sharedBytes, stream, site), arguments,
                                      std::index_sequence_for<Parameters...>());
}

template <typename Kernel> cudaError_t cudaLaunchKernel(Kernel *, dim3, dim3, void **, std::size_t = 0, cudaStream_t = nullptr) {
  KPERF_HOST_ASK_FOR_TYPE(Kernel);
  return cudaErrorInvalidDeviceFunction;
}

template <typename... Parameters>
static cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                                               std::size_t sharedBytes = 0, cudaStream_t stream = nullptr,
                                               kperf::host::Site site = kperf::host::Site::here()) {
  auto launch = kperf::host::launch(kernel, grid, block, sharedBytes, stream, site);
  launch.configuration.isCooperative = true;
  return kperf::host::launchByAddress(launch, arguments, std::index_sequence_for<Parameters...>());
}

template <typename Kernel> cudaError_t cudaLaunchCooperativeKernel(Kernel *, dim3, dim3, void **, std::size_t = 0, cudaStream_t = nullptr) {
  KPERF_HOST_ASK_FOR_TYPE(Kernel);
  return cudaErrorInvalidDeviceFunction;
}

template <typename... Parameters, typename... Arguments>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), Arguments &&...arguments) {
  auto launch = kperf::host::launch(kernel, {}, {});
  const cudaError_t status = kperf::host::readConfiguration(config, launch.configuration);
  return status == cudaSuccess ? launch(std::forward<Arguments>(arguments)...) : kperf::host::finishCall(status);
}

template <typename... Parameters>
static cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), void **arguments) {
  auto launch = kperf::host::launch(kernel, {}, {});
  const cudaError_t status = kperf::host::readConfiguration(config, launch.configuration);
  return status == cudaSuccess ? kperf::host::launchByAddress(launch, arguments, std::index_sequence_for<Parameters...>())
                               : kperf::host::finishCall(status);
}

template <typename Kernel> cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, Kernel *, void **) {
  KPERF_HOST_ASK_FOR_TYPE(Kernel);
  return cudaErrorInvalidDeviceFunction;
}

#undef KPERF_HOST_ASK_FOR_TYPE

#if defined(__CUDA__)
// What Clang looks up to type-check `<<<…>>>`.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr);
#endif

#endif
