// Runs tasks in processes of their own, several at a time, so that a crash ends one task only.
#ifndef KPERF_TOOL_BATCH_WORKERS_H
#define KPERF_TOOL_BATCH_WORKERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>

namespace kperf::batch {

/// How a task ended.
struct TaskEnd {
  std::size_t task = 0;
  int signal = 0;         ///< that killed its process; 0: none
  double seconds = 0;     ///< wall time
  long peakKilobytes = 0; ///< of resident memory
};

/// What one task does in its process; its stdout and stderr go to `log`.
struct Task {
  std::size_t number = 0;
  std::string log; ///< path of a file
};

/// Forks a process for each task, at most `atOnce` at a time, in order; `work` runs in it and `done` in this process, in
/// the order in which tasks end. This process must have one thread only. A task's process dies with this one. Fails when
/// no process can be made.
llvm::Error runTasks(llvm::ArrayRef<Task> tasks, unsigned atOnce, llvm::function_ref<void(std::size_t)> work,
                     llvm::function_ref<void(const TaskEnd &)> done);

} // namespace kperf::batch

#endif
