// Starts another program, by argument vector and never through a shell, and waits for it: the one place that does.
#ifndef KPERF_POSIX_CHILD_H
#define KPERF_POSIX_CHILD_H

#include <csignal>
#include <expected>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kperf::posix {

/// In place of a descriptor: the stream that we have, and /dev/null.
inline constexpr int kOurStream = -1, kNoStream = -2;

/// What a program starts with. Nothing of the starting process is changed: not its handlers, nor its mask of signals.
struct ChildSetup {
  int input = kOurStream;                                ///< or kNoStream
  int output = kOurStream;                               ///< a descriptor of ours, or one of the two above
  int error = kOurStream;                                ///< likewise; STDOUT_FILENO is what the program has as such
  const char *folder = nullptr;                          ///< that it runs in; null: ours
  const std::vector<std::string> *environment = nullptr; ///< whole; null: ours
  const sigset_t *blockedSignals = nullptr;              ///< null: those of this thread
};

/// `program`: its path. `arguments` begins with its name. Fails with the number of the system's error.
std::expected<pid_t, int> startChild(const std::string &program, const std::vector<std::string> &arguments, const ChildSetup &setup);

/// waitpid()'s status once it has ended; 0, as of success, where somebody else in this process waited for it.
int waitForChild(pid_t child);

/// Null-terminated, for exec; valid as long as the texts are.
std::vector<char *> pointersTo(const std::vector<std::string> &texts);

} // namespace kperf::posix

#endif
