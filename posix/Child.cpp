// Fills in what posix_spawn() is told.
#include "posix/Child.h"

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kperf::posix {
namespace {

void setStream(posix_spawn_file_actions_t &actions, int stream, int number) {
  if (stream == kNoStream)
    posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
  else if (stream != kOurStream)
    posix_spawn_file_actions_adddup2(&actions, stream, number);
}

} // namespace

std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> out;
  for (const std::string &text : texts)
    out.push_back(const_cast<char *>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

std::expected<pid_t, int> startChild(const std::string &program, const std::vector<std::string> &arguments, const ChildSetup &setup) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (setup.folder)
    posix_spawn_file_actions_addchdir_np(&actions, setup.folder);
  setStream(actions, setup.input, STDIN_FILENO);
  setStream(actions, setup.output, STDOUT_FILENO);
  setStream(actions, setup.error, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (setup.blockedSignals) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, setup.blockedSignals);
  }
  std::vector<char *> variables;
  if (setup.environment)
    variables = pointersTo(*setup.environment);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, pointersTo(arguments).data(),
                                setup.environment ? variables.data() : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    return std::unexpected(error);
  return child;
}

int waitForChild(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

} // namespace kperf::posix
