// One warp: which of its lanes exist, have left or wait, and the meetings at which lanes exchange values.
#ifndef KPERF_HOST_WARP_H
#define KPERF_HOST_WARP_H

#include <kperf/host/engine/CudaThread.h>

#include <memory>
#include <vector>

namespace kperf::host {

/// The operations at which lanes of one mask wait for one another. Lanes of one mask must come to the same one.
enum class Collective : std::uint8_t { Sync, Shuffle, Vote, Match, Reduce };

/// Lanes of one mask exchanging one word each. Values are kept twice: a lane can come to the next exchange while
/// another has not yet read the last one, but never two ahead.
struct Meeting {
  std::uint32_t mask = 0;
  Collective kind = Collective::Sync;
  unsigned phase = 0;
  std::uint32_t arrived = 0;
  int readers = 0; ///< lanes that were let go and have not read yet
  std::uint64_t latest = 0, release = 0;
  std::uint32_t present[2] = {};
  std::uint64_t values[2][32] = {};

  bool isFree() const { return arrived == 0 && readers == 0; }
};

/// What a lane finds when everybody came: the words by lane, and which lanes brought one.
struct Exchange {
  const std::uint64_t *values;
  std::uint32_t lanes;
};

struct Warp;

/// Decides which lanes go on first when several groups of a warp wait to converge.
class ConvergenceOrder {
public:
  virtual ~ConvergenceOrder() = default;
  /// Some lanes of warp.converging that wait with the same key.
  virtual std::uint32_t choose(const Warp &warp) = 0;
};

struct Warp {
  CudaThread *threads = nullptr; ///< the first lane's; the others follow
  std::uint32_t existing = 0, exited = 0;
  int runnable = 0;             ///< lanes that can go on without anybody else
  int meeting = 0;              ///< lanes that wait at a meeting
  std::uint32_t converging = 0; ///< lanes that wait for the others to come the same way
  std::vector<std::unique_ptr<Meeting>> meetings;
  std::unique_ptr<ConvergenceOrder> recorder; ///< of the probes
  std::uint32_t accesses = 0;                 ///< to memory that probes saw

  std::uint32_t live() const { return existing & ~exited; }

  void reset(CudaThread *first, unsigned lanes) {
    threads = first;
    existing = lanes >= 32 ? ~0u : (1u << lanes) - 1;
    exited = converging = accesses = 0;
    meeting = 0;
    runnable = static_cast<int>(lanes);
    recorder.reset();
  }

  /// The lanes that wait to converge with this one.
  std::uint32_t convergingWith(unsigned lane) const {
    std::uint32_t group = 0;
    for (std::uint32_t rest = converging; rest; rest &= rest - 1)
      if (const CudaThread &thread = threads[__builtin_ctz(rest)]; thread.isWith(threads[lane]))
        group |= thread.bit();
    return group;
  }

  /// The lowest of the converging lanes that wait at the earliest place.
  unsigned furthestBehind() const {
    unsigned best = static_cast<unsigned>(__builtin_ctz(converging));
    for (std::uint32_t rest = converging; rest; rest &= rest - 1)
      if (const auto lane = static_cast<unsigned>(__builtin_ctz(rest)); threads[lane].isBefore(threads[best]))
        best = lane;
    return best;
  }

  /// After a launch was given up: nobody will come to read.
  void abandonMeetings() {
    for (const auto &each : meetings) {
      each->arrived = 0;
      each->readers = 0;
      each->latest = 0;
    }
  }

  Meeting &meetingOf(std::uint32_t mask, Collective kind) {
    Meeting *unused = nullptr;
    for (const auto &each : meetings) {
      if (each->mask == mask && each->kind == kind)
        return *each;
      if (!unused && each->isFree())
        unused = each.get();
    }
    if (!unused) {
      meetings.push_back(std::make_unique<Meeting>());
      unused = meetings.back().get();
    }
    unused->mask = mask;
    unused->kind = kind;
    return *unused;
  }
};

} // namespace kperf::host

#endif
