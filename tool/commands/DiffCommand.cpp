// `kperf diff`: what a change made slower or faster, region by region, and what cannot be told.
#include "decoder/compare/Diff.h"
#include "decoder/compare/DiffSites.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/RunTable.h"
#include "tool/commands/Command.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"
#include "tool/process/Percent.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::vector<std::string> traces, against;
  TableOutput output;
  decoder::DiffOptions diff;
  std::string of = "mean", margin = "1%", failIfSlower, failIfMore;
};

decoder::Status split(Options &options) {
  if (options.against.empty() && options.traces.size() != 2)
    return decoder::failure(
        {.message = "two traces are compared", .found = fmt::format("{}", options.traces.size()), .expected = "A B, or A… --against B…"});
  if (options.against.empty()) {
    options.against = {options.traces.back()};
    options.traces.pop_back();
  }
  return {};
}

/// Percent; 0 of what is not asked for.
struct Limits {
  double margin, slower, more;
};

decoder::Expected<Limits> readLimits(const Options &options) {
  const auto margin = parsePercent(options.margin, "--margin");
  const auto slower = parsePercent(options.failIfSlower.empty() ? "0" : options.failIfSlower, "--fail-if-slower");
  const auto more = parsePercent(options.failIfMore.empty() ? "0" : options.failIfMore, "--fail-if-more");
  if (!margin || !slower || !more)
    return decoder::failure(!margin ? margin.error() : !slower ? slower.error() : more.error());
  return Limits{*margin, *slower, *more};
}

/// The exit code under --fail-if-slower.
int judge(const decoder::Diff &diff, double limit) {
  if (diff.maxUndecided && *diff.maxUndecided > limit)
    warn(fmt::format("some rows have no verdict and may be {} slower: --fail-if-slower lets them pass",
                     std::isinf(*diff.maxUndecided) ? "any amount" : fmt::format("{:.1f} %", *diff.maxUndecided)));
  if (diff.onlyInOne > 0)
    warn(fmt::format("{} row{} only in A or only in B: --fail-if-slower lets them pass", diff.onlyInOne,
                     diff.onlyInOne == 1 ? " is" : "s are"));
  if (!diff.maxSlower || *diff.maxSlower < limit)
    return 0;
  say(fmt::format("{} is {:.1f} % slower, and {:g} % is the limit", diff.slowest, *diff.maxSlower, limit));
  return 1;
}

/// The exit code under --fail-if-more; without it what it would hold is said where times are held, which know nothing of it.
int judgeTraffic(const decoder::SiteDiff &diff, const Options &options, double limit) {
  if (options.failIfMore.empty()) {
    if (!options.failIfSlower.empty() && diff.maxMore && *diff.maxMore >= options.diff.marginPercent)
      warn(fmt::format("{} moves {:.1f} % more: --fail-if-slower holds times only, --fail-if-more=P what accesses move", diff.most,
                       *diff.maxMore));
    return 0;
  }
  if (diff.onlyInB > 0)
    warn(fmt::format("{} counter{} of accesses that A does not have: --fail-if-more lets them pass", diff.onlyInB,
                     diff.onlyInB == 1 ? "" : "s"));
  if (!diff.maxMore || *diff.maxMore < limit)
    return 0;
  say(fmt::format("{} moves {:.1f} % more, and {:g} % is the limit", diff.most, *diff.maxMore, limit));
  return 1;
}

/// What a gate can't judge: a part of a trace, and what a side did not count.
decoder::Status checkGates(std::span<const decoder::Trace> before, std::span<const decoder::Trace> after, const decoder::SiteDiff &sites,
                           const Options &options) {
  for (const std::span<const decoder::Trace> side : {before, after})
    for (const decoder::Trace &trace : side)
      if (!trace.incomplete().empty() && !(options.failIfSlower.empty() && options.failIfMore.empty()))
        return decoder::failure({.message = "incomplete: " + trace.incomplete(),
                                 .remedy = "let the program end by itself; what is missing may be slower, or move more",
                                 .file = trace.name()});
  if (!options.failIfMore.empty() && !sites.areCounted)
    return decoder::failure({.message = "--fail-if-more has nothing to hold: not both sides counted memory accesses",
                             .remedy = "build both with --probes=region,memory"});
  return {};
}

/// Of both sides, for the top of a page.
decoder::Table runsOf(std::span<const decoder::Trace> before, std::span<const decoder::Trace> after) {
  decoder::Table table = decoder::runTable(before);
  std::ranges::move(decoder::runTable(after).rows, std::back_inserter(table.rows));
  return table;
}

/// Those that have rows; at least one.
std::vector<decoder::Table> tablesOf(const decoder::Diff &diff, const decoder::SiteDiff &sites) {
  std::vector<decoder::Table> tables;
  if (!diff.table.rows.empty() || sites.table.rows.empty())
    tables.push_back(diff.table);
  if (!sites.table.rows.empty())
    tables.push_back(sites.table);
  return tables;
}

decoder::Expected<int> run(Options &options) {
  auto out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain("diff", *out);
  if (auto status = split(options); !status)
    return decoder::failure(status.error());
  const auto limits = readLimits(options);
  if (!limits)
    return decoder::failure(limits.error());
  options.diff.marginPercent = limits->margin;
  options.diff.measure = options.of == "mean"    ? decoder::Measure::Mean
                         : options.of == "total" ? decoder::Measure::Total
                                                 : decoder::Measure::Self;
  const auto before = openTraces(options.traces);
  if (!before)
    return decoder::failure(before.error());
  const auto after = openTraces(options.against);
  if (!after)
    return decoder::failure(after.error());
  Progress progress(*before); // the other side is its second pass
  const auto diff = decoder::diffTraces(*before, *after, options.diff);
  progress.stop();
  if (!diff)
    return decoder::failure(diff.error());
  auto sites = decoder::diffSites(*before, *after, limits->margin);
  if (!sites)
    return decoder::failure(sites.error());
  if (auto status = checkGates(*before, *after, *sites, options); !status)
    return decoder::failure(status.error());
  std::vector<decoder::Table> tables = tablesOf(*diff, *sites);
  const std::string title = fmt::format("kperf diff: a is {}; b is {}", fmt::join(options.traces, ", "), fmt::join(options.against, ", "));
  std::vector<decoder::PageData> timelines;
  if (options.output.form() == decoder::Form::Page) {
    const decoder::Trace *shown[] = {&before->front(), &after->front()};
    auto found = decoder::pageTimelines(shown, options.diff.kernel, decoder::kUsualPageSpans);
    if (!found)
      return decoder::failure(found.error());
    timelines = std::move(*found);
    tables.push_back(runsOf(*before, *after));
  }
  const decoder::PrintOptions print{.title = title, .origin = decoder::originOf(before->front()), .data = timelines};
  if (auto status = options.output.print(tables, *out, print); !status)
    return decoder::failure(status.error());
  const int ofTimes = options.failIfSlower.empty() ? 0 : judge(*diff, limits->slower);
  return std::max(ofTimes, judgeTraffic(*sites, options, limits->more));
}

} // namespace

Run diffCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("TRACE", options->traces, "A and B; or A's traces, with --against for B's");
  arguments.add("--against", options->against, "traces of the other side").typeName("TRACE");
  options->output.declare(arguments);
  addKernel(arguments, options->diff.kernel);
  arguments.add("--of", options->of, "mean of a region's spans; total, self: per warp").oneOf({"mean", "total", "self"});
  arguments.add("--margin", options->margin, "changes surely smaller than this count as none (1%)").typeName("P");
  arguments.add("--fail-if-slower", options->failIfSlower, "exit 1 when a change is at least this").typeName("P");
  arguments.add("--fail-if-more", options->failIfMore, "exit 1 when an access moves so much more").typeName("P");
  arguments.footer("Runs are the samples: give 5 of each side, taken in turns. With one run a side\n"
                   "its launches are the samples (at least 4, better 20): how much runs differ is\n"
                   "then unknown, and no change below 5 % is reported. A row has changed if a\n"
                   "t-test says so (5 % for all rows together), and has not if its 95 % interval\n"
                   "lies within the margin; else it can't be told. Under the virtual clock equal\n"
                   "work takes equal time: one run a side says what changed, with KPERF_SAMPLE=1.");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
