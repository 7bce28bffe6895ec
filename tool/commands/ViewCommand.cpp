// `kperf report`, `kperf info`, …: each view of the decoder as a command, printed by any printer.
#include "decoder/explain/Explanation.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReportPage.h"
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
  std::string by; ///< the word for view.by
  decoder::ViewOptions view;
};

void add(const ViewOption &option, const Arguments &arguments, Options &options) {
  const std::string help = option.help ? option.help : fmt::format("{}", fmt::join(option.words, ", "));
  const auto add = [&](auto &value) { return arguments.add(option.name, value, help).typeName(option.value); };
  const auto addMember = [&]<typename Value>(Value decoder::ViewOptions::*member) {
    if constexpr (std::is_same_v<Value, std::optional<By>>) {
      std::vector<std::string> words;
      for (const By by : option.groupings)
        words.emplace_back(name(by));
      add(options.by).oneOf(std::move(words));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      const Argument argument = add(options.view.*member);
      if (!option.words.empty())
        argument.oneOf({option.words.begin(), option.words.end()});
    } else {
      const Argument argument = add(options.view.*member);
      if (option.max > 0)
        argument.within(option.min, option.max);
    }
  };
  std::visit(addMember, option.member);
}

/// What leads the page of a report, and closes its text where there is a finding; "" for other formats.
decoder::Expected<std::string> explain(std::vector<decoder::Trace> &traces, const Options &options, std::vector<decoder::Table> &tables) {
  const decoder::Form form = options.output.form();
  if (form != decoder::Form::Page && form != decoder::Form::Text)
    return "";
  auto facts = decoder::readFacts(traces, options.view.kernel);
  if (!facts)
    return decoder::failure(facts.error());
  const decoder::Explanation explanation = decoder::explain(std::move(*facts));
  const bool hasFindings = std::ranges::any_of(explanation.kernels, [](const auto &kernel) { return !kernel.findings.empty(); });
  if (explanation.kernels.empty() || (form == decoder::Form::Text && !hasFindings))
    return "";
  if (form == decoder::Form::Text)
    return "\nwhat limits this program\n" + decoder::explanationText(explanation, options.output.columns(), kExplanationLines);
  tables.insert(tables.begin(), decoder::explanationTable(explanation));
  return "";
}

/// What kperf verify said of the traces' program, where that was asked for.
decoder::Status addPlacement(const std::vector<decoder::Trace> &traces, decoder::ViewOptions &options) {
  if (options.placementFile.empty())
    return {};
  const auto rows = readPlacement(options.placementFile);
  if (!rows)
    return decoder::failure(rows.error());
  auto placed = decoder::placedIn(traces, *rows);
  if (!placed) {
    placed.error().file = options.placementFile;
    return decoder::failure(placed.error());
  }
  options.placement = std::move(*placed);
  return {};
}

decoder::Expected<int> run(const View &view, const Options &options) {
  decoder::Expected<decoder::OutputFile> out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain(view.name, *out);
  auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  decoder::ViewOptions viewOptions = options.view;
  viewOptions.isPage = options.output.form() == decoder::Form::Page;
  viewOptions.readsSources = true;
  if (auto status = addPlacement(*traces, viewOptions); !status)
    return decoder::failure(status.error());
  auto tables = view.run(*traces, viewOptions);
  if (!tables)
    return decoder::failure(tables.error());
  decoder::ReportPage page{.tables = {}, .data = {}, .title = fmt::format("kperf {}: {}", view.name, traces->front().name())};
  if (viewOptions.isPage && view.run == decoder::reportView) {
    auto made = decoder::makeReportPage(*traces, viewOptions);
    if (!made)
      return decoder::failure(made.error());
    page = std::move(*made);
    std::ranges::move(page.tables, std::back_inserter(*tables));
  }
  decoder::Expected<std::string> closing = "";
  if (view.run == decoder::reportView)
    closing = explain(*traces, options, *tables);
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
  for (const ViewOption &option : view.options())
    add(option, arguments, *options);
  return [&view, options] {
    for (const By by : view.groupings())
      if (options->by == name(by))
        options->view.by = by;
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
