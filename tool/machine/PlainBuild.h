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

/// The PTX, with line numbers, that a PlainBuild of the input made in that folder; empty unless it came to its end.
std::string plainPtx(const Input &input, llvm::StringRef workFolder);

/// One run of nvcc beside this process. It says nothing, and whatever becomes of it stops nobody.
class PlainBuild {
public:
  /// Starts, if the command, which is nvcc's, makes optimised machine code of the input. `compiler` is a path; `further` are options that
  /// every source is compiled with besides; `workFolder` gets a folder for what nvcc makes. `isShown`: the command is printed.
  PlainBuild(const CompileCommand &command, const Input &input, llvm::StringRef compiler, llvm::ArrayRef<std::string> further,
             llvm::StringRef workFolder, bool isShown);
  PlainBuild(const PlainBuild &) = delete;
  PlainBuild &operator=(const PlainBuild &) = delete;
  /// Ends the compiler where nobody waited for it.
  ~PlainBuild();

  /// Waits for the compiler. Without an architecture where there was none, it failed, or what it made can't be read: why() says which.
  MachineCode wait();
  /// Why there is no machine code; empty where there is, or nobody asked for it.
  std::string why() const { return isAsked ? reason : std::string(); }

private:
  std::string architecture, folder, ptx, reason;
  std::optional<pid_t> child; ///< the compiler, until somebody waited for it
  bool isAsked = false;
};

} // namespace kperf::machine

#endif
