// Host target: __shared__ is thread_local there, and C++ takes no alignas after that; it becomes an attribute, which may follow.
#include "rewriters/rewriter/Rewriter.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;

namespace kperf {
namespace {

class SharedAlignmentFinder : public clang::DynamicRecursiveASTVisitor {
public:
  SharedAlignmentFinder(const TranslationUnit &unit, PlanAdditions &additions) : unit(unit), additions(additions) {}

  bool VisitVarDecl(clang::VarDecl *variable) override {
    const auto *shared = variable->getAttr<clang::CUDASharedAttr>();
    if (!shared)
      return true;
    const Place keyword = unit.expansionPlace(shared->getLocation());
    for (const auto *alignment : variable->specific_attrs<clang::AlignedAttr>()) {
      const std::optional<Place> place = unit.editablePlace(alignment->getLocation());
      if (alignment->isAlignas() && place && place->file == keyword.file && place->offset > keyword.offset)
        replace(*place, alignment->isAlignmentExpr() && !isa<clang::UnaryExprOrTypeTraitExpr>(alignment->getAlignmentExpr()));
    }
    return true;
  }

private:
  void replace(Place word, bool isNumber) {
    const TokenLayout &layout = unit.layoutOf(word.file);
    std::optional<unsigned> token = layout.nextToken(word.offset);
    for (int depth = 0; token; token = layout.nextToken(*token)) {
      const StringRef text = layout.tokenText(*token);
      depth += text == "(" ? 1 : text == ")" ? -1 : 0;
      if (depth == 0)
        break;
    }
    if (!token)
      return;
    const std::string &path = unit.pathOf(word.file);
    const std::string opens = isNumber ? "__attribute__((aligned" : "__attribute__((aligned(alignof";
    constexpr unsigned kKeywordBytes = sizeof("alignas") - 1;
    additions.addEdit({path, word.offset, EditOrder::Open, opens, std::nullopt, {}, kKeywordBytes});
    additions.addEdit({path, *token + 1, EditOrder::Behind, isNumber ? "))" : ")))", std::nullopt, {}});
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
};

} // namespace

RewriterResult planSharedAlignments(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  const TranslationUnit &unit = context.unit;
  SharedAlignmentFinder finder(unit, additions);
  for (clang::Decl *declaration : unit.declarations())
    if (!unit.sources.isInSystemHeader(unit.sources.getExpansionLoc(declaration->getBeginLoc())))
      finder.TraverseDecl(declaration);
  return additions;
}

} // namespace kperf
