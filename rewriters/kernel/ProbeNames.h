// Gives the names by which rewritten text calls the probes of each record part (kperf/rules/Probes.h).
#ifndef KPERF_REWRITERS_PROBENAMES_H
#define KPERF_REWRITERS_PROBENAMES_H

#include "rewriters/kernel/RecordPart.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf {

/// Empty is what a part does not have.
struct ProbeNames {
  llvm::StringRef owner; ///< the object that records go through
  llvm::StringRef scope, range, wait;
  llvm::StringRef begin, end, mark, signal;

  /// What an object is told first: "kperf_kernel, ".
  std::string ownerArgument() const { return owner.empty() ? std::string() : (owner + ", ").str(); }
  /// The beginning of a call of one of the functions: "kperf_kernel.divergentEnd(" or "::kperf::end(".
  std::string call(llvm::StringRef ProbeNames::*function) const {
    return ((owner.empty() ? "::kperf::" : owner + ".") + this->*function + "(").str();
  }
};

ProbeNames probeNames(RecordPart part);

} // namespace kperf

#endif
