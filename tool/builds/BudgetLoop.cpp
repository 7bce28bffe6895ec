// Measures, plans and builds again.
#include "tool/builds/BudgetLoop.h"
#include "decoder/io/Output.h"
#include "decoder/plan/Plan.h"
#include "decoder/transform/Reduce.h"
#include "tool/builds/TimedBuilds.h"
#include "tool/process/Message.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;
using Words = std::vector<std::string>;

/// A plan gets at least and at most these parts of the budget of the one before.
constexpr double kMinPart = 0.1, kMaxPart = 0.9;

struct Prediction {
  double percent = 0;     ///< of the kernels' time together
  bool isMeasured = true; ///< it follows from what probes were measured to cost, for kernels that make up 90 % of the time
};

Prediction predictionOf(const decoder::Profile &profile, const decoder::Plan &plan) {
  double time = 0, added = 0, measured = 0;
  for (const decoder::KernelDecision &decision : plan.kernels) {
    const decoder::ProfiledKernel &kernel = profile.kernels[decision.kernel];
    const double net = kernel.run.durationNs > 0 ? kernel.run.durationNs / (1 + decision.cost.now / 100) : kernel.netCycles();
    time += net;
    added += net * decision.predictedPercent / 100;
    measured += decision.cost.isMeasured ? net : 0;
  }
  return time > 0 ? Prediction{100 * added / time, measured >= 0.9 * time} : Prediction{0, false};
}

class Loop {
public:
  Loop(const BudgetLoopOptions &options, TimedBuilds builds) : options(options), builds(std::move(builds)) {}

  Expected<BudgetLoopResult> run();

private:
  decoder::Status record(const std::string &name, const Words &probes);
  decoder::Status keepProfile();
  Expected<Prediction> predict(double budget) const;
  std::string profilePath() const { return options.folder + "/profile.kperf"; }

  const BudgetLoopOptions &options;
  TimedBuilds builds;
  std::vector<decoder::Trace> clean, traces;
  BudgetLoopResult result;
};

/// Builds and runs it, and judges this build.
decoder::Status Loop::record(const std::string &name, const Words &probes) {
  auto trace = builds.record(name, probes);
  if (!trace)
    return failure(trace.error());
  traces.push_back(std::move(*trace));
  auto found = decoder::perturbation(clean.front(), traces, {.kernel = "", .budgetPercent = options.budgetPercent});
  if (!found)
    return failure(found.error());
  result.found = std::move(*found);
  result.isOver = result.costPercent() > options.budgetPercent;
  result.options = probes;
  result.isOutputSame = builds.isOutputSame();
  return {};
}

/// Of the first build, whatever the plans leave out, it has; beside it the times of launches of the program without probes, so that what
/// probes cost each kernel is measured there.
decoder::Status Loop::keepProfile() {
  const auto reduced = decoder::reduceTraces(traces, clean);
  if (!reduced)
    return failure(reduced.error());
  auto out = decoder::OutputFile::open(profilePath(), decoder::Replaces::AnyFile);
  if (!out)
    return failure(out.error());
  out->writeBytes({reinterpret_cast<const char *>(reduced->bytes.data()), reduced->bytes.size()});
  return out->finish();
}

/// By the reduced trace that kperf-cc plans from: it has the times of launches of the program without probes.
Expected<Prediction> Loop::predict(double budget) const {
  auto trace = decoder::Trace::open(profilePath());
  if (!trace)
    return failure(trace.error());
  const auto profile = decoder::readProfile(std::span(&*trace, 1), "");
  if (!profile)
    return failure(profile.error());
  return predictionOf(*profile, decoder::planFor(*profile, budget));
}

Expected<BudgetLoopResult> Loop::run() {
  auto plain = builds.record("clean", kPlainProbes);
  if (!plain)
    return failure(plain.error());
  clean.push_back(std::move(*plain));
  if (auto status = record("all", options.probes); !status)
    return failure(status.error());
  if (auto status = keepProfile(); !status)
    return failure(status.error());
  for (double budget = options.budgetPercent; result.isOver && result.planned < kMaxPlans;) {
    const auto predicted = predict(budget);
    if (!predicted)
      return failure(predicted.error());
    Words probes = options.probes;
    probes.insert(probes.end(), {"--profile=" + profilePath(), fmt::format("--overhead-budget={:.3g}%", budget)});
    const std::string name = fmt::format("plan-{}", ++result.planned);
    if (auto status = record(name, probes); !status)
      return failure(status.error());
    say(fmt::format("{}: {:.1f} % predicted{}, {:.1f} % measured", name, predicted->percent,
                    predicted->isMeasured ? " from what was measured" : " at least", result.costPercent()));
    budget *= std::clamp(kMaxPart * options.budgetPercent / std::max(result.costPercent(), options.budgetPercent), kMinPart, kMaxPart);
  }
  auto last = mergedRuns(std::span(traces).last(1), options.folder + "/trace.kperf");
  if (!last)
    return failure(last.error());
  result.last = std::move(*last);
  return std::move(result);
}

} // namespace

Expected<BudgetLoopResult> keepBudget(const BudgetLoopOptions &options) {
  auto builds = TimedBuilds::make(options.build, options.run, options.runs, options.same);
  if (!builds)
    return failure(builds.error());
  return Loop(options, std::move(*builds)).run();
}

} // namespace kperf::tool
