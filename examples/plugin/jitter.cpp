// A rewriter from outside of kperf: lets every wait of a kernel begin a little later or earlier, which brings races to light.
#include <Plugin.h>

#include "clang/AST/Expr.h"

namespace {

/// Puts a sleep of random length in front of each statement that is a barrier, below `statement`.
void addSleeps(const kperf::TranslationUnit &unit, kperf::PlanAdditions &additions, const clang::Stmt *statement) {
  for (const clang::Stmt *child : kperf::subStatements(statement)) {
    auto construct = kperf::syncConstruct(child);
    auto span = kperf::spanOf(unit, child);
    if (construct && construct->isWait() && span) {
      std::string path = unit.pathOf(span->file);
      additions.addEdit({path, span->open.offset, kperf::EditOrder::Open, "{ __nanosleep(clock() & 1023); "});
      additions.addEdit({path, span->end, kperf::EditOrder::Close, " }"});
    } else if (!span) {
      llvm::consumeError(span.takeError()); // written by a macro
    }
    addSleeps(unit, additions, child);
  }
}

kperf::RewriterResult planSleeps(const kperf::RewriteContext &context) {
  kperf::PlanAdditions additions(context.plan);
  const clang::SourceManager &sources = context.unit.sources;
  for (const clang::FunctionDecl *kernel : context.annotated.kernels)
    if (sources.isInMainFile(sources.getExpansionLoc(kernel->getLocation())))
      addSleeps(context.unit, additions, kernel->getBody());
  return additions;
}

} // namespace

KPERF_REWRITER_PLUGIN({"jitter", "sleeps for a random time in front of every barrier", planSleeps})
