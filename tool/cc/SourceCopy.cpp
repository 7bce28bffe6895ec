// Writes instrumented copies so that every #include in them still finds what it found from the original's place.
#include "tool/cc/SourceCopy.h"

#include "tool/cc/SourceRequest.h"
#include "tool/cc/StandardInput.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kperf::cc {
namespace {

std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<256> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

} // namespace

std::vector<std::string> quotedIncludes(llvm::StringRef text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef directive = line.ltrim();
    if (!directive.consume_front("#"))
      continue;
    directive = directive.ltrim();
    if (directive.starts_with("include")) {
      directive = directive.drop_front(llvm::StringRef("include").size()).ltrim();
      if (directive.consume_front("\""))
        names.push_back(directive.take_until([](char c) { return c == '"'; }).str());
      continue;
    }
    for (std::size_t at; (at = directive.find("__has_include")) != llvm::StringRef::npos;) {
      directive = directive.drop_front(at + llvm::StringRef("__has_include").size()).ltrim();
      if (directive.consume_front("(") && directive.ltrim().starts_with("\""))
        names.push_back(directive.ltrim().drop_front().take_until([](char c) { return c == '"'; }).str());
    }
  }
  return names;
}

std::vector<Stub> stubsFor(llvm::StringRef text, llvm::StringRef originalFolder) {
  std::vector<Stub> stubs;
  for (const std::string &name : quotedIncludes(text)) {
    const std::string target = originalFolder.str() + "/" + name;
    if (!llvm::sys::path::is_absolute(name) && llvm::sys::fs::is_regular_file(target))
      stubs.push_back({absolutePath(target), target, llvm::sys::path::parent_path(target).str()});
  }
  return stubs;
}

std::string stubText(const Stub &stub) { return "#include " + quoted(stub.target) + "\n"; }

SourceCopy::SourceCopy(std::string original, std::string root) : original(std::move(original)), root(std::move(root)) {
  const std::string absolute = absolutePath(this->original);
  absoluteFolder = llvm::sys::path::parent_path(absolute).str();
  copy = this->root + (this->original == kStandardInputName ? absoluteFolder + "/stdin" : absolute);
}

std::string SourceCopy::folder() const { return llvm::sys::path::parent_path(copy).str(); }

llvm::Error SourceCopy::write(const RewriteResult &result, llvm::StringRef prologue) {
  isRecorded = result.records;
  isRegistered = result.registers;
  recorded = result.regions;
  copied.clear();
  if (original != kStandardInputName)
    copied.push_back({copy, original});
  if (auto error = process::writeText(copy, behindPrologue(prologue, result.text)))
    return error;
  for (const OverlayFile &header : result.overlay) {
    if (header.path != header.original)
      variants[header.path] = header.original;
    copied.push_back({root + header.path, header.original});
    for (const std::string &name : header.forcedAs)
      forced.emplace(name, root + header.path);
    if (auto error = process::writeText(root + header.path, behindPrologue(header.isForced() ? prologue : llvm::StringRef(), header.text)))
      return error;
  }
  for (const std::string &folder : result.overlayDirectories)
    if (std::error_code error = llvm::sys::fs::create_directories(root + folder))
      return llvm::createStringError(error, "cannot make folder '%s%s': %s", root.c_str(), folder.c_str(), error.message().c_str());
  // what the rewriter did not see, for example in code for another pass, is still named as it was
  if (auto error = writeStubs(result.text, absoluteFolder))
    return error;
  for (const OverlayFile &header : result.overlay)
    if (auto error = writeStubs(header.text, llvm::sys::path::parent_path(header.path)))
      return error;
  return llvm::Error::success();
}

llvm::Error SourceCopy::writeStubs(llvm::StringRef text, llvm::StringRef originalFolder) {
  for (const Stub &stub : stubsFor(text, originalFolder)) {
    if (llvm::sys::fs::exists(root + stub.path))
      continue;
    if (std::error_code error = llvm::sys::fs::create_directories(root + stub.folder))
      return llvm::createStringError(error, "cannot make a folder for '%s%s'", root.c_str(), stub.path.c_str());
    if (auto error = process::writeText(root + stub.path, stubText(stub)))
      return error;
    stubs.insert(root + stub.path);
  }
  return llvm::Error::success();
}

std::optional<std::string> SourceCopy::originalOf(llvm::StringRef path) const {
  const std::string absolute = absolutePath(path);
  llvm::StringRef rest = absolute;
  const bool isOurs = rest.consume_front(root + "/");
  if (isOurs && stubs.contains(absolute))
    return std::nullopt;
  if (absolute == copy) // nobody can look whether standard input is newer
    return original == kStandardInputName ? std::nullopt : std::optional(original);
  std::string result = isOurs ? "/" + rest.str() : path.str();
  if (const auto variant = variants.find(result); isOurs && variant != variants.end())
    result = variant->second;
  // the compiler would have named a neighbour as it was told to name the source
  const llvm::StringRef given = llvm::sys::path::parent_path(original);
  llvm::StringRef neighbour = result;
  if (!llvm::sys::path::is_absolute(original) && neighbour.consume_front(absoluteFolder + "/"))
    return given.empty() ? neighbour.str() : (given + "/" + neighbour).str();
  return result;
}

} // namespace kperf::cc
