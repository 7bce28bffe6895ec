// What the runtime library is told of a launch that passes one of the vendor's hooks (LaunchHooks.h).
#ifndef KPERF_LAUNCH_ANNOUNCEMENT_H
#define KPERF_LAUNCH_ANNOUNCEMENT_H

#include <kperf/VendorApi.h>

#ifndef KPERF_DEVICE_CODE

#include <kperf/registration.h>

namespace kperf {
namespace vendor {

/// Tells the runtime of a launch. Makes no call of the vendor's API that could wait; an error of its own is taken back.
__attribute__((unused)) static void announceLaunch(const void *kernel, dim3 grid, dim3 block, size_t sharedBytes,
                                                   Stream stream, uint32_t flags) {
  const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
  const char *name = kernel ? kernelName(kernel, stream) : nullptr;
  KPERF_API(StreamCaptureStatus) capture = KPERF_API(StreamCaptureStatusNone);
  static_cast<void>(KPERF_API(StreamIsCapturing)(stream, &capture));
  if (capture != KPERF_API(StreamCaptureStatusNone))
    flags |= format::kLaunchCaptured;
  detail::beforeLaunch({reinterpret_cast<uint64_t>(stream),
                        name,
                        {grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z},
                        static_cast<uint32_t>(sharedBytes),
                        flags});
  if (clean)
    forgetLastError();
}

} // namespace vendor
} // namespace kperf

#endif
#endif
