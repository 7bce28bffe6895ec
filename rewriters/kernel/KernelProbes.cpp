// Writes each kernel's probe object, and makes room for gathered records at the beginning of loops.
#include "rewriters/kernel/KernelProbes.h"

#include "rewriters/analysis/KernelFences.h"
#include "rewriters/construct/KernelBarriers.h"
#include "rewriters/kernel/Narrowing.h"
#include "rewriters/kernel/StagingCapacity.h"
#include "rewriters/kernel/UntouchedCopy.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <kperf/rules/KernelTraits.h>

#include <string>
#include <vector>

using namespace llvm;
using kperf::format::RegionKind;

namespace kperf {

namespace {

/// 1 + the index of the smallest region that holds the one at `index`; 0 when none does.
std::size_t sumAround(ArrayRef<SummedRegion> sums, std::size_t index) {
  // Of two regions of one statement the one that was planned first opens first.
  const auto holds = [&](std::size_t outer, std::size_t inner) {
    const SummedRegion &left = sums[outer], &right = sums[inner];
    const bool isSame = left.begin == right.begin && left.end == right.end;
    return isSame ? outer < inner : left.begin <= right.begin && right.end <= left.end;
  };
  std::optional<std::size_t> smallest;
  for (std::size_t other = 0; other < sums.size(); ++other)
    if (holds(other, index) && (!smallest || holds(*smallest, other)))
      smallest = other;
  return smallest ? *smallest + 1 : 0;
}

/// Makes room for gathered records at the beginning of each loop's body. Returns the trait StagingRoom.
unsigned planRoom(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel, const KernelParts &parts,
                  std::size_t region) {
  constexpr unsigned kMaxRoom = 16; // half a warp: more, and a warp would store too often
  const StagingCapacity capacity = stagingCapacity(kernel, parts);
  std::vector<Place> places;
  for (const LoopRecords &loop : capacity.loops) {
    const std::optional<Place> brace = loop.body ? unit.editablePlace(loop.body->getLBracLoc()) : std::nullopt;
    if (brace && !unit.isInDirective(*brace))
      places.push_back(unit.behind(*brace));
  }
  if (capacity.most == 0 || capacity.most > kMaxRoom || places.size() < capacity.loops.size())
    return 1;
  for (auto [loop, place] : zip(capacity.loops, places))
    additions.addEdit({unit.pathOf(place.file),
                       place.offset,
                       EditOrder::Kernel,
                       formatv(" kperf_kernel.reserve<{0}u>();", loop.records),
                       std::nullopt,
                       {},
                       0,
                       region});
  return std::max(capacity.most, 2u);
}

/// Puts a settling behind each barrier of the kernel's body; false, and nothing is planned, where one has no place for it.
bool planSettling(const TranslationUnit &unit, const KernelUniformity &uniformity, PlanAdditions &additions,
                  const clang::FunctionDecl *kernel, StringRef object, std::size_t region, bool isCopied) {
  const KernelBarriers barriers = barriersOf(kernel);
  bool canSettle = barriers.areAll;
  std::vector<StatementSpan> spans;
  for (const BarrierStatement &barrier : barriers.statements)
    if (Expected<StatementSpan> span = spanOf(unit, barrier.statement); span && isWhollyWritten(unit, {barrier.statement})) {
      spans.push_back(*span);
    } else {
      consumeError(span.takeError());
      canSettle = false;
    }
  if (!canSettle)
    return false;
  const WarpUniformity *judged = uniformity.of(kernel);
  const auto isWhole = [&](const clang::Stmt *statement) { return judged && judged->isWhole(statement); };
  for (auto [barrier, span] : zip(barriers.statements, spans)) {
    const std::string path = unit.pathOf(span.file);
    if (barrier.needsBraces)
      additions.addEdit({path, span.open.offset, EditOrder::Open, span.open.prefix + "{ " + span.open.suffix, std::nullopt, {}, 0, region});
    const std::string call = isWhole(barrier.statement) ? (" " + object + ".settle();").str()
                             : isCopied                 ? " kperf_kernel.splitSettle();"
                                                        : " ::kperf::settle();";
    additions.addEdit({path, span.end, EditOrder::Behind, call + (barrier.needsBraces ? " }" : ""), std::nullopt, {}, 0, region});
  }
  return true;
}

/// What a kernel's object is told at compile time.
struct ChosenTraits {
#define KPERF_COUNT(Trait, member) unsigned member = 0;
#define KPERF_FLAG(Trait, member) bool member = false;
  KPERF_KERNEL_TRAITS(KPERF_COUNT, KPERF_FLAG)
#undef KPERF_COUNT
#undef KPERF_FLAG

  /// The object's template arguments: what differs from the defaults.
  std::string text() const {
    std::vector<std::string> chosen;
    const auto count = [&](StringRef trait, unsigned value) {
      if (value)
        chosen.push_back(formatv("::kperf::{0}<{1}>", trait, value == ~0u ? "~0u" : std::to_string(value) + "u"));
    };
    const auto flag = [&](StringRef trait, bool holds) {
      if (holds)
        chosen.push_back(("::kperf::" + trait).str());
    };
#define KPERF_COUNT(Trait, member) count(#Trait, member);
#define KPERF_FLAG(Trait, member) flag(#Trait, member);
    KPERF_KERNEL_TRAITS(KPERF_COUNT, KPERF_FLAG)
#undef KPERF_COUNT
#undef KPERF_FLAG
    return join(chosen, ", ");
  }
};

clang::FileID fileOf(const TranslationUnit &unit, const clang::FunctionDecl *function) {
  return unit.expansionPlace(function->getLocation()).file;
}

bool isTemplate(const clang::FunctionDecl *kernel) { return kernel->getDescribedFunctionTemplate() != nullptr; }

/// Whether a template has an instance that no other translation unit can have: of a type that has no linkage.
bool isOfUnit(const clang::FunctionDecl *kernel) {
  const auto hasLinkage = [](const clang::TemplateArgument &argument) {
    return argument.getKind() != clang::TemplateArgument::Type || clang::isExternallyVisible(argument.getAsType()->getLinkage());
  };
  const clang::FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  return pattern && any_of(pattern->specializations(), [&](const clang::FunctionDecl *instance) {
           return !all_of(instance->getTemplateSpecializationArgs()->asArray(), hasLinkage);
         });
}

/// Makes the body a function that is called for blocks that are recorded, and for those that are not.
void addCopies(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel) {
  const auto *body = cast<clang::CompoundStmt>(kernel->getBody());
  const Place open = *unit.editablePlace(body->getLBracLoc()), close = *unit.editablePlace(body->getRBracLoc());
  const auto insert = [&](Place place, EditOrder order, std::string text) {
    additions.addEdit({unit.pathOf(place.file), place.offset, order, std::move(text), std::nullopt, {}});
  };
  insert(unit.behind(open), EditOrder::Copies,
         " const auto kperf_body = [&](const bool kperf_isRecorded) __attribute__((always_inline)) {");
  insert(close, EditOrder::End, " }; ::kperf::runBlock(kperf_body); ");
}

class ObjectPlanner {
public:
  ObjectPlanner(const TranslationUnit &unit, const Plan &soFar, const KernelProbes &probes, const KernelNeeds &needs)
      : additions(soFar), unit(unit), probes(probes), needs(needs) {}

  /// `holdsRegions`: in its own body.
  void plan(const clang::FunctionDecl *kernel, bool holdsRegions, const KernelParts &parts, bool isCopied);
  PlanAdditions additions;

private:
  std::string objectOf(const clang::FunctionDecl *kernel, const KernelParts &parts, std::size_t region, bool isCopied);

  const TranslationUnit &unit;
  const KernelProbes &probes;
  const KernelNeeds &needs;
};

/// The declaration of a kernel's object, up to its id.
std::string ObjectPlanner::objectOf(const clang::FunctionDecl *kernel, const KernelParts &parts, std::size_t region, bool isCopied) {
  const std::string forget = needs.functionsHoldStreams ? " ::kperf::forgetStreams();" : "";
  ChosenTraits traits;
  if (const unsigned words = probes.streams.wordsOfKernel(kernel, needs.streams)) {
    traits.settles = !planSettling(unit, probes.uniformity, additions, kernel, "kperf_stream", region, false);
    RecordBound room;
    room.add(parts.pieces.max() * (words * sizeof(uint32_t) / sizeof(format::Record)));
    traits.maxConvergent = room.max();
    return forget +
           formatv(" ::kperf::KernelStream<{0}u{1}{2}> kperf_stream(", words, traits.text().empty() ? "" : ", ", traits.text()).str();
  }
  if (!parts.hasAny())
    return " ::kperf::CalledKernel kperf_kernel(";
  traits.stagingRoom =
      parts.convergent.max() > 0 && unit.analyses.get<KernelFences>(kernel).areThere ? planRoom(unit, additions, kernel, parts, region) : 0;
  // What nothing gathers goes into one part, by lane 0: two take registers that a short kernel needs. Where another lane may record for
  // a group, lane 0 has not counted what that did.
  const bool isOnePart = !traits.stagingRoom && parts.convergent.max() && parts.divergent.max() && parts.partings.empty();
  RecordBound convergent = parts.convergent;
  if (isOnePart)
    convergent.add(parts.divergent.max());
  traits.maxConvergent = convergent.max();
  traits.maxDivergent = isOnePart ? 0 : parts.divergent.max();
  traits.maxShared = parts.shared.max();
  traits.isCalled = parts.isCalled;
  traits.narrows = !parts.partings.empty();
  planNarrowing(unit, additions, kernel, parts.partings.getArrayRef(), region);
  traits.hasObjects = traits.stagingRoom && parts.hasObjects;
  const bool hasOwnProbes = parts.convergent.max() || parts.divergent.max() || !parts.sums.empty();
  traits.settles = hasOwnProbes && !planSettling(unit, probes.uniformity, additions, kernel, "kperf_kernel", region, isCopied);
  traits.summedRegions = parts.sums.size();
  traits.hasExtremes = unit.selection.keepsExtremes && !parts.sums.empty();
  traits.hasHistogram = unit.selection.keepsHistogram && !parts.sums.empty();
  return forget + formatv(" ::kperf::Kernel<{0}> kperf_kernel({1}", traits.text(), isCopied ? "kperf_isRecorded, " : "").str();
}

void ObjectPlanner::plan(const clang::FunctionDecl *kernel, bool holdsRegions, const KernelParts &parts, bool isCopied) {
  const auto *body = dyn_cast_or_null<clang::CompoundStmt>(kernel->getBody());
  if (!body)
    return;
  std::string name = functionName(kernel);
  std::optional<Place> brace = unit.editablePlace(body->getLBracLoc());
  if (!brace) {
    if (holdsRegions)
      unit.reporter.error(kernel->getLocation(),
                          "the body of kernel '" + name + "' is written by a macro: regions need its braces in the source");
    else
      unit.reporter.warning(kernel->getLocation(), "the body of kernel '" + name +
                                                       "' is written by a macro: regions of functions that it calls "
                                                       "are not recorded");
    return;
  }
  Place place = unit.expansionPlace(kernel->getLocation());
  Region region = unit.regionAt(place, RegionKind::Kernel, name);
  region.function = withMacros(name, unit.fileAt(region.path));
  region.isOfUnit = place.file != unit.sources.getMainFileID() && isOfUnit(kernel);
  if (region.isOfUnit) // another word among the macros tells them apart
    region.function = name + " [" + sys::path::filename(unit.mainFileName()).str() + "]";
  region.endLine = std::max(region.line, unit.lineOf(unit.expansionPlace(body->getRBracLoc())));
  const std::size_t index = additions.addRegion(region);
  std::string object = objectOf(kernel, parts, index, isCopied);
  const auto insert = [&](std::string before, std::size_t region, std::string after) {
    additions.addEdit(
        {unit.pathOf(brace->file), unit.behind(*brace).offset, EditOrder::Kernel, std::move(before), region, std::move(after)});
  };
  // The lambda is of that instance alone, where two may be called the same.
  const std::string instance = probes.setting.isHost ? "::kperf::instanceName(__PRETTY_FUNCTION__, [] {})" : "__PRETTY_FUNCTION__";
  if (isCopied && isTemplate(kernel)) // said outside of the lambda, whose name is another
    additions.addEdit(
        {unit.pathOf(brace->file),
         unit.behind(*brace).offset,
         EditOrder::KernelName,
         probes.setting.isHost ? " const auto kperf_name = " + instance + ";" : " constexpr auto &kperf_name = " + instance + ";",
         std::nullopt,
         {}});
  const std::string row = needs.functionsHoldEvents ? " const ::kperf::EventRow kperf_row;" : "";
  insert(std::move(object), index, (!isTemplate(kernel) ? ");" : ", " + (isCopied ? "kperf_name" : instance) + ");") + row);
  for (std::size_t index = 0; index < parts.sums.size(); ++index)
    insert(formatv(" kperf_kernel.name<{0}u, {1}u>(", index, sumAround(parts.sums, index)), parts.sums[index].region, ");");
}

} // namespace

FunctionStreams streamsFor(const ProbeSetting &setting) {
  const bool mayHaveRows = setting.haveStreams && !setting.sharesHeaders && !setting.isRelocatable;
  const bool haveKernels = setting.haveStreams && !setting.copiesKernels && !setting.isThroughObjects && !setting.isRelocatable;
  return FunctionStreams(setting.haveStreams, mayHaveRows, haveKernels, haveKernels && setting.ownsHeaders);
}

PlanAdditions KernelProbes::plan(const TranslationUnit &unit, const Plan &soFar, const KernelNeeds &needs,
                                 ArrayRef<const clang::FunctionDecl *> kernels) const {
  ObjectPlanner planner(unit, soFar, *this, needs);
  streams.plan(unit, needs.streams, planner.additions);
  const bool haveStreams = needs.functionsHoldStreams || needs.functionsHoldEvents;
  DenseSet<clang::FileID> editedFiles;
  for (const clang::FunctionDecl *function : needs.edited)
    editedFiles.insert(fileOf(unit, function));
  // A header is edited as a whole or not at all, so that its copy does not depend on who includes it; unless it is this source's own.
  for (const clang::FunctionDecl *kernel : kernels) {
    const clang::FileID file = fileOf(unit, kernel);
    const bool isOfOthers = file != unit.sources.getMainFileID() && !setting.ownsHeaders;
    const bool holdsProbes = needs.kernels.contains(kernel);
    if (!holdsProbes && !needs.functionsHoldProbes && !haveStreams && !(isOfOthers && editedFiles.contains(file)))
      continue;
    KernelParts parts = needs.partsOf(kernel);
    // What a header's kernels call depends on who includes it.
    if (needs.functionsHoldProbes || (isOfOthers && (setting.sharesHeaders || !haveStreams))) {
      parts.shared.addUnbounded();
      parts.isCalled = true;
    }
    // What a kernel only calls is the same in both copies.
    planner.plan(kernel, holdsProbes, parts, holdsProbes && isCopied(unit, kernel));
  }
  return std::move(planner.additions);
}

bool KernelProbes::isCopied(const TranslationUnit &unit, const clang::FunctionDecl *kernel) const {
  return setting.copiesKernels && kernel->hasAttr<clang::CUDAGlobalAttr>() &&
         unit.analyses.get<UntouchedCopy>(kernel, unit).obstacle.empty();
}

PlanAdditions KernelProbes::planCopies(const TranslationUnit &unit, const Plan &soFar, const KernelNeeds &needs,
                                       ArrayRef<const clang::FunctionDecl *> kernels) const {
  PlanAdditions additions(soFar);
  // In PTX kperf-cc has the kernel without probes, and most kernels get its body (tool/plain/PlainBodies.h); not where accesses are
  // counted.
  const bool mayGetBody = setting.haveStreams && needs.kernelsWithAccesses.empty();
  const char *const otherwise = mayGetBody
                                    ? "' that are not recorded get no copy of its source without probes, but in 'kperf-cc nvcc' builds "
                                      "without --no-compare most kernels have a body without them in their PTX: "
                                    : "' that are not recorded run its probes, each of which asks for that, for its source can't be "
                                      "copied: ";
  for (const clang::FunctionDecl *kernel : kernels) {
    if (!setting.copiesKernels || (!needs.kernels.contains(kernel) && !needs.kernelsWithAccesses.contains(kernel)))
      continue;
    if (isCopied(unit, kernel))
      addCopies(unit, additions, kernel);
    else
      unit.reporter.warning(kernel->getLocation(), "blocks of kernel '" + functionName(kernel) + otherwise +
                                                       unit.analyses.get<UntouchedCopy>(kernel, unit).obstacle);
  }
  return additions;
}

bool hasPlaceForKernel(const TranslationUnit &unit, const clang::FunctionDecl *kernel) {
  const auto *body = dyn_cast_or_null<clang::CompoundStmt>(kernel->getBody());
  return body && unit.editablePlace(body->getLBracLoc());
}

} // namespace kperf
