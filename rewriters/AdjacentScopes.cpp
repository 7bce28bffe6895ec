// Blocks that follow each other without a statement in between, each a region as a whole.
#include "AdjacentScopes.h"

#include "KernelProbes.h"
#include "RangePlan.h"
#include "StatementEdit.h"

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
std::optional<Block> blockOf(TranslationUnit &unit, const MarkerSite &site) {
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

/// Whether anything but `site` is annotated or chosen in the block.
bool holdsOthers(TranslationUnit &unit, const AnnotatedFunction &holder, const MarkerSite &site, const Block &block) {
  const auto isInside = [&](clang::SourceLocation location) {
    const Place place = unit.expansionPlace(location);
    return place.file != block.file || (block.open <= place.offset && place.offset <= block.close);
  };
  return any_of(holder.markers,
                [&](const MarkerSite &other) { return &other != &site && isInside(other.annotation.token); }) ||
         any_of(holder.statements, [&](const StatementSite &other) {
           return !other.isBody && (other.run.empty() || isInside(other.first()->getBeginLoc()));
         });
}

} // namespace

ArrayRef<MarkerSite> adjacentScopes(TranslationUnit &unit, const AnnotatedFunction &holder, const MarkerSite &site) {
  const ArrayRef<MarkerSite> rest = ArrayRef(holder.markers).drop_front(&site - holder.markers.data());
  std::optional<Block> last;
  const auto continues = [&](const MarkerSite &next) {
    if (next.annotation.kind != AnnotationKind::Scope)
      return false;
    const std::optional<Block> block = blockOf(unit, next);
    if (!block || holdsOthers(unit, holder, next, *block))
      return false;
    const TokenLayout &layout = unit.layoutOf(block->file);
    const bool isNext = !last || (last->file == block->file && layout.nextToken(last->close) == block->open &&
                                  layout.inSameBranch(last->close, block->open));
    last = block;
    return isNext;
  };
  std::size_t count = 0;
  while (unit.kernels.sharesRecords && count < rest.size() && continues(rest[count]))
    ++count;
  return rest.take_front(std::max<std::size_t>(count, 1));
}

void addAdjacentObjects(TranslationUnit &unit, RecordPartChooser &parts, ArrayRef<MarkerSite> sites,
                        ArrayRef<PlannedScope> scopes) {
  const PlannedScope &front = scopes.front();
  const std::string name = formatv("kperf_scopes_{0}_{1}", front.line, front.column);
  const Block first = *blockOf(unit, sites.front()), last = *blockOf(unit, sites.back());
  const std::string path = unit.pathOf(first.file);
  unit.plan.addEdit({path, first.open, EditOrder::Open, "{ ::kperf::OwnScopes " + name + "(kperf_kernel); ", std::nullopt, {},
                     0, front.index});
  for (const PlannedScope &scope : scopes)
    unit.plan.addEdit({path, scope.place.offset, EditOrder::Open, name + ".next(", scope.index, "); "});
  unit.plan.addEdit({path, last.close + 1, EditOrder::Close, " }", std::nullopt, {}, 0, front.index});
  for (std::size_t i = 1; i < scopes.size(); i += 2) {
    unit.plan.setNext(scopes[i - 1].index, scopes[i].index);
    parts.shareRecord(sites[i].statement);
  }
}

} // namespace kperf
