// The hash that identifies a file's content.
#ifndef KPERF_REWRITERS_CONTENTHASH_H
#define KPERF_REWRITERS_CONTENTHASH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf {

/// XXH3-128 of a text, as 32 hexadecimal digits.
std::string contentHash(llvm::StringRef text);

} // namespace kperf

#endif
