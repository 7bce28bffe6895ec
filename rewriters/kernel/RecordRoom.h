// Where a kernel's body makes room for the records that a warp gathers before it stores them.
#ifndef KPERF_REWRITERS_RECORDROOM_H
#define KPERF_REWRITERS_RECORDROOM_H

#include "rewriters/kernel/RecordPart.h"

#include <vector>

namespace kperf {

/// A loop's body, at whose beginning there has to be room for that many records: those of one iteration without its inner loops',
/// and those that may follow in what is around the loop.
struct RecordRoom {
  const clang::CompoundStmt *body;
  unsigned records;
};

struct RecordRooms {
  std::vector<RecordRoom> loops;
  unsigned most = 0; ///< that any place needs, the kernel's own begin included; 0: some loop has no braces to put a call in
};

RecordRooms recordRooms(const clang::FunctionDecl *kernel, const KernelParts &parts);

} // namespace kperf

#endif
