// What a step of nvcc's that is this program is told (PlainCopies.h), and how it runs the program that it stands for.
#ifndef KPERF_TOOL_PLAIN_STEP_H
#define KPERF_TOOL_PLAIN_STEP_H

#include "tool/plain/PlainCopies.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::plain {

using Words = std::vector<std::string>;

struct Plan {
  std::string folder, cicc, ptxas;
  std::vector<llvm::json::Object> texts;
  OnRefusal onRefusal;
  unsigned assemblySeconds; ///< 0: no limit
};

/// Nothing where it can't be read.
std::optional<Plan> readPlan();

/// A member's text; "" where it has none.
std::string stringIn(const llvm::json::Object &object, llvm::StringRef key);

/// Runs a program, whose exit code it gives; 1 for one that a signal ended or that can't be started.
int runStep(const Words &words, bool isQuiet = false);

std::optional<std::string> textOf(const std::string &path);
/// Whether it was.
bool writeFile(const std::string &path, llvm::StringRef text);

/// The word behind an option, or null.
std::string *valueIn(Words &words, llvm::StringRef option);

} // namespace kperf::plain

#endif
