// `kperf explain`: what limits a program, why, what to try, and what that would gain.
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/Progress.h"
#include "tool/commands/TableOutput.h"
#include "decoder/explain/Explanation.h"

#include <memory>

namespace kperf::tool {
namespace {

/// A screen.
constexpr std::size_t kLines = 40, kColumns = 80;

struct Options {
  std::vector<std::string> traces;
  std::string format = "text", path = "-", kernel;
};

decoder::Expected<int> run(const Options &options) {
  decoder::Expected<decoder::OutputFile> out = decoder::OutputFile::open(options.path);
  if (!out)
    return decoder::failure(out.error());
  const auto names = tracesOrNewest(options.traces);
  if (!names)
    return decoder::failure(names.error());
  auto traces = openTraces(*names);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  auto facts = decoder::readFacts(*traces, options.kernel);
  if (!facts)
    return decoder::failure(facts.error());
  const decoder::Explanation explanation = decoder::explain(std::move(*facts));
  progress.stop();
  out->write(options.format == "json" ? decoder::explanationJson(explanation)
                                      : decoder::explanationText(explanation, kColumns, kLines));
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run explainCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("TRACE", options->traces, "of one build; default: the newest *.kperf here");
  arguments.add("--format", options->format, "text, or json: docs/explain.md").oneOf({"text", "json"});
  arguments.add("-o,--output", options->path, "default: standard output").typeName("FILE");
  arguments.add("--kernel", options->kernel, "only kernels whose name matches GLOB").typeName("GLOB");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
