// Fuzzes the file of --select: YAML, the rules in it, and the patterns, matchers and names that they are made of.
#include "Limits.h"
#include "rewriters/pattern/NameTemplate.h"
#include "rewriters/pattern/SelectionFile.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

namespace {

/// Matches by every pattern, and names what each rule would.
void use(const Selection &selection) {
  for (const SelectionRule &rule : selection.rules) {
    for (const NamePatterns *patterns : {&rule.patterns, &rule.exclude, &rule.in, &rule.files, &selection.headers})
      for (const NamePattern &pattern : *patterns) {
        (void)pattern.matchesName("ns::Tile<float, 4>::operator<");
        (void)pattern.matchesPath("/src/lib/tile.cuh");
      }
    (void)expandNameTemplate(rule.name, {"ns::gemm", "loop", "for", "gemm.cu", 12});
  }
}

/// Each line of a refusal says the file and the line.
bool saysWhere(llvm::StringRef message) {
  for (llvm::StringRef line : llvm::split(message, '\n')) {
    unsigned number = 0;
    if (line.consume_front("select.yaml:") && !line.consumeInteger(10, number) && number > 0 && line.starts_with(": "))
      return true;
  }
  return false;
}

void run(llvm::StringRef text) {
  llvm::Expected<Selection> selection = parseSelection(text, "select.yaml");
  if (selection)
    return use(*selection);
  const std::string message = llvm::toString(selection.takeError());
  if (saysWhere(message))
    return;
  std::fprintf(stderr, "the refusal does not say where: %s\n", message.c_str());
  std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // Clang's table of AST matchers is made once, and stays.
  static const bool hasMatchers = (run("rules: [{match: 'forStmt()'}]"), true);
  const test::Limits limit(hasMatchers ? size : 0);
  run({reinterpret_cast<const char *>(data), size});
  return 0;
}
