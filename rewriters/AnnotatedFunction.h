// Which function holds which annotation: the AST side of recognition.
#ifndef KPERF_REWRITERS_ANNOTATEDFUNCTION_H
#define KPERF_REWRITERS_ANNOTATEDFUNCTION_H

#include "Annotation.h"
#include "TranslationUnit.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace kperf {

/// A macro annotation in a function's body.
struct MarkerSite {
  Annotation annotation;
  const clang::DeclStmt *statement = nullptr;
  llvm::SmallVector<const clang::Stmt *, 8> parents; ///< from the body down to the statement's own parent
};

/// `#pragma kperf region` in a function's body.
struct PragmaSite {
  const PragmaUse *use = nullptr;
  const clang::Stmt *statement = nullptr; ///< the next one, below its labels; null when none follows
  llvm::SmallVector<const clang::Stmt *, 8> parents;
};

struct AnnotatedFunction {
  const clang::FunctionDecl *function = nullptr; ///< of a lambda: its call operator; of a template: the pattern
  const clang::Stmt *body = nullptr;
  std::vector<MarkerSite> markers;
  std::vector<PragmaSite> pragmas;
};

struct AnnotatedFunctions {
  std::vector<AnnotatedFunction> functions;            ///< in source order
  std::vector<const clang::FunctionDecl *> kernels;    ///< every __global__ function with a body, patterns included
};

/// Matches the preprocessor's record with the AST. Annotations that stand in no function, that no statement follows, or
/// whose words are wrong are reported here.
AnnotatedFunctions findAnnotatedFunctions(TranslationUnit &unit);

/// The __global__ function that a function is, or that a lambda or local class lies in; null otherwise.
const clang::FunctionDecl *enclosingKernel(const clang::FunctionDecl *function);

/// Whether the function's code runs on a device: __global__, __device__, or a lambda inside of such a function.
bool isDeviceFunction(const clang::FunctionDecl *function);

/// "ns::Type::operator+", "kernel::(lambda)", "kernel<int>" for an explicit specialisation.
std::string functionName(const clang::FunctionDecl *function);

/// The statements directly below one that are statements of their own: a compound's, a loop's body, both branches.
llvm::SmallVector<const clang::Stmt *, 4> subStatements(const clang::Stmt *statement);

} // namespace kperf

#endif
