// Finds, spawns and waits for programs.
#include "tool/process/Spawn.h"

#include "posix/Child.h"

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
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kperf::process {
namespace {

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

/// What is opened for the program's standard streams; negative: nothing.
struct Descriptors {
  int output, error;
};

int streamOf(SpawnOptions::Stream stream, int opened) {
  using enum SpawnOptions::Stream;
  return stream == Nowhere ? posix::kNoStream : stream == WithOutput ? STDOUT_FILENO : opened >= 0 ? opened : posix::kOurStream;
}

std::expected<pid_t, int> start(const std::string &program, const std::vector<std::string> &arguments, const SpawnOptions &options,
                                Descriptors opened) {
  // a signal between the child's start and the handler's knowing of it would not be passed on
  sigset_t before;
  if (options.passesSignals)
    holdSignals(&before);
  const auto child = posix::startChild(program, arguments,
                                       {.input = streamOf(options.input, -1),
                                        .output = streamOf(options.output, opened.output),
                                        .error = streamOf(options.error, opened.error),
                                        .environment = options.environment,
                                        .blockedSignals = options.passesSignals ? &before : nullptr});
  if (options.passesSignals) {
    runningChild = child.value_or(0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
  }
  return child;
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
  execv(program.c_str(), posix::pointersTo(arguments).data());
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
  const auto child = start(program, arguments, options, {ends[1], isRelayed ? relay->programsEnd() : -1});
  std::string output;
  if (ends[0] >= 0) {
    close(ends[1]);
    if (child)
      output = readAll(ends[0], *child, options.outputSeconds);
    close(ends[0]);
  }
  ProcessEnd end;
  if (child)
    end = endWith(isRelayed ? relay->relay(*child) : posix::waitForChild(*child));
  if (options.passesSignals) {
    runningChild = 0;
    releaseEndingSignals();
    end.wasInterrupted = wasPassedOn != 0;
  }
  end.output = std::move(output);
  if (!child)
    return std::unexpected(child.error());
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
