// `kperf timeline`: a trace on a time axis, for Perfetto and chrome://tracing.
#include "decoder/timeline/Timeline.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"

#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::string trace, output, sms, blocks, window, format;
  decoder::TimelineOptions timeline;
};

decoder::Error named(decoder::Error error, const char *option) {
  error.message = fmt::format("{}: {}", option, error.message);
  return error;
}

/// The format that was asked for, or the one that the file's name says.
bool isPerfetto(const Options &options) {
  const std::string_view name = options.output;
  return options.format.empty() ? name.ends_with(".pftrace") || name.ends_with(".perfetto-trace") : options.format == "perfetto";
}

/// Says what is not in the timeline.
void warnOf(const decoder::TimelineSummary &summary, const Options &options, const decoder::Trace &trace) {
  if (summary.warps + summary.filtered + summary.overLimit == 0)
    warn(decoder::noWarpsNote(std::span(&trace, 1)));
  if (summary.filtered > 0)
    say(fmt::format("{} of {} {}s are outside what was asked for", summary.filtered, summary.filtered + summary.warps,
                    decoder::termsOf(trace).warp));
  if (summary.overLimit > 0)
    warn(fmt::format("{} events are left out: raise --limit above {}, or choose with --sm, --block, --kernel or --window",
                     summary.overLimit, options.timeline.maxEvents));
  if (summary.lost > 0)
    warn(fmt::format("{} records are missing in the timeline: kperf report says why", summary.lost));
  for (const std::string &note : summary.notes)
    warn(note);
}

decoder::Expected<int> run(Options &options) {
  auto sms = decoder::parseRanges(options.sms), blocks = decoder::parseRanges(options.blocks);
  if (!sms || !blocks)
    return decoder::failure(sms ? named(blocks.error(), "--block") : named(sms.error(), "--sm"));
  options.timeline.sms = *sms;
  options.timeline.blocks = *blocks;
  if (!options.window.empty()) {
    const auto window = decoder::parseWindow(options.window);
    if (!window)
      return decoder::failure(named(window.error(), "--window"));
    std::tie(options.timeline.fromNs, options.timeline.toNs) = *window;
  }
  auto out = decoder::OutputFile::open(options.output);
  if (!out)
    return decoder::failure(out.error());
  const auto name = traceOrNewest(options.trace);
  if (!name)
    return decoder::failure(name.error());
  const auto trace = decoder::Trace::open(*name);
  if (!trace)
    return decoder::failure(trace.error());
  if (!trace->incomplete().empty())
    warn(fmt::format("{} is incomplete: {}", *name, trace->incomplete()));
  const auto write = isPerfetto(options) ? decoder::writePerfettoTimeline : decoder::writeChromeTimeline;
  Progress progress(std::span(&*trace, 1));
  const auto summary = write(*trace, options.timeline, *out);
  progress.stop();
  if (!summary)
    return decoder::failure(summary.error());
  if (trace->isReduced() && summary->warps + summary->filtered + summary->overLimit == 0)
    return decoder::failure(
        {.message = fmt::format("it is reduced: the {}s that a timeline shows are not in it", decoder::termsOf(*trace).warp),
         .remedy = "take the trace that it was made of",
         .file = *name});
  std::vector<std::string> notes;
  if (auto status = decoder::addSampleNote(notes, std::span(&*trace, 1)); !status)
    return decoder::failure(status.error());
  for (const std::string &note : notes)
    warn(note);
  if (trace->isReduced())
    warn(fmt::format("{} is reduced in part: only {}s that are still in it are shown", *name, decoder::termsOf(*trace).warp));
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  warnOf(*summary, options, *trace);
  if (options.output != "-")
    say(fmt::format("{} events in {}: open it at https://ui.perfetto.dev", summary->events, options.output));
  return 0;
}

} // namespace

Run timelineCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTrace(arguments, options->trace);
  addNamedOutput(arguments, options->output);
  arguments.add("--format", options->format, "json, or perfetto (default for *.pftrace): smaller").oneOf({"json", "perfetto"});
  arguments.add("--limit", options->timeline.maxEvents, "at most N events, 0: all (1000000)").typeName("N");
  addKernel(arguments, options->timeline.kernel);
  arguments.add("--sm", options->sms, "only these SMs, for example 0-3,7").typeName("LIST");
  arguments.add("--block", options->blocks, "only these blocks").typeName("LIST");
  arguments.add("--window", options->window, "only from A to B µs after the first warp's start").typeName("A:B");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
