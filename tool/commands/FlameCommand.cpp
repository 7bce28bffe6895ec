// `kperf flame`: where warps spend their time as stacks of regions, for flame graphs.
#include "decoder/timeline/Stacks.h"
#include "decoder/view/ReportView.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::vector<std::string> traces;
  std::string format = "folded", output = "-", kernel;
};

/// Of a file that would be called a picture, and hold text.
decoder::Status checkOutput(const std::string &path) {
  for (const char *suffix : {".svg", ".html", ".png"})
    if (path.ends_with(suffix))
      return decoder::failure({.message = fmt::format("kperf flame writes stacks as text, and draws nothing: {} would be no picture", path),
                               .remedy = "draw them: kperf flame TRACE -o x.folded, then flamegraph.pl x.folded > x.svg; "
                                         "or open what --format=speedscope writes at https://www.speedscope.app"});
  return {};
}

decoder::Expected<int> run(Options &options) {
  if (auto status = checkOutput(options.output); !status)
    return decoder::failure(status.error());
  auto out = decoder::OutputFile::open(options.output);
  if (!out)
    return decoder::failure(out.error());
  const auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto report = decoder::reportView(*traces, {.kernel = options.kernel, .by = decoder::By::Path});
  if (!report)
    return decoder::failure(report.error());
  progress.stop();
  const decoder::Stacks stacks = decoder::stacksOf(report->front());
  if (stacks.list.empty())
    warn("no time was recorded: kperf report says why");
  if (options.format == "folded")
    decoder::writeFolded(stacks, *out);
  else
    decoder::writeSpeedscope(stacks, traces->front().name(), *out);
  sayNotes(report->front());
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run flameCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTraces(arguments, options->traces);
  arguments.add("--format", options->format, "folded (flamegraph.pl), speedscope").oneOf({"folded", "speedscope"});
  addOutput(arguments, options->output);
  addKernel(arguments, options->kernel);
  arguments.footer("Time is summed over warps, in ns; in cycles where a kernel's clock is not known.");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
