// What rewriters put into kernels, and the object at each kernel's top that their probes record through.
#ifndef KPERF_REWRITERS_KERNELPROBES_H
#define KPERF_REWRITERS_KERNELPROBES_H

#include "rewriters/kernel/RecordPart.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace kperf {

class SyncEvents;

/// How the probes of a source are built.
struct ProbeSetting {
  bool copiesKernels = false;    ///< blocks that are not recorded get a copy of the kernel without probes, where one can be made
  bool sharesRecords = false;    ///< regions are all that is recorded, so that two of them may share a record
  bool haveStreams = false;      ///< functions may have them
  bool isThroughObjects = false; ///< all that a kernel records goes through its Kernel object: to be switched, or kept in shared memory
  bool sharesHeaders = false;    ///< other sources get the same copies of headers
  bool ownsHeaders = false;      ///< no other source gets one of them, nor asks for the same
  bool isRelocatable = false;    ///< kernels of other sources may call its functions
  bool isHost = false;           ///< for the host target
};

class KernelProbes {
public:
  explicit KernelProbes(const ProbeSetting &setting)
      : sharesRecords(setting.sharesRecords), streams(streamsFor(setting)), setting(setting) {}

  const bool sharesRecords;
  FunctionStreams streams;
  std::shared_ptr<const SyncEvents> syncEvents; ///< where waits and signals are recorded

  /// What a kernel's object has to provide so far; of no kernel, nothing.
  KernelParts partsOf(const clang::FunctionDecl *kernel) const;
  /// A function got probes; `parts` is of the kernel that it is or lies in, if any.
  void add(const TranslationUnit &unit, const clang::FunctionDecl *function, const KernelParts &parts);
  /// What puts the objects into the kernels that need one: once, after the last add().
  PlanAdditions plan(const TranslationUnit &unit, const Plan &soFar, llvm::ArrayRef<const clang::FunctionDecl *> kernels) const;

  /// Whether the probes of the kernel's own body say that they are in one of two copies (`kperf_isRecorded`). Of other functions, false.
  bool isCopied(const TranslationUnit &unit, const clang::FunctionDecl *kernel) const;
  /// The kernel's own body has probes of another kind than those of add().
  void addAccesses(const clang::FunctionDecl *kernel) { kernelsWithAccesses.insert(kernel); }
  /// What makes the copies, of kernels with probes; a warning tells where there is none, and why.
  PlanAdditions planCopies(const TranslationUnit &unit, const Plan &soFar, llvm::ArrayRef<const clang::FunctionDecl *> kernels) const;

private:
  void planKernel(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel, bool holdsRegions,
                  const KernelParts &parts, bool isCopied) const;
  std::string objectOf(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel, const KernelParts &parts,
                       std::size_t region, bool isCopied) const;

  static FunctionStreams streamsFor(const ProbeSetting &setting) {
    const bool mayHaveRows = setting.haveStreams && !setting.sharesHeaders && !setting.isRelocatable;
    const bool haveKernels = setting.haveStreams && !setting.copiesKernels && !setting.isThroughObjects && !setting.isRelocatable;
    return FunctionStreams(setting.haveStreams, mayHaveRows, haveKernels, haveKernels && setting.ownsHeaders);
  }

  ProbeSetting setting;
  llvm::DenseMap<const clang::FunctionDecl *, KernelParts> kernelsWithProbes;
  llvm::DenseSet<const clang::FunctionDecl *> kernelsWithAccesses;
  llvm::DenseSet<clang::FileID> editedFiles;
  bool functionsHoldProbes = false; ///< that look for their warp's part in shared memory
  bool functionsHoldStreams = false;
  bool functionsHoldEvents = false; ///< that look for their warp's row
};

/// Whether the kernel's opening brace can be edited.
bool hasPlaceForKernel(const TranslationUnit &unit, const clang::FunctionDecl *kernel);

} // namespace kperf

#endif
