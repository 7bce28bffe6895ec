// Lets Clang read what nvcc accepts and it does not: a file system that repairs the text that Clang sees, byte for byte
// in place.
#ifndef KPERF_REWRITERS_SOURCEREPAIR_H
#define KPERF_REWRITERS_SOURCEREPAIR_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <string>
#include <vector>

namespace kperf {

/// Texts as they are on disk, by absolute path without dots, of the files that were repaired.
using OriginalTexts = std::map<std::string, std::string>;

/// A file system that repairs the files outside of `untouched` folders as they are read and remembers the originals.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> repairingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base,
                                                                    std::vector<std::string> untouched, OriginalTexts &originals);

} // namespace kperf

#endif
