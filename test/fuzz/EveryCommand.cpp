// Everything that the commands of kperf do with a trace, on bytes in memory.
#include "EveryCommand.h"

#include "decoder/compare/Diff.h"
#include "decoder/explain/Explanation.h"
#include "decoder/text/Dump.h"
#include "decoder/transform/Merge.h"
#include "decoder/text/Pack.h"
#include "decoder/transform/Reduce.h"
#include "decoder/view/ReportPage.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/timeline/Stacks.h"
#include "decoder/timeline/Timeline.h"

#include <algorithm>
#include <kperf/format.h>

namespace kperf::test {
namespace {

using namespace decoder;
using Bytes = std::vector<std::byte>;

/// What is done, in parts: views, then timelines, then what makes one trace of several.
constexpr unsigned kViewGroups = 6, kGroups = kViewGroups + 2;

/// Takes any amount of text and keeps none of it.
class NoOutput final : public Output {
public:
  Status finish() override { return {}; }

private:
  void flush() override { buffer.clear(); }
};

/// The groupings that the command line offers for a view.
std::vector<const char *> groupings(const View &view) {
  if (view.takes & kTakesBy)
    return {"region", "path"};
  if (view.takes & kTakesOverlapBy)
    return {"block", "sm"};
  if (view.takes & kTakesMemoryBy)
    return {"site", "line", "region", "function", "cache", "page", "unseen"};
  return {""};
}

void note(std::string &said, const Status &status) {
  if (!status && said.empty())
    said = status.error().text();
}

template <typename T> void note(std::string &said, const Expected<T> &result) {
  if (!result)
    note(said, Status(failure(result.error())));
}

/// All tables of the views of that index, by all printers. Gives their notes.
std::string printTables(std::span<const Trace> traces, unsigned index, std::string &error) {
  std::string notes;
  NoOutput out;
  for (std::size_t i = index; i < views().size(); i += kViewGroups)
    for (const View &view = views()[i]; const char *by : groupings(view)) {
      const auto tables = view.run(traces, {.by = by, .block = 0});
      note(error, tables);
      if (!tables)
        continue;
      for (const Printer &printer : printers())
        printer.print(*tables, {.title = traces[0].name()}, out);
      for (const Table &table : *tables) {
        writeSarif(table.findings, "0", out);
        for (const std::string &text : table.notes)
          notes += text;
      }
      if (std::string_view(by) == "path") {
        const Stacks stacks = stacksOf(tables->front());
        writeFolded(stacks, out);
        writeSpeedscope(stacks, "trace", out);
      }
    }
  return notes;
}

void writeTimelines(const Trace &trace, std::string &error) {
  NoOutput out;
  const TimelineOptions part{.mostEvents = 10, .sms = {{0, 3}}, .blocks = {{0, 7}}, .fromNs = 1, .toNs = 1e6};
  for (const TimelineOptions &options : {TimelineOptions(), part}) {
    note(error, writeChromeTimeline(trace, options, out));
    note(error, writePerfettoTimeline(trace, options, out));
  }
  const auto page = makeReportPage(std::span(&trace, 1), {});
  note(error, page);
  if (page)
    for (const Printer &printer : printers())
      printer.print(page->tables, {.title = page->title, .data = page->data}, out);
}

/// Says whether what was said is longer than it may be.
std::string explainTrace(Trace &trace, std::string &error) {
  auto facts = readFacts(std::span(&trace, 1), "");
  note(error, facts);
  if (!facts)
    return "";
  const Explanation explanation = explain(std::move(*facts));
  const std::string text = explanationText(explanation, 80, 40);
  return std::ranges::count(text, '\n') > 40 || explanationJson(explanation).size() > 4096 ? "an explanation is longer than a screen" : "";
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

void combine(std::span<const Trace> traces, Outcome &outcome) {
  const auto reduced = reduceTraces(traces);
  note(outcome.said, reduced);
  if (reduced && !isReadable(reduced->bytes))
    outcome.violated = "a reduced trace is not readable";
  OutputString merged;
  const auto summary = mergeTraces(traces, merged);
  note(outcome.said, summary);
  const auto *begin = reinterpret_cast<const std::byte *>(merged.text().data());
  if (summary && !isReadable(Bytes(begin, begin + merged.text().size())))
    outcome.violated = "a merged trace is not readable";
  for (const Measure measure : {Measure::Mean, Measure::Total, Measure::Self})
    note(outcome.said, diffTraces(traces, traces, {.measure = measure}));
}

/// pack(dump(t)) is t, up to where it is whole.
void dumpAndPack(const Trace &trace, const Bytes &bytes, Outcome &outcome) {
  OutputString text;
  const Status dumped = dumpTrace(trace, text);
  note(outcome.said, dumped);
  const format::FileHeader &header = trace.header();
  if (!dumped || header.headerBytes != sizeof(header) || header.versionMinor > format::kVersionMinor)
    return;
  const auto packed = packText(text.text(), "dump");
  if (!packed)
    outcome.unlike = "what was dumped does not pack: " + packed.error().text();
  else if (packed->size() != trace.wholeBytes() || !std::equal(packed->begin(), packed->end(), bytes.begin()))
    outcome.unlike = "what was dumped packs to other bytes";
}

Outcome runGroups(const Bytes &bytes, unsigned first, unsigned end) {
  auto trace = Trace::read(ByteSource::memory(bytes));
  if (!trace)
    return {.said = trace.error().text(), .violated = {}, .unlike = {}};
  const std::span<const Trace> traces(&*trace, 1);
  Outcome outcome;
  std::string notes;
  for (unsigned group = first; group < end; ++group)
    if (group < kViewGroups)
      notes += printTables(traces, group, outcome.said);
    else if (group == kViewGroups) {
      writeTimelines(*trace, outcome.said);
      outcome.violated = explainTrace(*trace, outcome.said);
    } else {
      combine(traces, outcome);
    }
  dumpAndPack(*trace, bytes, outcome);
  if (outcome.said.empty())
    outcome.said = trace->incomplete() + notes;
  return outcome;
}

} // namespace

Outcome runEveryCommand(const Bytes &bytes) { return runGroups(bytes, 0, kGroups); }

Outcome runSomeCommand(const Bytes &bytes) {
  const auto group = static_cast<unsigned>(checksumOf(bytes) % kGroups);
  return runGroups(bytes, group, group + 1);
}

} // namespace kperf::test
