// The folder in which parsed headers are kept between runs: kperf's own preludes (rewriters/parse/Prelude.h), and precompiled headers of
// the compiler behind `kperf-cc host`.
#ifndef KPERF_REWRITERS_PRELUDEFOLDER_H
#define KPERF_REWRITERS_PRELUDEFOLDER_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf {

/// The folder that preludes are kept in: $KPERF_CACHE (empty: none), else kperf in $XDG_CACHE_HOME or ~/.cache. Empty
/// when there is none, or when others than the user could write to it.
std::string preludeFolder();

/// The end of the names of files in it that note what was said to the user; those of yesterday go, too.
inline constexpr llvm::StringLiteral kNoteSuffix = ".note";

/// Notes that a prelude is used: what file systems note by themselves is one use a day.
void notePreludeUse(const std::string &path);

/// Keeps the folder to its size: the preludes longest unused go, those of commands that came once and not again, and what is left of
/// unfinished work: one's own, in whose files' names this stands (of posix::AtomicFile the extension), and that of others which died.
void removeOldestPreludes(llvm::StringRef folder, llvm::StringRef unfinished);

} // namespace kperf

#endif
