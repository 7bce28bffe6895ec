// Inserts text before, after or around a statement without adding a line or changing how statements nest.
#ifndef KPERF_REWRITERS_STATEMENTEDIT_H
#define KPERF_REWRITERS_STATEMENTEDIT_H

#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace kperf {

/// First and one-past-last byte of one or more statements in one file, pragmas of a loop and the semicolon included.
struct StatementSpan {
  clang::FileID file;
  OpenPoint open;
  unsigned end = 0;
};

/// Fails with a sentence when the statement begins and ends in different files or branches of an #if, or when its text is
/// part of a macro's definition.
llvm::Expected<StatementSpan> spanOf(const TranslationUnit &unit, const clang::Stmt *statement);

/// The same for a run of statements of one block.
llvm::Expected<StatementSpan> spanOf(const TranslationUnit &unit, llvm::ArrayRef<const clang::Stmt *> run);

/// First and one-past-last byte of an expression in one file.
struct ExpressionSpan {
  clang::FileID file;
  unsigned begin, end;
};

/// Nothing unless the expression's tokens are text that the compiler reads in this very order.
std::optional<ExpressionSpan> spanOfExpression(const TranslationUnit &unit, const clang::Stmt *expression);

/// Whether the span of a run holds nothing else: false where one use of a macro writes it and other code.
bool isWhollyWritten(const TranslationUnit &unit, llvm::ArrayRef<const clang::Stmt *> run);

/// A return, or a jump that may lead out of the run; null when there is none.
const clang::Stmt *exitWithin(llvm::ArrayRef<const clang::Stmt *> run);

/// Whether a second statement may not simply be put in front of one with these parents: it is the whole body of an `if`
/// or a loop.
bool needsBraces(llvm::ArrayRef<const clang::Stmt *> parents);

/// The innermost compound statement among the parents, past labels.
const clang::CompoundStmt *enclosingCompound(llvm::ArrayRef<const clang::Stmt *> parents);

/// A case label or a goto target inside the part of `body` that lies in (from, to), reachable by a jump from outside of
/// that part: a declaration in front of it would be jumped past. Null when there is none.
const clang::Stmt *jumpTargetWithin(const TranslationUnit &unit, const clang::Stmt *body, clang::SourceLocation from,
                                    clang::SourceLocation to);

} // namespace kperf

#endif
