// What the runtime library is told of a launch that passes one of the vendor's hooks (LaunchHooks.h).
#ifndef KPERF_LAUNCH_ANNOUNCEMENT_H
#define KPERF_LAUNCH_ANNOUNCEMENT_H

#include <kperf/gpu/launch/VendorApi.h>

#ifndef KPERF_DEVICE_CODE

#include <kperf/abi/registration.h>

namespace kperf {
namespace vendor {

namespace {

/// Tells the runtime of a launch, before it is made and, when it goes, that it was made. Makes no call of the vendor's API that could
/// wait; an error of its own is taken back.
class LaunchAnnouncement {
public:
  LaunchAnnouncement(const void *kernel, dim3 grid, dim3 block, size_t sharedBytes, Stream stream, uint32_t flags, uint32_t hasPlain = 0) {
    const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
    const char *name = kernel ? kernelName(kernel, stream) : nullptr;
    KPERF_API(StreamCaptureStatus) capture = KPERF_API(StreamCaptureStatusNone);
    static_cast<void>(KPERF_API(StreamIsCapturing)(stream, &capture));
    if (capture != KPERF_API(StreamCaptureStatusNone))
      flags |= format::kLaunchCaptured;
    launch = {reinterpret_cast<uint64_t>(stream), name,  kernel,  {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
              static_cast<uint32_t>(sharedBytes), flags, hasPlain};
    detail::beforeLaunch(launch);
    if (clean)
      forgetLastError();
  }
  ~LaunchAnnouncement() { detail::afterLaunch(launch); }
  /// Whether the kernel's copy without probes is to be launched.
  bool runsPlain() const { return launch.runs_plain != 0; }
  LaunchAnnouncement(const LaunchAnnouncement &) = delete;
  LaunchAnnouncement &operator=(const LaunchAnnouncement &) = delete;

private:
  kperf_launch launch;
};

} // namespace

} // namespace vendor
} // namespace kperf

#endif
#endif
