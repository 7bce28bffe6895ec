// Finds the functions that Clang reports errors in: their statements can't be trusted, so they are not edited.
#ifndef KPERF_REWRITERS_MISREADFUNCTIONS_H
#define KPERF_REWRITERS_MISREADFUNCTIONS_H

#include "rewriters/unit/AnnotatedFunction.h"
#include "rewriters/unit/TranslationUnit.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>

namespace kperf {

/// Which of the log's entries are errors of Clang's that lie in a function that the plan edits, or would edit if Clang could read all of
/// it: the names of the functions by index of the entry. `searchesDeviceCode`: what is to be recorded is looked for in all functions that
/// run on a device. To be asked when the plan is complete and the parse is not over.
std::map<std::size_t, std::string> errorsInEditedFunctions(const TranslationUnit &unit, const Plan &plan,
                                                           const AnnotatedFunctions &annotated, bool searchesDeviceCode,
                                                           llvm::ArrayRef<LoggedDiagnostic> log);

} // namespace kperf

#endif
