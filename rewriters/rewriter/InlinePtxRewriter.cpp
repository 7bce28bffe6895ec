// Host target: inline PTX, which the CPU's assembler can't read, becomes an error of the compiler that says so where it stands.
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kperf {
namespace {

/// Whether any instruction has a type or another part behind a dot, as PTX's have but for these few; assembly for the CPU has none.
bool isPtx(StringRef text) {
  SmallVector<StringRef> instructions;
  SplitString(text, instructions, ";\n{}");
  return any_of(instructions, [](StringRef instruction) {
    instruction = instruction.ltrim();
    if (instruction.starts_with("@"))
      instruction = instruction.substr(instruction.find_first_of(" \t")).ltrim();
    const StringRef word = instruction.take_until([](char letter) { return letter == ' ' || letter == '\t'; });
    const auto [name, parts] = word.split('.');
    const bool hasParts = !name.empty() && !parts.empty() && isAlnum(name.back()) && isAlpha(parts.front());
    return hasParts || is_contained({"trap", "exit", "brkpt"}, word);
  });
}

/// Puts a call in front of the assembly that compilers refuse if they make code of it: of functions that nothing uses they make none.
class InlinePtxFinder : public clang::DynamicRecursiveASTVisitor {
public:
  InlinePtxFinder(const TranslationUnit &unit, PlanAdditions &additions) : unit(unit), additions(additions) {}

  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; } // a function of its own

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *assembly) override {
    if (!isPtx(assembly->getAsmString()))
      return true;
    Expected<StatementSpan> span = spanOf(unit, assembly);
    if (!span || !isWhollyWritten(unit, {assembly})) {
      consumeError(span.takeError());
      unit.reporter.warning(assembly->getBeginLoc(), "inline PTX is not supported on kperf's host target, whose assembler will not know "
                                                     "it; put it between #ifndef KPERF_HOST_TARGET and #endif");
      return true;
    }
    const std::string path = unit.pathOf(span->file);
    additions.addEdit({path,
                       span->open.offset,
                       EditOrder::Kernel,
                       span->open.prefix + "{ ::kperf::host::inlinePtx(); " + span->open.suffix,
                       std::nullopt,
                       {}});
    Edit close{path, span->end, EditOrder::Close, " }", std::nullopt, {}};
    close.closes = span->open.offset;
    additions.addEdit(std::move(close));
    return true;
  }

private:
  const TranslationUnit &unit;
  PlanAdditions &additions;
};

} // namespace

RewriterResult planInlinePtx(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  for (const FunctionBody &body : deviceBodies(context.unit))
    InlinePtxFinder(context.unit, additions).TraverseStmt(const_cast<clang::Stmt *>(body.body));
  return additions;
}

} // namespace kperf
