// Chooses functions, lays out their frames, and writes the declarations.
#include "rewriters/kernel/FunctionStreams.h"

#include "rewriters/analysis/LambdaCalls.h"
#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/kernel/RegionExtents.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
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

namespace {

/// Whether annotations stand where other functions may use the same text: in a macro.
bool areInMacros(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  return any_of(holder.markers, [&](const MarkerSite &site) { return !unit.editablePlace(site.annotation.token); }) ||
         any_of(holder.statements, [](const StatementSite &site) {
           return !site.run.empty() && !site.pragma && site.first()->getBeginLoc().isMacroID();
         });
}

bool isInLoops(const AnnotatedFunction &holder) {
  const Parents parents(holder.body);
  return any_of(holder.markers, [&](const MarkerSite &site) { return parents.isInLoop(site.statement); }) ||
         any_of(holder.statements, [&](const StatementSite &site) { return !site.run.empty() && parents.isInLoop(site.first()); });
}

} // namespace

/// Adds the boundaries of a function's or lambda's regions to the layouts of their passes; false where one fits into none.
bool FunctionStreams::lay(TranslationUnit &unit, const AnnotatedFunction &holder, Layouts &layouts) {
  const Parents parents(holder.body);
  const std::optional<std::vector<RegionExtent>> extents = findExtents(unit, holder, parents);
  if (!extents)
    return false;
  for (const RegionExtent &extent : *extents) {
    const CompoundStmt *pass = parents.passOf(extent.name);
    if (!pass)
      return false;
    Layout &layout = layouts[pass];
    layout.boundaries.push_back({extent.begin, false, extent.name, extent.beginMark});
    layout.boundaries.push_back({extent.end, true, extent.name, extent.endMark});
    if (!parents.isAlwaysRun(extent.name, pass) || mayJump(pass))
      layout.mayMiss.insert(extent.name);
  }
  return true;
}

void FunctionStreams::chooseGroup(TranslationUnit &unit, const FunctionDecl *owner, ArrayRef<const AnnotatedFunction *> holders) {
  const auto isLooping = [](const AnnotatedFunction *holder) { return lambdaOf(holder->function) || isInLoops(*holder); };
  if (none_of(holders, isLooping) || any_of(holders, [&](const AnnotatedFunction *holder) { return areInMacros(unit, *holder); }))
    return;
  DenseSet<const FunctionDecl *> recording;
  for (const AnnotatedFunction *holder : holders) {
    enlist(owner, holder->function);
    recording.insert(holder->function);
  }
  Layouts layouts;
  if (!haveFrames || !all_of(holders, [&](const AnnotatedFunction *holder) { return lay(unit, *holder, layouts); }))
    return;
  // While a frame is open nothing else is recorded: no pass lies in another, and none calls what records.
  const LambdaCalls calls(owner);
  for (const auto &[pass, layout] : layouts) {
    const auto isOther = [&, own = pass](const Stmt *part) {
      const auto *block = dyn_cast<CompoundStmt>(part);
      return block && block != own && layouts.contains(block);
    };
    if (holds(pass, isOther) || calls.mayCall(pass, recording))
      return;
  }
  giveWords(streams[owner], layouts, holders);
}

void FunctionStreams::giveWords(Stream &stream, Layouts &layouts, ArrayRef<const AnnotatedFunction *> holders) {
  // One region ends where the next begins: a clock for both.
  const auto areOne = [&](const Boundary &left, const Boundary &right) {
    return left.isEnd && !right.isEnd && left.mark && right.mark && areNeighbours(left.mark, right.mark, holders);
  };
  unsigned most = 4;
  for (auto &[pass, layout] : layouts) {
    const unsigned needed = wordsFor(layout.assign(areOne, [](const Boundary &, unsigned, bool) {}));
    if (needed == 0)
      return;
    most = std::max(most, needed);
  }
  if (most == 4) // a frame of two clocks is an ordinary record
    return;
  stream.words = most;
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

/// How many functions of its file have streams before it: a number that does not depend on who includes that.
unsigned FunctionStreams::numberOf(const TranslationUnit &unit, const FunctionDecl *owner) const {
  const Place own = unit.expansionPlace(owner->getLocation());
  return static_cast<unsigned>(count_if(streams, [&](const auto &other) {
    const Place place = unit.expansionPlace(other.first->getLocation());
    return other.second.region && place.file == own.file && place.offset < own.offset;
  }));
}

void FunctionStreams::plan(TranslationUnit &unit) const {
  const auto declare = [&](const CompoundStmt *body, EditOrder order, std::string before, std::size_t region, std::string after) {
    const Place brace = *unit.editablePlace(body->getLBracLoc());
    unit.plan.addEdit({unit.pathOf(brace.file), unit.behind(brace).offset, order, std::move(before), region, std::move(after)});
  };
  for (const auto &[owner, stream] : streams) {
    if (!stream.region)
      continue;
    declare(cast<CompoundStmt>(owner->getBody()), EditOrder::Kernel,
            formatv(" ::kperf::FunctionStream<{0}u> kperf_stream(", stream.words), *stream.region,
            formatv(", {0}u);", numberOf(unit, owner)));
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
