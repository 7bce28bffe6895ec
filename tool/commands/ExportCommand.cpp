// `kperf export`: a trace as an SQLite database, for questions that no view answers.
#include "decoder/timeline/Timeline.h"
#include "decoder/view/ReportNotes.h"
#include "decoder/view/Views.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/Progress.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/SqliteFile.h"
#include "tool/commands/TableOutput.h"

#include <fmt/format.h>
#include <memory>
#include <set>

namespace kperf::tool {
namespace {

using decoder::Cell;

struct Options {
  std::string trace, sqlite;
  decoder::TimelineOptions timeline;
};

/// Warps, spans, marks and launches, row by row.
class EventTables final : public decoder::TimelineSink {
public:
  explicit EventTables(SqliteFile &file)
      : launches(file.table("launch_times", Columns{"device", "grid", "kernel", "begin_ns", "end_ns", "warps"})),
        warps(file.table("warps", Columns{"warp_id", "device", "grid", "kernel", "sm", "block", "warp", "begin_ns", "end_ns", "cycles",
                                          "records", "dropped", "finished"})),
        spans(file.table("spans",
                         Columns{"warp_id", "region", "source", "begin_ns", "end_ns", "cycles", "depth", "lane", "lanes", "object"})),
        marks(file.table("marks", Columns{"warp_id", "region", "at_ns", "payload"})),
        releases(file.table("releases", Columns{"warp_id", "wait", "end_ns", "by_warp_id", "by", "by_ns"})) {}

  void start(const decoder::TimelineContext &what) override { context = &what; }
  void launch(const decoder::TimelineLaunch &what) override {
    launches.add(Row{number(what.device), what.gridId, what.kernel, what.begin, what.end, what.warps});
  }
  bool warp(const decoder::TimelineWarp &what) override {
    const auto &header = what.warp.header;
    ++lastWarp;
    warps.add(Row{lastWarp, number(what.device), header.gridId, what.kernel, number(header.sm), header.block, number(header.warp),
                  what.begin, what.end, what.warp.cycles(), what.warp.counts.produced, what.warp.counts.dropped,
                  number(what.warp.isFinished)});
    return true;
  }
  void span(const decoder::TimelineSpan &what) override {
    const decoder::Region &region = context->regions[what.span.region];
    const bool isWait = region.kind == format::RegionKind::Wait;
    const Cell lanes = number(what.span.lanes), none;
    spans.add(Row{lastWarp, region.name, region.location(), what.begin, what.end, what.span.cycles(), number(what.depth), number(what.lane),
                  isWait ? none : lanes, isWait ? lanes : none});
  }
  void mark(const decoder::Mark &mark, std::uint64_t at) override {
    marks.add(Row{lastWarp, context->regions[mark.region].name, at, number(mark.payload)});
  }
  bool showsEdges() const override { return true; }
  void edge(const decoder::TimelineEdge &edge) override {
    releases.add(
        Row{edge.toWarp + 1, context->regions[edge.wait].name, edge.to, edge.fromWarp + 1, context->regions[edge.by].name, edge.from});
  }

private:
  using Columns = std::vector<std::string>;
  using Row = std::vector<Cell>;
  static std::uint64_t number(std::uint64_t value) { return value; }

  const decoder::TimelineContext *context = nullptr;
  SqliteRows launches, warps, spans, marks, releases;
  std::uint64_t lastWarp = 0;
};

/// All tables of all views; one whose name is taken has its view's before it.
decoder::Status addViews(SqliteFile &file, std::span<const decoder::Trace> traces, const std::string &kernel) {
  std::set<std::string> taken;
  SqliteRows notes = file.table("notes", std::vector<std::string>{"view", "note"});
  for (const decoder::View &view : decoder::views()) {
    const auto tables = view.run(traces, {.kernel = kernel});
    if (!tables)
      return decoder::failure(tables.error());
    for (const decoder::Table &table : *tables) {
      std::vector<std::string> keys;
      for (const decoder::Column &column : table.columns)
        keys.push_back(keyOf(column));
      const std::string name = taken.contains(table.name) ? fmt::format("{}_{}", view.name, table.name) : table.name;
      taken.insert(name);
      SqliteRows rows = file.table(name, keys);
      for (const auto &row : table.rows)
        rows.add(row);
      for (const std::string &note : table.notes)
        notes.add(std::vector<Cell>{std::string(view.name), note});
    }
  }
  return {};
}

decoder::Expected<int> run(Options &options) {
  auto file = SqliteFile::create(options.sqlite);
  if (!file)
    return decoder::failure(file.error());
  const auto name = traceOrNewest(options.trace);
  if (!name)
    return decoder::failure(name.error());
  const auto traces = openTraces(std::span(&*name, 1));
  if (!traces)
    return decoder::failure(traces.error());
  Progress progress(*traces);
  if (auto status = addViews(*file, *traces, options.timeline.kernel); !status)
    return decoder::failure(status.error());
  const auto summary = [&] { // its statements end before the file does
    EventTables events(*file);
    return decoder::runTimeline(traces->front(), options.timeline, events);
  }();
  if (!summary)
    return decoder::failure(summary.error());
  progress.stop();
  if (auto status = file->finish(); !status)
    return decoder::failure(status.error());
  if (summary->overLimit > 0)
    warn(fmt::format("{} left out of spans and marks: raise --limit above {}, or choose with --kernel",
                     decoder::countedAre(summary->overLimit, "event"), options.timeline.maxEvents));
  say(fmt::format("{} in {}", decoder::counted(summary->events, "event"), options.sqlite));
  return 0;
}

} // namespace

Run exportCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  options->timeline.maxEvents = 10'000'000;
  addTrace(arguments, options->trace);
  arguments.add("--sqlite", options->sqlite, "the database to write").required().typeName("FILE");
  arguments.add("--limit", options->timeline.maxEvents, "at most N events, 0: all (10000000)").typeName("N");
  addKernel(arguments, options->timeline.kernel);
  arguments.footer("Tables: those of every view, with their columns; launch_times,\n"
                   "warps, spans and marks with a row for each. What kperf info shows, the\n"
                   "host's list of launches too, is of all kernels with --kernel as well.\n"
                   "For example:\n"
                   "  SELECT region, avg(end_ns - begin_ns) FROM spans GROUP BY region");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
