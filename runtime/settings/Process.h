// The trace's description of the recorded process.
#ifndef KPERF_RUNTIME_PROCESS_H
#define KPERF_RUNTIME_PROCESS_H

#include <cstdint>
#include <string>

namespace kperf::runtime {

struct Process {
  std::string executable;  ///< as it was called
  std::string commandLine; ///< for people
  std::string host;
  std::uint64_t id;

  static Process current();
};

} // namespace kperf::runtime

#endif
