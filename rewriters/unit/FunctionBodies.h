// Every function body of the source.
#ifndef KPERF_REWRITERS_FUNCTIONBODIES_H
#define KPERF_REWRITERS_FUNCTIONBODIES_H

#include "rewriters/analysis/FunctionBody.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/DeclCXX.h"

#include <vector>

namespace kperf {

/// Those that the user wrote, each once, lambdas' too: patterns, not their instantiations. An analysis of the unit.
class FunctionBodies {
public:
  explicit FunctionBodies(const TranslationUnit &unit);

  /// In the source, in headers that are not the system's, and in those of the system's that are annotated or looked into.
  const std::vector<FunctionBody> &all() const { return bodies; }
  /// Those that are meant for the device, and nothing of system headers.
  const std::vector<FunctionBody> &onDevice() const { return device; }
  /// In all of that, in functions or not.
  const std::vector<const clang::StaticAssertDecl *> &staticAsserts() const { return assertions; }

private:
  std::vector<FunctionBody> bodies, device;
  std::vector<const clang::StaticAssertDecl *> assertions;
};

inline const std::vector<FunctionBody> &deviceBodies(const TranslationUnit &unit) {
  return unit.analyses.get<FunctionBodies>(unit).onDevice();
}

/// Whether the function may run where no probe can.
bool mayRunAtCompileTime(const clang::FunctionDecl *function);

/// Whether an error of Clang lies inside of a body, which makes the structure of what is to be edited doubtful. It calls __shared__
/// objects with a constructor invalid, but what uses them is read in full.
bool isDamaged(const TranslationUnit &unit, const clang::Stmt *body);

} // namespace kperf

#endif
