// Maps columns of a line that the compiler read to columns of the line that the user wrote.
#ifndef KPERF_TOOL_CC_COLUMNMAP_H
#define KPERF_TOOL_CC_COLUMNMAP_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <vector>

namespace kperf::cc {

/// Tokens that both lines hold in one order are taken for the same, those that follow each other in both before others. What only the line
/// that was read holds, a probe or a macro's text, lies where the user's next token begins.
class ColumnMap {
public:
  ColumnMap(llvm::StringRef read, llvm::StringRef written);

  /// Counted in bytes, from 0; may lie behind the end.
  std::size_t toWritten(std::size_t column) const;
  /// Whether the lines have enough in common to be one.
  bool isLikely() const { return likely; }

private:
  std::vector<std::size_t> columns; ///< by column of the line that was read, up to its end
  bool likely = false;
};

} // namespace kperf::cc

#endif
