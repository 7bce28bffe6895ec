// Finds and replaces -std in the spellings of nvcc, GCC and Clang.
#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kperf {
namespace {

bool isOlder(llvm::StringRef standard) {
  if (!standard.consume_front("gnu++") && !standard.consume_front("c++"))
    return false;
  static constexpr llvm::StringLiteral years[] = {"98", "03", "0x", "11", "1y", "14"};
  return llvm::is_contained(years, standard);
}

/// Calls `found` with what each word says of the standard, and with the word.
template <typename Words> void eachStandard(Words &words, llvm::function_ref<void(llvm::StringRef, decltype(words[0]))> found) {
  for (std::size_t index = 0; index < words.size(); ++index) {
    llvm::StringRef word = words[index];
    if (!word.consume_front("--std") && !word.consume_front("-std"))
      continue;
    if (word.consume_front("="))
      found(word, words[index]);
    else if (word.empty() && index + 1 < words.size())
      found(words[index + 1], words[index + 1]);
  }
}

} // namespace

std::string olderStandard(llvm::ArrayRef<std::string> words) {
  std::string older;
  eachStandard(words, [&](llvm::StringRef standard, const std::string &) {
    if (isOlder(standard))
      older = standard.str();
  });
  return older;
}

bool namesStandard(llvm::ArrayRef<std::string> words) {
  bool names = false;
  eachStandard(words, [&](llvm::StringRef, const std::string &) { names = true; });
  return names;
}

std::vector<std::string> withProbeStandard(std::vector<std::string> words) {
  eachStandard(words, [](llvm::StringRef standard, std::string &word) {
    if (isOlder(standard))
      word.replace(word.size() - 2, 2, "17");
  });
  return words;
}

} // namespace kperf
