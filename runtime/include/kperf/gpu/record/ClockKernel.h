// The device's side of the exchange that compares its clock with the host's (abi/ClockMailbox.h).
#ifndef KPERF_GPU_CLOCK_KERNEL_H
#define KPERF_GPU_CLOCK_KERNEL_H

#include <kperf/abi/ClockMailbox.h>
#include <kperf/abi/ConfigSymbol.h>
#include <kperf/gpu/vendor/Vendor.h>

namespace kperf {
namespace detail {

/// Waits for nobody: who looks too late sees wider bounds.
__device__ __forceinline__ void answerClock(volatile ClockWord *mailbox) {
#ifdef KPERF_DEVICE_CODE
#pragma unroll 1
  for (uint32_t round = 0; round < kClockRounds; ++round) {
    const uint64_t host = mailbox[0];
    mailbox[kFirstDeviceClock + round] = wallClockBehind(host);
    mailbox[kFirstHostClock + round] = host;
  }
#endif
}

} // namespace detail
} // namespace kperf

#endif
