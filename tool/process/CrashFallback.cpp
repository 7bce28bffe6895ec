// A signal handler on a stack of its own that calls only write and execv.
#include "tool/process/CrashFallback.h"

#include <csignal>
#include <iterator>
#include <unistd.h>

namespace kperf::cc {
namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t kStackBytes = 64 * 1024;

// what the handler reads
const char *messageText = nullptr;
std::size_t messageSize = 0;
char *const *argumentVector = nullptr;
alignas(16) char handlerStack[kStackBytes];

stack_t previousStack;
struct sigaction previousActions[std::size(kFaults)];

void compileAsGiven(int signal) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, nullptr); // the program inherits the mask
  if (write(STDERR_FILENO, messageText, messageSize) >= 0)
    execv(argumentVector[0], argumentVector);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

} // namespace

CrashFallback::CrashFallback(std::string text, std::vector<std::string> words) : message(std::move(text)), command(std::move(words)) {
  for (std::string &word : command)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  messageText = message.data();
  messageSize = message.size();
  argumentVector = pointers.data();
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, &previousStack);
  for (std::size_t i = 0; i < std::size(kFaults); ++i) {
    struct sigaction action = {};
    action.sa_handler = compileAsGiven;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;
    sigaction(kFaults[i], &action, &previousActions[i]);
  }
}

CrashFallback::~CrashFallback() {
  for (std::size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &previousActions[i], nullptr);
  sigaltstack(&previousStack, nullptr);
}

} // namespace kperf::cc
