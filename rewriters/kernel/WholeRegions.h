// Tells whether all regions of a kernel are entered and left by whole warps.
#ifndef KPERF_REWRITERS_WHOLEREGIONS_H
#define KPERF_REWRITERS_WHOLEREGIONS_H

#include "rewriters/kernel/KernelUniformity.h"
#include "rewriters/unit/AnnotatedFunction.h"

namespace kperf {

/// Of regions that begin and end once each, in one block; false where one does not, is only a mark, or is to be summed up.
bool areAllWhole(const TranslationUnit &unit, const AnnotatedFunction &kernel, const KernelUniformity &kernels);

} // namespace kperf

#endif
