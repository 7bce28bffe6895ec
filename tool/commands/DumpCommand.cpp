// `kperf dump`: a trace as text, line by line.
#include "decoder/text/Dump.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/SharedOptions.h"

#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

decoder::Expected<int> run(const std::string &named, const std::string &output) {
  auto out = decoder::OutputFile::open(output);
  if (!out)
    return decoder::failure(out.error());
  const auto name = traceOrNewest(named);
  if (!name)
    return decoder::failure(name.error());
  const auto trace = decoder::Trace::open(*name);
  if (!trace)
    return decoder::failure(trace.error());
  if (!trace->incomplete().empty())
    warn(fmt::format("{} is incomplete: {}", *name, trace->incomplete()));
  auto status = decoder::dumpTrace(*trace, *out);
  if (status)
    status = out->finish();
  if (!status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run dumpCommand(const Arguments &arguments) {
  struct Options {
    std::string trace, output = "-";
  };
  const auto options = std::make_shared<Options>();
  addTrace(arguments, options->trace);
  addOutput(arguments, options->output);
  return [options] { return run(options->trace, options->output); };
}

} // namespace kperf::tool
