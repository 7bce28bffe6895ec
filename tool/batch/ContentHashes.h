// Hashes of what files hold, each file read once.
#ifndef KPERF_TOOL_BATCH_CONTENTHASHES_H
#define KPERF_TOOL_BATCH_CONTENTHASHES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf::batch {

class ContentHashes {
public:
  /// Of a file's contents, see contentHash; "" when there is no such file.
  const std::string &of(llvm::StringRef path);

private:
  llvm::StringMap<std::string> hashes;
};

} // namespace kperf::batch

#endif
