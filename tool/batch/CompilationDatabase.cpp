// Parses the JSON into entries.
#include "tool/batch/CompilationDatabase.h"

#include "rewriters/source/JsonDepth.h"
#include "rewriters/source/StoredFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace kperf::batch {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr llvm::StringLiteral kFileName = "compile_commands.json";

std::vector<std::string> splitCommand(llvm::StringRef command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

/// The entry's words, from "arguments" or "command"; empty when it has neither.
llvm::Expected<std::vector<std::string>> wordsOf(const llvm::json::Object &object) {
  if (const llvm::json::Array *arguments = object.getArray("arguments")) {
    std::vector<std::string> words;
    for (const llvm::json::Value &value : *arguments) {
      std::optional<llvm::StringRef> word = value.getAsString();
      if (!word)
        return llvm::createStringError("\"arguments\" holds something that is not a string");
      words.push_back(word->str());
    }
    return words;
  }
  if (std::optional<llvm::StringRef> command = object.getString("command"))
    return splitCommand(*command);
  return std::vector<std::string>();
}

llvm::Expected<DatabaseEntry> readEntry(const llvm::json::Value &value, llvm::StringRef folder) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("expected an object");
  std::optional<llvm::StringRef> directory = object->getString("directory"), file = object->getString("file");
  if (!directory || !file)
    return llvm::createStringError("no \"%s\" in it", directory ? "file" : "directory");
  auto words = wordsOf(*object);
  if (!words)
    return words.takeError();
  if (words->empty())
    return llvm::createStringError("neither \"arguments\" nor \"command\" in it");
  return DatabaseEntry{absolutePath(folder, *directory), file->str(), std::move(*words), object->getString("output").value_or("").str()};
}

} // namespace

std::string absolutePath(llvm::StringRef folder, llvm::StringRef path) {
  llvm::SmallString<256> absolute(path);
  llvm::sys::path::make_absolute(folder, absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

std::string CompilationDatabase::folder() const { return llvm::sys::path::parent_path(path).str(); }

llvm::Expected<CompilationDatabase> parseDatabase(llvm::StringRef text, llvm::StringRef path) {
  auto json = parseJson(text);
  if (!json)
    return llvm::createStringError("'" + path + "' is not JSON: " + llvm::toString(json.takeError()));
  const llvm::json::Array *array = json->getAsArray();
  if (!array)
    return llvm::createStringError("'" + path + "' is not a compilation database: expected an array of objects");
  CompilationDatabase database;
  database.path = path.str();
  for (std::size_t index = 0; index < array->size(); ++index) {
    auto entry = readEntry((*array)[index], database.folder());
    if (!entry)
      return llvm::createStringError("'" + path + "', entry " + llvm::Twine(index + 1) + ": " + llvm::toString(entry.takeError()));
    database.entries.push_back(std::move(*entry));
  }
  return database;
}

llvm::Expected<CompilationDatabase> readDatabase(llvm::StringRef path) {
  llvm::SmallString<256> file(path);
  llvm::sys::fs::make_absolute(file);
  llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  if (llvm::sys::fs::is_directory(file))
    llvm::sys::path::append(file, kFileName);
  auto buffer = readStoredFile(file, kMaxBytes);
  if (!buffer)
    return llvm::createStringError("no compilation database '" + file + "': " + llvm::toString(buffer.takeError()) +
                                   "; make one with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make");
  return parseDatabase((*buffer)->getBuffer(), file);
}

} // namespace kperf::batch
