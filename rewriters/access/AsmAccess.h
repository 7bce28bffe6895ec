// Finds the memory accesses in the text of an inline assembly statement.
#ifndef KPERF_REWRITERS_ASMACCESS_H
#define KPERF_REWRITERS_ASMACCESS_H

#include <kperf/format.h>

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

struct AsmAccess {
  unsigned operand = 0; ///< that holds the address: its number in the text
  format::SiteKind kind = format::SiteKind::Load;
  bool isShared = false;                               ///< the address is one of shared memory's window
  unsigned bytes = 0;                                  ///< of one lane
  std::string reason;                                  ///< why it is not counted; "" when it can be
  bool isBulk = false;                                 ///< a range of that many bytes, copied by one lane on its own
  std::optional<unsigned> bytesOperand = std::nullopt; ///< that says how many bytes; of cp.async, a constant
  std::optional<unsigned> condition = std::nullopt;    ///< the operand that decides: made where it is not 0,
  bool isNegated = false;                              ///< or where it is
};

/// Reads PTX (ld, st, atom, red, cp.async and its bulk copies, ldmatrix and stmatrix) whose address is an operand of
/// the statement, and AMD's instructions (GcnAccess.h).
llvm::SmallVector<AsmAccess, 2> findAsmAccesses(const clang::GCCAsmStmt *assembly);

/// The same of a statement's text; `numberOf` gives the number of an operand that the text names, "[from]", or -1.
llvm::SmallVector<AsmAccess, 2> findAsmAccesses(llvm::StringRef text, llvm::function_ref<int(llvm::StringRef)> numberOf);

} // namespace kperf

#endif
