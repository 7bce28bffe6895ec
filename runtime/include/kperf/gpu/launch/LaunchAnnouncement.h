// Tells the runtime library of each launch that passes one of the vendor's hooks (cuda/launch/LaunchHooks.h, hip/launch/LaunchHooks.h).
#ifndef KPERF_LAUNCH_ANNOUNCEMENT_H
#define KPERF_LAUNCH_ANNOUNCEMENT_H

#include <kperf/gpu/launch/VendorApi.h>

#ifndef KPERF_DEVICE_CODE

#include <kperf/abi/registration.h>

namespace kperf {
namespace vendor {

namespace {

/// Tells the runtime of a launch, before it is made and, when it goes, that it was made. Makes no call of the vendor's API that could
/// wait; an error of its own is taken back. Where the runtime wants to know of no launch it makes none at all.
class LaunchAnnouncement {
public:
  /// `nameOf()` tells the kernel's mangled name, or null; asked where the runtime wants it.
  template <typename NameOf>
  LaunchAnnouncement(const void *kernel, NameOf nameOf, dim3 grid, dim3 block, size_t sharedBytes, Stream stream, uint32_t flags,
                     uint32_t hasPlain = 0)
      : isTold(detail::wantsLaunches()) {
    launch.runs_plain = hasPlain;
    if (!isTold)
      return;
    const bool clean = KPERF_API(PeekAtLastError)() == kSuccess;
    launch = {reinterpret_cast<uint64_t>(stream), nameOf(), kernel,  {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
              static_cast<uint32_t>(sharedBytes), flags,    hasPlain};
    tell(clean);
  }
  ~LaunchAnnouncement() {
    if (isTold)
      detail::afterLaunch(launch);
  }
  /// Whether the kernel's copy without probes is to be launched.
  bool runsPlain() const { return launch.runs_plain != 0; }
  LaunchAnnouncement(const LaunchAnnouncement &) = delete;
  LaunchAnnouncement &operator=(const LaunchAnnouncement &) = delete;

private:
  __attribute__((noinline)) void tell(bool clean) {
    if (isCaptured(reinterpret_cast<Stream>(launch.stream)))
      launch.flags |= format::kLaunchCaptured;
    detail::beforeLaunch(launch);
    if (clean)
      forgetLastError();
  }
  static bool isCaptured(Stream stream) {
    if (!stream && !kMayCaptureNullStream)
      return false;
    KPERF_API(StreamCaptureStatus) capture = KPERF_API(StreamCaptureStatusNone);
    static_cast<void>(KPERF_API(StreamIsCapturing)(stream, &capture));
    return capture != KPERF_API(StreamCaptureStatusNone);
  }

  const bool isTold;
  kperf_launch launch{};
};

} // namespace

} // namespace vendor
} // namespace kperf

#endif
#endif
