// The text form of a summary and its rows, in both directions.
#include "decoder/text/SummaryText.h"
#include "decoder/text/Packer.h"
#include "decoder/text/TextDefaults.h"

#include <bit>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using LengthBucket = format::LengthBucket;

/// "5,7" or "12*4,130*2".
std::string lengthsText(const SummaryRow &row) {
  std::string out;
  for (const std::uint64_t word : row.lengths) {
    const auto length = std::bit_cast<LengthBucket>(word);
    out += out.empty() ? "" : ",";
    out +=
        row.record.flags & format::kRowExact ? std::to_string(word) : fmt::format("{}*{}", length.bucket, length.count);
  }
  return out;
}

void appendWord(std::vector<std::byte> &out, std::uint64_t word) {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(word)>>(word);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

} // namespace

std::string fieldsOf(const format::SummaryRecord &summary) {
  std::string out = fmt::format(" flags={} grid={}x{}x{} block={}x{}x{}", flagWords(summary.flags, kSummaryFlagWords),
                                summary.grid[0], summary.grid[1], summary.grid[2], summary.block[0], summary.block[1],
                                summary.block[2]);
  const auto add = [&](const char *key, auto value) {
    if (value != 0)
      out += fmt::format(" {}={}", key, value);
  };
  add("sampled", summary.sampled);
  add("cycles-cycles", summary.cyclesCycles);
  add("cycles-ns", summary.cyclesNs);
  add("ns-ns", summary.nsNs);
  add("clock-points", summary.clockPoints);
  add("clock-groups", summary.clockGroups);
  for (unsigned i = 0; i < format::kSummaryCounters; ++i)
    add(name(static_cast<format::SummaryCounter>(i)), summary.counts[i]);
  return out;
}

std::string fieldsOf(const SummaryRow &row) {
  std::string out;
  const auto add = [&](const char *key, auto value) {
    if (value != 0)
      out += fmt::format(" {}={}", key, value);
  };
  add("parent", row.record.parent);
  if (row.record.flags != 0)
    out += fmt::format(" flags={}", flagWords(row.record.flags, kSummaryRowFlagWords));
  add("reserved", row.record.reserved);
  for (unsigned i = 0; i < format::kSummaryRowCounters; ++i)
    add(name(static_cast<format::SummaryRowCounter>(i)), row.record.counts[i]);
  if (!row.lengths.empty())
    out += " lengths=" + lengthsText(row);
  if (!row.multiprocessors.empty())
    out += fmt::format(" multiprocessors={}", fmt::join(row.multiprocessors, ","));
  return out;
}

void Packer::summary(TextLine &line) {
  format::SummaryRecord row{};
  row.kernel = regions.firstKernel();
  line.number("device", row.device);
  if (const Word *word = line.find("kernel"))
    row.kernel = reference(line, word);
  string(line, "name", row.name);
  flags(line, "flags", kSummaryFlagWords, row.flags);
  line.extent("grid", row.grid[0], row.grid[1], row.grid[2]);
  line.extent("block", row.block[0], row.block[1], row.block[2]);
  line.number("sampled", row.sampled);
  line.real("cycles-cycles", row.cyclesCycles);
  line.real("cycles-ns", row.cyclesNs);
  line.real("ns-ns", row.nsNs);
  line.number("clock-points", row.clockPoints);
  line.number("clock-groups", row.clockGroups);
  for (unsigned i = 0; i < format::kSummaryCounters; ++i)
    line.number(name(static_cast<format::SummaryCounter>(i)), row.counts[i]);
  openSummary = row;
}

void Packer::summaryRow(TextLine &line) {
  format::SummaryRowRecord row{};
  if (line.verb().value != "row")
    return line.fail(line.verb(), "unknown line in a summary", "row");
  row.region = reference(line, line.next());
  line.number("parent", row.parent);
  flags(line, "flags", kSummaryRowFlagWords, row.flags);
  line.number("reserved", row.reserved);
  for (unsigned i = 0; i < format::kSummaryRowCounters; ++i)
    line.number(name(static_cast<format::SummaryRowCounter>(i)), row.counts[i]);
  std::vector<std::byte> rest;
  const auto forItems = [&](const char *key, std::uint32_t &count, auto take) {
    const Word *word = line.find(key);
    for (std::string_view left = word ? std::string_view(word->value) : std::string_view(); !left.empty(); ++count) {
      const std::string_view item = left.substr(0, left.find(','));
      left.remove_prefix(std::min(item.size() + 1, left.size()));
      take(*word, item);
    }
  };
  const auto takeWord = [&](const Word &word, std::string_view item) {
    std::uint64_t value = 0;
    line.number(word, item, value);
    appendWord(rest, value);
  };
  forItems("lengths", row.lengths, [&](const Word &word, std::string_view item) {
    if (row.flags & format::kRowExact)
      return takeWord(word, item);
    LengthBucket length{};
    const std::size_t star = std::min(item.find('*'), item.size());
    line.number(word, item.substr(0, star), length.bucket);
    line.number(word, item.substr(std::min(star + 1, item.size())), length.count);
    appendWord(rest, std::bit_cast<std::uint64_t>(length));
  });
  forItems("multiprocessors", row.multiprocessors, takeWord);
  const auto head = std::as_bytes(std::span(&row, 1));
  summaryRows.insert(summaryRows.end(), head.begin(), head.end());
  summaryRows.insert(summaryRows.end(), rest.begin(), rest.end());
  ++openSummary->rows;
}

void Packer::summedLengths(TextLine &line) {
  format::SummedLengthsRecord row{};
  if (const Word *place = line.next()) {
    const std::string_view text = place->value;
    const std::size_t dot = std::min(text.find('.'), text.size());
    line.number(*place, text.substr(0, dot), row.summary);
    line.number(*place, text.substr(std::min(dot + 1, text.size())), row.row);
  } else {
    line.fail(line.verb(), "summed-lengths without a row", "which summary and which of its rows, as 1.1");
  }
  for (unsigned power = 0; power < format::kLengthPowers; ++power)
    line.number(std::to_string(power), row.counts[power]);
  writer.add(row);
}

void Packer::endSummary() {
  if (!openSummary)
    return;
  writer.append(format::SectionKind::Summaries, std::as_bytes(std::span(&*openSummary, 1)));
  writer.append(format::SectionKind::Summaries, summaryRows);
  openSummary.reset();
  summaryRows.clear();
}

} // namespace kperf::decoder
