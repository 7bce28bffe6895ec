// Runs a program with and without probes in turn.
#include "tool/builds/PlainRuns.h"
#include "decoder/compare/Perturb.h"
#include "tool/builds/BuildRuns.h"
#include "tool/process/Message.h"

#include <fmt/format.h>

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;

/// Nothing, with a warning, where the runtime did not time launches.
Expected<std::optional<double>> overhead(const PlainRuns &runs) {
  auto clean = mergedRuns(runs.plain, runs.folder.path() + "/clean");
  if (!clean)
    return failure(clean.error());
  auto probed = mergedRuns(runs.traces, runs.folder.path() + "/probed");
  if (!probed)
    return failure(probed.error());
  const auto found = decoder::perturbation(*clean, std::span(&*probed, 1), {.kernel = "", .budgetPercent = {}});
  if (found && found->lastOverheadPercent)
    return found->lastOverheadPercent;
  warn(found ? "what probes cost is not known: no kernel was timed in both builds"
             : "what probes cost is not known: " + found.error().text());
  return std::optional<double>();
}

} // namespace

Expected<PlainRuns> runPlainAndInstrumented(const std::string &build, const std::string &run, const std::vector<std::string> &probes) {
  auto folder = process::makeTemporaryFolder("plain runs");
  if (!folder)
    return failure(folder.error());
  auto program = BuildRuns::make(build, run);
  if (!program)
    return failure(program.error());
  PlainRuns out{.folder = std::move(*folder), .traces = {}, .plain = {}, .overheadPercent = {}};
  for (const bool isPlain : {true, false, false, true}) {
    if (auto status = program->build(isPlain ? std::vector<std::string>{"--probes=launches"} : probes); !status)
      return failure(status.error());
    std::vector<decoder::Trace> &traces = isPlain ? out.plain : out.traces;
    const std::string name = isPlain ? "plain" : "probes", path = fmt::format("{}/{}-{}.kperf", out.folder.path(), name, traces.size());
    if (const auto printed = program->run(name, path, 0); !printed)
      return failure(printed.error());
    auto trace = decoder::Trace::open(path);
    if (!trace)
      return failure(trace.error());
    traces.push_back(std::move(*trace));
    if (traces.back().header().target == format::Target::Host) { // no more builds than tell something
      if (!isPlain)
        return out;
      warn("what probes cost is not known: the host target does not time launches; what is explained, and left, is one build with probes");
    }
  }
  auto percent = overhead(out);
  if (!percent)
    return failure(percent.error());
  out.overheadPercent = *percent;
  return out;
}

} // namespace kperf::tool
