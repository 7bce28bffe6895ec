// Fuzzes what reads a source's text beside Clang's parser: repairs, quoted names, and where a probe can stand.
#include "Limits.h"
#include "rewriters/source/AsmRepair.h"
#include "rewriters/source/LaunchRepair.h"
#include "rewriters/source/QuotedNames.h"
#include "rewriters/source/ThisRepair.h"
#include "rewriters/source/TokenLayout.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

namespace {

void stopWhen(bool isWrong, const char *what) {
  if (!isWrong)
    return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

bool haveSameLines(llvm::StringRef one, llvm::StringRef other) {
  return one.size() == other.size() && std::equal(one.begin(), one.end(), other.begin(), [](char left, char right) {
           return (left == '\n') == (right == '\n') && (left == '\r') == (right == '\r');
         });
}

/// Every place that the file's tokens offer to a probe lies in the file, at most as far as its statement.
void walk(const TokenLayout &layout, unsigned first, unsigned size) {
  std::optional<unsigned> at = first;
  for (unsigned count = 0; at && count < 64; ++count, at = layout.nextToken(*at)) {
    stopWhen(layout.before(*at).offset > *at, "a probe in front of a statement is behind its beginning");
    stopWhen(layout.after(*at) > size || layout.after(*at) < *at, "a probe behind a statement is not in the file");
    stopWhen(layout.tokenText(*at).empty(), "a token is empty");
    if (const auto directive = layout.directiveAt(*at))
      stopWhen(*directive > *at, "a directive begins behind what it holds");
    if (const auto next = layout.nextToken(*at)) {
      stopWhen(layout.previousToken(*next) != at, "the token before the next one is another");
      (void)layout.inSameBranch(*at, *next);
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string source(reinterpret_cast<const char *>(data), size); // Clang's lexer reads the NUL behind it
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus17 = options.CUDA = true;
  const test::Limits limit(size);
  for (const auto &repaired : {repairAsm(source), repairLaunches(source), repairThis(source)})
    if (repaired)
      stopWhen(!haveSameLines(source, *repaired), "a repair moves something");
  for (const QuotedName &quoted : quotedNames(source, options))
    stopWhen(quoted.offset + quoted.name.size() + 2 > size || source[quoted.offset] != (quoted.isAngled ? '<' : '"'),
             "a name is not where it is said to be");
  const TokenLayout layout(source, options);
  const std::size_t token = source.find_first_not_of(" \t\r\n\f\v");
  if (token != std::string::npos && (std::isalnum(static_cast<unsigned char>(source[token])) || source[token] == '{'))
    walk(layout, static_cast<unsigned>(token), static_cast<unsigned>(size));
  return 0;
}
