// Applies rules to functions, and returns the statements that they choose.
#include "rewriters/select/RuleSelector.h"

#include "rewriters/pattern/NameTemplate.h"
#include "rewriters/select/AstMatch.h"
#include "rewriters/select/IdleRule.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::Stmt;
using kperf::format::RegionKind;

namespace kperf {

static bool anyName(const NamePatterns &patterns, StringRef name) {
  return any_of(patterns, [&](const NamePattern &pattern) { return pattern.matchesName(name); });
}

static StringRef kindWord(SelectionKind kind) {
  static constexpr StringRef words[] = {"kernel", "function", "loop", "barrier", "async", "call", "lines", "match"};
  return words[static_cast<unsigned>(kind)];
}

RuleSelector::RuleSelector(const TranslationUnit &unit)
    : unit(unit), selection(unit.selection), work(unit.analyses.get<WorkEstimate>(unit.context)), ruleChose(selection.rules.size()),
      ruleApplied(selection.rules.size()) {}

bool RuleSelector::chooses(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable) const {
  if (selectable.kind != rule.kind)
    return false;
  if (rule.lines && !rule.lines->contains(unit.lineOf(unit.expansionPlace(selectable.at->getBeginLoc()))))
    return false;
  if (rule.depth && !rule.depth->contains(selectable.depth))
    return false;
  if (rule.kind != SelectionKind::Calls)
    return selectsFunction(rule.patterns, rule.exclude, candidate);
  auto isCallee = [&](const NamePatterns &patterns) {
    return anyName(patterns, selectable.name) || anyName(patterns, selectable.qualifiedName);
  };
  return isCallee(rule.patterns) && !isCallee(rule.exclude) && selectsFunction(rule.in, {}, candidate);
}

/// Loops are held to more where they are inside others, or in functions that are called there, and so are entered often: a probe costs some
/// fifty instructions.
bool RuleSelector::isTooSmall(const Selectable &selectable) {
  constexpr unsigned kInsideLoops = 8;
  if (selectable.kind == SelectionKind::Loops && (selectable.enclosingLoop || inLoops.contains(selectable.function)))
    return work.of(selectable.statement) < selection.guard * std::uint64_t{kInsideLoops};
  if (selectable.kind == SelectionKind::Loops || selectable.kind == SelectionKind::Functions)
    return work.of(selectable.statement) < selection.guard;
  // subStatements of a loop is its body
  return selectable.enclosingLoop && work.of(subStatements(withoutAttributes(selectable.enclosingLoop)).front()) < selection.guard;
}

/// Its probes would stand there once for each pass of the loop around it, in straight-line code.
bool RuleSelector::isInUnrolled(const Selectable &selectable) const {
  return selection.guard > 0 && selectable.kind == SelectionKind::Loops && selectable.enclosingLoop &&
         work.isUnrolled(selectable.enclosingLoop);
}

/// The loop around it does little else, and waits for nothing: its time is this one's.
bool RuleSelector::isMostOfOuter(const Selectable &selectable, const std::vector<Selectable> &all) const {
  const unsigned little = selection.guard / 4;
  const Stmt *outer = selectable.kind == SelectionKind::Loops ? selectable.enclosingLoop : nullptr;
  if (!outer || work.of(subStatements(withoutAttributes(outer)).front(), selectable.statement) >= little)
    return false;
  return none_of(all, [&](const Selectable &other) {
    return other.statement == outer ? !other.obstacle.empty() : other.construct && other.enclosingLoop == outer;
  });
}

std::string RuleSelector::nameFor(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable) const {
  NameParts parts;
  parts.function = candidate.name;
  parts.kind = kindWord(rule.kind).str();
  parts.name = selectable.name;
  parts.file = sys::path::filename(candidate.file).str();
  const bool isBody = selectable.at == candidate.function->body;
  parts.line = unit.lineOf(unit.expansionPlace(isBody ? candidate.function->function->getLocation() : selectable.at->getBeginLoc()));
  return expandNameTemplate(rule.name, parts);
}

void RuleSelector::skip(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable, StringRef reason,
                        bool isTooSmall) {
  skipped.push_back(unit.skippedAt(selectable.at->getBeginLoc(), nameFor(rule, candidate, selectable), candidate.name, reason, isTooSmall));
}

void RuleSelector::add(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable, const LineRun &run) {
  StatementSite site;
  site.kind = RegionKind::Automatic;
  site.name = nameFor(rule, candidate, selectable);
  site.run = run;
  site.isBody = selectable.statement == candidate.function->body;
  site.rule = rule.place;
  for (const StatementSite &known : candidate.function->statements)
    if (known.run == site.run) {
      if (!rule.isAutomatic && !known.pragma && known.rule != rule.place)
        reportOverlap(known, site);
      return;
    }
  candidate.function->statements.push_back(std::move(site));
}

void RuleSelector::reportOverlap(const StatementSite &left, const StatementSite &right) {
  if (reported.emplace(left.rule, right.rule).second)
    unit.reporter.error(right.first()->getBeginLoc(),
                        "the rules at " + left.rule + " and " + right.rule + " overlap here: take this statement out of one of them");
}

void RuleSelector::applyToFunction(std::size_t index, const RuleCandidate &candidate, const std::vector<Selectable> &selectables) {
  const SelectionRule &rule = selection.rules[index];
  for (const Selectable &selectable : selectables) {
    if (!chooses(rule, candidate, selectable))
      continue;
    ruleChose[index] = true;
    if (!selectable.obstacle.empty())
      skip(rule, candidate, selectable, selectable.obstacle, false);
    else if (rule.isAutomatic && rule.kind != SelectionKind::Kernels && isTooSmall(selectable))
      skip(rule, candidate, selectable, "too little work to time", true);
    else if (rule.isAutomatic && isInUnrolled(selectable))
      skip(rule, candidate, selectable, "the loop around it is unrolled", true);
    else if (rule.isAutomatic && isMostOfOuter(selectable, selectables))
      skip(rule, candidate, selectable, "the loop around it does little else", true);
    else
      add(rule, candidate, selectable, {selectable.statement});
  }
}

void RuleSelector::applyMatcher(std::size_t index, const RuleCandidate &candidate) {
  const SelectionRule &rule = selection.rules[index];
  if (!selectsFunction(rule.in, {}, candidate))
    return;
  const AnnotatedFunction &function = *candidate.function;
  for (const Stmt *match : matchesIn(rule.matcher, function.function, function.body)) {
    if (rule.lines && !rule.lines->contains(unit.lineOf(unit.expansionPlace(match->getBeginLoc()))))
      continue;
    ruleChose[index] = true;
    Selectable selectable;
    selectable.at = match;
    selectable.statement = match == function.body ? match : ownStatementOf(function.body, match);
    selectable.name = loopKeyword(withoutAttributes(match)).str();
    if (selectable.name.empty())
      selectable.name = "match";
    if (selectable.statement)
      add(rule, candidate, selectable, {selectable.statement});
    else
      skip(rule, candidate, selectable, "it is part of the head of a branch or loop", false);
  }
}

void RuleSelector::applyLines(std::size_t index, const std::vector<RuleCandidate> &candidates) {
  const SelectionRule &rule = selection.rules[index];
  std::string reason;
  const Stmt *cut = nullptr;
  for (const RuleCandidate &candidate : candidates) { // in source order, a lambda behind the function that it is in
    const bool isInFile =
        rule.files.empty() ? candidate.fileId == unit.sources.getMainFileID() : anyMatchesPath(rule.files, candidate.file);
    const Stmt *body = candidate.function->body;
    if (!isInFile || !candidate.isLookedInto || unit.lineOf(unit.expansionPlace(body->getBeginLoc())) > rule.lines->first ||
        unit.lineOf(unit.expansionEnd(body->getEndLoc())) < rule.lines->first)
      continue;
    ruleChose[index] = true;
    Expected<LineRun> run = statementsOnLines(unit, body, *rule.lines);
    if (run) {
      Selectable selectable;
      selectable.statement = selectable.at = run->front();
      selectable.name = "lines";
      return add(rule, candidate, selectable, *run);
    }
    reason = toString(run.takeError());
    cut = body;
  }
  if (cut)
    unit.reporter.error(cut->getBeginLoc(), rule.place + ": " + reason);
}

/// Runs of one block that share some statements, but not all.
void RuleSelector::findCrossings(const AnnotatedFunction &function) {
  auto isBefore = [&](clang::SourceLocation left, clang::SourceLocation right) {
    return unit.sources.isBeforeInTranslationUnit(unit.sources.getExpansionLoc(left), unit.sources.getExpansionLoc(right));
  };
  for (const StatementSite &run : function.statements) {
    if (run.run.size() < 2)
      continue;
    for (const StatementSite &other : function.statements)
      if (!other.run.empty() && isBefore(run.first()->getBeginLoc(), other.first()->getBeginLoc()) &&
          isBefore(other.first()->getBeginLoc(), run.last()->getEndLoc()) && isBefore(run.last()->getEndLoc(), other.last()->getEndLoc()))
        reportOverlap(run, other);
  }
}

void RuleSelector::select(std::vector<AnnotatedFunction> &functions) {
  if (selection.rules.empty())
    return;
  const std::vector<RuleCandidate> candidates = ruleCandidates(unit, functions);
  inLoops = CalledInLoops(candidates);
  for (std::size_t index = 0; index < selection.rules.size(); ++index) {
    const SelectionRule &rule = selection.rules[index];
    if (rule.kind == SelectionKind::Lines)
      applyLines(index, candidates);
    for (std::size_t each = 0; each < candidates.size(); ++each) {
      if (!appliesTo(rule, candidates[each]))
        continue;
      ruleApplied[index] = true;
      if (rule.kind == SelectionKind::Match)
        applyMatcher(index, candidates[each]);
      else
        applyToFunction(index, candidates[each], selectablesOf(unit, *candidates[each].function));
    }
    // A rule for another file is no mistake: a build has many sources and one selection.
    if (!rule.isAutomatic && !ruleChose[index] && (ruleApplied[index] || rule.files.empty()))
      unit.reporter.warning({}, rule.place + ": the rule selects nothing in '" + unit.mainFileName() + "'; " +
                                    remedyFor(unit, rule, candidates));
  }
  for (const RuleCandidate &candidate : candidates)
    if (candidate.isLookedInto)
      findCrossings(*candidate.function);
}

} // namespace kperf
