// Runs the vendor's compiler on instrumented copies of the sources, and falls back where it refuses them.
#ifndef KPERF_TOOL_CC_INSTRUMENTED_RUN_H
#define KPERF_TOOL_CC_INSTRUMENTED_RUN_H

#include "tool/cc/Culprits.h"
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
  InstrumentedRun(const InstrumentJob &job, std::vector<std::string> words, std::size_t first)
      : job(job), options(job.options), command(job.command), words(std::move(words)), first(first) {}

  /// Runs the command on the copies; without probes, and then without copies, when the compiler refuses them and takes the sources.
  /// Before that it counts each memory access, where nobody said how many: a sample takes predicates that a kernel may not have left.
  /// Copies are made anew without the regions that keep a kernel from being built as it is.
  llvm::Expected<ProcessEnd> run(SourceCopies &copies);
  /// Whether it was run without copies in the end.
  bool isAsItIs() const { return isRunAsItIs; }

private:
  std::string defaultStandard() const;
  std::vector<std::string> asProbesAreWritten();
  llvm::Expected<ProcessEnd> runAsRaised() const;
  std::vector<std::string> wordsOn(const SourceCopies &copies, bool isQuiet) const;
  std::vector<std::string> deviceWordsOn(const SourceCopy &copy) const;
  std::optional<plain::PlainCopies> preparePlain(const SourceCopies &copies, ProcessEnd &asked) const;
  llvm::Expected<ProcessEnd> runBesidePlain(SourceCopies &copies, std::optional<plain::PlainCopies> plain) const;
  llvm::Expected<ProcessEnd> runWithoutCulprits(SourceCopies &copies, plain::PlainCopies &plain, ProcessEnd end,
                                                KernelChanges &changes) const;
  llvm::Expected<std::vector<Culprit>> leaveOutCulprits(SourceCopies &copies, plain::PlainCopies &plain, const KernelChanges &refused,
                                                        std::optional<ProcessEnd> &interrupted) const;
  llvm::Expected<ProcessEnd> runAsItIs(ProcessEnd refused);

  InstrumentJob job;
  const Options &options;
  const CompileCommand &command;
  std::vector<std::string> words, probeWords; ///< the second: as the probes are written
  std::size_t first;
  std::string raisedFrom; ///< the command's standard, where that is older than the probes'
  bool isRunAsItIs = false;
};

} // namespace kperf::cc

#endif
