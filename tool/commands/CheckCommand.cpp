// `kperf check`: holds a trace against budgets, for continuous integration.
#include "decoder/trace/SameBuild.h"
#include "tool/commands/BudgetFile.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <span>

namespace kperf::tool {
namespace {

struct Options {
  std::vector<std::string> traces;
  std::string budgets = "kperf.yaml";
  std::vector<std::string> limits;
  TableOutput output;
  bool isDumping = false; ///< a first file of budgets, in place of a check
};

/// Which of the limits in a command it is about.
decoder::Error ofLimit(const std::string &limit, decoder::Error error) {
  error.message = fmt::format("--limit='{}': {}", limit, error.message);
  return error;
}

/// Of what stands where traces do and is none: a budget behind that of a --limit, a file of budgets.
std::vector<decoder::Error> misplaced(const std::vector<std::string> &traces) {
  std::vector<decoder::Error> out;
  for (const std::string &trace : traces)
    if (const bool isThere = std::filesystem::exists(trace); !isThere && decoder::parseBudget(trace))
      out.push_back({.message = fmt::format("'{}' is a budget, where a trace is expected", trace),
                     .remedy = fmt::format("give it a --limit of its own: --limit='{}'", trace)});
    else if (isThere && (trace.ends_with(".yaml") || trace.ends_with(".yml")))
      out.push_back({.message = fmt::format("{} is no trace, but by its name a file of budgets", trace),
                     .remedy = fmt::format("name it behind --budget: --budget={}", trace)});
  return out;
}

Budgets budgetsOf(const Options &options, bool isFileNamed) {
  std::vector<decoder::Budget> out;
  std::vector<decoder::Error> errors;
  if (isFileNamed || options.limits.empty()) {
    auto read = readBudgets(options.budgets);
    if (!read && !isFileNamed && !std::filesystem::exists(options.budgets))
      errors.push_back({.message = fmt::format("there is no {} here, which holds the budgets", options.budgets),
                        .remedy = "name another file by --budget=FILE, or one limit by --limit='regions.\"load\".share <= 40'; "
                                  "kperf check TRACE --dump-budget -o kperf.yaml writes a first one"});
    else if (!read)
      errors = std::move(read.error());
    else
      out = std::move(*read);
  }
  for (const std::string &text : options.limits) {
    if (auto budget = decoder::parseBudget(text))
      out.push_back(std::move(*budget));
    else
      errors.push_back(ofLimit(text, budget.error()));
  }
  return errors.empty() ? Budgets(std::move(out)) : std::unexpected(std::move(errors));
}

/// What an output that nobody sees does not say: each finding that is no good, with its place, up to a number.
void sayBroken(const std::vector<decoder::Finding> &findings) {
  constexpr std::size_t kMost = 20;
  std::size_t said = 0;
  for (const decoder::Finding &finding : findings)
    if (finding.isViolation && !finding.isUnchecked && ++said <= kMost)
      say(decoder::Error{.message = "broken: " + finding.message, .line = finding.line, .column = finding.column, .file = finding.file}
              .text());
  if (said > kMost)
    say(fmt::format("{} more are broken", said - kMost));
}

/// Says the errors, of which there is one at least, and fails with the last one. Where programs read findings, they get them as such: those
/// that find no file, or an old one, would call that no failure.
std::unexpected<decoder::Error> refused(const Options &options, decoder::Output &out, const std::vector<decoder::Error> &errors) {
  if (const decoder::Form form = options.output.form(); form == decoder::Form::Checks || form == decoder::Form::Findings) {
    decoder::Table table{.name = "checks", .columns = {}, .rows = {}, .notes = {}};
    const std::string &place = options.traces.empty() ? options.budgets : options.traces.front(); // SARIF's readers refuse what has none
    for (const decoder::Error &error : errors)
      table.findings.push_back({.rule = "budgets and traces",
                                .subject = "kperf check",
                                .message = error.text(),
                                .file = error.file.empty() ? place : error.file,
                                .line = error.line,
                                .column = error.column,
                                .isViolation = true,
                                .isUnchecked = true});
    if (auto status = options.output.print(std::span(&table, 1), out, {.title = "kperf check"}); !status)
      return decoder::failure(status.error());
  }
  for (const decoder::Error &error : std::span(errors).first(errors.size() - 1))
    say(fmt::format("error: {}", error.text()));
  return decoder::failure(errors.back());
}

/// Prints a first file of budgets.
decoder::Expected<int> dump(const Options &options, decoder::Output &out) {
  const auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto draft = decoder::draftBudgets(*traces);
  progress.stop();
  if (!draft)
    return decoder::failure(draft.error());
  const std::string name = std::filesystem::path(traces->front().name()).filename().string();
  if (draft->budgets.empty())
    return decoder::failure({.message = fmt::format("{} has no number to limit", name), .remedy = "kperf info says what it holds"});
  writeBudgets(*draft, traces->size() == 1 ? name : fmt::format("{} and {} more", name, traces->size() - 1), out);
  if (decoder::Status status = out.finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

decoder::Expected<int> run(Options &options, bool isFileNamed) {
  const bool hasFile = !options.isDumping && (isFileNamed || options.limits.empty());
  auto out = decoder::OutputFile::open(options.output.path, decoder::Replaces::NoTrace, std::span(&options.budgets, hasFile));
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain("check", *out);
  if (const auto errors = misplaced(options.traces); !errors.empty())
    return refused(options, *out, errors);
  if (options.isDumping)
    return dump(options, *out);
  const auto budgets = budgetsOf(options, isFileNamed);
  if (!budgets)
    return refused(options, *out, budgets.error());
  const auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return refused(options, *out, {traces.error()});
  Progress progress(*traces);
  const auto results = decoder::checkBudgets(*traces, *budgets);
  progress.stop();
  const decoder::PrintOptions print{.title = "kperf check", .origin = decoder::originOf(traces->front())};
  if (auto status = options.output.print(std::span(&results.table, 1), *out, print); !status)
    return decoder::failure(status.error());
  if (options.output.path != "-")
    sayBroken(results.table.findings);
  if (results.broken > 0)
    say(fmt::format("{} of {} checks broken", results.broken, results.table.findings.size()));
  std::set<std::string> said; // what is wrong with a trace is so for each budget
  for (const decoder::Error &error : results.failures)
    if (said.insert(error.text()).second)
      say(fmt::format("error: {}", error.text()));
  return !results.failures.empty() ? 2 : results.broken > 0 ? 1 : 0;
}

} // namespace

Run checkCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTraces(arguments, options->traces);
  const Argument file = arguments.add("--budget", options->budgets, "YAML: budgets: and a list (kperf.yaml)").typeName("FILE");
  arguments.add("--limit", options->limits, "a budget, as a line of that list; one for each --limit").typeName("TEXT").oneValueAtATime();
  arguments.flag("--dump-budget", options->isDumping, "print a first file of budgets, of what TRACE shows");
  options->output.declare(arguments, decoder::Form::Checks);
  arguments.footer("A budget: [view.]table[.\"row\"].column, then < <= > >= == or !=, then a number:\n"
                   "  regions.\"softmax\".p95_ns < 1200      regions.\"load*\".share_percent <= 40\n"
                   "  kernels.duration_ns < 50000            shared-memory.conflict-ways <= 1.5\n"
                   "In the list also as a map {budget: …, kernel: GLOB, because: TEXT}. Columns are\n"
                   "the keys of --format=json. Exit 1 when one is violated, 2 when one could not be\n"
                   "checked; the others have their verdicts all the same.");
  return [options, file] { return run(*options, file.isGiven()); };
}

} // namespace kperf::tool
