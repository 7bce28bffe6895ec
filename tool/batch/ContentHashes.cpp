// Reads and hashes files.
#include "tool/batch/ContentHashes.h"

#include "rewriters/source/ContentHash.h"
#include "rewriters/source/StoredFile.h"

#include "llvm/Support/MemoryBuffer.h"

namespace kperf::batch {

const std::string &ContentHashes::of(llvm::StringRef path) {
  auto [entry, isNew] = hashes.try_emplace(path);
  if (isNew && !isEndless(path))
    if (auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false))
      entry->second = contentHash((*buffer)->getBuffer());
  return entry->second;
}

} // namespace kperf::batch
