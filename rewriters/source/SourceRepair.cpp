// The file system that applies the repairs.
#include "rewriters/source/SourceRepair.h"

#include "rewriters/source/AsmRepair.h"
#include "rewriters/source/LaunchRepair.h"
#include "rewriters/source/ThisRepair.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kperf {

namespace {

std::string absolutePath(StringRef path, vfs::FileSystem &files) {
  SmallString<256> absolute(path);
  (void)files.makeAbsolute(absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

/// Nothing when there is nothing to repair.
std::optional<std::string> repairSource(StringRef text) {
  std::optional<std::string> repaired;
  for (const auto repair : {repairAsm, repairLaunches, repairThis})
    if (std::optional<std::string> next = repair(repaired ? StringRef(*repaired) : text))
      repaired = std::move(next);
  return repaired;
}

class RepairedFile : public vfs::File {
public:
  RepairedFile(std::unique_ptr<vfs::File> base, std::string path, OriginalTexts &originals)
      : base(std::move(base)), path(std::move(path)), originals(originals) {}

  ErrorOr<vfs::Status> status() override { return base->status(); }
  std::error_code close() override { return base->close(); }

  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t size, bool needsTerminator, bool isVolatile) override {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = base->getBuffer(name, size, needsTerminator, isVolatile);
    if (!buffer)
      return buffer;
    std::optional<std::string> repaired = repairSource((*buffer)->getBuffer());
    if (!repaired)
      return buffer;
    originals[path] = (*buffer)->getBuffer().str();
    return MemoryBuffer::getMemBufferCopy(*repaired, (*buffer)->getBufferIdentifier());
  }

private:
  std::unique_ptr<vfs::File> base;
  std::string path;
  OriginalTexts &originals;
};

class RepairingFileSystem : public vfs::ProxyFileSystem {
public:
  RepairingFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> base, std::vector<std::string> untouched, OriginalTexts &originals)
      : ProxyFileSystem(std::move(base)), untouched(std::move(untouched)), originals(originals) {}

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &name) override {
    ErrorOr<std::unique_ptr<vfs::File>> file = ProxyFileSystem::openFileForRead(name);
    if (!file)
      return file;
    std::string path = absolutePath(name.str(), *this);
    if (any_of(untouched, [&](StringRef folder) { return StringRef(path).starts_with(folder); }))
      return file;
    return std::make_unique<RepairedFile>(std::move(*file), std::move(path), originals);
  }

private:
  std::vector<std::string> untouched;
  OriginalTexts &originals;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> repairingFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> base, std::vector<std::string> untouched,
                                                        OriginalTexts &originals) {
  return makeIntrusiveRefCnt<RepairingFileSystem>(std::move(base), std::move(untouched), originals);
}

} // namespace kperf
