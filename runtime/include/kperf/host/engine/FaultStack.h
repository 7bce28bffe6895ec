// A stack for signal handlers in threads whose own stack, or whose fiber's, is exhausted.
#ifndef KPERF_HOST_FAULT_STACK_H
#define KPERF_HOST_FAULT_STACK_H

#include <csignal>
#include <cstddef>
#include <sys/mman.h>

namespace kperf::host {

/// The calling thread's alternate stack, where it has none, as long as this lives. Handlers that ask for it (SA_ONSTACK) run there.
class FaultStack {
public:
  FaultStack() {
    stack_t now{};
    if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE))
      return;
    void *mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return;
    memory = mapped;
    stack_t own{};
    own.ss_sp = memory;
    own.ss_size = kBytes;
    sigaltstack(&own, nullptr);
  }
  ~FaultStack() {
    if (!memory)
      return;
    stack_t now{}, none{};
    none.ss_flags = SS_DISABLE;
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory)
      sigaltstack(&none, nullptr);
    munmap(memory, kBytes);
  }
  FaultStack(const FaultStack &) = delete;
  FaultStack &operator=(const FaultStack &) = delete;

private:
  static constexpr std::size_t kBytes = 65536;

  void *memory = nullptr;
};

} // namespace kperf::host

#endif
