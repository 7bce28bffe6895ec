// Rewrites the sources of a command and writes their instrumented copies.
#ifndef KPERF_TOOL_CC_INSTRUMENT_H
#define KPERF_TOOL_CC_INSTRUMENT_H

#include "tool/cc/Installation.h"
#include "tool/cc/Options.h"
#include "tool/cc/SourceCopy.h"

#include "rewriters/command/CommandLine.h"

#include <map>
#include <optional>
#include <string>

namespace kperf::cc {

/// What all sources of one command share.
struct InstrumentJob {
  const Options &options;
  const Installation &installation;
  const CompileCommand &command;
  std::string compiler; ///< its path: the toolkit is the one that it belongs to
  std::string workFolder;
};

/// The copies by index of the command's input; an input without one has nothing to instrument.
using SourceCopies = std::map<std::size_t, SourceCopy>;

struct Instrumented {
  SourceCopies copies;
  bool isUnread = false;     ///< Clang can't read all that was to be instrumented
  std::string warnings;      ///< of that: to be said once the compiler could read it, for else its errors say why
  std::string whyUnrecorded; ///< of the first source that has kernels and of which nothing is recorded
};

/// Instruments every device source of the command and prints what else Clang and the rewriters say about them. Fails, having
/// said why, when one of them cannot be instrumented.
llvm::Expected<Instrumented> instrument(const InstrumentJob &job);

/// Instruments one source of the command again, where its copy and its headers' lay, without the regions at some places; says nothing.
/// Nothing where nothing is left to instrument.
llvm::Expected<std::optional<SourceCopy>> instrumentWithout(const InstrumentJob &job, std::size_t input,
                                                            llvm::ArrayRef<RegionPlace> leftOut);

} // namespace kperf::cc

#endif
