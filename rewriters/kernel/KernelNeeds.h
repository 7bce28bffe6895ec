// What a rewriter's probes need of kernels and of functions' streams: room for records, and traits.
#ifndef KPERF_REWRITERS_KERNELNEEDS_H
#define KPERF_REWRITERS_KERNELNEEDS_H

#include "rewriters/kernel/FunctionStreams.h"
#include "rewriters/plan/PlanAdditions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace kperf {

/// Records that one warp can produce in a part; what can't be bounded is ~0u.
class RecordBound {
public:
  void add(std::uint64_t records) { total = total + records < kUnbounded ? total + records : kUnbounded; }
  void addUnbounded() { total = kUnbounded; }
  std::uint32_t max() const { return static_cast<std::uint32_t>(total); }

private:
  static constexpr std::uint64_t kUnbounded = ~0u;
  std::uint64_t total = 0;
};

/// A region whose entries are summed up, and the bytes of the kernel's file that it spans.
struct SummedRegion {
  std::size_t region; ///< in the plan
  unsigned begin, end;
};

/// What a kernel's object has to provide: the parts of kperf/gpu/record/Probe.h.
struct KernelParts {
  RecordBound convergent, divergent, shared;
  RecordBound pieces;                                              ///< of the kernel's own stream, of whatever size
  llvm::DenseMap<const clang::Stmt *, unsigned> convergentRecords; ///< at most, each time that a statement is run
  llvm::SetVector<const clang::Stmt *>
      partings;          ///< of which the kernel's object is to know which lanes go on (rewriters/kernel/Narrowing.h)
  bool isCalled = false; ///< functions record into the shared part, so its count is where they find it
  std::vector<SummedRegion> sums;
  /// Whether the kernel records anything itself, or for functions.
  bool hasAny() const { return convergent.max() || divergent.max() || shared.max() || isCalled || !sums.empty(); }
  bool usesStream = false; ///< functions record into streams of their own
  bool usesRow = false;    ///< or into their warp's row
  bool hasObjects = false; ///< some records have an object or a clock in place of the lanes

  void add(const KernelParts &other);
};

struct KernelNeeds {
  llvm::DenseMap<const clang::FunctionDecl *, KernelParts> kernels; ///< whose own bodies record events
  llvm::DenseSet<const clang::FunctionDecl *> kernelsWithAccesses;  ///< whose own bodies have probes of another kind
  std::vector<const clang::FunctionDecl *> edited;                  ///< that record events, or lie in one that does
  StreamUses streams;
  bool functionsHoldProbes = false; ///< that look for their warp's part in shared memory
  bool functionsHoldStreams = false;
  bool functionsHoldEvents = false; ///< that look for their warp's row

  /// Of no kernel, nothing.
  KernelParts partsOf(const clang::FunctionDecl *kernel) const { return kernel ? kernels.lookup(kernel) : KernelParts(); }
  /// A function got probes; `parts` is all that the kernel needs that it is or lies in, if any.
  void set(const clang::FunctionDecl *function, const KernelParts &parts);
  /// Another rewriter's.
  void add(const KernelNeeds &other);
};

/// What a rewriter returns.
struct RewriterResult {
  RewriterResult(PlanAdditions plan, KernelNeeds needs = KernelNeeds()) : plan(std::move(plan)), needs(std::move(needs)) {}

  PlanAdditions plan;
  KernelNeeds needs;
};

} // namespace kperf

#endif
