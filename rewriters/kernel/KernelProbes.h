// Chooses the probes of a source, and the object at each kernel's top that its probes record through.
#ifndef KPERF_REWRITERS_KERNELPROBES_H
#define KPERF_REWRITERS_KERNELPROBES_H

#include "rewriters/kernel/KernelNeeds.h"
#include "rewriters/kernel/KernelUniformity.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"

#include <utility>

namespace kperf {

/// How the probes of a source are built.
struct ProbeSetting {
  bool copiesKernels = false;     ///< blocks that are not recorded get a copy of the kernel without probes, where one can be made
  bool sharesRecords = false;     ///< regions are all that is recorded, so that two of them may share a record
  bool haveStreams = false;       ///< functions may have them
  bool isThroughObjects = false;  ///< all that a kernel records goes through its Kernel object: to be switched, or kept in shared memory
  bool sharesHeaders = false;     ///< other sources get the same copies of headers
  bool ownsHeaders = false;       ///< no other source gets one of them, nor asks for the same
  bool isRelocatable = false;     ///< kernels of other sources may call its functions
  bool isHost = false;            ///< for the host target
  bool samplesIterations = false; ///< accesses to memory of a loop's iteration may be counted together, or none of them
};

/// Chosen before anything is planned.
class KernelProbes {
public:
  KernelProbes(const ProbeSetting &setting, FunctionStreams streams, KernelUniformity uniformity)
      : setting(setting), streams(std::move(streams)), uniformity(std::move(uniformity)) {}

  const ProbeSetting setting;
  const FunctionStreams streams;
  const KernelUniformity uniformity; ///< of the kernels whose own bodies may record events

  /// What puts the objects into those of `kernels` that need one.
  PlanAdditions plan(const TranslationUnit &unit, const Plan &soFar, const KernelNeeds &needs,
                     llvm::ArrayRef<const clang::FunctionDecl *> kernels) const;
  /// Whether the probes of the kernel's own body say that they are in one of two copies (`kperf_isRecorded`). Of other functions, false.
  bool isCopied(const TranslationUnit &unit, const clang::FunctionDecl *kernel) const;
  /// What makes the copies, of those of `kernels` with probes; a warning tells where there is none, and why.
  PlanAdditions planCopies(const TranslationUnit &unit, const Plan &soFar, const KernelNeeds &needs,
                           llvm::ArrayRef<const clang::FunctionDecl *> kernels) const;
};

/// Where the setting lets functions and kernels have streams; none is chosen yet.
FunctionStreams streamsFor(const ProbeSetting &setting);

/// Whether the kernel's opening brace can be edited.
bool hasPlaceForKernel(const TranslationUnit &unit, const clang::FunctionDecl *kernel);

} // namespace kperf

#endif
