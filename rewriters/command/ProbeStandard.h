// Raises a command's C++ standard to C++17, which the probes need.
#ifndef KPERF_REWRITERS_PROBESTANDARD_H
#define KPERF_REWRITERS_PROBESTANDARD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kperf {

/// The standard before C++17 that a command's words ask for, "c++14"; empty when they ask for none or for a later one.
std::string olderStandard(llvm::ArrayRef<std::string> words);

/// Whether they ask for any.
bool namesStandard(llvm::ArrayRef<std::string> words);

/// The words with C++17 in its place, GNU's where GNU's was asked for.
std::vector<std::string> withProbeStandard(std::vector<std::string> words);

} // namespace kperf

#endif
