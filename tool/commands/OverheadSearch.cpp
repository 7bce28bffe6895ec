// Tries builds from the one that tells most on.
#include "tool/commands/OverheadSearch.h"
#include "decoder/io/Output.h"
#include "decoder/transform/Merge.h"
#include "tool/commands/BuildRuns.h"
#include "tool/process/TemporaryFolder.h"

#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;
using Words = std::vector<std::string>;

/// One way to record, by the name that its trace gets.
struct Mode {
  std::string name;
  Words options;       ///< of kperf-cc
  unsigned blocks = 0; ///< N: one in N is recorded: a matter of running it; 0: all
};

class Search {
public:
  Search(const OverheadSearchOptions &options, const decoder::PerturbOptions &perturb, process::TemporaryFolder folder, BuildRuns program)
      : options(options), perturb(perturb), folder(std::move(folder)), program(std::move(program)) {}

  Expected<OverheadSearchResult> run();

private:
  Expected<decoder::Trace> traceOf(const Mode &mode);
  decoder::Status runOnce(const Mode &mode, const std::string &trace);
  decoder::Status tryMode(const Mode &mode);

  const OverheadSearchOptions &options;
  const decoder::PerturbOptions &perturb;
  process::TemporaryFolder folder;
  BuildRuns program;
  std::vector<decoder::Trace> clean, traces;
  std::optional<std::vector<std::string>> lines; ///< of the clean program's output
  OverheadSearchResult result;
};

decoder::Status Search::runOnce(const Mode &mode, const std::string &trace) {
  const auto output = program.run(mode.name, trace, mode.blocks);
  if (!output)
    return failure(output.error());
  std::istringstream printed(*output);
  const std::vector<std::string> now = options.same.of(printed);
  if (!lines)
    lines = now;
  result.isOutputSame &= areSameLines(*lines, "clean", now, mode.name);
  return {};
}

/// Of all runs of a build, which is there: several are several times as many launches.
Expected<decoder::Trace> Search::traceOf(const Mode &mode) {
  std::vector<decoder::Trace> runs;
  for (unsigned i = 0; i < options.runs; ++i) {
    const std::string path = fmt::format("{}/{}-{}.kperf", folder.path(), mode.name, i);
    if (auto status = runOnce(mode, path); !status)
      return failure(status.error());
    auto trace = decoder::Trace::open(path);
    if (!trace)
      return failure(trace.error());
    runs.push_back(std::move(*trace));
  }
  const std::string path = fmt::format("{}/{}", folder.path(), mode.name);
  auto out = decoder::OutputFile::open(path);
  if (!out)
    return failure(out.error());
  if (const auto merged = decoder::mergeTraces(runs, *out); !merged)
    return failure(merged.error());
  if (auto status = out->finish(); !status)
    return failure(status.error());
  return decoder::Trace::open(path);
}

/// Adds a build to those that were tried, and judges all.
decoder::Status Search::tryMode(const Mode &mode) {
  if (auto status = program.build(mode.options); !status)
    return status;
  auto trace = traceOf(mode);
  if (!trace)
    return failure(trace.error());
  traces.push_back(std::move(*trace));
  auto found = decoder::perturbation(clean.front(), traces, perturb);
  if (!found)
    return failure(found.error());
  result.found = std::move(*found);
  result.options = mode.options;
  result.blocks = mode.blocks;
  return {};
}

Expected<OverheadSearchResult> Search::run() {
  const Mode plain{"clean", {"--probes=launches"}};
  if (auto status = program.build(plain.options); !status)
    return failure(status.error());
  auto trace = traceOf(plain);
  if (!trace)
    return failure(trace.error());
  clean.push_back(std::move(*trace));
  double whole = 0; // what recording every entry costs, in percent
  for (const Mode &mode :
       {Mode{"every-entry", {}}, Mode{"sums-and-histogram", {"--aggregate=*", "--histogram"}}, Mode{"sums", {"--aggregate=*"}}}) {
    if (auto status = tryMode(mode); !status)
      return failure(status.error());
    if (!result.found.isOver)
      return std::move(result);
    if (traces.size() == 1)
      whole = result.found.lastOverheadPercent.value_or(0);
  }
  // What is recorded costs in proportion, what a warp's entry and exit cost stays.
  for (unsigned blocks = decoder::blocksForBudget(whole, *perturb.budgetPercent); blocks <= decoder::kMostBlocks; blocks *= 2) {
    if (auto status = tryMode({fmt::format("one-block-in-{}", blocks), {"--sample"}, blocks}); !status)
      return failure(status.error());
    if (!result.found.isOver)
      break;
  }
  return std::move(result);
}

} // namespace

Expected<OverheadSearchResult> searchOverhead(const OverheadSearchOptions &options, const decoder::PerturbOptions &perturb) {
  auto folder = process::TemporaryFolder::make("overhead");
  if (!folder)
    return failure(folder.error());
  auto program = BuildRuns::make(options.build, options.run);
  if (!program)
    return failure(program.error());
  return Search(options, perturb, std::move(*folder), std::move(*program)).run();
}

} // namespace kperf::tool
