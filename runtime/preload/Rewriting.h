// Has kperf-cc put probes into a source that a program hands to NVRTC.
#ifndef KPERF_RUNTIME_PRELOAD_REWRITING_H
#define KPERF_RUNTIME_PRELOAD_REWRITING_H

#include "posix/TemporaryFolder.h"

#include <memory>
#include <string>
#include <vector>

namespace kperf::preload {

/// What a program gives NVRTC.
struct Program {
  std::string name, source;
  std::vector<std::string> headers, includeNames;
};

/// The source with probes, and what NVRTC is to be told besides. Files that it includes go with this.
class RewrittenProgram {
public:
  /// Null where there is nothing to record, or it can't be instrumented, which was said then. `options`: NVRTC's.
  static std::unique_ptr<RewrittenProgram> make(const Program &program, const std::vector<std::string> &options);
  RewrittenProgram(const RewrittenProgram &) = delete;
  RewrittenProgram &operator=(const RewrittenProgram &) = delete;

  std::string source;
  std::vector<std::string> options; ///< all of them

private:
  explicit RewrittenProgram(posix::TemporaryFolder folder) : folder(std::move(folder)) {}
  bool rewrite(const Program &program, const std::vector<std::string> &given);

  posix::TemporaryFolder folder;
};

} // namespace kperf::preload

#endif
