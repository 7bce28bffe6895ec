// Finds the memory accesses of AMD instructions in the text of an inline assembly statement.
#ifndef KPERF_REWRITERS_GCNACCESS_H
#define KPERF_REWRITERS_GCNACCESS_H

#include "rewriters/access/AsmAccess.h"

namespace kperf {

/// Adds what the lines of `text` access: ds_, global_, flat_, buffer_ and s_load instructions whose address is an
/// operand of the statement. Of those whose address is more than one operand, the one that is a pointer or a descriptor
/// stands for it, with the reason why nothing is counted.
void addGcnAccesses(llvm::StringRef text, llvm::SmallVectorImpl<AsmAccess> &out);

} // namespace kperf

#endif
