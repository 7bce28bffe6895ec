// Chooses functions, lays out their frames, and writes the declarations.
#include "rewriters/kernel/FunctionStreams.h"

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using clang::CompoundStmt;
using clang::FunctionDecl;
using clang::Stmt;

namespace kperf {

namespace {

const clang::CXXRecordDecl *lambdaOf(const FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda() ? method->getParent() : nullptr;
}

/// The function whose stream a function's records could go to: itself, or the one around its lambdas; null where one of these does not
/// capture by reference, or where a kernel or a host function is around.
const FunctionDecl *streamOwner(const TranslationUnit &unit, const FunctionDecl *function) {
  while (const clang::CXXRecordDecl *lambda = lambdaOf(function)) {
    const auto *around = dyn_cast<FunctionDecl>(lambda->getDeclContext());
    if (lambda->getLambdaCaptureDefault() != clang::LCD_ByRef || !around)
      return nullptr;
    function = around;
  }
  const auto *body = dyn_cast_or_null<CompoundStmt>(function->getBody());
  if (!body || !isDeviceFunction(function) || enclosingKernel(function) || function->isConstexprSpecified())
    return nullptr;
  const std::optional<Place> brace = unit.editablePlace(body->getLBracLoc());
  return brace && !unit.isInDirective(*brace) ? function : nullptr;
}

/// The parents of a body's statements, but not of what lies in its lambdas.
class Parents {
public:
  explicit Parents(const Stmt *body) : body(body) { walk(body); }

  const Stmt *of(const Stmt *statement) const { return parents.lookup(statement); }

  /// The body of the innermost loop around the statement, or all of the function's; null where that is no block.
  const CompoundStmt *passOf(const Stmt *statement) const {
    const Stmt *inner = statement;
    for (const Stmt *parent = of(statement); parent; inner = parent, parent = of(parent))
      if (isLoop(parent))
        return dyn_cast<CompoundStmt>(inner);
    return dyn_cast<CompoundStmt>(body);
  }

  bool isInLoop(const Stmt *statement) const {
    for (const Stmt *parent = of(statement); parent; parent = of(parent))
      if (isLoop(parent))
        return true;
    return false;
  }

  /// Whether each pass through `pass` that reaches its end comes to the statement, but for jumps.
  bool isAlwaysRun(const Stmt *statement, const CompoundStmt *pass) const {
    for (const Stmt *parent = of(statement); parent && parent != pass; parent = of(parent))
      if (!isa<CompoundStmt, clang::AttributedStmt>(parent))
        return false;
    return true;
  }

private:
  void walk(const Stmt *statement) {
    for (const Stmt *child : statement->children())
      if (child && !isa<clang::Expr>(child)) {
        parents[child] = statement;
        walk(child);
      }
  }

  const Stmt *body;
  DenseMap<const Stmt *, const Stmt *> parents;
};

bool holds(const Stmt *statement, function_ref<bool(const Stmt *)> isIt) {
  return isIt(statement) || any_of(statement->children(), [&](const Stmt *child) { return child && holds(child, isIt); });
}

/// Whether control may leave the statement's middle for elsewhere, or come there.
bool mayJump(const Stmt *statement) {
  return holds(statement, [](const Stmt *part) {
    return isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt,
               clang::SwitchStmt>(part);
  });
}

/// Variables that are lambdas, and what of their function's lambdas each lambda names.
class LambdaUses : public clang::DynamicRecursiveASTVisitor {
public:
  explicit LambdaUses(const FunctionDecl *owner) {
    ShouldVisitTemplateInstantiations = false;
    TraverseStmt(owner->getBody());
  }

  /// Whether a statement may call one of `recording`, or a lambda that does; lambdas that it makes count as called.
  bool mayCall(const Stmt *statement, const DenseSet<const FunctionDecl *> &recording) const {
    DenseSet<const FunctionDecl *> seen;
    return reaches(statement, recording, seen);
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    if (const clang::Expr *value = variable->getInit())
      if (const auto *lambda = dyn_cast<clang::LambdaExpr>(value->IgnoreUnlessSpelledInSource()))
        lambdas[variable] = lambda;
    return true;
  }

private:
  bool reaches(const Stmt *statement, const DenseSet<const FunctionDecl *> &recording, DenseSet<const FunctionDecl *> &seen) const {
    return holds(statement, [&](const Stmt *part) {
      const auto *lambda = dyn_cast<clang::LambdaExpr>(part);
      if (const auto *name = dyn_cast<clang::DeclRefExpr>(part))
        lambda = lambdas.lookup(dyn_cast<clang::VarDecl>(name->getDecl()));
      if (!lambda)
        return false;
      const FunctionDecl *function = lambda->getCallOperator();
      return recording.contains(function) || (seen.insert(function).second && reaches(lambda->getBody(), recording, seen));
    });
  }

  DenseMap<const clang::VarDecl *, const clang::LambdaExpr *> lambdas;
};

/// Where a function's own words of a lambda's end: a place for an attribute, behind its parameters.
std::optional<Place> behindParameters(const TranslationUnit &unit, const FunctionDecl *lambda) {
  const clang::FunctionTypeLoc type = lambda->getFunctionTypeLoc();
  const std::optional<Place> close = type ? unit.editablePlace(type.getRParenLoc()) : std::nullopt;
  const auto *body = dyn_cast_or_null<CompoundStmt>(lambda->getBody());
  const std::optional<Place> brace = body ? unit.editablePlace(body->getLBracLoc()) : std::nullopt;
  if (!close || !brace || close->file != brace->file || unit.isInDirective(*close))
    return std::nullopt;
  const TokenLayout &layout = unit.layoutOf(close->file);
  const unsigned end = layout.after(close->offset);
  if (layout.tokenText(close->offset) != ")")
    return std::nullopt;
  const StringRef between = unit.sources.getBufferData(close->file).slice(close->offset + 1, brace->offset).ltrim();
  return between.empty() || between.starts_with("->") ? std::optional(Place{close->file, end}) : std::nullopt;
}

} // namespace

/// One clock of a region.
struct FunctionStreams::Boundary {
  unsigned offset;                ///< in the file
  bool isEnd;
  const Stmt *region;             ///< the statement that it is named by
  const Stmt *mark;               ///< the annotation, where it is one of KPERF_BEGIN and KPERF_END
};

/// The boundaries of a pass.
struct FunctionStreams::Layout {
  std::vector<Boundary> boundaries;
  DenseSet<const Stmt *> mayMiss; ///< regions that a pass may end without

  /// Gives each boundary its word, in the order of the text. Returns how many there are.
  unsigned assign(function_ref<bool(const Boundary &, const Boundary &)> areOne, function_ref<void(const Boundary &, unsigned, bool)> take) {
    stable_sort(boundaries, [](const Boundary &left, const Boundary &right) { return left.offset < right.offset; });
    unsigned word = 0;
    for (std::size_t index = 0; index < boundaries.size(); ++index) {
      const bool isShared = index > 0 && areOne(boundaries[index - 1], boundaries[index]);
      take(boundaries[index], isShared ? word - 1 : word, isShared);
      word += !isShared;
    }
    return word;
  }
};

namespace {

/// A region as the group's layout sees it: what names it, and what lies from its begin to its end.
struct Extent {
  const Stmt *name;
  unsigned begin, end;            ///< bytes of the file
  const Stmt *beginMark = nullptr, *endMark = nullptr; ///< annotations of a range
  std::vector<const Stmt *> content;
};

class Extents {
public:
  Extents(TranslationUnit &unit, const AnnotatedFunction &holder, const Parents &parents)
      : unit(unit), holder(holder), parents(parents) {}

  /// All regions of the function; nothing where one does not fit into a frame.
  std::optional<std::vector<Extent>> find() {
    for (const MarkerSite &site : holder.markers)
      if (site.annotation.kind == AnnotationKind::Mark || !addMarker(site))
        return std::nullopt;
    for (const StatementSite &site : holder.statements)
      if (!addStatements(site))
        return std::nullopt;
    return std::move(found);
  }

private:
  std::optional<unsigned> offsetOf(clang::SourceLocation location) const {
    const std::optional<Place> place = unit.editablePlace(location);
    return place && !unit.isInDirective(*place) ? std::optional(place->offset) : std::nullopt;
  }

  /// The statements of a block from one of them to another, both left out; null: to its end.
  static std::vector<const Stmt *> between(const CompoundStmt *block, const Stmt *first, const Stmt *last) {
    std::vector<const Stmt *> statements;
    bool isInside = false;
    for (const Stmt *statement : block->body()) {
      if (statement == last)
        break;
      if (isInside)
        statements.push_back(statement);
      isInside |= statement == first;
    }
    return statements;
  }

  bool addMarker(const MarkerSite &site) {
    const auto *block = dyn_cast_or_null<CompoundStmt>(parents.of(site.statement));
    const std::optional<unsigned> begin = offsetOf(site.annotation.token);
    if (!block || !begin)
      return false;
    if (site.annotation.kind == AnnotationKind::Scope) {
      const std::optional<unsigned> end = offsetOf(block->getRBracLoc());
      if (end)
        found.push_back({site.statement, *begin, *end, nullptr, nullptr, between(block, site.statement, nullptr)});
      return end.has_value();
    }
    const auto isSame = [&](const MarkerSite &other) {
      return (other.annotation.kind == AnnotationKind::Begin || other.annotation.kind == AnnotationKind::End) &&
             other.annotation.name == site.annotation.name;
    };
    if (count_if(holder.markers, isSame) != 2)
      return false;
    if (site.annotation.kind == AnnotationKind::End)
      return true;
    const auto last = find_if(holder.markers, [&](const MarkerSite &other) { return isSame(other) && &other != &site; });
    const std::optional<unsigned> end = offsetOf(last->annotation.token);
    if (last->annotation.kind != AnnotationKind::End || parents.of(last->statement) != block || !end || *end < *begin)
      return false;
    found.push_back({site.statement, *begin, *end, site.statement, last->statement, between(block, site.statement, last->statement)});
    return none_of(found.back().content, mayJump);
  }

  bool addStatements(const StatementSite &site) {
    if (site.run.empty())
      return true; // refused where it is planned
    Expected<StatementSpan> span = spanOf(unit, site.run);
    if (!span || site.isBody)
      return consumeError(span.takeError()), false;
    const bool declares = any_of(site.run, [](const Stmt *statement) { return isa<clang::DeclStmt>(statement); });
    found.push_back({site.first(), span->open.offset, span->end, nullptr, nullptr, {site.run.begin(), site.run.end()}});
    return !declares || none_of(site.run, mayJump);
  }

  TranslationUnit &unit;
  const AnnotatedFunction &holder;
  const Parents &parents;
  std::vector<Extent> found;
};

/// Whether a statement takes no instruction: an annotation, a semicolon, what keeps CUTLASS's compiler from moving registers.
bool takesNothing(const Stmt *statement) {
  const auto *call = dyn_cast<clang::CallExpr>(statement);
  return isa<clang::NullStmt>(statement) || (call && writtenName(call) == "warpgroup_fence_operand");
}

/// Whether nothing stands between two annotations of one block that takes an instruction.
bool areNeighbours(const Stmt *left, const Stmt *right, ArrayRef<const AnnotatedFunction *> holders) {
  const CompoundStmt *block = nullptr;
  for (const AnnotatedFunction *holder : holders)
    for (const MarkerSite &site : holder->markers)
      if (site.statement == left)
        block = dyn_cast_or_null<CompoundStmt>(site.parents.empty() ? nullptr : site.parents.back());
  if (!block)
    return false;
  const auto from = find(block->body(), left), to = find(block->body(), right);
  return from != block->body_end() && to != block->body_end() && from < to && std::all_of(std::next(from), to, takesNothing);
}

unsigned wordsFor(std::size_t clocks) {
  for (unsigned words : {4u, 8u, 16u, 32u})
    if (clocks + 2 <= words)
      return words;
  return 0;
}

} // namespace

void FunctionStreams::enlist(const FunctionDecl *owner, const FunctionDecl *function) {
  Stream &stream = streams[owner];
  if (ownerOf.try_emplace(function, owner).second && function != owner)
    stream.lambdas.push_back(function);
}

void FunctionStreams::chooseGroup(TranslationUnit &unit, const FunctionDecl *owner, ArrayRef<const AnnotatedFunction *> holders) {
  std::map<const CompoundStmt *, Layout> layouts;
  bool isLooping = false, fits = haveFrames;
  DenseSet<const FunctionDecl *> recording;
  for (const AnnotatedFunction *holder : holders)
    recording.insert(holder->function);
  const LambdaUses uses(owner);
  for (const AnnotatedFunction *holder : holders) {
    const Parents parents(holder->body);
    const auto loops = [&](const Stmt *statement) { return parents.isInLoop(statement); };
    isLooping |= lambdaOf(holder->function) || any_of(holder->markers, [&](const MarkerSite &site) { return loops(site.statement); }) ||
                 any_of(holder->statements, [&](const StatementSite &site) { return !site.run.empty() && loops(site.first()); });
    if (any_of(holder->markers, [&](const MarkerSite &site) { return !unit.editablePlace(site.annotation.token); }) ||
        any_of(holder->statements, [&](const StatementSite &site) {
          return !site.run.empty() && !site.pragma && site.first()->getBeginLoc().isMacroID();
        }))
      return; // a macro's text, which others may use too
    const std::optional<std::vector<Extent>> extents = fits ? Extents(unit, *holder, parents).find() : std::nullopt;
    fits = fits && extents;
    if (!fits)
      continue;
    for (const Extent &extent : *extents) {
      const CompoundStmt *pass = parents.passOf(extent.name);
      fits = fits && pass;
      if (!pass)
        break;
      Layout &layout = layouts[pass];
      layout.boundaries.push_back({extent.begin, false, extent.name, extent.beginMark});
      layout.boundaries.push_back({extent.end, true, extent.name, extent.endMark});
      if (!parents.isAlwaysRun(extent.name, pass) || mayJump(pass))
        layout.mayMiss.insert(extent.name);
    }
  }
  if (!isLooping)
    return;
  // While a frame is open nothing else is recorded: no pass lies in another, and none calls what records.
  for (const auto &[pass, layout] : layouts) {
    const auto isOther = [&, own = pass](const Stmt *part) {
      const auto *block = dyn_cast<CompoundStmt>(part);
      return block && block != own && layouts.contains(block);
    };
    fits = fits && !holds(pass, isOther) && !uses.mayCall(pass, recording);
  }
  // One region ends where the next begins: a clock for both.
  const auto areOne = [&](const Boundary &left, const Boundary &right) {
    return left.isEnd && !right.isEnd && left.mark && right.mark && areNeighbours(left.mark, right.mark, holders);
  };
  unsigned most = 4;
  for (auto &[pass, layout] : layouts) {
    const unsigned needed = wordsFor(layout.assign(areOne, [](const Boundary &, unsigned, bool) {}));
    fits = fits && needed > 0;
    most = std::max(most, needed);
  }
  fits = fits && most > 4; // a frame of two clocks is an ordinary record
  for (const AnnotatedFunction *holder : holders)
    enlist(owner, holder->function);
  Stream &stream = streams[owner];
  stream.words = fits ? most : 4;
  if (!fits)
    return;
  for (auto &[pass, layout] : layouts) {
    stream.bodies.push_back(pass);
    FrameBody &frame = frames[pass];
    layout.assign(areOne, [&, body = pass, &mayMiss = layout.mayMiss](const Boundary &boundary, unsigned word, bool isShared) {
      FrameWords &place = words[boundary.region];
      place.body = body;
      (boundary.isEnd ? place.end : place.begin) = word;
      place.sharesBegin |= isShared;
      if (mayMiss.contains(boundary.region))
        frame.zeroed |= 1u << word;
    });
  }
}

void FunctionStreams::choose(TranslationUnit &unit, ArrayRef<AnnotatedFunction> functions) {
  if (!areThere)
    return;
  std::vector<std::pair<const FunctionDecl *, std::vector<const AnnotatedFunction *>>> groups;
  for (const AnnotatedFunction &holder : functions)
    if (const FunctionDecl *owner = streamOwner(unit, holder.function)) {
      auto group = find_if(groups, [&](const auto &each) { return each.first == owner; });
      if (group == groups.end())
        group = groups.insert(groups.end(), {owner, {}});
      group->second.push_back(&holder);
    }
  for (const auto &[owner, holders] : groups)
    chooseGroup(unit, owner, holders);
}

bool FunctionStreams::chooseEvent(TranslationUnit &unit, const AnnotatedFunction &holder, const Stmt *statement) {
  if (has(holder.function))
    return true;
  const FunctionDecl *owner = areThere ? streamOwner(unit, holder.function) : nullptr;
  if (!owner || statement->getBeginLoc().isMacroID() ||
      (!lambdaOf(holder.function) && !Parents(holder.body).isInLoop(statement)))
    return false;
  enlist(owner, holder.function);
  return true;
}

void FunctionStreams::complete() {
  for (const auto &[owner, stream] : streams)
    ownerOf.try_emplace(owner, owner);
}

std::optional<FrameWords> FunctionStreams::wordsOf(const Stmt *statement) const {
  const auto known = words.find(statement);
  return known == words.end() ? std::nullopt : std::optional(known->second);
}

void FunctionStreams::add(TranslationUnit &unit, const FunctionDecl *function, const Stmt *statement, std::size_t region) {
  Stream &stream = streams.at(ownerOf.lookup(function));
  if (!stream.region)
    stream.region = region;
  StreamPlace place;
  if (const std::optional<FrameWords> own = wordsOf(statement)) {
    frames[own->body].regions[own->begin] = region;
    place = {true, own->begin, own->end};
  }
  unit.plan.setStream(region, place);
}

void FunctionStreams::plan(TranslationUnit &unit) const {
  const auto declare = [&](const CompoundStmt *body, EditOrder order, std::string before, std::size_t region, std::string after) {
    const Place brace = *unit.editablePlace(body->getLBracLoc());
    unit.plan.addEdit({unit.pathOf(brace.file), brace.offset + 1, order, std::move(before), region, std::move(after)});
  };
  for (const auto &[owner, stream] : streams) {
    if (!stream.region)
      continue;
    declare(cast<CompoundStmt>(owner->getBody()), EditOrder::Kernel,
            formatv(" ::kperf::FunctionStream<{0}u> kperf_stream(", stream.words), *stream.region, ");");
    for (const FunctionDecl *lambda : stream.lambdas)
      if (const std::optional<Place> place = behindParameters(unit, lambda))
        unit.plan.addEdit({unit.pathOf(place->file), place->offset, EditOrder::Behind, " __attribute__((always_inline))", std::nullopt,
                           {}, 0, *stream.region});
    for (const CompoundStmt *pass : stream.bodies) {
      const FrameBody &frame = frames.find(pass)->second;
      if (frame.regions.empty())
        continue;
      const std::string zeroed = frame.zeroed ? formatv(", 0x{0:x-}u", frame.zeroed).str() : std::string();
      declare(pass, EditOrder::Frame, " ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, ", frame.regions.begin()->second,
              zeroed + ");");
      for (auto region = frame.regions.begin(), next = std::next(region); next != frame.regions.end(); region = next++)
        unit.plan.setNextInFrame(region->second, next->second);
    }
  }
}

} // namespace kperf
