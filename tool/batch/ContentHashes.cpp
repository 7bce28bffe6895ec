// Reads and hashes files.
#include "batch/ContentHashes.h"

#include "ContentHash.h"

#include "llvm/Support/MemoryBuffer.h"

namespace kperf::batch {

const std::string &ContentHashes::of(llvm::StringRef path) {
  auto [entry, isNew] = hashes.try_emplace(path);
  if (isNew)
    if (auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false))
      entry->second = contentHash((*buffer)->getBuffer());
  return entry->second;
}

} // namespace kperf::batch
