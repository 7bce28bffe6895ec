// Finds the loops of which an iteration may be compiled twice: with its accesses to memory counted, and without.
#ifndef KPERF_REWRITERS_SAMPLEDLOOPS_H
#define KPERF_REWRITERS_SAMPLEDLOOPS_H

#include "rewriters/analysis/CalledCode.h"
#include "rewriters/plan/Plan.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// The loops of one function, innermost of those that access memory, whose bodies can become lambdas that are inlined at two places
/// (kperf/gpu/memory/SampledLoop.h). Not one that may come to what lanes of a warp do together, such as a barrier or a shuffle: lanes
/// that have diverged before may decide differently, and would wait for each other at two places.
class SampledLoops {
public:
  /// `body`: of the function; loops of lambdas in it are those of other functions. `accesses`: the expressions in it that are counted.
  /// `soFar`: no loop that holds edits is one.
  SampledLoops(const TranslationUnit &unit, const Plan &soFar, const clang::Stmt *body,
               const llvm::DenseSet<const clang::Stmt *> &accesses);

  /// Whether the access is made in the body of one, which plan() then makes a lambda with a parameter `kperf_sample`.
  bool use(const clang::Stmt *access);
  /// Of all loops that were used. `isCopied`: KernelProbes::isCopied() of the function.
  void plan(PlanAdditions &additions, bool isCopied) const;

private:
  /// Where text goes around code: before `begin`, and before `end`.
  struct Around {
    std::string path;
    unsigned begin = 0, end = 0;
    std::string prefix, suffix; ///< of the text at `begin`: OpenPoint's
    bool isBlock = false;       ///< it is all between the braces of a block
  };
  /// A statement in front of which the object stands that counts the iterations of loops in it.
  struct Counted {
    Around place;
    std::string name; ///< of the object
  };
  struct Loop {
    Around body;
    std::size_t counted;
    bool isUsed = false;
  };
  enum class Holds { Nothing, Access, Loop }; ///< Loop: one that holds an access
  Holds findLoops(const clang::Stmt *statement, const llvm::DenseSet<const clang::Stmt *> &accesses);
  bool leavesPartOut(const clang::Stmt *statement) const;
  void walk(const clang::Stmt *statement, const clang::Stmt *attributed, const clang::Stmt *around);
  void add(const clang::Stmt *loop, const clang::Stmt *body, const clang::Stmt *around);
  bool isSampled(const clang::Stmt *loop, const clang::Stmt *body, const Around &place);
  std::optional<std::size_t> countedAt(const clang::Stmt *statement);
  std::optional<Around> insideOf(const clang::Stmt *body) const;
  std::optional<Around> aroundOf(const clang::Stmt *statement) const;
  bool holdsEdit(const Around &place) const;

  const TranslationUnit &unit;
  const Plan &planned;
  const clang::Stmt *function;                          ///< its body
  CalledCode collective;                                ///< what lanes of a warp may have to come together for
  llvm::DenseSet<const clang::Stmt *> innermost, outer; ///< loops that hold accesses
  std::vector<Loop> loops;
  std::vector<Counted> counted;
  llvm::DenseMap<const clang::Stmt *, std::size_t> countedOf; ///< by statement
  llvm::DenseMap<const clang::Stmt *, std::size_t> loopOf;    ///< by all that stands in a loop's body
};

} // namespace kperf

#endif
