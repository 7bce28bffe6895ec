// Lists the files that a parse read, each with its content's hash.
#ifndef KPERF_REWRITERS_FILESREAD_H
#define KPERF_REWRITERS_FILESREAD_H

#include "rewriters/source/FileText.h"
#include "rewriters/source/SourceRepair.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace kperf {

/// The files that were opened on the disk in this process (not those behind a precompiled header), each once, but for
/// those in `overridden` (absolute paths). A repaired file has the hash of its original.
std::vector<FileRead> filesRead(const clang::SourceManager &sources, llvm::StringSet<> overridden, const OriginalTexts &originals);

} // namespace kperf

#endif
