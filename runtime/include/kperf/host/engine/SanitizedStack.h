// Tells the address sanitizer and the thread sanitizer of kperf's own stacks: where each is, and when a thread switches to another. Without
// a sanitizer it does nothing.
#ifndef KPERF_HOST_SANITIZED_STACK_H
#define KPERF_HOST_SANITIZED_STACK_H

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define KPERF_HOST_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define KPERF_HOST_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KPERF_HOST_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define KPERF_HOST_THREAD_SANITIZER
#endif
#endif

#if defined(KPERF_HOST_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#elif defined(KPERF_HOST_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace kperf::host {

#if defined(KPERF_HOST_ADDRESS_SANITIZER)

class SanitizedStack {
public:
  static constexpr bool kIsNothing = false;

  SanitizedStack() = default; ///< of a thread that the system started: its place is found out when it is left
  ~SanitizedStack() { forget(); }
  SanitizedStack(const SanitizedStack &) = delete;
  SanitizedStack &operator=(const SanitizedStack &) = delete;

  /// Nothing runs here yet, or any more; what stood on the stack before is gone.
  __attribute__((no_sanitize("address"))) void reset(char *top, std::size_t size) {
    forget();
    bottom = top - size;
    bytes = size;
    isOurs = true;
  }
  /// Before the running thread goes from `from` to this one.
  void enter(SanitizedStack &from) { __sanitizer_start_switch_fiber(&from.locals, bottom, bytes); }
  /// Once it runs here, having come from `from`.
  void arrive(SanitizedStack &from) { __sanitizer_finish_switch_fiber(locals, &from.bottom, &from.bytes); }

private:
  /// Frees the locals that the sanitizer keeps apart, which it only does for a stack that is left: goes there and back in the
  /// sanitizer's eyes.
  __attribute__((no_sanitize("address"))) void forget() {
    if (!isOurs)
      return;
    if (locals) {
      void *mine = nullptr;
      const void *myBottom = nullptr;
      std::size_t myBytes = 0;
      __sanitizer_start_switch_fiber(&mine, bottom, bytes);
      __sanitizer_finish_switch_fiber(locals, &myBottom, &myBytes);
      __sanitizer_start_switch_fiber(nullptr, myBottom, myBytes);
      __sanitizer_finish_switch_fiber(mine, nullptr, nullptr);
      locals = nullptr;
    }
    __asan_unpoison_memory_region(bottom, bytes);
  }

  const void *bottom = nullptr;
  std::size_t bytes = 0;
  void *locals = nullptr; ///< while it is not the one that runs
  bool isOurs = false;
};

#elif defined(KPERF_HOST_THREAD_SANITIZER)

class SanitizedStack {
public:
  static constexpr bool kIsNothing = false;

  SanitizedStack() = default;
  ~SanitizedStack() { forget(); }
  SanitizedStack(const SanitizedStack &) = delete;
  SanitizedStack &operator=(const SanitizedStack &) = delete;

  void reset(char *, std::size_t) {
    forget();
    fiber = __tsan_create_fiber(0);
    isOurs = true;
  }
  void enter(SanitizedStack &from) {
    if (!from.fiber)
      from.fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber, 0);
  }
  void arrive(SanitizedStack &) {}

private:
  void forget() {
    if (isOurs)
      __tsan_destroy_fiber(fiber);
  }

  void *fiber = nullptr;
  bool isOurs = false;
};

#else

class SanitizedStack {
public:
  static constexpr bool kIsNothing = true;

  void reset(char *, std::size_t) {}
  void enter(SanitizedStack &) {}
  void arrive(SanitizedStack &) {}
};

#endif

} // namespace kperf::host

#endif
