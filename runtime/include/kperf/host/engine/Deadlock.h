// Reports a deadlock, in which no thread of a block can go on: who waits, at what, where.
#ifndef KPERF_HOST_DEADLOCK_H
#define KPERF_HOST_DEADLOCK_H

#include <kperf/host/engine/Block.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace kperf::host {

struct DeadlockReport {
  static constexpr unsigned kMaxLines = 16;

  static std::string position(uint3 index) {
    return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
  }

  static bool isSame(const Wait &a, const Wait &b) {
    return a.what == b.what && a.mask == b.mask && a.site->line == b.site->line && a.site->file == b.site->file;
  }

  static std::string describe(const CudaThread &first, const CudaThread &last) {
    const Wait &wait = first.wait;
    const bool isOne = &first == &last;
    std::string text =
        isOne ? "\n  thread " + position(first.index) : "\n  threads " + position(first.index) + " to " + position(last.index);
    text += isOne ? " is at " : " are at ";
    text += wait.what;
    if (wait.mask) {
      char mask[64];
      std::snprintf(mask, sizeof(mask), " with mask 0x%08x", wait.mask);
      text += mask;
      if (!(wait.mask & first.bit()))
        text += ", which leaves lane " + std::to_string(first.lane()) + " out,";
    }
    return text + " in " + wait.site->function + ", " + wait.site->file + ":" + std::to_string(wait.site->line);
  }

  /// One line for each run of threads that wait for the same.
  static std::string describe(const Block &block) {
    std::string text;
    unsigned lines = 0, left = 0;
    for (unsigned i = 0; i < block.threadCount;) {
      const CudaThread &first = block.threads[i];
      unsigned last = i;
      if (first.warp->exited & first.bit()) {
        ++left;
      } else if (i < block.started && first.wait.what) {
        while (last + 1 < block.started && block.threads[last + 1].wait.what && isSame(first.wait, block.threads[last + 1].wait))
          ++last;
        if (++lines <= kMaxLines)
          text += describe(first, block.threads[last]);
      }
      i = last + 1;
    }
    if (lines > kMaxLines)
      text += "\n  and " + std::to_string(lines - kMaxLines) + " more";
    if (left > 0)
      text += "\n  " + std::to_string(left) + (left == 1 ? " thread has" : " threads have") + " left the kernel";
    return text + "\n  a barrier opens when all threads of the block that have not left are at it, a warp's operation "
                  "when all such lanes of its mask are at the same one, a barrier object when as many have arrived as it "
                  "expects";
  }
};

inline void Block::failDeadlocked() {
#if defined(__CUDA__)
  const uint3 position = {};
#else
  const uint3 position = blockIdx;
#endif
  std::string why = "block " + DeadlockReport::position(position) + " is in a deadlock";
  why += DeadlockReport::describe(*this);
  fail(std::move(why));
}

} // namespace kperf::host

#endif
