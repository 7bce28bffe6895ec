// Finds the insertion place of each annotation and each chosen statement.
#include "rewriters/unit/SitePlace.h"

#include "clang/AST/Stmt.h"

using namespace llvm;
using clang::SourceLocation;
using clang::Stmt;

namespace kperf {

Expected<Place> placeOfAnnotation(const TranslationUnit &unit, const MarkerSite &site) {
  SourceLocation token = site.annotation.token;
  if (std::optional<Place> place = unit.editablePlace(token))
    return *place;
  // In a macro: its use will do when the annotation is the first thing that it expands to.
  const clang::SourceManager &sources = unit.sources;
  SourceLocation first = token;
  bool isFirst = true;
  while (first.isMacroID() && isFirst) {
    if (sources.isMacroArgExpansion(first)) {
      first = sources.getImmediateSpellingLoc(first);
      continue;
    }
    isFirst = sources.isAtStartOfImmediateMacroExpansion(first);
    first = sources.getImmediateExpansionRange(first).getBegin();
  }
  if (isFirst)
    return unit.expansionPlace(first);
  const AnnotationExpansion *expansion = unit.preprocessing.annotationAt(token);
  std::optional<Place> definition = unit.spelledPlace(token);
  if (!definition || !expansion || expansion->usesMacroParameter)
    return createStringError("this annotation stands inside a macro whose arguments it uses, behind other code of that "
                             "macro: move it to the macro's beginning or out of the macro");
  return *definition;
}

std::optional<Place> endOfWholeBody(const TranslationUnit &unit, const MarkerSite &site, Place place) {
  const std::optional<Place> semicolon = unit.editablePlace(site.statement->getEndLoc());
  return semicolon && semicolon->file == place.file && semicolon->offset >= place.offset ? semicolon : std::nullopt;
}

Place placeOfStatement(const TranslationUnit &unit, const AnnotatedFunction &holder, const StatementSite &site) {
  if (site.pragma)
    return unit.expansionPlace(site.pragma->location);
  if (site.isBody)
    return unit.expansionPlace(holder.function->getLocation());
  const Stmt *statement = site.first();
  while (const auto *attributed = dyn_cast<clang::AttributedStmt>(statement))
    statement = attributed->getSubStmt();
  return unit.expansionPlace(statement->getBeginLoc());
}

RegionPlace regionPlace(const TranslationUnit &unit, Place place, StringRef name) {
  return {unit.fileOf(place.file).name, unit.lineOf(place), unit.sources.getColumnNumber(place.file, place.offset), name.str()};
}

} // namespace kperf
