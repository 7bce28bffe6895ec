// Compares traces by file, and by process and time.
#include "tool/commands/RepeatedTraces.h"

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <sys/stat.h>
#include <tuple>
#include <utility>

namespace kperf::tool {

std::vector<std::string> repeatedTraces(std::span<const decoder::Trace> traces) {
  std::map<std::pair<dev_t, ino_t>, std::string> files;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, std::string> runs; ///< by time, process and host
  std::vector<std::string> out;
  for (const decoder::Trace &trace : traces) {
    const std::string name(trace.name());
    struct stat file{};
    if (stat(name.c_str(), &file) == 0 && S_ISREG(file.st_mode)) {
      if (const auto [known, isNew] = files.try_emplace({file.st_dev, file.st_ino}, name); !isNew) {
        out.push_back(fmt::format("{} is given twice{}: what it holds is added up twice; name it once", name,
                                  known->second == name ? "" : ", as " + known->second + " too"));
        continue;
      }
    }
    const auto &program = trace.program();
    if (!program || trace.header().createdUnixNs == 0)
      continue;
    const auto [known, isNew] =
        runs.try_emplace({trace.header().createdUnixNs, program->processId, std::string(trace.string(program->hostName))}, name);
    if (!isNew)
      out.push_back(fmt::format("{} is of the same run as {}: what both hold is added up twice; name one of them", name, known->second));
  }
  return out;
}

} // namespace kperf::tool
