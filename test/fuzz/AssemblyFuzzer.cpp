// Fuzzes the readers of inline assembly: PTX's and AMD's accesses to memory in a statement's text.
#include "AsmAccess.h"
#include "Limits.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  const test::Limits limit(size);
  const auto numberOf = [](llvm::StringRef name) { return name.empty() ? -1 : static_cast<int>(name.size() - 1); };
  for (const AsmAccess &access : findAsmAccesses(text, numberOf))
    if (access.bytes == 0 && access.reason.empty()) {
      std::fprintf(stderr, "an access of no bytes is counted, by operand %u\n", access.operand);
      std::abort();
    }
  return 0;
}
