// Streams and events as objects. Everything is done when the call that asks for it returns; what is kept is virtual
// time.
#ifndef KPERF_HOST_STREAM_H
#define KPERF_HOST_STREAM_H

#include <kperf/host/engine/Errors.h>
#include <kperf/host/engine/Outlined.h>
#include <kperf/host/engine/Ticks.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t end = 0; ///< when its last work ends, on the virtual clock
};
struct CUevent_st {
  unsigned flags = 0;
  bool isRecorded = false;
  std::uint64_t ns = 0;
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01

namespace kperf::host {

/// The streams and events that exist. All members are safe to call from any thread.
class Streams {
public:
  /// Never destroyed: programs may use streams in static destructors.
  KPERF_HOST_OUTLINED static Streams &instance() {
    static Streams *const streams = new Streams;
    return *streams;
  }

  KPERF_HOST_OUTLINED cudaStream_t create(unsigned flags, int priority) {
    const std::lock_guard<std::mutex> lock(mutex);
    return *streams.insert(new CUstream_st{flags, priority, ticks::kEpoch}).first;
  }

  KPERF_HOST_OUTLINED bool destroy(cudaStream_t stream) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!streams.erase(stream))
      return false;
    delete stream;
    return true;
  }

  /// The object that a handle means; null when there is none.
  KPERF_HOST_OUTLINED CUstream_st *find(cudaStream_t handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    return findLocked(handle);
  }

  KPERF_HOST_OUTLINED cudaEvent_t createEvent(unsigned flags) {
    const std::lock_guard<std::mutex> lock(mutex);
    return *events.insert(new CUevent_st{flags, false, 0}).first;
  }

  KPERF_HOST_OUTLINED bool destroyEvent(cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!events.erase(event))
      return false;
    delete event;
    return true;
  }

  KPERF_HOST_OUTLINED bool isEvent(cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    return events.count(event) > 0;
  }

  /// When work that is put into the stream now can start: after what is in it, and as CUDA's default stream rules say.
  KPERF_HOST_OUTLINED std::uint64_t startOf(cudaStream_t handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    const CUstream_st *stream = findLocked(handle);
    std::uint64_t start = std::max(synchronized, stream ? stream->end : 0);
    if (stream == &defaultStream)
      for (const CUstream_st *other : streams)
        start = std::max(start, other->flags & cudaStreamNonBlocking ? 0 : other->end);
    else if (stream && !(stream->flags & cudaStreamNonBlocking))
      start = std::max(start, defaultStream.end);
    return start;
  }

  /// What comes later in the stream starts at this time or after.
  KPERF_HOST_OUTLINED void extend(cudaStream_t handle, std::uint64_t end) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (CUstream_st *stream = findLocked(handle))
      stream->end = std::max(stream->end, end);
  }

  /// The host waits for everything.
  KPERF_HOST_OUTLINED void synchronize() {
    const std::lock_guard<std::mutex> lock(mutex);
    synchronized = std::max({synchronized, defaultStream.end, perThreadStream.end});
    for (const CUstream_st *stream : streams)
      synchronized = std::max(synchronized, stream->end);
  }

  /// The host waits for one stream.
  KPERF_HOST_OUTLINED void synchronize(cudaStream_t handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (const CUstream_st *stream = findLocked(handle))
      synchronized = std::max(synchronized, stream->end);
  }

private:
  CUstream_st *findLocked(cudaStream_t handle) {
    if (!handle || handle == cudaStreamLegacy)
      return &defaultStream;
    if (handle == cudaStreamPerThread)
      return &perThreadStream;
    return streams.count(handle) ? handle : nullptr;
  }

  std::mutex mutex;
  CUstream_st defaultStream{0, 0, ticks::kEpoch}, perThreadStream{0, 0, ticks::kEpoch};
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  std::uint64_t synchronized = ticks::kEpoch; ///< how far the host has waited
};

} // namespace kperf::host

#endif
