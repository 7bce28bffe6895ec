// Reports how the sources of a batch ended: the log, the summary and the failures.
#ifndef KPERF_TOOL_BATCH_BATCHREPORT_H
#define KPERF_TOOL_BATCH_BATCHREPORT_H

#include "tool/batch/BatchJob.h"
#include "tool/batch/BatchRecord.h"
#include "tool/process/SaidDiagnostics.h"

#include <chrono>
#include <string>
#include <vector>

namespace kperf::batch {

/// What became of one job.
struct Outcome {
  BatchRecord record;
  std::string root;       ///< of the tree that the files belong to
  bool isCurrent = false; ///< nothing had to be done
  bool hasOwnTree = false;
  std::string conflict;   ///< why it has its own tree
  double seconds = 0;     ///< spent on it
  long peakKilobytes = 0; ///< of resident memory
};

class BatchClock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

struct BatchReport {
  const JobList &list;
  const std::vector<Outcome> &outcomes;     ///< one for each job
  const std::vector<std::string> &problems; ///< of the whole batch
  double seconds = 0;

  /// One line for each source: what became of it, seconds, megabytes at the peak, name, details.
  std::string logText() const;
  /// One or two lines for people.
  std::string summary() const;
  /// Names every failed source with its reason, on stderr.
  void printFailures() const;
  bool hasFailures() const;
};

/// On stderr.
void printWarning(const llvm::Twine &text);
/// Those of one source that were not said before.
void printDiagnostics(const BatchRecord &record, llvm::StringRef source, SaidDiagnostics &said);
/// For which other sources they hold.
void printRepetitions(const SaidDiagnostics &said);

} // namespace kperf::batch

#endif
