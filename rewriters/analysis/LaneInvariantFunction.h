// Tells whether a function returns the same result to all lanes that call it with the same arguments.
#ifndef KPERF_REWRITERS_LANEINVARIANTFUNCTION_H
#define KPERF_REWRITERS_LANEINVARIANTFUNCTION_H

#include "rewriters/analysis/Instantiator.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kperf {

/// What a call's name says of its result when the callee itself is not looked at.
enum class CallResult {
  Uniform,        ///< the same in all lanes, whatever the arguments
  AsItsArguments, ///< the same where the arguments are
  Unknown,
  OfMember ///< the name says nothing: it is a member's
};
CallResult resultByName(llvm::StringRef name);
CallResult resultOf(const clang::CallExpr *call);

/// True when the function's body is there and reads nothing but its parameters, its object, its own variables and constants,
/// directly and in what it calls. Of an instance of a template the pattern is read, or what `instantiator` makes of it. `isOfWarp` judges
/// operations on the thread's index: true where all lanes of a warp get one result.
bool isLaneInvariant(const clang::FunctionDecl *function, llvm::function_ref<bool(const clang::BinaryOperator *)> isOfWarp,
                     Instantiator *instantiator);

/// The same of what a constructor makes of equal arguments.
bool isLaneInvariantConstructor(const clang::CXXConstructorDecl *constructor,
                                llvm::function_ref<bool(const clang::BinaryOperator *)> isOfWarp, Instantiator *instantiator);

/// True when an object of this type that is made of no arguments reads nothing else either. False for a class that is not known.
bool isLaneInvariantObject(clang::QualType type, llvm::function_ref<bool(const clang::BinaryOperator *)> isOfWarp,
                           Instantiator *instantiator);

/// True when making an object of this type reads nothing but the arguments: every constructor that is not the compiler's
/// own is lane-invariant. False for a type that is not known.
bool isMadeOfArguments(clang::QualType type, llvm::function_ref<bool(const clang::BinaryOperator *)> isOfWarp);

} // namespace kperf

#endif
