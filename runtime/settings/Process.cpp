// Reads the process's description from the system.
#include "runtime/settings/Process.h"

#include <fstream>
#include <unistd.h>

namespace kperf::runtime {

Process Process::current() {
  Process process;
  process.id = static_cast<std::uint64_t>(getpid());
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  process.host = host;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  for (std::string argument; std::getline(in, argument, '\0');) {
    if (process.commandLine.empty())
      process.executable = argument;
    process.commandLine += (process.commandLine.empty() ? "" : " ") + argument;
  }
  if (process.executable.empty())
    process.executable = process.commandLine = "program";
  return process;
}

} // namespace kperf::runtime
