// The work of one process of a batch: it rewrites a source, and leaves the texts and the record where the batch collects them.
#ifndef KPERF_TOOL_BATCH_BATCHTASK_H
#define KPERF_TOOL_BATCH_BATCHTASK_H

#include "tool/batch/BatchJob.h"

#include <string>

namespace kperf::batch {

/// Where a task leaves its results: prefix + ".json" (the record, written last), + ".0", + ".1" … (the texts of the
/// record's files).
struct TaskPlace {
  std::string prefix;

  std::string record() const { return prefix + ".json"; }
  std::string log() const { return prefix + ".log"; }
  std::string text(std::size_t index) const { return prefix + "." + std::to_string(index); }
};

/// Rewrites the job's source for the tree at `root`. Changes the process's working directory.
void runTask(const BatchJob &job, const BatchRequest &batch, const std::string &root, const TaskPlace &place);

} // namespace kperf::batch

#endif
