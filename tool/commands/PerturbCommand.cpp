// `kperf perturb`: what the probes change in the program that they measure.
#include "decoder/compare/Perturb.h"
#include "decoder/view/ReportNotes.h"
#include "tool/builds/OverheadSearch.h"
#include "tool/builds/SameLines.h"
#include "tool/commands/Command.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"
#include "tool/process/Percent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::string clean;
  std::vector<std::string> builds, printed;
  std::string same = "checksum|result", budget, build, run;
  unsigned runs = 3;
  TableOutput output;
  decoder::PerturbOptions perturb;
};

/// Whether the programs printed the same; says on stderr where they did not.
decoder::Expected<bool> compareOutputs(const Options &options, const SameLines &same) {
  const auto clean = same.ofFile(options.printed.front());
  if (!clean)
    return decoder::failure(clean.error());
  for (std::size_t i = 1; i < options.printed.size(); ++i) {
    const auto other = same.ofFile(options.printed[i]);
    if (!other)
      return decoder::failure(other.error());
    if (!areSameLines(*clean, options.printed.front(), *other, options.printed[i]))
      return false;
  }
  say(fmt::format("{} of output {} equal", decoder::counted(clean->size(), "line"), clean->size() == 1 ? "is" : "are"));
  return true;
}

/// What is compared: traces that are there, or builds that --build makes.
decoder::Status checkInput(const Options &options) {
  if (options.build.empty() != options.run.empty())
    return decoder::failure({.message = "--build and --run belong together",
                             .found = options.build.empty() ? "--run alone" : "--build alone",
                             .expected = "a command that builds the program, and one that runs it"});
  if (!options.build.empty() && (options.budget.empty() || !options.clean.empty() || !options.printed.empty()))
    return decoder::failure({.message = "--build looks for a build that keeps a budget",
                             .found = options.budget.empty() ? "no --overhead-budget" : "traces or outputs of other builds",
                             .expected = "--overhead-budget=P, and neither traces nor --outputs"});
  if (options.runs == 0)
    return decoder::failure({.message = "--runs: each build has to run", .found = "0", .expected = "1 or more"});
  if (options.build.empty() && (options.clean.empty() || options.builds.empty()))
    return decoder::failure({.message = "there is nothing to compare",
                             .found = options.clean.empty() ? "no trace" : "one trace",
                             .expected = "CLEAN and BUILD…, or --build and --run",
                             .remedy = "see kperf perturb --help"});
  if (!options.printed.empty() && options.printed.size() < 2)
    return decoder::failure({.message = "--outputs compares what programs printed",
                             .found = "1 file",
                             .expected = "the clean program's first, then one or more"});
  return {};
}

decoder::Expected<int> search(const Options &options, const SameLines &same, decoder::OutputFile &out) {
  const auto search = searchOverhead({options.build, options.run, options.runs, same}, options.perturb);
  if (!search)
    return decoder::failure(search.error());
  if (auto status = options.output.print(std::span(&search->found.table, 1), out); !status)
    return decoder::failure(status.error());
  if (search->found.isOver || !search->isOutputSame)
    return 1;
  say(fmt::format("what is built now keeps the budget: kperf-cc{}{}{}", search->options.empty() ? "" : " ", fmt::join(search->options, " "),
                  search->blocks ? fmt::format(", run with KPERF_SAMPLE={0}; or build with --sample={0}", search->blocks) : ""));
  return 0;
}

decoder::Expected<int> run(Options &options) {
  const auto status = options.output.isExplaining ? decoder::Status() : checkInput(options);
  if (!status)
    return decoder::failure(status.error());
  auto out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain("perturb", *out);
  if (!options.budget.empty()) {
    const auto budget = parsePercent(options.budget, "--overhead-budget");
    if (!budget)
      return decoder::failure(budget.error());
    options.perturb.budgetPercent = *budget;
  }
  const auto same = SameLines::matching(options.same);
  if (!same)
    return decoder::failure(same.error());
  if (!options.build.empty())
    return search(options, *same, *out);
  const auto clean = openTraces(std::span(&options.clean, 1));
  if (!clean)
    return decoder::failure(clean.error());
  const auto builds = openTraces(options.builds);
  if (!builds)
    return decoder::failure(builds.error());
  const auto found = decoder::perturbation(clean->front(), *builds, options.perturb);
  if (!found)
    return decoder::failure(found.error());
  if (auto status = options.output.print(std::span(&found->table, 1), *out); !status)
    return decoder::failure(status.error());
  bool isFine = !found->isOver;
  if (!options.printed.empty()) {
    const auto areSame = compareOutputs(options, *same);
    if (!areSame)
      return decoder::failure(areSame.error());
    isFine &= *areSame;
  }
  return isFine ? 0 : 1;
}

} // namespace

Run perturbCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("CLEAN", options->clean, "trace of the program built with --probes=launches");
  arguments.add("BUILD", options->builds, "traces of it with probes, the most detailed first");
  options->output.declare(arguments);
  addKernel(arguments, options->perturb.kernel);
  arguments.add("--overhead-budget", options->budget, "exit 1 when every build costs more than this").typeName("P");
  arguments.add("--build", options->build, "with --run: tries builds until one keeps the budget").typeName("COMMAND");
  addRun(arguments, options->run);
  addRuns(arguments, options->runs);
  arguments.add("--outputs", options->printed, "what the programs printed, the clean one's first").typeName("FILE");
  addSame(arguments, options->same);
  arguments.footer("Run each program with KPERF_LAUNCH_TIMES=1, which times launches. Or let it\n"
                   "build and run them, recording less each time until the budget is kept:\n"
                   "  kperf perturb --overhead-budget=2% --run='./program 4096' \\\n"
                   "    --build='kperf-cc {probes} nvcc -O3 kernel.cu -o program'");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
