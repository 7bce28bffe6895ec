// Finds where #include lines lead that the device's pass skips, such as those for the host's pass.
#ifndef KPERF_REWRITERS_UNSEENINCLUDES_H
#define KPERF_REWRITERS_UNSEENINCLUDES_H

#include "rewriters/unit/TranslationUnit.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kperf {

struct UnseenInclude {
  std::string from, to; ///< keys of the plan
  unsigned offset = 0;  ///< of the quote, or angle bracket, in `from`
  std::string name;     ///< as it is written there
  std::string folder;   ///< in which it was found, absolute
  bool isBeside = false;
};

struct UnseenIncludes {
  std::vector<UnseenInclude> includes;
  std::map<std::string, SourceFile> files; ///< headers to which no other #include leads, by their keys
};

/// What was included: keys of the plan.
struct SeenFiles {
  std::map<const clang::FileEntry *, std::string> keys;
  std::set<std::pair<std::string, unsigned>> names; ///< file and offset of every name that was included
  std::set<std::string> copied;                     ///< looked into even if they are system headers
};

/// Follows the lines from the main file and from every header that is not a system header, whatever condition they stand under; which of
/// them a compiler takes is not known. Names that macros write, and those of #include_next, are left out.
UnseenIncludes followUnseen(const TranslationUnit &unit, const SeenFiles &seen);

} // namespace kperf

#endif
