// Expands option files and splits their text as nvcc and the GNU tools do.
#include "rewriters/command/OptionFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace kperf {
namespace {

constexpr unsigned kDeepestNesting = 16;
constexpr unsigned kMaxFiles = 2000; // where each of a few names the next one twice, there is no end to it

llvm::Error unterminated(llvm::StringRef text) { return llvm::createStringError("unterminated double quote in '%s'", text.str().c_str()); }

/// Drops double quotes that no backslash precedes: nvcc reads words from a file a second time.
std::string withoutQuotes(llvm::StringRef word) {
  std::string result;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\' && i + 1 < word.size())
      result += word[i++];
    else if (word[i] == '"')
      continue;
    result += word[i];
  }
  return result;
}

std::vector<std::string> splitGnuOptions(llvm::StringRef text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

class Expansion {
public:
  Expansion(OptionFileSpellings spellings, llvm::StringRef directory, llvm::vfs::FileSystem &files)
      : spellings(spellings), directory(directory), files(files) {}

  llvm::Error expand(llvm::ArrayRef<std::string> arguments, unsigned depth);
  std::vector<std::string> result;

private:
  llvm::Error expandNvcc(llvm::StringRef files, unsigned depth);
  llvm::Error expandAt(llvm::StringRef argument, unsigned depth);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read(llvm::StringRef file) const;

  OptionFileSpellings spellings;
  llvm::StringRef directory;
  llvm::vfs::FileSystem &files;
  unsigned filesRead = 0;
};

llvm::Error Expansion::expand(llvm::ArrayRef<std::string> arguments, unsigned depth) {
  if (depth > kDeepestNesting)
    return llvm::createStringError("option files are nested deeper than %u; does one include itself?", kDeepestNesting);
  if (filesRead > kMaxFiles)
    return llvm::createStringError("more than %u option files are read; do they include each other?", kMaxFiles);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (spellings.nvcc && (argument == "--options-file" || argument == "-optf")) {
      if (++i == arguments.size())
        return llvm::createStringError("option '%s' needs the name of a file", argument.str().c_str());
      if (auto error = expandNvcc(arguments[i], depth))
        return error;
    } else if (spellings.nvcc && (argument.starts_with("--options-file=") || argument.starts_with("-optf="))) {
      if (auto error = expandNvcc(argument.split('=').second, depth))
        return error;
    } else if (spellings.at && argument.size() > 1 && argument.front() == '@') {
      if (auto error = expandAt(argument, depth))
        return error;
    } else {
      result.push_back(argument.str());
    }
  }
  return llvm::Error::success();
}

llvm::Error Expansion::expandNvcc(llvm::StringRef files, unsigned depth) {
  auto names = splitNvccList(files);
  if (!names)
    return names.takeError();
  for (const std::string &name : *names) {
    auto buffer = read(name);
    if (!buffer)
      return llvm::createStringError(buffer.getError(), "cannot read option file '%s': %s", name.c_str(),
                                     buffer.getError().message().c_str());
    auto words = splitNvccOptions((*buffer)->getBuffer());
    if (!words)
      return words.takeError();
    ++filesRead;
    if (auto error = expand(*words, depth + 1))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Expansion::expandAt(llvm::StringRef argument, unsigned depth) {
  auto buffer = read(argument.drop_front());
  if (!buffer) {
    result.push_back(argument.str());
    return llvm::Error::success();
  }
  ++filesRead;
  return expand(splitGnuOptions((*buffer)->getBuffer()), depth + 1);
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> Expansion::read(llvm::StringRef file) const {
  llvm::SmallString<256> path(file);
  if (!directory.empty())
    llvm::sys::path::make_absolute(directory, path);
  if (auto status = files.status(path); status && status->getType() == llvm::sys::fs::file_type::character_file)
    return std::make_error_code(std::errc::invalid_argument); // it may not end
  return files.getBufferForFile(path);
}

} // namespace

llvm::Expected<std::vector<std::string>> expandOptionFiles(llvm::ArrayRef<std::string> arguments, OptionFileSpellings spellings,
                                                           llvm::StringRef directory, llvm::vfs::FileSystem &files) {
  Expansion expansion(spellings, directory, files);
  if (auto error = expansion.expand(arguments, 0))
    return error;
  return std::move(expansion.result);
}

llvm::Expected<std::vector<std::string>> splitNvccOptions(llvm::StringRef text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false, quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!quoted && llvm::isSpace(c)) {
      if (inWord)
        words.push_back(withoutQuotes(word));
      word.clear();
      inWord = false;
      continue;
    }
    inWord = true;
    if (c == '"')
      quoted = !quoted;
    else if (c == '\\' && i + 1 < text.size())
      word += text[++i];
    else
      word += c;
  }
  if (quoted)
    return unterminated(text.trim());
  if (inWord)
    words.push_back(withoutQuotes(word));
  return words;
}

llvm::Expected<std::vector<std::string>> splitNvccList(llvm::StringRef value) {
  std::vector<std::string> elements(1);
  bool quoted = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    char c = value[i];
    if (c == ',' && !quoted) {
      elements.emplace_back();
      continue;
    }
    if (c == '\\' && i + 1 < value.size())
      c = value[++i];
    else if (c == '"')
      quoted = !quoted;
    elements.back() += c;
  }
  if (quoted)
    return unterminated(value);
  std::erase(elements, "");
  return elements;
}

} // namespace kperf
