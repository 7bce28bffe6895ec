// Finds the function around each error.
#include "rewriters/unit/MisreadFunctions.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {
namespace {

class ErrorFinder : public clang::DynamicRecursiveASTVisitor {
public:
  ErrorFinder(const TranslationUnit &unit, const Plan &plan, const AnnotatedFunctions &annotated, bool searchesDeviceCode,
              ArrayRef<LoggedDiagnostic> log)
      : unit(unit), plan(plan), searchesDeviceCode(searchesDeviceCode) {
    for (const AnnotatedFunction &each : annotated.functions)
      chosen.insert(each.function);
    for (std::size_t i = 0; i < log.size(); ++i)
      if (!log[i].isOurs && log[i].severity == Severity::Error && log[i].location.isValid())
        errors.emplace_back(i, unit.expansionPlace(log[i].location));
  }

  std::map<std::size_t, std::string> run() {
    if (!errors.empty())
      for (clang::Decl *declaration : unit.declarations())
        TraverseDecl(declaration);
    return std::move(found);
  }

  /// Those inside of others come later: an error is the outermost one's that is edited.
  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    if (!function->doesThisDeclarationHaveABody() || function->isImplicit() || errors.empty())
      return true;
    const Place begin = unit.expansionPlace(function->getBeginLoc()), end = unit.expansionEnd(function->getEndLoc());
    const auto isInside = [&](Place place) {
      return place.file == begin.file && begin.file == end.file && place.offset >= begin.offset && place.offset <= end.offset;
    };
    if (any_of(errors, [&](const auto &error) { return isInside(error.second); }) && isEdited(function, begin, end))
      for (const auto &[index, place] : errors)
        if (isInside(place))
          found.try_emplace(index, functionName(function));
    return true;
  }

private:
  bool isEdited(const clang::FunctionDecl *function, Place begin, Place end) const {
    if (searchesDeviceCode && isDeviceFunction(function) && !unit.sources.isInSystemHeader(function->getBeginLoc()))
      return true;
    const auto file = plan.files().find(unit.pathOf(begin.file));
    return chosen.contains(function) || (file != plan.files().end() && any_of(file->second.edits, [&](const Edit &edit) {
                                           return edit.offset >= begin.offset && edit.offset <= end.offset;
                                         }));
  }

  const TranslationUnit &unit;
  const Plan &plan;
  bool searchesDeviceCode;
  SmallPtrSet<const clang::FunctionDecl *, 16> chosen;
  std::vector<std::pair<std::size_t, Place>> errors;
  std::map<std::size_t, std::string> found;
};

} // namespace

std::map<std::size_t, std::string> errorsInEditedFunctions(const TranslationUnit &unit, const Plan &plan,
                                                           const AnnotatedFunctions &annotated, bool searchesDeviceCode,
                                                           ArrayRef<LoggedDiagnostic> log) {
  return ErrorFinder(unit, plan, annotated, searchesDeviceCode, log).run();
}

} // namespace kperf
