// Writes the log, the summary and the failures.
#include "tool/batch/BatchReport.h"

#include "tool/batch/Progress.h"
#include "tool/cc/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace kperf::batch {
namespace {

/// The first error, on one line.
std::string reasonOf(const BatchRecord &record) {
  const auto error = llvm::find_if(record.diagnostics, [](const RecordedDiagnostic &d) { return d.severity == Severity::Error; });
  if (error == record.diagnostics.end())
    return "no reason was given";
  return llvm::StringRef(error->rendered).split(": error: ").second.empty()
             ? error->text
             : llvm::StringRef(error->rendered).split('\n').first.trim().str();
}

std::string statusOf(const Outcome &outcome) {
  if (outcome.record.failed)
    return "failed";
  if (outcome.isCurrent)
    return "up to date";
  return outcome.record.changed ? "rewritten" : "no regions";
}

std::string detailsOf(const Outcome &outcome) {
  const BatchRecord &record = outcome.record;
  if (record.failed)
    return reasonOf(record);
  if (!record.changed)
    return "nothing to instrument";
  std::string details = outcome.root + record.files.front().path + ", " + countOf(record.regions, "region") + ", " +
                        countOf(record.files.size() - 1, "header");
  if (!record.diagnostics.empty())
    details += ", " + countOf(record.diagnostics.size(), "warning");
  if (outcome.hasOwnTree)
    details += ", headers of its own: " + outcome.conflict;
  return details;
}

} // namespace

std::string BatchReport::logText() const {
  std::string text;
  for (std::size_t job = 0; job < outcomes.size(); ++job) {
    const Outcome &outcome = outcomes[job];
    text += llvm::formatv("{0,-10} {1,8:f2} s {2,6} MB  {3}: {4}\n", statusOf(outcome), outcome.seconds, outcome.peakKilobytes / 1024,
                          list.jobs[job].name, detailsOf(outcome))
                .str();
  }
  for (const Refusal &refusal : list.refusals)
    text += llvm::formatv("{0,-10} {1,8:f2} s {2,6} MB  {3}: {4}\n", "failed", 0.0, 0, refusal.name, refusal.reason).str();
  for (const std::string &problem : problems)
    text += "problem: " + problem + "\n";
  return text;
}

std::string BatchReport::summary() const {
  std::size_t counts[4] = {}, regions = 0, headers = 0;
  static constexpr llvm::StringLiteral names[] = {"rewritten", "up to date", "no regions", "failed"};
  std::set<std::string> copies;
  for (const Outcome &outcome : outcomes) {
    ++counts[llvm::find(names, statusOf(outcome)) - std::begin(names)];
    regions += outcome.record.regions;
    for (const TreeFile &file : llvm::ArrayRef(outcome.record.files).drop_front(outcome.record.files.empty() ? 0 : 1))
      copies.insert(outcome.root + file.path);
  }
  headers = copies.size();
  counts[3] += list.refusals.size();
  std::string text = countOf(outcomes.size() + list.refusals.size(), "source") + ":";
  static constexpr llvm::StringLiteral words[] = {"rewritten", "up to date", "without regions", "failed"};
  bool isFirst = true;
  for (std::size_t kind = 0; kind < std::size(counts); ++kind) {
    if (counts[kind] == 0)
      continue;
    text += (isFirst ? " " : ", ") + std::to_string(counts[kind]) + " " + words[kind].str();
    isFirst = false;
  }
  return text + "; " + countOf(regions, "region") + ", " + countOf(headers, "header") + ", " + llvm::formatv("{0:f1} s", seconds).str() +
         "\n";
}

void BatchReport::printFailures() const {
  auto say = [](llvm::StringRef text) { llvm::errs() << "kperf-rewrite: error: " << cc::printable(text) << '\n'; };
  for (std::size_t job = 0; job < outcomes.size(); ++job)
    if (outcomes[job].record.failed)
      say("'" + list.jobs[job].name + "' is not rewritten: " + reasonOf(outcomes[job].record));
  for (const Refusal &refusal : list.refusals)
    say("'" + refusal.name + "' is not rewritten: " + refusal.reason);
  for (const std::string &problem : problems)
    say(problem);
}

bool BatchReport::hasFailures() const {
  return !list.refusals.empty() || !problems.empty() ||
         llvm::any_of(outcomes, [](const Outcome &outcome) { return outcome.record.failed; });
}

void printWarning(const llvm::Twine &text) { llvm::errs() << "kperf-rewrite: warning: " << cc::printable(text) << '\n'; }

void printDiagnostics(const BatchRecord &record, llvm::StringRef source, SaidDiagnostics &said) {
  for (const RecordedDiagnostic &diagnostic : record.diagnostics)
    if (said.isNew(diagnostic.rendered, source))
      llvm::errs() << cc::printable(diagnostic.rendered);
}

void printRepetitions(const SaidDiagnostics &said) {
  for (const std::string &line : said.repetitions())
    llvm::errs() << "kperf-rewrite: " << cc::printable(line) << '\n';
}

} // namespace kperf::batch
