// Keeps the names of probes in a plan's texts from macros of the source.
#ifndef KPERF_REWRITERS_PROBEMACROS_H
#define KPERF_REWRITERS_PROBEMACROS_H

#include "rewriters/plan/Plan.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace kperf {

/// The text with calls of probes in parentheses where `isReplaced` says of a name that a macro would be called instead:
/// "::kperf::load(" becomes "(::kperf::load)(", in which a macro with parameters is not expanded. `isReplaced` is asked for every name of
/// kperf's in the text, called or not.
std::string withoutMacroCalls(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef name)> isReplaced);

/// Does that to all texts of a complete plan, by the macros that are defined where each text will stand. Returns macros without parameters
/// of such a name, which nothing keeps from being expanded: "'load' (a.cu:3:9)". To be called while the parse is not over.
std::set<std::string> keepFromMacros(const TranslationUnit &unit, clang::Preprocessor &preprocessor, Plan &plan);

} // namespace kperf

#endif
