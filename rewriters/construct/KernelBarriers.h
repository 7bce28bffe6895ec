// Finds the barriers in a kernel's own body, which a clock read behind them may pass (kperf/cuda/Clock.h).
#ifndef KPERF_REWRITERS_KERNELBARRIERS_H
#define KPERF_REWRITERS_KERNELBARRIERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <vector>

namespace kperf {

/// A statement that may come to a barrier of the block or the cluster, itself or in what it calls.
struct BarrierStatement {
  const clang::Stmt *statement;
  bool needsBraces; ///< to get a second statement behind it
};

struct KernelBarriers {
  std::vector<BarrierStatement> statements;
  bool areAll = true; ///< false where one lies in a condition or a destructor, say: no statement can stand right behind it
};

/// Errs towards too many: what can't be told may be a barrier.
KernelBarriers barriersOf(const clang::FunctionDecl *kernel);

} // namespace kperf

#endif
