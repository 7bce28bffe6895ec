// `kperf auto`: builds and runs a program until its probes keep a budget, and says what limits it.
#include "decoder/explain/Explanation.h"
#include "tool/builds/BudgetLoop.h"
#include "tool/commands/Command.h"
#include "tool/commands/SharedOptions.h"
#include "tool/process/Percent.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <span>

namespace kperf::tool {
namespace {

/// Of the explanation: a screen.
constexpr std::size_t kLines = 40, kColumns = 80;

struct Options {
  std::string build, run, budget = "2%", same = "checksum|result", format = "text", path = "-", folder = "kperf-auto";
  std::vector<std::string> probes = {"--probes=region,sync"};
  unsigned runs = 3;
};

decoder::Expected<BudgetLoopResult> loop(const Options &options) {
  const auto budget = parsePercent(options.budget, "--overhead-budget");
  if (!budget)
    return decoder::failure(budget.error());
  auto same = SameLines::matching(options.same);
  if (!same)
    return decoder::failure(same.error());
  if (options.runs == 0)
    return decoder::failure({.message = "--runs: each build has to run", .found = "0", .expected = "1 or more"});
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error)
    return decoder::failure({.message = "--folder: cannot make the folder", .found = error.message(), .file = options.folder});
  const std::string folder = std::filesystem::absolute(options.folder).string(); // the build may change into another
  return keepBudget({options.build, options.run, options.probes, options.runs, std::move(*same), *budget, folder});
}

void sayVerdict(const BudgetLoopResult &result, const Options &options) {
  const std::string cost = fmt::format("{:.1f} % of the kernels' time", result.costPercent());
  if (result.isOver)
    return say(fmt::format("no build keeps the budget of {}: the last one costs {}; record less, --with=--probes=region or another "
                           "--select, or give more",
                           options.budget, cost));
  say(fmt::format("what is built now costs {}: kperf-cc {}", cost, fmt::join(result.options, " ")));
}

decoder::Expected<int> run(const Options &options) {
  auto out = decoder::OutputFile::open(options.path);
  if (!out)
    return decoder::failure(out.error());
  auto result = loop(options);
  if (!result)
    return decoder::failure(result.error());
  sayVerdict(*result, options);
  auto facts = decoder::readFacts(std::span(&*result->last, 1), "");
  if (!facts)
    return decoder::failure(facts.error());
  facts->measuredPercent = result->costPercent();
  facts->isMeasuredByLaunches = false;
  const decoder::Explanation explanation = decoder::explain(std::move(*facts));
  out->write(options.format == "json" ? decoder::explanationJson(explanation) : decoder::explanationText(explanation, kColumns, kLines));
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  return result->isOver || !result->isOutputSame ? 1 : 0;
}

} // namespace

Run autoCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("--build", options->build, "builds the program; {probes}: kperf-cc's options").required().typeName("COMMAND");
  addRun(arguments, options->run).required();
  arguments.add("--overhead-budget", options->budget, "of the kernels' time (2%)").typeName("P");
  arguments.add("--with", options->probes, "what is to be recorded (--probes=region,sync)").typeName("OPTION").oneValueAtATime();
  addRuns(arguments, options->runs);
  addSame(arguments, options->same);
  arguments.add("--folder", options->folder, "for the profile and the last trace (kperf-auto)").typeName("FOLDER");
  arguments.add("--format", options->format, "of the explanation: text, or json: docs/explain.md").oneOf({"text", "json"});
  addOutput(arguments, options->path);
  arguments.footer("Measures the program without probes and with all of them, then tries up to three\n"
                   "builds that record less, until one keeps the budget. That build stays in place,\n"
                   "and its options are printed for later ones. Exit 1 when none keeps the budget.\n"
                   "  kperf auto --overhead-budget=2% --run='./program 4096' \\\n"
                   "    --build='kperf-cc {probes} nvcc -O3 kernel.cu -o program'");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
