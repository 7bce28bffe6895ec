// Lists the files that Clang's source manager opened, each with its content's hash.
#include "rewriters/parse/FilesRead.h"

#include "rewriters/source/ContentHash.h"
#include "rewriters/source/Path.h"

#include "clang/Basic/FileManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kperf {

std::vector<FileRead> filesRead(const clang::SourceManager &sources, StringSet<> overridden, const OriginalTexts &originals) {
  StringSet<> &seen = overridden;
  std::vector<FileRead> files;
  for (unsigned index = 0; index < sources.local_sloc_entry_size(); ++index) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(index);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      continue;
    const clang::SrcMgr::ContentCache &cache = entry.getFile().getContentCache();
    std::string path = absolutePath(cache.OrigEntry->getName());
    std::optional<StringRef> text = cache.getBufferDataIfLoaded();
    if (!text || cache.OrigEntry->isNamedPipe() || !seen.insert(path).second)
      continue;
    auto original = originals.find(path);
    // As Clang found it: without its dots, a path through a symbolic link would lead elsewhere.
    SmallString<256> opened(cache.OrigEntry->getName());
    sys::fs::make_absolute(opened);
    files.push_back({opened.str().str(), contentHash(original == originals.end() ? *text : StringRef(original->second))});
  }
  return files;
}

} // namespace kperf
