// Reads whole files that the user names.
#ifndef KPERF_REWRITERS_STOREDFILE_H
#define KPERF_REWRITERS_STOREDFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>

namespace kperf {

/// Whether reading it may not end, or wait for ever: a pipe, a device, a socket. What is not there is none of them.
bool isEndless(llvm::StringRef path);

/// Fails with what is wrong with the file, without its name, on such files, on folders, and on more than `maxBytes`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readStoredFile(llvm::StringRef path, std::uint64_t maxBytes);

} // namespace kperf

#endif
