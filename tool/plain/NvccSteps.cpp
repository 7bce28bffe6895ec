// Parses the lines of nvcc's dry run: "#$ NAME=value" and "#$ program argument …".
#include "tool/plain/NvccSteps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace kperf::plain {
namespace {

using Words = std::vector<std::string>;

std::string expanded(llvm::StringRef word, const NvccSteps &steps) {
  std::string out = word.str();
  for (const auto &[name, value] : steps.variables)
    for (std::size_t at; (at = out.find("$" + name + "/")) != std::string::npos;)
      out.replace(at, name.size() + 1, value);
  return out;
}

Words wordsOf(llvm::StringRef line, const NvccSteps &steps) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(line, saver, words);
  Words out;
  for (const char *word : words)
    out.push_back(expanded(word, steps));
  return out;
}

/// The word behind an option, or "".
std::string valueOf(const Words &words, llvm::StringRef option) {
  const auto found = llvm::find(words, option);
  return found == words.end() || found + 1 == words.end() ? std::string() : *(found + 1);
}

} // namespace

llvm::StringRef NvccSteps::variable(llvm::StringRef name) const {
  for (const auto &[each, value] : llvm::reverse(variables))
    if (each == name)
      return value;
  return {};
}

NvccSteps parseSteps(llvm::StringRef said) {
  NvccSteps steps;
  std::vector<Words> preprocessors;
  while (!said.empty()) {
    auto [line, rest] = said.split('\n');
    said = rest;
    if (!line.consume_front("#$ "))
      continue;
    const llvm::StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!name.empty() && line.drop_front(name.size()).starts_with("=")) {
      if (!name.starts_with("NVCC_")) // nvcc's own, which the environment has already; it says them in quotes
        steps.variables.emplace_back(name.str(), line.drop_front(name.size() + 1).str());
      continue;
    }
    Words words = wordsOf(line, steps);
    if (words.empty())
      continue;
    if (llvm::is_contained(words, "-E")) {
      preprocessors.push_back(std::move(words));
      continue;
    }
    if (llvm::sys::path::filename(words.front()) != "cicc")
      continue;
    for (const Words &each : preprocessors)
      if (const std::string text = valueOf(each, "-o"); !text.empty() && llvm::is_contained(words, text))
        steps.texts.push_back(
            {llvm::sys::path::filename(valueOf(words, "--orig_src_file_name")).str(), valueOf(words, "-arch"), text, each});
  }
  return steps;
}

llvm::Expected<NvccSteps> stepsOf(llvm::ArrayRef<std::string> command, process::ProcessEnd &end) {
  Words words = command.vec();
  words.push_back("--dryrun");
  using enum process::SpawnOptions::Stream;
  auto ended = process::spawn(words.front(), words, {.output = Captured, .error = WithOutput, .passesSignals = true});
  if (ended)
    end = std::move(*ended);
  if (!ended || !end.ok())
    return llvm::createStringError("'%s' does not say what it would run", words.front().c_str());
  return parseSteps(end.output);
}

} // namespace kperf::plain
