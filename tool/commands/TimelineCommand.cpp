// `kperf timeline`: a trace on a time axis, for Perfetto and chrome://tracing.
#include "decoder/io/TextFile.h"
#include "decoder/timeline/HostPlacement.h"
#include "decoder/timeline/TimelinePlacement.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"
#include "tool/clocks/CompareClocks.h"
#include "tool/commands/Command.h"
#include "tool/commands/NsysExport.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace kperf::tool {
namespace {

struct Options {
  std::vector<std::string> traces;
  std::string output, sms, blocks, window, format, other, clocks;
  decoder::TimelineOptions timeline;
  ClockComparison comparison;
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

decoder::Expected<decoder::TimelineSummary> write(std::span<const decoder::Trace> traces, const Options &options, decoder::Output &out) {
  if (!options.other.empty())
    return writeAmong(traces.front(), options, out);
  std::optional<decoder::HostClocks> clocks;
  if (!options.clocks.empty()) {
    auto read = decoder::HostClocks::read(options.clocks);
    if (!read)
      return decoder::failure(read.error());
    clocks = std::move(*read);
  }
  const auto placed = decoder::placeByHost(traces, clocks ? &*clocks : nullptr);
  if (!placed)
    return decoder::failure(placed.error());
  for (const std::string &note : placed->notes)
    say(note);
  return isPerfetto(options) ? decoder::writePerfettoTimeline(placed->parts, options.timeline, out)
                             : decoder::writeChromeTimeline(placed->parts, options.timeline, out);
}

/// Says what is not in the timeline.
void warnOf(const decoder::TimelineSummary &summary, const Options &options, std::span<const decoder::Trace> traces) {
  if (summary.warps + summary.filtered + summary.overLimit == 0)
    warn(decoder::noWarpsNote(traces));
  if (summary.filtered > 0)
    say(fmt::format("{} of {} {} outside what was asked for", summary.filtered,
                    decoder::counted(summary.filtered + summary.warps, decoder::termsOf(traces.front()).warp),
                    summary.filtered == 1 ? "is" : "are"));
  if (summary.overLimit > 0)
    warn(fmt::format("{} left out: raise --limit above {}, or choose with --sm, --block, --kernel or --window",
                     decoder::countedAre(summary.overLimit, "event"), options.timeline.maxEvents));
  if (summary.lost > 0)
    warn(fmt::format("{} missing in the timeline: kperf report says why", decoder::countedAre(summary.lost, "record")));
  for (const std::string &note : summary.notes)
    warn(note);
}

/// Reads what --sm, --block and --window ask for.
decoder::Status parse(Options &options) {
  if (options.output.ends_with(".html"))
    return decoder::failure({.message = fmt::format("{} would be no page: a timeline is for https://ui.perfetto.dev", options.output),
                             .remedy = "name it x.pftrace or x.json; kperf report -o x.html makes a page with a timeline"});
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
  if (!options.other.empty() && options.traces.size() > 1)
    return decoder::failure({.message = "--with takes one trace",
                             .found = fmt::format("{} traces", options.traces.size()),
                             .remedy = "give the one of the process that the other tool profiled"});
  return {};
}

/// Says what reduced traces have left out; fails where nothing was shown for that.
decoder::Status checkReduced(const decoder::TimelineSummary &summary, const std::vector<decoder::Trace> &traces) {
  for (const decoder::Trace &trace : traces) {
    if (!trace.isReduced())
      continue;
    if (summary.warps + summary.filtered + summary.overLimit == 0)
      return decoder::failure(
          {.message = fmt::format("it is reduced: the {}s that a timeline shows are not in it", decoder::termsOf(trace).warp),
           .remedy = "take the trace that it was made of",
           .file = trace.name()});
    warn(fmt::format("{} is reduced in part: only {}s that are still in it are shown", trace.name(), decoder::termsOf(trace).warp));
  }
  return {};
}

decoder::Expected<int> run(Options &options) {
  if (!options.comparison.folder.empty()) {
    if (auto status = compareClocks(options.comparison); !status)
      return decoder::failure(status.error());
    return 0;
  }
  if (options.output.empty()) { // what makes no timeline needs none
    say("-o FILE is required: x.pftrace or x.json, - for standard output; see kperf timeline --help");
    return 2;
  }
  if (auto status = parse(options); !status)
    return decoder::failure(status.error());
  if (auto status = isPerfetto(options) ? decoder::checkTakesBytes(options.output) : decoder::Status(); !status)
    return decoder::failure(status.error());
  const std::string read[] = {options.other, options.clocks};
  auto out = decoder::OutputFile::open(options.output, decoder::Replaces::NoTrace, read);
  if (!out)
    return decoder::failure(out.error());
  const auto traces = openTracesOrNewest(options.traces);
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  const auto summary = write(*traces, options, *out);
  progress.stop();
  if (!summary)
    return decoder::failure(summary.error());
  if (auto status = checkReduced(*summary, *traces); !status)
    return decoder::failure(status.error());
  std::vector<std::string> notes;
  if (auto status = decoder::addSampleNote(notes, *traces); !status)
    return decoder::failure(status.error());
  if (auto status = decoder::addLaunchSampleNote(notes, *traces); !status)
    return decoder::failure(status.error());
  for (const std::string &each : notes)
    note(each);
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  warnOf(*summary, options, *traces);
  if (options.output != "-")
    say(fmt::format("{} in {}: open it at https://ui.perfetto.dev", decoder::counted(summary->events, "event"), options.output));
  return 0;
}

} // namespace

Run timelineCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("TRACE", options->traces, "ranks of a job; default: the newest *.kperf");
  arguments.add("-o,--output", options->output, "x.pftrace or x.json, - for standard output").typeName("FILE");
  arguments.add("--format", options->format, "json, or perfetto (default for *.pftrace): smaller").oneOf({"json", "perfetto"});
  arguments.add("--with", options->other, "add it to PyTorch's JSON, or nsys's SQLite, of its run").typeName("FILE");
  arguments.add("--clocks", options->clocks, "of several hosts, as --compare-clocks left them").typeName("FOLDER");
  arguments.add("--limit", options->timeline.maxEvents, "at most N events, 0: all (1000000)").typeName("N");
  addKernel(arguments, options->timeline.kernel);
  arguments.add("--sm", options->sms, "only these SMs, for example 0-3,7").typeName("LIST");
  arguments.add("--block", options->blocks, "only these blocks").typeName("LIST");
  arguments.add("--window", options->window, "only from A to B µs of the time axis").typeName("A:B");
  arguments.add("--compare-clocks", options->comparison.folder, "no timeline: compares the clocks of hosts").typeName("FOLDER");
  arguments.add("--rank", options->comparison.rank, "of this process there (default: srun's, mpirun's)").typeName("N");
  arguments.add("--hosts", options->comparison.hosts, "processes there (default: srun's, mpirun's)").typeName("N");
  arguments.add("--timeout", options->comparison.timeoutSeconds, "how long they wait (60)").typeName("SECONDS").within(1, 86400);
  arguments.footer("Several hosts: srun --ntasks-per-node=1 kperf timeline --compare-clocks=FOLDER");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
