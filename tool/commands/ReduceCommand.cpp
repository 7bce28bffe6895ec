// `kperf reduce`: what traces add up to, in a trace of kilobytes that travels and merges.
#include "decoder/transform/Reduce.h"
#include "decoder/view/ReportNotes.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

decoder::Expected<int> run(const std::vector<std::string> &named, const std::string &output) {
  const auto names = tracesOrNewest(named);
  if (!names)
    return decoder::failure(names.error());
  auto out = decoder::OutputFile::open(output, decoder::Replaces::AnyFile, *names);
  if (!out)
    return decoder::failure(out.error());
  const auto traces = openTraces(*names);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto reduced = decoder::reduceTraces(*traces);
  progress.stop();
  if (!reduced)
    return decoder::failure(reduced.error());
  out->writeBytes({reinterpret_cast<const char *>(reduced->bytes.data()), reduced->bytes.size()});
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  std::uint64_t before = 0;
  for (const decoder::Trace &trace : *traces)
    before += trace.fileBytes();
  if (std::ranges::any_of(*traces, [](const decoder::Trace &trace) { return trace.has(format::SectionKind::HostRanges); }))
    say("NVTX ranges are left out: only a timeline shows them, and that takes whole traces");
  warnOfMixedBuilds(*traces, output);
  if (output != "-")
    say(fmt::format("{} in {}, {} bytes of {}", decoder::counted(reduced->kernels, "kernel"), output, reduced->bytes.size(), before));
  return 0;
}

} // namespace

Run reduceCommand(const Arguments &arguments) {
  struct Options {
    std::vector<std::string> traces;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  arguments.add("TRACE", options->traces, "of one build, reduced or not; default: the newest");
  addNamedOutput(arguments, options->output);
  arguments.footer("The result is a trace without warps: report, annotate, distribution, flame,\n"
                   "memory, check and diff take it and give the same answers as of the whole; merge\n"
                   "and reduce take many. Only timeline and overlap need the warps.");
  return [options] { return run(options->traces, options->output); };
}

} // namespace kperf::tool
