// `kperf timeline`: a trace on a time axis, for Perfetto and chrome://tracing.
#include "decoder/io/TextFile.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/timeline/TimelinePlacement.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/NsysExport.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"

#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::string trace, output, sms, blocks, window, format, other;
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

/// A profile of a training step is some hundred megabytes.
constexpr std::uint64_t kMaxOtherBytes = std::uint64_t{4} << 30;

decoder::Expected<decoder::OtherTimeline> readOther(const std::string &path) {
  if (isSqliteDatabase(path))
    return readNsysExport(path);
  auto text = decoder::readTextFile(path, kMaxOtherBytes);
  if (!text)
    return decoder::failure(text.error());
  return decoder::OtherTimeline::read(std::move(*text), path);
}

decoder::Expected<decoder::TimelineSummary> writeAmong(const decoder::Trace &trace, const Options &options, decoder::Output &out) {
  const auto other = readOther(options.other);
  if (!other)
    return decoder::failure(other.error());
  const auto placement = decoder::placeAmong(trace, *other, options.other);
  if (!placement)
    return decoder::failure(placement.error());
  for (const std::string &note : placement->notes)
    say(note);
  return decoder::writeChromeTimeline(trace, options.timeline, *other, *placement, out);
}

decoder::Expected<decoder::TimelineSummary> write(const decoder::Trace &trace, const Options &options, decoder::Output &out) {
  if (!options.other.empty())
    return writeAmong(trace, options, out);
  return isPerfetto(options) ? decoder::writePerfettoTimeline(trace, options.timeline, out)
                             : decoder::writeChromeTimeline(trace, options.timeline, out);
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
  if (!options.other.empty() && isPerfetto(options))
    return decoder::failure(
        {.message = "--with adds to a timeline in JSON", .remedy = "leave --format=perfetto out, and name the file .json"});
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
  Progress progress(std::span(&*trace, 1));
  const auto summary = write(*trace, options, *out);
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
  arguments.add("--with", options->other, "add it to PyTorch's JSON, or nsys's SQLite, of its run").typeName("FILE");
  arguments.add("--limit", options->timeline.maxEvents, "at most N events, 0: all (1000000)").typeName("N");
  addKernel(arguments, options->timeline.kernel);
  arguments.add("--sm", options->sms, "only these SMs, for example 0-3,7").typeName("LIST");
  arguments.add("--block", options->blocks, "only these blocks").typeName("LIST");
  arguments.add("--window", options->window, "only from A to B µs after the first warp's start").typeName("A:B");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
