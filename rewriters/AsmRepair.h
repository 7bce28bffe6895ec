// Lets Clang read inline PTX that nvcc accepts: repairs in the text that Clang sees, byte for byte in place.
#ifndef KPERF_REWRITERS_ASMREPAIR_H
#define KPERF_REWRITERS_ASMREPAIR_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <optional>
#include <string>

namespace kperf {

/// In asm statements, `%name` becomes `_name` (nvcc takes it for a PTX register, Clang for an operand) and a comma fills
/// the space between two operands that lack one. Nothing when there is nothing to repair; else a text of the same length
/// with the same line ends.
std::optional<std::string> repairAsm(llvm::StringRef text);

/// Texts as they are on disk, by absolute path without dots, of the files that were repaired.
using OriginalTexts = std::map<std::string, std::string>;

/// A file system that repairs the files outside of `untouched` folders as they are read and remembers the originals.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
repairingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, std::vector<std::string> untouched,
                    OriginalTexts &originals);

} // namespace kperf

#endif
