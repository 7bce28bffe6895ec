// Which part of its warp's slot a region of a kernel records into, and how much room the parts need.
#ifndef KPERF_REWRITERS_RECORDPART_H
#define KPERF_REWRITERS_RECORDPART_H

#include "rewriters/analysis/RunsOnce.h"
#include "rewriters/analysis/WarpUniformity.h"
#include "rewriters/kernel/KernelNeeds.h"
#include "rewriters/kernel/Narrowing.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace kperf {

class KernelProbes;

/// How a region gets at its warp's slot.
enum class RecordPart {
  Convergent, ///< through the kernel's object: the whole warp comes by together, or those lanes of it that the object knows of
  Sum,        ///< the same, and only the entries' sums are stored
  First,      ///< through the kernel's object: of a warp, its first lane alone comes by
  Divergent,  ///< through the kernel's object, whoever comes by
  Shared,     ///< from any function
  Stream,     ///< through the stream of the function that it is in, or around it
  Frame,      ///< the same, at places of a frame
  Row         ///< from a function that must not take registers, or shared memory: through its warp's row in device memory
};

/// Decides for the annotations of one function, and counts what that takes of the kernel. Only what stands in a kernel's own body may use
/// the kernel's object, and of that only what a warp's lanes come to together and leave together may leave out who is there.
class RecordPartChooser {
public:
  /// `needs`: of the rewriter.
  RecordPartChooser(const TranslationUnit &unit, const AnnotatedFunction &holder, const KernelProbes &kernels, KernelNeeds &needs);

  /// What was chosen was planned: `needs` gets what that takes of the kernel.
  void keep() { needs.set(holder.function, parts); }

  const bool sharesRecords; ///< two regions may share one (ProbeSetting)

  /// What is of RecordPart::Stream, Frame or Row was planned; others are nothing to it.
  void addToStream(PlanAdditions &additions, RecordPart part, RecordName name, std::size_t region);
  std::optional<FrameWords> wordsOf(RecordName name) const { return streams.wordsOf(name); }

  /// For an event at `statement`, of which there may be `records` a visit.
  RecordPart chooseForEvent(const clang::Stmt *statement, unsigned records = 1);
  /// For an event that a whole warp may record in front of the branch that some of its lanes take to it; false where it may not. `object`:
  /// what the record says, null where that is a number; `isPlace`: it is an lvalue, whose address counts.
  bool chooseBeforeBranch(const clang::IfStmt *branch, const clang::Stmt *event, const clang::Expr *object, bool isPlace);
  /// For a region over the statements of `extent`, begun at `statement`. `isToBeSummed` asks for RecordPart::Sum, which addSum() is then
  /// told of.
  RecordPart chooseForRegion(const clang::Stmt *statement, llvm::ArrayRef<const clang::Stmt *> extent, bool isToBeSummed = false);
  /// Whether a region from one byte to another holds a part of one that is summed up, but not all of it: times of sums are told apart by
  /// what stands inside of what.
  bool crossesSum(unsigned begin, unsigned end) const;
  /// Gives the region its place among the kernel's sums.
  std::size_t addSum(const SummedRegion &region);
  /// Some records have an object, or a clock, in place of the lanes.
  void haveObjects() { parts.hasObjects = true; }
  /// Whether a region chosen last may have its records in common with another: of a whole warp, for a shared record does not say who came.
  bool mayShareRecord(RecordPart part) const { return part == RecordPart::Convergent && parts.partings.empty(); }
  /// The region begun at `statement` has its records in common with the one before it.
  void shareRecord(const clang::Stmt *statement);
  /// For a range with these begins and ends, any of which may be followed by a return.
  RecordPart chooseForRange(llvm::ArrayRef<const clang::Stmt *> events);
  /// For a range whose begins and ends stand in pairs in one block each, with no jump past either; `isToBeSummed` as above. Each pair is
  /// one record, but in RecordPart::Shared and Row, where each event is.
  RecordPart chooseForBlockRange(llvm::ArrayRef<const clang::Stmt *> begins, llvm::ArrayRef<const clang::Stmt *> ends, bool isToBeSummed);
  /// For a wait at `at` in its statement, or a signal.
  RecordPart chooseForWait(const clang::Stmt *at, const clang::Stmt *statement);
  RecordPart chooseForSignal(const clang::Stmt *at, const clang::Stmt *statement);
  /// For an event in a macro's definition, which other functions may use too: never through the kernel's object.
  RecordPart chooseInMacro(const clang::Stmt *statement, unsigned records = 1);

private:
  bool leavesWhole(llvm::ArrayRef<const clang::Stmt *> extent) const;
  bool leavesTogether(llvm::ArrayRef<const clang::Stmt *> extent) const;
  RecordPart partAt(const clang::Stmt *statement, llvm::ArrayRef<const clang::Stmt *> extent = {});
  RecordPart partOfGroup(llvm::ArrayRef<const clang::Stmt *> begins, llvm::ArrayRef<const clang::Stmt *> ends);
  RecordPart partInFunction(RecordName name) const;
  RecordPart count(const clang::Stmt *statement, RecordPart part, unsigned records);

  const AnnotatedFunction &holder;
  const FunctionStreams &streams;
  KernelNeeds &needs;
  KernelParts parts;   ///< of the kernel that the function is or lies in
  unsigned otherLanes; ///< groups into which the lanes of a warp can diverge, beside the one with lane 0; and one more that
                       ///< leaves for itself
  const WarpUniformity *uniformity = nullptr; ///< of a kernel's own body that has no stream
  std::optional<Narrowing> narrowing;         ///< of the same
  const RunsOnce *once = nullptr;             ///< of a kernel's own body
};

} // namespace kperf

#endif
