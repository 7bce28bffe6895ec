// Everything that the commands of kperf do with a trace, on bytes in memory.
#include "EveryCommand.h"

#include "decoder/compare/Diff.h"
#include "decoder/explain/Explanation.h"
#include "decoder/text/Dump.h"
#include "decoder/text/Pack.h"
#include "decoder/timeline/HostPlacement.h"
#include "decoder/timeline/Stacks.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/transform/Merge.h"
#include "decoder/transform/Reduce.h"
#include "decoder/view/ReportPage.h"
#include "decoder/view/Views.h"

#include <algorithm>
#include <functional>
#include <kperf/format.h>
#include <optional>

namespace kperf::test {
namespace {

using namespace decoder;
using Bytes = std::vector<std::byte>;

/// Takes any amount of text and keeps none of it.
class NoOutput final : public Output {
public:
  Status finish() override { return {}; }

private:
  void flush() override { buffer.clear(); }
};

/// The groupings that the command line offers for a view; nothing where it has but one.
std::vector<std::optional<By>> groupings(const View &view) {
  if (view.groupings.all.empty())
    return {std::nullopt};
  return {view.groupings.all.begin(), view.groupings.all.end()};
}

void note(std::string &said, const Status &status) {
  if (!status && said.empty())
    said = status.error().text();
}

template <typename T> void note(std::string &said, const Expected<T> &result) {
  if (!result)
    note(said, Status(failure(result.error())));
}

/// A trace, what a command does with it, and what becomes of that.
struct Run {
  const Bytes &bytes;
  Trace &trace;
  std::optional<std::size_t> printer; ///< the only one, by any number; else all
  Outcome outcome{};
  std::string notes{}; ///< of the tables

  std::span<const Trace> traces() const { return {&trace, 1}; }
  void print(std::span<const Table> tables, const PrintOptions &options) const;
};

void Run::print(std::span<const Table> tables, const PrintOptions &options) const {
  NoOutput out;
  for (std::size_t i = 0; i < printers().size(); ++i)
    if (!printer || i == *printer % printers().size())
      printers()[i].print(tables, options, out);
}

void printTables(Run &run, const View &view, std::optional<By> by) {
  const std::unique_ptr<ViewOptions> options = view.options();
  for (const ViewOption &option : options->described())
    if (auto *const *number = std::get_if<std::optional<std::uint64_t> *>(&option.value))
      **number = 0; // a block to be listed
  const auto tables = view.runWith(run.traces(), {.by = by}, *options);
  note(run.outcome.said, tables);
  if (!tables)
    return;
  run.print(*tables, {.title = run.trace.name()});
  for (const Table &table : *tables)
    for (const std::string &text : table.notes)
      run.notes += text;
  if (by == By::Path) {
    NoOutput out;
    const Stacks stacks = stacksOf(tables->front());
    writeFolded(stacks, out);
    writeSpeedscope(stacks, "trace", out);
  }
}

void writeTimelines(Run &run, bool isWhole) {
  NoOutput out;
  const TimelineOptions part{.maxEvents = 10, .sms = {{0, 3}}, .blocks = {{0, 7}}, .fromNs = 1, .toNs = 1e6};
  std::vector<Trace> ranks;
  for (int rank = 0; rank < (isWhole ? 1 : 2); ++rank)
    ranks.push_back(*Trace::read(ByteSource::memory(run.bytes)));
  const auto placed = placeByHost(ranks);
  note(run.outcome.said, placed);
  const auto parts = placed ? placed->parts : std::vector<TimelinePart>{run.trace};
  note(run.outcome.said, writeChromeTimeline(parts, isWhole ? TimelineOptions() : part, out));
  note(run.outcome.said, writePerfettoTimeline(parts, isWhole ? TimelineOptions() : part, out));
}

void makePage(Run &run) {
  const auto page = makeReportPage(run.traces(), {}, {});
  note(run.outcome.said, page);
  if (page)
    run.print(page->tables, {.title = page->title, .data = page->data});
}

/// An explanation is a screen of text, and 4 KiB for a program.
void explainTrace(Run &run) {
  auto facts = readFacts(std::span(&run.trace, 1), "");
  note(run.outcome.said, facts);
  if (!facts)
    return;
  const Explanation explanation = explain(std::move(*facts));
  const std::string text = explanationText(explanation, 80, 40);
  if (std::ranges::count(text, '\n') > 40 || explanationJson(explanation).size() > 4096)
    run.outcome.violated = "an explanation is longer than a screen";
}

/// Whether the bytes are those of a trace that all views read.
bool isReadable(const Bytes &bytes) {
  const auto trace = Trace::read(ByteSource::memory(bytes));
  if (!trace)
    return false;
  NoOutput out;
  return std::ranges::all_of(views(), [&](const View &view) { return bool(view.run(std::span(&*trace, 1), {})); }) &&
         dumpTrace(*trace, out);
}

void reduce(Run &run) {
  const auto reduced = reduceTraces(run.traces());
  note(run.outcome.said, reduced);
  if (reduced && !isReadable(reduced->bytes))
    run.outcome.violated = "a reduced trace is not readable";
}

void merge(Run &run) {
  OutputString merged;
  const auto summary = mergeTraces(run.traces(), merged);
  note(run.outcome.said, summary);
  const auto *begin = reinterpret_cast<const std::byte *>(merged.text().data());
  if (summary && !isReadable(Bytes(begin, begin + merged.text().size())))
    run.outcome.violated = "a merged trace is not readable";
}

/// pack(dump(t)) is t, up to where it is whole.
void dumpAndPack(Run &run) {
  OutputString text;
  const Status dumped = dumpTrace(run.trace, text);
  note(run.outcome.said, dumped);
  const format::FileHeader &header = run.trace.header();
  if (!dumped || header.headerBytes != sizeof(header) || header.versionMinor > format::kVersionMinor)
    return;
  const auto packed = packText(text.text(), "dump");
  if (!packed)
    run.outcome.unlike = "what was dumped does not pack: " + packed.error().text();
  else if (packed->size() != run.trace.wholeBytes() || !std::equal(packed->begin(), packed->end(), run.bytes.begin()))
    run.outcome.unlike = "what was dumped packs to other bytes";
}

using Command = std::function<void(Run &)>;

/// Every view with each of its groupings, then the others: each finds out as much in a run as the others do.
std::vector<Command> makeCommands() {
  std::vector<Command> out;
  for (const View &view : views())
    for (const std::optional<By> by : groupings(view))
      out.push_back([&view, by](Run &run) { printTables(run, view, by); });
  for (const bool isWhole : {true, false})
    out.push_back([isWhole](Run &run) { writeTimelines(run, isWhole); });
  for (const Measure measure : {Measure::Mean, Measure::Total, Measure::Self})
    out.push_back([measure](Run &run) { note(run.outcome.said, diffTraces(run.traces(), run.traces(), {.measure = measure})); });
  out.insert(out.end(), {makePage, explainTrace, reduce, merge, dumpAndPack});
  return out;
}

Outcome runCommands(const Bytes &bytes, std::span<const Command> commands, std::optional<std::size_t> printer) {
  auto trace = Trace::read(ByteSource::memory(bytes));
  if (!trace)
    return {.said = trace.error().text(), .violated = {}, .unlike = {}};
  Run run{.bytes = bytes, .trace = *trace, .printer = printer};
  for (const Command &command : commands)
    command(run);
  if (run.outcome.said.empty())
    run.outcome.said = trace->incomplete() + run.notes;
  return run.outcome;
}

std::span<const Command> commands() {
  static const std::vector<Command> all = makeCommands();
  return all;
}

} // namespace

Outcome runEveryCommand(const Bytes &bytes) { return runCommands(bytes, commands(), std::nullopt); }

Outcome runSomeCommand(const Bytes &bytes) {
  const std::size_t chosen = checksumOf(bytes);
  return runCommands(bytes, commands().subspan(chosen % commands().size(), 1), chosen / commands().size());
}

Outcome packAgain(const Bytes &bytes) {
  const Command command = dumpAndPack;
  return runCommands(bytes, std::span(&command, 1), std::nullopt);
}

} // namespace kperf::test
