// Computes where a kernel has to make room for the records that a warp gathers before it stores them, and for how many.
#ifndef KPERF_REWRITERS_STAGINGCAPACITY_H
#define KPERF_REWRITERS_STAGINGCAPACITY_H

#include "rewriters/kernel/RecordPart.h"

#include <vector>

namespace kperf {

/// A loop's body, at whose beginning there has to be room for that many records: those of one iteration without its inner loops',
/// and those that may follow in what is around the loop.
struct LoopRecords {
  const clang::CompoundStmt *body;
  unsigned records;
};

/// Of what a warp gathers before it stores it, in records.
struct StagingCapacity {
  std::vector<LoopRecords> loops;
  unsigned most = 0; ///< that any place needs, the kernel's own begin included; 0: some loop has no braces to put a call in
};

StagingCapacity stagingCapacity(const clang::FunctionDecl *kernel, const KernelParts &parts);

} // namespace kperf

#endif
