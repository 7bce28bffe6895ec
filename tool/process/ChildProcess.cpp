// Runs another program to its end.
#include "tool/process/ChildProcess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kperf::tool {
namespace {

std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> out;
  for (const std::string &text : texts)
    out.push_back(const_cast<char *>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

decoder::Error cannotRun(const std::string &program, int number) {
  return {.message = fmt::format("cannot run {}: {}", program, std::strerror(number))};
}

std::string readAll(int descriptor) {
  std::string out;
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t bytes = read(descriptor, piece.data(), piece.size());
    if (bytes > 0)
      out.append(piece.data(), static_cast<std::size_t>(bytes));
    else if (bytes == 0 || errno != EINTR)
      return out;
  }
}

} // namespace

decoder::Expected<ChildEnd> runChild(const std::vector<std::string> &arguments,
                                     const std::vector<std::string> &environment, bool capture) {
  int ends[2] = {-1, -1};
  if (capture && pipe2(ends, O_CLOEXEC) != 0)
    return decoder::failure(cannotRun(arguments.front(), errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (capture)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments.front().c_str(), &actions, nullptr, pointersTo(arguments).data(),
                                  pointersTo(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  ChildEnd out;
  if (capture) {
    close(ends[1]);
    if (failed == 0)
      out.output = readAll(ends[0]);
    close(ends[0]);
  }
  if (failed != 0)
    return decoder::failure(cannotRun(arguments.front(), failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  out.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return out;
}

std::vector<std::string> environmentWithoutKperf() {
  std::vector<std::string> out;
  for (char **entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("KPERF"))
      out.emplace_back(*entry);
  return out;
}

bool isOnPath(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0)
      return true;
  }
  return false;
}

} // namespace kperf::tool
