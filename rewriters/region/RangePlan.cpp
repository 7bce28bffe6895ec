// Pairs, closes and places ranges.
#include "rewriters/region/RangePlan.h"

#include "rewriters/analysis/RangeFlow.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;
using clang::SourceLocation;
using clang::Stmt;

namespace kperf {

void insertCall(TranslationUnit &unit, const MarkerSite &site, Place place, std::string before, std::size_t region, std::string after) {
  std::string path = unit.pathOf(place.file);
  bool inBraces = needsBraces(site.parents);
  if (inBraces) {
    SourceLocation end = site.statement->getEndLoc();
    std::optional<Place> semicolon = unit.editablePlace(end);
    if (!semicolon || semicolon->file != place.file || semicolon->offset < place.offset) {
      unit.reporter.error(site.annotation.token, "this annotation is the whole body of a statement and stands inside a "
                                                 "macro: put braces around it");
      return;
    }
    unit.plan.addEdit({path, unit.layoutOf(place.file).after(semicolon->offset), EditOrder::Close, " }", std::nullopt, {}, 0, region});
    before = "{ " + before;
  }
  unit.plan.addEdit({path, place.offset, EditOrder::Open, std::move(before), region, std::move(after)});
}

namespace {

struct NamedRange {
  std::vector<const MarkerSite *> begins, ends;
  std::size_t region = 0;
  RecordPart part = RecordPart::Shared;
};

class RangePlanner {
public:
  RangePlanner(TranslationUnit &unit, const AnnotatedFunction &holder, RecordPartChooser &parts)
      : unit(unit), holder(holder), parts(parts) {}

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
      partOfRange.push_back(range.part);
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
                                                                      functionName(holder.function) +
                                                                      "': add it where the region begins, or remove this");
      isPaired &= !range.begins.empty() && !range.ends.empty();
    }
    return isPaired;
  }

  void planSites(const std::string &name, NamedRange &range) {
    std::vector<std::pair<const MarkerSite *, Place>> places;
    for (const MarkerSite *site : concat<const MarkerSite *>(range.begins, range.ends)) {
      Expected<Place> place = placeOfAnnotation(unit, *site);
      if (!place) {
        unit.reporter.error(site->annotation.token, toString(place.takeError()));
        return;
      }
      places.emplace_back(site, *place);
    }
    Region region = unit.regionAt(places.front().second, format::RegionKind::Range, name);
    region.function = functionName(holder.function);
    for (const MarkerSite *site : range.ends)
      region.endLine = std::max(region.endLine, unit.lineOf(unit.expansionPlace(site->annotation.token)));
    range.region = unit.plan.addRegion(region);
    SmallVector<const Stmt *, 4> events;
    for (const auto &[site, place] : places)
      events.push_back(site->statement);
    if (any_of(places, [&](const auto &entry) { return unit.isInDirective(entry.second); }))
      for (const Stmt *event : events)
        parts.partInMacro(event, 2);
    else
      range.part = parts.partOfRange(events);
    parts.addToStream(unit, range.part, {events.front()}, range.region);
    const std::optional<FrameWords> words = parts.wordsOf({events.front()});
    for (const auto &[site, place] : places)
      if (const bool isBegin = site->annotation.kind == AnnotationKind::Begin; !words || !(isBegin ? words->sharesBegin : words->sharesEnd))
        insertCall(unit, *site, place, probeCall(range.part, isBegin ? "begin" : "end", words), range.region, "); ");
  }

  void closeOpenRanges() {
    RangeFlow flow = followRanges(holder.body, steps, ranges.size());
    for (const MarkerSite &site : holder.markers) {
      auto step = steps.find(site.statement);
      auto before = flow.beforeStep.find(site.statement);
      if (step != steps.end() && !step->second.opens && before != flow.beforeStep.end() && before->second.most == 0)
        unit.reporter.error(site.annotation.token, "KPERF_END(\"" + site.annotation.name + "\") is never reached with that range open");
    }
    SmallVector<const Stmt *, 8> parents;
    closeAtReturns(holder.body, parents, flow);
    if (flow.atEnd)
      closeAtEnd(*flow.atEnd);
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
      unit.plan.addEdit({path, offset, EditOrder::Open, "{ ", std::nullopt, {}, 0, regions.front()});
      unit.plan.addEdit({path, *braceEnd, EditOrder::Close, " }", std::nullopt, {}, 0, regions.front()});
    }
    for (auto [range, count] : enumerate(counts))
      if (count.least)
        unit.plan.addEdit(
            {path, offset, EditOrder::Open, probeCall(partOfRange[range], "end"), regions[range], "); ", 0, std::nullopt, count.least});
  }

  TranslationUnit &unit;
  const AnnotatedFunction &holder;
  RecordPartChooser &parts;
  std::map<std::string, NamedRange> ranges;
  std::vector<std::size_t> regions;    ///< of each range, in the order of `ranges`
  std::vector<RecordPart> partOfRange; ///< likewise
  DenseMap<const Stmt *, RangeStep> steps;
};

} // namespace

std::string probeCall(RecordPart part, StringRef probe, const std::optional<FrameWords> &words) {
  if (part == RecordPart::Frame)
    return "kperf_frame.at<" + std::to_string(probe == "begin" ? words->begin : words->end) + "u>(";
  if (part == RecordPart::Stream)
    return ("kperf_stream." + probe + "(").str();
  if (part == RecordPart::Row)
    return ("::kperf::row" + probe.take_front().upper() + probe.drop_front() + "(").str();
  if (part == RecordPart::Split || part == RecordPart::First) {
    const StringRef who = part == RecordPart::Split ? "split" : "first";
    return ("kperf_kernel." + who + probe.take_front().upper() + probe.drop_front() + "(").str();
  }
  return ((part == RecordPart::Own ? "kperf_kernel." : "::kperf::") + probe + "(").str();
}

void planRanges(TranslationUnit &unit, const AnnotatedFunction &holder, RecordPartChooser &parts) {
  RangePlanner(unit, holder, parts).run();
}

} // namespace kperf
