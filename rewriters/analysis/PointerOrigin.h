// Tells whether what an expression names may live in memory, or in automatic variables, which stay in registers.
#ifndef KPERF_REWRITERS_POINTERORIGIN_H
#define KPERF_REWRITERS_POINTERORIGIN_H

#include "rewriters/analysis/FunctionBody.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace kperf {

enum class Origin {
  Memory,    ///< global or shared
  Constant,  ///< a __constant__ variable
  Automatic, ///< a variable that has no address unless somebody takes it
  Unknown,   ///< any of them
};

/// What flows into pointers, references and the objects of member functions: flow-insensitive, by assignments, initialisers and calls
/// within these functions. A parameter that some call gives the address of an automatic variable may point there ever after. A reference,
/// and the object of a member function, is in memory where all of these functions' calls say so, and there is one.
class PointerOrigins {
public:
  /// Reads all of them until nothing new is found.
  void learn(llvm::ArrayRef<FunctionBody> bodies);

  /// Of what a glvalue names.
  Origin ofLvalue(const clang::Expr *expression) const;
  /// Of what a pointer, or an array that becomes one, points to.
  Origin ofPointer(const clang::Expr *expression) const;

  /// What may be at a glvalue of which the origin is unknown, in words.
  static std::string whyUnknown(const clang::Expr *expression);

  /// Whether the expression is syntactically a pointer, whatever the template arguments are.
  static bool isPointer(const clang::Expr *expression);
  /// Whether the variable's declaration says that it is one, or its initialiser's type where it says `auto`.
  static bool declaresPointer(const clang::VarDecl *variable);
  /// The member that the primary template declares, where the object's type is an instance that depends on arguments, or a class in one;
  /// null where the object's class is a template argument, or of one.
  static const clang::NamedDecl *declaredMember(const clang::CXXDependentScopeMemberExpr *member);
  /// Whether the call gives a reference, by a function of the user's or by one that givesPart().
  static bool givesReference(const clang::CallExpr *call);
  /// Whether it is a library's, and gives a reference to a part of its object or its only argument, or to what that leads to: an element
  /// of an array or a span, a member of a tuple.
  static bool givesPart(const clang::FunctionDecl *function);
  /// Whether it is "*p", be it one that Clang leaves open because somebody has overloaded operators; no call of a
  /// function.
  static bool isDereference(const clang::Expr *expression);

  /// What is subscripted, and by what. Clang takes whatever does not stand beside an integer for the base, and the type
  /// of an index may depend on template arguments.
  struct Subscript {
    explicit Subscript(const clang::ArraySubscriptExpr *expression);
    const clang::Expr *base, *index;
  };

  /// Of a variable or a structured binding, or of what it refers to.
  Origin ofVariable(const clang::ValueDecl *declaration) const;

private:
  friend class OriginLearner;
  Origin ofBinding(const clang::BindingDecl *binding) const;
  Origin ofSubscript(const clang::Expr *base) const;
  /// Of what the pointer or the reference that a call gives leads to, by what the functions return.
  Origin ofResult(const clang::CallExpr *call) const;

  /// The same of what a library's function givesPart() of: parts of an object are where it is.
  Origin ofPart(const clang::CallExpr *call) const;

  /// Whether the objects of a class whose member functions are called are in memory, all of them.
  bool areInMemory(const clang::CXXRecordDecl *record) const;

  llvm::DenseSet<const clang::VarDecl *> tainted;         ///< pointers and references that may lead to automatic variables
  llvm::DenseSet<const clang::VarDecl *> bound;           ///< parameters that are references, and that some call binds
  llvm::DenseSet<const clang::CXXRecordDecl *> called;    ///< classes of which some call names an object; of templates the pattern
  llvm::DenseSet<const clang::CXXRecordDecl *> automatic; ///< classes of which some objects may be automatic variables
  llvm::DenseSet<clang::DeclarationName> calledOnUnknown; ///< member functions that are called on objects of nobody knows which class
  mutable unsigned depth = 0;                             ///< of calls that ofResult() is following
};

} // namespace kperf

#endif
