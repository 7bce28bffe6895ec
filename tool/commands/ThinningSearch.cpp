// Tries builds from the one that tells most on.
#include "tool/commands/ThinningSearch.h"
#include "tool/process/Message.h"
#include "tool/process/ChildProcess.h"
#include "tool/process/CommandWords.h"
#include "tool/process/TemporaryFolder.h"
#include "decoder/transform/Merge.h"
#include "decoder/io/Output.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <sstream>
#include <unistd.h>

extern char **environ;

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;
using Words = std::vector<std::string>;

constexpr std::string_view kPlaceholder = "{probes}";

/// What the search sets itself; for any other, the user may have reasons.
constexpr std::string_view kOwnVariables[] = {"KPERF_OUTPUT=", "KPERF_LAUNCH_TIMES=", "KPERF_SAMPLE=", "KPERF_QUIET="};

/// This process's without those.
Words environment() {
  Words out;
  for (char **entry = environ; *entry; ++entry)
    if (std::ranges::none_of(kOwnVariables, [&](std::string_view own) { return std::string_view(*entry).starts_with(own); }))
      out.emplace_back(*entry);
  return out;
}

/// One way to record, by the name that its trace gets.
struct Mode {
  std::string name;
  Words options;      ///< of kperf-cc
  unsigned blocks = 0; ///< one in so many is recorded: a matter of running it; 0: all
};

class Search {
public:
  Search(const ThinningOptions &options, const decoder::PerturbOptions &perturb, TemporaryFolder folder)
      : options(options), perturb(perturb), folder(std::move(folder)) {}

  Expected<Thinned> run();

private:
  decoder::Status build(const Mode &mode);
  Expected<decoder::Trace> traceOf(const Mode &mode);
  decoder::Status runOnce(const Mode &mode, const std::string &trace);
  decoder::Status tryMode(const Mode &mode);

  const ThinningOptions &options;
  const decoder::PerturbOptions &perturb;
  TemporaryFolder folder;
  Words buildWords, runWords;
  std::optional<Words> built; ///< the options of what is there now
  std::vector<decoder::Trace> clean, traces;
  std::optional<std::vector<std::string>> lines; ///< of the clean program's output
  Thinned result;
};

decoder::Status Search::build(const Mode &mode) {
  if (built == mode.options)
    return {};
  const Words words = withOptions(buildWords, kPlaceholder, mode.options);
  say(fmt::format("{}", fmt::join(words, " ")));
  const auto end = runChild(words, environment(), true);
  if (!end)
    return failure(end.error());
  std::fwrite(end->output.data(), 1, end->output.size(), stderr); // standard output is the table's
  if (end->exitCode != 0)
    return failure({.message = fmt::format("--build: the command ended with exit code {}", end->exitCode),
                    .found = fmt::format("{}", fmt::join(words, " ")),
                    .expected = "0"});
  built = mode.options;
  return {};
}

decoder::Status Search::runOnce(const Mode &mode, const std::string &trace) {
  Words variables = environment();
  variables.insert(variables.end(), {"KPERF_OUTPUT=" + trace, "KPERF_LAUNCH_TIMES=1", "KPERF_QUIET=1"});
  if (mode.blocks > 0)
    variables.push_back(fmt::format("KPERF_SAMPLE={}", mode.blocks));
  const auto end = runChild(runWords, variables, true);
  if (!end)
    return failure(end.error());
  if (end->exitCode != 0)
    return failure({.message = fmt::format("--run: the program ended with exit code {}", end->exitCode),
                    .found = fmt::format("the build '{}'", mode.name),
                    .expected = "0"});
  if (!std::filesystem::exists(trace))
    return failure({.message = "--run: the program left no trace",
                    .found = fmt::format("the build '{}'", mode.name),
                    .remedy = "it has to launch a kernel, and to be what --build builds with kperf-cc"});
  std::istringstream printed(end->output);
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
  if (auto status = build(mode); !status)
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

Expected<Thinned> Search::run() {
  auto words = commandWords(options.build, "--build");
  if (!words)
    return failure(words.error());
  buildWords = std::move(*words);
  if (std::ranges::none_of(buildWords, [](const std::string &word) { return word.contains(kPlaceholder); }))
    return failure({.message = "--build: the command has no place for the probes",
                    .found = fmt::format("'{}'", options.build),
                    .expected = "{probes} where kperf-cc's options belong",
                    .remedy = "--build='kperf-cc {probes} nvcc -O3 kernel.cu -o program'"});
  if (words = commandWords(options.run, "--run"); !words)
    return failure(words.error());
  runWords = std::move(*words);
  const Mode plain{"clean", {"--probes=launches"}};
  if (auto status = build(plain); !status)
    return failure(status.error());
  auto trace = traceOf(plain);
  if (!trace)
    return failure(trace.error());
  clean.push_back(std::move(*trace));
  double whole = 0; // what recording every entry costs, in percent
  for (const Mode &mode : {Mode{"every-entry", {}}, Mode{"sums-and-histogram", {"--aggregate=*", "--histogram"}}, Mode{"sums", {"--aggregate=*"}}}) {
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

Expected<Thinned> searchThinning(const ThinningOptions &options, const decoder::PerturbOptions &perturb) {
  auto folder = TemporaryFolder::make();
  if (!folder)
    return failure(folder.error());
  return Search(options, perturb, std::move(*folder)).run();
}

} // namespace kperf::tool
