// Recognises the calls, members and inline assembly at which a warp waits, and those that such waits are for.
#ifndef KPERF_REWRITERS_SYNCCONSTRUCT_H
#define KPERF_REWRITERS_SYNCCONSTRUCT_H

#include <kperf/format.h>

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

/// Where a construct names its object.
enum class SyncOperand {
  Nothing,     ///< nowhere: there is one, or it can't be told
  Argument,    ///< a number, or a barrier by its address: the first argument
  Template,    ///< a number: the first template argument
  Group,       ///< a cooperative group, whose type says what it is: the first argument, or the member's object
  Pointer,     ///< a barrier: the first argument that is a pointer
  LastPointer, ///< a barrier: the last argument, if it is a pointer; else there is none
  Reference,   ///< a barrier: the first argument, by reference
  Base,        ///< a barrier: the member's object
  Operand,     ///< a number: the instruction's first operand
  Address,     ///< a barrier: the instruction's first operand in brackets
  Pipeline,    ///< a pipeline, whose type says what it is: the member's object, or the first argument; behind it may stand a stage
  Completion,  ///< what a copy's completion is seen at: the last argument, a barrier by reference or a pipeline
  LastAddress, ///< a barrier: its last operand in brackets; where the instruction names no mbarrier there is none
  With,        ///< a barrier, by reference: of the first argument, which CuTe's `with` makes (BarrierCopies.h)
};

struct SyncConstruct {
  std::string name; ///< of the function, the member or the instruction
  format::SyncOperation operation = format::SyncOperation::Await;
  format::SyncObject object = format::SyncObject::Unknown;
  SyncOperand operand = SyncOperand::Nothing;
  bool isPoll = false;  ///< one try, in a loop until it succeeds
  std::string assembly; ///< the instruction from its name to its end

  bool isWait() const { return operation == format::SyncOperation::Barrier || operation == format::SyncOperation::Await; }
};

/// What a call or an asm statement is by SyncConstructs.def; nothing for any other statement. Names decide, so that calls
/// which only an instantiation of a template resolves are seen too.
std::optional<SyncConstruct> syncConstruct(const clang::Stmt *statement);

/// Whether calls of the function, or of the variable that a lambda is, are constructs by their name. What its body does to wait or to
/// signal is how that is made, and is recorded where it is called.
bool isNamedConstruct(const clang::FunctionDecl *function);

/// What the text of an asm statement is by the same table; `assembly` is set.
std::optional<SyncConstruct> syncInstruction(llvm::StringRef text);

/// What stands in the instruction's first or last pair of brackets, %[name] inside of them or not; empty where there is none.
llvm::StringRef bracketedOperand(llvm::StringRef instruction, bool isLast);

/// The name of what is called, as it is written: "sync" of cg::sync(group) and of group.sync(). Empty when there is none.
std::string writtenName(const clang::CallExpr *call);

/// With its namespaces where Clang resolved the call; else as writtenName.
std::string qualifiedCalledName(const clang::CallExpr *call);

/// Whether a member is called, resolved or not.
bool isMemberCall(const clang::CallExpr *call);

/// The object whose member is called; null for a member of this.
const clang::Expr *calledObject(const clang::CallExpr *call);

/// Of a construct that is a call, the expression that names its object; null where it names none by an expression, and of With.
const clang::Expr *operandOfCall(const clang::CallExpr *call, const SyncConstruct &construct);

/// A cuda::pipeline: of one thread, whose copies are groups of its own, or of several.
enum class PipelineKind { OfThread, OfSeveral };
/// By the type of an expression that is one, or points to one; where Clang has none (FunctionBodies.h's isDamaged), or an
/// instantiation will, by the call that makes the variable that it names. Nothing for any other, and where only an
/// instantiation knows.
std::optional<PipelineKind> pipelineKind(const clang::Expr *expression, const clang::FunctionDecl *function);

/// Of an Expect that is a call, the number of arrivals; null where it has none.
const clang::Expr *arrivalsOfCall(const clang::CallExpr *call);

/// The variable that an expression in that function is, also where Clang knows no type for it and keeps nothing but its name, which one
/// variable of the function has; null for any other.
const clang::VarDecl *variableNamed(const clang::Expr *expression, const clang::FunctionDecl *function);

/// Whether the expression's value is an address, also where only an instantiation knows its type and its words show it.
bool isPointer(const clang::Expr *expression);

} // namespace kperf

#endif
