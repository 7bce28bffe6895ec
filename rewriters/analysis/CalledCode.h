// Searches a function's code and the code of the functions that it calls.
#ifndef KPERF_REWRITERS_CALLEDCODE_H
#define KPERF_REWRITERS_CALLEDCODE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kperf {

/// As far as the syntax shows what is called.
class CalledCode {
public:
  /// `isSought` judges a statement without what is below it; true ends the search. `isUnknownSought`: so does a call whose callee
  /// can't be told or has no body here, unless it is an intrinsic or comes with the toolkit. Both outlive the object.
  CalledCode(const clang::ASTContext &context, llvm::function_ref<bool(const clang::Stmt *)> isSought, bool isUnknownSought)
      : context(context), isSought(isSought), isUnknownSought(isUnknownSought) {}

  /// Whether running the statement may come to what is sought. The body of a lambda counts where it is called.
  bool reaches(const clang::Stmt *statement);
  bool reaches(const clang::FunctionDecl *function);

private:
  static constexpr unsigned kMaxFunctions = 256; ///< that are read; the search takes what is behind more of them as unknown

  bool isOfToolkit(const clang::FunctionDecl *function) const;

  const clang::ASTContext &context;
  llvm::function_ref<bool(const clang::Stmt *)> isSought;
  bool isUnknownSought;
  llvm::DenseMap<const clang::FunctionDecl *, bool> known;
};

} // namespace kperf

#endif
