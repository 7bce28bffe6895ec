// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes, and CUDA's launch functions.
#ifndef KPERF_HOST_LAUNCH_H
#define KPERF_HOST_LAUNCH_H

#include <kperf/host/api/FunctionAttributes.h>
#include <kperf/host/engine/Engine.h>
#include <kperf/host/engine/Outlined.h>

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <tuple>
#include <type_traits>
#include <utility>

#if defined(KPERF_INSTRUMENTED)
#include <kperf/abi/registration.h>
#endif

namespace kperf::host {

/// What a translation unit wants to be told of its launches; null when it is not instrumented.
using LaunchHook = void (*)(const kperf_launch &);

/// The calling translation unit's hook: of internal linkage, for each has its own.
__attribute__((unused)) static inline LaunchHook launchHook() {
#if defined(KPERF_INSTRUMENTED)
  return &kperf::detail::beforeLaunch;
#else
  return nullptr;
#endif
}

struct Configuration {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  bool isCooperative = false;
  Site site;
  LaunchHook hook = nullptr;
  const void *function = nullptr; ///< address of the kernel, null when a lambda stands for it
  bool isCalibration = false;
  const char *kernel = nullptr; ///< what the source calls it, without template arguments; null where that is not known
};

inline void announce(const Configuration &configuration) {
  const dim3 grid = configuration.grid, block = configuration.block;
  kperf_launch launch{};
  launch.kernel = configuration.kernel;
  launch.stream = reinterpret_cast<std::uintptr_t>(configuration.stream);
  launch.grid[0] = grid.x, launch.grid[1] = grid.y, launch.grid[2] = grid.z;
  launch.block[0] = block.x, launch.block[1] = block.y, launch.block[2] = block.z;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(configuration.sharedBytes);
  launch.flags = configuration.isCooperative ? std::uint32_t{format::kLaunchCooperative} : 0;
  configuration.hook(launch);
}

/// Runs the kernel's threads, or returns why they cannot run.
KPERF_HOST_OUTLINED inline cudaError_t runConfigured(const Configuration &configuration, Body body) {
  if (currentThread)
    currentThread->block->fail("it launches a kernel itself, which is not supported on kperf's host target; launch that "
                               "kernel from the host");
  if (stickyError.load() != cudaSuccess)
    return finishCall(cudaSuccess);
  if (!Streams::instance().find(configuration.stream))
    return finishCall(cudaErrorInvalidResourceHandle);
  Grid grid;
  grid.blocks = configuration.grid;
  grid.threads = configuration.block;
  grid.sharedBytes = configuration.sharedBytes;
  grid.site = configuration.site;
  grid.body = body;
  grid.isCalibration = configuration.isCalibration;
  const std::size_t most = Functions::instance().maxDynamicSharedBytes(configuration.function);
  if (const cudaError_t status = Engine::check(grid, most, configuration.isCooperative); status != cudaSuccess)
    return finishCall(status);
  if (configuration.hook)
    announce(configuration);
  return finishCall(Engine::instance().run(grid, configuration.stream, configuration.isCooperative));
}

/// Runs `closure()` as each thread of the kernel.
template <typename Closure> cudaError_t runClosure(const Configuration &configuration, const Closure &closure) {
  return runConfigured(configuration, {[](const void *closure) { (*static_cast<const Closure *>(closure))(); }, &closure});
}

/// A kernel with its configuration, to be called with its arguments. They are converted to the parameter types once;
/// each thread gets a copy.
template <typename... Parameters> struct Launch {
  void (*kernel)(Parameters...);
  Configuration configuration;

  Launch named(const char *name) const {
    Launch out = *this;
    out.configuration.kernel = name;
    return out;
  }
  cudaError_t operator()(Parameters... arguments) const {
    return runClosure(configuration, [&] { kernel(arguments...); });
  }
};

/// The same for a kernel whose template arguments are deduced: `kernel` is a generic lambda that calls it.
template <typename Kernel> struct GenericLaunch {
  Kernel kernel;
  Configuration configuration;

  GenericLaunch named(const char *name) const {
    GenericLaunch out = *this;
    out.configuration.kernel = name;
    return out;
  }
  template <typename... Arguments> cudaError_t operator()(Arguments &&...arguments) const {
    return run(std::tuple<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...), std::index_sequence_for<Arguments...>());
  }

private:
  /// Without std::apply: for a mistake in a kernel, GCC shows each step by which that asks whether the call throws.
  template <typename Tuple, std::size_t... Position> cudaError_t run(Tuple &&all, std::index_sequence<Position...>) const {
    return runClosure(configuration, [&] { kernel(std::get<Position>(all)...); });
  }
};

/// The same for a launch that gives the first arguments only: `call` calls the kernel with them, so that its default arguments follow.
template <typename Call, typename... Given> struct ShortLaunch {
  Call call;
  Configuration configuration;

  ShortLaunch named(const char *name) const {
    ShortLaunch out = *this;
    out.configuration.kernel = name;
    return out;
  }
  cudaError_t operator()(Given... arguments) const {
    return runClosure(configuration, [&] { call(arguments...); });
  }
};

template <typename Call, typename Parameters, std::size_t... Position>
ShortLaunch<Call, std::tuple_element_t<Position, Parameters>...> shorten(Call call, const Configuration &configuration,
                                                                         std::index_sequence<Position...>) {
  return {call, configuration};
}

template <typename... Parameters>
static Launch<Parameters...> launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes = 0,
                                    cudaStream_t stream = nullptr, Site site = Site::here()) {
  return {kernel, {grid, block, sharedBytes, stream, false, site, launchHook(), reinterpret_cast<const void *>(kernel)}};
}

template <typename Kernel, std::enable_if_t<std::is_class_v<Kernel>, int> = 0>
static GenericLaunch<Kernel> launch(Kernel kernel, dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr,
                                    Site site = Site::here()) {
  return {kernel, {grid, block, sharedBytes, stream, false, site, launchHook(), nullptr}};
}

template <std::size_t Given, typename Call, typename... Parameters>
static auto launchFirst(Call call, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes = 0,
                        cudaStream_t stream = nullptr, Site site = Site::here()) {
  return shorten<Call, std::tuple<Parameters...>>(call, launch(kernel, grid, block, sharedBytes, stream, site).configuration,
                                                  std::make_index_sequence<Given>());
}

/// Calls the kernel with arguments that are given by their addresses.
template <typename... Parameters, std::size_t... Position>
cudaError_t launchByAddress(const Launch<Parameters...> &launch, void **arguments, std::index_sequence<Position...>) {
  (void)arguments; // of a kernel without parameters
  return launch(*static_cast<std::remove_const_t<Parameters> *>(arguments[Position])...);
}

} // namespace kperf::host

#include <kperf/host/api/LaunchApi.h>

#endif
