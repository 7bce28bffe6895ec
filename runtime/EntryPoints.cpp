// The C ABI of the runtime library (module.h): what instrumented translation units call, passed on to the process's recorder.
#include "Recorder.h"

#include <cstdlib>

extern "C" {

void kperf_module_register(kperf_module *module) { kperf::runtime::Recorder::instance().add(*module); }

void kperf_module_unregister(kperf_module *module) { kperf::runtime::Recorder::instance().remove(*module); }

/// The calibration kernel's own launch comes here too.
static thread_local bool isInside = false;

void kperf_before_launch(kperf_module *module, const kperf_launch *launch) {
  if (isInside)
    return;
  isInside = true;
  kperf::runtime::Recorder::instance().beforeLaunch(*module, *launch);
  isInside = false;
  // Only now have the vendor's own exit handlers been registered: this one runs before them.
  [[maybe_unused]] static const int registered = std::atexit([] { kperf::runtime::Recorder::instance().finish(); });
}

void kperf_after_launch(kperf_module *module, const kperf_launch *launch) {
  if (!isInside)
    kperf::runtime::Recorder::instance().afterLaunch(*module, *launch);
}

void kperf_before_reset(kperf_module *module) { kperf::runtime::Recorder::instance().beforeReset(*module); }

int kperf_flush(void) { return kperf::runtime::Recorder::instance().flush() ? 0 : -1; }
}
