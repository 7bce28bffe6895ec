// Fuzzes the words of annotations: what the preprocessor left of a macro's arguments, the literals in it, and templates of names.
#include "Limits.h"
#include "rewriters/parse/Annotation.h"
#include "rewriters/pattern/NameTemplate.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

namespace {

void stopWhen(bool isWrong, const char *what, llvm::StringRef text) {
  if (!isWrong)
    return;
  std::fprintf(stderr, "%s: %s\n", what, text.str().c_str());
  std::abort();
}

void readAsMarker(llvm::StringRef text) {
  auto read = readMarker(text);
  if (!read)
    return;
  if (*read)
    stopWhen((*read)->name.empty(), "an annotation without a name is taken", text);
  else
    stopWhen(llvm::toString(read->takeError()).empty(), "a refusal says nothing", text);
}

void readAsTemplate(llvm::StringRef text) {
  if (llvm::Error error = checkNameTemplate(text))
    stopWhen(llvm::toString(std::move(error)).empty(), "a refusal says nothing", text);
  else
    stopWhen(expandNameTemplate(text, {"f", "loop", "for", "k.cu", 7}).empty(), "a template makes no name", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  const std::string marker = "kperf:" + text.str();
  const test::Limits limit(size);
  readAsMarker(marker);
  (void)stringLiteralValue(text);
  readAsTemplate(text);
  return 0;
}
