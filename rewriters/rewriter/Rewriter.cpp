// The table of rewriters.
#include "rewriters/rewriter/Rewriter.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kperf {

static std::vector<Rewriter> &rewriterTable() {
  static std::vector<Rewriter> table = {
#define KPERF_REWRITER(name, function, summary, recordsEvents) {name, summary, function, recordsEvents},
#include "rewriters/rewriter/Rewriters.def"
  };
  return table;
}

llvm::ArrayRef<Rewriter> allRewriters() { return rewriterTable(); }

bool addRewriter(const Rewriter &rewriter) {
  if (rewriterNamed(rewriter.name))
    return false;
  rewriterTable().push_back(rewriter);
  return true;
}

llvm::ArrayRef<Rewriter> hostRewriters() {
  static constexpr Rewriter table[] = {
#define KPERF_HOST_REWRITER(name, function, summary) {name, summary, function},
#include "rewriters/rewriter/Rewriters.def"
  };
  return table;
}

const Rewriter *rewriterNamed(llvm::StringRef name) {
  for (const Rewriter &rewriter : allRewriters())
    if (rewriter.name == name)
      return &rewriter;
  return nullptr;
}

std::string unknownRewriter(llvm::StringRef name) {
  std::pair<unsigned, std::string> best{3, ""}; // edits
  std::string all;
  for (const Rewriter &rewriter : allRewriters()) {
    best = std::min(best, {name.edit_distance(rewriter.name, true, 3), std::string(rewriter.name)});
    all += (all.empty() ? "" : ", ") + std::string(rewriter.name);
  }
  return "there is no rewriter named '" + name.str() + "'; " +
         (best.second.empty() ? "there are " + all : "did you mean '" + best.second + "'?");
}

} // namespace kperf
