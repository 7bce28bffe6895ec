// NVIDIA's driver as this process loaded it, declared without cuda.h, because kperf run is built on machines without a toolkit.
#ifndef KPERF_RUNTIME_DRIVER_H
#define KPERF_RUNTIME_DRIVER_H

#include <cstddef>
#include <cstdint>

namespace kperf::driver {

constexpr int kSuccess = 0, kInvalidValue = 1, kNotReady = 600, kNotFound = 500, kNotSupported = 801; // of CUresult

/// Each function is there; one that the driver lacks returns kNotSupported.
struct Driver {
#define KPERF_DRIVER(member, symbol, arguments) int(*member) arguments;
#include "runtime/driver/Functions.def"
#undef KPERF_DRIVER
};

/// Of libcuda.so.1, which is loaded where the program has not done so yet.
const Driver &driver();

/// A symbol of libcuda.so.1, or null.
void *driverSymbol(const char *name);

/// dlsym of the C library, which a preloaded library may hide.
void *librarySymbol(void *library, const char *name);

/// Lets the calling thread allocate and copy while a stream capture of the program is under way.
class RelaxedCapture {
public:
  RelaxedCapture() { driver().exchangeCaptureMode(&mode); }
  ~RelaxedCapture() { driver().exchangeCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  int mode = 2; // CU_STREAM_CAPTURE_MODE_RELAXED
};

/// Runs `work(stream)` on a stream of its own, which waits for nothing the program does, and waits for it.
template <typename Work> int onOwnStream(Work work) {
  const RelaxedCapture relaxed;
  void *stream = nullptr;
  int status = driver().streamCreate(&stream, 1); // CU_STREAM_NON_BLOCKING
  if (status != kSuccess)
    return status;
  status = work(stream);
  if (status == kSuccess)
    status = driver().streamSynchronize(stream);
  driver().streamDestroy(stream);
  return status;
}

} // namespace kperf::driver

#endif
