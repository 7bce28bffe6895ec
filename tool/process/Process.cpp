// Runs programs for kperf-cc, with errors as LLVM has them.
#include "tool/process/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace kperf::cc {
namespace {

// what the handler reads: only async-signal-safe types
char folderToRemove[PATH_MAX] = "";

void removeFolderAndEnd(int signal) {
  rmdir(folderToRemove);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

llvm::Error cannotRun(llvm::StringRef program, int error) {
  return llvm::createStringError(std::error_code(error, std::generic_category()), "cannot run '%s': %s", program.str().c_str(),
                                 std::strerror(error));
}

} // namespace

llvm::Expected<std::string> findProgram(llvm::StringRef name, llvm::ArrayRef<std::string> furtherFolders) {
  std::string path = process::findProgram(name.str(), furtherFolders.vec());
  if (!path.empty())
    return path;
  if (name.contains('/'))
    return llvm::createStringError("compiler '%s' is not a program that can be run", name.str().c_str());
  const char *remedy = name == "hipcc" ? ": install hipcc, or ROCm and put its bin folder on PATH" : "";
  return llvm::createStringError("compiler '%s' is not found on PATH%s", name.str().c_str(), remedy);
}

llvm::Expected<ProcessEnd> runProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments, bool isQuiet,
                                      process::LineChange errorLines) {
  using enum process::SpawnOptions::Stream;
  process::SpawnOptions options{.output = isQuiet ? Nowhere : Ours, .error = isQuiet ? Nowhere : Ours, .passesSignals = true};
  if (!isQuiet)
    options.errorLines = std::move(errorLines);
  auto end = process::spawn(program.str(), arguments.vec(), options);
  if (!end)
    return cannotRun(program, end.error());
  return std::move(*end);
}

std::string firstLineOf(llvm::StringRef program, llvm::ArrayRef<std::string> arguments) {
  using enum process::SpawnOptions::Stream;
  const auto end = process::spawn(program.str(), arguments.vec(), {.input = Nowhere, .output = Captured, .error = Nowhere});
  return end && end->ok() ? end->output.substr(0, end->output.find('\n')) : std::string();
}

llvm::Error becomeProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments) {
  return cannotRun(program, process::become(program.str(), arguments.vec()));
}

RemoveFolderOnSignal::RemoveFolderOnSignal(llvm::StringRef path) {
  if (path.size() < sizeof(folderToRemove)) {
    std::memcpy(folderToRemove, path.data(), path.size());
    folderToRemove[path.size()] = '\0';
  }
  process::catchEndingSignals(removeFolderAndEnd);
}

RemoveFolderOnSignal::~RemoveFolderOnSignal() {
  process::releaseEndingSignals();
  folderToRemove[0] = '\0';
}

std::string shellText(llvm::ArrayRef<std::string> arguments) {
  std::string line;
  for (llvm::StringRef argument : arguments) {
    const bool plain =
        !argument.empty() && llvm::all_of(argument, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_-+=./,:@%^").contains(c); });
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
