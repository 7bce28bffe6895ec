// Chooses functions, lays out their frames, and writes the declarations.
#include "rewriters/kernel/FunctionStreams.h"

#include "rewriters/analysis/KernelFences.h"
#include "rewriters/analysis/LambdaCalls.h"
#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/construct/SyncWrapper.h"
#include "rewriters/kernel/FrameLayout.h"
#include "rewriters/kernel/LaunchedWarps.h"
#include "rewriters/kernel/RegionExtents.h"
#include "rewriters/kernel/WholeRegions.h"
#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

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

/// A function or lambda that may record.
struct FunctionStreams::Member {
  const FunctionDecl *function;
  const AnnotatedFunction *holder = nullptr; ///< of its regions, where it has any
  const FunctionEvents *events = nullptr;    ///< likewise
};

void FunctionStreams::enlist(const FunctionDecl *owner, const FunctionDecl *function) {
  Stream &stream = streams[owner];
  if (ownerOf.try_emplace(function, owner).second && function != owner)
    stream.lambdas.push_back(function);
}

namespace {

/// Whether annotations stand where the same text may be used again: in a macro, or in an argument that one writes twice.
bool areInMacros(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  std::vector<Place> tokens;
  const auto isAgain = [&](const MarkerSite &site) {
    const std::optional<Place> token = unit.editablePlace(site.annotation.token);
    if (!token || is_contained(tokens, *token))
      return true;
    tokens.push_back(*token);
    return false;
  };
  return any_of(holder.markers, isAgain) || any_of(holder.statements, [](const StatementSite &site) {
           return !site.run.empty() && !site.pragma && site.first()->getBeginLoc().isMacroID();
         });
}

bool isInLoops(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  const Parents &parents = unit.analyses.get<Parents>(holder.body);
  return any_of(holder.markers, [&](const MarkerSite &site) { return parents.isInLoop(site.statement); }) ||
         any_of(holder.statements, [&](const StatementSite &site) { return !site.run.empty() && parents.isInLoop(site.first()); });
}

/// Of a straight function: to enter and leave a stream takes as long as some records in shared memory do. On an H100, ThunderKittens' GEMM,
/// three regions in a function that each step of k calls, +40 % with a stream and +15 half a day before without; FlashMLA, with six in one
/// of its functions and three in the other, +18 and +39.
constexpr std::size_t kFewestStraight = 4;

/// Whether a function has several regions, to each of which all lanes come that enter it: a stream is written by one of them.
bool holdsSeveralStraight(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  const std::optional<std::vector<RegionExtent>> &extents = extentsOf(unit, holder);
  const Parents &parents = unit.analyses.get<Parents>(holder.body);
  const auto isStraight = [&](const RegionExtent &extent) { return parents.isRunByAllLanes(extent.name, nullptr); };
  return extents && extents->size() >= kFewestStraight && !mayJump(holder.body) && all_of(*extents, isStraight);
}

bool isInLoops(const TranslationUnit &unit, const FunctionEvents &function) {
  const Parents &parents = unit.analyses.get<Parents>(function.body);
  return any_of(function.events, [&](const SyncEvent &event) { return parents.isInLoop(event.statement); });
}

/// Whether whole warps pass through a body together: it has an instruction for products of a warp group, or calls a function that is one,
/// to which no lane may come alone (PTX ISA, wgmma). A function's name alone says nothing.
bool isOfWholeWarps(const TranslationUnit &unit, const CompoundStmt *pass) {
  const SyncWrappers &wrappers = unit.analyses.get<SyncWrappers>(unit);
  const auto isInstruction = [](const SyncConstruct &construct) {
    return construct.object == format::SyncObject::MatrixGroup && !construct.assembly.empty();
  };
  return any_of(pass->body(), [&](const Stmt *each) {
    const auto *expression = dyn_cast<clang::Expr>(each);
    const auto *call = expression ? dyn_cast<clang::CallExpr>(expression->IgnoreImplicit()) : nullptr;
    const SyncWrapper *wrapper = call ? wrappers.find(call) : nullptr;
    const std::optional<SyncConstruct> own = syncConstruct(each);
    return (wrapper && isInstruction(wrapper->construct)) || (own && isInstruction(*own));
  });
}

} // namespace

/// Adds the boundaries of a function or lambda to the layouts of their passes; nothing of it where one fits into none.
void FunctionStreams::lay(const TranslationUnit &unit, const Member &member, Layouts &layouts) {
  const Parents &parents = unit.analyses.get<Parents>(member.holder ? member.holder->body : member.events->body);
  Layouts own;
  const auto add = [&](RecordName named, const Stmt *place, std::initializer_list<FrameBoundary> boundaries) {
    const CompoundStmt *pass = parents.passOf(place);
    FrameLayout &layout = own[pass];
    layout.function = member.function;
    layout.isRepeated = layout.isInner = lambdaOf(member.function) || parents.isInLoop(place);
    layout.boundaries.insert(layout.boundaries.end(), boundaries);
    if (pass && (!parents.isAlwaysRun(place, pass) || mayJump(pass)))
      layout.mayMiss.insert(named);
    const auto isOfAll = [&](const FrameBoundary &each) { return parents.isRunByAllLanes(each.anchor ? each.anchor : place, pass); };
    if (pass && !all_of(boundaries, isOfAll))
      layout.mayDiverge.insert(named);
  };
  const auto blockOf = [&](const Stmt *anchor) { return anchor ? dyn_cast_or_null<CompoundStmt>(parents.of(anchor)) : nullptr; };
  if (member.holder) {
    const std::optional<std::vector<RegionExtent>> &extents = extentsOf(unit, *member.holder);
    if (!extents)
      return;
    for (const RegionExtent &extent : *extents)
      add({extent.name}, extent.name,
          {{extent.begin, false, {extent.name}, blockOf(extent.beginMark), extent.beginMark, false},
           {extent.end, true, {extent.name}, blockOf(extent.endMark), extent.endMark, false}});
  }
  if (member.events)
    for (const SyncEvent &event : member.events->events) {
      const RecordName named{event.at, true};
      const FrameBoundary begin{event.begin, false, named, blockOf(event.statement), event.statement, false, event.hasObject};
      if (event.isWait)
        add(named, event.statement, {begin, {event.end, true, named, begin.block, event.statement, true}});
      else
        add(named, event.statement, {begin});
    }
  if (own.contains(nullptr))
    return;
  if (own.size() == 1 && !member.function->hasAttr<clang::CUDAGlobalAttr>()) // what a loop calls is one of its passes
    own.begin()->second.isRepeated = true;
  layouts.merge(own);
}

namespace {

/// Clocks and objects that are no more than a record of two clocks.
constexpr unsigned kMaxWithoutFrame = 2;

} // namespace

/// Leaves the passes that can be frames: while one is open, nothing else goes into its stream.
void FunctionStreams::leaveFrames(const FunctionDecl *owner, ArrayRef<Member> members, Layouts &layouts) const {
  const LambdaCalls calls(owner);
  const auto isWithin = [](const CompoundStmt *inner, const CompoundStmt *outer) {
    return inner != outer && holds(outer, [&](const Stmt *part) { return part == inner; });
  };
  std::vector<std::pair<unsigned, const CompoundStmt *>> bySize;
  for (auto &[pass, layout] : layouts)
    bySize.emplace_back(layout.assign([](const FrameBoundary &, unsigned, bool) {}), pass);
  const auto rank = [&](const auto &each) { return std::pair(layouts.at(each.second).isInner, each.first); }; // inner ones come most often
  stable_sort(bySize, [&](const auto &left, const auto &right) { return rank(left) > rank(right); });
  DenseSet<const FunctionDecl *> recording; // into the stream, in no frame yet
  for (const Member &member : members)
    recording.insert(member.function);
  std::vector<const CompoundStmt *> chosen;
  for (const auto &[size, pass] : bySize) {
    const auto meets = [&, own = pass](const CompoundStmt *other) {
      return isWithin(own, other) || isWithin(other, own) || calls.mayCall(own, {layouts.at(other).function}) ||
             calls.mayCall(other, {layouts.at(own).function});
    };
    const bool isRepeated = layouts.at(pass).isRepeated;
    const bool isFrame =
        wordsOfFrame(size) != 0 &&
        (areRegistersShort ? isRepeated && size > kMaxWithoutFrame && none_of(chosen, meets) // what is left out goes into the row
                           : !calls.mayCall(pass, recording) &&
                                 none_of(bySize, [&, own = pass](const auto &other) { return isWithin(other.second, own); }));
    if (isFrame)
      chosen.push_back(pass);
  }
  for (auto each = layouts.begin(); each != layouts.end();)
    each = is_contained(chosen, each->first) ? std::next(each) : layouts.erase(each);
}

/// Words of the longest frame; 4 where no frame is longer than a record.
unsigned FunctionStreams::maxWords(Layouts &layouts) {
  unsigned most = 4;
  for (auto &[pass, layout] : layouts)
    most = std::max(most, wordsOfFrame(layout.assign([](const FrameBoundary &, unsigned, bool) {})));
  return most;
}

void FunctionStreams::chooseGroup(const TranslationUnit &unit, const FunctionDecl *owner, ArrayRef<Member> members) {
  const auto isWorthEntering = [&](const Member &member) {
    return lambdaOf(member.function) ||
           (member.holder && (isInLoops(unit, *member.holder) || holdsSeveralStraight(unit, *member.holder))) ||
           (member.events && isInLoops(unit, *member.events));
  };
  if (none_of(members, isWorthEntering) ||
      any_of(members, [&](const Member &member) { return member.holder && areInMacros(unit, *member.holder); }))
    return;
  Layouts layouts;
  for (const Member &member : members)
    lay(unit, member, layouts);
  leaveFrames(owner, members, layouts);
  if (areRegistersShort && layouts.empty() && none_of(members, [](const Member &member) { return member.holder; }))
    return; // its waits and signals go into the row
  for (const Member &member : members)
    enlist(owner, member.function);
  giveWords(unit, streams[owner], layouts);
}

void FunctionStreams::giveWords(const TranslationUnit &unit, Stream &stream, Layouts &layouts) {
  const unsigned most = maxWords(layouts);
  if (most == 4) // a frame of two clocks is an ordinary record
    return;
  stream.words = most;
  for (auto &[pass, layout] : layouts) {
    stream.bodies.push_back(pass);
    FrameBody &frame = frames[pass];
    frame.mayJump = !pass || mayJump(pass);
    // One of clocks alone stores them at once (Frame.h).
    const bool isGathered =
        !frame.mayJump && any_of(layout.boundaries, [](const FrameBoundary &each) { return each.hasObject; }) && isOfWholeWarps(unit, pass);
    const unsigned used = layout.assign([&, body = pass, &mayMiss = layout.mayMiss,
                                         &mayDiverge = layout.mayDiverge](const FrameBoundary &boundary, unsigned word, bool isShared) {
      FrameWords &place = words[boundary.named];
      place.body = body;
      if (!boundary.isEnd) {
        place.begin = place.end = word;
        place.object = boundary.hasObject ? word + 1 : 0;
        place.sharesBegin = isShared;
      } else {
        place.end = word;
        place.sharesEnd = isShared;
      }
      if (mayMiss.contains(boundary.named))
        frame.zeroed |= 1u << word;
      if (isGathered && !mayDiverge.contains(boundary.named))
        frame.gathered |= (boundary.hasObject ? 3u : 1u) << word;
    });
    if (frame.gathered) // unused words are stored as 0, so that whole sectors are written
      frame.gathered |= ~0u << used & ~(~0u << (most - 2));
  }
}

namespace {

/// Whether kernels of the source take registers from some of their warps (setmaxnreg.dec), by themselves or by CUTLASS's function.
bool giveRegistersAway(const TranslationUnit &unit) {
  constexpr StringRef kWrapper = "warpgroup_reg_dealloc";
  const auto gives = [&](const Stmt *statement) {
    const auto *call = dyn_cast<clang::CallExpr>(statement);
    const auto *assembly = dyn_cast<clang::GCCAsmStmt>(statement);
    return (call && writtenName(call) == kWrapper) || (assembly && StringRef(assembly->getAsmString()).contains("setmaxnreg.dec"));
  };
  return any_of(deviceBodies(unit), [&](const FunctionBody &each) {
    return each.function->getDeclName().isIdentifier() && each.function->getName() == kWrapper ? false : holds(each.body, gives);
  });
}

} // namespace

void FunctionStreams::choose(const TranslationUnit &unit, const KernelUniformity &uniformity, ArrayRef<AnnotatedFunction> functions,
                             ArrayRef<FunctionEvents> events) {
  if (!areThere)
    return;
  areRegistersShort = mayHaveRows && giveRegistersAway(unit);
  std::vector<std::pair<const FunctionDecl *, std::vector<Member>>> groups;
  const auto memberFor = [&](const FunctionDecl *function) -> Member * {
    const FunctionDecl *owner = streamOwner(unit, function);
    if (!owner)
      return nullptr;
    auto group = find_if(groups, [&](const auto &each) { return each.first == owner; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {owner, {}});
    auto member = find_if(group->second, [&](const Member &each) { return each.function == function; });
    if (member == group->second.end())
      member = group->second.insert(member, {function});
    return &*member;
  };
  for (const AnnotatedFunction &holder : functions)
    if (Member *member = memberFor(holder.function))
      member->holder = &holder;
  for (const FunctionEvents &function : events)
    if (Member *member = function.events.empty() ? nullptr : memberFor(function.function))
      member->events = &function;
  for (const auto &[owner, members] : groups)
    chooseGroup(unit, owner, members);
  for (const auto &[owner, stream] : streams) // what stands around lambdas with streams has them too
    ownerOf.try_emplace(owner, owner);
  if (haveKernels && !areRegistersShort && unit.selection.aggregate.empty())
    chooseKernels(unit, uniformity, functions, events);
}

void FunctionStreams::chooseKernels(const TranslationUnit &unit, const KernelUniformity &uniformity, ArrayRef<AnnotatedFunction> functions,
                                    ArrayRef<FunctionEvents> events) {
  const auto isOther = [&](const auto &each) { return !enclosingKernel(each.function) && !has(each.function); };
  if (any_of(functions, isOther) || any_of(events, [&](const FunctionEvents &each) { return !each.events.empty() && isOther(each); }))
    return; // these record into their kernel's slot
  for (const AnnotatedFunction &holder : functions) {
    const FunctionDecl *kernel = holder.function;
    const auto isIn = [&](const auto &each) { return each.function != kernel && enclosingKernel(each.function) == kernel; };
    const auto *body = dyn_cast_or_null<CompoundStmt>(kernel->getBody());
    const std::optional<Place> brace = body ? unit.editablePlace(body->getLBracLoc()) : std::nullopt;
    if (!kernel->hasAttr<clang::CUDAGlobalAttr>() || !brace || unit.isInDirective(*brace) ||
        (brace->file != unit.sources.getMainFileID() && !haveHeaderKernels) || areInMacros(unit, holder) ||
        unit.analyses.get<KernelFences>(kernel).areThere || // its object gathers records
        any_of(functions, isIn) ||
        any_of(events, [&](const FunctionEvents &each) { return !each.events.empty() && enclosingKernel(each.function) == kernel; }) ||
        !areAllWhole(unit, holder, uniformity))
      continue;
    const Member member{kernel, &holder, nullptr};
    Layouts layouts;
    lay(unit, member, layouts);
    leaveFrames(kernel, member, layouts);
    const unsigned most = maxWords(layouts);
    if (most <= 4 || most > unit.analyses.get<LaunchedWarps>(unit).fewestLanes(kernel))
      continue; // records one by one cost less, or keep what a narrow warp would lose
    enlist(kernel, kernel);
    giveWords(unit, streams[kernel], layouts);
  }
}

unsigned FunctionStreams::wordsOfKernel(const FunctionDecl *kernel, const StreamUses &uses) const {
  const auto stream = streams.find(kernel);
  return stream == streams.end() || !kernel->hasAttr<clang::CUDAGlobalAttr>() || !uses.firsts.contains(kernel) ? 0 : stream->second.words;
}

std::optional<FrameWords> FunctionStreams::wordsOf(RecordName name) const {
  const auto known = words.find(name);
  return known == words.end() ? std::nullopt : std::optional(known->second);
}

void StreamUses::addToFrame(const CompoundStmt *body, unsigned word, std::size_t region) {
  auto &regions = frames[body];
  const auto [first, last] = regions.equal_range(word);
  if (std::none_of(first, last, [&](const auto &each) { return each.second == region; })) // planned for another inclusion
    regions.emplace(word, region);
}

void StreamUses::addToRow(const FunctionDecl *function, std::size_t region) {
  if (lambdaOf(function))
    rowLambdas.try_emplace(function, region);
}

void StreamUses::add(const StreamUses &other) {
  firsts.insert(other.firsts.begin(), other.firsts.end());
  for (const auto &[body, regions] : other.frames)
    for (const auto &[word, region] : regions)
      addToFrame(body, word, region);
  rowLambdas.insert(other.rowLambdas.begin(), other.rowLambdas.end());
}

StreamPlace FunctionStreams::place(StreamUses &uses, const FunctionDecl *function, RecordName name, std::size_t region) const {
  uses.firsts.try_emplace(ownerOf.lookup(function), region);
  const std::optional<FrameWords> own = wordsOf(name);
  if (!own)
    return {};
  uses.addToFrame(own->body, own->begin, region);
  return {true, own->begin, own->end, own->object};
}

bool FunctionStreams::usesRow(const FunctionDecl *function) const {
  return areRegistersShort && (!has(function) || streams.at(ownerOf.lookup(function)).words > 4);
}

/// How many functions of its file have streams before it: a number that does not depend on who includes that.
unsigned FunctionStreams::numberOf(const TranslationUnit &unit, const StreamUses &uses, const FunctionDecl *owner) {
  const Place own = unit.expansionPlace(owner->getLocation());
  return static_cast<unsigned>(count_if(uses.firsts, [&](const auto &other) {
    const Place place = unit.expansionPlace(other.first->getLocation());
    return place.file == own.file && place.offset < own.offset;
  }));
}

void FunctionStreams::plan(const TranslationUnit &unit, const StreamUses &uses, PlanAdditions &additions) const {
  const auto declare = [&](const CompoundStmt *body, EditOrder order, std::string before, std::size_t region, std::string after) {
    const Place brace = *unit.editablePlace(body->getLBracLoc());
    additions.addEdit({unit.pathOf(brace.file), unit.behind(brace).offset, order, std::move(before), region, std::move(after)});
  };
  const auto keepInline = [&](const FunctionDecl *lambda, std::size_t region) {
    if (const std::optional<Place> place = behindParameters(unit, lambda))
      additions.addEdit(
          {unit.pathOf(place->file), place->offset, EditOrder::Behind, " __attribute__((always_inline))", std::nullopt, {}, 0, region});
  };
  for (const auto &[lambda, region] : uses.rowLambdas)
    if (!has(lambda))
      keepInline(lambda, region);
  for (const auto &[owner, first] : uses.firsts) {
    const Stream &stream = streams.at(owner);
    if (!owner->hasAttr<clang::CUDAGlobalAttr>()) // a kernel's is its object
      declare(cast<CompoundStmt>(owner->getBody()), EditOrder::Kernel,
              formatv(" ::kperf::FunctionStream<{0}u> kperf_stream(", stream.words), first,
              formatv(", {0}u);", numberOf(unit, uses, owner)));
    for (const FunctionDecl *lambda : stream.lambdas)
      keepInline(lambda, first);
    for (const CompoundStmt *pass : stream.bodies) {
      const auto used = uses.frames.find(pass);
      if (used == uses.frames.end())
        continue;
      const auto &regions = used->second;
      const FrameBody &frame = frames.find(pass)->second;
      const std::string zeroed = frame.zeroed ? formatv(", 0x{0:x-}u", frame.zeroed).str() : std::string();
      const bool isKernels = owner->hasAttr<clang::CUDAGlobalAttr>() && pass == owner->getBody();
      const std::string traits = frame.mayJump    ? ", true"
                                 : isKernels      ? ", false, true"
                                 : frame.gathered ? formatv(", false, false, 0x{0:x-}u", frame.gathered).str()
                                                  : std::string();
      declare(pass, EditOrder::Frame, formatv(" ::kperf::Frame<decltype(kperf_stream){0}> kperf_frame(kperf_stream, ", traits),
              regions.begin()->second, zeroed + ");");
      for (auto region = regions.begin(), next = std::next(region); next != regions.end(); region = next++)
        additions.setNextInFrame(region->second, next->second);
    }
  }
}

} // namespace kperf
