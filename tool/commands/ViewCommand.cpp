// `kperf report`, `kperf info`, …: each view of the decoder as a command, printed by any printer.
#include "decoder/explain/Explanation.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReportPage.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/TableOutput.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace kperf::tool {
namespace {

using decoder::View;

/// A screen, as of kperf explain.
constexpr std::size_t kExplanationLines = 40;

struct Options {
  std::vector<std::string> traces;
  TableOutput output;
  std::string by; ///< a word of view.by
  decoder::ViewOptions view;
};

std::vector<std::string> groupingWords(const View &view) {
  std::vector<std::string> words;
  for (const decoder::By by : view.groupings)
    words.emplace_back(name(by));
  return words;
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
  viewOptions.isSourceGuessed = viewOptions.source.empty();
  if (viewOptions.isSourceGuessed)
    viewOptions.source = ".";
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
                                    .origin = view.takes & decoder::kHasTimes ? decoder::originOf(traces->front()) : "",
                                    .closing = std::move(*closing),
                                    .data = page.data};
  if (auto status = options.output.print(*tables, *out, print); !status)
    return decoder::failure(status.error());
  return 0;
}

Run declare(const View &view, const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  const Argument traces = arguments.add("TRACE", options->traces, "default: the newest *.kperf here");
  if (!(view.takes & decoder::kTakesSeveral))
    traces.atMostOne();
  std::vector<std::string> sorts;
  for (const std::string_view sort : decoder::reportSorts())
    sorts.emplace_back(sort);
  options->output.declare(arguments, view.takes & decoder::kHasFindings ? decoder::Form::Findings : decoder::Form::Rows);
  if (view.takes & decoder::kTakesKernel)
    arguments.add("--kernel", options->view.kernel, "only kernels whose name matches GLOB").typeName("GLOB");
  if (!view.groupings.empty())
    arguments.add("--by", options->by, view.groupingHelp).oneOf(groupingWords(view));
  if (view.takes & decoder::kTakesBlock)
    arguments.add("--block", options->view.block, "list the critical path of block N, step by step").typeName("N");
  if (view.takes & decoder::kTakesSort)
    arguments.add("--sort", options->view.sort, fmt::format("{}", fmt::join(sorts, ", "))).oneOf(sorts);
  if (view.takes & decoder::kTakesSource)
    arguments.add("--source", options->view.source, "folder of the sources (default: this one)").typeName("FOLDER");
  if (view.takes & decoder::kTakesLimit)
    arguments.add("--limit", options->view.pageSpans, "html: at most N spans in the timeline (1000000)")
        .typeName("N")
        .within(1, decoder::kMostPageSpans);
  return [&view, options] {
    for (const decoder::By by : view.groupings)
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
