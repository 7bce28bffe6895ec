// Copies the function's body, with the number in place of the wait or arrival.
#include "rewriters/sync/BarrierNumber.h"

#include "rewriters/construct/SideEffects.h"
#include "rewriters/select/Selectable.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

class NumberFunctionBuilder {
public:
  NumberFunctionBuilder(const TranslationUnit &unit, const SyncWrapper &wrapper) : unit(unit), wrapper(wrapper), of(wrapper.function) {}

  BarrierNumber run() && {
    BarrierNumber result{of->getNameAsString(), "kperf_number_of_" + of->getNameAsString(), {}, {}};
    const auto *body = dyn_cast_or_null<clang::CompoundStmt>(of->getBody());
    const Stmt *statement = body ? ownStatementOf(body, wrapper.at) : nullptr;
    const std::optional<Place> begin = body ? unit.editablePlace(body->getLBracLoc()) : std::nullopt,
                               end = body ? unit.editablePlace(body->getRBracLoc()) : std::nullopt;
    if (!statement || !begin || !end || begin->file != end->file || !mayBeCopied() || !onlyDeclares(body, statement) ||
        !onlyReads(wrapper.number))
      return result;
    const std::string text = textOf(*begin, *end, statement);
    if (text.empty())
      return result;
    result.place = unit.behind(*end);
    result.function = formatv(" {0}__forceinline__ unsigned {1}({2}){3} {{ unsigned kperf_number = {5}u; {4} return kperf_number; }",
                              specifiers(), result.name, parameters(), isConst() ? " const" : "", text, format::kNoBarrier);
    return result;
  }

private:
  /// Whether a function of the same kind can stand behind it: it is defined where it is declared, and no template.
  bool mayBeCopied() const {
    const auto *method = dyn_cast<clang::CXXMethodDecl>(of);
    const bool isPlainMember =
        !method || (!method->isVirtual() && !method->isVolatile() && method->getRefQualifier() == clang::RQ_None &&
                    !method->getParent()->isLambda() && !isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(of));
    const bool hasPlainParameters = !of->isVariadic() && !of->getTrailingRequiresClause() &&
                                    all_of(of->parameters(), [&](const clang::ParmVarDecl *each) { return !each->isParameterPack(); });
    return isPlainMember && hasPlainParameters && !of->isOutOfLine() && !of->getFriendObjectKind() && !of->getDescribedFunctionTemplate() &&
           !of->isFunctionTemplateSpecialization() && (of->param_empty() || !parameters().empty());
  }

  /// Whether all that the body does but the statement is to declare variables of numbers and to choose by such.
  static bool onlyDeclares(const Stmt *code, const Stmt *statement) {
    if (code == statement)
      return true;
    if (code->getBeginLoc().isMacroID()) // an annotation may be one
      return false;
    if (const auto *declaration = dyn_cast<clang::DeclStmt>(code))
      return all_of(declaration->decls(), [&](const clang::Decl *each) { return isReadNumber(each); });
    if (const auto *branch = dyn_cast<clang::IfStmt>(code)) {
      if (branch->hasInitStorage() || branch->hasVarStorage() || !onlyReads(branch->getCond()))
        return false;
      return onlyDeclares(branch->getThen(), statement) && (!branch->getElse() || onlyDeclares(branch->getElse(), statement));
    }
    return isa<clang::NullStmt>(code) ||
           (isa<clang::CompoundStmt>(code) && all_of(code->children(), [&](const Stmt *child) { return onlyDeclares(child, statement); }));
  }

  static bool isReadNumber(const clang::Decl *declaration) {
    if (isa<clang::StaticAssertDecl>(declaration))
      return true;
    const auto *variable = dyn_cast<clang::VarDecl>(declaration);
    if (!variable || !variable->isLocalVarDecl() || variable->isStaticLocal() || !variable->getInit() || !onlyReads(variable->getInit()))
      return false;
    return variable->getType().getNonReferenceType()->isIntegralOrEnumerationType();
  }

  /// Says of the variables that are in scope at the statement that they are used: those that nothing but the statement's other arguments
  /// did, and a warning may be an error.
  std::string uses(const Stmt *code) const {
    std::string result;
    for (const Stmt *child : code->children()) {
      if (child && ownStatementOf(child, wrapper.at))
        return result + uses(child);
      const auto *declaration = dyn_cast_or_null<clang::DeclStmt>(child);
      for (const clang::Decl *each : declaration ? declaration->getDeclGroup() : clang::DeclGroupRef())
        if (const auto *variable = dyn_cast<clang::VarDecl>(each))
          result += "(void)" + variable->getNameAsString() + "; ";
    }
    return result;
  }

  /// The body, with the number in place of the statement.
  std::string textOf(Place begin, Place end, const Stmt *statement) const {
    const std::string number = unit.textIn(wrapper.number->IgnoreImplicit()->getSourceRange());
    Expected<StatementSpan> span = spanOf(unit, statement);
    if (!span) {
      consumeError(span.takeError());
      return {};
    }
    const TokenLayout &layout = unit.layoutOf(begin.file);
    const std::optional<unsigned> before = layout.previousToken(span->open.offset), behind = layout.nextToken(span->end - 1);
    const std::string head = before ? layout.textBetween(begin.offset, *before) : std::string(),
                      tail = behind ? layout.textBetween(*behind, end.offset) : std::string();
    if (span->file != begin.file || !span->open.prefix.empty() || !span->open.suffix.empty() || number.empty() || head.empty() ||
        tail.empty())
      return {};
    return formatv("{0} {{ {1}kperf_number = static_cast<unsigned>({2}) + {3}u; } {4}", head, uses(of->getBody()), number, wrapper.offset,
                   tail);
  }

  std::string parameters() const {
    return of->param_empty() ? std::string() : unit.textIn({of->parameters().front()->getBeginLoc(), of->parameters().back()->getEndLoc()});
  }

  bool isConst() const {
    const auto *method = dyn_cast<clang::CXXMethodDecl>(of);
    return method && method->isConst();
  }

  /// Of storage and execution space.
  std::string specifiers() const {
    std::string result;
    const auto *method = dyn_cast<clang::CXXMethodDecl>(of);
    if (method ? method->isStatic() : of->getStorageClass() == clang::SC_Static)
      result += "static ";
    if (of->hasAttr<clang::CUDAHostAttr>())
      result += "__host__ ";
    return of->hasAttr<clang::CUDADeviceAttr>() ? result + "__device__ " : result;
  }

  const TranslationUnit &unit;
  const SyncWrapper &wrapper;
  const clang::FunctionDecl *of;
};

struct Made {
  Made(const clang::FunctionDecl *, const TranslationUnit &unit, const SyncWrapper &wrapper)
      : number(NumberFunctionBuilder(unit, wrapper).run()) {}
  const BarrierNumber number;
};

} // namespace

const BarrierNumber &barrierNumber(const TranslationUnit &unit, const SyncWrapper &wrapper) {
  return unit.analyses.get<Made>(wrapper.function, unit, wrapper).number;
}

} // namespace kperf
