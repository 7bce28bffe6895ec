// CUDA's and HIP's functions that access memory through their arguments.
#ifndef KPERF_REWRITERS_MEMORYINTRINSICS_H
#define KPERF_REWRITERS_MEMORYINTRINSICS_H

#include <kperf/format.h>

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace kperf {

/// An argument that is the address of what the function accesses.
struct AddressArgument {
  unsigned index;
  format::SiteKind kind;
  std::optional<unsigned> bytesIndex = std::nullopt; ///< the argument that says how many bytes; without it the pointer's type does
  bool isBulk = false;                               ///< each lane copies a range on its own
  llvm::StringRef reason = {};                       ///< why the access is not counted; "" when it can be
};

/// Why the side of a bulk copy that lies in shared memory is not counted.
inline constexpr llvm::StringLiteral kBulkInShared = "bulk copies have no bank conflicts: their global side is counted";

/// Empty for functions that are not known to access memory.
llvm::SmallVector<AddressArgument, 2> addressArgumentsOf(const clang::CallExpr *call);

/// Of a builtin on the model of C++'s atomics: __hip_atomic_load, __atomic_fetch_add.
format::SiteKind atomicKindOf(const clang::AtomicExpr *operation);

/// Functions of system headers are not rewritten; nor are those that the compiler makes.
bool isOfLibrary(const clang::FunctionDecl *callee);

/// What a library's cast of a reference to a reference is given: of std::move(v[i]) that is v[i]. Null for other calls.
const clang::Expr *castArgument(const clang::CallExpr *call);

/// What a function of a library does with what it takes by a reference at `index`. One that it forwards (T &&) it reads: of those that
/// write there, as std::exchange() does to its first parameter, each declares a T &.
enum class Passing { Read, Change, Keep };
Passing passingOf(const clang::FunctionDecl *callee, unsigned index);

/// Whether a type's objects are copied by plain loads and stores, as HIP's float4 and CUDA's half2 are by operators
/// that do just that.
bool isPlain(clang::QualType type, const clang::ASTContext &context);

/// What the functions that an unresolved call may mean do with an argument that lies in memory. Read: each reads it and cannot change it,
/// mathematics and conversions by their names, others by their declarations, an object of a template parameter's type by its operator() in
/// the instances that the translation unit knows. Bound: one may take it by a reference, and what it does with that is seen there. Open:
/// nobody knows which function it is.
enum class Taking { Read, Bound, Open };
Taking takingOf(const clang::CallExpr *call, unsigned index);

/// Whether an object of a type that templates leave open, made of `count` arguments, may read this one: not where every constructor that
/// takes so many binds a reference to it by which it could be changed, as cub::BlockReduce<T, 128>(storage) does. What one of the user's
/// own does with any reference is seen there.
bool mayReadArgument(clang::QualType made, unsigned count, unsigned index);

} // namespace kperf

#endif
