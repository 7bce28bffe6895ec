// `kperf explain`: what limits a program, why, what to try, and what that would gain.
#include "decoder/explain/Explanation.h"
#include "tool/builds/PlainRuns.h"
#include "tool/commands/Command.h"
#include "tool/commands/PlacementFile.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <algorithm>
#include <iterator>
#include <memory>

namespace kperf::tool {
namespace {

/// A screen.
constexpr std::size_t kLines = 40, kColumns = 80;

struct Options {
  std::vector<std::string> traces, probes = {"--probes=region,sync"};
  std::string names = "short", format, path = "-", kernel, build, run, placement;
  bool isWhole = false;
};

decoder::Status checkInput(const Options &options) {
  if (options.build.empty() != options.run.empty())
    return decoder::failure({.message = "--build and --run belong together",
                             .found = options.build.empty() ? "--run alone" : "--build alone",
                             .expected = "a command that builds the program, and one that runs it"});
  if (!options.build.empty() && !options.traces.empty())
    return decoder::failure({.message = "--build makes the traces that are explained",
                             .found = options.traces.front(),
                             .expected = "no trace",
                             .remedy = "leave out the traces, or --build and --run"});
  return {};
}

decoder::Expected<int> write(std::vector<decoder::Trace> &traces, const Options &options, decoder::OutputFile &out,
                             std::optional<double> overheadPercent) {
  Progress progress(traces);
  const auto placed = readPlacementOf(traces, options.placement);
  if (!placed)
    return decoder::failure(placed.error());
  auto facts = decoder::readFacts(traces, options.kernel, *placed);
  if (!facts)
    return decoder::failure(facts.error());
  if (overheadPercent) {
    facts->measuredPercent = overheadPercent;
    facts->isMeasuredByLaunches = false;
  }
  const decoder::Explanation explanation =
      decoder::explain(std::move(*facts), {.hasFullNames = options.names == "full", .isWhole = options.isWhole});
  progress.stop();
  const bool isJson = options.format == "json" || (options.format.empty() && options.path.ends_with(".json"));
  out.write(isJson ? decoder::explanationJson(explanation) : decoder::explanationText(explanation, kColumns, kLines));
  if (auto status = out.finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

decoder::Expected<int> run(const Options &options) {
  if (auto status = checkInput(options); !status)
    return decoder::failure(status.error());
  decoder::Expected<decoder::OutputFile> out =
      decoder::OutputFile::open(options.path, decoder::Replaces::NoTrace, std::span(&options.placement, 1));
  if (!out)
    return decoder::failure(out.error());
  if (!options.build.empty()) {
    auto runs = runPlainAndInstrumented(options.build, options.run, options.probes);
    if (!runs)
      return decoder::failure(runs.error());
    std::vector<decoder::Trace> &all = runs->traces;
    std::ranges::move(runs->plain, std::back_inserter(all)); // they say what the kernels need without probes
    return write(all, options, *out, runs->overheadPercent);
  }
  auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  return write(*traces, options, *out, {});
}

} // namespace

Run explainCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTraces(arguments, options->traces, "of one source; ");
  arguments.add("--format", options->format, "text, or json (default for *.json): docs/explain.md").oneOf({"text", "json"});
  addOutput(arguments, options->path);
  addKernel(arguments, options->kernel);
  addNames(arguments, options->names);
  arguments.flag("--all", options->isWhole, "all findings of all kernels, however many lines");
  arguments.add("--placement", options->placement, "PROGRAM, or kperf verify's JSON: what tensor cores do").typeName("FILE");
  arguments.add("--build", options->build, "with --run: builds it with and without probes").typeName("COMMAND");
  addRun(arguments, options->run);
  arguments.add("--with", options->probes, "with --build: kperf-cc options (--probes=region,sync)").typeName("OPTION").oneValueAtATime();
  arguments.footer("Within a screen: what limits each kernel, on which evidence, what to try and\n"
                   "what that would gain. Times and memory accesses may come from two traces of\n"
                   "one source; one of a build with --probes=launches says what kernels need.\n"
                   "With --build and --run what probes cost is measured, and what they could have\n"
                   "caused is withheld:\n"
                   "  kperf explain --run='./program 4096' \\\n"
                   "    --build='kperf-cc {probes} nvcc -O3 kernel.cu -o program'");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
