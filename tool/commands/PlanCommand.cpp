// `kperf plan`: what the next build is to record, from an earlier trace and a budget.
#include "decoder/plan/PlanTable.h"
#include "decoder/trace/SameBuild.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"
#include "tool/process/Percent.h"

#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::vector<std::string> traces;
  TableOutput output;
  std::string kernel, budget = "2%";
};

decoder::Expected<int> run(const Options &options) {
  const auto budget = parsePercent(options.budget, "--overhead-budget");
  if (!budget)
    return decoder::failure(budget.error());
  auto out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain("plan", *out);
  const auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto profile = decoder::readProfile(*traces, options.kernel);
  if (!profile)
    return decoder::failure(profile.error());
  decoder::Table table = decoder::planTable(*profile, decoder::planFor(*profile, *budget));
  table.addLead(decoder::mixedBuildsNote(*traces, decoder::Summands::Times));
  progress.stop();
  if (auto status = options.output.print(std::span(&table, 1), *out, {.origin = decoder::originOf(traces->front())}); !status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run planCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTraces(arguments, options->traces, "of one build; ");
  options->output.declare(arguments);
  addKernel(arguments, options->kernel);
  arguments.add("--overhead-budget", options->budget, "of each kernel's time (2%)").typeName("P");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
