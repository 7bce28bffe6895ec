// Every function body of the source that is meant for the device.
#ifndef KPERF_REWRITERS_DEVICEBODIES_H
#define KPERF_REWRITERS_DEVICEBODIES_H

#include "rewriters/analysis/PointerOrigin.h"
#include "rewriters/unit/TranslationUnit.h"

#include <vector>

namespace kperf {

/// Those that the user wrote, each once, lambdas' too: patterns, not their instantiations, and nothing of system headers.
std::vector<PointerOrigins::Body> deviceBodies(TranslationUnit &unit);

/// Whether the function may run where no probe can.
bool mayRunAtCompileTime(const clang::FunctionDecl *function);

/// Whether an error of Clang lies inside, which makes the structure of what is to be edited doubtful. It calls __shared__ objects
/// with a constructor invalid, but what uses them is read in full.
bool isDamaged(const clang::Stmt *statement);

} // namespace kperf

#endif
