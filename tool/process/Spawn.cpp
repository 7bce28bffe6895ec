// Finds, spawns and waits for programs.
#include "tool/process/Spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace kperf::process {
namespace {

/// Null-terminated, for exec; valid as long as the texts are.
std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> out;
  for (const std::string &text : texts)
    out.push_back(const_cast<char *>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// what the handler reads: only async-signal-safe types
volatile sig_atomic_t runningChild = 0, wasPassedOn = 0;
struct sigaction previousActions[std::size(kEndingSignals)];

void passOn(int signal) {
  wasPassedOn = 1;
  if (runningChild > 0)
    kill(static_cast<pid_t>(runningChild), signal);
}

/// Blocks the ending signals; `before` becomes the mask to return to.
void holdSignals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : kEndingSignals)
    sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, before);
}

/// What the program writes until it closes its end; `seconds` (0: no limit) after the start it is killed.
std::string readAll(int descriptor, pid_t program, unsigned seconds) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::seconds(seconds);
  std::string out;
  std::array<char, 4096> piece;
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now()).count();
    const int isReady = poll(&ready, 1, seconds == 0 ? -1 : static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (isReady == 0) {
      kill(program, SIGKILL);
      return out;
    }
    if (isReady < 0 && errno == EINTR)
      continue;
    const ssize_t bytes = read(descriptor, piece.data(), piece.size());
    if (bytes > 0)
      out.append(piece.data(), static_cast<std::size_t>(bytes));
    else if (bytes == 0 || errno != EINTR)
      return out;
  }
}

/// What the program gets as its standard streams, where that is no negative number.
struct Descriptors {
  int output, error;
};

/// The error's number, or 0.
int start(const std::string &program, const std::vector<std::string> &arguments, const SpawnOptions &options, Descriptors streams,
          pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.output >= 0)
    posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  if (streams.error >= 0)
    posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO);
  using enum SpawnOptions::Stream;
  if (options.input == Nowhere)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const auto &[stream, number] : {std::pair(options.output, STDOUT_FILENO), std::pair(options.error, STDERR_FILENO)})
    if (stream == Nowhere)
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0);
  if (options.error == WithOutput)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // a signal between the child's start and the handler's knowing of it would not be passed on
  sigset_t before;
  if (options.passesSignals)
    holdSignals(&before);
  else
    sigprocmask(SIG_SETMASK, nullptr, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &before);
  const std::vector<char *> words = pointersTo(arguments);
  const std::vector<char *> variables = options.environment ? pointersTo(*options.environment) : std::vector<char *>();
  const int error =
      posix_spawn(&child, program.c_str(), &actions, &attributes, words.data(), variables.empty() ? environ : variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (options.passesSignals)
    runningChild = error ? 0 : child;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return error;
}

int statusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

ProcessEnd endWith(int status) {
  ProcessEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  return end;
}

bool isThisProgram(const std::string &path) {
  struct stat candidate{}, self{};
  return stat(path.c_str(), &candidate) == 0 && stat("/proc/self/exe", &self) == 0 && candidate.st_dev == self.st_dev &&
         candidate.st_ino == self.st_ino;
}

bool canRun(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0 && !isThisProgram(path);
}

} // namespace

int become(const std::string &program, const std::vector<std::string> &arguments) {
  execv(program.c_str(), pointersTo(arguments).data());
  return errno;
}

void catchEndingSignals(void (*handler)(int)) {
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(kEndingSignals[i], nullptr, &previousActions[i]);
    if (previousActions[i].sa_handler != SIG_IGN) // nohup keeps its effect
      sigaction(kEndingSignals[i], &action, nullptr);
  }
}

void releaseEndingSignals() {
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i)
    sigaction(kEndingSignals[i], &previousActions[i], nullptr);
}

std::expected<ProcessEnd, int> spawn(const std::string &program, const std::vector<std::string> &arguments, const SpawnOptions &options) {
  int ends[2] = {-1, -1};
  if (options.output == SpawnOptions::Stream::Captured && pipe2(ends, O_CLOEXEC) != 0)
    return std::unexpected(errno);
  wasPassedOn = 0;
  if (options.passesSignals)
    catchEndingSignals(passOn);
  std::optional<LineRelay> relay;
  if (options.errorLines)
    relay.emplace(options.errorLines);
  const bool isRelayed = relay && relay->isOpen();
  pid_t child = 0;
  const int error = start(program, arguments, options, {ends[1], isRelayed ? relay->programsEnd() : -1}, child);
  std::string output;
  if (ends[0] >= 0) {
    close(ends[1]);
    if (!error)
      output = readAll(ends[0], child, options.outputSeconds);
    close(ends[0]);
  }
  ProcessEnd end;
  if (!error)
    end = endWith(isRelayed ? relay->relay(child) : statusOf(child));
  if (options.passesSignals) {
    runningChild = 0;
    releaseEndingSignals();
    end.wasInterrupted = wasPassedOn != 0;
  }
  end.output = std::move(output);
  if (error)
    return std::unexpected(error);
  return end;
}

std::string findProgram(const std::string &name, const std::vector<std::string> &furtherFolders) {
  if (name.contains('/'))
    return canRun(name) ? name : std::string();
  std::vector<std::string> folders;
  const char *path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty())
      folders.emplace_back(folder);
  }
  folders.insert(folders.end(), furtherFolders.begin(), furtherFolders.end());
  for (const std::string &folder : folders)
    if (const std::string candidate = folder + (folder.ends_with('/') ? "" : "/") + name; canRun(candidate))
      return candidate;
  return {};
}

} // namespace kperf::process
