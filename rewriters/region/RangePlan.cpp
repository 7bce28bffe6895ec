// Pairs the begins and ends of ranges, closes ranges at exits, and places their probes.
#include "rewriters/region/RangePlan.h"

#include "rewriters/analysis/RangeFlow.h"
#include "rewriters/kernel/ProbeNames.h"
#include "rewriters/kernel/RegionExtents.h"
#include "rewriters/region/OpenJumps.h"
#include "rewriters/region/RepeatedBegins.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using clang::SourceLocation;
using clang::Stmt;

namespace kperf {

void insertCall(const TranslationUnit &unit, PlanAdditions &additions, const MarkerSite &site, Place place, std::string before,
                std::size_t region, std::string after) {
  std::string path = unit.pathOf(place.file);
  bool inBraces = needsBraces(site.parents);
  if (inBraces) {
    const Place semicolon = *endOfWholeBody(unit, site, place);
    additions.addEdit({path, unit.layoutOf(place.file).after(semicolon.offset), EditOrder::Close, " }", std::nullopt, {}, 0, region});
    before = "{ " + before;
  }
  additions.addEdit({path, place.offset, EditOrder::Open, std::move(before), region, std::move(after)});
}

namespace {

/// The call for a boundary of a range, up to the id. `words`: of RecordPart::Frame.
std::string beginCall(RecordPart part, const std::optional<FrameWords> &words) {
  return part == RecordPart::Frame ? formatv("kperf_frame.at<{0}u>(", words->begin).str() : probeNames(part).call(&ProbeNames::begin);
}
std::string endCall(RecordPart part, const std::optional<FrameWords> &words) {
  return part == RecordPart::Frame ? formatv("kperf_frame.at<{0}u>(", words->end).str() : probeNames(part).call(&ProbeNames::end);
}

struct NamedRange {
  std::vector<const MarkerSite *> begins, ends;
  std::size_t region = 0;
  RecordPart part = RecordPart::Shared;
};

class RangePlanner {
public:
  RangePlanner(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts)
      : unit(unit), additions(additions), holder(holder), parts(parts) {}

  void run() {
    for (const MarkerSite &site : holder.markers)
      if (site.annotation.kind == AnnotationKind::Begin)
        ranges[site.annotation.name].begins.push_back(&site);
      else if (site.annotation.kind == AnnotationKind::End)
        ranges[site.annotation.name].ends.push_back(&site);
    if (ranges.empty() || !pair())
      return;
    unsigned number = 0;
    for (auto &[name, range] : ranges) {
      planSites(name, range);
      for (const MarkerSite *site : range.begins)
        steps[site->statement] = {number, true};
      for (const MarkerSite *site : range.ends)
        steps[site->statement] = {number, false};
      regions.push_back(range.region);
      chooseForRange.push_back(range.part);
      ++number;
    }
    closeOpenRanges();
  }

private:
  bool pair() {
    bool isPaired = true;
    for (const auto &[name, range] : ranges) {
      if (range.ends.empty())
        unit.reporter.error(range.begins.front()->annotation.token, "KPERF_BEGIN(\"" + name + "\") has no KPERF_END of that name in '" +
                                                                        functionName(holder.function) +
                                                                        "': add it where the region ends, or use KPERF_SCOPE");
      if (range.begins.empty())
        unit.reporter.error(range.ends.front()->annotation.token, "KPERF_END(\"" + name + "\") has no KPERF_BEGIN of that name in '" +
                                                                      functionName(holder.function) + "': " + remedyOfEnd(name));
      isPaired &= !range.begins.empty() && !range.ends.empty();
    }
    return isPaired;
  }

  /// What to do about an end of which nothing of that name begins.
  std::string remedyOfEnd(StringRef name) const {
    StringRef nearest;
    unsigned least = name.size() / 2 + 1;
    for (const auto &[other, range] : ranges)
      if (const unsigned distance = name.edit_distance(other); !range.begins.empty() && distance < least) {
        nearest = other;
        least = distance;
      }
    return nearest.empty() ? "add it where the region begins, or remove this" : ("did you mean \"" + nearest + "\"?").str();
  }

  void planSites(const std::string &name, NamedRange &range) {
    Places places;
    for (const MarkerSite *site : concat<const MarkerSite *>(range.begins, range.ends)) {
      places.emplace_back(site, cantFail(placeOfAnnotation(unit, *site))); // else it was refused
    }
    Region region = unit.regionAt(places.front().second, format::RegionKind::Range, name);
    region.function = functionName(holder.function);
    for (const MarkerSite *site : range.ends)
      region.endLine = std::max(region.endLine, unit.lineOf(unit.expansionPlace(site->annotation.token)));
    const bool isInMacro = any_of(places, [&](const auto &entry) { return unit.isInDirective(entry.second); });
    const bool isOfBlocks = !isInMacro && arePairs(range);
    range.part = partOf(range, region, places, isInMacro, isOfBlocks);
    region.isSummed = range.part == RecordPart::Sum;
    range.region = additions.addRegion(region);
    const Stmt *named = range.begins.front()->statement;
    parts.addToStream(additions, range.part, {named}, range.region);
    isOfBlocks ? insertPairs(range, places) : insertEvents(range, places, parts.wordsOf({named}));
  }

  using Places = std::vector<std::pair<const MarkerSite *, Place>>;

  RecordPart partOf(const NamedRange &range, const Region &region, const Places &places, bool isInMacro, bool isOfBlocks) {
    const auto statements = [](ArrayRef<const MarkerSite *> sites) {
      SmallVector<const Stmt *, 4> result;
      for (const MarkerSite *site : sites)
        result.push_back(site->statement);
      return result;
    };
    SmallVector<const Stmt *, 4> begins = statements(range.begins), ends = statements(range.ends);
    if (isOfBlocks) {
      const Place place{unit.expansionPlace(range.begins.front()->annotation.token)};
      const bool isSummed = begins.size() == 1 && isToBeSummed(unit, holder, region, place, range.begins.front()->isSummed) &&
                            !parts.crossesSum(places.front().second.offset, places.back().second.offset);
      return parts.chooseForBlockRange(begins, ends, isSummed);
    }
    begins.append(ends);
    if (!isInMacro)
      return parts.chooseForRange(begins);
    for (const Stmt *event : begins)
      parts.chooseInMacro(event, 2);
    return RecordPart::Shared;
  }

  /// Whether each begin is followed by its end in the same block, and nothing jumps past either.
  bool arePairs(const NamedRange &range) const {
    if (range.begins.size() != range.ends.size())
      return false;
    return all_of(zip(range.begins, range.ends), [&](const auto &pair) {
      const auto &[begin, end] = pair;
      const auto *block = begin->parents.empty() ? nullptr : dyn_cast<clang::CompoundStmt>(begin->parents.back());
      if (!block || end->parents.empty() || end->parents.back() != block)
        return false;
      const auto first = find(block->body(), begin->statement), last = find(block->body(), end->statement);
      return first < last && last != block->body_end() &&
             std::none_of(
                 first + 1, last,
                 [&](const Stmt *part) {
                   return mayJump(part) || any_of(range.begins, [&](const MarkerSite *other) { return other->statement == part; });
                 });
    });
  }

  /// An object at each begin, which its end uses.
  void insertPairs(const NamedRange &range, const Places &places) {
    const auto placeOf = [&](const MarkerSite *site) {
      return find_if(places, [&](const auto &each) { return each.first == site; })->second;
    };
    const std::optional<FrameWords> words = parts.wordsOf({range.begins.front()->statement});
    for (const auto &[begin, end] : zip(range.begins, range.ends)) {
      const Place from = placeOf(begin), to = placeOf(end);
      const RangeText text = rangeText(parts, range.part, {range.begins.front()->statement},
                                       unit.regionAt(from, format::RegionKind::Range, ""), range.region, to.offset);
      if (!words || !words->sharesBegin)
        insertCall(unit, additions, *begin, from, text.begin, range.region, "); ");
      if (!words || !words->sharesEnd)
        insertCall(unit, additions, *end, to, text.end, range.region, "); ");
    }
  }

  void insertEvents(const NamedRange &range, const Places &places, const std::optional<FrameWords> &words) {
    for (const auto &[site, place] : places)
      if (const bool isBegin = site->annotation.kind == AnnotationKind::Begin; !words || !(isBegin ? words->sharesBegin : words->sharesEnd))
        insertCall(unit, additions, *site, place, isBegin ? beginCall(range.part, words) : endCall(range.part, words), range.region, "); ");
  }

  void closeOpenRanges() {
    RangeFlow flow = followRanges(holder.body, steps, ranges.size());
    for (const MarkerSite &site : holder.markers) {
      auto step = steps.find(site.statement);
      auto before = flow.beforeStep.find(site.statement);
      if (step != steps.end() && !step->second.opens && before != flow.beforeStep.end() && before->second.most == 0)
        reportUnreachable(site.annotation);
    }
    const unsigned count = ranges.size();
    for (const auto &[number, range] : enumerate(make_second_range(ranges))) {
      reportRepeatedBegins(unit, range.begins, range.ends, flow, number);
      reportOpenJumps(unit, range.begins, range.ends, {holder.body, steps, flow, count}, number);
    }
    SmallVector<const Stmt *, 8> parents;
    closeAtReturns(holder.body, parents, flow);
    if (flow.atEnd)
      closeAtEnd(*flow.atEnd);
  }

  void reportUnreachable(const Annotation &end) const {
    const std::string message = textOf(end) + " is never reached with that range open";
    end.importedAs.empty() ? unit.reporter.error(end.token, message) : unit.reporter.warning(end.token, message);
  }

  void closeAtReturns(const Stmt *statement, SmallVector<const Stmt *, 8> &parents, const RangeFlow &flow) {
    if (const auto *exit = dyn_cast<clang::ReturnStmt>(statement)) {
      if (auto counts = flow.atReturn.find(exit); counts != flow.atReturn.end())
        closeAtReturn(exit, parents, counts->second);
      return;
    }
    parents.push_back(statement);
    for (const Stmt *child : subStatements(statement))
      closeAtReturns(child, parents, flow);
    parents.pop_back();
  }

  void closeAtReturn(const clang::ReturnStmt *exit, ArrayRef<const Stmt *> parents, const OpenCounts &counts) {
    if (all_of(counts, [](const OpenCount &count) { return count.least == 0; }))
      return;
    std::optional<Place> begin = unit.editablePlace(exit->getBeginLoc());
    Expected<StatementSpan> span = spanOf(unit, exit);
    if (!begin || !span) {
      consumeError(span.takeError());
      unit.reporter.error(exit->getBeginLoc(), "a range is open at this return, which a macro writes: put KPERF_END in "
                                               "front of the macro, or use KPERF_SCOPE");
      return;
    }
    insertEnds(span->file, span->open.offset, counts, needsBraces(parents) ? std::optional(span->end) : std::nullopt);
  }

  void closeAtEnd(const OpenCounts &counts) {
    if (all_of(counts, [](const OpenCount &count) { return count.least == 0; }))
      return;
    if (std::optional<Place> brace = unit.editablePlace(holder.body->getEndLoc()))
      insertEnds(brace->file, brace->offset, counts, std::nullopt);
    else
      unit.reporter.error(holder.body->getEndLoc(), "a range is open at the end of this function, which a macro writes: "
                                                    "add a KPERF_END");
  }

  /// Ends every range as often as it is surely open; `braceEnd` is where a closing brace goes if one is needed.
  void insertEnds(clang::FileID file, unsigned offset, const OpenCounts &counts, std::optional<unsigned> braceEnd) {
    std::string path = unit.pathOf(file);
    if (braceEnd) {
      additions.addEdit({path, offset, EditOrder::Open, "{ ", std::nullopt, {}, 0, regions.front()});
      additions.addEdit({path, *braceEnd, EditOrder::Close, " }", std::nullopt, {}, 0, regions.front()});
    }
    for (auto [range, count] : enumerate(counts))
      if (count.least)
        additions.addEdit({path, offset, EditOrder::Open, probeNames(chooseForRange[range]).call(&ProbeNames::end), regions[range], "); ",
                           0, std::nullopt, count.least});
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  const AnnotatedFunction &holder;
  RecordPartChooser &parts;
  std::map<std::string, NamedRange> ranges;
  std::vector<std::size_t> regions;       ///< of each range, in the order of `ranges`
  std::vector<RecordPart> chooseForRange; ///< likewise
  DenseMap<const Stmt *, RangeStep> steps;
};

} // namespace

RangeText rangeText(RecordPartChooser &parts, RecordPart part, RecordName named, const Region &region, std::size_t index, unsigned end) {
  const ProbeNames names = probeNames(part);
  if (names.range.empty()) {
    const std::optional<FrameWords> words = parts.wordsOf(named);
    return {beginCall(part, words), endCall(part, words)};
  }
  const std::string object = formatv("kperf_range_{0}_{1}", region.line, region.column);
  const std::string which = part == RecordPart::Sum ? formatv("<{0}u>", parts.addSum({index, region.offset, end})).str() : "";
  return {formatv("::kperf::{0}{1} {2}; {2}.begin({3}", names.range, which, object, names.ownerArgument()),
          formatv("{0}.end({1}", object, names.ownerArgument())};
}

bool isToBeSummed(const TranslationUnit &unit, const AnnotatedFunction &holder, const Region &region, Place place, bool isAsked) {
  return place.file == unit.expansionPlace(holder.function->getLocation()).file &&
         (isAsked || any_of(unit.selection.aggregate, [&](const NamePattern &pattern) {
            return pattern.matchesName(region.name) || pattern.matchesName(region.function);
          }));
}

void planRanges(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts) {
  RangePlanner(unit, additions, holder, parts).run();
}

} // namespace kperf
