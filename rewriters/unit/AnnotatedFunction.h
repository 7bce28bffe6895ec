// Finds the function in Clang's AST that holds each annotation.
#ifndef KPERF_REWRITERS_ANNOTATEDFUNCTION_H
#define KPERF_REWRITERS_ANNOTATEDFUNCTION_H

#include "rewriters/analysis/FunctionBody.h"
#include "rewriters/parse/Annotation.h"
#include "rewriters/unit/TranslationUnit.h"

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
  bool isSummed = false;                             ///< an earlier profile asks for sums in place of entries
};

/// What is to be timed as a whole: a statement, a run of statements of one block, or the function's body. A pragma, a rule
/// of a selection file and --auto all come down to this.
struct StatementSite {
  format::RegionKind kind = format::RegionKind::Pragma;
  std::string name;
  const PragmaUse *pragma = nullptr;             ///< null: chosen by a rule
  llvm::SmallVector<const clang::Stmt *, 1> run; ///< below their labels; empty when no statement follows a pragma
  bool isBody = false;                           ///< the run is the body of the function
  std::string rule;                              ///< "select.yaml:4", "--auto=loops"
  bool isSummed = false, isLeftOut = false;      ///< an earlier profile asks for it

  const clang::Stmt *first() const { return run.front(); }
  const clang::Stmt *last() const { return run.back(); }
};

struct AnnotatedFunction : FunctionBody {
  std::vector<MarkerSite> markers;
  std::vector<StatementSite> statements;
};

struct AnnotatedFunctions {
  std::vector<AnnotatedFunction> functions;         ///< in source order
  std::vector<const clang::FunctionDecl *> kernels; ///< every __global__ function with a body, patterns included
};

/// Adds sites that no annotation asks for.
class SiteSelector {
public:
  virtual ~SiteSelector() = default;
  /// Gets every function with a body, in source order, annotated or not.
  virtual void select(std::vector<AnnotatedFunction> &functions) = 0;
};

/// Matches the preprocessor's record with the AST. Annotations that stand in no function, that no statement follows, or
/// whose words are wrong are reported here. Functions are those with a site of either origin.
AnnotatedFunctions findAnnotatedFunctions(const TranslationUnit &unit, SiteSelector &selector);

/// The __global__ function that a function is, or that a lambda or local class lies in; null otherwise.
const clang::FunctionDecl *enclosingKernel(const clang::FunctionDecl *function);

/// Whether the function's code runs on a device: __global__, __device__, or a lambda inside of such a function.
bool isDeviceFunction(const clang::FunctionDecl *function);

/// "ns::Type::operator+", "kernel::(lambda)", "kernel<int>" for an explicit specialisation.
std::string functionName(const clang::FunctionDecl *function);

/// The same without what it is a member of. The type of a conversion is as its author wrote it: "operator T", where Clang says "operator
/// type-parameter-0-0".
std::string ownName(const clang::FunctionDecl *function);

} // namespace kperf

#endif
