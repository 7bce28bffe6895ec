// Finds blocks and statements, each a region, that follow each other with no statement between.
#include "rewriters/region/AdjacentScopes.h"

#include "rewriters/region/RangePlan.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

/// A block by its braces.
struct Block {
  clang::FileID file;
  unsigned open, close; ///< offsets
};

/// The block that a KPERF_SCOPE stands at the top of, where it is a statement of another block and in the file as it is.
std::optional<Block> blockOf(const TranslationUnit &unit, const MarkerSite &site) {
  const std::size_t depth = site.parents.size();
  const auto *block = depth < 2 ? nullptr : dyn_cast<clang::CompoundStmt>(site.parents[depth - 1]);
  if (!block || !isa<clang::CompoundStmt>(site.parents[depth - 2]) || block->body_front() != site.statement)
    return std::nullopt;
  const std::optional<Place> open = unit.editablePlace(block->getLBracLoc()), close = unit.editablePlace(block->getRBracLoc());
  Expected<Place> annotation = placeOfAnnotation(unit, site);
  if (!annotation) {
    consumeError(annotation.takeError());
    return std::nullopt;
  }
  if (!open || !close || open->file != close->file || open->file != annotation->file || unit.isInDirective(*open))
    return std::nullopt;
  if (unit.layoutOf(open->file).nextToken(open->offset) != annotation->offset)
    return std::nullopt;
  return Block{open->file, open->offset, close->offset};
}

/// Whether anything but `site`, a MarkerSite or a StatementSite, is annotated or chosen in the block.
bool holdsOthers(const TranslationUnit &unit, const AnnotatedFunction &holder, const void *site, const Block &block) {
  const auto isInside = [&](clang::SourceLocation location) {
    const Place place = unit.expansionPlace(location);
    return place.file != block.file || (block.open <= place.offset && place.offset <= block.close);
  };
  return any_of(holder.markers, [&](const MarkerSite &other) { return &other != site && isInside(other.annotation.token); }) ||
         any_of(holder.statements, [&](const StatementSite &other) {
           return &other != site && !other.isBody && (other.run.empty() || isInside(other.first()->getBeginLoc()));
         });
}

/// The statement behind this one in the block that holds both, below `body`; null when there is none.
const Stmt *nextInBlock(const Stmt *body, const Stmt *statement) {
  if (isa<clang::CompoundStmt>(body))
    for (auto child = body->child_begin(); child != body->child_end(); ++child)
      if (*child == statement)
        return ++child != body->child_end() ? *child : nullptr;
  for (const Stmt *child : subStatements(body))
    if (const Stmt *next = nextInBlock(child, statement))
      return next;
  return nullptr;
}

} // namespace

ArrayRef<MarkerSite> adjacentScopes(const TranslationUnit &unit, const AnnotatedFunction &holder, const MarkerSite &site) {
  const ArrayRef<MarkerSite> rest = ArrayRef(holder.markers).drop_front(&site - holder.markers.data());
  std::optional<Block> last;
  const auto continues = [&](const MarkerSite &next) {
    if (next.annotation.kind != AnnotationKind::Scope)
      return false;
    const std::optional<Block> block = blockOf(unit, next);
    if (!block || holdsOthers(unit, holder, &next, *block))
      return false;
    const TokenLayout &layout = unit.layoutOf(block->file);
    const bool isNext = !last || (last->file == block->file && layout.nextToken(last->close) == block->open &&
                                  layout.inSameBranch(last->close, block->open));
    last = block;
    return isNext;
  };
  std::size_t count = 0;
  while (count < rest.size() && continues(rest[count]))
    ++count;
  return rest.take_front(std::max<std::size_t>(count, 1));
}

bool areAdjacent(const TranslationUnit &unit, const AnnotatedFunction &holder, const StatementSite &site, const StatementSpan &span,
                 const StatementSite &next, const StatementSpan &nextSpan) {
  const auto holdsNothing = [&](const StatementSite &each, const StatementSpan &where) {
    return !holdsOthers(unit, holder, &each, {where.file, where.open.offset, where.end - 1});
  };
  return span.file == nextSpan.file && nextInBlock(holder.body, site.last()) == next.first() &&
         unit.layoutOf(span.file).inSameBranch(span.end - 1, nextSpan.open.offset) && holdsNothing(site, span) &&
         holdsNothing(next, nextSpan);
}

std::string addSharing(PlanAdditions &additions, RecordPartChooser &parts, ArrayRef<PlannedScope> scopes,
                       ArrayRef<const Stmt *> statements) {
  for (std::size_t i = 1; i < scopes.size(); i += 2) {
    additions.setNext(scopes[i - 1].index, scopes[i].index);
    parts.shareRecord(statements[i]);
  }
  return formatv("kperf_scopes_{0}_{1}", scopes.front().line, scopes.front().column);
}

void addAdjacentObjects(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, ArrayRef<MarkerSite> sites,
                        ArrayRef<PlannedScope> scopes) {
  const PlannedScope &front = scopes.front();
  SmallVector<const Stmt *> statements;
  for (const MarkerSite &site : sites)
    statements.push_back(site.statement);
  const std::string name = addSharing(additions, parts, scopes, statements);
  const Block first = *blockOf(unit, sites.front()), last = *blockOf(unit, sites.back());
  const std::string path = unit.pathOf(first.file);
  additions.addEdit(
      {path, first.open, EditOrder::Open, "{ ::kperf::ConvergentScopes " + name + "(kperf_kernel); ", std::nullopt, {}, 0, front.index});
  for (const PlannedScope &scope : scopes)
    additions.addEdit({path, scope.place.offset, EditOrder::Open, name + ".next(", scope.index, "); "});
  additions.addEdit({path, last.close + 1, EditOrder::Close, " }", std::nullopt, {}, 0, front.index});
}

} // namespace kperf
