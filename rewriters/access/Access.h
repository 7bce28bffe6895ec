// One access to memory in the source, as a value.
#ifndef KPERF_REWRITERS_ACCESS_H
#define KPERF_REWRITERS_ACCESS_H

#include <kperf/format.h>

#include "clang/AST/Expr.h"

#include <string>

namespace kperf {

struct Access {
  const clang::Expr *expression = nullptr; ///< what is accessed, or with isAddress the address of it
  format::SiteKind kind = format::SiteKind::Load;
  bool isAddress = false;
  bool isObject = false;                  ///< the expression is an atomic of libcu++, or a pointer to one: its value is accessed
  bool isConstant = false;                ///< in constant memory
  unsigned bytes = 0;                     ///< of one lane's element; 0 where they depend on template arguments
  bool isOperand = false;                 ///< an operand of inline assembly, which may be an integer
  bool isShared = false;                  ///< the operand is an address in shared memory's window
  bool hasOwnBytes = false;               ///< `bytes` is what is accessed at the address, whatever its type
  bool isBulk = false;                    ///< each lane copies a range on its own, and this is where it lies in global memory
  const clang::Expr *size = nullptr;      ///< how many bytes, if not `bytes`; of a bulk copy, evaluated once more; else constant
  const clang::Expr *condition = nullptr; ///< made only where it is not 0 (with isNegated, where it is); evaluated once more
  bool isNegated = false;
  std::string openPointer; ///< counted in the instances of a template in which decltype() of this is a pointer; "" where it is one anyway
  std::string reason;      ///< why no probe can watch it; "" when one can
};

} // namespace kperf

#endif
