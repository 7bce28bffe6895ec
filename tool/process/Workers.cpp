// Runs each task in a forked process that shares nothing with the others.
#include "tool/process/Workers.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kperf::batch {
namespace {

using Clock = std::chrono::steady_clock;

struct Running {
  std::size_t task;
  Clock::time_point start;
};

[[noreturn]] void runInChild(const Task &task, pid_t parent, llvm::function_ref<void(std::size_t)> work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it was gone before the line above
    _exit(1);
  const int log = open(task.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (log >= 0) {
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
  }
  // a fault is the parent's to report, in one line: no stack trace of LLVM's
  for (int fault : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE})
    std::signal(fault, SIG_DFL);
  const rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  work(task.number);
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(0);
}

} // namespace

llvm::Error runTasks(llvm::ArrayRef<Task> tasks, unsigned atOnce, llvm::function_ref<void(std::size_t)> work,
                     llvm::function_ref<void(const TaskEnd &)> done) {
  std::map<pid_t, Running> running;
  std::size_t next = 0;
  const pid_t self = getpid();
  while (next < tasks.size() || !running.empty()) {
    if (next < tasks.size() && running.size() < atOnce) {
      llvm::outs().flush();
      llvm::errs().flush();
      const Task &task = tasks[next];
      const pid_t child = fork();
      if (child == 0)
        runInChild(task, self, work);
      if (child > 0) {
        running[child] = {task.number, Clock::now()};
        ++next;
        continue;
      }
      if (running.empty())
        return llvm::createStringError("cannot make a process: %s", std::strerror(errno));
    }
    int status = 0;
    rusage usage = {};
    const pid_t ended = wait4(-1, &status, 0, &usage);
    if (ended < 0 && errno == EINTR)
      continue;
    if (ended < 0)
      return llvm::createStringError("cannot wait for a process: %s", std::strerror(errno));
    auto entry = running.find(ended);
    if (entry == running.end())
      continue;
    const std::chrono::duration<double> elapsed = Clock::now() - entry->second.start;
    const TaskEnd end = {entry->second.task, WIFSIGNALED(status) ? WTERMSIG(status) : 0, elapsed.count(), usage.ru_maxrss};
    running.erase(entry);
    done(end);
  }
  return llvm::Error::success();
}

} // namespace kperf::batch
