// Recognises CuTe's copies of which a barrier sees the end, where they are written: copy(tma.with(barrier, …), source, destination).
#ifndef KPERF_REWRITERS_BARRIERCOPIES_H
#define KPERF_REWRITERS_BARRIERCOPIES_H

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/unit/TranslationUnit.h"

#include <optional>

namespace kperf {

/// The barrier of such a copy; null for any other call.
const clang::Expr *barrierOfCopy(const clang::CallExpr *call);

/// How a unit's are recorded: where they are written, which is where a loop's other records are, or, where one of them may not be known
/// there, in the static functions `copy` that all of them end up in. An analysis of the unit.
class BarrierCopies {
public:
  explicit BarrierCopies(const TranslationUnit &unit);

  /// What a call is; nothing for what is no such copy, and where the functions that it ends up in are recorded.
  std::optional<SyncConstruct> construct(const clang::CallExpr *call) const;
  /// Whether the function makes such copies, and the construct in it is theirs, of which a record is where they are written.
  bool isRecordedByCallers(const clang::FunctionDecl *function, const SyncConstruct &construct) const;

private:
  bool areKnown; ///< each of them, by its barrier, where it is written
};

} // namespace kperf

#endif
