// Lists the device functions of a source, and compares them with patterns.
#include "rewriters/select/RuleCandidate.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

std::vector<RuleCandidate> ruleCandidates(const TranslationUnit &unit, std::vector<AnnotatedFunction> &functions) {
  std::vector<RuleCandidate> candidates;
  for (AnnotatedFunction &function : functions) {
    if (!isDeviceFunction(function.function) || function.function->isDefaulted())
      continue;
    RuleCandidate candidate;
    candidate.function = &function;
    candidate.name = functionName(function.function);
    candidate.fileId = unit.expansionPlace(function.body->getBeginLoc()).file;
    clang::OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(candidate.fileId);
    if (!entry)
      continue;
    candidate.file = entry->getName().str();
    candidate.isLookedInto = candidate.fileId == unit.sources.getMainFileID() || unit.isLookedInto(candidate.fileId);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

bool selectsFunction(const NamePatterns &patterns, const NamePatterns &exclude, const RuleCandidate &candidate) {
  const clang::FunctionDecl *kernel = enclosingKernel(candidate.function->function);
  const std::string kernelName = kernel ? functionName(kernel) : std::string();
  const auto matches = [&](const NamePatterns &list) {
    return any_of(list, [&](const NamePattern &pattern) {
      return pattern.matchesName(candidate.name) || (kernel && pattern.matchesName(kernelName));
    });
  };
  return (patterns.empty() || matches(patterns)) && !matches(exclude);
}

bool appliesTo(const SelectionRule &rule, const RuleCandidate &candidate) {
  return candidate.isLookedInto && (rule.files.empty() || anyMatchesPath(rule.files, candidate.file));
}

} // namespace kperf
