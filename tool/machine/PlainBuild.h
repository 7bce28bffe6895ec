// Has the user's compiler make device code of a source without probes, while kperf does something else.
#ifndef KPERF_TOOL_MACHINE_PLAINBUILD_H
#define KPERF_TOOL_MACHINE_PLAINBUILD_H

#include "rewriters/command/CommandLine.h"
#include "rewriters/machine/MachineCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kperf::machine {

/// `words`, which stand for the arguments of nvcc's command, without inputs, and without what says what is made and what is written
/// besides; with or without the architectures.
std::vector<std::string> optionsOf(const CompileCommand &command, llvm::ArrayRef<std::string> words, bool keepsArchitectures);

/// The arguments, without the compiler itself, by which nvcc makes a cubin of one input of a command, for the architecture by which the
/// source is read, with line numbers; empty where that can't be: for another compiler, and where the command makes no machine code, or
/// such of which nothing is known (debug builds, link-time optimisation). What it makes, with its PTX, goes to `folder`.
std::vector<std::string> cubinArguments(const CompileCommand &command, const Input &input, llvm::StringRef folder);

/// The PTX, with line numbers, that a PlainBuild of the input made in that folder; empty unless it came to its end.
std::string plainPtx(const Input &input, llvm::StringRef workFolder);

/// One run of nvcc beside this process. It says nothing, and whatever becomes of it stops nobody.
class PlainBuild {
public:
  /// Starts, if the command has a cubin. `compiler` is a path; `workFolder` gets a folder for what nvcc makes. `isShown`: the command is
  /// printed.
  PlainBuild(const CompileCommand &command, const Input &input, llvm::StringRef compiler, llvm::StringRef workFolder, bool isShown);
  PlainBuild(const PlainBuild &) = delete;
  PlainBuild &operator=(const PlainBuild &) = delete;
  /// Ends the compiler where nobody waited for it.
  ~PlainBuild();

  /// Waits for the compiler. Without an architecture where there was none, it failed, or what it made can't be read: why() says which.
  MachineCode wait();
  const std::string &why() const { return reason; }

private:
  std::string architecture, folder, ptx, reason;
  std::optional<pid_t> child; ///< the compiler, until somebody waited for it
};

} // namespace kperf::machine

#endif
