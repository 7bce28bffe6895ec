// Fuzzes the readers of inline assembly: PTX's and AMD's accesses to memory in a statement's text, and what in it waits or signals.
#include "Limits.h"
#include "rewriters/access/AsmAccess.h"
#include "rewriters/construct/SyncConstruct.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  const test::Limits limit(size);
  const auto numberOf = [](llvm::StringRef name) { return name.empty() ? -1 : static_cast<int>(name.size() - 1); };
  for (const AsmAccess &access : findAsmAccesses(text, numberOf))
    if (access.bytes == 0 && !access.bytesOperand && access.reason.empty()) {
      std::fprintf(stderr, "an access of no bytes is counted, by operand %u\n", access.operand);
      std::abort();
    }
  if (const auto construct = syncInstruction(text)) {
    const bool isThere = text.contains(construct->assembly) && llvm::StringRef(construct->assembly).starts_with(construct->name);
    for (const bool isLast : {false, true})
      if (!isThere || !llvm::StringRef(construct->assembly).contains(bracketedOperand(construct->assembly, isLast))) {
        std::fprintf(stderr, "'%s' is not what the text says\n", construct->assembly.c_str());
        std::abort();
      }
  }
  return 0;
}
