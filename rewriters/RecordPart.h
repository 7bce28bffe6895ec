// Which part of its warp's slot a region of a kernel records into, and how much room the parts need.
#ifndef KPERF_REWRITERS_RECORDPART_H
#define KPERF_REWRITERS_RECORDPART_H

#include "AnnotatedFunction.h"
#include "WarpUniformity.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>

namespace kperf {

/// Records that one warp can produce in a part; what can't be bounded is ~0u.
class RecordBound {
public:
  void add(std::uint64_t records) { total = total + records < kUnbounded ? total + records : kUnbounded; }
  void addUnbounded() { total = kUnbounded; }
  std::uint32_t most() const { return static_cast<std::uint32_t>(total); }

private:
  static constexpr std::uint64_t kUnbounded = ~0u;
  std::uint64_t total = 0;
};

/// A kernel's two parts (kperf/cuda/Probe.h): its own, with the cursor in registers, and the shared one.
struct KernelParts {
  RecordBound own, shared;
};

/// Decides for the annotations of one function. Only what stands in a kernel's own body, where a whole warp comes by
/// together and leaves together, may use the kernel's own part.
class RecordPartChooser {
public:
  RecordPartChooser(const AnnotatedFunction &holder, KernelParts &parts);

  /// For an event at `statement`, of which there may be `records` a visit.
  bool isOwn(const clang::Stmt *statement, unsigned records = 1);
  /// For a region over `extent`, begun at `statement`; every way out of it must be the whole warp's.
  bool isOwnRegion(const clang::Stmt *statement, const clang::Stmt *extent);
  /// For a range with these begins and ends, any of which may be followed by a return.
  bool isOwnRange(llvm::ArrayRef<const clang::Stmt *> events);
  /// For an event in a macro's definition, which other functions may use too: never the kernel's own.
  bool isShared(const clang::Stmt *statement, unsigned records = 1);

private:
  bool leavesWhole(const clang::Stmt *extent) const;
  void count(const clang::Stmt *statement, bool isOwn, unsigned records);

  const AnnotatedFunction &holder;
  KernelParts &parts;
  std::optional<WarpUniformity> uniformity; ///< of a kernel's own body
};

} // namespace kperf

#endif
