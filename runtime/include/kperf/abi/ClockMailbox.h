// Where a kernel and the host that waits for it show each other their clocks, in memory of the host that both see.
//
// The host writes what its clock shows, again and again. The device reads that, reads its own clock behind it, and writes both down: by
// then the host's clock shows at least as much. The host looks what its clock shows when it sees the device's: by then it shows at most as
// much. So each round gives bounds that hold whatever was late, and the tightest of them is no wider than a read and a write across the
// bus.
#ifndef KPERF_CLOCK_MAILBOX_H
#define KPERF_CLOCK_MAILBOX_H

#include <kperf/abi/Target.h>
#include <kperf/abi/module.h>

namespace kperf {
namespace detail {

/// Named where NVRTC, too, knows the other name.
using ClockWord = uint64_t;
constexpr uint32_t kClockRounds = 32;
constexpr uint32_t kFirstDeviceClock = 16;                             ///< behind the host's, in cache lines of their own
constexpr uint32_t kFirstHostClock = kFirstDeviceClock + kClockRounds; ///< of the host's clocks that the device read
constexpr uint32_t kMailboxWords = kFirstHostClock + kClockRounds;

} // namespace detail
} // namespace kperf

#ifndef KPERF_DEVICE_CODE
#include <kperf/abi/HostClock.h>

namespace kperf {
namespace detail {

/// The host's side of the exchange with a kernel that was launched, or waits to be.
class ClockExchange {
public:
  /// `words`: kMailboxWords of them, which the device sees.
  explicit ClockExchange(volatile ClockWord *words) : mailbox(words) {
    for (uint32_t word = 0; word < kMailboxWords; ++word)
      mailbox[word] = 0;
    mailbox[0] = hostNs();
  }
  /// Until the kernel has gone through its rounds, or a tenth of a second is over.
  void run() {
    constexpr uint64_t kPatienceNs = 100000000;
    const uint64_t begin = hostNs();
    for (uint64_t now = begin; rounds < kClockRounds && now - begin < kPatienceNs;) {
      const bool hasAnswered = mailbox[kFirstDeviceClock + rounds] != 0;
      now = hostNs();
      if (hasAnswered)
        seenNs[rounds++] = now;
      mailbox[0] = now;
    }
  }
  /// The tightest round, once the kernel has ended. False where none was seen.
  bool tightest(kperf_clock_reading *out) const {
    bool isFound = false;
    for (uint32_t round = 0; round < rounds; ++round) {
      const kperf_clock_reading next{mailbox[kFirstDeviceClock + round], mailbox[kFirstHostClock + round], seenNs[round]};
      const bool isValid = next.host_from_ns != 0 && next.host_from_ns <= next.host_to_ns;
      if (isValid && (!isFound || next.host_to_ns - next.host_from_ns < out->host_to_ns - out->host_from_ns))
        *out = next;
      isFound |= isValid;
    }
    return isFound;
  }

private:
  volatile ClockWord *mailbox;
  uint64_t seenNs[kClockRounds];
  uint32_t rounds = 0;
};

} // namespace detail
} // namespace kperf
#endif

#endif
