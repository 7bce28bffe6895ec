// Fibers over Boost.Context: contexts that run CUDA threads one after another and are kept for the next ones.
#ifndef KPERF_HOST_FIBER_H
#define KPERF_HOST_FIBER_H

#include <kperf/host/engine/SanitizedStack.h>
#include <kperf/host/engine/Stack.h>

#include <boost/context/detail/fcontext.hpp>
#include <memory>
#include <vector>

namespace kperf::host {

using Transfer = boost::context::detail::transfer_t;

/// Where something goes on that does not run now.
struct Context {
  boost::context::detail::fcontext_t place = nullptr;
  SanitizedStack *stack = nullptr; ///< under a sanitizer only
};

/// What the operating system thread runs on, when that is no fiber; and what it runs on now, null for that.
inline thread_local SanitizedStack threadStack;
inline thread_local SanitizedStack *runningStack = nullptr;

/// Whoever resumes says where the one that it leaves is to be kept.
inline void keepLeft(Transfer from) {
  Context &left = *static_cast<Context *>(from.data);
  left.place = from.fctx;
  if constexpr (!SanitizedStack::kIsNothing)
    runningStack->arrive(*left.stack);
}

/// Leaves the running context for `to`; *left holds it until somebody switches back.
inline void switchContext(Context to, Context *left) {
  if constexpr (SanitizedStack::kIsNothing) {
    keepLeft(boost::context::detail::jump_fcontext(to.place, left));
  } else {
    SanitizedStack *mine = runningStack ? runningStack : &threadStack;
    left->stack = mine;
    runningStack = to.stack;
    to.stack->enter(*mine);
    keepLeft(boost::context::detail::jump_fcontext(to.place, left));
  }
}

struct Fiber {
  Stack stack;
  SanitizedStack sanitized;
  Context context; ///< where it waits for work
  bool isIdle = true;

  Fiber(std::size_t stackBytes, unsigned serial) : stack(stackBytes, serial) {}
};

/// The fibers of one operating system thread.
class FiberPool {
public:
  using Entry = void (*)(Transfer);

  explicit FiberPool(Entry entry) : entry(entry) {}

  /// An idle fiber, or null when there is no memory for another.
  Fiber *take() {
    if (idle.empty() && !grow())
      return nullptr;
    Fiber *fiber = idle.back();
    idle.pop_back();
    fiber->isIdle = false;
    return fiber;
  }

  void giveBack(Fiber &fiber) {
    fiber.isIdle = true;
    idle.push_back(&fiber);
  }

  /// Forgets what the busy fibers were doing: no destructor of theirs runs.
  void abandonBusy() {
    for (const auto &fiber : fibers)
      if (!fiber->isIdle) {
        prepare(*fiber);
        giveBack(*fiber);
      }
  }

  /// Idle fibers forget where they waited: they may go on in another operating system thread only from the beginning, for the
  /// addresses of thread-local variables are in their frames.
  void restartIdle() {
    for (Fiber *fiber : idle)
      prepare(*fiber);
  }

  /// Stacks of at least this size from now on. All fibers must be idle.
  void resizeStacks(std::size_t bytes) {
    if (bytes == stackBytes)
      return;
    stackBytes = bytes;
    idle.clear();
    fibers.clear();
  }

private:
  bool grow() {
    auto fiber = std::make_unique<Fiber>(stackBytes, static_cast<unsigned>(fibers.size()));
    if (!fiber->stack.top())
      return false;
    prepare(*fiber);
    idle.push_back(fiber.get());
    fibers.push_back(std::move(fiber));
    return true;
  }

  void prepare(Fiber &fiber) {
    fiber.sanitized.reset(fiber.stack.top(), fiber.stack.size());
    fiber.context = {boost::context::detail::make_fcontext(fiber.stack.top(), fiber.stack.size(), entry), &fiber.sanitized};
  }

  Entry entry;
  std::size_t stackBytes = 0;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber *> idle;
};

} // namespace kperf::host

#endif
