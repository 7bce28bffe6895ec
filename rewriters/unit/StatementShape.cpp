// Recognises loops, and skips attributes.
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

SmallVector<const Stmt *, 4> subStatements(const Stmt *statement) {
  SmallVector<const Stmt *, 4> result;
  auto add = [&](const Stmt *child) {
    if (child)
      result.push_back(child);
  };
  if (const auto *compound = dyn_cast<clang::CompoundStmt>(statement))
    result.append(compound->body_begin(), compound->body_end());
  else if (const auto *branch = dyn_cast<clang::IfStmt>(statement)) {
    add(branch->getThen());
    add(branch->getElse());
  } else if (const auto *loop = dyn_cast<clang::ForStmt>(statement))
    add(loop->getBody());
  else if (const auto *loop = dyn_cast<clang::WhileStmt>(statement))
    add(loop->getBody());
  else if (const auto *loop = dyn_cast<clang::DoStmt>(statement))
    add(loop->getBody());
  else if (const auto *loop = dyn_cast<clang::CXXForRangeStmt>(statement))
    add(loop->getBody());
  else if (const auto *choice = dyn_cast<clang::SwitchStmt>(statement))
    add(choice->getBody());
  else if (const auto *label = dyn_cast<clang::SwitchCase>(statement))
    add(label->getSubStmt());
  else if (const auto *label = dyn_cast<clang::LabelStmt>(statement))
    add(label->getSubStmt());
  else if (const auto *attributed = dyn_cast<clang::AttributedStmt>(statement))
    add(attributed->getSubStmt());
  return result;
}

const Stmt *withoutAttributes(const Stmt *statement) {
  while (const auto *attributed = dyn_cast<clang::AttributedStmt>(statement))
    statement = attributed->getSubStmt();
  return statement;
}

bool isLoop(const Stmt *statement) {
  if (const auto *loop = dyn_cast<clang::DoStmt>(statement)) { // do … while (0) holds macros together
    const auto *condition = dyn_cast<clang::IntegerLiteral>(loop->getCond()->IgnoreParenImpCasts());
    const auto *boolean = dyn_cast<clang::CXXBoolLiteralExpr>(loop->getCond()->IgnoreParenImpCasts());
    return !(condition && condition->getValue() == 0) && !(boolean && !boolean->getValue());
  }
  return isa<clang::ForStmt, clang::WhileStmt, clang::CXXForRangeStmt>(statement);
}

StringRef loopKeyword(const Stmt *statement) {
  return isa<clang::WhileStmt>(statement) ? "while" : isa<clang::DoStmt>(statement) ? "do" : isLoop(statement) ? "for" : "";
}

} // namespace kperf
