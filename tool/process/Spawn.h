// Runs another program to its end: captures or changes what it writes, and passes signals on to it.
#ifndef KPERF_TOOL_SPAWN_H
#define KPERF_TOOL_SPAWN_H

#include "tool/process/LineRelay.h"

#include <expected>
#include <string>
#include <vector>

namespace kperf::process {

/// How a program ended: with an exit code, or by a signal.
struct ProcessEnd {
  int exitCode = 0;
  int signal = 0;
  bool wasInterrupted = false; ///< a signal was passed on to it
  std::string output;          ///< what it wrote to standard output, where that is captured
  bool ok() const { return exitCode == 0 && signal == 0; }
};

struct SpawnOptions {
  enum class Stream { Ours, Nowhere, Captured, WithOutput };
  Stream input = Stream::Ours;  ///< or Nowhere
  Stream output = Stream::Ours; ///< not WithOutput
  Stream error = Stream::Ours;  ///< not Captured; WithOutput: wherever the output goes
  unsigned outputSeconds = 0;   ///< a captured program whose output has not ended after so many is killed; 0: no limit
  LineChange errorLines;        ///< where there is one, our standard error gets what it makes of each line
  /// SIGINT, SIGTERM and SIGHUP are passed on to the program while it runs, and do not end this process.
  bool passesSignals = false;
  const std::vector<std::string> *environment = nullptr; ///< the program's, whole; null: ours
};

/// `program`: its path. `arguments` begins with its name. Fails with the number of the system's error.
std::expected<ProcessEnd, int> spawn(const std::string &program, const std::vector<std::string> &arguments,
                                     const SpawnOptions &options = {});

/// Becomes the program; returns only when that fails, with the number of the system's error.
int become(const std::string &program, const std::vector<std::string> &arguments);

/// The first program of that name on PATH, or in one of the further folders; a name with a slash is its own path. Empty without one,
/// and never this very executable: a compiler of that name would call itself for ever.
std::string findProgram(const std::string &name, const std::vector<std::string> &furtherFolders = {});

/// Another handler of the signals that end a process, but of those that are ignored, such as under nohup; and the ones before.
void catchEndingSignals(void (*handler)(int));
void releaseEndingSignals();

} // namespace kperf::process

#endif
