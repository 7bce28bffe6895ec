// The C ABI of the runtime library (module.h): what instrumented translation units call, passed on to the process's recorder.
#include "runtime/nvtx/NvtxAbi.h"
#include "runtime/recorder/Recorder.h"
#include "runtime/recorder/Rescue.h"

#include <cstdlib>

using kperf::runtime::Recorder;

namespace {

/// The runtime's own launches pass the program's hooks too: they are none of the program's.
thread_local bool isInside = false;

/// The calling thread is in the runtime.
class Inside {
public:
  Inside() { isInside = true; }
  ~Inside() { isInside = false; }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
};

void writeAtSignal(int signal) {
  const Inside inside;
  Recorder::instance().writeAtSignal(signal);
}

void finish() {
  kperf::runtime::rescue::end();
  const Inside inside;
  Recorder::instance().finish();
}

/// Set when the program ends: its exit handlers and static destructors run.
bool isExiting = false;

/// What was recorded so far is safe from now on, for an exit handler of the program may end it at once.
void beginExit() {
  isExiting = true;
  const Inside inside;
  Recorder::instance().flush();
}

/// When static objects of the program are gone, and what it gave to atexit() is done: either may have launched.
void finishAtLast() {
  const Inside inside;
  Recorder::instance().sayUnlaunched();
  if (Recorder::instance().recordsToTheEnd())
    finish();
  Recorder::instance().addLateLaunches();
}

} // namespace

extern "C" {

void kperf_module_register(kperf_module *module) {
  kperf::runtime::nvtx::offer();
  Recorder::instance().add(*module);
  // Earlier than static objects of the program are made, so this runs behind their destructors.
  [[maybe_unused]] static const int registered = std::atexit(finishAtLast);
}

void kperf_module_unregister(kperf_module *module) {
  if (isExiting && Recorder::instance().endsWith(*module))
    finish();
  const Inside inside;
  Recorder::instance().remove(*module);
}

int kperf_wants_launches(void) { return Recorder::instance().isWanted() ? 1 : 0; }

void kperf_before_launch(kperf_module *module, const kperf_launch *launch) {
  if (isInside)
    return;
  {
    const Inside inside;
    launch->runs_plain = Recorder::instance().beforeLaunch(*module, *launch) ? 0 : launch->has_plain;
  }
  // Only now have the vendor's own exit handlers been registered: this one runs before them. The host target has none.
  [[maybe_unused]] static const int registered = [] {
    if (Recorder::instance().isWanted())
      kperf::runtime::rescue::start(writeAtSignal);
    std::at_quick_exit(finish);
    return std::atexit(Recorder::instance().recordsToTheEnd() ? beginExit : finish);
  }();
}

void kperf_after_launch(kperf_module *module, const kperf_launch *launch) {
  if (!isInside)
    Recorder::instance().afterLaunch(*module, *launch);
}

void kperf_before_reset(kperf_module *module) {
  const Inside inside;
  Recorder::instance().beforeReset(*module);
}

int kperf_start(void) {
  const Inside inside;
  return Recorder::instance().record(true) ? 0 : -1;
}

int kperf_stop(void) {
  const Inside inside;
  return Recorder::instance().record(false) ? 0 : -1;
}

int kperf_flush(void) {
  const Inside inside;
  return Recorder::instance().flush() ? 0 : -1;
}
}
