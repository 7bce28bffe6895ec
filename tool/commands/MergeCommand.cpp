// `kperf merge`: traces of ranks, GPUs or runs of one program as one trace.
#include "decoder/transform/Merge.h"
#include "decoder/view/ReportNotes.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace kperf::tool {
namespace {

decoder::Expected<int> run(const std::vector<std::string> &names, const std::string &output) {
  auto out = decoder::OutputFile::open(output, decoder::Replaces::AnyFile, names);
  if (!out)
    return decoder::failure(out.error());
  const auto traces = openTraces(names);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto summary = decoder::mergeTraces(*traces, *out);
  progress.stop();
  if (!summary)
    return decoder::failure(summary.error());
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  if (!summary->leftOut.empty())
    warn(fmt::format("sections that this kperf cannot merge are left out: {}", fmt::join(summary->leftOut, ", ")));
  warnOfMixedBuilds(*traces, output);
  if (output != "-")
    say(fmt::format("{} of {} in {}", decoder::counted(summary->warps, "warp"), decoder::counted(summary->devices, "device"), output));
  return 0;
}

} // namespace

Run mergeCommand(const Arguments &arguments) {
  struct Options {
    std::vector<std::string> traces;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  arguments.add("TRACE", options->traces, "traces of one build, or of builds of one source").required();
  addNamedOutput(arguments, options->output);
  arguments.footer("Devices of the same host, name and UUID are one. Clocks of different hosts are\n"
                   "not aligned: a timeline of such a trace shows each device by its own.");
  return [options] { return run(options->traces, options->output); };
}

} // namespace kperf::tool
