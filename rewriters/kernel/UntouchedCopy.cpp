// Searches a body for what would clash, or be observable, if the body were compiled twice.
#include "rewriters/kernel/UntouchedCopy.h"

#include "rewriters/analysis/CalledCode.h"
#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
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
    const bool isName = all_of(statement.drop_back(), [](char each) { return isAlnum(each) || each == '_' || each == '$'; });
    const bool isLabel = letter == ':' && isName && !assembly.substr(at + 1).starts_with(":");
    if (isLabel || statement == ".reg" || statement == ".shared" || statement == ".local")
      return true;
  }
  return false;
}

namespace {

constexpr char kUnscoped[] = "inline assembly declares a label or a variable without braces around it, which can't be there twice";

bool isUnscoped(const Stmt *statement) {
  const auto *assembly = dyn_cast<GCCAsmStmt>(statement);
  return assembly && namesUnscoped(assembly->getAsmString());
}

/// Of the code itself, lambdas in it included.
class ObstacleSearch : public DynamicRecursiveASTVisitor {
public:
  std::string reason;

  bool VisitPredefinedExpr(PredefinedExpr *expression) override {
    reason = ("it uses " + PredefinedExpr::getIdentKindName(expression->getIdentKind()) +
              (expression->getBeginLoc().isMacroID() ? ", as assert() does," : "") + " which would name the copy")
                 .str();
    return false;
  }

  bool VisitSourceLocExpr(SourceLocExpr *) override {
    reason = "it asks for its source location, which would name the copy";
    return false;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) override {
    if (isUnscoped(assembly))
      reason = kUnscoped;
    return reason.empty();
  }
};

std::string obstacleToCopy(const TranslationUnit &unit, const FunctionDecl *kernel) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(kernel->getBody());
  if (!body)
    return "it has no plain body";
  const std::optional<Place> open = unit.editablePlace(body->getLBracLoc()), close = unit.editablePlace(body->getRBracLoc());
  if (!open || !close || open->file != close->file || unit.isInDirective(*open) || unit.isInDirective(*close))
    return "its body is written by a macro";
  if (!unit.layoutOf(open->file).inSameBranch(open->offset, close->offset))
    return "its body begins and ends in different branches of an #if";
  if (isDamaged(unit, body))
    return "clang can't read all of it";
  return obstacleToRunTwice(unit, body);
}

} // namespace

std::string obstacleToRunTwice(const TranslationUnit &unit, const Stmt *code) {
  ObstacleSearch search;
  search.TraverseStmt(const_cast<Stmt *>(code));
  if (search.reason.empty() && CalledCode(unit.context, isUnscoped, /*isUnknownSought=*/false).reaches(code))
    return kUnscoped;
  return search.reason;
}

UntouchedCopy::UntouchedCopy(const FunctionDecl *kernel, const TranslationUnit &unit) : obstacle(obstacleToCopy(unit, kernel)) {}

} // namespace kperf
