// Finds the trace that a command reads when the user names none.
#include "tool/commands/NewestTrace.h"
#include "tool/process/Message.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace kperf::tool {

std::string newestTrace() {
  std::filesystem::path newest;
  std::filesystem::file_time_type newestTime;
  std::error_code code;
  for (const auto &entry : std::filesystem::directory_iterator(".", code)) {
    if (entry.path().extension() != ".kperf" || !entry.is_regular_file(code))
      continue;
    const auto time = entry.last_write_time(code);
    if (newest.empty() || time > newestTime || (time == newestTime && entry.path() < newest)) {
      newest = entry.path();
      newestTime = time;
    }
  }
  return newest.filename().string();
}

decoder::Error noTrace() {
  return {.message = "no trace given, and the current directory holds no *.kperf",
          .remedy = "run an instrumented program, or name the trace"};
}

decoder::Expected<std::string> traceOrNewest(const std::string &named) {
  if (!named.empty())
    return named;
  const std::string name = newestTrace();
  if (name.empty())
    return decoder::failure(noTrace());
  say(fmt::format("reading {}, the newest here", name));
  return name;
}

decoder::Expected<std::vector<std::string>> tracesOrNewest(const std::vector<std::string> &named) {
  if (!named.empty())
    return named;
  auto newest = traceOrNewest("");
  if (!newest)
    return decoder::failure(newest.error());
  return std::vector{*newest};
}

} // namespace kperf::tool
