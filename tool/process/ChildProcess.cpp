// Runs programs for the commands of kperf, with errors as the decoder has them.
#include "tool/process/ChildProcess.h"
#include "tool/process/Spawn.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

extern char **environ;

namespace kperf::tool {

decoder::Expected<ChildEnd> runChild(const std::vector<std::string> &arguments, const std::vector<std::string> &environment, bool capture) {
  using enum process::SpawnOptions::Stream;
  const std::string &name = arguments.front();
  const std::string path = name.contains('/') ? name : process::findProgram(name);
  std::expected<process::ProcessEnd, int> end = std::unexpected(ENOENT);
  if (!path.empty())
    end = process::spawn(path, arguments, {.output = capture ? Captured : Ours, .environment = &environment});
  if (!end)
    return decoder::failure({.message = fmt::format("cannot run {}: {}", name, std::strerror(end.error()))});
  return ChildEnd{end->signal ? 128 + end->signal : end->exitCode, std::move(end->output)};
}

std::vector<std::string> environmentWithoutKperf() {
  std::vector<std::string> out;
  for (char **entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("KPERF"))
      out.emplace_back(*entry);
  return out;
}

bool isOnPath(const std::string &name) { return !process::findProgram(name).empty(); }

} // namespace kperf::tool
