// Makes, checks and finds precompiled headers of the host target.
#include "tool/cc/HostPrelude.h"
#include "posix/AtomicFile.h"
#include "tool/process/Process.h"

#include "rewriters/command/Installed.h"
#include "rewriters/source/ContentHash.h"
#include "rewriters/source/PreludeFolder.h"
#include "rewriters/source/WholeFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace llvm;

namespace kperf::cc {
namespace {

/// Whether the word can mean another file in another folder.
bool isAboutPlaces(StringRef word) {
  static constexpr StringLiteral folders[] = {"-isystem", "-iquote", "-idirafter", "-I", "-B"};
  static constexpr StringLiteral others[] = {"-O", "-std=", "-W", "-D", "-U", "-g", "-m"};
  for (StringRef option : folders)
    if (word.consume_front(option))
      return !word.empty() && !sys::path::is_absolute(word); // the word behind it is looked at by itself
  if (!word.starts_with("-"))
    return !sys::path::is_absolute(word);
  const bool isOther = any_of(others, [&](StringRef option) { return word.starts_with(option); });
  return !isOther && word.contains('=') && !sys::path::is_absolute(word.split('=').second);
}

/// A file as the disk shows it, in a line; empty when it is not there.
std::string stateOf(StringRef path, sys::TimePoint<> *changed = nullptr) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return {};
  if (changed)
    *changed = status.getLastModificationTime();
  return (Twine(status.getSize()) + " " + Twine(status.getLastModificationTime().time_since_epoch().count()) + " " + path).str();
}

/// The prerequisites of a make rule as compilers write it; paths with blanks have backslashes there.
std::vector<std::string> prerequisitesOf(StringRef rule) {
  std::vector<std::string> paths(1);
  rule = rule.split(": ").second;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == ' ')
      paths.back() += rule[++i];
    else if (rule[i] == ' ' || rule[i] == '\n' || (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n'))
      paths.emplace_back();
    else
      paths.back() += rule[i];
  }
  erase_if(paths, [](const std::string &path) { return path.empty(); });
  return paths;
}

class HeaderCache {
public:
  HeaderCache(StringRef folder, ArrayRef<std::string> command, StringRef text, StringRef version)
      : folder(folder), command(command), text(text), key(contentHash(describe(version))) {}

  std::string header() const { return file(".pch"); }

  /// Whether there is one, and each file that it was made of is as it was.
  bool isUsable() const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> list = MemoryBuffer::getFile(file(".files"), /*IsText=*/true);
    SmallVector<StringRef> lines;
    if (list)
      (*list)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    return !lines.empty() && all_of(lines, [](StringRef line) { return stateOf(line.split(' ').second.split(' ').second) == line; });
  }

  bool make() const;

private:
  std::string file(StringRef suffix) const { return (folder + "/" + key + suffix).str(); }

  /// False when it can't be written.
  bool write(StringRef suffix, StringRef content) const { return !errorToBool(writeWholeFile(file(suffix), content)); }

  /// Everything that can change what the headers mean.
  std::string describe(StringRef version) const {
    std::string all = ("host\n" + version + "\n" + text).str();
    for (const std::string &word : command)
      all += word + "\n";
    for (const char *name : {"CPATH", "CPLUS_INCLUDE_PATH"})
      all += fromEnvironment(name) + "\n";
    if (any_of(command, isAboutPlaces)) {
      SmallString<256> here;
      sys::fs::current_path(here);
      all += here;
    }
    return all;
  }

  StringRef folder;
  ArrayRef<std::string> command;
  StringRef text;
  std::string key;
};

bool HeaderCache::make() const {
  const auto begin = std::chrono::system_clock::now();
  if (!write(".h", text))
    return false;
  auto unfinished = posix::AtomicFile::open(header()); // which the compiler writes by its temporary name
  if (!unfinished)
    return false;
  const std::string temporary = unfinished->temporaryPath(), rule = temporary + ".d";
  std::vector<std::string> words = command;
  words.insert(words.end(), {"-fpch-instantiate-templates", "-MD", "-MF", rule, "-o", temporary, "-x", "c++-header", file(".h")});
  auto end = runProgram(words[0], words, /*isQuiet=*/true);
  if (!end)
    llvm::consumeError(end.takeError());
  bool isMade = end && end->ok();
  ErrorOr<std::unique_ptr<MemoryBuffer>> read = MemoryBuffer::getFile(rule, /*IsText=*/true);
  isMade = isMade && read && unfinished->publish();
  std::vector<std::string> files = {header()};
  if (isMade)
    append_range(files, prerequisitesOf((*read)->getBuffer()));
  std::string list;
  for (const std::string &path : files) {
    SmallString<256> absolute(path);
    sys::fs::make_absolute(absolute);
    sys::TimePoint<> changed;
    const std::string state = stateOf(absolute, &changed);
    const bool isOwn = path == header() || path == file(".h");
    isMade = isMade && !state.empty() && (isOwn || changed + std::chrono::seconds(2) < begin); // else it may have changed meanwhile
    list += state + "\n";
  }
  isMade = isMade && write(".files", list);
  removeOldestPreludes(folder, sys::path::extension(temporary));
  return isMade;
}

} // namespace

std::string hostPrelude(ArrayRef<std::string> command, StringRef text) {
  const bool hasOwn = any_of(command, [](StringRef word) { return word.starts_with("-include") || word.starts_with("-imacros"); });
  const std::string folder = preludeFolder();
  if (hasOwn || folder.empty())
    return {};
  const std::string version = firstLineOf(command[0], {command[0], "--version"});
  if (!StringRef(version).contains("clang version"))
    return {};
  const HeaderCache cache(folder, command, text, version);
  if (!cache.isUsable() && !cache.make())
    return {};
  notePreludeUse(cache.header());
  return cache.header();
}

bool isHostPrelude(StringRef path) {
  const std::string folder = preludeFolder();
  return !folder.empty() && path.ends_with(".h") && sys::path::parent_path(path) == folder;
}

} // namespace kperf::cc
