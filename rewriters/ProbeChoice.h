// Chooses, from what a request asks for, how the probes of a source are built.
#ifndef KPERF_REWRITERS_PROBECHOICE_H
#define KPERF_REWRITERS_PROBECHOICE_H

#include "rewriters/Rewrite.h"
#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/rewriter/SyncEvents.h"

namespace kperf {

/// Judges kernels and chooses streams. `instantiator` makes the instances of templates on which that depends: all that is ever added to the
/// AST, before anything is planned.
KernelProbes chooseProbes(const RewriteRequest &request, const TranslationUnit &unit, const AnnotatedFunctions &annotated,
                          const SyncEvents &syncEvents, Instantiator instantiator);

} // namespace kperf

#endif
