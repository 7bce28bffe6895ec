// Handles the signal on a stack of its own, calling only write and execv, or returns to whoever expected Clang to crash.
#include "tool/process/CrashFallback.h"

#include "llvm/Support/CrashRecoveryContext.h"

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

void compileAsGiven(int signal);

void handle(int signal) {
  struct sigaction action = {};
  action.sa_handler = compileAsGiven;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigaction(signal, &action, nullptr);
}

/// Where the calling thread is prepared for a crash it goes back there, and does not return.
void recoverWherePrepared(int signal) {
  llvm::CrashRecoveryContext *context = llvm::CrashRecoveryContext::GetCurrent();
  if (!context)
    return;
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  sigprocmask(SIG_UNBLOCK, &own, nullptr);
  handle(signal); // the next one too
  context->HandleExit(signal);
}

void compileAsGiven(int signal) {
  recoverWherePrepared(signal);
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
    sigaction(kFaults[i], nullptr, &previousActions[i]);
    handle(kFaults[i]);
  }
}

CrashFallback::~CrashFallback() {
  for (std::size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &previousActions[i], nullptr);
  sigaltstack(&previousStack, nullptr);
}

} // namespace kperf::cc
