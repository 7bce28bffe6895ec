// Looks names up in SyncConstructs.def.
#include "SyncConstruct.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

namespace {

constexpr StringLiteral kWaitFunctions[] = {
#define KPERF_WAIT_FUNCTION(name) name,
#include "SyncConstructs.def"
};
constexpr StringLiteral kWaitMembers[] = {
#define KPERF_WAIT_MEMBER(name) name,
#include "SyncConstructs.def"
};
constexpr StringLiteral kWaitInstructions[] = {
#define KPERF_WAIT_INSTRUCTION(name) name,
#include "SyncConstructs.def"
};
constexpr StringLiteral kIssueFunctions[] = {
#define KPERF_ISSUE_FUNCTION(name) name,
#include "SyncConstructs.def"
};
constexpr StringLiteral kIssueInstructions[] = {
#define KPERF_ISSUE_INSTRUCTION(name) name,
#include "SyncConstructs.def"
};

clang::DeclarationName calledDeclaration(const clang::CallExpr *call) {
  if (const auto *function = dyn_cast_or_null<clang::NamedDecl>(call->getCalleeDecl()))
    return function->getDeclName();
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
    return member->getMember();
  if (const auto *lookup = dyn_cast<clang::OverloadExpr>(callee))
    return lookup->getName();
  if (const auto *reference = dyn_cast<clang::DependentScopeDeclRefExpr>(callee))
    return reference->getDeclName();
  return {};
}

bool isMemberCall(const clang::CallExpr *call) {
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  return isa<clang::MemberExpr, clang::CXXDependentScopeMemberExpr, clang::UnresolvedMemberExpr>(callee);
}

/// The first instruction of a list that the text holds, where a word begins.
StringRef instructionIn(StringRef text, ArrayRef<StringLiteral> instructions) {
  for (StringRef instruction : instructions)
    for (std::size_t at = text.find(instruction); at != StringRef::npos; at = text.find(instruction, at + 1))
      if (at == 0 || !(isAlnum(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '_'))
        return instruction;
  return {};
}

std::optional<SyncConstruct> inAssembly(StringRef text) {
  if (StringRef name = instructionIn(text, kWaitInstructions); !name.empty())
    return SyncConstruct{SyncKind::Wait, name.str(), name.contains("try_wait") || name.contains("test_wait")};
  if (StringRef name = instructionIn(text, kIssueInstructions); !name.empty())
    return SyncConstruct{SyncKind::Issue, name.str(), false};
  return std::nullopt;
}

} // namespace

std::string calledName(const clang::CallExpr *call) { return calledDeclaration(call).getAsString(); }

std::string qualifiedCalledName(const clang::CallExpr *call) {
  const auto *function = dyn_cast_or_null<clang::NamedDecl>(call->getCalleeDecl());
  return function ? function->getQualifiedNameAsString() : calledName(call);
}

std::optional<SyncConstruct> syncConstruct(const clang::Stmt *statement) {
  if (const auto *assembly = dyn_cast<clang::GCCAsmStmt>(statement))
    return inAssembly(assembly->getAsmString());
  const auto *call = dyn_cast<clang::CallExpr>(statement);
  if (!call)
    return std::nullopt;
  std::string name = calledName(call);
  if (isMemberCall(call) ? is_contained(kWaitMembers, name) : is_contained(kWaitFunctions, name))
    return SyncConstruct{SyncKind::Wait, name, StringRef(name).contains("try_wait") || StringRef(name).contains("test_wait")};
  if (is_contained(kIssueFunctions, name))
    return SyncConstruct{SyncKind::Issue, name, false};
  return std::nullopt;
}

} // namespace kperf
