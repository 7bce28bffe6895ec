// Files as text: those that Clang reads in place of the disk's, and those that it read.
#ifndef KPERF_REWRITERS_FILETEXT_H
#define KPERF_REWRITERS_FILETEXT_H

#include <string>

namespace kperf {

/// A file that Clang reads instead of, or in addition to, what the disk holds.
struct FileText {
  std::string path;
  std::string text;
};

/// A file that Clang opened.
struct FileRead {
  std::string path; ///< absolute
  std::string hash; ///< contentHash of what Clang got to read
};

} // namespace kperf

#endif
