// A rewriter from outside of kperf: lets every wait of a kernel begin a little later or earlier, which brings races to light.
#include <Plugin.h>

#include "clang/AST/Expr.h"

namespace {

/// Puts a sleep of random length in front of each statement that is a barrier, below `statement`.
void addSleeps(kperf::TranslationUnit &unit, const clang::Stmt *statement) {
  for (const clang::Stmt *child : kperf::subStatements(statement)) {
    auto construct = kperf::syncConstruct(child);
    auto span = kperf::spanOf(unit, child);
    if (construct && construct->isWait() && span) {
      std::string path = unit.pathOf(span->file);
      unit.plan.addEdit({path, span->open.offset, kperf::EditOrder::Open, "{ __nanosleep(clock() & 1023); "});
      unit.plan.addEdit({path, span->end, kperf::EditOrder::Close, " }"});
    } else if (!span) {
      llvm::consumeError(span.takeError()); // written by a macro
    }
    addSleeps(unit, child);
  }
}

void planSleeps(kperf::TranslationUnit &unit, const kperf::AnnotatedFunctions &functions) {
  for (const clang::FunctionDecl *kernel : functions.kernels)
    if (unit.sources.isInMainFile(unit.sources.getExpansionLoc(kernel->getLocation())))
      addSleeps(unit, kernel->getBody());
}

} // namespace

KPERF_REWRITER_PLUGIN({"jitter", "sleeps for a random time in front of every barrier", planSleeps})
