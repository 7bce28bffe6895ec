// Tells whether an expression may have different values in the lanes of one warp.
#ifndef KPERF_REWRITERS_LANEDEPENDENCE_H
#define KPERF_REWRITERS_LANEDEPENDENCE_H

#include "rewriters/analysis/ArgumentPassing.h"
#include "rewriters/analysis/Instantiator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <optional>

namespace kperf {

/// The most lanes that a warp of the source's target can have: of AMD's GPUs some have waves of 64 lanes and some of 32, or
/// both, and what is uniform over 64 lanes is uniform over 32 of them.
inline unsigned maxWarpLanes(const clang::ASTContext &context) { return context.getLangOpts().HIP ? 64 : 32; }

/// The place that a local reference is bound to, where the syntax shows one; else null.
const clang::Expr *boundTo(const clang::VarDecl *variable);

/// Conservative: what is called uniform is uniform; what is said to differ may not.
class LaneDependence {
public:
  /// `lanesAreNeighbours`: the lanes of a warp have consecutive threadIdx.x, from a multiple of `warpLanes` on, because the
  /// kernel's blocks have one row.
  /// `instantiator`: makes the bodies of what an instance of a template calls; null where a pattern is judged.
  LaneDependence(bool lanesAreNeighbours, unsigned warpLanes, Instantiator *instantiator)
      : lanesAreNeighbours(lanesAreNeighbours), warpLanes(warpLanes), instantiator(instantiator) {}

  /// True when the expression may differ between lanes that evaluate it together: it comes from threadIdx, from memory at addresses that
  /// may differ, from an unknown call, or from a variable that was marked.
  bool differs(const clang::Expr *expression) const;

  /// Of an lvalue: whether lanes may mean different places by it. Each lane has its own automatic variables.
  bool addressDiffers(const clang::Expr *place) const;

  /// True when at most the first lane of a warp can find the condition true.
  bool isFirstLaneOnly(const clang::Expr *condition) const;

  /// Whether the function gives lanes that call it together with the same arguments the same result.
  bool isInvariant(const clang::FunctionDecl *function) const;

  /// Whether making the variable's object from arguments that are the same gives the same.
  bool isMadeOfArguments(const clang::VarDecl *variable) const;

  /// Whether a variable without an initializer may differ: by what its default constructor reads, or where that is not known.
  bool differsByDefault(const clang::VarDecl *variable) const;

  /// Whether the call may change the argument at `index`, which it takes by reference.
  bool mayChangeArgument(const clang::CallExpr *call, unsigned index) const { return kperf::mayChangeArgument(call, index, instantiator); }
  /// Whether the function, where it is a member, may change its object.
  bool mayChangeObject(const clang::FunctionDecl *function) const { return kperf::mayChangeObject(function, instantiator); }

  /// Marks a variable as differing; false when it was already.
  bool mark(const clang::VarDecl *variable) { return marked.insert(variable->getCanonicalDecl()).second; }

  /// Whether a pointer surely points to memory that the lanes of a warp share, not to one lane's own.
  bool isToCommonMemory(const clang::Expr *pointer) const;
  /// Marks a variable as one that may point to a lane's own memory; false when it was already.
  bool markOfLane(const clang::VarDecl *variable) { return ofOneLane.insert(variable->getCanonicalDecl()).second; }

private:
  bool differsCall(const clang::CallExpr *call) const;
  std::optional<bool> differsShuffle(const clang::CallExpr *call) const;
  bool isInvariant(const clang::CXXConstructorDecl *constructor) const;
  bool differsObject(const clang::Expr *callee) const;
  bool differsReference(const clang::ValueDecl *declaration) const;
  bool differsElement(const clang::ArraySubscriptExpr *element) const;
  bool differsAt(const clang::Expr *pointer) const;
  std::optional<uint64_t> countOf(const clang::Expr *expression) const;
  bool isOfWarp(const clang::BinaryOperator *operation) const;
  bool isThreadIndexX(const clang::Expr *expression) const;
  bool isMultipleInFirstLaneOnly(const clang::Expr *expression) const;

  bool lanesAreNeighbours;
  unsigned warpLanes;
  Instantiator *instantiator;
  llvm::DenseSet<const clang::VarDecl *> marked, ofOneLane;
};

} // namespace kperf

#endif
