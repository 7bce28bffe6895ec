// Recognises where a warp waits and where it starts asynchronous work: calls, members and inline assembly.
#ifndef KPERF_REWRITERS_SYNCCONSTRUCT_H
#define KPERF_REWRITERS_SYNCCONSTRUCT_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

enum class SyncKind { Wait, Issue };

struct SyncConstruct {
  SyncKind kind = SyncKind::Wait;
  std::string name; ///< of the function, the member or the instruction
  bool isPoll = false; ///< one try, in a loop until it succeeds
};

/// What a call or an asm statement is by SyncConstructs.def; nothing for any other statement. Names decide, so that calls
/// which only an instantiation of a template resolves are seen too.
std::optional<SyncConstruct> syncConstruct(const clang::Stmt *statement);

/// The name of what is called, as it is written: "sync" of cg::sync(group) and of group.sync(). Empty when there is none.
std::string calledName(const clang::CallExpr *call);

/// With its namespaces where Clang resolved the call; else as calledName.
std::string qualifiedCalledName(const clang::CallExpr *call);

} // namespace kperf

#endif
