// Lists what a rule can choose in one function: its body, its loops, and the statements that call, wait or start something.
#ifndef KPERF_REWRITERS_SELECTABLE_H
#define KPERF_REWRITERS_SELECTABLE_H

#include "rewriters/analysis/FunctionBody.h"
#include "rewriters/construct/SyncWrapper.h"
#include "rewriters/pattern/Selection.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include <string>
#include <vector>

namespace kperf {

struct Selectable {
  /// Kernels, Functions, Loops, Barriers, Async, Calls; nothing for a signal that starts no work, which no rule chooses.
  std::optional<SelectionKind> kind;
  const clang::FunctionDecl *function = nullptr; ///< that it is in
  const clang::Stmt *statement = nullptr;        ///< all of it, `#pragma unroll` included
  const clang::Stmt *at = nullptr;               ///< the loop itself, the call; where rows of the region table point
  std::string name;                              ///< "for", "__syncthreads"; of a body: the function's own name
  std::string qualifiedName;                     ///< of Calls: with namespaces, where they are known
  const clang::Stmt *enclosingLoop = nullptr;    ///< the innermost one around `statement`, with its attributes
  unsigned depth = 0;                            ///< of a loop: 1 is outermost in its function
  std::string obstacle;                          ///< why it has no statement of its own; empty: it has
  std::optional<SyncConstruct> construct;        ///< of a wait or a signal
  const SyncWrapper *wrapper = nullptr;          ///< of one that is made by calling a function
};

/// In source order, an enclosing one first. Lambdas inside of the function are functions of their own. An analysis of the function.
const std::vector<Selectable> &selectablesOf(const TranslationUnit &unit, const FunctionBody &function);

/// The statement that an expression or statement of the body belongs to: an element of a block, or the whole body of a
/// loop or branch. Null for what lies in the condition of a branch or loop, in a lambda or in a statement expression.
const clang::Stmt *ownStatementOf(const clang::Stmt *body, const clang::Stmt *part);

} // namespace kperf

#endif
