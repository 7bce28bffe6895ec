// What kperf-cc says on stderr: one line each, with its name in front.
#ifndef KPERF_TOOL_CC_MESSAGES_H
#define KPERF_TOOL_CC_MESSAGES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

#include <string>

namespace kperf::cc {

/// kperf-cc itself cannot go on: usage, missing files, source that cannot be instrumented.
inline constexpr int kExitTrouble = 2;

/// '?' for control characters (of C1, in UTF-8, too), which names of files and regions may hold and a terminal would obey; new lines, tabs
/// and what selects a colour stay.
inline std::string printable(const llvm::Twine &text) {
  std::string out = text.str();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    if (byte == 0x1b && llvm::StringRef(out).substr(i + 1).starts_with("[")) {
      const std::size_t end = out.find_first_not_of("0123456789;", i + 2);
      if (end != std::string::npos && out[end] == 'm') {
        i = end;
        continue;
      }
    }
    const bool isC1 = i > 0 && static_cast<unsigned char>(out[i - 1]) == 0xc2 && byte >= 0x80 && byte < 0xa0;
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || isC1)
      out[i] = '?';
  }
  return out;
}

inline void sayError(const llvm::Twine &text) { llvm::WithColor::error(llvm::errs(), "kperf-cc") << printable(text) << '\n'; }
inline void sayWarning(const llvm::Twine &text) { llvm::WithColor::warning(llvm::errs(), "kperf-cc") << printable(text) << '\n'; }
inline void sayNote(const llvm::Twine &text) { llvm::errs() << "kperf-cc: " << printable(text) << '\n'; }

} // namespace kperf::cc

#endif
