// Writes the trace when a signal is about to end the process.
#ifndef KPERF_RUNTIME_RESCUE_H
#define KPERF_RUNTIME_RESCUE_H

namespace kperf::runtime::rescue {

/// Calls `write` when one of the signals that end a process comes for which the program has nothing set, on a thread that waits for that
/// and takes no signals. The process ends by the signal behind it, after 5 s at the latest where a fault left a lock behind that `write`
/// needs, and at once when it is asked to end a second time. Where there can be no thread, signals are left as they are. To be called once.
void start(void (*write)(int signal));

/// Signals are as they were before start(). Waits where `write` is under way; the process does not outlive that.
void end();

} // namespace kperf::runtime::rescue

#endif
