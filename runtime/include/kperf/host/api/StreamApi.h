// CUDA's functions for streams and events. Work is done when the call that asked for it returns.
#ifndef KPERF_HOST_STREAM_API_H
#define KPERF_HOST_STREAM_API_H

#include <kperf/host/engine/Clock.h>
#include <kperf/host/engine/Stream.h>

#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00

enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};
typedef void (*cudaHostFn_t)(void *userData);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);

namespace kperf::host {

inline cudaError_t checkEvent(cudaEvent_t event) {
  return Streams::instance().isEvent(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
inline cudaError_t requireStream(cudaStream_t stream) {
  return finishCall(Streams::instance().find(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

} // namespace kperf::host

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  if (!stream)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  *stream = kperf::host::Streams::instance().create(flags, priority);
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const bool done = kperf::host::Streams::instance().destroy(stream);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  kperf::host::Streams::instance().synchronize(stream);
  return kperf::host::requireStream(stream);
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return kperf::host::requireStream(stream); }
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  if (const CUstream_st *object = kperf::host::Streams::instance().find(stream))
    *flags = object->flags;
  return kperf::host::requireStream(stream);
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (const CUstream_st *object = kperf::host::Streams::instance().find(stream))
    *priority = object->priority;
  return kperf::host::requireStream(stream);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = cudaStreamCaptureStatusNone;
  return kperf::host::requireStream(stream);
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  const cudaError_t status = kperf::host::requireStream(stream);
  if (status == cudaSuccess)
    function(data);
  return status;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned int) {
  const cudaError_t status = kperf::host::requireStream(stream);
  if (status == cudaSuccess)
    function(stream, status, data);
  return status;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  if (!event)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  *event = kperf::host::Streams::instance().createEvent(flags);
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const bool done = kperf::host::Streams::instance().destroyEvent(event);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  if (const cudaError_t status = kperf::host::checkEvent(event); status != cudaSuccess)
    return kperf::host::finishCall(status);
  event->isRecorded = true;
  event->ns = kperf::host::isVirtualClock() ? kperf::host::Streams::instance().startOf(stream) : kperf::host::wallNs();
  return kperf::host::requireStream(stream);
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) { return cudaEventRecord(event, stream); }
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) { return kperf::host::finishCall(kperf::host::checkEvent(event)); }
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

/// Milliseconds, of the clock in use.
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop) {
  if (kperf::host::checkEvent(start) != cudaSuccess || kperf::host::checkEvent(stop) != cudaSuccess || !start->isRecorded ||
      !stop->isRecorded || (start->flags | stop->flags) & cudaEventDisableTiming)
    return kperf::host::finishCall(cudaErrorInvalidResourceHandle);
  *ms = static_cast<float>(static_cast<double>(static_cast<long long>(stop->ns - start->ns)) * 1e-6);
  return kperf::host::finishCall(cudaSuccess);
}

inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int = cudaEventWaitDefault) {
  if (const cudaError_t status = kperf::host::checkEvent(event); status != cudaSuccess)
    return kperf::host::finishCall(status);
  if (event->isRecorded && kperf::host::isVirtualClock())
    kperf::host::Streams::instance().extend(stream, event->ns);
  return kperf::host::requireStream(stream);
}

#endif
