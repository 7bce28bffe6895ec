// What kperf-rewrite --list-regions prints.
#ifndef KPERF_TOOL_REGIONLIST_H
#define KPERF_TOOL_REGIONLIST_H

#include "rewriters/Rewrite.h"

#include "llvm/Support/raw_ostream.h"

namespace kperf {

/// A line for each region of a source, and for each that was left out.
void printRegions(const RewriteResult &result, llvm::raw_ostream &out);

} // namespace kperf

#endif
