// The memory that one fiber runs on: mapped pages with an inaccessible one below.
#ifndef KPERF_HOST_STACK_H
#define KPERF_HOST_STACK_H

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace kperf::host {

/// Owns its mapping. Pages are given by the kernel when they are touched.
class Stack {
public:
  /// An empty stack (top() is null) when there is no memory. Where the process may hold no more mappings the guard is
  /// left out. `serial` staggers the tops, or else the hot frames of all stacks would meet in the same cache sets.
  Stack(std::size_t bytes, unsigned serial) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    mapped = (bytes + page - 1) / page * page + 2 * page;
    void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return;
    base = static_cast<char *>(memory);
    guard = mprotect(base, page, PROT_NONE) == 0 ? page : 0;
    stagger = serial % kStaggers * kStaggerBytes;
  }
  ~Stack() {
    if (base)
      munmap(base, mapped);
  }
  Stack(const Stack &) = delete;
  Stack &operator=(const Stack &) = delete;

  /// One past the highest usable byte.
  char *top() const { return base ? base + mapped - stagger : nullptr; }
  std::size_t size() const { return mapped - guard - stagger; }

private:
  static constexpr unsigned kStaggers = 16;
  static constexpr std::size_t kStaggerBytes = 256;

  char *base = nullptr;
  std::size_t mapped = 0, guard = 0, stagger = 0;
};

} // namespace kperf::host

#endif
