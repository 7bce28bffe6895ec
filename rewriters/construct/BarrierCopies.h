// Recognises CuTe's copies of which a barrier sees the end, where they are written: copy(tma.with(barrier, …), source, destination).
#ifndef KPERF_REWRITERS_BARRIERCOPIES_H
#define KPERF_REWRITERS_BARRIERCOPIES_H

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/unit/TranslationUnit.h"

#include <optional>

namespace kperf {

/// The barrier of such a copy; null for any other call.
const clang::Expr *barrierOfCopy(const clang::CallExpr *call);

/// Where a unit's copies are recorded: where they are written, beside the other records of their loop. If the barrier of one of them is not
/// known there, all of them are recorded in the operations that they end up in, static functions `copy`. An analysis of the unit.
class BarrierCopies {
public:
  explicit BarrierCopies(const TranslationUnit &unit);

  /// What a call is; nothing for what is no such copy, and where the functions that it ends up in are recorded.
  std::optional<SyncConstruct> construct(const clang::CallExpr *call) const;
  /// Whether the function makes such copies, and the construct in it is theirs, of which a record is where they are written.
  bool isRecordedByCallers(const clang::FunctionDecl *function, const SyncConstruct &construct) const;

private:
  bool areKnown = false; ///< there are some, and where each is written its barrier is known
};

} // namespace kperf

#endif
