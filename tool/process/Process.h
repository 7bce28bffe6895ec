// Runs programs for kperf-cc, and lets signals end them and us in order.
#ifndef KPERF_TOOL_PROCESS_PROCESS_H
#define KPERF_TOOL_PROCESS_PROCESS_H

#include "tool/process/Spawn.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf::cc {

using process::ProcessEnd;

/// The program's path: `name` itself when it holds a slash, else the first match on PATH, else in the given folders.
/// Never this very executable. Fails when there is none.
llvm::Expected<std::string> findProgram(llvm::StringRef name, llvm::ArrayRef<std::string> furtherFolders = {});

/// Runs a program to its end with this process's standard streams; `arguments` begins with its name. While it runs,
/// SIGINT, SIGTERM and SIGHUP are passed on to it and do not end this process.
/// `isQuiet`: nothing of what it says is shown; else `errorLines` changes what it says of errors.
llvm::Expected<ProcessEnd> runProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments, bool isQuiet = false,
                                      process::LineChange errorLines = {});

/// The same, with the first line of its standard output as the result; empty when it fails.
std::string firstLineOf(llvm::StringRef program, llvm::ArrayRef<std::string> arguments);

/// Becomes the program; returns only when that fails.
llvm::Error becomeProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments);

/// While this lives, SIGINT, SIGTERM and SIGHUP remove the empty folder `path` before they end the process.
class RemoveFolderOnSignal {
public:
  explicit RemoveFolderOnSignal(llvm::StringRef path);
  ~RemoveFolderOnSignal();
  RemoveFolderOnSignal(const RemoveFolderOnSignal &) = delete;
  RemoveFolderOnSignal &operator=(const RemoveFolderOnSignal &) = delete;
};

/// The arguments as one line that a shell would read back, for people.
std::string shellText(llvm::ArrayRef<std::string> arguments);

} // namespace kperf::cc

#endif
