// The headers that Clang reads before every source, the toolkit's and kperf's own, parsed once for many runs.
//
// Half of the time that a small kernel takes goes there. The parsed form is a precompiled header in a folder of the
// user's; it is used while the command is the same and every file that it was made of is unchanged. It is made when a
// command comes for the first time: a source that is edited is parsed twice, and what the second parse saves is what that costs.
#ifndef KPERF_REWRITERS_PRELUDE_H
#define KPERF_REWRITERS_PRELUDE_H

#include "rewriters/source/FileText.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PCHContainerOperations.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace kperf {

struct Prelude {
  std::string lastInclude; ///< the command's -include that it ends with; empty: there is none
  std::string folder;      ///< of the command's -I, the one that the prelude itself is found in
  std::string identity;    ///< distinguishes what the command does not tell: the files that stand for Clang's own
};

/// An empty file that has to be in the file system under this name.
inline constexpr char kPreludeSource[] = "/kperf-prelude";

/// Makes the invocation read the prelude from the folder, where it may be made first, and returns the files that it was
/// made of. The prelude is put into `memory`, a layer of what `files` reads, where no other process can take it away.
/// Whatever goes wrong leaves the invocation as it is: it parses the headers itself.
std::vector<FileRead> usePrelude(const Prelude &prelude, llvm::StringRef folder, clang::CompilerInvocation &invocation,
                                 clang::FileManager &files, llvm::vfs::InMemoryFileSystem &memory,
                                 std::shared_ptr<clang::PCHContainerOperations> containers);

} // namespace kperf

#endif
