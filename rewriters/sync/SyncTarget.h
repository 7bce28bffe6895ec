// Finds the object that a construct waits on or signals, as text that a probe evaluates in front of the construct.
#ifndef KPERF_REWRITERS_SYNCTARGET_H
#define KPERF_REWRITERS_SYNCTARGET_H

#include "rewriters/select/Selectable.h"
#include "rewriters/unit/TranslationUnit.h"

#include <string>

namespace kperf {

struct BarrierNumber;

struct SyncTarget {
  format::SyncObject object = format::SyncObject::Unknown;
  std::string value = "0u";                ///< an expression without side effects, of type unsigned int
  std::string shown;                       ///< the object as the source names it; empty where it has no name
  const clang::Expr *operand = nullptr;    ///< what `value` is made of; null where it is a number
  const BarrierNumber *numberBy = nullptr; ///< a function that `value` calls and the source gets; null where there is none
  bool isPlace = false;                    ///< `value` is the operand's address
  bool isNothing = false;                  ///< there is nothing to record: it does nothing here, or is followed from another construct on
};

/// `selectable` is a wait or a signal. Where the source's words for the object can't be repeated in front of the statement (a call, a
/// variable that the statement declares, a macro), the object is Unknown. An analysis of the
/// expression or statement that it is at.
const SyncTarget &syncTarget(const TranslationUnit &unit, const Selectable &selectable);

/// Whether the target's words mean the same in front of `code` and behind it. `object`: an expression in the code that
/// is known to leave them so; may be null.
bool outlives(const SyncTarget &target, const clang::Stmt *code, const clang::Expr *object);

} // namespace kperf

#endif
