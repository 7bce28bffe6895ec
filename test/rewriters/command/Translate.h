// What the tests of command lines share: translation that must succeed, and its failure as text.
#ifndef KPERF_TEST_CC_TRANSLATE_H
#define KPERF_TEST_CC_TRANSLATE_H

#include "rewriters/command/CommandLine.h"

#include <gtest/gtest.h>

namespace kperf {

using Words = std::vector<std::string>;

inline CompileCommand translate(Dialect dialect, const Words &words, const TranslateContext &context = {}) {
  auto command = translateCommand(dialect, words, context);
  if (!command) {
    ADD_FAILURE() << llvm::toString(command.takeError());
    return {};
  }
  return std::move(*command);
}

inline std::string failure(Dialect dialect, const Words &words) {
  auto command = translateCommand(dialect, words, TranslateContext());
  return command ? "no failure" : llvm::toString(command.takeError());
}

} // namespace kperf

#endif
