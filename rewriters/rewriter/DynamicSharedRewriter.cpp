// Host target: extern __shared__ T name[] becomes a reference to the running block's dynamic shared memory.
#include "rewriters/rewriter/Rewriter.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace kperf {

namespace {

bool isDynamicShared(const clang::VarDecl *variable) {
  return variable->hasAttr<clang::CUDASharedAttr>() && variable->hasExternalStorage();
}

class DynamicSharedFinder : public clang::DynamicRecursiveASTVisitor {
  using Base = clang::DynamicRecursiveASTVisitor;

public:
  DynamicSharedFinder(const TranslationUnit &unit, PlanAdditions &additions) : unit(unit), additions(additions) {}

  bool TraverseFunctionBodyOf(clang::Stmt *body, function_ref<bool()> traverse) {
    bodies.push_back(body);
    bool result = traverse();
    bodies.pop_back();
    return result;
  }

  bool TraverseDecl(clang::Decl *declaration) override {
    auto *function = dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!function || !function->doesThisDeclarationHaveABody())
      return Base::TraverseDecl(declaration);
    return TraverseFunctionBodyOf(function->getBody(), [&] { return Base::TraverseDecl(declaration); });
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    return TraverseFunctionBodyOf(lambda->getBody(), [&] { return Base::TraverseLambdaExpr(lambda); });
  }

  /// A declaration inside of a function is replaced where it stands.
  bool VisitDeclStmt(clang::DeclStmt *statement) override {
    std::string text;
    for (const clang::Decl *declared : statement->decls())
      if (const auto *variable = dyn_cast<clang::VarDecl>(declared); variable && isDynamicShared(variable))
        text += (text.empty() ? "" : " ") + binding(variable);
    if (text.empty())
      return true;
    std::optional<Place> begin = beginOf(statement), end = endOf(statement);
    if (!begin || !end || begin->file != end->file) {
      unit.reporter.error(statement->getBeginLoc(), "this extern __shared__ array is written by a macro: the host target "
                                                    "needs its declaration in the source");
      return true;
    }
    unsigned length = end->offset + 1 - begin->offset;
    StringRef replaced = unit.sources.getBufferData(begin->file).substr(begin->offset, length);
    text.append(replaced.count('\n'), '\n');
    additions.addEdit({unit.pathOf(begin->file), begin->offset, EditOrder::Open, text, std::nullopt, {}, length});
    return true;
  }

  /// One at namespace scope has no block yet: each function that uses it gets a reference of the same name.
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) override {
    const auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !isDynamicShared(variable) || variable->isLocalExternDecl() || bodies.empty())
      return true;
    if (std::optional<Place> brace = unit.editablePlace(bodies.back()->getBeginLoc()))
      additions.addEdit(
          {unit.pathOf(brace->file), unit.behind(*brace).offset, EditOrder::Kernel, " " + binding(variable), std::nullopt, {}});
    else
      unit.reporter.error(reference->getLocation(), "a macro writes the function that uses this extern __shared__ array: "
                                                    "the host target needs its braces in the source");
    return true;
  }

private:
  /// `extern` is often the first word, but it and __shared__ may be in either order, and __shared__ is a macro.
  std::optional<Place> beginOf(const clang::DeclStmt *statement) const {
    clang::SourceLocation location = statement->getBeginLoc();
    Place place = unit.expansionPlace(location);
    const TokenLayout &layout = unit.layoutOf(place.file);
    while (std::optional<unsigned> previous = layout.previousToken(place.offset)) {
      StringRef word = layout.tokenText(*previous);
      if (word != "extern" && word != "__shared__")
        break;
      place.offset = *previous;
    }
    return place;
  }

  std::optional<Place> endOf(const clang::DeclStmt *statement) const {
    clang::SourceLocation end = statement->getEndLoc();
    return isHipMacro(end) ? unit.expansionEnd(end) : unit.editablePlace(end);
  }

  /// HIP's macro is this declaration and nothing else, so that its use can be replaced.
  bool isHipMacro(clang::SourceLocation location) const {
    if (!location.isMacroID() || !unit.sources.getImmediateMacroCallerLoc(location).isFileID())
      return false;
    return clang::Lexer::getImmediateMacroName(location, unit.sources, unit.context.getLangOpts()) == "HIP_DYNAMIC_SHARED";
  }

  std::string binding(const clang::VarDecl *variable) const {
    clang::PrintingPolicy policy = unit.context.getPrintingPolicy();
    policy.SuppressTagKeyword = true;
    std::string pointer = unit.context.getPointerType(variable->getType()).getAsString(policy);
    return "auto &" + variable->getNameAsString() + " = *reinterpret_cast<" + pointer + ">(::kperf::host::dynamicShared());";
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  SmallVector<clang::Stmt *> bodies;
};

} // namespace

RewriterResult planDynamicShared(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  const TranslationUnit &unit = context.unit;
  DynamicSharedFinder finder(unit, additions);
  for (clang::Decl *declaration : unit.declarations())
    if (!unit.sources.isInSystemHeader(unit.sources.getExpansionLoc(declaration->getBeginLoc())))
      finder.TraverseDecl(declaration);
  return additions;
}

} // namespace kperf
