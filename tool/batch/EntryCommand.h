// A database entry's command, split into launchers, compiler and arguments.
#ifndef KPERF_TOOL_BATCH_ENTRYCOMMAND_H
#define KPERF_TOOL_BATCH_ENTRYCOMMAND_H

#include "tool/batch/CompilationDatabase.h"

#include "rewriters/command/CommandLine.h"

#include <string>
#include <vector>

namespace kperf::batch {

struct EntryCommand {
  std::vector<std::string> launcher;  ///< "ccache", "env", "A=b"; without kperf-cc and its options
  std::string compiler;               ///< as written
  std::vector<std::string> arguments; ///< what follows it
  Dialect dialect = Dialect::Nvcc;
  bool isKnown = false; ///< the compiler is known by its name
};

/// Takes a command apart. An unknown compiler's dialect is guessed from its arguments.
EntryCommand readEntryCommand(const DatabaseEntry &entry);

} // namespace kperf::batch

#endif
