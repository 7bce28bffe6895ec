// The waits and signals of a source, found once: which functions get streams depends on them, and so does what is planned of them.
#ifndef KPERF_REWRITERS_SYNCEVENTS_H
#define KPERF_REWRITERS_SYNCEVENTS_H

#include "rewriters/kernel/FunctionStreams.h"
#include "rewriters/plan/RegionPlace.h"
#include "rewriters/sync/SyncTarget.h"
#include "rewriters/unit/StatementEdit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf {

class SyncEvents {
public:
  struct Function {
    AnnotatedFunction holder; ///< nothing is annotated
    std::vector<Selectable> selectables;
    llvm::StringRef obstacle; ///< why nothing of it can be recorded; empty: it can
  };

  SyncEvents() = default;
  /// Without those whose regions would be at the places of `leftOut`.
  SyncEvents(const TranslationUnit &unit, llvm::ArrayRef<RegionPlace> leftOut);

  /// In the order of the text.
  std::vector<Function> functions;

  /// What may go into streams. A wait that is listed is recorded; a signal may be said by another record.
  std::vector<FunctionEvents> forStreams(const TranslationUnit &unit) const;
};

/// The region of a wait or a signal: "pipeline.consumer_wait(pipeline_k)".
std::string nameOfSync(const Selectable &selectable, const SyncTarget &target);

/// Where the statement of a wait or a signal stands, or why nothing of it can be recorded.
llvm::Expected<StatementSpan> spanOfSync(const TranslationUnit &unit, const clang::Stmt *body, const Selectable &selectable);

} // namespace kperf

#endif
