// Looks for what two copies of a body would collide over, or show.
#include "UntouchedCopy.h"

#include "DeviceBodies.h"
#include "LaneFreeFunction.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

bool namesUnscoped(StringRef assembly) {
  if (assembly.contains("%="))
    return false;
  int depth = 0;
  StringRef statement; // up to here, without leading spaces
  for (std::size_t at = 0; at < assembly.size(); ++at) {
    const char letter = assembly[at];
    depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
    if (StringRef("{};\n").contains(letter)) {
      statement = {};
      continue;
    }
    if (depth > 0 || (statement.empty() && isSpace(letter)))
      continue;
    statement = assembly.substr(at - statement.size(), statement.size() + 1);
    const bool isName =
        all_of(statement.drop_back(), [](char each) { return isAlnum(each) || each == '_' || each == '$'; });
    const bool isLabel = letter == ':' && isName && !assembly.substr(at + 1).starts_with(":");
    if (isLabel || statement == ".reg" || statement == ".shared" || statement == ".local")
      return true;
  }
  return false;
}

namespace {

/// Of the kernel's own body, or of a function that it may call.
class ObstacleSearch : public DynamicRecursiveASTVisitor {
public:
  explicit ObstacleSearch(bool isKernel) : isKernel(isKernel) {}

  std::string reason;
  SmallVector<const FunctionDecl *, 8> called;

  bool VisitPredefinedExpr(PredefinedExpr *expression) override {
    if (isKernel)
      reason = ("it uses " + PredefinedExpr::getIdentKindName(expression->getIdentKind()) +
                (expression->getBeginLoc().isMacroID() ? ", as assert() does," : "") + " which would name the copy")
                   .str();
    return reason.empty();
  }

  bool VisitSourceLocExpr(SourceLocExpr *) override {
    if (isKernel)
      reason = "it asks for its source location, which would name the copy";
    return reason.empty();
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) override {
    if (namesUnscoped(assembly->getAsmString()))
      reason = "inline assembly declares a label or a variable without braces around it, which can't be there twice";
    return reason.empty();
  }

  bool VisitCallExpr(CallExpr *call) override {
    append_range(called, callees(call));
    return true;
  }

private:
  bool isKernel;
};

/// Of the first functions that are reached from the kernel.
std::string obstacleInCode(const FunctionDecl *kernel) {
  constexpr std::size_t kMostFunctions = 256;
  SetVector<const FunctionDecl *> functions;
  functions.insert(kernel);
  for (std::size_t next = 0; next < functions.size() && next < kMostFunctions; ++next) {
    ObstacleSearch search(next == 0);
    search.TraverseStmt(functions[next]->getBody());
    if (!search.reason.empty())
      return search.reason;
    for (const FunctionDecl *function : search.called) {
      if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
        function = pattern;
      const FunctionDecl *definition = nullptr;
      if (function->isDefined(definition) && definition->getBody())
        functions.insert(definition);
    }
  }
  return {};
}

} // namespace

std::string obstacleToCopy(const TranslationUnit &unit, const FunctionDecl *kernel) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(kernel->getBody());
  if (!body)
    return "it has no plain body";
  const std::optional<Place> open = unit.editablePlace(body->getLBracLoc()),
                             close = unit.editablePlace(body->getRBracLoc());
  if (!open || !close || open->file != close->file || unit.isInDirective(*open) || unit.isInDirective(*close))
    return "its body is written by a macro";
  if (!unit.layoutOf(open->file).inSameBranch(open->offset, close->offset))
    return "its body begins and ends in different branches of an #if";
  if (isDamaged(body))
    return "clang can't read all of it";
  return obstacleInCode(kernel);
}

} // namespace kperf
