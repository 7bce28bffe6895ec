// One run of the vendor's compiler on copies of its sources, and what is run instead where it refuses them.
#ifndef KPERF_TOOL_CC_INSTRUMENTED_RUN_H
#define KPERF_TOOL_CC_INSTRUMENTED_RUN_H

#include "tool/cc/Instrument.h"
#include "tool/cc/Options.h"
#include "tool/plain/PlainCopies.h"
#include "tool/process/Process.h"

#include "rewriters/command/CommandLine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::cc {

class InstrumentedRun {
public:
  /// `words`: the compiler and what it is given for the sources without probes, of which the command's own arguments begin at `first`.
  InstrumentedRun(const Options &options, const CompileCommand &command, std::vector<std::string> words, std::size_t first,
                  std::string workFolder)
      : options(options), command(command), words(std::move(words)), first(first), workFolder(std::move(workFolder)) {}

  /// Runs the command on the copies; without probes, and then without copies, when the compiler refuses them and takes the sources.
  llvm::Expected<ProcessEnd> run(const SourceCopies &copies);
  /// Whether it was run without copies in the end.
  bool isAsItIs() const { return isRunAsItIs; }

private:
  std::optional<plain::PlainCopies> preparePlain(const SourceCopies &copies, llvm::ArrayRef<std::string> plainWords,
                                                 ProcessEnd &asked) const;
  std::vector<std::string> asProbesAreWritten() const;
  std::string defaultStandard() const;

  const Options &options;
  const CompileCommand &command;
  std::vector<std::string> words;
  std::size_t first;
  std::string workFolder;
  bool isRunAsItIs = false;
};

} // namespace kperf::cc

#endif
