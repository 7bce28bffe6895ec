// `kperf report`, `kperf info`, …: each view of the decoder as a command, printed by any printer.
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/Progress.h"
#include "tool/commands/TableOutput.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReportPage.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace kperf::tool {
namespace {

using decoder::View;

struct Options {
  std::vector<std::string> traces;
  TableOutput output;
  decoder::ViewOptions view;
};

decoder::Expected<int> run(const View &view, const Options &options) {
  decoder::Expected<decoder::OutputFile> out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain(view.name, *out);
  const auto names = tracesOrNewest(options.traces);
  if (!names)
    return decoder::failure(names.error());
  const auto traces = openTraces(*names);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  decoder::ViewOptions viewOptions = options.view;
  viewOptions.isPage = options.output.format == "html";
  viewOptions.isSourceGuessed = viewOptions.source.empty();
  if (viewOptions.isSourceGuessed)
    viewOptions.source = ".";
  auto tables = view.run(*traces, viewOptions);
  if (!tables)
    return decoder::failure(tables.error());
  decoder::ReportPage page{.tables = {}, .data = {}, .title = fmt::format("kperf {}: {}", view.name, names->front())};
  if (options.output.format == "html" && view.run == decoder::reportView) {
    auto made = decoder::makeReportPage(*traces, viewOptions);
    if (!made)
      return decoder::failure(made.error());
    page = std::move(*made);
    std::ranges::move(page.tables, std::back_inserter(*tables));
  }
  progress.stop();
  if (options.output.format == "sarif") {
    std::vector<decoder::Finding> findings;
    for (const decoder::Table &table : *tables)
      findings.insert(findings.end(), table.findings.begin(), table.findings.end());
    decoder::writeSarif(findings, KPERF_VERSION, *out);
    if (auto status = out->finish(); !status)
      return decoder::failure(status.error());
    return 0;
  }
  if (auto status = options.output.print(*tables, *out, view.takes & decoder::kHasTimes ? decoder::originOf(traces->front()) : "",
                                         page.title, page.data); !status)
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
  options->output.declare(arguments, view.takes & decoder::kHasFindings ? std::vector<std::string>{"sarif"}
                                                                        : std::vector<std::string>());
  if (view.takes & decoder::kTakesKernel)
    arguments.add("--kernel", options->view.kernel, "only kernels whose name matches GLOB").typeName("GLOB");
  if (view.takes & decoder::kTakesBy)
    arguments.add("--by", options->view.by, "region, or path: as regions nest").oneOf({"region", "path"});
  if (view.takes & decoder::kTakesOverlapBy) {
    arguments.add("--by", options->view.by, "block, or sm: all blocks of a launch on an SM together")
        .oneOf({"block", "sm"});
    arguments.add("--block", options->view.block, "list the critical path of block N, step by step").typeName("N");
  }
  if (view.takes & decoder::kTakesMemoryBy)
    arguments.add("--by", options->view.by, "site, line, region, function, cache, page, or unseen")
        .oneOf({"site", "line", "region", "function", "cache", "page", "unseen"});
  if (view.takes & decoder::kTakesSort)
    arguments.add("--sort", options->view.sort, fmt::format("{}", fmt::join(sorts, ", "))).oneOf(sorts);
  if (view.takes & decoder::kTakesSource)
    arguments.add("--source", options->view.source, "folder of the sources (default: this one)")
        .typeName("FOLDER");
  if (view.takes & decoder::kTakesLimit)
    arguments.add("--limit", options->view.pageSpans, "html: at most N spans in the timeline (1000000)")
        .typeName("N")
        .within(1, decoder::kMostPageSpans);
  return [&view, options] { return run(view, *options); };
}

} // namespace

std::vector<Command> viewCommands() {
  std::vector<Command> out;
  for (const View &view : decoder::views())
    out.push_back({view.name, view.summary, [&view](const Arguments &arguments) { return declare(view, arguments); }});
  return out;
}

} // namespace kperf::tool
