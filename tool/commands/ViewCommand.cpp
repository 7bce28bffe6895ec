// `kperf report`, `kperf info`, …: each view of the decoder as a command, printed by any printer.
#include "decoder/explain/Explanation.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReportPage.h"
#include "decoder/view/Views.h"
#include "tool/commands/Command.h"
#include "tool/commands/PlacementFile.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <type_traits>

namespace kperf::tool {
namespace {

using decoder::By;
using decoder::View;
using decoder::ViewOption;

/// A screen, as of kperf explain.
constexpr std::size_t kExplanationLines = 40;

struct Options {
  std::vector<std::string> traces;
  TableOutput output;
  std::string by; ///< the word for scope.by
  decoder::ViewScope scope;
  std::unique_ptr<decoder::ViewOptions> own;
};

void add(const ViewOption &option, const Arguments &arguments) {
  const std::string help = option.help ? option.help : fmt::format("{}", fmt::join(option.words, ", "));
  const auto addValue = [&]<typename Value>(Value *value) {
    const Argument argument = arguments.add(option.name, *value, help).typeName(option.shown);
    if constexpr (std::is_same_v<Value, std::string>) {
      if (!option.words.empty())
        argument.oneOf({option.words.begin(), option.words.end()});
    } else if (option.max > 0) {
      argument.within(option.min, option.max);
    }
  };
  std::visit(addValue, option.value);
}

void addGroupings(const View &view, const Arguments &arguments, Options &options) {
  std::vector<std::string> words;
  for (const By by : view.groupings.all)
    words.emplace_back(name(by));
  if (!words.empty())
    arguments.add("--by", options.by, view.groupings.help).typeName("WORD").oneOf(std::move(words));
}

/// What leads the page of a report, and closes its text where there is a finding; "" for other formats.
decoder::Expected<std::string> explain(std::vector<decoder::Trace> &traces, const Options &options,
                                       std::span<const decoder::PlacedInstructions> placed, std::vector<decoder::Table> &tables) {
  const decoder::Form form = options.output.form();
  if (form != decoder::Form::Page && form != decoder::Form::Text)
    return "";
  auto facts = decoder::readFacts(traces, options.scope.kernel, placed);
  if (!facts)
    return decoder::failure(facts.error());
  const bool hasFullNames = form == decoder::Form::Page || options.output.names == "full"; // a page's are shortened together
  const decoder::Explanation explanation = decoder::explain(std::move(*facts), {.hasFullNames = hasFullNames});
  const bool hasFindings = std::ranges::any_of(explanation.kernels, [](const auto &kernel) { return !kernel.findings.empty(); });
  if (explanation.kernels.empty() || (form == decoder::Form::Text && !hasFindings))
    return "";
  if (form == decoder::Form::Text)
    return "\nwhat limits this program\n" + decoder::explanationText(explanation, options.output.columns(), kExplanationLines);
  tables.insert(tables.begin(), decoder::explanationTable(explanation));
  return "";
}

decoder::Expected<int> run(const View &view, Options &options) {
  decoder::Expected<decoder::OutputFile> out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain(view.name, *out);
  auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  decoder::ViewScope scope = options.scope;
  scope.isPage = options.output.form() == decoder::Form::Page;
  scope.readsSources = true;
  auto *report = dynamic_cast<decoder::ReportOptions *>(options.own.get());
  if (report) {
    auto placed = readPlacementOf(*traces, report->placementFile);
    if (!placed)
      return decoder::failure(placed.error());
    report->placement = std::move(*placed);
    if (report->pageSpans != decoder::kUsualPageSpans && !scope.isPage)
      warn("--limit is of the timeline that --format=html has: nothing else is cut by it");
  }
  auto tables = view.runWith(*traces, scope, *options.own);
  if (!tables)
    return decoder::failure(tables.error());
  decoder::ReportPage page{.tables = {}, .data = {}, .title = fmt::format("kperf {}: {}", view.name, traces->front().name())};
  if (scope.isPage && report) {
    auto made = decoder::makeReportPage(*traces, scope, *report);
    if (!made)
      return decoder::failure(made.error());
    page = std::move(*made);
    std::ranges::move(page.tables, std::back_inserter(*tables));
  }
  decoder::Expected<std::string> closing = "";
  if (report)
    closing = explain(*traces, options, report->placement, *tables);
  if (!closing)
    return decoder::failure(closing.error());
  progress.stop();
  const decoder::PrintOptions print{.title = page.title,
                                    .origin = view.traits & decoder::kHasTimes ? decoder::originOf(traces->front()) : "",
                                    .closing = std::move(*closing),
                                    .data = page.data};
  if (auto status = options.output.print(*tables, *out, print); !status)
    return decoder::failure(status.error());
  return 0;
}

Run declare(const View &view, const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  const Argument traces = addTraces(arguments, options->traces);
  if (!(view.traits & decoder::kTakesSeveral))
    traces.atMostOne();
  options->output.declare(arguments, view.traits & decoder::kHasFindings ? decoder::Form::Findings : decoder::Form::Rows);
  if (view.traits & decoder::kHasKernels)
    addKernel(arguments, options->scope.kernel);
  addGroupings(view, arguments, *options);
  options->own = view.options();
  for (const ViewOption &option : options->own->described())
    add(option, arguments);
  return [&view, options] {
    for (const By by : view.groupings.all)
      if (options->by == name(by))
        options->scope.by = by;
    return run(view, *options);
  };
}

} // namespace

std::vector<Command> viewCommands() {
  std::vector<Command> out;
  for (const View &view : decoder::views())
    out.push_back({view.name, view.summary, [&view](const Arguments &arguments) { return declare(view, arguments); }});
  return out;
}

} // namespace kperf::tool
