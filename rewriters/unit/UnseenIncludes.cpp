// Looks names up beside the including file and along the command's search path, as the compiler would.
#include "rewriters/unit/UnseenIncludes.h"

#include "rewriters/source/Path.h"
#include "rewriters/source/QuotedNames.h"

#include "clang/Basic/FileManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;

namespace kperf {

namespace {

class Follower {
public:
  Follower(const TranslationUnit &unit, const SeenFiles &seen) : unit(unit), seen(seen) {}

  UnseenIncludes run() {
    for (const auto &[entry, key] : seen.keys)
      if (isRead(*entry, key))
        readSeen(*entry, key);
    while (!pending.empty()) {
      const std::string key = std::move(pending.back());
      pending.pop_back();
      const SourceFile &file = result.files.at(key);
      read(key, file.original, file.name, file.text);
    }
    return std::move(result);
  }

private:
  bool isRead(const clang::FileEntry &entry, const std::string &key) const {
    const clang::FileID file = unit.sources.translateFile(&entry);
    if (file.isInvalid())
      return false;
    const bool isSystem = clang::SrcMgr::isSystem(unit.sources.getFileCharacteristic(unit.sources.getLocForStartOfFile(file)));
    return !isSystem || seen.copied.contains(key);
  }

  void readSeen(const clang::FileEntry &entry, const std::string &key) {
    const clang::FileID file = unit.sources.translateFile(&entry);
    const clang::FileEntryRef named = *unit.sources.getFileEntryRefForID(file);
    read(key, absolutePath(named.getName()), named.getName(), unit.textOf(named));
  }

  struct Found {
    std::string folder, shown; ///< absolute, and as the command gives it
    bool isSystem = false, isBeside = false;
  };

  void read(const std::string &key, StringRef path, StringRef name, StringRef text) {
    const std::string home = sys::path::parent_path(path).str(), shown = sys::path::parent_path(name).str();
    for (const QuotedName &each : quotedNames(text, unit.context.getLangOpts())) {
      if (!each.isIncluded || sys::path::is_absolute(each.name) || seen.names.contains({key, each.offset}))
        continue;
      std::optional<Found> found;
      if (!each.isAngled && sys::fs::exists(home + "/" + each.name))
        found = Found{home, shown, false, true};
      else
        found = search(each);
      if (found)
        add({key, {}, each.offset, each.name.str(), found->folder, found->isBeside}, *found);
    }
  }

  std::optional<Found> search(const QuotedName &name) {
    const auto [known, isNew] = searched.try_emplace({name.name.str(), name.isAngled});
    if (!isNew)
      return known->second;
    for (const SearchFolder &folder : unit.preprocessing.searchFolders)
      if ((!folder.isForQuotes || !name.isAngled) && sys::fs::exists(folder.path + "/" + name.name)) {
        known->second = Found{absolutePath(folder.path), folder.path, folder.isSystem, false};
        break;
      }
    return known->second;
  }

  void add(UnseenInclude include, const Found &found) {
    const std::string path = absolutePath(include.folder + "/" + include.name);
    const clang::OptionalFileEntryRef entry = unit.sources.getFileManager().getOptionalFileRef(path);
    const auto known = entry ? seen.keys.find(&entry->getFileEntry()) : seen.keys.end();
    if (known != seen.keys.end())
      include.to = known->second;
    else if (found.isSystem || !follow(path, (found.shown.empty() ? "" : found.shown + "/") + include.name))
      return;
    else
      include.to = path;
    result.includes.push_back(std::move(include));
  }

  bool follow(const std::string &path, std::string name) {
    const auto [file, isNew] = result.files.try_emplace(path);
    if (!isNew)
      return true;
    const ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(path);
    if (!text) {
      result.files.erase(file);
      return false;
    }
    file->second.text = (*text)->getBuffer().str();
    file->second.name = std::move(name);
    file->second.original = path;
    pending.push_back(path);
    return true;
  }

  const TranslationUnit &unit;
  const SeenFiles &seen;
  UnseenIncludes result;
  std::vector<std::string> pending;
  std::map<std::pair<std::string, bool>, std::optional<Found>> searched;
};

} // namespace

UnseenIncludes followUnseen(const TranslationUnit &unit, const SeenFiles &seen) { return Follower(unit, seen).run(); }

} // namespace kperf
