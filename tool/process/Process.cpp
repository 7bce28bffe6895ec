// Finds, spawns and waits for programs.
#include "tool/process/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kperf::cc {
namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// what the handlers read: only async-signal-safe types
volatile sig_atomic_t runningChild = 0, wasPassedOn = 0;
char folderToRemove[PATH_MAX] = "";
struct sigaction previousActions[std::size(kEndingSignals)];

void passOn(int signal) {
  wasPassedOn = 1;
  if (runningChild > 0)
    kill(static_cast<pid_t>(runningChild), signal);
}

void removeFolderAndEnd(int signal) {
  rmdir(folderToRemove);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void catchSignals(void (*handler)(int)) {
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(kEndingSignals[i], nullptr, &previousActions[i]);
    if (previousActions[i].sa_handler != SIG_IGN) // nohup keeps its effect
      sigaction(kEndingSignals[i], &action, nullptr);
  }
}

void releaseSignals() {
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i)
    sigaction(kEndingSignals[i], &previousActions[i], nullptr);
}

/// Blocks the ending signals; `before` becomes the mask to return to.
void holdSignals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : kEndingSignals)
    sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, before);
}

std::vector<char *> vectorOf(llvm::ArrayRef<std::string> arguments) {
  std::vector<char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(const_cast<char *>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

llvm::Error cannotRun(llvm::StringRef program, int error) {
  return llvm::createStringError(std::error_code(error, std::generic_category()), "cannot run '%s': %s",
                                 program.str().c_str(), std::strerror(error));
}

/// Whether a path leads to this very program: a compiler of that name would call itself for ever.
bool isThisProgram(llvm::StringRef path) {
  llvm::sys::fs::UniqueID candidate, self;
  return !llvm::sys::fs::getUniqueID(path, candidate) && !llvm::sys::fs::getUniqueID("/proc/self/exe", self) &&
         candidate == self;
}

} // namespace

llvm::Expected<std::string> findProgram(llvm::StringRef name, llvm::ArrayRef<std::string> furtherFolders) {
  if (name.contains('/')) {
    if (llvm::sys::fs::can_execute(name) && !isThisProgram(name))
      return name.str();
    return llvm::createStringError("compiler '%s' is not a program that can be run", name.str().c_str());
  }
  const char *path = std::getenv("PATH");
  llvm::SmallVector<llvm::StringRef, 16> folders;
  llvm::StringRef(path ? path : "").split(folders, ':', -1, /*KeepEmpty=*/false);
  llvm::append_range(folders, furtherFolders);
  for (llvm::StringRef folder : folders) {
    llvm::SmallString<256> candidate(folder);
    llvm::sys::path::append(candidate, name);
    if (llvm::sys::fs::can_execute(candidate) && !isThisProgram(candidate))
      return candidate.str().str();
  }
  const char *remedy = name == "hipcc" ? ": install hipcc, or ROCm and put its bin folder on PATH" : "";
  return llvm::createStringError("compiler '%s' is not found on PATH%s", name.str().c_str(), remedy);
}

llvm::Expected<ProcessEnd> runProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments, bool isQuiet,
                                      const std::string &errors) {
  std::vector<char *> pointers = vectorOf(arguments);
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (isQuiet)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  if (!errors.empty())
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  wasPassedOn = 0;
  catchSignals(passOn);
  // a signal between the child's start and the handler's knowing of it would not be passed on
  sigset_t before;
  holdSignals(&before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &before);
  const int error = posix_spawn(&child, program.str().c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  runningChild = error ? 0 : child;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (error) {
    releaseSignals();
    return cannotRun(program, error);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  runningChild = 0;
  releaseSignals();
  ProcessEnd end;
  end.wasInterrupted = wasPassedOn != 0;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  return end;
}

std::string firstLineOf(llvm::StringRef program, llvm::ArrayRef<std::string> arguments) {
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("kperf-cc", "txt", output))
    return {};
  llvm::FileRemover remover(output);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output.str(), llvm::StringRef()};
  llvm::SmallVector<llvm::StringRef, 8> references(arguments.begin(), arguments.end());
  if (llvm::sys::ExecuteAndWait(program, references, std::nullopt, redirects) != 0)
    return {};
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().split('\n').first.str() : std::string();
}

llvm::Error becomeProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments) {
  std::vector<char *> pointers = vectorOf(arguments);
  execv(program.str().c_str(), pointers.data());
  return cannotRun(program, errno);
}

RemoveFolderOnSignal::RemoveFolderOnSignal(llvm::StringRef path) {
  if (path.size() < sizeof(folderToRemove)) {
    std::memcpy(folderToRemove, path.data(), path.size());
    folderToRemove[path.size()] = '\0';
  }
  catchSignals(removeFolderAndEnd);
}

RemoveFolderOnSignal::~RemoveFolderOnSignal() {
  releaseSignals();
  folderToRemove[0] = '\0';
}

std::string shellText(llvm::ArrayRef<std::string> arguments) {
  std::string line;
  for (llvm::StringRef argument : arguments) {
    const bool plain = !argument.empty() && llvm::all_of(argument, [](char c) {
      return llvm::isAlnum(c) || llvm::StringRef("_-+=./,:@%^").contains(c);
    });
    line += line.empty() ? "" : " ";
    if (plain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument)
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

} // namespace kperf::cc
