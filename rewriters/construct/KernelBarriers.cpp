// Walks a kernel's statements and looks for barriers below each.
#include "rewriters/construct/KernelBarriers.h"

#include "rewriters/analysis/CalledCode.h"
#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/unit/AnnotatedFunction.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;
using kperf::format::SyncObject;
using kperf::format::SyncOperation;

namespace kperf {

/// Of a block, of threads of it, or of a cluster; a warp's own and those of mbarriers do not matter.
static bool isBarrier(const Stmt *statement) {
  const std::optional<SyncConstruct> construct = syncConstruct(statement);
  if (construct && construct->isWait() &&
      (construct->object == SyncObject::BlockBarrier || construct->object == SyncObject::ClusterBarrier))
    return true;
  if (construct && construct->operation == SyncOperation::Barrier && construct->object == SyncObject::Unknown)
    return true; // of a cooperative group
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement)) {
    const std::string text = assembly->getAsmString();
    for (StringRef rest = text; !rest.empty(); rest = rest.drop_front()) {
      const bool isWord = rest.data() == text.data() || !(isAlnum(rest.data()[-1]) || rest.data()[-1] == '.');
      if (isWord && (rest.starts_with("bar.") || rest.starts_with("barrier.")))
        return true;
    }
  }
  const auto *call = dyn_cast<CallExpr>(statement);
  const std::string name = call ? writtenName(call) : std::string();
  return StringRef(name).starts_with("__nvvm_bar") && !StringRef(name).starts_with("__nvvm_bar_warp");
}

namespace {

class Finder {
public:
  explicit Finder(const ASTContext &context) : code(context, isBarrier, /*isUnknownSought=*/true) {}

  KernelBarriers run(const Stmt *body) {
    walk(body, /*isInBlock=*/true);
    return std::move(found);
  }

private:
  void walk(const Stmt *statement, bool isInBlock) {
    if (isa<ReturnStmt>(statement)) // behind it, only the kernel's end is recorded
      return;
    const auto parts = subStatements(statement);
    if (parts.empty() && !isa<CompoundStmt>(statement))
      return leaf(statement, isInBlock);
    for (const Stmt *child : statement->children()) {
      if (!child)
        continue;
      if (!is_contained(parts, child)) // a condition
        found.areAll = found.areAll && !code.reaches(child);
      else
        walk(child, isa<CompoundStmt>(statement) || (isInBlock && isa<SwitchCase, LabelStmt, AttributedStmt>(statement)));
    }
  }

  void leaf(const Stmt *statement, bool isInBlock) {
    if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each))
          found.areAll = found.areAll && !destructorReaches(variable->getType());
    if (code.reaches(statement))
      found.statements.push_back({statement, !isInBlock});
  }

  bool destructorReaches(QualType type) {
    const CXXRecordDecl *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return false;
    const CXXDestructorDecl *destructor = record->getDestructor();
    return !destructor || (!destructor->isDefaulted() && code.reaches(destructor));
  }

  CalledCode code;
  KernelBarriers found;
};

} // namespace

KernelBarriers barriersOf(const FunctionDecl *kernel) { return Finder(kernel->getASTContext()).run(kernel->getBody()); }

} // namespace kperf
