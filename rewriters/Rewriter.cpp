// The table of rewriters.
#include "Rewriter.h"

namespace kperf {

llvm::ArrayRef<Rewriter> allRewriters() {
  static constexpr Rewriter table[] = {
#define KPERF_REWRITER(name, function, summary) {name, summary, function},
#include "Rewriters.def"
  };
  return table;
}

llvm::ArrayRef<Rewriter> hostRewriters() {
  static constexpr Rewriter table[] = {
#define KPERF_HOST_REWRITER(name, function, summary) {name, summary, function},
#include "Rewriters.def"
  };
  return table;
}

const Rewriter *rewriterNamed(llvm::StringRef name) {
  for (const Rewriter &rewriter : allRewriters())
    if (rewriter.name == name)
      return &rewriter;
  return nullptr;
}

} // namespace kperf
