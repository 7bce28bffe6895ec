// Finds the variable that counts the iterations of the loop around a place.
#ifndef KPERF_REWRITERS_LOOPVARIABLES_H
#define KPERF_REWRITERS_LOOPVARIABLES_H

#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kperf {

/// The loops of one function that count: `for (int i = …; …; …)`, of any integer type, in the function's own text.
class LoopVariables {
public:
  /// Loops of lambdas in the body are those of other functions.
  LoopVariables(const TranslationUnit &unit, const clang::Stmt *body);

  /// The name of the variable of the innermost such loop whose body or condition holds the place; "" where there is none, or where
  /// the name may mean something else there, or the access itself changes the variable.
  llvm::StringRef at(Place place, const clang::Expr *access) const;

private:
  struct Loop {
    clang::FileID file;
    unsigned begin, end; ///< offsets of the condition, or what is there of the loop behind its first part, and of the end
    const clang::VarDecl *variable;
  };
  const TranslationUnit &unit;
  std::vector<Loop> loops;
};

} // namespace kperf

#endif
