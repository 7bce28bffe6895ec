// Which statements of a kernel a whole warp reaches together.
#ifndef KPERF_REWRITERS_WARPUNIFORMITY_H
#define KPERF_REWRITERS_WARPUNIFORMITY_H

#include "rewriters/analysis/LaneDependence.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace kperf {

/// An analysis of the text of one kernel's own body, which of a template is its pattern: conditions that may differ between lanes split the
/// warp for the statements below them; a `return`, `break` or `continue` in such a place splits it for what follows (up to the function's
/// or the loop's end). Lambdas and functions that the kernel calls are not judged. What depends on a template's arguments is asked of its
/// instances, where all are known. Errs towards "split".
///
/// Where lanes part in one of two ways, those that go on still come together. At a departure, `if (condition) return;`, the others leave
/// the kernel; a passage, a loop or an `if` that holds one, is what the others wait behind.
class WarpUniformity {
public:
  /// `instantiator`: makes the instances of a template; null where there may be others.
  WarpUniformity(const clang::FunctionDecl *kernel, Instantiator *instantiator);

  /// True when every lane of a warp reaches the statement together, or none does.
  bool isWhole(const clang::Stmt *statement) const { return whole.contains(statement); }
  /// True when all lanes of a warp reach the statement together that did not leave at a departure and went into each passage around it.
  bool isTogether(const clang::Stmt *statement) const { return together.contains(statement); }
  /// The innermost passage around such a statement, which is itself reached together; null where there is none.
  const clang::Stmt *passageAround(const clang::Stmt *statement) const { return together.lookup(statement); }
  /// All that any instance has; those count at which lanes come together, and around which no instance has a passage.
  llvm::ArrayRef<const clang::IfStmt *> departures() const { return departureList.getArrayRef(); }
  /// Whether a `return` is a departure's.
  bool isDeparting(const clang::Stmt *jump) const { return departing.contains(jump); }
  /// True when at most the first lane of a warp reaches the statement.
  bool isFirstLaneOnly(const clang::Stmt *statement) const { return firstLane.contains(statement); }
  /// True when the expression has the same value in all lanes that evaluate it together; or, of an lvalue, is the same
  /// place.
  bool isUniform(const clang::Expr *expression, bool isPlace) const {
    return isPlace ? !lanes.addressDiffers(expression) : !lanes.differs(expression);
  }

private:
  /// How control reaches a statement.
  struct Context {
    bool isSplit = false;                       ///< below a condition that differs, unless that is a passage's
    const clang::Stmt *passage = nullptr;       ///< the innermost one around it
    unsigned passages = 0;                      ///< how many there are
    bool isFirstLaneOnly = false;               ///< below a condition that no other lane passes
    bool *loopIsSplit = nullptr;                ///< set when some lanes leave the innermost loop, or an iteration of it, early
    bool *switchIsSplit = nullptr;              ///< set when some lanes leave the switch in it early
    const clang::Stmt *loopPassage = nullptr;   ///< `passage` at the beginning of the loop's body
    const clang::Stmt *switchPassage = nullptr; ///< and of the switch's
  };

  struct OfInstance {};
  WarpUniformity(const clang::FunctionDecl *instance, Instantiator *instantiator, OfInstance);

  void judge(const clang::Stmt *body);
  void readInstances(const clang::FunctionTemplateDecl *kernel, Instantiator &instantiator);
  void walk(const clang::Stmt *statement, Context context);
  void walkBranch(const clang::IfStmt *branch, Context context);
  void walkDeparture(const clang::IfStmt *branch, Context context);
  void noteLeaving(const clang::Stmt *jump, const Context &context);
  void walkSwitch(const clang::SwitchStmt *choice, Context context);
  void walkLoop(const clang::Stmt *loop, const clang::Expr *condition, Context context);
  struct Place {
    const clang::VarDecl *variable;
    bool differs;
  };
  void findPlaces(const clang::Expr *target, bool differs, llvm::SmallVectorImpl<Place> &places) const;
  void noteEffects(const clang::Stmt *expression, bool isSplit);
  void noteVariable(const clang::VarDecl *variable, bool isSplit);
  void noteArguments(const clang::Expr *expression, bool isSplit);
  void noteObject(const clang::CallExpr *call, bool isSplit);
  void noteAssignment(const clang::Expr *target, bool differs, const clang::Expr *value = nullptr);
  void noteArray(const clang::Stmt *expression);
  void noteBase(const clang::Expr *base, bool isSplit);

  const clang::ASTContext &ast;
  LaneDependence lanes;
  llvm::DenseSet<const clang::Stmt *> whole, firstLane, departing;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> together; ///< with the innermost passage around each
  llvm::SetVector<const clang::IfStmt *> departureList;
  llvm::DenseMap<const clang::VarDecl *, unsigned> passagesAround; ///< a variable
  unsigned passagesHere = 0;
  bool lanesLeft = false;   ///< some lanes may have returned
  bool hasDeparted = false; ///< the same at a departure
  bool hasGoto = false;
  bool changed = false; ///< the last walk learned something
};

} // namespace kperf

#endif
