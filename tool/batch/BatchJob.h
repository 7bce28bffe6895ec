// One source of a compilation database and how it is to be rewritten.
#ifndef KPERF_TOOL_BATCH_BATCHJOB_H
#define KPERF_TOOL_BATCH_BATCHJOB_H

#include "tool/batch/CompilationDatabase.h"
#include "tool/batch/EntryCommand.h"
#include "tool/cc/Installation.h"

#include "rewriters/Rewrite.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kperf::batch {

/// What the user asked for, for all sources.
struct BatchRequest {
  RewriteRequest settings; ///< probes, strict, colour; toolkit and architecture when they are not the command's
  bool isHost = false;     ///< the result is compiled for the CPU
  cc::Installation installation;
  std::string identity; ///< of this program and of what its options name: another one makes all results stale
};

/// A source with its flags; entries that agree in both share one.
struct BatchJob {
  std::string directory;  ///< to work in
  std::string source;     ///< absolute
  std::string name;       ///< for people
  std::string copy;       ///< the rewritten text's path below a tree: `source`, or with a tag when it has several
  std::string id;         ///< names the job's files, 16 hexadecimal digits
  RewriteRequest request; ///< complete but for where the result goes

  /// The request for a result in the tree at `root`.
  RewriteRequest requestFor(llvm::StringRef root) const;
  /// Everything but files that the result in the tree depends on, as a hash.
  std::string key(const BatchRequest &batch, llvm::StringRef root) const;
};

/// A source that has no job, and why.
struct Refusal {
  std::size_t entry;
  std::string name, reason;
};

struct JobList {
  std::vector<BatchJob> jobs; ///< in the order of the database
  std::vector<Refusal> refusals;
  std::vector<std::string> warnings;      ///< each once
  std::vector<EntryCommand> commands;     ///< one for each entry of the database
  std::vector<std::ptrdiff_t> jobOfEntry; ///< index of a job; -1: nothing to rewrite
};

/// Finds the CUDA and HIP sources of the database.
JobList listJobs(const CompilationDatabase &database, const BatchRequest &batch);

} // namespace kperf::batch

#endif
